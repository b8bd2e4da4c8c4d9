//! Request bodies: bounded in bytes and in time, and kept in one piece.

use std::time::Duration;

use arena_lambda::{BODY_MAX, Refusal, too_large};
use arena_wire::Code;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::timeout;

/// A body that is too large is read up to here and discarded. Closing a connection with unread data
/// can destroy the reply that says why.
const DISCARDED_MAX: usize = 64 * 1024;

/// The body, if it is small enough and arrives in time.
pub(crate) async fn read(body: Incoming, within: Duration) -> Result<Vec<u8>, Refusal> {
    let late = |_| malformed(format!("the body did not arrive within {within:?}"));
    timeout(within, collect(body)).await.map_err(late)?
}

async fn collect(mut body: Incoming) -> Result<Vec<u8>, Refusal> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > DISCARDED_MAX {
        return Err(too_large(announced));
    }
    let mut bytes = Vec::with_capacity(announced.min(BODY_MAX));
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| malformed("the body broke off or is badly framed"))?;
        // Trailers are not used.
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length > DISCARDED_MAX {
            break;
        }
        // Copied, because a frame keeps alive the whole buffer it was read into.
        if length <= BODY_MAX {
            bytes.extend_from_slice(&data);
        }
    }
    if length > BODY_MAX { Err(too_large(length)) } else { Ok(bytes) }
}

fn malformed(detail: impl Into<String>) -> Refusal {
    Refusal::plain(Code::Malformed, detail)
}
