//! Frames to the clients of a WebSocket API, through API Gateway's management API.
//!
//! It stores nothing, but it shares credentials, TLS stack, timeouts, retries and faults with the
//! store.

use std::fmt;

use aws_sdk_apigatewaymanagement::Client;
use aws_sdk_apigatewaymanagement::config::Builder;
use aws_sdk_apigatewaymanagement::error::SdkError;
use aws_sdk_apigatewaymanagement::primitives::Blob;

use crate::{Access, Fault, fault};

/// One client's socket, as the gateway names it in every event.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Socket {
    /// The host the client connected to.
    pub domain: String,
    pub api: String,
    pub stage: String,
    pub connection: String,
}

/// Sends frames to sockets that a gateway holds open. Cheap to clone; clones share connections.
#[derive(Clone)]
pub struct Sockets {
    client: Client,
    /// Endpoint of an emulator for all APIs; `None` means the API's own host.
    emulator: Option<String>,
}

impl Sockets {
    /// Does no I/O.
    pub fn new(access: &Access) -> Sockets {
        Sockets { client: access.sockets(), emulator: access.sockets.clone() }
    }

    /// Sends a text; `false` if the client has gone, which is not a fault.
    pub async fn send(&self, socket: &Socket, text: String) -> Result<bool, Fault> {
        let sent = self
            .client
            .post_to_connection()
            .connection_id(&socket.connection)
            .data(Blob::new(text))
            .customize()
            .config_override(Builder::new().endpoint_url(self.endpoint(socket)))
            .send()
            .await;
        match sent {
            Ok(_) => Ok(true),
            Err(SdkError::ServiceError(refused)) if refused.err().is_gone_exception() => Ok(false),
            Err(error) => Err(fault::service("send a frame", error)),
        }
    }

    /// The host the client connected to serves the management API; emulators have a path for each
    /// API.
    fn endpoint(&self, socket: &Socket) -> String {
        let Socket { domain, api, stage, .. } = socket;
        match &self.emulator {
            Some(base) => format!("{base}/_aws/execute-api/{api}/{stage}"),
            None => format!("https://{domain}/{stage}"),
        }
    }
}

impl fmt::Debug for Sockets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sockets").field("emulator", &self.emulator).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_go_to_the_host_of_the_socket_or_to_the_emulator() {
        let socket = Socket {
            domain: "a1b2.execute-api.eu-central-1.amazonaws.com".to_owned(),
            api: "a1b2".to_owned(),
            stage: "live".to_owned(),
            connection: "L0SM9cOFvHcCIhw=".to_owned(),
        };
        let mut access = Access::local("http://127.0.0.1:1", "http://127.0.0.1:1");
        let own = Sockets::new(&access).endpoint(&socket);
        assert_eq!(own, "https://a1b2.execute-api.eu-central-1.amazonaws.com/live");
        access.sockets = Some("http://127.0.0.1:4566".to_owned());
        let emulated = Sockets::new(&access).endpoint(&socket);
        assert_eq!(emulated, "http://127.0.0.1:4566/_aws/execute-api/a1b2/live");
    }
}
