//! The item of an agent, and its projection in the index `pool`.

use arena::pairing::Ticket;
use arena::{
    Agent, AgentName, HouseLevel, KeyHash, Keys, Opponent, Rating, Tag, Tally, Timestamp, Waiting,
};
use aws_sdk_dynamodb::types::AttributeValue;
use renju::Seat;

use super::{
    EXPIRES, Item, PK, Reader, SK, Undecodable, bytes, division_key, fnv_64, number, seconds, text,
    time,
};
use crate::message::parse_division;

pub(crate) const BIO: &str = "bio";
pub(crate) const URL: &str = "ur";
pub(crate) const OWNER: &str = "ow";
pub(crate) const KEY: &str = "kh";
pub(crate) const PREVIOUS_KEY: &str = "k2";
pub(crate) const PREVIOUS_UNTIL: &str = "kx";
pub(crate) const CREATED: &str = "ca";
/// Join counter.
pub(crate) const EPOCH: &str = "qe";
/// Partition of the index: `<division>` or `<division>#<shard>`.
pub(crate) const POOL: &str = "qp";
/// Sort key of the index: time of the join.
pub(crate) const SINCE: &str = "qs";
/// End of the ticket.
pub(crate) const UNTIL: &str = "qx";
pub(crate) const RATING: &str = "qr";
/// House bots accepted: `later`, `never`, or a level, perhaps with the seat chosen; then ` unrated` if
/// the game is to be. One attribute, because those of an index cannot change.
pub(crate) const OPPONENT: &str = "qh";
/// The latest join keys: tag and epoch, twelve bytes each.
pub(crate) const JOINS: &str = "jk";
pub(crate) const LAST_GAME: &str = "cur";
/// Hashes of the latest opponents, four bytes each.
pub(crate) const OPPONENTS: &str = "op";
/// Games of the day that count: the day (four bytes); hash (eight) and number (one) by opponent.
pub(crate) const TALLY: &str = "dt";
pub(crate) const NO_SHOWS: &str = "ns";
pub(crate) const COOL_UNTIL: &str = "cu";
/// Reason of a ban; absent if there is none.
pub(crate) const BAN: &str = "bn";

pub(crate) const SORT: &str = "agent";

/// Attributes that exist only while the agent is queued.
pub(crate) const WAITING: [&str; 5] = [POOL, SINCE, UNTIL, RATING, OPPONENT];

pub(crate) fn key(name: &AgentName) -> Item {
    Item::from([(PK.to_owned(), text(name.as_str())), (SK.to_owned(), text(SORT))])
}

pub(crate) fn encode(agent: &Agent, shards: u8) -> Item {
    let mut item = key(&agent.name);
    let mut set = |name: &str, value| item.insert(name.to_owned(), value);
    set(KEY, bytes(agent.keys.current.0));
    if let Some((key, until)) = agent.keys.previous {
        set(PREVIOUS_KEY, bytes(key.0));
        set(PREVIOUS_UNTIL, time(until));
    }
    set(CREATED, time(agent.created));
    set(EPOCH, number(agent.epoch));
    if let Some(waiting) = &agent.waiting {
        for (name, value) in encode_waiting(&agent.name, waiting, shards) {
            set(name, value);
        }
    }
    let optional = [
        (BIO, agent.bio.as_deref().map(text)),
        (URL, agent.url.as_deref().map(text)),
        (OWNER, agent.owner.as_deref().map(text)),
        (JOINS, encode_joins(&agent.joins)),
        (LAST_GAME, agent.game.map(|game| text(game.to_string()))),
        (OPPONENTS, encode_opponents(&agent.opponents)),
        (TALLY, encode_tally(&agent.tally)),
        (NO_SHOWS, (agent.no_shows > 0).then(|| number(agent.no_shows))),
        (COOL_UNTIL, agent.cool_until.map(time)),
        (EXPIRES, agent.expires.map(seconds)),
        (BAN, agent.ban.as_deref().map(text)),
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
        (POOL, text(division_key(waiting.division, shard(name, shards)))),
        (SINCE, time(waiting.since)),
        (UNTIL, time(waiting.until)),
        (RATING, bytes(waiting.rating.to_bytes())),
        (OPPONENT, text(wish(waiting.opponent, waiting.rated))),
    ]
}

const UNRATED: &str = " unrated";
const FIRST: &str = " first";
const SECOND: &str = " second";

