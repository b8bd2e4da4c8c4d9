//! The DynamoDB and SQS under a test.

use std::io::Write;
use std::sync::{Once, OnceLock};

use arena_local::{Endpoint, Stack};
use arena_store::Access;

use super::Faults;
use super::upstream::Upstream;

const ENDPOINT: &str = "ARENA_TEST_ENDPOINT";
const STACK: &str = "ARENA_TEST_STACK";
const EMBEDDED: &str = "embedded";

/// Place of a test's tables and queues.
#[derive(Debug)]
pub(crate) enum Server {
    /// In this process, for this test alone.
    Embedded(Stack, Endpoint),
    /// At an address, shared by all tests, which share its connections too: all go through a proxy.
    Shared(Box<Upstream>, Faults),
}

impl Server {
    /// As the environment says. Tells once which one it is.
    pub(crate) async fn open() -> Server {
        let (server, what) = Server::choose().await;
        static TOLD: Once = Once::new();
        TOLD.call_once(|| tell(&format!("DynamoDB and SQS {what}")));
        server
    }

    async fn choose() -> (Server, String) {
        if let Some(url) = variable(ENDPOINT) {
            let what = format!("at {url} (ARENA_TEST_ENDPOINT)");
            return (Server::shared(&url).await, what);
        }
        match variable(STACK).as_deref() {
            None | Some(EMBEDDED) => {
                let stack = Stack::memory().expect("an embedded stack starts");
                let endpoint = stack.listen().await.expect("a loopback port is free");
                (Server::Embedded(stack, endpoint), "inside this process".to_owned())
            }
            Some("localstack") => {
                let (url, image) = localstack().await;
                let what = format!("at {url} (LocalStack container {image})");
                (Server::shared(&url).await, what)
            }
            Some(other) => panic!("ARENA_TEST_STACK is {other:?}; known are embedded, localstack"),
        }
    }

    /// At this address, the same for the whole process.
    async fn shared(url: &str) -> Server {
        static UPSTREAM: OnceLock<Upstream> = OnceLock::new();
        let upstream = UPSTREAM.get_or_init(|| Upstream::at(url)).clone();
        Server::Shared(Box::new(upstream.clone()), Faults::with(upstream).await)
    }

    /// Connections to DynamoDB and SQS.
    pub(crate) fn upstream(&self) -> Upstream {
        match self {
            Server::Embedded(_, endpoint) => Upstream::at(endpoint.url()),
            Server::Shared(upstream, _) => Upstream::clone(upstream),
        }
    }

    /// The shortest way to both.
    pub(crate) fn access(&self) -> Access {
        match self {
            Server::Embedded(stack, _) => stack.access(),
            Server::Shared(_, proxy) => Access::local(proxy.url(), proxy.url()),
        }
    }
}

/// True on the emulator inside this process. On any other server it says that this test is skipped, and why.
pub fn only_embedded(test: &str, why: &str) -> bool {
    let is_embedded =
        variable(ENDPOINT).is_none() && variable(STACK).is_none_or(|stack| stack == EMBEDDED);
    if !is_embedded {
        tell(&format!("SKIPPED {test}: {why}"));
    }
    is_embedded
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Past the capture of test output; with standard error gone there is nobody to tell.
fn tell(what: &str) {
    let _ = writeln!(std::io::stderr(), "arena-tests: {what}");
}

#[cfg(feature = "localstack")]
async fn localstack() -> (String, String) {
    super::localstack::localstack("dynamodb,sqs").await
}

#[cfg(not(feature = "localstack"))]
async fn localstack() -> (String, String) {
    panic!(
        "ARENA_TEST_STACK=localstack needs the feature: \
         cargo test -p arena-tests --features localstack"
    )
}
