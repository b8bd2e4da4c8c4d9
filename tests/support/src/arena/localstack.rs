//! One LocalStack container for all tests of this process.

use std::io::Write;
use std::process::{Command, Stdio};

use testcontainers::core::wait::HttpWaitStrategy;
use testcontainers::core::{ContainerPort, Mount, WaitFor};
use testcontainers::runners::AsyncRunner;
use testcontainers::{ContainerAsync, GenericImage, ImageExt};
use tokio::sync::OnceCell;

/// Tags after 4.14 do not start without a token.
const IMAGE: &str = "localstack/localstack";
const TAG: &str = "4.4.0";
const PORT: u16 = 4_566;
const DOCKER: &str = "/var/run/docker.sock";

struct Running {
    url: String,
    image: String,
    _container: ContainerAsync<GenericImage>,
}

static RUNNING: OnceCell<Running> = OnceCell::const_new();

/// Its address and image; the first to ask starts it, with these services.
pub async fn localstack(services: &str) -> (String, String) {
    let running = RUNNING.get_or_init(|| start(services)).await;
    (running.url.clone(), running.image.clone())
}

async fn start(services: &str) -> Running {
    let variable = |name, default: &str| std::env::var(name).unwrap_or(default.to_owned());
    let image = variable("ARENA_LOCALSTACK_IMAGE", IMAGE);
    let tag = variable("ARENA_LOCALSTACK_TAG", TAG);
    let healthy = HttpWaitStrategy::new("/_localstack/health")
        .with_port(ContainerPort::Tcp(PORT))
        .with_expected_status_code(200_u16);
    let name = format!("{image}:{tag}");
    let mut request = GenericImage::new(image, tag)
        .with_exposed_port(ContainerPort::Tcp(PORT))
        .with_wait_for(WaitFor::http(healthy))
        .with_env_var("SERVICES", services);
    if services.contains("lambda") {
        // It runs each function in a container of its own.
        request = request.with_mount(Mount::bind_mount(DOCKER, DOCKER));
    }
    let started = request.start().await;
    let container = started.unwrap_or_else(|error| {
        panic!(
            "ARENA_TEST_STACK=localstack: the container {name} did not start: {error}\n\
             It needs a running Docker daemon that has or can pull this image; \
             ARENA_LOCALSTACK_IMAGE and ARENA_LOCALSTACK_TAG name another one, \
             ARENA_TEST_ENDPOINT=http://… a server that runs already."
        )
    });
    let port = container.get_host_port_ipv4(PORT).await.expect("the port is published");
    remove_when_we_end(container.id());
    Running { url: format!("http://127.0.0.1:{port}"), image: name, _container: container }
}

/// Statics are never dropped, so a small watcher outlives this process and removes the container.
fn remove_when_we_end(id: &str) {
    let us = std::process::id();
    let script = format!("while kill -0 {us}; do sleep 1; done; docker rm -f {id}");
    let watcher = Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if watcher.is_err() {
        let _ = writeln!(std::io::stderr(), "arena-tests: remove container {id} by hand");
    }
}
