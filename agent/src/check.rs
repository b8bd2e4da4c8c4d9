//! `renju check`: one JSON request a line in, one JSON answer a line out, in the same order.
//!
//! A line that cannot be answered gets an `error` of its own; no line stops the run. The answers are
//! [`arena_wire::line`]'s, the judgement that of `POST /rules/check`: nothing here judges a move.

use std::io::{self, Read, Write};

use arena_wire::line::Answer;

use crate::lines::{LINE_MAX, Line, Lines};

/// Description of the subcommand for its help page.
pub const ABOUT: &str = "\
Ask the referee: one JSON object a line on standard input, one a line on standard output, in order.

A board is a string of its points from rank 1 up, each rank from column a: `.` is empty, `x` Black,
`o` White. The answer is the same string with every empty point classed:

  .  an ordinary move            6  forbidden: six or more in a row
  5  wins                        4  forbidden: two fours
                                 3  forbidden: two threes

In Renju the classes are Black's, whoever is to move, and where a five is also a foul the ruleset
decides. In Gomoku they are those of the side to move, and `5` is any move that wins at once; with
captures `3` is a double-three, which is rejected.

Fields of a line:
  ruleset          one of those below (always needed)
  board            the points; or
  moves            the plays of a game: \"h8\", \"swap\", \"keep\", \"put-two\", \"declare:3\",
                   \"offer:d4,e5,...\" or a list of points; or
  stones, offers   the first four stones of a Taraguchi-10 game and the fifth moves offered
  move             one more move to judge, after `board` or `moves`
  to_move          \"x\" or \"o\", with `board` (default: x)
  size             the side of the board, where the ruleset allows several
  pairs            the pairs x and o have captured, with `board`
  captures_exempt  true: a capturing move may make a double-three (as gomoku_capture_42)
  explain          true, with `move`: also tell which rows, fours and threes the stone makes

A point is \"h8\" (column h, rank 8), {\"x\":7,\"y\":7} (both from zero) or its place in the board string.

Fields of an answer:
  points           the board with its classes, for `board` and `moves`
  phase, to_act, to_move, black, white, winner, ending, pairs
                   how the game stands after `moves`; the seats are first and second
  legal            whether `move` is neither rejected nor a foul; a rejected one gets nothing else
  mark             the class of the point for the side that moves
  captured, pairs  the places of the captured stones in the board string, and the pairs afterwards
  status           win_capture, lose_five, lose_foul, win_five, five_pending, draw or ongoing
  explanation      the rows, fours and threes of the stone, and why a three does not count
  offers           ok, or what is wrong: count, range, occupied, duplicate or symmetric

Rulesets:
  renju_taraguchi10_international, renju_taraguchi10_rif, renju_soosorv8, renju_soosorv8_rif,
  renju_free, gomoku_exact5, gomoku_freestyle, gomoku_swap2_exact5, gomoku_swap2, gomoku_capture,
  gomoku_capture_42

A line that makes no sense is answered with {\"error\":\"...\"}; the run goes on and ends with exit code 1.";

/// Examples for the help page.
pub const EXAMPLES: &str = r#"Examples:
  $ echo '{"ruleset":"gomoku_freestyle","size":5,"board":"xxxx.ooo.................","to_move":"x"}' | renju check
  {"points":"xxxx5ooo................."}

  $ echo '{"ruleset":"gomoku_freestyle","size":5,"board":"xxxx.ooo.................","move":"e1"}' | renju check
  {"legal":true,"mark":"5","status":"win_five"}

  $ echo '{"ruleset":"renju_taraguchi10_international","moves":["h8","swap","h8"]}' | renju check
  {"error":"play 3 (h8): h8 is occupied"}

  Every position of a file, as fast as it can be read:
  $ renju check < positions.jsonl > answers.jsonl"#;

/// Answers every line of `input` on `output` and says how many of them got an error.
///
/// An answer is not held back while the next line is awaited.
pub fn run(input: impl Read, mut output: impl Write) -> io::Result<u64> {
    let mut lines = Lines::new(input);
    let mut bad = 0;
    while let Some(line) = lines.read()? {
        let answer = match line {
            Line::Text(text) => Answer::to(text),
            Line::TooLong => Answer::error(&format!("the line is longer than {LINE_MAX} bytes")),
        };
        bad += u64::from(answer.is_error());
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        if lines.may_wait() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(bad)
}
