//! `infra/template.yaml` says what the code says: the same tables, queues, routes, functions and
//! variables, and no function may do more than its part.

mod front;
mod reading;
mod simulator;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;

use arena::{Message, Pace};
use arena_store::{message, schema};
use arena_wire::Route;
use serde_json::{Value, json};

use crate::{root, sources};
use reading::{Template, each, named};

/// Variables whose defaults are right for every deployment.
const LEFT_ALONE: [&str; 2] = ["ARENA_GRACE_MS", "ARENA_WAIT_MS_MAX"];

#[test]
fn tables_and_indexes_are_those_of_the_schema() {
    let template = Template::read();
    for (name, table) in [("AgentsTable", &schema::AGENTS), ("GamesTable", &schema::GAMES)] {
        let properties = template.properties(name);
        let mut keys = vec![table.partition];
        keys.extend(table.sort);
        let mut definitions = keys.clone();
        definitions.extend(table.indexes.iter().flat_map(|index| [index.partition, index.sort]));
        let definitions: BTreeMap<&str, &str> = definitions
            .iter()
            .map(|key| (key.name, if key.is_number { "N" } else { "S" }))
            .collect();
        let defined: BTreeMap<&str, &str> = each(&properties["AttributeDefinitions"])
            .iter()
            .map(|one| {
                (one["AttributeName"].as_str().unwrap(), one["AttributeType"].as_str().unwrap())
            })
            .collect();
        assert_eq!(defined, definitions, "{name}");
        assert_eq!(properties["KeySchema"], key_schema(&keys), "{name}");
        let indexes: Vec<Value> = table.indexes.iter().map(index).collect();
        assert_eq!(properties["GlobalSecondaryIndexes"], json!(indexes), "{name}");
        let expiry = &properties["TimeToLiveSpecification"]["AttributeName"];
        assert_eq!(expiry.as_str(), table.expiry, "{name}");
    }
}

fn key_schema(keys: &[schema::Key]) -> Value {
    let kinds = ["HASH", "RANGE"];
    let key =
        |(key, kind): (&schema::Key, &str)| json!({"AttributeName": key.name, "KeyType": kind});
    keys.iter().zip(kinds).map(key).collect()
}

fn index(index: &schema::Index) -> Value {
    let projection = match index.include {
        [] => json!({"ProjectionType": "KEYS_ONLY"}),
        include => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": include}),
    };
    json!({
        "IndexName": index.name,
        "KeySchema": key_schema(&[index.partition, index.sort]),
        "Projection": projection,
    })
}

#[test]
fn tables_outlive_mistakes() {
    let template = Template::read();
    for (name, table) in template.all("AWS::DynamoDB::Table") {
        let resource = template.resource(name);
        assert_eq!(table["BillingMode"], "PAY_PER_REQUEST", "{name}");
        let protection = &table["DeletionProtectionEnabled"];
        assert_eq!(*protection, json!({"Fn::If": ["IsProtected", true, false]}), "{name}");
        let recovery = &table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"];
        assert_eq!(recovery, true, "{name}");
        assert_eq!(resource["DeletionPolicy"], "Retain", "{name}");
        assert_eq!(resource["UpdateReplacePolicy"], "Retain", "{name}");
    }
}

#[test]
fn functions_behind_queues_have_the_time_of_the_schema() {
    let template = Template::read();
    for (name, timeout_s, visibility_s) in [
        ("Referee", schema::REFEREE_TIMEOUT_S, schema::VISIBILITY_S),
        ("House", schema::HOUSE_TIMEOUT_S, schema::HOUSE_VISIBILITY_S),
    ] {
        let function = template.properties(&format!("{name}Function"));
        assert_eq!(template.timeout_s(function), u64::from(timeout_s), "{name}");
        let queue = template.properties(&format!("{name}Queue"));
        assert_eq!(queue["VisibilityTimeout"], visibility_s, "{name}");
    }
    assert_eq!(template.properties("HouseSource")["BatchSize"], schema::HOUSE_BATCH);
    let matches = template.properties("MatchSource");
    assert_eq!(matches["BatchSize"], schema::MATCH_BATCH);
    assert_eq!(matches["MaximumBatchingWindowInSeconds"], schema::MATCH_WINDOW_S);
    assert_eq!(matches["ScalingConfig"]["MaximumConcurrency"], schema::MATCH_RUNS_MAX);
}