fn wish(opponent: Opponent, rated: bool) -> String {
    let house = match opponent {
        Opponent::Anyone => "later".to_owned(),
        Opponent::Agents => "never".to_owned(),
        Opponent::House(level) => level.number().to_string(),
        Opponent::HouseAs(level, Seat::First) => format!("{}{FIRST}", level.number()),
        Opponent::HouseAs(level, Seat::Second) => format!("{}{SECOND}", level.number()),
    };
    if rated { house } else { house + UNRATED }
}

fn read_wish(text: &str) -> Option<(Opponent, bool)> {
    let (house, rated) = text.strip_suffix(UNRATED).map_or((text, true), |house| (house, false));
    let opponent = match house {
        "later" => Opponent::Anyone,
        "never" => Opponent::Agents,
        house => {
            let mut seats = [(FIRST, Seat::First), (SECOND, Seat::Second)].into_iter();
            let chosen = seats
                .find_map(|(word, seat)| house.strip_suffix(word).map(|number| (number, seat)));
            let level = |number: &str| number.parse().ok().and_then(HouseLevel::new);
            match chosen {
                Some((number, seat)) => Opponent::HouseAs(level(number)?, seat),
                None => Opponent::House(level(house)?),
            }
        }
    };
    Some((opponent, rated))
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
    let Some(packed) = reader.optional_bytes(TALLY)? else { return Ok(Tally::default()) };
    let parts = packed.split_first_chunk::<4>().map(|(day, counts)| (day, counts.as_chunks::<9>()));
    let Some((day, (counts, []))) = parts else { return Err(reader.bad(TALLY)) };
    let count = |&[a, b, c, d, e, f, g, h, count]: &[u8; 9]| {
        (u64::from_le_bytes([a, b, c, d, e, f, g, h]), count)
    };
    Ok(Tally { day: u32::from_le_bytes(*day), games: counts.iter().map(count).collect() })
}

/// The shard of an agent's ticket and of its standings.
pub(super) fn shard(name: &AgentName, shards: u8) -> u8 {
    (fnv_64(name.as_str()) % u64::from(shards.max(1))) as u8
}

pub(crate) fn decode(item: &Item) -> Result<Agent, Undecodable> {
    let reader = Reader(item);
    let previous = match reader.optional_time(PREVIOUS_UNTIL)? {
        Some(until) => Some((KeyHash(reader.array(PREVIOUS_KEY)?), until)),
        None => None,
    };
    let game = match reader.optional_text(LAST_GAME)? {
        Some(_) => Some(reader.parsed(LAST_GAME)?),
        None => None,
    };
    Ok(Agent {
        name: reader.parsed(PK)?,
        bio: reader.optional_text(BIO)?.map(str::to_owned),
        url: reader.optional_text(URL)?.map(str::to_owned),
        owner: reader.optional_text(OWNER)?.map(str::to_owned),
        keys: Keys { current: KeyHash(reader.array(KEY)?), previous },
        created: reader.time(CREATED)?,
        expires: expires(reader)?,
        epoch: reader.number(EPOCH)?,
        waiting: waiting(reader)?,
        game,
        opponents: opponents(reader)?,
        tally: tally(reader)?,
        joins: joins(reader)?,
        no_shows: reader.optional_number(NO_SHOWS)?.unwrap_or(0),
        cool_until: reader.optional_time(COOL_UNTIL)?,
        ban: reader.optional_text(BAN)?.map(str::to_owned),
    })
}

/// A ticket from the queue's index, and its end.
pub(crate) fn decode_ticket(item: &Item) -> Result<(Ticket, Timestamp), Undecodable> {
    let reader = Reader(item);
    let (opponent, rated) = wanted(reader)?;
    let ticket = Ticket {
        name: reader.parsed(PK)?,
        epoch: reader.number(EPOCH)?,
        since: reader.time(SINCE)?,
        rating: rating(reader)?,
        recent: opponents(reader)?,
        owner: reader.optional_text(OWNER)?.map(fnv_64),
        opponent,
        rated,
    };
    Ok((ticket, reader.time(UNTIL)?))
}

