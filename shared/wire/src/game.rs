//! `GET /games/{id}`: everything about a game, as one of its players or a spectator sees it.

use std::borrow::Cow;

use arena::{Game, GameResult, HouseLevel, Pool, Reason, Timestamp, Uncounted, poll_after_ms};
use renju::{Color, Ending, NamedOpening, OpeningKind, Phase, Point, Position, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::RequiredAction;
use crate::explanation::ExplanationView;
use crate::history::{History, MoveView, views};
use crate::point::{BoardView, ForbiddenView, PointView};
use crate::time::TimeView;
use crate::value::RulesetId;
use crate::word::Word;

/// A game. Everything follows from its `moves`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameView<'a> {
    /// The ruleset's id.
    #[schemars(with = "RulesetId")]
    pub ruleset: Cow<'a, str>,
    /// The game's id.
    #[schemars(regex(pattern = crate::schema::GAME))]
    pub game_id: String,
    /// The pool's id.
    pub pool: Word<Pool>,
    /// Live or over.
    pub status: GameStatus,
    /// The kind of decision that is due.
    pub phase: PhaseName,
    /// The stones.
    pub board: BoardView,
    /// The colour of the next stone; null when the game is over.
    pub turn_color: Option<Word<Color>>,
    /// Number of decisions made so far; the next decision must name it.
    pub turn_number: u32,
    /// Number of stones placed so far.
    pub move_number: u16,
    /// The player to act; null when the game is over.
    pub to_act: Option<SeatView<'a>>,
    /// The player who asks; null for a spectator.
    pub you: Option<SeatView<'a>>,
    /// The request that the asking player must send now; null when it is not this player's turn.
    pub required_action: Option<RequiredAction>,
    /// The points where a stone may be placed now without losing by a foul; absent if not asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub legal_moves: Option<Vec<PointView>>,
    /// The points forbidden to the colour to move: in Renju a stone there loses, with captures it is
    /// rejected.
    pub forbidden_moves: Vec<ForbiddenView>,
    /// The fifth moves on offer; null outside the choice.
    pub offer10_candidates: Option<Vec<PointView>>,
    /// The deadline of the player to act; null when the game is over.
    pub turn_deadline_at: Option<TimeView>,
    /// The deadline in milliseconds since 1970.
    pub turn_deadline_ms: Option<i64>,
    /// Milliseconds from `server_time` to the deadline.
    #[schemars(range(min = 0))]
    pub turn_remaining_ms: Option<i64>,
    /// Time limit of each decision.
    pub turn_limit_ms: u32,
    /// Time limit of a player for the whole game; null in old games, which have no such limit.
    pub game_limit_ms: Option<u32>,
    /// Time at which this view was made.
    pub server_time: TimeView,
    /// Pause before the next poll; 0 when it is the asking player's turn or the game is over.
    #[schemars(range(min = 0))]
    pub poll_after_ms: i64,
    /// The players by the colour they hold now.
    pub players: PlayersView<'a>,
    /// The captured pairs, where stones can be captured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairs: Option<PairsView>,
    /// The named opening of the first three stones.
    pub opening: Option<OpeningView<'a>>,
    /// Every decision in order; absent if not asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<Vec<MoveView>>,
    /// The result; null while the game is live.
    pub result: Option<ResultView<'a>>,
    /// True if the game counts for ratings, as far as it is known.
    pub counted: bool,
    /// The reason why it does not count; null if it does.
    pub why: Option<Word<Uncounted>>,
    /// Start of the game.
    pub created_at: TimeView,
    /// End of the game; null while it is live.
    pub finished_at: Option<TimeView>,
}

/// Amount of detail in a view of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Detail {
    /// Lists the legal moves.
    pub legal: bool,
    /// Lists the decisions so far.
    pub moves: bool,
    /// Describes the body of a required action by a JSON Schema.
    pub schema: bool,
}

impl Detail {
    /// Everything.
    pub const FULL: Detail = Detail { legal: true, moves: true, schema: true };
    /// Without the list of legal moves.
    pub const BRIEF: Detail = Detail { legal: false, ..Detail::FULL };
}

/// State of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// The game is in progress.
    Live,
    /// The game has ended.
    Over,
}

impl GameStatus {
    /// The status of a game.
    pub fn of(game: &Game) -> GameStatus {
        if game.result().is_some() { GameStatus::Over } else { GameStatus::Live }
    }
}

