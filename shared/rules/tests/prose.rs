//! The crate against the slow checker, on random boards.
//!
//! `RENJU_BOARDS` is the number of boards to judge, `RENJU_SEED` the first seed. A failure names
//! its seed; `RENJU_SEED=<seed> RENJU_BOARDS=1` repeats that board.

mod slow;

use renju::{
    Board, ByColor, Color, Direction, Distinct, Ending, Five, Mark, Outcome, Play, Point, Position,
    Precedence, Ruleset, SIZE_MAX, SIZE_MIN,
};
use slow::capture::{Duel, Status, captured};
use slow::foul::{Made, made};
use slow::random::{Kind, Random};
use slow::{Cell, Grid, along, offer, point};

const PRECEDENCES: [Precedence; 2] = [Precedence::FiveFirst, Precedence::FoulFirst];

#[test]
fn uniform_boards_are_judged_as_the_prose_says() {
    judge(Kind::Uniform);
}

#[test]
fn local_clusters_are_judged_as_the_prose_says() {
    judge(Kind::Local);
}

#[test]
fn dense_stars_are_judged_as_the_prose_says() {
    judge(Kind::Star);
}

#[test]
fn edges_are_judged_as_the_prose_says() {
    judge(Kind::Edge);
}

#[test]
fn black_chains_are_judged_as_the_prose_says() {
    judge(Kind::Chain);
}

#[test]
fn melees_are_judged_as_the_prose_says() {
    judge(Kind::Melee);
}

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("the variable holds a number"))
}

/// Seeds of a test that judges one in `one_in` of the boards.
fn seeds(one_in: u64) -> std::ops::Range<u64> {
    let first = number("RENJU_SEED", 1);
    first..first + number("RENJU_BOARDS", 30_000).div_ceil(one_in)
}

/// Mostly the board of Renju, sometimes the largest or another.
fn side(random: &mut Random) -> u8 {
    match random.below(8) {
        0 => SIZE_MAX,
        1 | 2 => random.within(SIZE_MIN.into(), SIZE_MAX.into()) as u8,
        _ => 15,
    }
}

/// Judges every point of a sixth of the boards for both colours.
fn judge(kind: Kind) {
    let [mut boards, mut fives, mut fouls] = [0, 0, 0];
    for seed in seeds(6) {
        let mut random = Random::new(seed);
        let size = side(&mut random);
        let grid = kind.board(&mut random, size);
        let board = grid.to_board();
        for color in Color::BOTH {
            let slow: Vec<(Point, Option<Made>)> = grid
                .cells()
                .map(|at| (point(at), grid.is_empty(at).then(|| made(&grid, at, color))))
                .collect();
            for precedence in PRECEDENCES {
                compare(&board, &slow, color, precedence)
                    .unwrap_or_else(|why| panic!("{kind:?} seed {seed}: {why}\n{grid}"));
            }
            fives += slow.iter().filter(|(_, made)| made.is_some_and(|made| made.five)).count();
            fouls += slow.iter().filter(|(_, made)| made.is_some_and(|m| m.foul.is_some())).count();
        }
        boards += 1;
    }
    eprintln!("{kind:?}: {boards} boards, {fives} fives, {fouls} fouls");
    assert!(boards > 0 && fives > 0 && fouls > 0, "{kind:?} boards show nothing");
}

fn compare(
    board: &Board,
    slow: &[(Point, Option<Made>)],
    color: Color,
    precedence: Precedence,
) -> Result<(), String> {
    let marks = board.marks(color, precedence);
    let mut listed = marks.iter();
    let mut fouls = marks.fouls();
    for &(at, made) in slow {
        let mark = made.map_or(Mark::Quiet, |made| made.mark(precedence));
        let (whole, single) = (marks.get(at), board.mark(at, color, precedence));
        if whole != mark || single != mark {
            return Err(format!(
                "{at} for {color} by {precedence:?} is {mark:?}, marks has {whole:?}, mark {single:?}"
            ));
        }
        if mark != Mark::Quiet && listed.next() != Some((at, mark)) {
            return Err(format!("the marks do not list {at} in its place"));
        }
        if matches!(mark, Mark::Foul(foul) if fouls.next() != Some((at, foul))) {
            return Err(format!("the fouls do not list {at} in their place"));
        }
    }
    match listed.next() {
        Some((at, mark)) => Err(format!("the marks list {at} as {mark:?}")),
        None => Ok(()),
    }
}

