//! The rules, the engine and the drawing of boards for the pages.
//!
//! Requests and answers are text. The first line of a request is a command and its words, the lines
//! after it hold points (`h8i9j10`) or a board. An answer starts with `ok`, or with `error` and a
//! sentence. No clock is read: a search is limited by its nodes.
//!
//! | request | lines after it | answer |
//! |---|---|---|
//! | `classes <ruleset> <size> <color>` | the board, as a flat string | what every point is, as a flat string |
//! | `show <ruleset> <size>` | stones; ghost stones; best move | state, classes, drawing |
//! | `think <ruleset> <size> <nodes>` | stones | score for Black, depth, nodes, line |
//! | `fours <ruleset> <size> <nodes>` | stones | a win by fours of each colour |
//! | `review <ruleset> <size> <nodes>` | stones | number of positions to value |
//! | `value` | | values the last position that has no value; its score for Black |
//! | `judge` | | accuracy of both colours; each move with scores for Black, judgement and line |

mod exports;
mod request;
mod session;
