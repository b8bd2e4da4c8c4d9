//! The incremental state against a field built from the same stones, and against itself before.

use super::*;

/// Asserts that everything the search reads equals a field built from the same stones.
pub(crate) fn assert_fresh(field: &Field, context: &str) {
    let fresh = Field::of(field.ruleset, &field.board, field.to_move, field.pairs);
    for point in field.board.empty_points() {
        let cell = Cell::of(point).index();
        assert_eq!(field.shapes[cell], fresh.shapes[cell], "the shapes of {point}: {context}");
    }
    assert_eq!(field.classes, fresh.classes, "{context}");
    assert_eq!(field.counts, fresh.counts, "{context}");
    assert_eq!(field.sets, fresh.sets, "{context}");
    assert_eq!(field.lanes, fresh.lanes, "{context}");
    assert_eq!(field.hash, fresh.hash, "{context}");
}

/// Asserts that undoing every move restored everything, even under the stones.
pub(crate) fn assert_same(field: &Field, before: &Field, context: &str) {
    assert_eq!(field.board, before.board, "{context}");
    for point in Point::all(field.board.size()) {
        let cell = Cell::of(point).index();
        assert_eq!(field.shapes[cell], before.shapes[cell], "the shapes of {point}: {context}");
    }
    assert_eq!(
        (field.to_move, field.pairs, field.last, field.hash),
        (before.to_move, before.pairs, before.last, before.hash),
        "{context}"
    );
    assert_eq!(field.frames.len(), before.frames.len(), "{context}");
    assert_eq!(field.traces.len(), before.traces.len(), "{context}");
    assert_fresh(field, context);
}

/// An empty cell near the middle of the board, where stones crowd; a capture half the time there is
/// one.
fn crowded(field: &Field, random: &mut Random) -> Option<Cell> {
    let centre = Point::centre(field.board.size());
    let captures = field.capturing_cells(field.to_move);
    let mut cells: Vec<Cell> = captures.iter().collect();
    if cells.is_empty() || random.below(2) == 0 {
        let points = field.board.empty_points().filter(|point| point.ring(centre) <= 3);
        cells = points.map(Cell::of).collect();
    }
    (!cells.is_empty()).then(|| cells[random.below(cells.len() as u64) as usize])
}

#[test]
fn any_making_and_undoing_leaves_what_a_fresh_field_says() {
    for ruleset in Ruleset::ALL {
        let mut captures_undone = 0;
        for seed in 0..if ruleset.pairs_to_win.is_some() { 4 } else { 1 } {
            let mut random = Random::new(seed);
            let board = Board::new(ruleset.size);
            let mut field = Field::of(ruleset, &board, Color::Black, [0; 2]);
            let mut before: Vec<Field> = Vec::new();
            for step in 0..300 {
                let context = format!("{} seed {seed} step {step}", ruleset.id);
                // In waves, so that lines get long and are undone completely.
                let down = if step / 50 % 2 == 0 { 4 } else { 12 };
                let cell = crowded(&field, &mut random);
                match cell.filter(|_| random.below(16) >= down) {
                    Some(cell) => {
                        before.push(field.clone());
                        field.play(cell);
                        assert_fresh(&field, &context);
                    }
                    None => {
                        let Some(before) = before.pop() else { continue };
                        captures_undone += u32::from(field.pairs != before.pairs);
                        field.undo();
                        assert_same(&field, &before, &context);
                    }
                }
                // Asked now and then, so that the last known sum is one or more moves back.
                if random.below(3) > 0 {
                    let mut fresh = Field::of(ruleset, &field.board, field.to_move, field.pairs);
                    assert_eq!(field.sum(), fresh.sum(), "{context}");
                }
            }
            while let Some(before) = before.pop() {
                field.undo();
                assert_same(&field, &before, ruleset.id);
            }
            assert!(field.board.stones() == 0 && field.traces.is_empty());
        }
        assert!(ruleset.pairs_to_win.is_none() || captures_undone > 50, "{captures_undone}");
    }
}

#[test]
fn a_stone_captured_and_given_back_leaves_its_cell_as_it_was() {
    let ruleset = Ruleset::find("gomoku_capture").unwrap();
    let mut field = Field::of(ruleset, &Board::new(ruleset.size), Color::Black, [0; 2]);
    let empty = field.clone();
    // Black takes k10 and l10 from m10, with stones about that change what those cells make.
    for point in ["j10", "k10", "k12", "l10", "l12", "a1", "m10"] {
        field.make(point.parse().unwrap());
    }
    assert_eq!(field.pairs, [1, 0]);
    assert_fresh(&field, "after the capture");
    for _ in 0..7 {
        field.undo();
        assert_fresh(&field, "on the way back");
    }
    assert_same(&field, &empty, "at the start");
}

/// More than 255 cells of one class: every third point of every third rank has a stone.
#[test]
fn a_board_full_of_threes_is_counted() {
    let ruleset = Ruleset::find("gomoku_freestyle").unwrap();
    let mut board = Board::new(20);
    for point in Point::all(20).filter(|point| point.x() % 3 == 0 && point.y() % 3 == 0) {
        board.put(point, Color::Black);
    }
    let mut field = Field::of(ruleset, &board, Color::White, [0; 2]);
    let before = field.clone();
    for point in ["k11", "b2"] {
        assert!(field.count(Class::Three, Color::Black) > 255);
        for class in Class::ALL.into_iter().skip(1) {
            let cells = field.sets[side(Color::Black)][class as usize].len();
            assert_eq!(u32::from(field.count(class, Color::Black)), cells, "{class:?}");
        }
        field.make(point.parse().unwrap());
        assert_fresh(&field, point);
    }
    field.undo();
    field.undo();
    assert_same(&field, &before, "after both");
}
