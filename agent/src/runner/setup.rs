//! A match with checked arguments.

use std::path::PathBuf;

use renju::{BySeat, Record, Ruleset};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::bad_match::BadMatch;
use super::clock::TimeControl;
use super::journal::{self, Entrant, Past, Terms};
use super::openings;
use super::options::Options;
use super::per_player::{self, PerPlayer};
use super::player::{Bot, Player};
use super::sprt::Sprt;
use crate::brain::{self, Random, Settings};

/// Number of games of two bots, unless told otherwise.
const ROUNDS: u32 = 10;

/// The same of a test, which usually ends before.
const ROUNDS_OF_TEST: u32 = 100_000;

/// Most games of two bots.
pub(super) const ROUNDS_MAX: u32 = 1_000_000;

/// Most bots. All games of such a league can be numbered.
pub(super) const BOTS_MAX: usize = 64;

const _: () = assert!(ROUNDS_MAX as u64 * (BOTS_MAX * BOTS_MAX / 2) as u64 <= u32::MAX as u64);

/// A match that can be played.
#[derive(Clone, Debug)]
pub struct Setup {
    bots: Vec<Bot>,
    encounters: Vec<(Player, Player)>,
    /// Start of every game without openings.
    empty: Record,
    openings: Vec<Record>,
    /// Number of games of each encounter.
    rounds: u32,
    /// Seed of this match, if it matters and was not given.
    pub(super) news_of_seed: Option<u64>,
    pub(super) terms: Terms,
    pub(super) sprt: Option<Sprt>,
    pub(super) draw_after: Option<u16>,
    pub(super) concurrency: u32,
    pub(super) output: Option<PathBuf>,
    pub(super) sgf: Option<PathBuf>,
    pub(super) json: Option<PathBuf>,
    pub(super) resume: Option<PathBuf>,
    /// Games that are in the file of `resume`.
    pub(super) past: Option<Past>,
}

/// One game to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pairing {
    /// Number, from one.
    pub(super) number: u32,
    pub(super) players: BySeat<Player>,
    /// Start of the game.
    pub(super) start: Record,
}

impl Setup {
    /// Checks the arguments. Starts no bot and changes no file.
    pub fn new(options: &Options) -> Result<Setup, BadMatch> {
        let bots = bots(options)?;
        let python = bots.iter().any(|bot| bot.python().is_some());
        let default = if python { "gomoku_exact5" } else { "renju_free" };
        let ruleset = Ruleset::find(options.ruleset.as_deref().unwrap_or(default))?;
        for (index, bot) in bots.iter().enumerate() {
            check(Player::new(index), bot, ruleset)?;
        }
        let empty = Record::sized(ruleset, options.board_size.unwrap_or(ruleset.size))?;
        let mut openings = match &options.openings {
            Some(path) => openings::read(path, &empty)?,
            None => Vec::new(),
        };
        let past = match &options.resume {
            Some(path) => journal::read(path)?,
            None => None,
        };
        let drawn = || u64::from(Random::new().next() as u32);
        let of_past = past.as_ref().map(|past| past.terms.seed);
        let seed = options.seed.or(of_past).unwrap_or_else(drawn);
        if options.shuffle {
            shuffle(&mut openings, seed);
        }
        let rounds = rounds(options, openings.len())?;
        let alternate = options.alternate || is_paired(options) || !openings.is_empty();
        let is_random = !alternate || options.shuffle || bots.iter().any(Bot::is_house);
        let terms = Terms {
            bots: bots.iter().map(entrant).collect(),
            gauntlet: options.gauntlet,
            ruleset: ruleset.id.to_owned(),
            board_size: empty.position().board().size(),
            openings: digest(&openings),
            alternate,
            draw_after: options.draw_after,
            sprt: options.sprt.map(|sprt| sprt.to_string()),
            seed,
        };
        let setup = Setup {
            encounters: encounters(bots.len(), options.gauntlet),
            bots,
            empty,
            openings,
            rounds,
            news_of_seed: (is_random && options.seed.is_none()).then_some(seed),
            terms,
            sprt: options.sprt,
            draw_after: options.draw_after,
            concurrency: options.concurrency,
            output: options.output.clone(),
            sgf: options.sgf.clone(),
            json: options.json.clone(),
            resume: options.resume.clone(),
            past: None,
        };
        setup.after(past)
    }

