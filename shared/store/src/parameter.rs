//! Secrets of a deployment, in Parameter Store.

use crate::{Access, Fault, fault};

/// Reads a secret. One call, for the start of a function that needs it.
pub async fn parameter(access: &Access, name: &str) -> Result<String, Fault> {
    let reply = access.ssm().get_parameter().name(name).with_decryption(true).send().await;
    let reply = reply.map_err(|error| fault::service("read a parameter", error))?;
    Ok(reply.parameter.and_then(|parameter| parameter.value).unwrap_or_default())
}
