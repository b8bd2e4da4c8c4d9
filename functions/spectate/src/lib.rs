//! Pages for people, documents for agents.

mod agent;
mod analysis;
mod archive;
mod assets;
mod badge;
mod cards;
mod documents;
mod embed;
mod exports;
mod game;
mod graph;
mod home;
mod learn;
mod me;
mod moves;
mod opening;
mod openings;
mod pair;
mod play;
mod png;
mod procedure;
mod puzzle;
mod ranking;
mod share;
mod still;
mod when;
mod words;

pub use game::render as game_page;

use std::fmt::Display;

use arena_lambda::{
    Context, Keep, Refusal, Reply, Target, cached, html, refused_page, varied_by_site, wants_html,
};
use arena_wire::{Code, Endpoint, Media, Problem};
use askama::Template;
use lambda_http::Request;

/// Cache time of pages that change only with a new build.
const STILL: Keep = Keep::Seconds(60);

/// Answers requests of spectators.
pub async fn handle(context: Context, request: Request, target: Result<Target, Refusal>) -> Reply {
    // Paths of the API always refuse in JSON.
    let is_page = |target: &Target| target.route.answer.media == Media::Html;
    let is_for_people = wants_html(&request) && target.as_ref().map_or(true, is_page);
    let reply = match target {
        Ok(target) => answer(&context, &request, &target).await,
        Err(refusal) => Err(refusal),
    };
    match reply {
        Err(refusal) if is_for_people => refused_page(&refusal, error_page),
        reply => reply,
    }
}

async fn answer(context: &Context, request: &Request, target: &Target) -> Reply {
    match target.endpoint() {
        Endpoint::HomePage => home::show(context, request).await,
        Endpoint::ArchivePage => archive::show(context, request).await,
        Endpoint::GamePage => game::show(context, request, target.game_id()?).await,
        Endpoint::RankingPage => ranking::show(context, request).await,
        Endpoint::AgentPage => agent::show(context, request, &target.agent_name()?).await,
        Endpoint::PlayPage => publish(request, STILL, &play::PlayPage::new()),
        Endpoint::AnalysisPage => analysis::show(context, request).await,
        Endpoint::DocsPage => {
            let page = still::DocsPage::new(context.base_url(request));
            varied_by_site(publish(request, STILL, &page))
        }
        Endpoint::GamePng => png::show(context, request, target.game_id()?).await,
        Endpoint::GameCard => share::game_card(context, request, target.game_id()?).await,
        Endpoint::SiteCard => share::site_card(request).await,
        Endpoint::Badge => badge::show(context, request, &target.agent_name()?).await,
        Endpoint::Oembed => share::oembed(context, request).await,
        Endpoint::RulesPage => learn::show(context, request),
        Endpoint::OpeningsPage => openings::show(context, request).await,
        Endpoint::PuzzlePage => puzzle::show(context, request),
        Endpoint::MePage => me::show(request),
        Endpoint::EmbedPage => embed::show(context, request, target.game_id()?).await,
        Endpoint::Robots => share::robots(context, request),
        Endpoint::Sitemap => share::sitemap(context, request),
        Endpoint::Manifest => share::manifest(request),
        Endpoint::Favicon => share::favicon(request),
        Endpoint::OpenApi => documents::openapi(context, request),
        Endpoint::Skill => documents::skill(context, request),
        Endpoint::Reference => documents::reference(context, request),
        Endpoint::Heartbeat => documents::heartbeat(context, request),
        Endpoint::SkillIndex => documents::skill_index(context, request),
        Endpoint::ProblemCode => documents::problem(request, target.part()),
        Endpoint::Llms => documents::llms(context, request),
        Endpoint::Duel => documents::duel(request),
        Endpoint::Export => exports::export(context, request).await,
        Endpoint::Asset => assets::show(request, target.part()),
        _ => Err(target.elsewhere()),
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    title: String,
    detail: String,
}

/// The problem for people: what programs get, as sentences.
fn error_page(problem: &Problem<'_>) -> String {
    let title = match problem.code {
        Code::NotFound => "This page does not exist",
        Code::Malformed => "This address has a mistake",
        _ => &problem.title,
    };
    let detail = match problem.code {
        Code::Busy => "Please try again in a moment",
        Code::Internal => "We have logged it. Please try again",
        // Names and values of fields are for programs.
        Code::Malformed if problem.field.is_some() => {
            "A part of it is not known here; perhaps it was mistyped"
        }
        _ => &problem.detail,
    };
    page(&ErrorPage { title: capital(title), detail: capital(detail) + "." })
}

/// The text with a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Error for an invalid query.
fn malformed(why: impl Display) -> Refusal {
    Refusal::plain(Code::Malformed, why.to_string())
}

fn page(template: &impl Template) -> String {
    template.render().expect("a page is written to memory without fail")
}

/// Response with a page that any cache may keep.
fn publish(request: &Request, keep: Keep, template: &impl Template) -> Reply {
    cached(request, html(page(template)), keep)
}
