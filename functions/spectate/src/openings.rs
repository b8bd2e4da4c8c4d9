//! `GET /openings`: the 26 named openings of Renju, with the results of the latest games here.

use arena::Game;
use arena_lambda::{Context, Keep, Reply, html, varied_by_site};
use arena_store::Paging;
use askama::Template;
use lambda_http::Request;
use renju::{Board, Color, Fouls, NamedOpening, OpeningKind, Play, Point};
use renju_picture::{Diagram, Part, diagram};

use crate::page;

/// Finished games whose results are counted.
const COUNTED_MAX: u16 = 100;
const KEEP: Keep = Keep::Seconds(300);

/// Characters and meaning of each name, in the order of [`NamedOpening::ALL`].
const NAMES: [(&str, &str); 26] = [
    ("寒星", "cold star"),
    ("渓月", "valley moon"),
    ("疎星", "sparse star"),
    ("花月", "flower moon"),
    ("残月", "lingering moon"),
    ("雨月", "rain moon"),
    ("金星", "golden star"),
    ("松月", "pine moon"),
    ("丘月", "hill moon"),
    ("新月", "new moon"),
    ("瑞星", "lucky star"),
    ("山月", "mountain moon"),
    ("遊星", "wandering star"),
    ("長星", "long star"),
    ("峡月", "gorge moon"),
    ("恒星", "fixed star"),
    ("水月", "water moon"),
    ("流星", "shooting star"),
    ("雲月", "cloud moon"),
    ("浦月", "bay moon"),
    ("嵐月", "storm moon"),
    ("銀月", "silver moon"),
    ("明星", "bright star"),
    ("斜月", "slanting moon"),
    ("名月", "harvest moon"),
    ("彗星", "comet"),
];

struct Shown {
    opening: NamedOpening,
    kanji: &'static str,
    meaning: &'static str,
    /// Such as `4D`.
    code: String,
    svg: String,
    results: Results,
}

/// Results of the games with an opening.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Results {
    black: u16,
    white: u16,
    drawn: u16,
}

impl Results {
    /// Counts the games of Renju that began with this opening and have a result.
    fn of(opening: NamedOpening, games: &[Game]) -> Results {
        let mut results = Results::default();
        for game in games.iter().filter(|game| is_renju(game) && of(game) == Some(opening)) {
            let Some(result) = game.result().filter(|result| !result.is_void()) else { continue };
            match result.winner.map(|seat| game.color_of(seat)) {
                Some(Color::Black) => results.black += 1,
                Some(Color::White) => results.white += 1,
                None => results.drawn += 1,
            }
        }
        results
    }

    fn games(self) -> u16 {
        self.black + self.white + self.drawn
    }
}

fn is_renju(game: &Game) -> bool {
    matches!(game.ruleset().fouls, Fouls::Black { .. })
}

/// The named opening that a game began with.
pub(crate) fn of(game: &Game) -> Option<NamedOpening> {
    let stones = game.plays().filter_map(|play| match play {
        Play::Place(point) => Some(point),
        _ => None,
    });
    let stones: Vec<Point> = stones.take(3).collect();
    let stones = stones.first_chunk().filter(|_| game.position().board().size() == SIZE)?;
    NamedOpening::of(*stones)
}

impl Shown {
    fn all(kind: OpeningKind, games: &[Game]) -> Vec<Shown> {
        let named = NamedOpening::ALL.into_iter().zip(NAMES);
        named
            .filter(|(opening, _)| opening.kind == kind)
            .map(|(opening, (kanji, meaning))| Shown {
                code: code(opening),
                svg: draw(opening),
                results: Results::of(opening, games),
                opening,
                kanji,
                meaning,
            })
            .collect()
    }
}

/// Code of an opening, which is its place on the page.
pub(crate) fn code(opening: NamedOpening) -> String {
    let letter = if opening.kind == OpeningKind::Direct { 'D' } else { 'I' };
    format!("{}{letter}", opening.number)
}

const SIZE: u8 = 15;

fn draw(opening: NamedOpening) -> String {
    let mut board = Board::new(SIZE);
    let stones = opening.stones();
    for (stone, color) in stones.into_iter().zip([Color::Black, Color::White, Color::Black]) {
        board.put(stone, color);
    }
    let labels: Vec<_> = stones.into_iter().zip('1'..).collect();
    let part = Part::ring(3, SIZE);
    let drawn = Diagram { board: &board, part, labels: &labels, ring: None, coordinates: false };
    let words = stones.map(|stone| stone.to_string()).join(" ");
    diagram(&drawn, &format!("{}: {words}", opening.name))
}

pub(crate) async fn show(context: &Context, request: &Request) -> Reply {
    let origin = context.base_url(request);
    let key = format!("{origin}/openings");
    let make = async || {
        let latest = context.store.finished(None, Paging::first(COUNTED_MAX)).await?;
        let games = context.store.games_in_order(&latest.entries).await?;
        let groups = [
            (OpeningKind::Direct, "Direct", "The second stone is beside the first."),
            (OpeningKind::Indirect, "Indirect", "The second stone is diagonal to the first."),
        ];
        html(page(&OpeningsPage {
            groups: groups.map(|(kind, name, about)| (name, about, Shown::all(kind, &games))),
            origin: origin.clone(),
        }))
    };
    varied_by_site(context.list(request, key, KEEP, make).await)
}

#[derive(Template)]
#[template(path = "openings.html")]
struct OpeningsPage {
    origin: String,
    groups: [(&'static str, &'static str, Vec<Shown>); 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_characters_belong_to_the_names() {
        for (opening, (kanji, meaning)) in NamedOpening::ALL.into_iter().zip(NAMES) {
            let NamedOpening { name, .. } = opening;
            assert_eq!(kanji.chars().count(), 2, "{name}");
            // The second character is the moon or the star, and so is the end of the name.
            assert_eq!(kanji.ends_with('月'), name.ends_with("getsu"), "{name} {kanji}");
            let is_star = name.ends_with("sei") || name == "Myojo";
            assert_eq!(kanji.ends_with('星'), is_star, "{name} {kanji}");
            assert_eq!(kanji.ends_with('月'), meaning.ends_with("moon"), "{name} {meaning}");
        }
        let of = |name: &str| {
            let all = NamedOpening::ALL;
            NAMES[all.iter().position(|opening| opening.name == name).unwrap()].0
        };
        // Ends of the two lists, and names that sound alike.
        let pairs = [
            ("Kansei", "寒星"),
            ("Kinsei", "金星"),
            ("Yusei", "遊星"),
            ("Chosei", "長星"),
            ("Suigetsu", "水月"),
            ("Suisei", "彗星"),
            ("Kosei", "恒星"),
            ("Kyugetsu", "丘月"),
            ("Kyogetsu", "峡月"),
            ("Shogetsu", "松月"),
            ("Shagetsu", "斜月"),
            ("Sangetsu", "山月"),
            ("Zangetsu", "残月"),
            ("Rangetsu", "嵐月"),
        ];
        for (name, kanji) in pairs {
            assert_eq!(of(name), kanji, "{name}");
        }
    }

    #[test]
    fn no_two_names_have_the_same_characters() {
        let mut kanji: Vec<&str> = NAMES.iter().map(|(kanji, _)| *kanji).collect();
        kanji.sort_unstable();
        kanji.dedup();
        assert_eq!(kanji.len(), 26);
    }
}