#[test]
fn a_message_is_hidden_while_it_is_handled_and_kept_when_it_cannot_be() {
    let template = Template::read();
    let sources = template.all("AWS::Lambda::EventSourceMapping");
    assert_eq!(sources.len(), 3);
    for (name, source) in sources {
        assert_eq!(source["FunctionResponseTypes"], json!(["ReportBatchItemFailures"]), "{name}");
        // Requests keep the rest of the account's concurrency.
        assert!(source["ScalingConfig"]["MaximumConcurrency"].is_u64(), "{name}");
        let (function, alias) =
            source["FunctionName"]["Ref"].as_str().unwrap().split_once('.').unwrap();
        assert_eq!(alias, "Alias", "{name}");
        let timeout = template.timeout_s(template.properties(function));
        let queue = template.properties(named(&source["EventSourceArn"]));
        let visibility = queue["VisibilityTimeout"].as_u64().unwrap();
        assert!(visibility >= 6 * timeout, "{name}: {visibility} s hidden, {timeout} s to handle");
        let redrive = &queue["RedrivePolicy"];
        assert_eq!(redrive["maxReceiveCount"], schema::RECEIVES_MAX, "{name}");
        let dead = template.properties(named(&redrive["deadLetterTargetArn"]));
        assert_eq!(dead["MessageRetentionPeriod"], schema::DEAD_RETENTION_S, "{name}");
    }
}

#[test]
fn the_schedule_starts_the_sweep() {
    let template = Template::read();
    let schedule = template.properties("SweepSchedule");
    assert_eq!(schedule["ScheduleExpression"], "rate(1 minute)");
    assert_eq!(named(&schedule["Target"]["Arn"]), "RefereeQueue");
    let input = schedule["Target"]["Input"].as_str().unwrap();
    assert_eq!(message::parse(input), Ok(Message::Sweep));
}

/// Functions by route; `$default` is every path that none has.
fn routes(template: &Template) -> BTreeMap<String, String> {
    let on_api = |(_, route): &(&str, &Value)| named(&route["ApiId"]) == "Api";
    let routes = template.all("AWS::ApiGatewayV2::Route").into_iter().filter(on_api);
    routes
        .map(|(name, route)| {
            let target = route["Target"]["Fn::Sub"].as_str().unwrap();
            let integration =
                target.strip_prefix("integrations/${").unwrap().strip_suffix('}').unwrap();
            let uri = &template.properties(integration)["IntegrationUri"];
            let function = named(uri).strip_suffix("Function").unwrap().to_lowercase();
            assert_eq!(uri["Ref"].as_str().unwrap().split('.').nth(1), Some("Alias"), "{name}");
            (route["RouteKey"].as_str().unwrap().to_owned(), function)
        })
        .collect()
}

/// The function to which the gateway hands a request: the key with the most segments spelled out
/// wins, and `$default` gets what no key matches.
fn handed_to<'t>(routes: &'t BTreeMap<String, String>, method: &str, path: &str) -> &'t str {
    let segments: Vec<&str> = path.split('/').collect();
    let spelled_out = |key: &str| {
        let (of, pattern) = key.split_once(' ')?;
        let pattern: Vec<&str> = pattern.split('/').collect();
        let mut pairs = pattern.iter().zip(&segments);
        let matches = of == method
            && pattern.len() == segments.len()
            && pairs.all(|(part, segment)| part.starts_with('{') || part == segment);
        matches.then(|| pattern.iter().filter(|part| !part.starts_with('{')).count())
    };
    let matching = routes.iter().filter_map(|(key, to)| Some((spelled_out(key)?, to)));
    matching.max().map_or(&routes["$default"], |(_, to)| to)
}

