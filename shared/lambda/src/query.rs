//! Query strings and paging.

use arena_store::{InvalidCursor, Paging};
use arena_wire::{Code, Whole, parse_query, rows};
use lambda_http::{Request, RequestExt};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// Reads the parameters, as strictly as a body.
pub fn query<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    query_of(request, |_| true)
}

/// Reads the parameters with these names and leaves the others alone.
pub fn query_of<T: DeserializeOwned>(
    request: &Request,
    is_known: impl Fn(&str) -> bool,
) -> Result<T, Refusal> {
    let pairs = request.query_string_parameters_ref().into_iter().flat_map(|query| query.iter());
    Ok(parse_query(pairs.filter(|(name, _)| is_known(name)))?)
}

/// The page of a list that `limit` and `next` ask for.
pub fn paging<const MAX: u32>(
    limit: Option<Whole<1, MAX>>,
    next: Option<&str>,
) -> Result<Paging, Refusal> {
    let after = next.map(str::parse).transpose();
    let after =
        after.map_err(|why: InvalidCursor| Refusal::plain(Code::Malformed, why.to_string()))?;
    Ok(Paging { limit: rows(limit), after })
}
