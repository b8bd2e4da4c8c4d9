//! Ratings that somebody makes up: sixteen agents of one owner that resign to each other in real games,
//! and wins over the weaker house bots, calculated.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use arena::{
    Actor, Agent, Division, Game, HouseLevel, Intent, KeyHash, Opponent, Pace, Pool, Standing,
    Submission, Tag, Timestamp, Waiting, Write, seating,
};
use arena_support::{Act, Agent as Puppet, Client, Directory};
use renju::Ruleset;
use serde_json::Value;
use tokio::time::Instant;

use crate::run::start;

/// As many agents as one address may register in the deployment, nearly.
const AGENTS: usize = 16;

/// Rounds of games: as many as one agent has possible opponents.
const ROUNDS: usize = AGENTS - 1;

/// The longest a round waits for the next pair.
const ROUND_MAX: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(200);

/// Wins over each house bot.
const WINS: u32 = 1_000;

/// Time from one win over a house bot to the next: as fast as a simple script can, and so slowly that
/// the daily limit does not matter.
const PACES: [(&str, i64); 2] = [("in a row", 2_500), ("ten a day", 8_640_000)];

/// The ruleset of the games that are resigned at once, and of those resigned after the fifth stone.
const RESIGNED: [(&str, u32); 2] = [("gomoku_freestyle", 0), ("gomoku_exact5", 5)];

/// The ratings that come out, as a table.
pub(crate) async fn run(program: &Path) -> io::Result<String> {
    let data = Directory::new("load");
    let server = start(program, data.path(), &["--house-seconds", "0"]).await?;
    let client = server.client.clone();
    let mut puppets = Vec::with_capacity(AGENTS);
    for number in 0..AGENTS {
        puppets.push(Puppet::register(&client, &format!("puppet-{number:02}")).await);
    }
    let mut table =
        "| games | played | counted | rating | rank |\n|---|---:|---:|---:|---|\n".to_owned();
    for (ruleset, stones) in RESIGNED {
        let mut games = 0;
        for round in 1..=ROUNDS {
            games += resign_all(&puppets, ruleset, stones).await?;
            eprintln!("{ruleset}: round {round} of {ROUNDS}, {games} games");
        }
        let (counted, rating, rank) = best(&client, &puppets, ruleset).await;
        // A table cannot be written to badly.
        let _ = writeln!(
            table,
            "| {AGENTS} agents, one after another resigns after {stones} stones | {games} | \
             {counted} by the best | {rating} | {rank} |"
        );
    }
    server.try_stop().await?;
    let levels = HouseLevel::ALL[..4].iter();
    for (level, (pace, every_ms)) in levels.flat_map(|level| PACES.map(|pace| (level, pace))) {
        let standing = wins_over(*level, every_ms);
        let rating = standing.rating;
        let _ = writeln!(
            table,
            "| {WINS} wins over {}, {pace} | {WINS} | {} | {:.1} ± {:.1} | {} |",
            level.name(),
            standing.games(),
            rating.value,
            rating.deviation,
            if rating.is_provisional() { "provisional" } else { "established" },
        );
    }
    Ok(table)
}

/// One round: everybody joins, and of each pair the one who registered later resigns. How many games
/// there were.
async fn resign_all(puppets: &[Puppet], ruleset: &str, stones: u32) -> io::Result<usize> {
    for puppet in puppets {
        if puppet.playing().await.is_none() {
            puppet.join(ruleset).await;
        }
    }
    let mut games = 0;
    let mut until = Instant::now() + ROUND_MAX;
    while games < AGENTS / 2 && Instant::now() < until {
        tokio::time::sleep(PAUSE).await;
        // From the last: whoever is found playing first is the one to resign.
        for puppet in puppets.iter().rev() {
            let Some(game) = puppet.playing().await else { continue };
            play(puppets, &game, stones).await?;
            puppet.resign(&game).await.ok();
            games += 1;
            until = Instant::now() + ROUND_MAX;
        }
    }
    Ok(games)
}

