//! A board as SVG: coordinates, star points, numbered stones, the last move, forbidden points with
//! their kind, lettered offers, a winning row, the proof of a foul.
//!
//! Pure: a [`Scene`] holds what is shown, [`board`] and [`thumbnail`] draw it. A [`Timeline`] has all
//! positions of a game in one drawing. The drawing uses CSS classes; a [`Theme`] gives them colours,
//! or the page that shows it does.

mod board;
mod card;
mod diagram;
mod glyph;
mod letters;
mod place;
mod proof;
mod scene;
mod theme;
mod thumbnail;
mod timeline;

pub use board::{Style, board};
pub use card::{CARD_HEIGHT, CARD_WIDTH, Card, CardPlayer, card};
pub use diagram::{Diagram, Part, diagram};
pub use glyph::Lettering;
pub use proof::foul_words;
pub use scene::Scene;
pub use theme::{Colors, Theme};
pub use thumbnail::thumbnail;
pub use timeline::Timeline;