/// The kind of decision that is due. The words are part of the API.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Place a stone inside the opening's square.
    Place,
    /// Swap or keep.
    Swap,
    /// Swap, keep or put two more stones.
    SwapOrPutTwo,
    /// Place the fifth stone or offer fifth moves.
    Fifth,
    /// Declare how many fifth moves shall be offered.
    Declare,
    /// Offer fifth moves.
    Offer,
    /// Choose one of the offered fifth moves.
    Choose,
    /// Place a stone anywhere.
    Play,
    /// Nothing: the game has ended.
    Over,
}

impl PhaseName {
    /// The name of a game's phase: a game can also end away from the board.
    pub(crate) fn of_game(game: &Game) -> PhaseName {
        game.to_act().map_or(PhaseName::Over, |_| PhaseName::of(&game.position().phase()))
    }

    /// The name of a phase.
    pub const fn of(phase: &Phase) -> PhaseName {
        match phase {
            Phase::Place(_) => PhaseName::Place,
            Phase::Swap => PhaseName::Swap,
            Phase::SwapOrPutTwo => PhaseName::SwapOrPutTwo,
            Phase::Fifth { .. } => PhaseName::Fifth,
            Phase::Declare { .. } => PhaseName::Declare,
            Phase::Offer { .. } => PhaseName::Offer,
            Phase::Choose(_) => PhaseName::Choose,
            Phase::Play => PhaseName::Play,
            Phase::Over(_) => PhaseName::Over,
        }
    }
}

/// A player in a seat, with the colour it holds now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeatView<'a> {
    /// The seat; it never changes.
    pub seat: Word<Seat>,
    /// The colour; a swap changes it.
    pub color: Word<Color>,
    /// The agent.
    pub name: Cow<'a, str>,
}

impl<'a> SeatView<'a> {
    /// The player in a seat of a game.
    pub fn of(game: &'a Game, seat: Seat) -> SeatView<'a> {
        SeatView {
            seat: Word(seat),
            color: Word(game.color_of(seat)),
            name: game.header().players[seat].name.as_str().into(),
        }
    }
}

/// Both players by the colour they hold now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayersView<'a> {
    /// The player who holds Black.
    pub black: PlayerView<'a>,
    /// The player who holds White.
    pub white: PlayerView<'a>,
}

/// A player and its rating when the game started.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView<'a> {
    /// The agent, or the house bot.
    pub name: Cow<'a, str>,
    /// Its seat.
    pub seat: Word<Seat>,
    /// Its rating.
    pub rating: f64,
    /// Uncertainty of the rating.
    pub deviation: f64,
    /// True while the deviation is too large for a rank.
    pub provisional: bool,
    /// Its rating after the game; null while the game is live, and if the game did not change it.
    pub rating_after: Option<f64>,
    /// The rest of its time for the game when the last decision was made; null without a
    /// limit.
    pub time_left_ms: Option<i64>,
    /// The level of a house bot, whose rating is fixed; absent for an agent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub house_level: Option<u8>,
}

impl<'a> PlayerView<'a> {
    fn of(game: &'a Game, seat: Seat) -> PlayerView<'a> {
        let player = &game.header().players[seat];
        PlayerView {
            name: player.name.as_str().into(),
            seat: Word(seat),
            rating: tenths(player.rating.value),
            deviation: tenths(player.rating.deviation),
            provisional: player.rating.is_provisional(),
            rating_after: game.rating_after(seat).map(|rating| tenths(rating.value)),
            time_left_ms: game.left_ms(seat),
            house_level: player.house().map(HouseLevel::number),
        }
    }
}

impl<'a> PlayersView<'a> {
    /// The players of a game.
    pub fn of(game: &'a Game) -> PlayersView<'a> {
        let player = |color| PlayerView::of(game, game.position().seat_of(color));
        PlayersView { black: player(Color::Black), white: player(Color::White) }
    }
}

/// Rounded to a tenth: what a rating is worth showing.
pub(crate) fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Captured pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PairsView {
    /// Number of pairs Black has captured.
    pub black: u8,
    /// Number of pairs White has captured.
    pub white: u8,
    /// Number of pairs that wins.
    pub to_win: u8,
}

impl PairsView {
    /// The pairs of a position whose ruleset has captures.
    pub fn of(position: &Position) -> Option<PairsView> {
        let pairs = position.pairs();
        let to_win = position.ruleset().pairs_to_win?;
        Some(PairsView { black: pairs.black, white: pairs.white, to_win })
    }
}

/// One of the 26 named openings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpeningView<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Direct or indirect.
    pub kind: Word<OpeningKind>,
    /// Its number within the kind.
    pub number: u8,
}

impl OpeningView<'_> {
    /// The opening that the first three of these stones make on a board of this side.
    pub fn of(stones: &[Point], size: u8) -> Option<OpeningView<'static>> {
        const NAMED_SIZE: u8 = 15;
        let first = stones.first_chunk::<3>().filter(|_| size == NAMED_SIZE)?;
        let opening = NamedOpening::of(*first)?;
        Some(OpeningView {
            name: opening.name.into(),
            kind: Word(opening.kind),
            number: opening.number,
        })
    }
}