#[test]
fn rows_win_as_the_prose_says() {
    for seed in seeds(12) {
        let mut random = Random::new(seed);
        let kind = random.pick(&Kind::ALL);
        let size = side(&mut random);
        let grid = kind.board(&mut random, size);
        let color = random.color(50);
        for id in ["gomoku_exact5", "gomoku_freestyle"] {
            let ruleset = Ruleset::find(id).unwrap();
            let pairs = ByColor::default();
            let position = Position::analysis(ruleset, grid.to_board(), color, pairs).unwrap();
            for at in grid.empty_cells() {
                let after = grid.with(at, color);
                let wins = match ruleset.five[color] {
                    Five::Exactly => after.has_exact_five(at),
                    Five::OrMore => after.longest_row(at) >= 5,
                };
                let expected = if wins {
                    Some(Outcome { winner: Some(color), by: Ending::Five })
                } else if after.empty_cells().next().is_none() {
                    Some(Outcome { winner: None, by: Ending::BoardFull })
                } else {
                    None
                };
                let outcome = position.play(Play::Place(point(at))).unwrap().outcome();
                assert_eq!(outcome, expected, "{id} seed {seed} {color} on {}\n{grid}", point(at));
            }
        }
    }
}

#[test]
fn every_five_and_six_of_the_largest_board_is_seen_up_to_its_edges() {
    let won = Some(Outcome { winner: Some(Color::White), by: Ending::Five });
    let play = |id: &str, board: Board, last: Point| {
        let ruleset = Ruleset::find(id).unwrap();
        let position = Position::analysis(ruleset, board, Color::White, ByColor::default());
        position.unwrap().play(Play::Place(last)).unwrap().outcome()
    };
    let mut rows = [0; 2];
    for first in Point::all(SIZE_MAX) {
        for (direction, length) in Direction::ALL.into_iter().flat_map(|d| [(d, 5), (d, 6)]) {
            let row: Option<Vec<Point>> =
                (0..length).map(|step| first.step(direction, step)).collect();
            let Some(row) = row else { continue };
            // The stone at an end of a six would find a five on the board.
            let last_stones = if length == 5 { &row[..] } else { &row[1..5] };
            for &last in last_stones {
                let mut board = Board::new(SIZE_MAX);
                for &stone in row.iter().filter(|&&stone| stone != last) {
                    board.put(stone, Color::White);
                }
                let context = format!("{row:?}, {last} last");
                let exact = won.filter(|_| length == 5);
                assert_eq!(play("gomoku_exact5", board, last), exact, "{context}");
                assert_eq!(play("gomoku_freestyle", board, last), won, "{context}");
            }
            rows[usize::from(length == 6)] += 1;
        }
    }
    // Twenty ranks and columns, and the diagonals, with room for 16 fives or 15 sixes a side.
    assert_eq!(rows, [2 * 20 * 16 + 2 * 16 * 16, 2 * 20 * 15 + 2 * 15 * 15]);
}

