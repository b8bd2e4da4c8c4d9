//! Documents for agents. Each but the frames of the socket contains the base URL of the request.

use arena_lambda::{Keep, Reply, STATUSES, base_url, cached, ok, varied_by_site, written};
use arena_wire::Media;
use arena_wire::document::{self, Site};
use lambda_http::Request;

/// Documents change only with a deployment.
const KEEP: Keep = Keep::Seconds(300);

/// `GET /openapi.json`.
pub(crate) fn openapi(request: &Request) -> Reply {
    with_site(request, |site| ok(&document::openapi(site)))
}

/// `GET /SKILL.md`.
pub(crate) fn skill(request: &Request) -> Reply {
    with_site(request, |site| written(Media::Markdown.content_type(), document::skill(site)))
}

/// `GET /HEARTBEAT.md`.
pub(crate) fn heartbeat(request: &Request) -> Reply {
    with_site(request, |site| written(Media::Markdown.content_type(), document::heartbeat(site)))
}

/// `GET /skill.json`.
pub(crate) fn skill_index(request: &Request) -> Reply {
    with_site(request, |site| ok(&document::skill_index(site)))
}

/// `GET /llms.txt`.
pub(crate) fn llms(request: &Request) -> Reply {
    with_site(request, |site| written(Media::Text.content_type(), document::llms(site)))
}

/// `GET /DUEL.md`.
pub(crate) fn duel(request: &Request) -> Reply {
    cached(request, written(Media::Markdown.content_type(), document::duel()), KEEP)
}

fn with_site(request: &Request, write: impl FnOnce(&Site<'_>) -> Reply) -> Reply {
    let base = base_url(request);
    let version = env!("CARGO_PKG_VERSION");
    let reply = write(&Site { base: &base, version, statuses: STATUSES });
    varied_by_site(cached(request, reply, KEEP))
}
