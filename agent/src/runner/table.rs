//! Counts of a match, game by game. Pure.

use std::collections::HashMap;

use serde::Serialize;

use super::elo::Tally;
use super::game::{Cause, Played};
use super::pairs::Pentanomial;
use super::player::Player;

/// Results of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) encounters: Vec<Encounter>,
    /// Forfeits of each player.
    pub(super) forfeits: Vec<Forfeits>,
}

/// All games of two players, from the first one's point of view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Encounter {
    pub(super) first: Player,
    pub(super) second: Player,
    pub(super) tally: Tally,
    pub(super) pairs: Pentanomial,
    /// Half points from the game of a pair whose other game is not over, by the pair's number.
    open: HashMap<u32, usize>,
}

/// Losses of a player that were not decided on the board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Forfeits {
    pub(super) time: u32,
    pub(super) illegal: u32,
    pub(super) crash: u32,
}

impl Table {
    pub(super) fn new(players: usize, encounters: &[(Player, Player)]) -> Table {
        let encounter = |&(first, second): &(Player, Player)| Encounter {
            first,
            second,
            tally: Tally::default(),
            pairs: Pentanomial::default(),
            open: HashMap::new(),
        };
        Table {
            encounters: encounters.iter().map(encounter).collect(),
            forfeits: vec![Forfeits::default(); players],
        }
    }

    /// Counts a game. Games 1 and 2 are a pair, 3 and 4, and so on.
    pub(super) fn add(&mut self, played: &Played) {
        let of = |encounter: &&mut Encounter| {
            [(played.first, played.second), (played.second, played.first)]
                .contains(&(encounter.first, encounter.second))
        };
        if let Some(encounter) = self.encounters.iter_mut().find(of) {
            encounter.add(played);
        }
        if let (Some(forfeit), Some(loser)) = (played.forfeit(), played.loser()) {
            let forfeits = &mut self.forfeits[loser.index()];
            *match forfeit.by {
                Cause::Time => &mut forfeits.time,
                Cause::Illegal => &mut forfeits.illegal,
                Cause::Crash => &mut forfeits.crash,
            } += 1;
        }
    }

    /// Number of games.
    pub(super) fn games(&self) -> u32 {
        self.encounters.iter().map(|encounter| encounter.tally.games()).sum()
    }

    /// All games of a player, from its point of view.
    pub(super) fn tally(&self, player: Player) -> Tally {
        let mut total = Tally::default();
        for encounter in &self.encounters {
            let Tally { wins, draws, losses } = encounter.tally;
            let (wins, losses) = match player {
                _ if player == encounter.first => (wins, losses),
                _ if player == encounter.second => (losses, wins),
                _ => continue,
            };
            total.wins += wins;
            total.draws += draws;
            total.losses += losses;
        }
        total
    }

    /// Players, the one with the highest score first.
    pub(super) fn ranking(&self) -> Vec<(Player, Tally)> {
        let players = (0..self.forfeits.len()).map(Player::new);
        let mut ranking: Vec<_> = players.map(|player| (player, self.tally(player))).collect();
        ranking.sort_by(|(_, one), (_, other)| other.score().total_cmp(&one.score()));
        ranking
    }
}

impl Encounter {
    fn add(&mut self, played: &Played) {
        let half_points = played.half_points(self.first);
        match half_points {
            0 => self.tally.losses += 1,
            1 => self.tally.draws += 1,
            _ => self.tally.wins += 1,
        }
        let pair = played.number.div_ceil(2);
        match self.open.remove(&pair) {
            Some(before) => self.pairs.add(before + half_points),
            None => {
                self.open.insert(pair, half_points);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::{End, Forfeit};
    use super::*;

    const ONE: Player = Player::new(0);
    const TWO: Player = Player::new(1);
    const THREE: Player = Player::new(2);

    fn game(number: u32, first: Player, second: Player, winner: Option<Player>) -> Played {
        Played { number, first, second, winner, stones: 30, end: End::Board }
    }

    #[test]
    fn two_games_of_an_opening_are_a_pair_in_whatever_order_they_end() {
        let mut table = Table::new(2, &[(ONE, TWO)]);
        for (number, winner) in
            [(2, Some(ONE)), (3, Some(TWO)), (1, Some(ONE)), (4, None), (6, Some(TWO)), (5, None)]
        {
            let (first, second) = if number % 2 == 1 { (ONE, TWO) } else { (TWO, ONE) };
            table.add(&game(number, first, second, winner));
        }
        table.add(&game(7, ONE, TWO, Some(ONE)));
        assert_eq!(table.encounters[0].pairs, Pentanomial([0, 2, 0, 0, 1]));
        assert_eq!(table.encounters[0].tally, Tally { wins: 3, draws: 2, losses: 2 });
        assert_eq!(table.tally(TWO), Tally { wins: 2, draws: 2, losses: 3 });
        assert_eq!(table.games(), 7);
    }

    #[test]
    fn forfeits_are_counted_by_cause_and_players_are_ranked_by_score() {
        let mut table = Table::new(3, &[(ONE, TWO), (ONE, THREE), (TWO, THREE)]);
        for (number, by) in
            [Cause::Time, Cause::Crash, Cause::Crash, Cause::Illegal].into_iter().enumerate()
        {
            let end = End::Forfeit(Forfeit { by, why: String::new() });
            let number = number as u32 + 1;
            table.add(&Played { end, ..game(number, ONE, THREE, Some(THREE)) });
        }
        table.add(&game(5, THREE, TWO, None));
        assert_eq!(table.forfeits[0], Forfeits { time: 1, illegal: 1, crash: 2 });
        assert_eq!(table.forfeits[1..], [Forfeits::default(); 2]);
        let ranking: Vec<Player> = table.ranking().into_iter().map(|(player, _)| player).collect();
        assert_eq!(ranking, [THREE, TWO, ONE]);
    }
}