    /// Continues a match, if the file is one of this match.
    fn after(self, past: Option<Past>) -> Result<Setup, BadMatch> {
        let (Some(path), Some(past)) = (&self.resume, past) else { return Ok(self) };
        if let Some((term, before, now)) = journal::difference(&past.terms, &self.terms) {
            return Err(BadMatch::OtherMatch { path: path.clone(), term, before, now });
        }
        for game in past.games.values() {
            let number = game.number;
            let is_planned = (1..).contains(&number) && {
                let BySeat { first, second } = self.pairing(number).players;
                (first, second) == (game.first, game.second)
                    && game.winner.is_none_or(|winner| winner == first || winner == second)
            };
            if !is_planned {
                return Err(BadMatch::OtherGame { path: path.clone(), number });
            }
        }
        Ok(Setup { past: Some(past), ..self })
    }

    /// Number of games of the match.
    pub(super) fn games(&self) -> u32 {
        self.rounds * self.encounters.len() as u32
    }

    /// Pairs of players that play each other.
    pub(super) fn encounters(&self) -> &[(Player, Player)] {
        &self.encounters
    }

    pub(super) fn players(&self) -> impl Iterator<Item = (Player, &Bot)> {
        self.bots.iter().enumerate().map(|(index, bot)| (Player::new(index), bot))
    }

    pub(super) fn bot(&self, player: Player) -> &Bot {
        &self.bots[player.index()]
    }

    /// True if the results of game pairs are worth telling: both games have the same opening.
    pub(super) fn has_pairs(&self) -> bool {
        self.sprt.is_some() || !self.openings.is_empty()
    }

    /// Specification for [`brain::open`]. A house player gets a different seed in every game, so
    /// that games differ and the match can be repeated.
    pub(super) fn spec(&self, player: Player, number: u32) -> String {
        let bot = self.bot(player);
        if bot.is_house() && !bot.spec.contains('@') {
            let of_game = mix(self.terms.seed, number);
            format!("{}@{}", bot.spec, mix(of_game, 1 + player.index() as u32))
        } else {
            bot.spec.clone()
        }
    }

    /// The game with this number, from one. It depends only on the terms. Every two games have the
    /// same opening and players; all encounters play an opening before the next one is taken.
    pub(super) fn pairing(&self, number: u32) -> Pairing {
        let index = number as usize - 1;
        let seed = self.terms.seed;
        let in_order = match self.terms.alternate {
            true => index.is_multiple_of(2),
            false => mix(seed, number) & 1 == 0,
        };
        let pair = index / 2;
        let (one, two) = self.encounters[pair % self.encounters.len()];
        let (first, second) = if in_order { (one, two) } else { (two, one) };
        let opening = pair / self.encounters.len() % self.openings.len().max(1);
        let start = self.openings.get(opening).unwrap_or(&self.empty).clone();
        Pairing { number, players: BySeat { first, second }, start }
    }
}

/// True if every opening must be played by both sides.
fn is_paired(options: &Options) -> bool {
    options.sprt.is_some() || !options.others.is_empty()
}

/// Number of games of two bots.
fn rounds(options: &Options, openings: usize) -> Result<u32, BadMatch> {
    if options.sprt.is_some() && !options.others.is_empty() {
        return Err(BadMatch::TestOfMany);
    }
    let rounds = options.rounds.unwrap_or(match options.sprt {
        Some(_) => ROUNDS_OF_TEST,
        None if openings == 0 => ROUNDS,
        None => u32::try_from(2 * openings).unwrap_or(u32::MAX).min(ROUNDS_MAX),
    });
    match is_paired(options) && !rounds.is_multiple_of(2) {
        true => Err(BadMatch::OddRounds(rounds)),
        false => Ok(rounds),
    }
}

/// Everyone against everyone, or the first against each other one.
fn encounters(bots: usize, gauntlet: bool) -> Vec<(Player, Player)> {
    let hosts = if gauntlet { 1 } else { bots };
    (0..hosts)
        .flat_map(|one| (one + 1..bots).map(move |two| (Player::new(one), Player::new(two))))
        .collect()
}

fn bots(options: &Options) -> Result<Vec<Bot>, BadMatch> {
    let given: Vec<&String> =
        [&options.one, &options.two].into_iter().chain(&options.others).collect();
    known_players("--tc", &options.tc, given.len())?;
    known_players("--nodes", &options.nodes, given.len())?;
    known_players("--option", &options.option, given.len())?;
    let bot = |(index, given): (usize, &String)| {
        let player = Player::new(index);
        let timeout = TimeControl::per_move(options.timeout);
        let time = per_player::of(&options.tc, player).copied().unwrap_or(timeout);
        let for_it = options.option.iter().filter(|option| option.is_for(player));
        let settings = Settings {
            nodes: per_player::of(&options.nodes, player).copied(),
            options: for_it
                .map(|option| (option.value.name.clone(), option.value.value.clone()))
                .collect(),
        };
        Bot::new(given, time, settings)
    };
    Ok(given.into_iter().enumerate().map(bot).collect())
}

