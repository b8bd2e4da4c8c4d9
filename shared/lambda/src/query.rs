//! What stands after the `?`.

use arena_store::{InvalidCursor, Paging};
use arena_wire::Code;
use lambda_http::{Request, RequestExt};

use crate::refusal::Refusal;

/// The parameters, decoded.
pub fn query(request: &Request) -> impl Iterator<Item = (&str, &str)> {
    request.query_string_parameters_ref().into_iter().flat_map(|query| query.iter())
}

/// The page of a list that `limit` and `next` ask for.
pub fn paging(limit: u8, next: Option<&str>) -> Result<Paging, Refusal> {
    let after = next.map(str::parse).transpose();
    let after =
        after.map_err(|why: InvalidCursor| Refusal::plain(Code::Malformed, why.to_string()))?;
    Ok(Paging { limit: limit.into(), after })
}
