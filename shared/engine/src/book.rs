//! Opening book: deep-searched values of the first stones for Black.
//!
//! `book.txt` is printed by `examples/book.rs`. It holds the 26 openings of Renju, their fourth stones in
//! the 7×7 square, the fifths of some fourths that are balanced, and three stones in the 5×5 square for
//! Swap2. Symmetric positions share an entry. One book serves every ruleset of Renju, and one those of
//! gomoku: precedence of five or foul and the length of a winning row matter little this early.

use std::collections::HashMap;
use std::sync::LazyLock;

use renju::{Board, Color, Fouls, Point, Position, Ruleset, Symmetry};

use crate::engine::Engine;
use crate::limits::Limits;
use crate::score::Score;

/// Board size the book is for.
const SIZE: u8 = 15;

/// Transposition table size of a search for the book.
const TABLE_BYTES: usize = 16 << 20;

/// Game a line of the book belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Game {
    /// Renju, whatever its opening rule.
    Renju,
    /// Gomoku without captures, whatever its opening rule and the length of a winning row.
    Gomoku,
}

impl Game {
    /// Both games.
    pub const ALL: [Game; 2] = [Game::Renju, Game::Gomoku];

    /// Word for the game at the start of a line.
    pub const fn name(self) -> &'static str {
        match self {
            Game::Renju => "renju",
            Game::Gomoku => "gomoku",
        }
    }

    fn of(ruleset: &Ruleset) -> Option<Game> {
        match ruleset.fouls {
            Fouls::Black { .. } => Some(Game::Renju),
            Fouls::None if ruleset.pairs_to_win.is_none() => Some(Game::Gomoku),
            _ => None,
        }
    }

    fn ruleset(self) -> &'static Ruleset {
        let id = match self {
            Game::Renju => "renju_free",
            Game::Gomoku => "gomoku_freestyle",
        };
        Ruleset::find(id).expect("both games are rulesets without an opening")
    }
}

/// The first stones of a game, Black's first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stones {
    /// Game whose rules apply.
    pub game: Game,
    /// Points in playing order.
    pub points: Vec<Point>,
}

impl Stones {
    /// The same stones and one more.
    pub fn and(&self, point: Point) -> Stones {
        Stones { game: self.game, points: self.points.iter().copied().chain([point]).collect() }
    }

    /// The stones on a board.
    pub fn board(&self) -> Board {
        let mut board = Board::new(SIZE);
        for (&point, color) in self.points.iter().zip(Color::BOTH.into_iter().cycle()) {
            board.put(point, color);
        }
        board
    }

    /// Hash that is equal for symmetric positions.
    pub fn key(&self) -> u64 {
        key(&self.board())
    }

    /// Value for Black, found with an empty table and enough nodes that the whole book takes one
    /// core some minutes.
    pub fn measure(&self) -> Score {
        let nodes = match (self.game, self.points.len()) {
            (Game::Renju, ..=3) => 1_000_000,
            (Game::Renju, _) => 200_000,
            (Game::Gomoku, _) => 100_000,
        };
        let next = if self.points.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let (ruleset, board) = (self.game.ruleset(), self.board());
        let position = Position::analysis(ruleset, board, next, Default::default()).ok();
        let measured = position.and_then(|position| {
            Engine::new(TABLE_BYTES).worth_for_black(&position, &Limits::nodes(nodes), None).0
        });
        measured.unwrap_or(0)
    }
}

/// All entries of the book with their values for Black.
pub fn rows() -> impl Iterator<Item = (Stones, Score)> {
    let lines = include_str!("book.txt").lines();
    lines.filter_map(read).flatten()
}

/// Parses a line: a game, stones, and values after one more stone, as in `renju h8 h9: h10 12 i10
/// -7`.
fn read(line: &'static str) -> Option<impl Iterator<Item = (Stones, Score)>> {
    let (before, after) = line.split_once(':')?;
    let mut words = before.split_whitespace();
    let name = words.next()?;
    let game = Game::ALL.into_iter().find(|game| game.name() == name)?;
    let points = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let before = Stones { game, points };
    let mut words = after.split_whitespace();
    Some(std::iter::from_fn(move || {
        let point = words.next()?.parse().ok()?;
        Some((before.and(point), words.next()?.parse().ok()?))
    }))
}

/// Value of the position for Black, if the book has it.
pub(crate) fn worth(position: &Position) -> Option<Score> {
    static BOOK: LazyLock<HashMap<(Game, u64), Score>> = LazyLock::new(|| {
        rows().map(|(stones, worth)| ((stones.game, stones.key()), worth)).collect()
    });
    let (game, board) = (Game::of(position.ruleset())?, position.board());
    let count = |color| board.stones_of(color).count();
    let (black, white) = (count(Color::Black), count(Color::White));
    let in_turn = match position.to_move() {
        Color::Black => black == white,
        Color::White => black == white + 1,
    };
    let has = board.size() == SIZE && in_turn && (3..=5).contains(&board.stones());
    if has { BOOK.get(&(game, key(board))).copied() } else { None }
}

/// Least of the numbers spelled by the eight images: Black's stones in order, a zero, White's in
/// order.
fn key(board: &Board) -> u64 {
    let spell = |symmetry: &Symmetry| {
        let mut number = 0;
        for color in Color::BOTH {
            let image = |point| symmetry.apply(point, SIZE).index(SIZE) as u64 + 1;
            let mut stones: Vec<u64> = board.stones_of(color).map(image).collect();
            stones.sort_unstable();
            number = stones.into_iter().fold(number << 8, |number, stone| number << 8 | stone);
        }
        number
    };
    Symmetry::ALL.iter().map(spell).min().unwrap_or(0)
}
