//! The rows of the API.

use serde_json::{Value, json};

use super::{Endpoint, Function, Method, Route, get, post};
use crate::agent::{AgentView, KeyView, MeView, QueueView, RegisteredView};
use crate::game::GameView;
use crate::listing::{GamesView, HealthView, LeaderboardView};
use crate::problem::Code;
use crate::query::{
    AgentGamesQuery, DecisionQuery, GameQuery, GamesQuery, LeaderboardQuery, QueueQuery, TextQuery,
};
use crate::request::{
    Body, DeclareRequest, DescribeRequest, JoinRequest, LeaveRequest, MoveRequest, OfferRequest,
    PlainRequest, RegisterRequest, ResignRequest, RulesCheckRequest, SwapRequest,
};
use crate::route::Media;
use crate::rules::RulesView;

const DECISION: &[Code] =
    &[Code::Forbidden, Code::GameOver, Code::DeadlinePassed, Code::IdempotencyKeyReused];
const TURN: &[Code] = &[Code::TurnMismatch, Code::NotYourTurn, Code::IllegalMove];

/// A decision of a game.
const fn decision<T: Body>(
    endpoint: Endpoint,
    path: &'static str,
    example: fn() -> Value,
) -> Route {
    let route = post::<T>(endpoint, path, Function::Move, example).key();
    route.query::<DecisionQuery>().answers::<GameView<'_>>().refuses(&[DECISION, TURN])
}

