//! The item of a game. Of what follows from the log, only its length is stored.

use arena::{
    AgentName, Division, Game, GameId, Header, Holder, HouseLevel, KeyDigest, Player, Pool, Rating,
    Timestamp, Uncounted,
};
use arena_protocol::Stored;
use renju::{BySeat, Ruleset, Seat};

use super::{Item, PK, Reader, Undecodable, Why, bytes, fnv_64, log, number, sharded, text, time};

/// Length of the log; every write of an entry requires it.
pub(crate) const TURN: &str = "turn_number";
pub(crate) const LOG: &str = "l";
/// Names, such as `alice bob`.
const PLAYERS: &str = "p";
/// Ratings at the start, twice twelve bytes.
const RATINGS: &str = "r";
/// Ruleset (four bytes), pool (one), time for a decision in ms (four), for a game in ms (four),
/// reason why it does not count (one). Old games lack the last two; they count and have no limit.
const TERMS: &str = "o";
const CREATED: &str = "c";
/// Time of the next timer; absent when the game is over.
pub(crate) const ARMED: &str = "ar";
/// Partition of the index `status`: `live#<shard>` or `over#<ruleset>`.
pub(crate) const LIST: &str = "ix";
/// Sort key of the index: the start of a live game, the end of a finished one.
pub(crate) const LISTED_AT: &str = "ia";

pub(crate) fn key(id: GameId) -> Item {
    Item::from([(PK.to_owned(), text(id.to_string()))])
}

pub(crate) fn encode_new(header: &Header, armed: Timestamp, shards: u8) -> Item {
    let players = &header.players;
    let mut ratings = players.first.rating.to_bytes().to_vec();
    ratings.extend(players.second.rating.to_bytes());
    let mut item = key(header.id);
    item.extend(
        [
            (TURN, number(0)),
            (LOG, bytes(log::encode(&[]))),
            (PLAYERS, text(format!("{} {}", players.first.name, players.second.name))),
            (RATINGS, bytes(ratings)),
            (TERMS, bytes(terms(header))),
            (CREATED, time(header.created)),
            (ARMED, time(armed)),
            (LIST, text(live_key(shard(header.id, shards)))),
            (LISTED_AT, time(header.created)),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    for seat in Seat::BOTH {
        let key = players[seat].key().map(|key| bytes(key.0));
        item.extend(key.map(|key| (digest_of(seat).to_owned(), key)));
        let previous = header.previous[seat].map(|id| bytes(id.bytes()));
        item.extend(previous.map(|id| (previous_of(seat).to_owned(), id)));
    }
    item
}

/// The attribute of a seat's key digest. One for each, so that two rotations never overwrite each
/// other; a house bot has none.
pub(crate) const fn digest_of(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "ka",
        Seat::Second => "kb",
    }
}

/// The attribute of a seat's link to its agent's game before.
const fn previous_of(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "pa",
        Seat::Second => "pb",
    }
}

/// Partition of the index of live games.
pub(crate) fn live_key(shard: u8) -> String {
    format!("live#{shard}")
}

/// Partition of the index of finished games.
pub(crate) fn over_key(ruleset: &Ruleset, shard: u8) -> String {
    sharded(format!("over#{}", ruleset.id), shard)
}

pub(crate) fn shard(id: GameId, shards: u8) -> u8 {
    id.bytes()[0] % shards.max(1)
}

pub(crate) fn decode(item: &Item) -> Result<Stored, Undecodable> {
    let reader = Reader(item);
    let header = header(reader)?;
    let entries = log::decode(reader.bytes(LOG)?).map_err(|why| reader.because(Why::Log(why)))?;
    let turn_number: u32 = reader.number(TURN)?;
    if turn_number as usize != entries.len() {
        let entries = entries.len();
        return Err(reader.because(Why::Length { turn_number, entries }));
    }
    let game = Game::restore(header, entries).map_err(|why| reader.because(Why::Broken(why)))?;
    Ok(Stored { game, armed: reader.optional_time(ARMED)? })
}

/// The seat of an agent, if it is a player, and the link to its game before; of a game that need not be
/// decodable otherwise.
pub(crate) fn link_of(
    item: &Item,
    agent: &AgentName,
) -> Result<Option<(Seat, Option<GameId>)>, Undecodable> {
    let reader = Reader(item);
    let names = names(reader)?;
    let seat = Seat::BOTH.into_iter().find(|&seat| names[seat] == agent.as_str());
    seat.map(|seat| Ok((seat, previous(reader, seat)?))).transpose()
}

fn names(reader: Reader<'_>) -> Result<BySeat<&str>, Undecodable> {
    let names = reader.text(PLAYERS)?.split_once(' ');
    let (first, second) = names.ok_or_else(|| reader.bad(PLAYERS))?;
    Ok(BySeat { first, second })
}