#[test]
fn the_gateway_hands_every_route_to_its_function() {
    let routes = routes(&Template::read());
    for route in arena_wire::routes() {
        let (method, path) = (route.method.as_str(), route.path_with("somebody"));
        assert_eq!(handed_to(&routes, method, &path), route.function.id(), "{method} {path}");
    }
    let known: BTreeSet<String> = arena_wire::routes()
        .map(|Route { method, path, .. }| format!("{} {path}", method.as_str()))
        .collect();
    let unknown: Vec<_> =
        routes.keys().filter(|key| *key != "$default" && !known.contains(*key)).collect();
    assert!(unknown.is_empty(), "the gateway has routes of its own: {unknown:?}");
}

#[test]
fn cargo_lambda_watch_has_the_gateways_routes() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let router = manifest.split("[workspace.metadata.lambda.watch.router]\n").nth(1).unwrap();
    let quoted = |text: &str| text.split('"').nth(1).unwrap().to_owned();
    let (mut watched, mut path) = (BTreeSet::new(), String::new());
    let deployed = routes(&Template::read());
    let methods = |path: &str| {
        let keys = deployed.keys().filter_map(|key| key.split_once(' '));
        keys.filter(|(_, of)| *of == path).map(|(method, _)| method.to_owned()).collect::<Vec<_>>()
    };
    for line in router.lines().take_while(|line| !line.is_empty()) {
        match (line.split_once(" = "), line.split_once("method = ")) {
            (_, Some((_, entry))) => {
                let (method, function) = entry.split_once("function = ").unwrap();
                watched.insert((format!("{} {path}", quoted(method)), quoted(function)));
            }
            (Some((key, "[")), _) => path = quoted(key),
            (Some((key, function)), _) => {
                let keys = methods(&quoted(key)).into_iter();
                let keys = keys.map(|method| format!("{method} {}", quoted(key)));
                watched.extend(keys.map(|key| (key, quoted(function))));
            }
            (None, None) => assert_eq!(line, "]"),
        }
    }
    let deployed: BTreeSet<(String, String)> = deployed
        .into_iter()
        .filter(|(key, _)| key.contains(' '))
        .map(|(key, function)| (key, format!("arena-{function}")))
        .collect();
    assert_eq!(watched, deployed);
}

#[test]
fn limits_are_set_on_routes_that_exist() {
    let template = Template::read();
    let routes = routes(&template);
    let stage = template.properties("ApiStage");
    assert!(stage["DefaultRouteSettings"]["ThrottlingRateLimit"].is_object());
    for (key, settings) in stage["RouteSettings"].as_object().unwrap() {
        assert!(routes.contains_key(key), "{key} is no route");
        assert!(settings["ThrottlingRateLimit"].is_u64(), "{key}");
    }
    assert!(stage["RouteSettings"]["POST /agents/register"].is_object());
    let frames = &template.properties("DuelStage")["DefaultRouteSettings"];
    assert!(frames["ThrottlingRateLimit"].is_u64());
    // Whoever needs no key takes no concurrency from players.
    for function in ["RegisterFunction", "SpectateFunction", "DuelFunction"] {
        let reserved = &template.properties(function)["ReservedConcurrentExecutions"];
        assert_eq!(reserved["Fn::If"][0], "HasReserve", "{function}");
    }
}