fn waiting(reader: Reader<'_>) -> Result<Option<Waiting>, Undecodable> {
    let Some(pool) = reader.optional_text(POOL)? else { return Ok(None) };
    let division = pool.split_once('#').map_or(pool, |(division, _)| division);
    let (opponent, rated) = wanted(reader)?;
    Ok(Some(Waiting {
        division: parse_division(division).ok_or_else(|| reader.unknown(POOL))?,
        since: reader.time(SINCE)?,
        until: reader.time(UNTIL)?,
        rating: rating(reader)?,
        opponent,
        rated,
    }))
}

fn wanted(reader: Reader<'_>) -> Result<(Opponent, bool), Undecodable> {
    read_wish(reader.text(OPPONENT)?).ok_or_else(|| reader.unknown(OPPONENT))
}

fn expires(reader: Reader<'_>) -> Result<Option<Timestamp>, Undecodable> {
    let seconds: Option<i64> = reader.optional_number(EXPIRES)?;
    let ms = seconds.map(|seconds| seconds.checked_mul(1_000).ok_or_else(|| reader.bad(EXPIRES)));
    Ok(ms.transpose()?.map(Timestamp::from_ms))
}

fn rating(reader: Reader<'_>) -> Result<Rating, Undecodable> {
    reader.rating(RATING)
}

fn opponents(reader: Reader<'_>) -> Result<Vec<u32>, Undecodable> {
    Ok(reader.chunks(OPPONENTS)?.iter().map(|&hash| u32::from_le_bytes(hash)).collect())
}

fn joins(reader: Reader<'_>) -> Result<Vec<(Tag, u32)>, Undecodable> {
    let join = |&[t0, t1, t2, t3, t4, t5, t6, t7, e0, e1, e2, e3]: &[u8; 12]| {
        (Tag([t0, t1, t2, t3, t4, t5, t6, t7]), u32::from_le_bytes([e0, e1, e2, e3]))
    };
    Ok(reader.chunks(JOINS)?.iter().map(join).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Division, GameId, Pool};
    use renju::Ruleset;

    fn agent() -> Agent {
        let division = Division { ruleset: &Ruleset::ALL[3], pool: Pool::Fast };
        let at = Timestamp::from_ms;
        Agent {
            name: "alice".parse().unwrap(),
            bio: Some("plays".to_owned()),
            url: Some("https://alice.example".to_owned()),
            owner: Some("lab".to_owned()),
            keys: Keys { current: KeyHash([1; 32]), previous: Some((KeyHash([2; 32]), at(5))) },
            created: at(1),
            expires: Some(at(1_760_000_000_000)),
            epoch: 7,
            waiting: Some(Waiting {
                division,
                since: at(2),
                until: at(3),
                rating: Rating::NEW,
                opponent: Opponent::Agents,
                rated: false,
            }),
            game: Some(GameId::from_bytes([9; 10])),
            opponents: vec![1, u32::MAX],
            tally: arena::Tally { day: 20_000, games: vec![(7, 1), (u64::MAX, 255)] },
            joins: vec![(Tag([4; 8]), 6), (Tag([5; 8]), 7)],
            no_shows: 2,
            cool_until: Some(at(4)),
            ban: Some("spam".to_owned()),
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
        let houses = HouseLevel::ALL.into_iter().flat_map(|level| {
            let seated = Seat::BOTH.map(|seat| Opponent::HouseAs(level, seat));
            [Opponent::House(level)].into_iter().chain(seated)
        });
        for opponent in [Opponent::Anyone, Opponent::Agents].into_iter().chain(houses) {
            for rated in [true, false] {
                let mut agent = agent();
                let waiting = agent.waiting.as_mut().unwrap();
                (waiting.opponent, waiting.rated) = (opponent, rated);
                let item = encode(&agent, 1);
                assert_eq!(decode(&item), Ok(agent));
                let (ticket, _) = decode_ticket(&item).unwrap();
                assert_eq!((ticket.opponent, ticket.rated), (opponent, rated));
            }
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
        for name in [
            "pk", "kh", "k2", "kx", "ca", "qe", "qp", "qs", "qx", "qr", "qh", "jk", "cur", "dt",
            "bn", "ex", "bio", "ur",
        ] {
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
        for wish in ["", "7", "-1", "soon", " unrated", "later rated", "later first", " first"] {
            let mut item = encode(&agent(), 1);
            item.insert("qh".to_owned(), text(wish));
            assert!(decode(&item).unwrap_err().is_newer(), "{wish:?} is no wish of this version");
        }
    }
}
