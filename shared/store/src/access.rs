//! AWS endpoints, credentials and table names, from environment variables alone.
//!
//! Lambda passes credentials and region to a function as variables, so the credential chain of
//! `aws-config` (and its compile and start-up time) is not needed. Nothing here does I/O.

use std::time::Duration;

use arena::Pace;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, SharedHttpClient};
use aws_smithy_http_client::tls;

use crate::environment::{VariableError, Variables, number_of, required, variable};

const OPERATION_TIMEOUT: Duration = Duration::from_millis(2_500);
const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(1_000);
const CONNECT_TIMEOUT: Duration = Duration::from_millis(800);
/// An emulator on this machine answers once it gets processor time; a retry before that only adds
/// load.
const EMULATOR_TIMEOUT: Duration = Duration::from_secs(30);
const SDK_ATTEMPTS_MAX: u32 = 3;
/// The SDK's default of one second would use up an operation's time after two failures.
const BACKOFF_MIN: Duration = Duration::from_millis(50);
const BACKOFF_MAX: Duration = Duration::from_millis(300);

/// Endpoints and credentials.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Debug)]
pub struct Access {
    pub credentials: Credentials,
    /// Such as `eu-central-1`.
    pub region: String,
    /// `None` means the regional AWS endpoint.
    pub dynamodb: Option<String>,
    /// `None` means the regional AWS endpoint.
    pub sqs: Option<String>,
    /// Endpoint of an emulator for WebSocket frames; `None` means the host the socket was opened
    /// on.
    pub sockets: Option<String>,
    /// `None` means the regional AWS endpoint.
    pub ssm: Option<String>,
    /// HTTP client of the SDK; `None` opens connections. Benches answer from memory here.
    pub http: Option<SharedHttpClient>,
    /// True for emulators on this machine.
    pub is_local: bool,
}

/// Tables and queues of a deployment, and its time limits.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Agents, their standings and a few counters.
    pub agents_table: String,
    pub games_table: String,
    /// Deadlines and the sweep.
    pub referee_queue_url: String,
    /// Matchmaking, so that no deadline waits behind a long queue.
    pub match_queue_url: String,
    /// Messages to house bots.
    pub house_queue_url: String,
    /// Number of keys over which every list of an index is spread; one takes a thousand writes a
    /// second. It can be raised at any time and never lowered: lists are read from as many keys.
    pub shards: u8,
    pub pace: Pace,
}

/// More shards would make every listing expensive.
const SHARDS_MAX: u8 = 64;

impl Config {
    /// Reads `ARENA_AGENTS_TABLE`, `ARENA_GAMES_TABLE`, `ARENA_REFEREE_QUEUE_URL`,
    /// `ARENA_MATCH_QUEUE_URL`, `ARENA_HOUSE_QUEUE_URL` and, where it is not 1, `ARENA_SHARDS`;
    /// optionally `ARENA_TURN_MS`, `ARENA_GRACE_MS` and `ARENA_HOUSE_AFTER_MS` (absent or 0: no
    /// house bots).
    pub fn from_env() -> Result<Config, VariableError> {
        Config::from_variables(&variable)
    }

    /// The same from variables of another place, such as those of a deployed function.
    pub fn from_variables(variables: Variables<'_>) -> Result<Config, VariableError> {
        let required = |name| required(variables, name);
        let shards = number_of(variables, "ARENA_SHARDS")?.unwrap_or(1);
        if !(1..=SHARDS_MAX).contains(&shards) {
            return Err(VariableError::invalid("ARENA_SHARDS", shards.to_string(), "1 to 64"));
        }
        Ok(Config {
            agents_table: required("ARENA_AGENTS_TABLE")?,
            games_table: required("ARENA_GAMES_TABLE")?,
            referee_queue_url: required("ARENA_REFEREE_QUEUE_URL")?,
            match_queue_url: required("ARENA_MATCH_QUEUE_URL")?,
            house_queue_url: required("ARENA_HOUSE_QUEUE_URL")?,
            shards,
            pace: pace(variables)?,
        })
    }
}

fn pace(variables: Variables<'_>) -> Result<Pace, VariableError> {
    let standard = Pace::STANDARD;
    Ok(Pace {
        turn_ms: number_of(variables, "ARENA_TURN_MS")?,
        grace_ms: number_of(variables, "ARENA_GRACE_MS")?.unwrap_or(standard.grace_ms),
        house_after_ms: number_of(variables, "ARENA_HOUSE_AFTER_MS")?.filter(|&ms| ms > 0),
        ..standard
    })
}

impl Access {
    /// Reads the variables that AWS documents for every SDK; a variable of one service wins over
    /// `AWS_ENDPOINT_URL`, and an empty variable counts as unset.
    ///
    /// Credentials are read once: a Lambda environment ends before its credentials do.
    pub fn from_env() -> Result<Access, VariableError> {
        Access::from_variables(&variable)
    }