#[test]
fn the_capture_game_goes_as_the_prose_says() {
    let [mut legal, mut barred, mut pairs, mut ended, mut pending] = [0; 5];
    for seed in seeds(12) {
        let mut random = Random::new(seed);
        let kind = if seed % 2 == 0 { Kind::Melee } else { random.pick(&Kind::ALL) };
        let size = random.pick(&[15, 19]);
        let duel = Duel {
            grid: kind.board(&mut random, size),
            to_move: random.color(50),
            pairs: ByColor { black: random.below(5) as u8, white: random.below(5) as u8 },
            captures_exempt: random.below(2) == 0,
        };
        // No game reaches a position whose mover has a five: it won, or was broken.
        if duel.grid.has_five_or_more(duel.to_move) {
            continue;
        }
        let id = if duel.captures_exempt { "gomoku_capture_42" } else { "gomoku_capture" };
        let Duel { grid, to_move, .. } = duel;
        let ruleset = Ruleset::find(id).unwrap();
        let position = Position::analysis(ruleset, grid.to_board(), to_move, duel.pairs).unwrap();
        for at in grid.empty_cells() {
            let place = || format!("{id} seed {seed} {to_move} on {}\n{grid}", point(at));
            let played = position.play(Play::Place(point(at)));
            assert_eq!(played.is_ok(), duel.is_legal(at), "{}", place());
            let Ok(played) = played else {
                barred += 1;
                continue;
            };
            let taken = position.captured_by(point(at)).expect("stones are captured here");
            let mut taken: Vec<_> = taken.points().iter().copied().map(slow::cell).collect();
            taken.sort();
            let mut expected = captured(&grid, at, to_move);
            expected.sort();
            assert_eq!(taken, expected, "{}", place());
            let after = duel.after(at);
            assert!(Grid::of(played.board()) == after.grid, "{}", place());
            assert_eq!(played.pairs(), after.pairs, "{}", place());
            let status = duel.status(at);
            assert_eq!(played.outcome(), outcome(status, &after), "{status:?} {}", place());
            legal += 1;
            pairs += taken.len() / 2;
            ended += usize::from(played.outcome().is_some());
            pending += usize::from(status == Status::FivePending);
        }
    }
    eprintln!(
        "captures: {legal} moves took {pairs} pairs, {barred} barred, {ended} ended the game, {pending} fives pending"
    );
}

/// Outcome expected for a status.
fn outcome(status: Status, after: &Duel) -> Option<Outcome> {
    let mover = !after.to_move;
    let (winner, by) = match status {
        Status::WinCapture => (Some(mover), Ending::Pairs),
        Status::LoseFive => (Some(!mover), Ending::Five),
        Status::WinFive => (Some(mover), Ending::Five),
        Status::Draw => (None, Ending::BoardFull),
        Status::FivePending | Status::Ongoing => return None,
    };
    Some(Outcome { winner, by })
}

#[test]
fn fifth_moves_are_the_same_when_the_prose_says_so() {
    let [mut pairs, mut point_twins, mut figure_twins] = [0, 0, 0];
    for seed in seeds(100) {
        let mut random = Random::new(seed);
        let turn = random.pick(&offer::TURNS);
        let centre = (random.within(6, 8), random.within(6, 8));
        let turned = |(x, y): Cell| along(centre, turn((x - centre.0, y - centre.1)), 1);
        let grid = four_stones(&mut random, turned);
        let board = grid.to_board();
        let cells: Vec<_> = grid.empty_cells().collect();
        for _ in 0..100 {
            let a = random.pick(&cells);
            let b = if random.below(2) == 0 { turned(a) } else { random.pick(&cells) };
            if !grid.is_empty(b) {
                continue;
            }
            let same = |distinct: Distinct| {
                let same = offer::same(&grid, a, b, distinct);
                let fast = distinct.same(&board, point(a), point(b));
                assert_eq!(
                    fast,
                    same,
                    "seed {seed} {distinct:?} {} {}\n{grid}",
                    point(a),
                    point(b)
                );
                usize::from(same && a != b)
            };
            point_twins += same(Distinct::Point);
            figure_twins += same(Distinct::Figure);
            pairs += 1;
        }
    }
    eprintln!(
        "offers: {pairs} pairs, {point_twins} symmetric points, {figure_twins} congruent figures"
    );
}

/// Two stones of each colour near the centre, often images of each other.
fn four_stones(random: &mut Random, turned: impl Fn(Cell) -> Cell) -> Grid {
    let mut grid = Grid::new(15);
    for color in Color::BOTH {
        let mut last = None;
        while grid.stones_of(color).count() < 2 {
            let anywhere = (random.within(5, 9), random.within(5, 9));
            let at = last.filter(|_| random.below(4) > 0).map_or(anywhere, &turned);
            if grid.is_empty(at) {
                grid = grid.with(at, color);
                last = Some(at);
            }
        }
    }
    grid
}
