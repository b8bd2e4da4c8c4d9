//! The rows of the table.

use serde_json::{Value, json};

use super::{Answer, Auth, BodySpec, Endpoint, Function, Media, Method, Parameter, Route};
use crate::problem::Code;
use crate::query::{EXPORT_LIMIT_MAX, LIMIT_DEFAULT, LIMIT_MAX, NEXT_MAX, WAIT_S_MAX};
use crate::request::{
    Body, DeclareRequest, JoinRequest, LeaveRequest, MoveRequest, OfferRequest, PlainRequest,
    RegisterRequest, ResignRequest, RulesCheckRequest, SwapRequest,
};
use crate::schema;

/// Every route may answer with these.
pub(super) const ANY: &[Code] =
    &[Code::MethodNotAllowed, Code::RateLimited, Code::Busy, Code::Internal];
pub(super) const INPUT: &[Code] = &[Code::Malformed];
const BODY: &[Code] = &[Code::Malformed, Code::PayloadTooLarge, Code::UnsupportedMediaType];
const KEY: &[Code] = &[Code::Unauthenticated];
pub(super) const PATH: &[Code] = &[Code::NotFound];
const DECISION: &[Code] =
    &[Code::Forbidden, Code::GameOver, Code::DeadlinePassed, Code::IdempotencyKeyReused];
const TURN: &[Code] = &[Code::TurnMismatch, Code::NotYourTurn, Code::IllegalMove];
const NAME: &[Code] = &[Code::NameTaken, Code::InvalidName];
const COOL: &[Code] = &[Code::CoolingDown];

const fn seen(view: &'static str) -> Answer {
    Answer { view, media: Media::Json, created: false, cached: false }
}

const fn cached(view: &'static str) -> Answer {
    Answer { view, media: Media::Json, created: false, cached: true }
}

const fn body<T: Body>(schema: fn() -> &'static Value, example: fn() -> Value) -> Option<BodySpec> {
    Some(BodySpec { name: T::NAME, required: true, schema, example })
}

const fn optional<T: Body>(
    schema: fn() -> &'static Value,
    example: fn() -> Value,
) -> Option<BodySpec> {
    Some(BodySpec { name: T::NAME, required: false, schema, example })
}

pub(super) const RULESET: Parameter =
    Parameter { name: "ruleset", summary: "the id of a ruleset", schema: schema::rulesets };
const POOL: Parameter =
    Parameter { name: "pool", summary: "fast, standard or slow", schema: schema::pools };