fn previous(reader: Reader<'_>, seat: Seat) -> Result<Option<GameId>, Undecodable> {
    let name = previous_of(seat);
    let id = reader.optional_bytes(name)?.map(<[u8; 10]>::try_from).transpose();
    Ok(id.map_err(|_| reader.bad(name))?.map(GameId::from_bytes))
}

fn header(reader: Reader<'_>) -> Result<Header, Undecodable> {
    let BySeat { first, second } = names(reader)?;
    let [first_rating, second_rating] = reader.chunks::<12>(RATINGS)? else {
        return Err(reader.bad(RATINGS));
    };
    let player = |name: &str, seat, rating| {
        let name: AgentName = name.parse().map_err(|_| reader.bad(PLAYERS))?;
        let holder = match HouseLevel::of(&name) {
            Some(level) => Holder::House(level),
            None if name.is_reserved() => return Err(reader.unknown(PLAYERS)),
            None => Holder::Agent(KeyDigest(reader.array(digest_of(seat))?)),
        };
        let rating = Rating::from_bytes(rating).ok_or_else(|| reader.bad(RATINGS))?;
        Ok(Player { name, holder, rating })
    };
    let players = BySeat {
        first: player(first, Seat::First, first_rating)?,
        second: player(second, Seat::Second, second_rating)?,
    };
    let terms = reader.bytes(TERMS)?;
    if terms.len() < TERMS_MIN {
        return Err(reader.bad(TERMS));
    }
    let Terms { division, turn_ms, budget_ms, uncounted } =
        read_terms(terms).ok_or_else(|| reader.unknown(TERMS))?;
    let previous =
        BySeat { first: previous(reader, Seat::First)?, second: previous(reader, Seat::Second)? };
    let (id, created) = (reader.parsed(PK)?, reader.time(CREATED)?);
    Ok(Header { id, division, turn_ms, budget_ms, uncounted, players, previous, created })
}

/// The attribute [`TERMS`], unpacked.
#[derive(PartialEq, Debug)]
struct Terms {
    division: Division,
    turn_ms: u32,
    budget_ms: Option<u32>,
    uncounted: Option<Uncounted>,
}

fn terms(header: &Header) -> Vec<u8> {
    let mut terms = fingerprint(header.division.ruleset).to_vec();
    terms.push(pool_code(header.division.pool));
    terms.extend(header.turn_ms.to_le_bytes());
    if let Some(budget_ms) = header.budget_ms {
        terms.extend(budget_ms.to_le_bytes());
        terms.push(uncounted_code(header.uncounted));
    }
    terms
}

/// Length of the oldest form; newer versions append fields.
const TERMS_MIN: usize = 9;

fn read_terms(terms: &[u8]) -> Option<Terms> {
    let (fixed, limits) = terms.split_first_chunk::<TERMS_MIN>()?;
    let [a, b, c, d, pool, turn_ms @ ..] = *fixed;
    let ruleset = Ruleset::ALL.iter().find(|ruleset| fingerprint(ruleset) == [a, b, c, d])?;
    let pool = Pool::ALL.into_iter().find(|&known| pool_code(known) == pool)?;
    let (budget_ms, uncounted) = match *limits {
        [] => (None, None),
        [a, b, c, d, code] => {
            let known = [None].into_iter().chain(Uncounted::ALL.map(Some));
            let uncounted = known.into_iter().find(|&known| uncounted_code(known) == code)?;
            (Some(u32::from_le_bytes([a, b, c, d])), uncounted)
        }
        _ => return None,
    };
    let turn_ms = u32::from_le_bytes(turn_ms);
    Some(Terms { division: Division { ruleset, pool }, turn_ms, budget_ms, uncounted })
}

const fn uncounted_code(uncounted: Option<Uncounted>) -> u8 {
    match uncounted {
        None => 0,
        Some(Uncounted::OpponentLimit) => 1,
        Some(Uncounted::RatingGap) => 2,
        Some(Uncounted::EarlyResignation) => 3,
        Some(Uncounted::NoShow) => 4,
        Some(Uncounted::Void) => 5,
        Some(Uncounted::Unrated) => 6,
    }
}

/// Four bytes for a ruleset's id, which never changes. Numbers would need a table.
fn fingerprint(ruleset: &Ruleset) -> [u8; 4] {
    (fnv_64(ruleset.id) as u32).to_le_bytes()
}

const fn pool_code(pool: Pool) -> u8 {
    match pool {
        Pool::Fast => 1,
        Pool::Standard => 2,
        Pool::Slow => 3,
    }
}

#[cfg(test)]
mod tests;
