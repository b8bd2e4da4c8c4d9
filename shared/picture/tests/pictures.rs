//! Pictures against reviewed files, and every position of random games against an XML parser.

#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot do")]

use std::{env, fs};

use arena_support::{MID_GAME, Random};
use renju::{Fouls, Play, Position, Ruleset};
use renju_picture::{Lettering, Scene, Style, Theme, Timeline, board, thumbnail};
use roxmltree::{Document, Node};

fn scene(ruleset: &str, plays: &str, live: bool) -> Scene {
    let start = Position::new(Ruleset::find(ruleset).unwrap());
    let plays = plays.split_whitespace().map(|word| word.parse().unwrap());
    Scene::after(start, plays, live).unwrap()
}

/// Compares with the file of this name; `UPDATE_EXPECT=1` rewrites it.
#[track_caller]
fn check(name: &str, svg: &str) {
    Document::parse(svg).unwrap();
    // One element per line, for readable diffs.
    let shown = svg.replace("><", ">\n<") + "\n";
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == shown,
        "{name} differs; UPDATE_EXPECT=1 rewrites it"
    );
}

const LIGHT: Style = Style { theme: Theme::Light, lettering: Lettering::Text };

#[test]
fn a_middle_game_shows_numbers_the_last_move_and_forbidden_points() {
    let scene = scene("renju_taraguchi10_international", MID_GAME, true);
    check("middle_game.svg", &board(&scene, "alice against bob", LIGHT));
    check("middle_game_small.svg", &thumbnail(&scene, "alice against bob"));
    let words = scene.words();
    assert!(
        words.starts_with("A board of 15 by 15 lines with 36 stones. Black: h8, i6, j9"),
        "{words}"
    );
    assert!(words.contains("Last move: i9. Forbidden: "), "{words}");
}

#[test]
fn an_analysis_shows_a_line_the_best_move_and_the_fouls_of_both_colours() {
    let plays = "h8 a1 g8 a3 i9 a5 i10";
    let start = Position::new(Ruleset::find("renju_free").unwrap());
    let moves: Vec<Play> = plays.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let shown = moves.iter().fold(start, |position, &play| position.play(play).unwrap());
    let [one, two] = ["a4", "i8"].map(|point| point.parse().unwrap());
    let scene = scene("renju_free", plays, true)
        .with_forbidden_of_both()
        .with_line(&[one, two], shown.to_move())
        .with_best(Some(one));
    // The page gives the colours: only pages show an analysis.
    let style = Style { theme: Theme::Page, ..LIGHT };
    check("analysis.svg", &board(&scene, "an analysis", style));
    let words = scene.words();
    assert!(words.ends_with("Forbidden to the other colour: i8 (double-three)."), "{words}");
}

#[test]
fn ten_offers_are_lettered() {
    let plays = "h8 swap g7 keep f8 swap e9 keep offer:i8,i9,j8,j9,j10,k8,k9,k10,k11,l8";
    let scene = scene("renju_taraguchi10_international", plays, true);
    let style = Style { theme: Theme::Dark, ..LIGHT };
    check("offers.svg", &board(&scene, "ten offers", style));
    assert!(
        scene
            .words()
            .ends_with("Offered: A i8, B i9, C j8, D j9, E j10, F k8, G k9, H k10, I k11, J l8.")
    );
}

#[test]
fn an_opening_shows_the_square_the_next_stone_belongs_in() {
    let scene = scene("renju_taraguchi10_international", "h8 keep", true);
    check("opening.svg", &board(&scene, "the second move", Style { theme: Theme::Print, ..LIGHT }));
}