/// The result of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResultView<'a> {
    /// The colour that won; null for a draw and for a game that does not count.
    pub winner: Option<Word<Color>>,
    /// The agent that won.
    pub winner_name: Option<Cow<'a, str>>,
    /// The reason.
    pub reason: Word<Reason>,
    /// True if the ratings changed.
    pub rated: bool,
    /// The shapes that prove a foul.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explanation: Option<ExplanationView>,
}

impl<'a> ResultView<'a> {
    /// The result of a game, without the proof of a foul.
    pub fn of(game: &'a Game, result: GameResult) -> ResultView<'a> {
        let winner = result.winner;
        ResultView {
            winner: winner.map(|seat| Word(game.color_of(seat))),
            winner_name: winner.map(|seat| game.header().players[seat].name.as_str().into()),
            reason: Word(result.reason),
            rated: game.uncounted().is_none(),
            explanation: None,
        }
    }

    /// Adds the proof, if a foul ended the game.
    fn explained(self, history: &History) -> ResultView<'a> {
        let explanation = match self.reason.0 {
            Reason::Board(Ending::Foul(_)) => history.explain_last(),
            _ => None,
        };
        ResultView { explanation: explanation.as_ref().map(ExplanationView::of), ..self }
    }
}

impl<'a> GameView<'a> {
    /// The game as the player in seat `viewer`, or a spectator, sees it at `now`.
    ///
    /// The reply to a submission is made with `now` = [`Game::last_at`], so that a repeated
    /// submission gets the same bytes.
    pub fn new(
        game: &'a Game,
        viewer: Option<Seat>,
        now: Timestamp,
        detail: Detail,
    ) -> GameView<'a> {
        let position = game.position();
        let history = History::of(game);
        let to_act = game.to_act();
        let deadline = game.deadline();
        let acts = to_act.is_some() && viewer == to_act;
        let legal: Vec<Point> = match to_act {
            Some(_) if acts || detail.legal => position.legal_points().collect(),
            _ => Vec::new(),
        };
        GameView {
            ruleset: game.ruleset().id.into(),
            game_id: game.id().to_string(),
            pool: Word(game.header().division.pool),
            status: GameStatus::of(game),
            phase: PhaseName::of_game(game),
            board: BoardView(*position.board()),
            turn_color: to_act.map(|_| Word(position.to_move())),
            turn_number: game.turn().0,
            move_number: position.move_number(),
            to_act: to_act.map(|seat| SeatView::of(game, seat)),
            you: viewer.map(|seat| SeatView::of(game, seat)),
            required_action: if acts { RequiredAction::new(game, &legal, detail) } else { None },
            legal_moves: detail.legal.then(|| views(&legal)),
            forbidden_moves: to_act
                .into_iter()
                .flat_map(|_| ForbiddenView::all(position))
                .collect(),
            offer10_candidates: match position.phase() {
                Phase::Choose(offer) if to_act.is_some() => Some(views(offer.points())),
                _ => None,
            },
            turn_deadline_at: deadline.map(TimeView),
            turn_deadline_ms: deadline.map(Timestamp::ms),
            turn_remaining_ms: deadline.map(|deadline| deadline.since(now).max(0)),
            turn_limit_ms: game.header().turn_ms,
            game_limit_ms: game.header().budget_ms,
            server_time: TimeView(now),
            poll_after_ms: poll_after_ms(game, viewer, now),
            players: PlayersView::of(game),
            pairs: PairsView::of(position),
            opening: OpeningView::of(&history.stones, position.board().size()),
            result: game.result().map(|result| ResultView::of(game, result).explained(&history)),
            moves: detail.moves.then_some(history.moves),
            counted: game.uncounted().is_none(),
            why: game.uncounted().map(Word),
            created_at: TimeView(game.header().created),
            finished_at: game.result().map(|_| TimeView(game.last_at())),
        }
    }
}