/// Plays so many stones of a game. Only its players look: a key that looks at every game asks too often.
async fn play(puppets: &[Puppet], game: &str, stones: u32) -> io::Result<()> {
    let mut players = Vec::new();
    for puppet in puppets.iter().filter(|_| stones > 0) {
        if puppet.playing().await.as_deref() == Some(game) {
            players.push(puppet);
        }
    }
    if stones > 0 && players.len() != 2 {
        return Err(io::Error::other(format!("{game} has lost its players")));
    }
    for _ in 0..stones {
        // Both look, the one to act acts: there is no opening, so they take turns.
        for player in &players {
            if let Some((turn, act)) = Act::quiet(&player.game(game).await) {
                player.act(game, turn, act).send().await.ok();
                break;
            }
        }
    }
    Ok(())
}

/// Of the agent with the highest rating: how many games counted, its rating, its rank.
async fn best(client: &Client, puppets: &[Puppet], ruleset: &str) -> (u64, String, String) {
    let value = |rating: &Value| rating["rating"].as_f64().unwrap_or_default();
    let (mut name, mut best) = ("", Value::Null);
    for puppet in puppets {
        let profile = client.get(&format!("/agents/{}", puppet.name)).send().await.ok();
        let mut ratings = profile["ratings"].as_array().into_iter().flatten();
        if let Some(rating) = ratings.find(|rating| rating["ruleset"] == ruleset)
            && value(rating) > value(&best)
        {
            (name, best) = (&puppet.name, rating.clone());
        }
    }
    let board = format!("/leaderboard?ruleset={ruleset}&pool=standard");
    let board = client.get(&board).send().await.ok();
    let row = board["rows"].as_array().into_iter().flatten().find(|row| row["name"] == *name);
    let rank = row.map_or("not ranked".to_owned(), |row| format!("rank {}", row["rank"]));
    let games = best["games"].as_u64().unwrap_or_default();
    let rating = match best["deviation"].as_f64() {
        Some(deviation) => format!("{:.1} ± {deviation:.1}", value(&best)),
        None => "none".to_owned(),
    };
    (games, rating, rank)
}

/// The standing of a newcomer who wins so many games against one house bot and plays nothing else.
fn wins_over(level: HouseLevel, every_ms: i64) -> Standing {
    let ruleset = Ruleset::find("gomoku_freestyle").expect("the ruleset is known");
    let division = Division { ruleset, pool: Pool::Fast };
    let pace = Pace { house_after_ms: Some(0), ..Pace::STANDARD };
    let start = Timestamp::from_ms(1_790_000_000_000);
    let name = "puppet".parse().expect("a name");
    let mut agent = Agent::register(name, KeyHash([7; 32]), start);
    let mut standing = Standing::NEW;
    for win in 0..WINS {
        let since = start.plus(i64::from(win) * every_ms);
        let (until, rating) = (since.plus(60_000), standing.rating);
        let opponent = Opponent::House(level);
        agent.epoch += 1;
        agent.waiting = Some(Waiting { division, since, until, rating, opponent, rated: true });
        let seated = seating::seat_with_house(&agent, division, since, &pace);
        let mut seated_in = None;
        for write in seated.expect("it waits for this bot").writes {
            match write {
                Write::Seat { tally, .. } => agent.tally = tally,
                Write::Create { header, .. } => seated_in = Some(Game::start(*header)),
                _ => {}
            }
        }
        let game = seated_in.expect("it is seated in a game");
        let seat = game.seat_of(&agent.name).expect("the agent plays");
        // The bot resigns: a win like any other, for it is no newcomer.
        let resign = Submission { intent: Intent::Resign, tag: Tag([1; 8]) };
        let now = game.last_at().plus(1_000);
        let won = game.apply(Actor::Seat(!seat), resign, now, &pace).expect("anybody may resign");
        standing = standing.after(&won.into_commit().expect("a new decision"), seat);
    }
    standing
}
