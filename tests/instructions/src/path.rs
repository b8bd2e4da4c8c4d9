//! The core path of a poll and of a move: from the stored header and log to the bytes of the reply,
//! with the decision and its plan between. No network, no SDK, no clock.

use std::hint::black_box;

use arena::{
    Actor, Division, Entry, Game, GameId, Header, KeyDigest, Pace, Player, Pool, Rating, Request,
    Submission, Tag, TicketId, Timestamp, TurnNumber, table,
};
use arena_wire::{
    Detail, GameView, Method, MoveRequest, Noted, Origin, RequestLine, Submit, parse,
};
use renju::{BySeat, Play, Ruleset};

/// Mid-game: 36 stones in 41 decisions, Black to move, 185 legal points and 4 forbidden ones.
const PLAYS: &str = "h8 swap i7 keep i6 swap g8 keep j9 swap e13 g7 k9 g9 g6 g12 e9 k3 f6 e7 g10 \
                     j4 f5 h10 j5 f3 h7 f11 j8 i8 f8 l10 k11 l6 i13 k6 e11 d8 f9 l3 i9";

const START: Timestamp = Timestamp::from_ms(1_794_806_725_000);
const THINK_MS: i64 = 1_230;

/// What is read from the table.
pub(crate) struct Stored {
    header: Header,
    log: Vec<Entry>,
}

impl Stored {
    /// The game in mid-play.
    pub(crate) fn new() -> Stored {
        let names = ["alice", "bob"].map(|name| name.parse().expect("a name"));
        let tickets = names.clone().map(|agent| TicketId { agent, epoch: 1 });
        let players = names.map(|name| Player::agent(name, KeyDigest([7; 16]), Rating::NEW));
        let [first, second] = players;
        let ruleset = Ruleset::find("renju_taraguchi10_international").expect("a ruleset");
        let division = Division { ruleset, pool: Pool::Slow };
        let header = Header {
            id: GameId::of(&tickets[0], &tickets[1]),
            division,
            turn_ms: division.pool.turn_ms(),
            budget_ms: None,
            uncounted: None,
            players: BySeat { first, second },
            created: START,
        };
        let mut game = Game::start(header.clone());
        for word in PLAYS.split_whitespace() {
            let play: Play = word.parse().expect("a play");
            let seat = game.to_act().expect("the game goes on");
            let tag = Tag::of(&game.header().players[seat].name, &game.turn().to_string());
            let submission = Submission { request: Request::Play(game.turn(), play), tag };
            let at = game.last_at().plus(THINK_MS);
            let decision = game.apply(Actor::Seat(seat), submission, at, &Pace::STANDARD);
            game = decision.expect("legal").into_commit().expect("new");
        }
        Stored { header, log: game.log().to_vec() }
    }

    fn game(&self) -> Game {
        let header = black_box(&self.header).clone();
        Game::restore(header, black_box(&self.log).iter().copied()).expect("the log replays")
    }
}

/// A poll by the player to act; the length of the reply.
pub(crate) fn poll(stored: &Stored) -> usize {
    let game = stored.game();
    let now = game.last_at().plus(THINK_MS);
    let view = GameView::new(&game, game.to_act(), now, Detail::FULL);
    arena_wire::json(&view).len()
}

/// A move by the player to act: the body read, the decision, its plan, the reply; its length.
pub(crate) fn decide(stored: &Stored) -> usize {
    let body = br#"{"point":"l11","turn_number":41,"idempotency_key":"abcdefghijklmnop-41"}"#;
    let wanted: MoveRequest = parse(black_box(body)).expect("a body");
    let game = stored.game();
    let seat = game.to_act().expect("the game goes on");
    let name = &game.header().players[seat].name;
    let submission = wanted.into_submission(name, None).expect("a submission");
    let now = game.last_at().plus(THINK_MS);
    let decision = game.apply(Actor::Seat(seat), submission, now, &Pace::STANDARD);
    let next = decision.expect("legal").into_commit().expect("new");
    let plan = table::advance(next.clone(), &Pace::STANDARD);
    let view = GameView::new(&next, Some(seat), next.last_at(), Detail::BRIEF);
    black_box(plan).writes.len() + arena_wire::json(&view).len()
}

/// The line that the log gets for a request; its length.
pub(crate) fn line(stored: &Stored) -> usize {
    let header = black_box(&stored.header);
    let noted = Noted {
        agent: Some(header.players.first.name.clone()),
        game: Some(header.id),
        turn: Some(TurnNumber(41)),
        ..Noted::default()
    };
    let line = RequestLine {
        origin: Origin {
            at: START,
            function: "renju-arena-prod-poll",
            request_id: Some("c6af9ac6-7b61-11e6-9a41-93e8deadbeef"),
            trace_id: Some("1-5759e988-bd862e3fe1be46a994272793"),
            micros: 12_345,
        },
        method: Some(Method::Get),
        route: Some("/games/{id}"),
        status: 200,
        code: None,
        noted: &noted,
    };
    arena_wire::json(&line).len()
}
