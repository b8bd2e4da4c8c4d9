//! Documents for agents. Each but the frames of the socket contains the address of the arena.

use arena_lambda::{Context, Keep, Refusal, Reply, STATUSES, cached, ok, varied_by_site, written};
use arena_wire::document::{self, Site};
use arena_wire::{Code, CodeView, Media};
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

/// `GET /DUEL.md`.
pub(crate) fn duel(request: &Request) -> Reply {
    cached(request, written(Media::Markdown.content_type(), document::duel()), KEEP)
}

/// `GET /problems/{code}`.
pub(crate) fn problem(request: &Request, code: &str) -> Reply {
    match CodeView::find(code, STATUSES.of) {
        Some(view) => cached(request, ok(&view), KEEP),
        None => Err(Refusal::plain(Code::NotFound, "there is no such code")),
    }
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
