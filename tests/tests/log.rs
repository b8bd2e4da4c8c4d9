//! The log of the real program: a line a request, metrics that CloudWatch accepts, no secret.

use arena_support::{Process, Setup, TestArena};
use arena_tests::first_game;
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_arena-under-test");

const ROOT: &str = "1-5759e988-bd862e3fe1be46a994272793";

/// The lines of a log; every line must be JSON.
fn lines(output: &str) -> Vec<Value> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks the rules of the Embedded Metric Format: CloudWatch silently drops what breaks them.
fn check_metrics(line: &Value) {
    let metadata = &line["_aws"];
    if metadata.is_null() {
        return;
    }
    assert!(metadata["Timestamp"].as_i64().is_some_and(|ms| ms > 1_500_000_000_000), "{line}");
    let directives = metadata["CloudWatchMetrics"].as_array().unwrap();
    assert!(!directives.is_empty(), "{line}");
    for directive in directives {
        let namespace = directive["Namespace"].as_str().unwrap();
        assert!((1..=255).contains(&namespace.len()) && !namespace.starts_with("AWS/"));
        for dimensions in directive["Dimensions"].as_array().unwrap() {
            let dimensions = dimensions.as_array().unwrap();
            assert!(dimensions.len() <= 30, "{line}");
            for dimension in dimensions {
                let value = line[dimension.as_str().unwrap()].as_str().unwrap();
                assert!((1..=1_024).contains(&value.len()) && value.is_ascii(), "{line}");
            }
        }
        let metrics = directive["Metrics"].as_array().unwrap();
        assert!((1..=100).contains(&metrics.len()), "{line}");
        for metric in metrics {
            assert!(matches!(metric["Unit"].as_str(), Some("Count" | "Milliseconds")), "{line}");
            let value = &line[metric["Name"].as_str().unwrap()];
            let is_value = match value.as_array() {
                Some(values) => values.len() <= 100 && values.iter().all(Value::is_number),
                None => value.is_number(),
            };
            assert!(is_value, "{line}");
        }
    }
}

