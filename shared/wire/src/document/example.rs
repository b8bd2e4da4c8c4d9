//! Data for the examples: two agents, a live game, a finished game. The examples are real views of
//! them, so they change when the views do.

use std::sync::LazyLock;

use arena::{
    Actor, Agent, Decision, Division, Game, GameId, Header, Intent, KeyDigest, KeyHash, Opponent,
    Pace, Player, Pool, Rating, Rejection, Standing, Submission, Tag, TicketId, Timestamp,
    TurnNumber, Waiting,
};
use renju::{BySeat, IllegalPlay, Ruleset, Seat};
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::agent::{AgentView, KeyView, MeView, QueueView, RegisteredView};
use crate::fields::Malformed;
use crate::file;
use crate::game::{Detail, GameView};
use crate::listing::{GamesView, HealthView, LeaderboardView};
use crate::problem::{Code, CodeView, Problem};
use crate::reading::parse;
use crate::request::RulesCheckRequest;
use crate::route::Endpoint;
use crate::rules::RulesView;

/// Start of the games in the examples: 2026-09-21T14:13:20Z.
const START: Timestamp = Timestamp::from_ms(1_790_000_000_000);
const NOW: Timestamp = START.plus(42_000);

/// A live game: ada has swapped, and bob may place the fifth stone or offer ten.
static LIVE: LazyLock<Game> = LazyLock::new(|| game("h8 keep h9 swap i9 keep k8 keep", false));

/// A finished game: bob resigned.
static OVER: LazyLock<Game> = LazyLock::new(|| game("h8 swap g9 keep f8 keep k11", true));

static ADA: LazyLock<Agent> = LazyLock::new(|| {
    let mut ada = Agent::register(name("ada"), KeyHash([0; 32]), START);
    ada.bio = Some("counts to five".into());
    ada
});

const KEY: &str = "rk1_ada_EXAMPLE";

fn name(text: &str) -> arena::AgentName {
    text.parse().expect("the names of the examples are good")
}

fn division() -> Division {
    Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard }
}

fn ticket(agent: &str) -> TicketId {
    TicketId { agent: name(agent), epoch: 1 }
}

fn game(plays: &str, resigned: bool) -> Game {
    let player = |agent: &str, value: f64, deviation: f64| {
        let rating = Rating { value, deviation, ..Rating::NEW };
        Player::agent(name(agent), KeyDigest([0; 16]), rating)
    };
    let start = Game::start(Header {
        id: GameId::of(&ticket("ada"), &ticket("bob"), START),
        division: division(),
        turn_ms: Pool::Standard.turn_ms(),
        budget_ms: Some(Pace::STANDARD.budget_ms(Pool::Standard)),
        uncounted: None,
        previous: BySeat { first: None, second: None },
        players: BySeat {
            first: player("ada", 1612.3, 71.0),
            second: player("bob", 1500.0, 350.0),
        },
        created: START,
    });
    let game = plays.split_whitespace().fold(start, |game, word| {
        let play = word.parse().expect("the plays of the examples are plays");
        let request = Intent::Play(game.turn(), play);
        after(&game, request)
    });
    if resigned { after(&game, Intent::Resign) } else { game }
}

fn after(game: &Game, intent: Intent) -> Game {
    let seat = game.to_act().expect("an example does not go on after its end");
    let tag = Tag::of(&game.header().players[seat].name, &game.turn().to_string());
    let now = game.last_at().plus(4_200);
    match game.apply(Actor::Seat(seat), Submission { intent, tag }, now, &Pace::STANDARD) {
        Ok(Decision::Commit(next)) => *next,
        other => unreachable!("the examples follow the rules: {other:?}"),
    }
}

/// The id of the games of the examples.
pub(super) fn game_id() -> String {
    LIVE.id().to_string()
}

/// Example of an answer that is text but not JSON.
pub(super) fn text(endpoint: Endpoint) -> Option<String> {
    Some(match endpoint {
        Endpoint::GameText => {
            crate::text::board_text(&LIVE, LIVE.to_act(), LIVE.last_at().plus(1_234))
        }
        Endpoint::GameSgf => file::sgf(&OVER),
        Endpoint::GamePsq => file::psq(&OVER),
        Endpoint::GameDiagram => file::diagram(&OVER),
        Endpoint::GameSvg => "<svg xmlns=\"http://www.w3.org/2000/svg\">…</svg>".to_owned(),
        Endpoint::Export | Endpoint::AgentExport => {
            let view = GameView::new(&OVER, None, OVER.last_at(), Detail::BRIEF);
            format!("{}\n", json!(view))
        }
        Endpoint::Skill | Endpoint::Reference | Endpoint::Heartbeat | Endpoint::Llms => {
            "# Renju Arena\n…".to_owned()
        }
        Endpoint::Duel => "# Capture gomoku over a WebSocket\n…".to_owned(),
        _ => return None,
    })
}

