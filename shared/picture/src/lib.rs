//! A board as SVG: coordinates, star points, numbered stones, the last move, forbidden points with
//! their kind, lettered offers, a won row, the proof of a foul.
//!
//! Pure: a [`Scene`] says what there is to see, [`board`] and [`thumbnail`] write it down. The
//! drawing names classes; a [`Theme`] gives them colours, or the page that shows it does.

mod board;
mod glyph;
mod place;
mod scene;
mod theme;
mod thumbnail;

pub use board::{Style, board};
pub use glyph::Lettering;
pub use scene::Scene;
pub use theme::Theme;
pub use thumbnail::thumbnail;
