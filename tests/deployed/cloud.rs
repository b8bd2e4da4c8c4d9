//! Place of the deployed template: a ministack of our own, a container, or a server that runs already.

use std::env;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use arena_support::eventually;

/// Account that deploys. The functions have no more than their roles.
pub(crate) const OWNER: &str = "local";
pub(crate) const REGION: &str = "us-east-1";

/// A LocalStack-compatible server, and a place for files that is removed in the end.
pub(crate) struct Cloud {
    url: String,
    what: String,
    home: PathBuf,
    tools: PathBuf,
    server: Option<Child>,
}

impl Cloud {
    /// As the environment says; `None`, loudly, where there are no tools.
    pub(crate) async fn start() -> Option<Cloud> {
        let tools = tools()?;
        let home = env::temp_dir().join(format!("arena-deployed-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        if let Some(url) = variable("ARENA_TEST_ENDPOINT") {
            return Some(Cloud {
                what: format!("the server at {url}"),
                url,
                home,
                tools,
                server: None,
            });
        }
        match variable("ARENA_TEST_STACK").as_deref() {
            None | Some("ministack") => Some(Cloud::ministack(home, tools).await),
            Some("localstack") => {
                let (url, image) = localstack().await;
                Some(Cloud {
                    what: format!("the container {image}"),
                    url,
                    home,
                    tools,
                    server: None,
                })
            }
            Some(other) => panic!("ARENA_TEST_STACK is {other:?}; known are ministack, localstack"),
        }
    }

    /// With `AUTH`, what a function's role does not allow is refused.
    async fn ministack(home: PathBuf, tools: PathBuf) -> Cloud {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("http://127.0.0.1:{port}");
        let log = fs::File::create(home.join("ministack.log")).unwrap();
        let server = Command::new(tools.join("bin/ministack"))
            .env("AUTH", "true")
            // The quota of a new account.
            .env("LAMBDA_ACCOUNT_CONCURRENCY", "10")
            .env("BIND_HOST", "127.0.0.1")
            .env("GATEWAY_PORT", port.to_string())
            .env("AWS_ENDPOINT_URL", &url)
            .env("AWS_ACCESS_KEY_ID", OWNER)
            .env("AWS_SECRET_ACCESS_KEY", OWNER)
            .env("IOT_MTLS_ENABLED", "0")
            .env("SFTP_ENABLED", "0")
            .env("TMPDIR", &home)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let what = "ministack".to_owned();
        let cloud = Cloud { url, what, home, tools, server: Some(server) };
        let listens = || async { TcpStream::connect(("127.0.0.1", port)).ok() };
        eventually("ministack listens", 60, listens).await;
        cloud
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// True for a ministack that this test has started.
    pub(crate) fn is_ours(&self) -> bool {
        self.server.is_some()
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// A command that finds our tools and the server, as its owner.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let path = env::join_paths(
            std::iter::once(self.tools.join("bin"))
                .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
        );
        let mut command = Command::new(program);
        command
            .env("PATH", path.unwrap())
            .env("AWS_ENDPOINT_URL", &self.url)
            .env("AWS_ACCESS_KEY_ID", OWNER)
            .env("AWS_SECRET_ACCESS_KEY", OWNER)
            .env("AWS_REGION", REGION)
            .env("AWS_DEFAULT_REGION", REGION)
            .env("AWS_PAGER", "")
            .stdin(Stdio::null());
        command
    }
}

impl Drop for Cloud {
    /// Asked first, so that it takes its functions with it.
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = Command::new("kill").arg(server.id().to_string()).status();
            let ended = |server: &mut Child| matches!(server.try_wait(), Ok(Some(_)));
            for _ in 0..50 {
                if ended(server) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            let _ = server.kill();
            let _ = server.wait();
        }
        if std::thread::panicking() {
            eprintln!("what was said is in {}", self.home.display());
        } else {
            let _ = fs::remove_dir_all(&self.home);
        }
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The tools of `infra/requirements.txt`, installed on first use.
fn tools() -> Option<PathBuf> {
    let output = Command::new(root().join("infra/tools")).output().unwrap();
    if output.status.success() {
        return Some(String::from_utf8(output.stdout).unwrap().trim().into());
    }
    eprintln!(
        "\n!!! SKIPPED deployed template: infra/tools could not install the tools:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    None
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(feature = "localstack")]
async fn localstack() -> (String, String) {
    arena_support::localstack(
        "apigateway,apigatewayv2,cloudformation,cloudwatch,dynamodb,iam,lambda,logs,s3,scheduler,sns,sqs,ssm,sts",
    )
    .await
}

#[cfg(not(feature = "localstack"))]
async fn localstack() -> (String, String) {
    panic!("ARENA_TEST_STACK=localstack needs the feature: --features deployed,localstack")
}