#[test]
fn every_function_is_deployed() {
    let template = Template::read();
    let mut folders = BTreeSet::new();
    for entry in fs::read_dir(root().join("functions")).unwrap() {
        folders.insert(entry.unwrap().file_name().into_string().unwrap());
    }
    let mut deployed = BTreeSet::new();
    for (name, function) in template.functions() {
        let key = function["CodeUri"]["Key"]["Fn::Sub"].as_str();
        assert_eq!(key, Some(format!("${{CodeVersion}}/{name}.zip").as_str()));
        assert_eq!(function["AutoPublishAliasAllProperties"], true, "{name}");
        assert_eq!(function["AutoPublishCodeSha256"]["Ref"], "Release", "{name}");
        deployed.insert(name);
    }
    assert_eq!(deployed, folders);
    let logging = &template.globals()["LoggingConfig"];
    assert_eq!(
        (&logging["LogFormat"], &logging["SystemLogLevel"]),
        (&json!("JSON"), &json!("WARN"))
    );
}

/// The variables whose names stand in the sources of the crates that functions are made of.
fn read_variables() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["functions", "shared"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            sources(&entry.unwrap().path().join("src"), &mut files);
        }
    }
    let mut variables = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        let quoted = text.split('"').skip(1).step_by(2);
        let is_name = |text: &&str| {
            text.starts_with("ARENA_") && text.chars().all(|c| c == '_' || c.is_ascii_uppercase())
        };
        variables.extend(quoted.filter(is_name).map(str::to_owned));
    }
    variables
}

