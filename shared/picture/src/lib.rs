//! A board as SVG: coordinates, star points, numbered stones, the last move, forbidden points with
//! their kind, lettered offers, a winning row, the proof of a foul.
//!
//! Pure: a [`Scene`] holds what is shown, [`board`] and [`thumbnail`] draw it. The drawing uses CSS
//! classes; a [`Theme`] gives them colours, or the page that shows it does.

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
