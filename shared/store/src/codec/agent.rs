//! An agent's item, and what the pool index shows of it.
//!
//! | attribute | what |
//! |---|---|
//! | `pk`, `sk` | the name, `agent` |
//! | `bio`, `ow` | a line about itself, the owner |
//! | `kh`, `k2`, `kx` | the key's hash; the one before and until when it is good |
//! | `ca` | when it registered |
//! | `qe` | how often it has joined |
//! | `qp`, `qs` | index `pool`: `<division>` or `<division>#<shard>` and since when; only while it waits |
//! | `qx`, `qr` | until when the ticket is good, the rating it waits with; only while it waits |
//! | `qh` | whether a house bot will do: `later`, `never`, or the level wanted; only while it waits |
//! | `jk` | the latest join keys: tag and epoch, twelve bytes each |
//! | `cur` | the game it was last seated in |
//! | `op` | hashes of the latest opponents, four bytes each |
//! | `dt` | games of the day that count: the day (four bytes), hash (eight) and number (one) by opponent |
//! | `ns`, `cu` | how often it did not show up, until when it may not join |

use arena::pairing::Ticket;
use arena::{
    Agent, AgentName, Division, HouseLevel, KeyHash, Keys, Opponent, Rating, Tag, Tally, Timestamp,
    Waiting,
};
use aws_sdk_dynamodb::types::AttributeValue;

use super::{Item, Reader, Undecodable, bytes, fnv_64, number, text, time};
use crate::message::parse_division;

pub(crate) const SORT: &str = "agent";

/// Attributes that exist only while the agent is queued.
pub(crate) const WAITING: [&str; 5] = ["qp", "qs", "qx", "qr", "qh"];

pub(crate) fn key(name: &AgentName) -> Item {
    Item::from([("pk".to_owned(), text(name.as_str())), ("sk".to_owned(), text(SORT))])
}

pub(crate) fn encode(agent: &Agent, shards: u8) -> Item {
    let mut item = key(&agent.name);
    let mut set = |name: &str, value| item.insert(name.to_owned(), value);
    set("kh", bytes(agent.keys.current.0));
    if let Some((key, until)) = agent.keys.previous {
        set("k2", bytes(key.0));
        set("kx", time(until));
    }
    set("ca", time(agent.created));
    set("qe", number(agent.epoch));
    if let Some(waiting) = &agent.waiting {
        for (name, value) in encode_waiting(&agent.name, waiting, shards) {
            set(name, value);
        }
    }
    let optional = [
        ("bio", agent.bio.as_deref().map(text)),
        ("ow", agent.owner.as_deref().map(text)),
        ("jk", encode_joins(&agent.joins)),
        ("cur", agent.game.map(|game| text(game.to_string()))),
        ("op", encode_opponents(&agent.opponents)),
        ("dt", encode_tally(&agent.tally)),
        ("ns", (agent.no_shows > 0).then(|| number(agent.no_shows))),
        ("cu", agent.cool_until.map(time)),
    ];
    for (name, value) in optional {
        value.map(|value| set(name, value));
    }
    item
}

