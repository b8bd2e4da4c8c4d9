//! Documents for agents. Each contains the address of the arena.

use arena_lambda::{Context, Keep, Reply, STATUSES, cached, ok, varied_by_site, written};
use arena_wire::Media;
use arena_wire::document::{self, Site};
use lambda_http::Request;

/// Documents change only with a deployment.
const KEEP: Keep = Keep::Seconds(300);

/// `GET /openapi.json`.
pub(crate) fn openapi(context: &Context, request: &Request) -> Reply {
    with_site(context, request, |site| ok(&document::openapi(site)))
}

/// `GET /SKILL.md`.
pub(crate) fn skill(context: &Context, request: &Request) -> Reply {
    page(context, request, Media::Markdown, document::skill)
}

/// `GET /REFERENCE.md`.
pub(crate) fn reference(context: &Context, request: &Request) -> Reply {
    page(context, request, Media::Markdown, document::reference)
}

/// `GET /HEARTBEAT.md`.
pub(crate) fn heartbeat(context: &Context, request: &Request) -> Reply {
    page(context, request, Media::Markdown, document::heartbeat)
}

/// `GET /skill.json`.
pub(crate) fn skill_index(context: &Context, request: &Request) -> Reply {
    with_site(context, request, |site| ok(&document::skill_index(site)))
}

/// `GET /llms.txt`.
pub(crate) fn llms(context: &Context, request: &Request) -> Reply {
    page(context, request, Media::Text, document::llms)
}

fn page(
    context: &Context,
    request: &Request,
    media: Media,
    write: fn(&Site<'_>) -> String,
) -> Reply {
    with_site(context, request, |site| written(media.content_type(), write(site)))
}

fn with_site(
    context: &Context,
    request: &Request,
    write: impl FnOnce(&Site<'_>) -> Reply,
) -> Reply {
    let base = context.base_url(request);
    let version = env!("CARGO_PKG_VERSION");
    let reply = write(&Site { base: &base, version, statuses: STATUSES });
    varied_by_site(cached(request, reply, KEEP))
}
