//! Authentication: `Authorization: Bearer <api_key>`.

use arena_protocol::Caller;
use arena_store::now;
use arena_wire::Code;
use lambda_http::Request;
use lambda_http::http::{HeaderMap, header};

use crate::context::Context;
use crate::key::ApiKey;
use crate::refusal::Refusal;

impl Context {
    /// The caller of a request that must have a key.
    pub fn caller(&self, request: &Request) -> Result<Caller, Refusal> {
        self.holder(&required_key(request)?)
    }

    /// The caller of a request, if it has a key.
    pub fn caller_if_any(&self, request: &Request) -> Result<Option<Caller>, Refusal> {
        bearer(request)?.map(|key| self.holder(&key)).transpose()
    }

    /// The holder of a key, unless it exceeds its rate. Each key has its own bucket, so others
    /// cannot use up its agent's requests.
    pub fn holder(&self, key: &ApiKey) -> Result<Caller, Refusal> {
        let caller = Caller { name: key.name().clone(), key: key.hash() };
        let admitted = self.limiter().admit(caller.key, now());
        self.notes.requests_left.get_or_init(|| admitted.unwrap_or(0));
        match admitted {
            Ok(_) => Ok(caller),
            Err(wait) => {
                let detail = format!("{} asks too often", caller.name);
                Err(Refusal::Later(Code::RateLimited, detail, wait))
            }
        }
    }
}

/// The key of a request, if it has one.
pub fn bearer(request: &Request) -> Result<Option<ApiKey>, Refusal> {
    key_of(request.headers())
}

/// The key of a request that must have one.
pub fn required_key(request: &Request) -> Result<ApiKey, Refusal> {
    bearer(request)?.ok_or_else(Refusal::unauthenticated)
}

/// True if the request has something like a key, which is not looked up.
pub fn has_key(headers: &HeaderMap) -> bool {
    key_of(headers).is_ok_and(|key| key.is_some())
}

fn key_of(headers: &HeaderMap) -> Result<Option<ApiKey>, Refusal> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| Refusal::unauthenticated())?;
    let (scheme, token) = text.split_once(' ').ok_or_else(Refusal::unauthenticated)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Refusal::unauthenticated());
    }
    ApiKey::parse(token.trim()).map(Some).ok_or_else(Refusal::unauthenticated)
}