    /// The same from variables of another place, such as a profile of the aws command.
    pub fn from_variables(variables: Variables<'_>) -> Result<Access, VariableError> {
        let required = |name| required(variables, name);
        let endpoint = |name| variables(name).or_else(|| variables("AWS_ENDPOINT_URL"));
        let session = variables("AWS_SESSION_TOKEN");
        Ok(Access {
            credentials: credentials(
                required("AWS_ACCESS_KEY_ID")?,
                required("AWS_SECRET_ACCESS_KEY")?,
                session,
            ),
            region: required("AWS_REGION")?,
            dynamodb: endpoint("AWS_ENDPOINT_URL_DYNAMODB"),
            sqs: endpoint("AWS_ENDPOINT_URL_SQS"),
            sockets: endpoint("AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI"),
            ssm: endpoint("AWS_ENDPOINT_URL_SSM"),
            http: None,
            is_local: false,
        })
    }

    /// Emulators, which check no signature.
    pub fn local(dynamodb: impl Into<String>, sqs: impl Into<String>) -> Access {
        Access {
            credentials: credentials("local".to_owned(), "local".to_owned(), None),
            region: "us-east-1".to_owned(),
            dynamodb: Some(dynamodb.into()),
            sqs: Some(sqs.into()),
            sockets: None,
            ssm: None,
            http: None,
            is_local: true,
        }
    }

    /// A DynamoDB client; cheap to clone, and clones share connections.
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(self.credentials.clone())
            .region(Region::new(self.region.clone()))
            .timeout_config(self.timeouts())
            .retry_config(retries())
            .http_client(self.http_client(self.dynamodb.as_deref()));
        let config = match &self.dynamodb {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// An SQS client; cheap to clone, and clones share connections.
    pub fn sqs(&self) -> aws_sdk_sqs::Client {
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(self.credentials.clone())
            .region(Region::new(self.region.clone()))
            .timeout_config(self.timeouts())
            .retry_config(retries())
            .http_client(self.http_client(self.sqs.as_deref()));
        let config = match &self.sqs {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_sqs::Client::from_conf(config.build())
    }

    /// A client of the gateway's management API. Every request names its endpoint.
    pub(crate) fn sockets(&self) -> aws_sdk_apigatewaymanagement::Client {
        let config = aws_sdk_apigatewaymanagement::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(self.credentials.clone())
            .region(Region::new(self.region.clone()))
            .timeout_config(self.timeouts())
            .retry_config(retries())
            .http_client(self.http_client(self.sockets.as_deref()));
        aws_sdk_apigatewaymanagement::Client::from_conf(config.build())
    }

    /// A client of Parameter Store.
    pub(crate) fn ssm(&self) -> aws_sdk_ssm::Client {
        let config = aws_sdk_ssm::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(self.credentials.clone())
            .region(Region::new(self.region.clone()))
            .timeout_config(self.timeouts())
            .retry_config(retries())
            .http_client(self.http_client(self.ssm.as_deref()));
        let config = match &self.ssm {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_ssm::Client::from_conf(config.build())
    }

    fn timeouts(&self) -> TimeoutConfig {
        let aws = (OPERATION_TIMEOUT, ATTEMPT_TIMEOUT, CONNECT_TIMEOUT);
        let emulator = (EMULATOR_TIMEOUT, EMULATOR_TIMEOUT, EMULATOR_TIMEOUT);
        let (operation, attempt, connect) = if self.is_local { emulator } else { aws };
        TimeoutConfig::builder()
            .operation_timeout(operation)
            .operation_attempt_timeout(attempt)
            .connect_timeout(connect)
            .build()
    }

    fn http_client(&self, endpoint: Option<&str>) -> SharedHttpClient {
        self.http.clone().unwrap_or_else(|| http_client(endpoint))
    }
}

fn retries() -> RetryConfig {
    RetryConfig::standard()
        .with_max_attempts(SDK_ATTEMPTS_MAX)
        .with_initial_backoff(BACKOFF_MIN)
        .with_max_backoff(BACKOFF_MAX)
}

fn credentials(id: String, secret: String, session: Option<String>) -> Credentials {
    Credentials::new(id, secret, session, None, "environment")
}

/// A plain endpoint needs no TLS set-up, which reads and parses every root certificate.
fn http_client(endpoint: Option<&str>) -> SharedHttpClient {
    let client = aws_smithy_http_client::Builder::new();
    if endpoint.is_some_and(|url| url.starts_with("http://")) {
        client.build_http()
    } else {
        let mode = tls::rustls_provider::CryptoMode::Ring;
        client.tls_provider(tls::Provider::rustls(mode)).build_https()
    }
}