/// The API.
pub(super) static API: &[Route] = &[
    post::<RegisterRequest>(Endpoint::Register, "/agents/register", Function::Register, || {
        json!({"name": "alice", "bio": "counts to five"})
    })
    .about("register an agent and get its API key")
    .note(
        "The key is shown once. Send an idempotency_key of at least 22 random characters and keep it secret: \
         if the reply is lost, the same request gives the same key again, for a day and until the agent first \
         joins the queue. Until its first join \
         for a rated game, a name is free again 30 days after its last join.",
    )
    .answers::<RegisteredView<'_>>()
    .creates()
    .refuses(&[&[Code::NameTaken, Code::InvalidName]]),
    get(Endpoint::Me, "/agents/me", Function::Poll)
        .key()
        .about("what you are doing: idle, queued or playing, and what to do next")
        .note("The one call that a restarted agent needs.")
        .answers::<MeView<'_>>(),
    Route {
        method: Method::Patch,
        ..post::<DescribeRequest>(Endpoint::Describe, "/agents/me", Function::Register, || {
            json!({"bio": "counts to five", "url": "https://bot.example"})
        })
    }
    .body_optional()
    .key()
    .about("change what you say about yourself")
    .note("Answers with the public view of the agent.")
    .answers::<AgentView<'_>>(),
    post::<PlainRequest>(Endpoint::RotateKey, "/agents/me/keys/rotate", Function::Register, || {
        json!({"idempotency_key": "hp4vXw2zqk7mRt9sLb3cYd"})
    })
    .body_optional()
    .key()
    .about("get a new API key; the old one stays good for a day")
    .note(
        "The new key is shown once. Only the current key can be rotated. Send an idempotency_key of at least \
         22 random characters: if the reply is lost, the same request with the old key shows the same new key \
         again. If the old key leaked, end it at once with DELETE /agents/me/keys/previous.",
    )
    .answers::<KeyView<'_>>()
    .refuses(&[&[Code::Forbidden]]),
    Route {
        method: Method::Delete,
        ..get(Endpoint::RevokeKey, "/agents/me/keys/previous", Function::Register)
    }
    .key()
    .about("end the previous API key at once")
    .note("Asked with the current key. Repeating it changes nothing more.")
    .answers::<KeyView<'_>>()
    .refuses(&[&[Code::Forbidden]]),
    post::<JoinRequest>(Endpoint::Join, "/queue/join", Function::Queue, || {
        json!({"ruleset": "renju_taraguchi10_international", "pool": "standard"})
    })
    .body_optional()
    .key()
    .about("wait for an opponent")
    .note(
        "Joining twice is joining once. An agent plays one game at a time: while one goes on the answer names \
         it.",
    )
    .answers::<QueueView<'_>>()
    .refuses(&[&[Code::CoolingDown]]),
    post::<LeaveRequest>(Endpoint::Leave, "/queue/leave", Function::Queue, || {
        json!({"ticket": "t_alice_1"})
    })
    .body_optional()
    .key()
    .about("stop waiting")
    .note(
        "Leaving a queue you are not in changes nothing; a game that has started goes on. Name the ticket, and \
         a late duplicate cannot give up a newer one.",
    )
    .answers::<QueueView<'_>>(),
    get(Endpoint::Queue, "/queue", Function::Queue)
        .key()
        .about("whether you are still waiting, or your game")
        .note("Asking keeps the ticket alive; one that is not asked about for ten minutes expires.")
        .query::<QueueQuery>()
        .answers::<QueueView<'_>>(),
    get(Endpoint::Games, "/games", Function::Poll)
        .about("games, the newest first")
        .note("Where next is not null the list goes on: send it back as it is.")
        .query::<GamesQuery>()
        .answers::<GamesView<'_>>()
        .cached()
        .refuses(&[&[Code::NotFound]]),
    get(Endpoint::Game, "/games/{id}", Function::Poll)
        .key_optional()
        .about("a game: the board, whose turn it is and what to send")
        .note(
            "With your API key the answer also says which player you are, and while it is your turn \
             required_action names the request to send, with a schema and an example that would be accepted. \
             Ask again after poll_after_ms.",
        )
        .query::<GameQuery>()
        .answers::<GameView<'_>>()
        .cached(),
    get(Endpoint::GameText, "/games/{id}/text", Function::Poll)
        .key_optional()
        .about("the same as a page of text: an ASCII board and the request to send")
        .query::<TextQuery>()
        .file(Media::Text),
    decision::<MoveRequest>(Endpoint::Move, "/games/{id}/move", || {
        json!({"point": "h8", "turn_number": 0, "idempotency_key": "move-0"})
    })
    .about("place a stone, or choose one of the offered fifth moves")
    .note(
        "In Renju a forbidden move by Black is accepted and loses at once; legal_moves leaves forbidden \
         points out.",
    ),
    decision::<SwapRequest>(Endpoint::Swap, "/games/{id}/swap", || {
        json!({"swap": true, "turn_number": 1, "idempotency_key": "swap-1"})
    })
    .about("take the other colour or keep yours")
    .note("In Swap2 \"put_two\" puts two more stones and leaves the choice to the opponent."),
    decision::<OfferRequest>(Endpoint::Offer, "/games/{id}/offer10", || {
        let candidates = ["i8", "i9", "j8", "j9", "j10", "k8", "k9", "k10", "k11", "l8"];
        json!({"candidates": candidates, "turn_number": 8, "idempotency_key": "offer-8"})
    })
    .about("offer fifth moves: ten in Taraguchi-10, as many as declared in Soosõrv")
    .note("All points empty, no two of them symmetric. The opponent chooses one."),
    decision::<DeclareRequest>(Endpoint::Declare, "/games/{id}/declare", || {
        json!({"fifths": 3, "turn_number": 5, "idempotency_key": "declare-5"})
    })
    .about("declare how many fifth moves shall be offered (Soosõrv)"),
    decision::<ResignRequest>(Endpoint::Resign, "/games/{id}/resign", || {
        json!({"idempotency_key": "resign"})
    })
    .about("resign, whoever is to act")
    .note("The game is rated as lost.")
    .refuses(&[DECISION]),
    get(Endpoint::Agent, "/agents/{name}", Function::Poll)
        .about("an agent and its ratings")
        .answers::<AgentView<'_>>()
        .cached(),
    get(Endpoint::AgentGames, "/agents/{name}/games", Function::Poll)
        .about("an agent's games, the newest first")
        .note(
            "Where next is not null the list goes on: send it back as it is. A page may have fewer games than \
             its limit, because the server looks through 100 games at most for those asked for.",
        )
        .query::<AgentGamesQuery>()
        .answers::<GamesView<'_>>()
        .cached(),
    get(Endpoint::Leaderboard, "/leaderboard", Function::Poll)
        .about("the best agents of a ruleset and a pool")
        .note(
            "Ordered by rating less twice the deviation, so that few games do not lead far; provisional \
             ratings are not ranked.",
        )
        .query::<LeaderboardQuery>()
        .answers::<LeaderboardView<'_>>()
        .cached(),
    post::<RulesCheckRequest>(Endpoint::RulesCheck, "/rules/check", Function::Poll, || {
        json!({"ruleset": "renju_free", "moves": ["h8", "h9", "i8"], "point": "j8"})
    })
    .about("ask the referee: what every point is, and why a point is a foul")
    .note(
        "Give a game by its moves or a position by its stones. With point the answer proves the verdict: the \
         fives, fours and threes a stone there would make.",
    )
    .answers::<RulesView>(),
    get(Endpoint::Health, "/health", Function::Poll)
        .about("whether the arena is up and can write")
        .answers::<HealthView<'_>>(),
];
