//! Every JSON shape of the arena, and the one table of its routes.
//!
//! This is the only crate that knows JSON. Domain types are not `Serialize`: each has a view here,
//! built from it, and each request is read into the domain's own types. Nothing here performs I/O,
//! reads a clock or knows a status code; times and statuses arrive as arguments.

mod action;
mod agent;
pub mod document;
pub mod duel;
mod explanation;
mod fields;
pub mod file;
mod game;
mod history;
pub mod line;
mod listing;
mod log_lines;
mod opponent;
mod point;
mod problem;
mod query;
mod reading;
mod request;
mod route;
mod rules;
mod schema;
mod share;
mod text;
mod time;
mod value;
mod word;

pub use action::{ActionView, RequiredAction};
pub use agent::{AgentView, KeyView, MeView, QueueView, RatingView, RegisteredView, StatusName};
pub use explanation::{ExplanationView, FourView, RowView, StraightFourView, ThreeView};
pub use fields::Malformed;
pub use game::{
    Detail, GameStatus, GameView, OpeningView, PairsView, PhaseName, PlayerView, PlayersView,
    ResultView, SeatView,
};
pub use history::{MoveKind, MoveView};
pub use listing::{GameRow, GamesView, HealthView, LeaderboardRow, LeaderboardView};
pub use log_lines::{
    FaultLine, METRICS_NAMESPACE, MessageLine, Noted, NoticeLine, Origin, RequestLine,
};
pub use opponent::OpponentView;
pub use point::{BoardView, ForbiddenView, PointRequest, PointView};
pub use problem::{Code, CodeView, Problem, reason_of};
pub use query::{
    AgentGamesQuery, ArchiveQuery, DecisionQuery, EXPORT_LIMIT_MAX, ExportQuery, Format, GameQuery,
    GamesQuery, LIMIT_DEFAULT, LIMIT_MAX, LeaderboardQuery, PictureQuery, QueueQuery, THEMES,
    TextQuery, rows,
};
pub use reading::{parse, parse_query};
pub use request::{
    Body, Choice, DeclareRequest, DescribeRequest, JoinRequest, LeaveRequest, MoveRequest,
    OfferRequest, PlainRequest, RegisterRequest, ResignRequest, RulesCheckRequest, Submit,
    SwapRequest, idempotency_key, is_secret,
};
pub use route::{
    Answer, Auth, BodySpec, Endpoint, Found, Function, Media, Method, Parameter, Route, routes,
};
pub use rules::{IllegalView, OutcomeView, PointVerdict, RulesView};
pub use share::{BadgeQuery, OembedQuery, OembedView};
pub use text::board_text;
pub use time::TimeView;
pub use value::{Key, Line, Name, Next, RulesetId, Whole};
pub use word::{Spelled, Word};

/// A view as JSON.
pub fn json(view: &impl serde::Serialize) -> Vec<u8> {
    // Most games take no more, so that nothing is moved while it is written.
    let mut bytes = Vec::with_capacity(12 * 1024);
    serde_json::to_writer(&mut bytes, view).expect("views are written to memory without fail");
    bytes
}