#[tokio::test]
async fn every_request_gets_one_line_and_no_line_holds_a_secret() {
    let variables = [("ARENA_LOG", "json")];
    let process = Process::start_with(PROGRAM, &["--ephemeral"], &variables).await;
    let base = process.client.base();
    let mut told = Vec::new();
    let names = ["hypatia", "diophantus"];
    first_game::play(&base, names, &mut |line| told.push(line.to_owned())).await;

    // Secrets in all the places where somebody could put one.
    let secret = "s3cr3t-idempotency-key-0123456789";
    let body = json!({ "name": "pappus", "bio": "b10-0f-pappus", "idempotency_key": secret });
    let register = process.client.post("/agents/register").json(&body);
    let key = register.send().await.expect(201)["api_key"].as_str().unwrap().to_owned();
    register.send().await.expect(201);
    let calls = [
        process.client.get(&format!("/nothing/{key}")),
        process.client.get(&format!("/games/{key}")).key(&key),
        process.client.get(&format!("/games?cursor={key}")),
        process.client.post("/queue/join").key(&key).header("idempotency-key", secret).body("{"),
        process.client.post("/queue/join").key(&key).header("idempotency-key", secret),
        process.client.get("/agents/me").key(&format!("{}x", &key[..key.len() - 1])),
        process.client.post("/agents/me/keys/rotate").key(&key).json(&json!({})),
        process.client.get("/agents/me").header("x-amzn-trace-id", &format!("Root={key}")),
    ];
    for call in calls {
        let reply = call.send().await;
        assert!(reply.status < 500, "{}", reply.text());
    }
    let output = process.kill().await;
    assert!(!output.contains("rk1_"), "an API key is in the log");
    for word in [secret, "s3cr3t", "b10-0f", "Bearer", "idempotency"] {
        assert!(!output.contains(word), "{word} is in the log");
    }

    let lines = lines(&output);
    lines.iter().for_each(check_metrics);
    let count = |field: &str, value: &str| lines.iter().filter(|l| l[field] == value).count();
    assert_eq!(count("route", "/agents/register"), 4);
    assert_eq!(count("route", "/games/{id}/swap"), 4, "one line a request");
    assert_eq!(count("route", "/games/{id}/offer10"), 1);
    assert_eq!(count("code", "unauthenticated"), 2);
    assert_eq!(count("code", "malformed"), 2);
    let nothing: Vec<&Value> = lines.iter().filter(|line| line["status"] == 404).collect();
    assert_eq!(nothing.len(), 2);
    assert!(nothing[0]["route"].is_null() && nothing[0]["agent"].is_null(), "{}", nothing[0]);
    let last = lines.iter().rfind(|line| line["route"] == "/games/{id}/move").unwrap();
    assert_eq!(last["method"], "POST");
    assert_eq!(last["status"], 200);
    assert!(names.contains(&last["agent"].as_str().unwrap()), "{last}");
    assert!(last["game"].as_str().is_some_and(|id| id.len() == 16), "{last}");
    assert!(last["turn"].as_u64().is_some_and(|turn| turn > 10), "{last}");
    assert!(last["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{last}");
    let seated = lines.iter().find(|line| line["matches"] == 1).unwrap();
    assert_eq!((&seated["message"], &seated["done"]), (&json!("match"), &json!(true)));
    assert_eq!(seated["queue_wait_ms"].as_array().unwrap().len(), 2, "{seated}");
}

#[tokio::test]
async fn a_laptop_hears_nothing_of_requests() {
    let process = Process::start(PROGRAM, &["--ephemeral"]).await;
    process.client.get("/health").send().await.ok();
    process.client.get("/nowhere").send().await.problem(404, "not_found");
    assert_eq!(lines(&process.kill().await), Vec::<Value>::new());
}

#[tokio::test]
async fn a_flag_tells_how_late_it_came() {
    let variables = [("ARENA_LOG", "json")];
    let arguments = ["--ephemeral", "--turn-seconds", "1", "--grace-seconds", "1"];
    let process = Process::start_with(PROGRAM, &arguments, &variables).await;
    for name in ["euclid", "archimedes"] {
        arena_support::Agent::queued(&process.client, name, "renju_free").await;
    }
    let lagged = arena_support::eventually("the clock ends the game", 60, || async {
        lines(&process.output()).into_iter().find(|line| !line["deadline_lag_ms"].is_null())
    });
    let lagged = lagged.await;
    check_metrics(&lagged);
    let lag_ms = lagged["deadline_lag_ms"][0].as_i64().unwrap();
    assert!(lag_ms >= 0, "{lagged}");
    assert_eq!(lagged["message"], "timer", "{lagged}");
    process.kill().await;
}

/// The emulator forgets system attributes, so each half is looked at by itself: what is sent on
/// behalf of a request, and what is sent on behalf of a message.
#[tokio::test]
async fn a_trace_goes_from_a_request_through_the_queue_and_on() {
    let arena = TestArena::with(Setup { messages: false, ..Setup::default() }).await;
    let agents = arena.agents(["thales", "zeno"]).await;
    arena.sqs.overhear("SendMessage");
    let header = format!("Root={ROOT};Parent=53995c3f42cd8ad8;Sampled=1");
    for agent in &agents {
        let join = agent.post("/queue/join").header("x-amzn-trace-id", &header);
        join.json(&json!({ "ruleset": "renju_free" })).send().await.ok();
    }
    let sent = arena.sqs.overheard();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|call| call.contains("AWSTraceHeader") && call.contains(&header)));

    arena.sqs.overhear("SendMessage");
    arena.deliver_traced("match renju_free/standard 0", &header).await;
    let sent = arena.sqs.overheard();
    assert_eq!(sent.len(), 1, "the game's timer");
    assert!(sent[0].contains("timer ") && sent[0].contains(&header), "{sent:?}");
    arena.finish().await;
}

#[tokio::test]
async fn our_own_client_is_not_sent_a_game_that_it_has_seen() {
    let variables = [("ARENA_LOG", "all")];
    let process = Process::start_with(PROGRAM, &["--ephemeral"], &variables).await;
    let mut ids = Vec::new();
    for name in ["eudoxus", "ptolemy"] {
        ids.push(arena_support::Agent::queued(&process.client, name, "renju_free").await);
    }
    let base = process.client.base();
    let watch = move || {
        let client = renju_agent::Client::new(&base).unwrap().with_key(&ids[0].key);
        let id = loop {
            match client.me().unwrap().queue.active_game {
                Some(id) => break id,
                None => std::thread::sleep(std::time::Duration::from_millis(100)),
            }
        };
        let other = client.with_key(&ids[1].key);
        [client, other].map(|client| [(); 2].map(|()| client.game(&id, 0).unwrap().turn_number))
    };
    let turns = tokio::task::spawn_blocking(watch).await.unwrap();
    assert_eq!(turns, [[0; 2]; 2]);
    let lines = lines(&process.kill().await);
    let statuses: Vec<&Value> =
        lines.iter().filter(|line| line["route"] == "/games/{id}").map(|l| &l["status"]).collect();
    // Who is to act is shown the game each time, with the time that is left.
    assert_eq!(statuses.iter().filter(|status| ***status == 304).count(), 1, "{statuses:?}");
}