pub(crate) fn encode_waiting(
    name: &AgentName,
    waiting: &Waiting,
    shards: u8,
) -> [(&'static str, AttributeValue); WAITING.len()] {
    [
        ("qp", text(pool_key(waiting.division, shard(name, shards)))),
        ("qs", time(waiting.since)),
        ("qx", time(waiting.until)),
        ("qr", bytes(waiting.rating.to_bytes())),
        ("qh", text(house(waiting.opponent))),
    ]
}

fn house(opponent: Opponent) -> String {
    match opponent {
        Opponent::Anyone => "later".to_owned(),
        Opponent::Agents => "never".to_owned(),
        Opponent::House(level) => level.number().to_string(),
    }
}

fn read_house(text: &str) -> Option<Opponent> {
    match text {
        "later" => Some(Opponent::Anyone),
        "never" => Some(Opponent::Agents),
        number => number.parse().ok().and_then(HouseLevel::new).map(Opponent::House),
    }
}

/// `None` if there are none, as for the functions below.
pub(crate) fn encode_joins(joins: &[(Tag, u32)]) -> Option<AttributeValue> {
    let packed = joins.iter().flat_map(|(tag, epoch)| tag.0.into_iter().chain(epoch.to_le_bytes()));
    (!joins.is_empty()).then(|| bytes(packed.collect::<Vec<u8>>()))
}

pub(crate) fn encode_opponents(opponents: &[u32]) -> Option<AttributeValue> {
    let packed = opponents.iter().flat_map(|hash| hash.to_le_bytes());
    (!opponents.is_empty()).then(|| bytes(packed.collect::<Vec<u8>>()))
}

pub(crate) fn encode_tally(tally: &Tally) -> Option<AttributeValue> {
    let counts = tally.games.iter();
    let counts = counts.flat_map(|(hash, count)| hash.to_le_bytes().into_iter().chain([*count]));
    let packed = tally.day.to_le_bytes().into_iter().chain(counts).collect::<Vec<u8>>();
    (!tally.games.is_empty()).then(|| bytes(packed))
}

fn tally(reader: Reader<'_>) -> Result<Tally, Undecodable> {
    let Some(packed) = reader.optional_bytes("dt")? else { return Ok(Tally::default()) };
    let parts = packed.split_first_chunk::<4>().map(|(day, counts)| (day, counts.as_chunks::<9>()));
    let Some((day, (counts, []))) = parts else { return Err(reader.bad("dt")) };
    let count = |&[a, b, c, d, e, f, g, h, count]: &[u8; 9]| {
        (u64::from_le_bytes([a, b, c, d, e, f, g, h]), count)
    };
    Ok(Tally { day: u32::from_le_bytes(*day), games: counts.iter().map(count).collect() })
}

/// Partition of the queue's index. The first shard has no number, so that agents queued before a
/// deployment was sharded are still found.
pub(crate) fn pool_key(division: Division, shard: u8) -> String {
    if shard == 0 { division.to_string() } else { format!("{division}#{shard}") }
}

fn shard(name: &AgentName, shards: u8) -> u8 {
    (fnv_64(name.as_str()) % u64::from(shards.max(1))) as u8
}

pub(crate) fn decode(item: &Item) -> Result<Agent, Undecodable> {
    let reader = Reader(item);
    let previous = match reader.optional_time("kx")? {
        Some(until) => Some((KeyHash(reader.array("k2")?), until)),
        None => None,
    };
    let game = match reader.optional_text("cur")? {
        Some(_) => Some(reader.parsed("cur")?),
        None => None,
    };
    Ok(Agent {
        name: reader.parsed("pk")?,
        bio: reader.optional_text("bio")?.map(str::to_owned),
        owner: reader.optional_text("ow")?.map(str::to_owned),
        keys: Keys { current: KeyHash(reader.array("kh")?), previous },
        created: reader.time("ca")?,
        epoch: reader.number("qe")?,
        waiting: waiting(reader)?,
        game,
        opponents: opponents(reader)?,
        tally: tally(reader)?,
        joins: joins(reader)?,
        no_shows: reader.optional_number("ns")?.unwrap_or(0),
        cool_until: reader.optional_time("cu")?,
    })
}

/// A ticket from the queue's index, and its end.
pub(crate) fn decode_ticket(item: &Item) -> Result<(Ticket, Timestamp), Undecodable> {
    let reader = Reader(item);
    let ticket = Ticket {
        name: reader.parsed("pk")?,
        epoch: reader.number("qe")?,
        since: reader.time("qs")?,
        rating: rating(reader)?,
        recent: opponents(reader)?,
        owner: reader.optional_text("ow")?.map(fnv_64),
        opponent: opponent(reader)?,
    };
    Ok((ticket, reader.time("qx")?))
}

fn waiting(reader: Reader<'_>) -> Result<Option<Waiting>, Undecodable> {
    let Some(pool) = reader.optional_text("qp")? else { return Ok(None) };
    let division = pool.split_once('#').map_or(pool, |(division, _)| division);
    Ok(Some(Waiting {
        division: parse_division(division).ok_or_else(|| reader.unknown("qp"))?,
        since: reader.time("qs")?,
        until: reader.time("qx")?,
        rating: rating(reader)?,
        opponent: opponent(reader)?,
    }))
}

fn opponent(reader: Reader<'_>) -> Result<Opponent, Undecodable> {
    read_house(reader.text("qh")?).ok_or_else(|| reader.unknown("qh"))
}

fn rating(reader: Reader<'_>) -> Result<Rating, Undecodable> {
    reader.rating("qr")
}

fn opponents(reader: Reader<'_>) -> Result<Vec<u32>, Undecodable> {
    Ok(reader.chunks("op")?.iter().map(|&hash| u32::from_le_bytes(hash)).collect())
}

fn joins(reader: Reader<'_>) -> Result<Vec<(Tag, u32)>, Undecodable> {
    let join = |&[t0, t1, t2, t3, t4, t5, t6, t7, e0, e1, e2, e3]: &[u8; 12]| {
        (Tag([t0, t1, t2, t3, t4, t5, t6, t7]), u32::from_le_bytes([e0, e1, e2, e3]))
    };
    Ok(reader.chunks("jk")?.iter().map(join).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{GameId, Pool};
    use renju::Ruleset;

    fn agent() -> Agent {
        let division = Division { ruleset: &Ruleset::ALL[3], pool: Pool::Fast };
        let at = Timestamp::from_ms;
        Agent {
            name: "alice".parse().unwrap(),
            bio: Some("plays".to_owned()),
            owner: Some("lab".to_owned()),
            keys: Keys { current: KeyHash([1; 32]), previous: Some((KeyHash([2; 32]), at(5))) },
            created: at(1),
            epoch: 7,
            waiting: Some(Waiting {
                division,
                since: at(2),
                until: at(3),
                rating: Rating::NEW,
                opponent: Opponent::Agents,
            }),
            game: Some(GameId::from_bytes([9; 10])),
            opponents: vec![1, u32::MAX],
            tally: arena::Tally { day: 20_000, games: vec![(7, 1), (u64::MAX, 255)] },
            joins: vec![(Tag([4; 8]), 6), (Tag([5; 8]), 7)],
            no_shows: 2,
            cool_until: Some(at(4)),
        }
    }

    #[test]
    fn agents_round_trip() {
        let (busy, new) = (
            agent(),
            Agent::register("bob".parse().unwrap(), KeyHash([1; 32]), Timestamp::from_ms(1)),
        );
        for agent in [busy, new] {
            for shards in [1, 2, 64] {
                assert_eq!(decode(&encode(&agent, shards)), Ok(agent.clone()));
            }
        }
    }

    #[test]
    fn a_ticket_says_which_opponents_will_do() {
        let levels = HouseLevel::ALL.map(Opponent::House);
        for opponent in [Opponent::Anyone, Opponent::Agents].into_iter().chain(levels) {
            let mut agent = agent();
            agent.waiting.as_mut().unwrap().opponent = opponent;
            let item = encode(&agent, 1);
            assert_eq!(decode(&item), Ok(agent));
            assert_eq!(decode_ticket(&item).unwrap().0.opponent, opponent);
        }
    }

    #[test]
    fn a_ticket_is_what_pairing_needs_of_an_agent() {
        let agent = agent();
        let (ticket, until) = decode_ticket(&encode(&agent, 1)).unwrap();
        assert_eq!(until, Timestamp::from_ms(3));
        assert_eq!((ticket.name, ticket.epoch, ticket.recent), (agent.name, 7, agent.opponents));
        assert_eq!(ticket.owner, Some(fnv_64("lab")));
    }

    #[test]
    fn damage_is_told_apart() {
        for name in
            ["pk", "kh", "k2", "kx", "ca", "qe", "qp", "qs", "qx", "qr", "qh", "jk", "cur", "dt"]
        {
            let mut item = encode(&agent(), 1);
            item.insert(name.to_owned(), AttributeValue::Bool(true));
            assert!(!decode(&item).unwrap_err().is_newer(), "{name}");
        }
        let mut item = encode(&agent(), 1);
        item.insert("qp".to_owned(), text("gomoku_of_tomorrow/fast"));
        assert!(decode(&item).unwrap_err().is_newer(), "a ruleset of a newer version");
        let mut item = encode(&agent(), 1);
        item.insert("op".to_owned(), bytes([1, 2, 3]));
        assert!(decode(&item).is_err(), "three bytes are no list of four each");
        let mut item = encode(&agent(), 1);
        item.insert("dt".to_owned(), bytes([1, 2, 3, 4, 5]));
        assert!(decode(&item).is_err(), "a day and one byte");
        for wish in ["", "7", "-1", "soon"] {
            let mut item = encode(&agent(), 1);
            item.insert("qh".to_owned(), text(wish));
            assert!(decode(&item).unwrap_err().is_newer(), "{wish:?} is no wish of this version");
        }
    }
}
