//! The API's words for colours, seats, phases and verdicts, and text read as values.

use pyo3::PyResult;
use renju::{Color, Ending, Foul, Mark, Phase, Play, Point, Seat};

use crate::error::bad_value;

pub(crate) fn foul(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "overline",
        Foul::DoubleFour => "double_four",
        Foul::DoubleThree => "double_three",
    }
}

pub(crate) fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Quiet => "quiet",
        Mark::Five => "five",
        Mark::Foul(kind) => foul(kind),
    }
}

pub(crate) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Five => "five",
        Ending::Foul(kind) => foul(kind),
        Ending::Pairs => "pairs",
        Ending::BoardFull => "board_full",
    }
}

pub(crate) fn phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::Place(_) => "place",
        Phase::Swap => "swap",
        Phase::SwapOrPutTwo => "swap_or_put_two",
        Phase::Fifth { .. } => "fifth",
        Phase::Declare { .. } => "declare",
        Phase::Offer { .. } => "offer",
        Phase::Choose(_) => "choose",
        Phase::Play => "play",
        Phase::Over(_) => "over",
    }
}

pub(crate) fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn seat(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

pub(crate) fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

pub(crate) fn read_color(text: &str) -> PyResult<Color> {
    let found = Color::BOTH.into_iter().find(|&candidate| color(candidate) == text);
    found.ok_or_else(|| bad_value(format_args!("{text:?} is not black or white")))
}

pub(crate) fn read_point(text: &str) -> PyResult<Point> {
    text.parse().map_err(bad_value)
}

pub(crate) fn read_play(text: &str) -> PyResult<Play> {
    text.parse().map_err(bad_value)
}