fn known_players<T>(
    flag: &'static str,
    given: &[PerPlayer<T>],
    bots: usize,
) -> Result<(), BadMatch> {
    match given.iter().filter_map(|each| each.player).find(|player| player.index() >= bots) {
        Some(player) => Err(BadMatch::NoPlayer { flag, player, bots }),
        None => Ok(()),
    }
}

fn check(player: Player, bot: &Bot, ruleset: &Ruleset) -> Result<(), BadMatch> {
    if let Some(path) = bot.python().filter(|path| !path.is_file()) {
        return Err(BadMatch::NoFile(path.to_owned()));
    }
    let given = || bot.given.clone();
    let unfit = |why| BadMatch::Bot { given: given(), why };
    let mut brain = brain::open(&bot.spec).map_err(unfit)?;
    brain.check(ruleset).map_err(unfit)?;
    let configured = brain.configure(&bot.settings);
    configured.map_err(|why| BadMatch::Setting { player, given: given(), why })
}

fn entrant(bot: &Bot) -> Entrant {
    let option = |(name, value): &(String, String)| (name.clone(), Value::from(value.as_str()));
    Entrant {
        bot: bot.given.clone(),
        time: bot.time.to_string(),
        nodes: bot.settings.nodes,
        options: bot.settings.options.iter().map(option).collect(),
    }
}

fn digest(openings: &[Record]) -> Option<String> {
    if openings.is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    for opening in openings {
        hash.update(format!("{opening}\n"));
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn shuffle(openings: &mut [Record], seed: u64) {
    let mut random = Random::seeded(mix(seed, 0));
    for last in (1..openings.len()).rev() {
        openings.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// Random bits per number, the same for the same seed.
fn mix(seed: u64, number: u32) -> u64 {
    Random::seeded(Random::seeded(seed).next() ^ u64::from(number)).next()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: Options,
    }

    fn setup(arguments: &str) -> Setup {
        let words = ["match"].into_iter().chain(arguments.split(' '));
        Setup::new(&Command::try_parse_from(words).unwrap().options).unwrap()
    }

    #[test]
    fn lots_are_fair_and_differ_by_seed() {
        for seed in [0, 1, 42, u64::MAX] {
            let ones = (1..=1_000).filter(|&number| mix(seed, number) & 1 == 0).count();
            assert!((450..=550).contains(&ones), "{seed}: {ones}");
        }
        let draw = |seed| (1..=64).map(|number| mix(seed, number) & 1).collect::<Vec<_>>();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn in_a_league_all_play_all_with_both_colours_equally_often() {
        let setup = setup("house:0 house:1 house:2 house:3 -r 6");
        assert_eq!(setup.games(), 36);
        let mut seen: HashMap<(Player, Player), u32> = HashMap::new();
        for number in 1..=36 {
            let BySeat { first, second } = setup.pairing(number).players;
            *seen.entry((first, second)).or_default() += 1;
        }
        assert_eq!(seen.len(), 12);
        assert!(seen.values().all(|&games| games == 3), "{seen:?}");
    }

    #[test]
    fn in_a_gauntlet_the_first_plays_each_other_one() {
        let setup = setup("house:0 house:1 house:2 house:3 -r 2 --gauntlet");
        let hosts: Vec<usize> = setup.encounters.iter().map(|(one, _)| one.index()).collect();
        assert_eq!((setup.games(), hosts), (6, vec![0, 0, 0]));
    }

    #[test]
    fn shuffled_openings_are_the_same_openings_in_an_order_of_the_seed() {
        let empty = Record::new(Ruleset::find("renju_free").unwrap());
        let openings: Vec<Record> = renju::Point::all(15)
            .map(|point| {
                let mut record = empty.clone();
                record.play(renju::Play::Place(point)).unwrap();
                record
            })
            .collect();
        let shuffled = |seed| {
            let mut openings = openings.clone();
            shuffle(&mut openings, seed);
            openings
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let sorted = |openings: &[Record]| {
            let mut names: Vec<String> = openings.iter().map(ToString::to_string).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(&shuffled(1)), sorted(&openings));
        shuffle(&mut [], 1);
    }
}
