//! The DynamoDB and SQS under a test.

use std::io::Write;
use std::sync::Once;

use arena_local::{Endpoint, Stack};
use arena_store::Access;

/// Place of a test's tables and queues.
#[derive(Debug)]
pub enum Server {
    /// In this process, for this test alone.
    Embedded(Stack, Endpoint),
    /// At an address, shared by all tests.
    Shared(String),
}

impl Server {
    /// As the environment says. Tells once which one it is.
    pub async fn open() -> Server {
        let (server, what) = Server::choose().await;
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            // Past the capture of test output; with standard error gone there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "arena-tests: DynamoDB and SQS {what}");
        });
        server
    }

    async fn choose() -> (Server, String) {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        if let Some(url) = variable("ARENA_TEST_ENDPOINT") {
            let what = format!("at {url} (ARENA_TEST_ENDPOINT)");
            return (Server::Shared(url), what);
        }
        match variable("ARENA_TEST_STACK").as_deref() {
            None | Some("embedded") => {
                let stack = Stack::memory().expect("an embedded stack starts");
                let endpoint = stack.listen().await.expect("a loopback port is free");
                (Server::Embedded(stack, endpoint), "inside this process".to_owned())
            }
            Some("localstack") => {
                let (url, image) = localstack().await;
                let what = format!("at {url} (LocalStack container {image})");
                (Server::Shared(url), what)
            }
            Some(other) => panic!("ARENA_TEST_STACK is {other:?}; known are embedded, localstack"),
        }
    }

    /// Address of DynamoDB and SQS.
    pub fn url(&self) -> &str {
        match self {
            Server::Embedded(_, endpoint) => endpoint.url(),
            Server::Shared(url) => url,
        }
    }

    /// The shortest way to both.
    pub fn access(&self) -> Access {
        match self {
            Server::Embedded(stack, _) => stack.access(),
            Server::Shared(url) => Access::local(url, url),
        }
    }
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
