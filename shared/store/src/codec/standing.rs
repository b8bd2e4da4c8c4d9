//! The item of a standing, and its projection in the index `board`.

use arena::{AgentName, Division, GameId, Standing};

use super::agent::shard;
use super::{Item, PK, Reader, SK, Undecodable, bytes, division_key, number, text, time};
use crate::message::parse_division;

pub(crate) const RATING: &str = "rt";
pub(crate) const RATED_AT: &str = "rd";
/// Number of games; every write of a standing requires it.
pub(crate) const GAMES: &str = "g";
/// Number of games that did not count; absent if none.
const UNCOUNTED: &str = "u";
/// Won, lost, drawn, timeouts; four bytes each.
pub(crate) const COUNTS: &str = "n";
/// The latest games, ten bytes each, newest last.
const RECENT: &str = "re";
/// Partition of the index: a shard of the division; absent while the rating is provisional.
pub(crate) const BOARD: &str = "lp";
/// Sort key of the index: the lower bound of the rating in hundredths of a point.
pub(crate) const RANK: &str = "ls";

const SORT: &str = "rating#";

pub(crate) fn key(agent: &AgentName, division: Division) -> Item {
    key_at(agent.as_str(), division)
}

/// The key of a standing whose agent need not exist: a position in an index.
pub(crate) fn key_at(agent: &str, division: Division) -> Item {
    let sort = format!("{SORT}{division}");
    Item::from([(PK.to_owned(), text(agent)), (SK.to_owned(), text(sort))])
}

/// The item of a standing with at least one game.
pub(crate) fn encode(
    agent: &AgentName,
    division: Division,
    standing: &Standing,
    shards: u8,
) -> Item {
    let counters = [standing.won, standing.lost, standing.drawn, standing.timeouts];
    let counters: Vec<u8> = counters.into_iter().flat_map(u32::to_le_bytes).collect();
    let recent: Vec<u8> = standing.recent.iter().flat_map(|game| game.bytes()).collect();
    let mut item = key(agent, division);
    item.extend(
        [
            (RATING, bytes(standing.rating.to_bytes())),
            (GAMES, number(standing.listed())),
            (COUNTS, bytes(counters)),
            (RECENT, bytes(recent)),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    if standing.uncounted > 0 {
        item.insert(UNCOUNTED.to_owned(), number(standing.uncounted));
    }
    if !standing.rating.is_provisional() {
        let board = division_key(division, shard(agent, shards));
        item.insert(BOARD.to_owned(), text(board));
        item.insert(RANK.to_owned(), number(rank(standing)));
    }
    item.extend(standing.rated_at.map(|at| (RATED_AT.to_owned(), time(at))));
    item
}

/// Sort key of the leaderboard.
fn rank(standing: &Standing) -> i64 {
    (standing.rating.conservative() * 100.0).round() as i64
}

pub(crate) fn is_standing(item: &Item) -> bool {
    Reader(item).text(SK).is_ok_and(|sort| sort.starts_with(SORT))
}

pub(crate) fn decode(item: &Item) -> Result<(Division, Standing), Undecodable> {
    let reader = Reader(item);
    let (division, mut standing) = decode_row(item)?;
    standing.recent = reader.chunks(RECENT)?.iter().map(|&id| GameId::from_bytes(id)).collect();
    standing.uncounted = reader.optional_number(UNCOUNTED)?.unwrap_or(0);
    if reader.number::<u32>(GAMES)? != standing.listed() {
        return Err(reader.bad(GAMES));
    }
    Ok((division, standing))
}

/// A standing from the leaderboard's index: without the latest games and the uncounted ones.
pub(crate) fn decode_row(item: &Item) -> Result<(Division, Standing), Undecodable> {
    let reader = Reader(item);
    let division = reader.text(SK)?.strip_prefix(SORT).and_then(parse_division);
    let [won, lost, drawn, timeouts] = reader.chunks::<4>(COUNTS)? else {
        return Err(reader.bad(COUNTS));
    };
    let [won, lost, drawn, timeouts] =
        [won, lost, drawn, timeouts].map(|count| u32::from_le_bytes(*count));
    let rating = reader.rating(RATING)?;
    let rated_at = reader.optional_time(RATED_AT)?;
    let standing = Standing { rating, rated_at, won, lost, drawn, timeouts, ..Standing::NEW };
    Ok((division.ok_or_else(|| reader.unknown(SK))?, standing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::item_bytes;
    use arena::{Pool, Rating, Timestamp};
    use renju::Ruleset;

    fn standing(recent: usize) -> Standing {
        Standing {
            rating: Rating { value: 1712.5, deviation: 61.25, ..Rating::NEW },
            rated_at: Some(Timestamp::from_ms(1_760_000_000_123)),
            won: 300,
            lost: 20,
            drawn: 1,
            timeouts: 3,
            uncounted: 70_000,
            recent: (0..recent).map(|n| GameId::from_bytes([n as u8; 10])).collect(),
        }
    }

    #[test]
    fn standings_round_trip_and_never_take_a_second_write_unit() {
        let agent = "a".repeat(32).parse().unwrap();
        let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
        for recent in [1, 64] {
            let standing = standing(recent);
            let item = encode(&agent, division, &standing, 1);
            assert_eq!(decode(&item), Ok((division, standing.clone())));
            assert_eq!(
                decode_row(&item),
                Ok((division, Standing { recent: Vec::new(), uncounted: 0, ..standing }))
            );
            println!("bytes of a standing with {recent} games: {}", item_bytes(&item));
            assert!(item_bytes(&item) <= 1_024);
        }
    }

    #[test]
    fn the_best_have_the_highest_rank() {
        assert_eq!(rank(&standing(1)), 159_000);
        assert_eq!(rank(&Standing::NEW), 80_000);
    }

    #[test]
    fn only_what_is_certain_is_ranked() {
        let agent = "alice".parse().unwrap();
        let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
        for (deviation, is_ranked) in [(110.0, true), (111.0, false)] {
            let rating = Rating { deviation, ..Rating::NEW };
            let item = encode(&agent, division, &Standing { rating, ..standing(1) }, 1);
            assert_eq!(["lp", "ls"].map(|name| item.contains_key(name)), [is_ranked; 2]);
        }
    }

    #[test]
    fn a_standing_from_before_some_games_did_not_count_is_read() {
        let agent = "alice".parse().unwrap();
        let division = Division { ruleset: &Ruleset::ALL[0], pool: Pool::Standard };
        let old = Standing { uncounted: 0, ..standing(1) };
        let item = encode(&agent, division, &old, 1);
        assert!(!item.contains_key("u"));
        assert_eq!(item["g"], number(321));
        assert_eq!(decode(&item), Ok((division, old)));
    }
}