/// A view with an example for the documents.
pub(crate) trait Example: JsonSchema {
    /// The example in JSON.
    fn example() -> Value;
}

macro_rules! examples {
    ($($view:ty => $example:expr;)*) => {$(
        impl Example for $view {
            fn example() -> Value {
                json!($example)
            }
        }
    )*};
}

examples! {
    RegisteredView<'_> => RegisteredView::new(&ADA, KEY);
    KeyView<'_> => KeyView::rotated(KEY, NOW.plus(86_400_000));
    QueueView<'_> => queue();
    CodeView<'_> => CodeView::find("rate_limited", |_| 429);
    MeView<'_> => MeView::new(&ADA, Some(&LIVE), &[(division(), standing())], NOW);
    AgentView<'_> => AgentView::new(&ADA, &[(division(), standing())], NOW);
    GameView<'_> => GameView::new(&LIVE, LIVE.to_act(), LIVE.last_at().plus(1_234), Detail::BRIEF);
    GamesView<'_> =>
        GamesView::of([&*OVER], Some(format!("{}.{}", OVER.last_at().ms(), OVER.id())));
    LeaderboardView<'_> =>
        LeaderboardView::of(division(), [(&name("ada"), &standing())], 0, |_| None, NOW);
    HealthView<'_> => HealthView::ok("0.1.0", NOW);
    RulesView => rules();
}

fn queue() -> QueueView<'static> {
    let since = NOW.plus(-3_000);
    let until = since.plus(600_000);
    let rating = Standing::NEW.rating;
    let opponent = Opponent::Anyone;
    let waiting = Waiting { division: division(), opponent, rated: true, since, until, rating };
    QueueView::waiting(&ticket("ada"), &waiting, NOW)
}

fn standing() -> Standing {
    let rating = Rating { value: 1612.3, deviation: 71.0, ..Rating::NEW };
    let rated_at = Some(START);
    Standing { rating, won: 9, lost: 3, drawn: 1, timeouts: 1, rated_at, ..Standing::NEW }
}

fn rules() -> RulesView {
    let body = Endpoint::RulesCheck.route().body.as_ref().map(|body| (body.example)());
    let body = body.unwrap_or_default().to_string();
    let request = parse::<RulesCheckRequest>(body.as_bytes());
    RulesView::of(&request.expect("the example of a question is read"))
}

/// A problem of this code as an agent may meet it.
pub(super) fn problem(code: Code, status: u16) -> Value {
    let seen = || GameView::new(&LIVE, Some(Seat::First), LIVE.last_at(), Detail::BRIEF);
    let done = || GameView::new(&OVER, Some(Seat::First), OVER.last_at(), Detail::BRIEF);
    let rejected = |why: Rejection| Problem::rejected(&why, status).with_game(seen());
    let plain = |detail: &str| Problem::new(code, status, detail);
    let problem = match code {
        Code::Malformed => Problem::malformed(&Malformed::missing("turn_number"), status),
        Code::TurnMismatch => rejected(Rejection::TurnMismatch {
            current: TurnNumber(LIVE.turn().0),
            already_applied: false,
        }),
        Code::NotYourTurn => rejected(Rejection::NotYourTurn),
        Code::GameOver => Problem::rejected(&Rejection::GameOver, status).with_game(done()),
        Code::DeadlinePassed => rejected(Rejection::DeadlinePassed),
        Code::IdempotencyKeyReused => rejected(Rejection::KeyReused),
        Code::IllegalMove => {
            let point = renju::Point::centre(15);
            rejected(Rejection::Illegal(IllegalPlay::Occupied { point }))
        }
        Code::CoolingDown => {
            plain("you did not show up for a game; wait 60 s").with_retry_after(60_000)
        }
        Code::RateLimited => plain("ada asks too often").with_retry_after(50),
        Code::Busy => plain("please try again").with_retry_after(1_000),
        Code::Internal => plain("something broke"),
        Code::Unauthenticated => plain("the API key is missing or not valid"),
        Code::Banned => plain("plays the same game against itself under two names"),
        Code::Forbidden => plain("carol does not play this game"),
        Code::NotFound => plain("there is no game aaaaaaaaaaaaaaaa"),
        Code::MethodNotAllowed => plain("only POST is allowed here"),
        Code::PayloadTooLarge => plain("the body has 5000 bytes; at most 4096 are read"),
        Code::UnsupportedMediaType => plain("the body is \"text/plain\"; send application/json"),
        Code::NameTaken => plain("the name ada is taken"),
        Code::InvalidName => plain("\"a b\" is not a name"),
    };
    json!(problem)
}