#[test]
fn the_proof_of_a_foul_is_drawn() {
    let plays = "h8 a1 g8 a3 i9 a5 i10 o1 i8";
    let scene = scene("renju_free", plays, true);
    let svg = board(&scene, "a double three", LIGHT);
    assert!(svg.matches(r#"class="proof""#).count() >= 2, "two threes");
    check("double_three.svg", &svg);
    let plays = "h8 a1 i8 a3 k8 a5 l8 a7 g8 a9 j8";
    let svg = board(&self::scene("renju_free", plays, true), "an overline", LIGHT);
    assert_eq!(svg.matches(r#"class="proof""#).count(), 1, "one row of six");
}

#[test]
fn a_won_row_is_drawn_and_captured_stones_are_gone() {
    let five = scene("gomoku_exact5", "h8 a1 i8 a2 j8 a3 k8 a4 l8", true);
    assert!(five.words().ends_with("Won by the row: h8 to l8."), "{}", five.words());
    check("five.svg", &board(&five, "five in a row", LIGHT));
    let taken = scene("gomoku_capture", "j10 k10 a1 l10 m10", true);
    assert!(
        taken.words().contains("with 3 stones. Black: j10, a1, m10. Last move"),
        "{}",
        taken.words()
    );
    check("capture.svg", &board(&taken, "a pair is captured", LIGHT));
}

#[test]
fn a_game_that_is_over_shows_no_duties() {
    let goes_on = scene("renju_taraguchi10_international", MID_GAME, true);
    let over = scene("renju_taraguchi10_international", MID_GAME, false);
    assert!(goes_on.words().contains("Forbidden"));
    assert!(!over.words().contains("Forbidden"));
}

#[test]
fn a_title_cannot_leave_its_place() {
    let svg = board(&scene("renju_free", "", true), "</title><script>&", LIGHT);
    assert!(svg.contains("<title>&lt;/title&gt;&lt;script&gt;&amp;</title>"));
}

#[test]
fn strokes_need_no_font() {
    let scene = scene("renju_taraguchi10_international", MID_GAME, true);
    let style = Style { theme: Theme::Light, lettering: Lettering::Strokes };
    let svg = board(&scene, "for a renderer", style);
    let document = Document::parse(&svg).unwrap();
    assert!(!document.descendants().any(|node| node.has_tag_name("text")));
}

#[test]
fn every_position_of_every_ruleset_is_a_well_formed_picture() {
    let mut random = Random(8);
    for ruleset in Ruleset::ALL {
        for size in [ruleset.size, *ruleset.sizes.iter().max().unwrap()] {
            let mut position = Position::sized(ruleset, size).unwrap();
            let mut plays = Vec::new();
            loop {
                check_position(&position, &plays);
                if position.to_act().is_none() {
                    break;
                }
                let play = random.play(&position);
                position.advance(play).unwrap();
                plays.push(play);
            }
        }
    }
}

/// True for an element that is there after `turn` decisions, by its `data-at`.
fn is_at(node: Node<'_, '_>, turn: u32) -> bool {
    let Some(at) = node.attribute("data-at") else { return true };
    let (range, step) = at.split_once('/').unwrap_or((at, "1"));
    let (from, to) = range.split_once('-').unwrap_or((range, range));
    let [from, to, step]: [u32; 3] = [from, to, step].map(|part| part.parse().unwrap());
    (from..=to).contains(&turn) && (turn - from).is_multiple_of(step)
}

/// Distance by which the groups around an element move it.
fn moved(node: Node<'_, '_>) -> (f64, f64) {
    let moves = node.ancestors().filter_map(|group| {
        let place = group.attribute("transform")?.strip_prefix("translate(")?.strip_suffix(')')?;
        let (x, y) = place.split_once(' ')?;
        Some((x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap()))
    });
    moves.fold((0.0, 0.0), |(x, y), (more_x, more_y)| (x + more_x, y + more_y))
}

/// Every mark of a picture that is shown, as its class and content, without the order of drawing.
fn marks(svg: &str, is_shown: impl Fn(Node<'_, '_>) -> bool) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let mut marks = Vec::new();
    for node in document.descendants().filter(|node| node.ancestors().all(&is_shown)) {
        let get = |name| node.attribute(name).unwrap_or_default();
        let (right, down) = moved(node);
        let place = |x: &str, y: &str| {
            let number = |text: &str| if text.is_empty() { 0.0 } else { text.parse().unwrap() };
            format!("{:.1} {:.1}", number(x) + right, number(y) + down)
        };
        match (node.tag_name().name(), get("class")) {
            ("text", _) if node.parent().unwrap().attribute("class") != Some("coords") => {
                marks.push(format!("{} {}", node.text().unwrap(), place(get("x"), get("y"))));
            }
            ("path", class @ ("black" | "white")) => {
                let dots = get("d").split("h.01").filter_map(|dot| dot.strip_prefix('M'));
                let dots = dots.map(|dot| dot.split_once(' ').unwrap());
                marks.extend(dots.map(|(x, y)| format!("{class} {}", place(x, y))));
            }
            ("path", class @ ("won" | "proof" | "void" | "area")) => {
                marks.push(format!("{class} {}", get("d")));
            }
            ("circle", class) => marks.push(format!("{class} {}", place(get("cx"), get("cy")))),
            ("desc", _) => marks.push(node.text().unwrap().to_owned()),
            _ => {}
        }
    }
    marks.sort_unstable();
    marks
}

#[test]
fn a_timeline_shows_every_turn_as_its_own_picture_does() {
    let mut random = Random(11);
    for ruleset in Ruleset::ALL {
        let mut position = Position::new(ruleset);
        let mut plays: Vec<Play> = Vec::new();
        while position.to_act().is_some() && plays.len() < 60 {
            let play = random.play(&position);
            position.advance(play).unwrap();
            plays.push(play);
        }
        // The last turn may be a resignation, which is no play.
        for resigned in [false, true] {
            let turns = plays.len() as u32 + u32::from(resigned);
            let live = position.to_act().is_some() && !resigned;
            let whole = Timeline::of(Position::new(ruleset), plays.clone(), turns, live).unwrap();
            for turn in 0..=turns {
                let before = plays.iter().copied().take(turn as usize);
                let live = turn < turns || live;
                let scene = Scene::after(Position::new(ruleset), before, live).unwrap();
                let alone = board(&scene, "t", Style { theme: Theme::Page, ..LIGHT });
                let drawn = whole.draw(&scene, turn, "t");
                let wanted = marks(&alone, |_| true);
                let told = format!("{} after {turn} of {turns}", ruleset.id);
                assert_eq!(marks(&drawn, |node| is_at(node, turn)), wanted, "{told}");
                let visible = |node: Node<'_, '_>| node.attribute("display") != Some("none");
                assert_eq!(marks(&drawn, visible), wanted, "{told}, before a script has run");
            }
        }
    }
}

#[test]
fn a_forbidden_point_that_is_asked_about_is_proved() {
    let asked = scene("renju_free", "h8 a1 g8 a3 i9 a5 i10 o1", true).asking("i8".parse().unwrap());
    let svg = board(&asked, "why", LIGHT);
    assert_eq!(svg.matches(r#"class="proof""#).count(), 2, "two threes");
    assert!(
        svg.contains(r#"<g class="why"><title>Double-three: forbidden for Black. A stone on i8"#)
    );
    assert!(svg.contains(r#"class="asked-black""#));
    for quiet in ["j10", "h8"] {
        let scene = scene("renju_free", "h8 a1", true);
        let plain = board(&scene, "", LIGHT);
        assert_eq!(board(&scene.asking(quiet.parse().unwrap()), "", LIGHT), plain, "{quiet}");
    }
}

/// Checks that the picture has exactly the stones of the position, at the right places.
fn check_position(position: &Position, plays: &[Play]) {
    let start = Position::sized(position.ruleset(), position.board().size()).unwrap();
    let scene = Scene::after(start, plays.iter().copied(), true).unwrap();
    let theme = Theme::ALL[plays.len() % 4];
    let lettering =
        if plays.len().is_multiple_of(3) { Lettering::Strokes } else { Lettering::Text };
    let svg = board(&scene, "t", Style { theme, lettering });
    let document = Document::parse(&svg).unwrap();
    let size = position.board().size();
    let side = 64 + 32 * (u32::from(size) - 1);
    for (class, color) in [("black", renju::Color::Black), ("white", renju::Color::White)] {
        let mut wanted: Vec<String> = position
            .board()
            .stones_of(color)
            .map(|point| {
                let (x, y) =
                    (40 + 32 * u32::from(point.x()), side - 40 - 32 * u32::from(point.y()));
                format!("{x} {y}")
            })
            .collect();
        let mut drawn: Vec<String> = paths(&document, class)
            .flat_map(|path| path.split("h.01").filter(|dot| !dot.is_empty()))
            .map(|dot| dot.trim_start_matches('M').to_owned())
            .collect();
        wanted.sort_unstable();
        drawn.sort_unstable();
        assert_eq!(drawn, wanted);
    }
    let forbidden = position.forbidden_points().count();
    let marks = document.descendants().find(|node| node.attribute("class") == Some("forbidden"));
    if lettering == Lettering::Text {
        assert_eq!(
            marks.map_or(0, |group| group.children().filter(Node::is_element).count()),
            forbidden
        );
    }
    if matches!(position.ruleset().fouls, Fouls::None) {
        assert_eq!(forbidden, 0);
    }
    Document::parse(&thumbnail(&scene, "t")).unwrap();
}

fn paths<'a>(document: &'a Document<'_>, class: &'a str) -> impl Iterator<Item = &'a str> {
    document
        .descendants()
        .filter(move |node| node.attribute("class") == Some(class))
        .filter_map(|node| node.attribute("d"))
}