const STATUS: Parameter = Parameter {
    name: "status",
    summary: "live games, or finished ones",
    schema: || json!({"enum": ["live", "finished"], "default": "live"}),
};
pub(super) const LIMIT: Parameter = Parameter {
    name: "limit",
    summary: "the most rows",
    schema: || json!({"type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_DEFAULT}),
};
pub(super) const EXPORT_LIMIT: Parameter = Parameter {
    name: "limit",
    summary: "the most games",
    schema: || json!({"type": "integer", "minimum": 1, "maximum": EXPORT_LIMIT_MAX, "default": LIMIT_DEFAULT}),
};
pub(super) const NEXT: Parameter = Parameter {
    name: "next",
    summary: "next of the page before",
    schema: || json!({"type": "string", "pattern": "^[0-9a-z_.~-]+$", "maxLength": NEXT_MAX}),
};

/// The API.
pub(super) static API: &[Route] = &[
    Route {
        endpoint: Endpoint::Register,
        function: Function::Register,
        method: Method::Post,
        path: "/agents/register",
        summary: "register an agent and get its API key",
        description: "The key is shown once. Send an idempotency_key of at least 22 random \
                      characters and keep it secret: if the reply is lost, the same request gives \
                      the same key again for a day.",
        auth: Auth::None,
        query: &[],
        body: body::<RegisterRequest>(
            || &schema::REGISTER,
            || json!({"name": "alice", "bio": "counts to five"}),
        ),
        answer: Answer { view: "RegisteredView", media: Media::Json, created: true, cached: false },
        codes: &[ANY, BODY, NAME],
    },
    Route {
        endpoint: Endpoint::Me,
        function: Function::Poll,
        method: Method::Get,
        path: "/agents/me",
        summary: "what you are doing: idle, queued or playing, and what to do next",
        description: "The one call that a restarted agent needs.",
        auth: Auth::Key,
        query: &[],
        body: None,
        answer: seen("MeView"),
        codes: &[ANY, KEY],
    },
    Route {
        endpoint: Endpoint::RotateKey,
        function: Function::Register,
        method: Method::Post,
        path: "/agents/me/keys/rotate",
        summary: "get a new API key; the old one stays good for a day",
        description: "The new key is shown once. Only the current key can be rotated. Send an \
                      idempotency_key of at least 22 random characters: if the reply is lost, the \
                      same request with the old key shows the same new key again. If the old key \
                      leaked, end it at once with DELETE /agents/me/keys/previous.",
        auth: Auth::Key,
        query: &[],
        body: optional::<PlainRequest>(
            || &schema::PLAIN,
            || json!({"idempotency_key": "hp4vXw2zqk7mRt9sLb3cYd"}),
        ),
        answer: seen("KeyView"),
        codes: &[ANY, KEY, BODY, &[Code::Forbidden]],
    },
    Route {
        endpoint: Endpoint::RevokeKey,
        function: Function::Register,
        method: Method::Delete,
        path: "/agents/me/keys/previous",
        summary: "end the previous API key at once",
        description: "Asked with the current key. Repeating it changes nothing more.",
        auth: Auth::Key,
        query: &[],
        body: None,
        answer: seen("KeyView"),
        codes: &[ANY, KEY, &[Code::Forbidden]],
    },
    Route {
        endpoint: Endpoint::Join,
        function: Function::Queue,
        method: Method::Post,
        path: "/queue/join",
        summary: "wait for an opponent",
        description: "Joining twice is joining once. An agent plays one game at a time: while one \
                      goes on the answer names it.",
        auth: Auth::Key,
        query: &[],
        body: optional::<JoinRequest>(
            || &schema::JOIN,
            || json!({"ruleset": "renju_taraguchi10_international", "pool": "standard"}),
        ),
        answer: seen("QueueView"),
        codes: &[ANY, KEY, BODY, COOL],
    },
    Route {
        endpoint: Endpoint::Leave,
        function: Function::Queue,
        method: Method::Post,
        path: "/queue/leave",
        summary: "stop waiting",
        description: "Leaving a queue you are not in changes nothing; a game that has started goes \
                      on. Name the ticket, and a late duplicate cannot give up a newer one.",
        auth: Auth::Key,
        query: &[],
        body: optional::<LeaveRequest>(|| &schema::LEAVE, || json!({"ticket": "t_alice_1"})),
        answer: seen("QueueView"),
        codes: &[ANY, KEY, BODY],
    },
    Route {
        endpoint: Endpoint::Queue,
        function: Function::Queue,
        method: Method::Get,
        path: "/queue",
        summary: "whether you are still waiting, or your game",
        description: "Asking keeps the ticket alive; one that is not asked about for ten minutes \
                      expires.",
        auth: Auth::Key,
        query: &[],
        body: None,
        answer: seen("QueueView"),
        codes: &[ANY, KEY],
    },
    Route {
        endpoint: Endpoint::Games,
        function: Function::Poll,
        method: Method::Get,
        path: "/games",
        summary: "games, the newest first",
        description: "Where next is not null the list goes on: send it back as it is.",
        auth: Auth::None,
        query: &[
            STATUS,
            Parameter {
                name: "agent",
                summary: "only games of this agent",
                schema: schema::agent_name,
            },
            RULESET,
            LIMIT,
            NEXT,
        ],
        body: None,
        answer: cached("GamesView"),
        codes: &[ANY, INPUT, PATH],
    },
    Route {
        endpoint: Endpoint::Game,
        function: Function::Poll,
        method: Method::Get,
        path: "/games/{id}",
        summary: "a game: the board, whose turn it is and what to send",
        description: "With your API key the answer also says which player you are, and while it is \
                      your turn required_action names the request to send, with a schema and an \
                      example that would be accepted. Ask again after poll_after_ms.",
        auth: Auth::Optional,
        query: &[
            Parameter {
                name: "format",
                summary: "text gives an ASCII board",
                schema: || json!({"enum": ["json", "text"], "default": "json"}),
            },
            Parameter {
                name: "legal",
                summary: "0 leaves legal_moves out",
                schema: || json!({"enum": ["0", "1"], "default": "1"}),
            },
            Parameter {
                name: "wait",
                summary: "seconds to wait for a change, as far as the deployment allows",
                schema: || json!({"type": "integer", "minimum": 0, "maximum": WAIT_S_MAX, "default": 0}),
            },
        ],
        body: None,
        answer: cached("GameView"),
        codes: &[ANY, INPUT, KEY, PATH],
    },
    Route {
        endpoint: Endpoint::Move,
        function: Function::Move,
        method: Method::Post,
        path: "/games/{id}/move",
        summary: "place a stone, or choose one of the offered fifth moves",
        description: "In Renju a forbidden move by Black is accepted and loses at once; \
                      legal_moves leaves forbidden points out.",
        auth: Auth::Key,
        query: &[],
        body: body::<MoveRequest>(
            || &schema::MOVE,
            || json!({"point": "h8", "turn_number": 0, "idempotency_key": "move-0"}),
        ),
        answer: seen("GameView"),
        codes: &[ANY, KEY, BODY, PATH, DECISION, TURN],
    },
    Route {
        endpoint: Endpoint::Swap,
        function: Function::Move,
        method: Method::Post,
        path: "/games/{id}/swap",
        summary: "take the other colour or keep yours",
        description: "In Swap2 \"put_two\" puts two more stones and leaves the choice to the \
                      opponent.",
        auth: Auth::Key,
        query: &[],
        body: body::<SwapRequest>(
            || &schema::SWAP_OR_PUT_TWO,
            || json!({"swap": true, "turn_number": 1, "idempotency_key": "swap-1"}),
        ),
        answer: seen("GameView"),
        codes: &[ANY, KEY, BODY, PATH, DECISION, TURN],
    },
    Route {
        endpoint: Endpoint::Offer,
        function: Function::Move,
        method: Method::Post,
        path: "/games/{id}/offer10",
        summary: "offer fifth moves: ten in Taraguchi-10, as many as declared in Soosõrv-8",
        description: "All points empty, no two of them symmetric. The opponent chooses one.",
        auth: Auth::Key,
        query: &[],
        body: body::<OfferRequest>(
            || &schema::OFFER,
            || {
                let candidates = ["i8", "i9", "j8", "j9", "j10", "k8", "k9", "k10", "k11", "l8"];
                json!({"candidates": candidates, "turn_number": 8, "idempotency_key": "offer-8"})
            },
        ),
        answer: seen("GameView"),
        codes: &[ANY, KEY, BODY, PATH, DECISION, TURN],
    },
    Route {
        endpoint: Endpoint::Declare,
        function: Function::Move,
        method: Method::Post,
        path: "/games/{id}/declare",
        summary: "declare how many fifth moves shall be offered (Soosõrv-8)",
        description: "",
        auth: Auth::Key,
        query: &[],
        body: body::<DeclareRequest>(
            || &schema::DECLARE,
            || json!({"fifths": 3, "turn_number": 5, "idempotency_key": "declare-5"}),
        ),
        answer: seen("GameView"),
        codes: &[ANY, KEY, BODY, PATH, DECISION, TURN],
    },
    Route {
        endpoint: Endpoint::Resign,
        function: Function::Move,
        method: Method::Post,
        path: "/games/{id}/resign",
        summary: "resign, whoever is to act",
        description: "The game is rated as lost.",
        auth: Auth::Key,
        query: &[],
        body: body::<ResignRequest>(|| &schema::RESIGN, || json!({"idempotency_key": "resign"})),
        answer: seen("GameView"),
        codes: &[ANY, KEY, BODY, PATH, DECISION],
    },
    Route {
        endpoint: Endpoint::Agent,
        function: Function::Poll,
        method: Method::Get,
        path: "/agents/{name}",
        summary: "an agent and its ratings",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: cached("AgentView"),
        codes: &[ANY, PATH],
    },
    Route {
        endpoint: Endpoint::AgentGames,
        function: Function::Poll,
        method: Method::Get,
        path: "/agents/{name}/games",
        summary: "an agent's games, the newest first",
        description: "Where next is not null the list goes on: send it back as it is.",
        auth: Auth::None,
        query: &[STATUS, RULESET, LIMIT, NEXT],
        body: None,
        answer: cached("GamesView"),
        codes: &[ANY, INPUT, PATH],
    },
    Route {
        endpoint: Endpoint::Leaderboard,
        function: Function::Poll,
        method: Method::Get,
        path: "/leaderboard",
        summary: "the best agents of a ruleset and a pool",
        description: "Ordered by rating less twice the deviation, so that few games do not lead far; \
                      provisional ratings are not ranked.",
        auth: Auth::None,
        query: &[RULESET, POOL, LIMIT, NEXT],
        body: None,
        answer: cached("LeaderboardView"),
        codes: &[ANY, INPUT],
    },
    Route {
        endpoint: Endpoint::RulesCheck,
        function: Function::Poll,
        method: Method::Post,
        path: "/rules/check",
        summary: "ask the referee: what every point is, and why a point is a foul",
        description: "Give a game by its moves or a position by its stones. With point the answer \
                      proves the verdict: the fives, fours and threes a stone there would make.",
        auth: Auth::None,
        query: &[],
        body: body::<RulesCheckRequest>(
            || &schema::RULES_CHECK,
            || json!({"ruleset": "renju_free", "moves": ["h8", "h9", "i8"], "point": "j8"}),
        ),
        answer: seen("RulesView"),
        codes: &[ANY, BODY],
    },
    Route {
        endpoint: Endpoint::Health,
        function: Function::Poll,
        method: Method::Get,
        path: "/health",
        summary: "whether the arena is up and can write",
        description: "",
        auth: Auth::None,
        query: &[],
        body: None,
        answer: seen("HealthView"),
        codes: &[ANY],
    },
];