/// The variables that a function sets, or all of them do.
fn variables(function: &Value) -> BTreeSet<&str> {
    let variables = function["Environment"]["Variables"].as_object();
    variables.map(|set| set.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[test]
fn functions_get_the_variables_they_read() {
    let template = Template::read();
    let mut set = variables(template.globals());
    // Only who hands out keys knows where the secret is that they are made with. No variable has it.
    for (name, function) in template.functions() {
        let own = variables(function);
        let keys = if name == "register" { vec!["ARENA_PEPPER_PARAMETER"] } else { Vec::new() };
        assert_eq!(own, BTreeSet::from_iter(keys), "{name}");
        set.extend(own);
    }
    let read = read_variables();
    assert!(read.contains("ARENA_PEPPER_PARAMETER"), "the sources were not read: {read:?}");
    let wanted: BTreeSet<&str> =
        read.iter().map(String::as_str).filter(|name| !LEFT_ALONE.contains(name)).collect();
    let missing: Vec<_> = wanted.difference(&set).collect();
    assert!(missing.is_empty(), "the template does not set {missing:?}");
    let unread: Vec<_> = set.difference(&wanted).collect();
    assert!(unread.is_empty(), "no function reads {unread:?}");
}

#[test]
fn no_request_outlives_the_grace_of_the_clock() {
    let template = Template::read();
    let timeout_ms = template.globals()["Timeout"].as_i64().unwrap() * 1_000;
    // A second of clock skew, and one for a write that outlives its function.
    assert!(timeout_ms + 2_000 <= Pace::STANDARD.grace_ms);
    let behind_the_gateway: BTreeSet<String> = routes(&template).into_values().collect();
    for (name, function) in template.functions() {
        if behind_the_gateway.contains(&name) {
            assert!(function["Timeout"].is_null(), "{name}");
        }
    }
}

/// Actions that a function may take, each with its resource.
fn rights(function: &Value) -> Vec<(String, String)> {
    let mut rights = Vec::new();
    for statement in
        each(&function["Policies"]).iter().flat_map(|policy| each(&policy["Statement"]))
    {
        assert_eq!(statement["Effect"], "Allow");
        for action in each(&statement["Action"]) {
            for resource in each(&statement["Resource"]) {
                let resource = resource["Fn::Sub"].as_str().or(resource["Fn::GetAtt"].as_str());
                rights.push((action.as_str().unwrap().to_owned(), resource.unwrap().to_owned()));
            }
        }
    }
    rights
}

#[test]
fn no_function_may_do_more_than_its_part() {
    for (name, function) in Template::read().functions() {
        let rights = rights(function);
        assert!(!rights.is_empty(), "{name}");
        for (action, resource) in rights {
            assert!(!action.contains('*'), "{name}: {action}");
            assert!(
                !["Scan", "Delete", "Purge"]
                    .iter()
                    .any(|verb| { action.contains(verb) && action != "sqs:DeleteMessage" }),
                "{name}: {action}"
            );
            let is_connection = action == "execute-api:ManageConnections";
            assert!(is_connection || !resource.contains('*'), "{name}: {action} {resource}");
            if name == "spectate" {
                assert!(
                    ["GetItem", "BatchGetItem", "Query"].contains(&&action["dynamodb:".len()..])
                );
            }
            if name == "duel" {
                assert!(is_connection, "duel: {action}");
            }
        }
    }
}

/// The referee names a hash in the condition of a seat, and a game that it creates has two digests.
#[test]
fn only_register_and_the_referee_may_name_hashes_of_keys() {
    let hashes: [(&str, &[&str]); 2] =
        [("AgentsTable.Arn", &schema::AGENT_KEYS), ("GamesTable.Arn", &schema::GAME_KEYS)];
    for (name, function) in Template::read().functions() {
        for policy in each(&function["Policies"]) {
            for statement in each(&policy["Statement"]) {
                let writes = |action: &&Value| {
                    ["dynamodb:PutItem", "dynamodb:UpdateItem"].iter().any(|write| *action == write)
                };
                if ["register", "referee"].contains(&name.as_str())
                    || !each(&statement["Action"]).iter().any(writes)
                {
                    assert!(statement["Condition"].is_null(), "{name}");
                    continue;
                }
                let table = statement["Resource"]["Fn::GetAtt"].as_str().unwrap();
                let (_, keys) = hashes.iter().find(|(of, _)| *of == table).unwrap();
                let condition = &statement["Condition"]["ForAllValues:StringNotEquals"];
                assert_eq!(condition["dynamodb:Attributes"], json!(keys), "{name}");
            }
        }
    }
}

/// A decision calls a house bot, or sends a timer for a deadline that comes before the chain's own. Who
/// joins, or asks for its place in the queue (`/queue`, `/agents/me`), may send a message to the
/// matchmaker. Who looks at a game may call a late house bot.
#[test]
fn every_function_may_send_what_it_sends() {
    let template = Template::read();
    let functions: BTreeMap<String, &Value> = template.functions().into_iter().collect();
    for (name, queues) in [
        ("move", ["Referee", "House"].as_slice()),
        ("house", &["Referee", "House"]),
        ("queue", &["Referee", "Match"]),
        ("poll", &["Referee", "Match", "House"]),
        ("referee", &["Referee", "Match", "House"]),
    ] {
        for queue in queues {
            let right = ("sqs:SendMessage".to_owned(), format!("{queue}Queue.Arn"));
            assert!(rights(functions[name]).contains(&right), "{name} may not send to {queue}");
        }
    }
}

#[test]
fn who_sends_to_itself_is_not_stopped_for_a_loop() {
    let template = Template::read();
    for (name, source) in template.all("AWS::Lambda::EventSourceMapping") {
        let function = template.properties(named(&source["FunctionName"]));
        let queue = format!("{}.Arn", named(&source["EventSourceArn"]));
        if rights(function).contains(&("sqs:SendMessage".to_owned(), queue)) {
            assert_eq!(function["RecursiveLoop"], "Allow", "{name}");
        }
    }
}

#[test]
fn everything_that_can_run_short_has_its_alarm_and_every_alarm_tells() {
    let template = Template::read();
    let alarms = template.all("AWS::CloudWatch::Alarm");
    let mut watched = BTreeSet::new();
    for (name, alarm) in &alarms {
        assert_eq!(named(&alarm["AlarmActions"][0]), "Alarms", "{name}");
        for metric in metrics(alarm) {
            let of = metric["Dimensions"].as_array().into_iter().flatten();
            let of = of.filter(|one| one["Name"] != "Resource").map(|one| &one["Value"]);
            let of: Vec<&str> = of.map(|it| it.as_str().unwrap_or_else(|| named(it))).collect();
            let metric = metric["MetricName"].as_str().unwrap();
            watched.insert(format!("{metric} {}", of.join("/")).trim_end().to_owned());
        }
    }
    let mut wanted: BTreeSet<String> = ["5xx Api", "Faults", "Sweeps"].map(str::to_owned).into();
    // Timers are sent long before they are due: only what is due and not taken is late.
    wanted.insert("ApproximateNumberOfMessagesVisible RefereeQueue".to_owned());
    wanted.insert("deadline_lag_ms RefereeFunction".to_owned());
    wanted.insert("ApproximateAgeOfOldestMessage HouseQueue".to_owned());
    for (name, _) in template.all("AWS::SQS::Queue") {
        if name.ends_with("DeadLetters") {
            wanted.insert(format!("ApproximateNumberOfMessagesVisible {name}"));
        }
    }
    for (name, table) in [("AgentsTable", &schema::AGENTS), ("GamesTable", &schema::GAMES)] {
        for event in ["WriteThrottleEvents", "ReadThrottleEvents"] {
            wanted.insert(format!("{event} {name}"));
            let of_index = |index: &schema::Index| format!("{event} {name}/{}", index.name);
            wanted.extend(table.indexes.iter().map(of_index));
        }
    }
    for (name, _) in template.all("AWS::Serverless::Function") {
        wanted.insert(format!("Errors {name}"));
    }
    // What costs money, and a game that nobody else may play.
    wanted.extend(["Count Api", "Errors Canary"].map(str::to_owned));
    // They share one quota; poll is called most, and nobody waits for the referee's reply.
    wanted.extend(["Throttles PollFunction", "Throttles RefereeFunction"].map(str::to_owned));
    assert_eq!(watched, wanted);
    let is_gradual = |name: &str| template.resource(name)["Condition"] == "IsGradual";
    let (gradual, always): (Vec<_>, Vec<_>) = alarms.iter().partition(|(name, _)| is_gradual(name));
    billed(&[&format!("{} alarms", always.len()), &cost("alarm_metric", always.len())]);
    let combined = gradual.iter().map(|(_, alarm)| metrics(alarm).len()).sum();
    billed(&["`Gradual=true`", &format!("{combined} metrics"), &cost("alarm_metric", combined)]);
    billed(&["the dashboard", &cost("dashboard", 1)]);
}

/// Metrics of an alarm: its own, or those that its expression combines.
fn metrics(alarm: &Value) -> Vec<&Value> {
    match alarm["Metrics"].as_array() {
        Some(all) => all
            .iter()
            .map(|one| &one["MetricStat"]["Metric"])
            .filter(|one| one.is_object())
            .collect(),
        None => vec![alarm],
    }
}

#[test]
fn a_new_version_is_rolled_back_by_the_share_that_fails() {
    let template = Template::read();
    let alarms = each(&template.globals()["DeploymentPreference"]["Alarms"]["Fn::If"][1]);
    let names: Vec<&str> = alarms.into_iter().map(named).collect();
    assert_eq!(names, ["FaultsShareAlarm", "ErrorsShareAlarm"]);
    for name in names {
        let alarm = template.properties(name);
        let of: Vec<&str> =
            metrics(alarm).iter().map(|one| one["MetricName"].as_str().unwrap()).collect();
        assert!(of.contains(&"Count"), "{name} is no share of the requests: {of:?}");
        // The new version gets a tenth of the requests for five minutes.
        assert!(alarm["Threshold"].as_u64().unwrap() < 10, "{name}");
        assert!(alarm["EvaluationPeriods"].as_u64().unwrap() < 5, "{name}");
        for metric in metrics(alarm).iter().filter(|one| one["MetricName"] == "Errors") {
            let alias = &metric["Dimensions"][1];
            let function = named(&metric["Dimensions"][0]["Value"]);
            assert_eq!(alias["Name"], "Resource");
            assert_eq!(alias["Value"]["Fn::Sub"], format!("${{{function}}}:live"));
        }
    }
}

#[test]
fn stages_are_made_after_their_routes() {
    let template = Template::read();
    for (name, stage) in template.all("AWS::ApiGatewayV2::Stage") {
        let before = each(&template.resource(name)["DependsOn"]);
        let routes = template.all("AWS::ApiGatewayV2::Route").into_iter();
        for (route, of) in routes.filter(|(_, of)| named(&of["ApiId"]) == named(&stage["ApiId"])) {
            let key = of["RouteKey"].as_str().unwrap();
            let is_needed =
                stage["RouteSettings"].is_null() || !stage["RouteSettings"][key].is_null();
            assert!(!is_needed || before.iter().any(|one| *one == route), "{name} before {route}");
        }
    }
}

/// The metrics that functions write into their lines, and which functions do.
const METRICS: [(&str, &[&str]); 3] = [
    ("matches", &["Referee"]),
    ("queue_wait_ms", &["Referee"]),
    ("deadline_lag_ms", &["Register", "Queue", "Move", "Poll", "Referee"]),
];

#[test]
fn the_dashboard_shows_what_functions_tell() {
    let template = Template::read();
    let body = template.properties("Dashboard")["DashboardBody"]["Fn::Sub"].as_str().unwrap();
    let dashboard: Value = serde_json::from_str(body).unwrap();
    let mut shown = BTreeSet::new();
    let mut searched = String::new();
    for widget in each(&dashboard["widgets"]) {
        for metric in each(&widget["properties"]["metrics"]) {
            if metric[0] == arena_wire::METRICS_NAMESPACE {
                assert_eq!(metric[2], "function", "{metric}");
                shown.insert((metric[1].as_str().unwrap(), metric[3].as_str().unwrap().to_owned()));
            }
            searched.extend(metric[0]["expression"].as_str());
        }
    }
    for (name, functions) in METRICS {
        // Few agents rotate a key while their game is overdue.
        let told = functions.iter().filter(|who| (name, **who) != ("deadline_lag_ms", "Register"));
        for function in told {
            assert!(
                shown.contains(&(name, format!("${{{function}Function}}"))),
                "{name} {function}"
            );
        }
    }
    let namespace = format!("{{{},function,code}}", arena_wire::METRICS_NAMESPACE);
    assert!(searched.contains(&namespace) && searched.contains("rejections"), "{searched}");
}

#[test]
fn metrics_are_as_many_as_the_bill_says() {
    let filters = Template::read().all("AWS::Logs::MetricFilter").len();
    let always = filters + METRICS.iter().map(|(_, functions)| functions.len()).sum::<usize>();
    let codes = |route: &'static Route| route.codes().map(|code| (route.function.id(), code));
    let rejections = arena_wire::routes().flat_map(codes).collect::<HashSet<_>>().len();
    let most = cost("custom_metric", always + rejections);
    billed(&[&format!("{always} metrics, and up to {rejections} more"), &most]);
}

/// So many of these, in dollars a month.
fn cost(what: &str, count: usize) -> String {
    let prices = fs::read_to_string(root().join("infra/prices.json")).unwrap();
    let prices: Value = serde_json::from_str(&prices).unwrap();
    format!("{:.2} |", prices[format!("{what}_month")].as_f64().unwrap() * count as f64)
}

/// Checks that a line of the bill in docs/operations.md has all of this.
#[track_caller]
fn billed(texts: &[&str]) {
    let page = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let is_billed = page.lines().any(|line| texts.iter().all(|text| line.contains(text)));
    assert!(is_billed, "docs/operations.md does not bill {texts:?}");
}
