//! Opening procedures as lists of steps, and the choices at each step.

use crate::offer::Offer;
use crate::player::{Color, Seat};
use crate::point::Point;
use crate::position::Outcome;

/// One step of an opening procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "`area` and `by` are documented by their types")]
pub enum Step {
    /// A stone of the colour to move.
    Place { area: Area, by: By },
    /// The opponent of the player who just acted takes the other colour or keeps their own.
    Swap,
    /// As [`Step::Swap`], ending the opening; or the player puts two more stones first.
    SwapOrPutTwo,
    /// Black places the fifth stone inside `area` and continues with the next step, or offers
    /// `count` fifth moves, which ends the opening with White's choice.
    Fifth {
        /// Area of a single fifth stone.
        area: Area,
        /// Number of fifth moves in an offer.
        count: u8,
        /// True if a player who became Black by the swap just before may still offer.
        after_swap: bool,
    },
    /// White, who has just placed the fourth stone, declares the number of fifth moves Black must
    /// offer.
    Declare {
        /// Largest number that may be declared.
        most: u8,
    },
    /// Black offers as many fifth moves as were declared; White chooses one, which ends the opening.
    OfferDeclared,
}

/// Part of the board an opening stone may go to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Area {
    /// The square of this ring around the centre: 0 is the centre itself, 1 the 3×3 square.
    Ring(u8),
    /// The whole board.
    Board,
}

impl Area {
    /// True if `point` lies inside, on a board of side `size`.
    pub const fn contains(self, point: Point, size: u8) -> bool {
        match self {
            Area::Ring(ring) => point.is_on(size) && point.ring(Point::centre(size)) <= ring,
            Area::Board => point.is_on(size),
        }
    }
}

/// Player who places an opening stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum By {
    /// The player who holds the colour to move.
    ToMove,
    /// This seat, whatever the colour of the stone.
    Seat(Seat),
}

/// Decision due from the player to act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are explained by their variants")]
pub enum Phase {
    /// Place a stone inside the area.
    Place(Area),
    /// Swap or keep.
    Swap,
    /// Swap, keep, or put two more stones and leave the choice of colours to the opponent.
    SwapOrPutTwo,
    /// Place the fifth stone inside the area, or offer `count` fifth moves.
    Fifth {
        /// Area of a single fifth stone.
        area: Area,
        /// Number of fifth moves in an offer.
        count: u8,
    },
    /// Declare the number of fifth moves to offer, from one to `most`.
    Declare { most: u8 },
    /// Offer `count` fifth moves.
    Offer { count: u8 },
    /// Choose one of the offered fifth moves by placing it.
    Choose(Offer),
    /// Place a stone anywhere.
    Play,
    /// The game is over; nothing to decide.
    Over(Outcome),
}

impl Phase {
    /// The decision due, as the end of a sentence that starts with "the player must".
    pub const fn due(&self) -> &'static str {
        match self {
            Phase::Place(_) | Phase::Play => "place a stone",
            Phase::Swap => "swap or keep",
            Phase::SwapOrPutTwo => "swap, keep or put two more stones",
            Phase::Fifth { .. } => "place the fifth stone or offer fifth moves",
            Phase::Declare { .. } => "declare how many fifth moves shall be offered",
            Phase::Offer { .. } => "offer fifth moves",
            Phase::Choose(_) => "choose one of the offered fifth moves",
            Phase::Over(_) => "do nothing more",
        }
    }
}

const fn ring(ring: u8) -> Step {
    Step::Place { area: Area::Ring(ring), by: By::ToMove }
}

const fn seat(seat: Seat, area: Area) -> Step {
    Step::Place { area, by: By::Seat(seat) }
}

/// docs/rules.md §8: a swap after each of the four moves, then A or B.
pub(crate) const TARAGUCHI_10: &[Step] = &[
    ring(0),
    Step::Swap,
    ring(1),
    Step::Swap,
    ring(2),
    Step::Swap,
    ring(3),
    Step::Swap,
    Step::Fifth { area: Area::Ring(4), count: 10, after_swap: true },
    Step::Swap,
];

/// RIF text: a player who swaps after move 4 has chosen the single fifth move.
pub(crate) const TARAGUCHI_10_RIF: &[Step] = &[
    ring(0),
    Step::Swap,
    ring(1),
    Step::Swap,
    ring(2),
    Step::Swap,
    ring(3),
    Step::Swap,
    Step::Fifth { area: Area::Ring(4), count: 10, after_swap: false },
    Step::Swap,
];

/// docs/rules.md §10: the first player puts one of the 26 openings. Every third stone in the 5×5
/// square is one of them, so three placements by one seat mean the same as a list of 26.
pub(crate) const SOOSORV_4: &[Step] = &soosorv(4);

/// RIF text of the same opening, with up to eight fifth moves.
pub(crate) const SOOSORV_8: &[Step] = &soosorv(8);

const fn soosorv(most: u8) -> [Step; 8] {
    [
        seat(Seat::First, Area::Ring(0)),
        seat(Seat::First, Area::Ring(1)),
        seat(Seat::First, Area::Ring(2)),
        Step::Swap,
        Step::Place { area: Area::Board, by: By::ToMove },
        Step::Declare { most },
        Step::Swap,
        Step::OfferDeclared,
    ]
}

/// Three stones by the first player; the second swaps, keeps, or puts two more.
pub(crate) const SWAP_2: &[Step] = &[
    seat(Seat::First, Area::Board),
    seat(Seat::First, Area::Board),
    seat(Seat::First, Area::Board),
    Step::SwapOrPutTwo,
    seat(Seat::Second, Area::Board),
    seat(Seat::Second, Area::Board),
    Step::Swap,
];

/// The colour of the stone placed after `moves` stones.
pub(crate) const fn color_after(moves: u16) -> Color {
    if moves.is_multiple_of(2) { Color::Black } else { Color::White }
}
