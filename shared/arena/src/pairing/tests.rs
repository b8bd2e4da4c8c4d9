use super::*;
use crate::house::HouseLevel;
use std::collections::BTreeSet;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// Seconds waited, rating.
fn ticket(name: &str, waited_s: i64, value: f64) -> Ticket {
    Ticket {
        name: name.parse().unwrap(),
        epoch: 1,
        since: Timestamp::from_ms(NOW.ms() - 1000 * waited_s),
        rating: Rating { value, ..Rating::NEW },
        recent: Vec::new(),
        owner: None,
        opponent: Opponent::Anyone,
        rated: true,
    }
}

fn after(mut ticket: Ticket, opponents: &[&str]) -> Ticket {
    ticket.recent = opponents.iter().map(|name| opponent_hash(&name.parse().unwrap())).collect();
    ticket
}

fn owned(ticket: Ticket, owner: u64) -> Ticket {
    Ticket { owner: Some(owner), ..ticket }
}

fn later(ms: i64) -> Timestamp {
    Timestamp::from_ms(NOW.ms() + ms)
}

/// Tickets that make the pool large and play no one.
fn crowd() -> impl Iterator<Item = Ticket> {
    (1..=MANY).map(|number| {
        let stranger = ticket(&format!("stranger{number}"), 0, 10_000.0 * number as f64);
        wishing(owned(stranger, 99), Opponent::Agents)
    })
}

fn among_many(waiting: &[Ticket]) -> Vec<Ticket> {
    waiting.iter().cloned().chain(crowd()).collect()
}

/// Checks the pairs made in a large pool.
fn check(waiting: &[Ticket], expected: &str) {
    check_alone(&among_many(waiting), expected);
}

/// The pairs in the order they were made, without their seats: `"ann+bob cal+dan"`.
fn check_alone(waiting: &[Ticket], expected: &str) {
    let pairs = pair(waiting, NOW).into_iter().map(|(a, b)| {
        let (a, b) = (&waiting[a].name, &waiting[b].name);
        format!("{}+{}", a.min(b), a.max(b))
    });
    assert_eq!(pairs.collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn both_windows_must_be_wide_enough() {
    check(&[ticket("ann", 0, 1500.0), ticket("bob", 0, 1600.0)], "ann+bob");
    check(&[ticket("ann", 0, 1500.0), ticket("bob", 0, 1601.0)], "");
    check(&[ticket("ann", 300, 1500.0), ticket("bob", 0, 1601.0)], "");
    check(&[ticket("ann", 10, 1500.0), ticket("bob", 10, 1650.0)], "ann+bob");
    check(&[ticket("ann", 10, 1500.0), ticket("bob", 9, 1650.0)], "");
}

#[test]
fn after_a_minute_any_rating_will_do() {
    check(&[ticket("ann", 60, 100.0), ticket("bob", 60, 3900.0)], "ann+bob");
    check(&[ticket("ann", 3600, 100.0), ticket("bob", 59, 3900.0)], "");
}

#[test]
fn few_wait_less() {
    let two = |waited_s, value| [ticket("ann", waited_s, 1500.0), ticket("bob", waited_s, value)];
    check_alone(&two(0, 1600.0), "ann+bob");
    check_alone(&two(0, 1601.0), "");
    check_alone(&two(1, 1660.0), "ann+bob");
    check_alone(&two(1, 1661.0), "");
    check_alone(&two(5, 3900.0), "ann+bob");
    check_alone(&two(4, 3900.0), "");
    // A ticket for a house bot does not count as another to wait for.
    let cal = wishing(ticket("cal", 0, 1500.0), Opponent::House(HouseLevel::ALL[0]));
    let [ann, bob] = two(5, 3900.0);
    check_alone(&[ann.clone(), bob.clone(), cal], "ann+bob");
    // With a third in the pool it waits longer, but not as long as among a dozen.
    let dan = ticket("dan", 0, 9000.0);
    check_alone(&[ann, bob, dan.clone()], "");
    let [ann, bob] = two(10, 3900.0);
    check_alone(&[ann, bob, dan], "ann+bob");
}

#[test]
fn those_who_are_left_of_many_are_few() {
    let mut waiting: Vec<Ticket> =
        (0..20).map(|number| ticket(&format!("agent{number}"), 9, 1500.0)).collect();
    waiting.extend([ticket("ann", 9, 500.0), ticket("bob", 9, 2500.0)]);
    let pairs = pair(&waiting, NOW);
    assert_eq!(pairs.len(), 11);
    assert!([(20, 21), (21, 20)].contains(&pairs[10]), "no other ticket is left");
}

#[test]
fn the_same_owner_never_meets() {
    let ann = owned(ticket("ann", 900, 1500.0), 7);
    check(&[ann.clone(), owned(ticket("bob", 900, 1500.0), 7)], "");
    check(&[ann.clone(), ticket("bob", 900, 1500.0)], "ann+bob");
    check(&[ann.clone(), owned(ticket("bob", 900, 1500.0), 8)], "ann+bob");
    check(&[ann.clone(), Ticket { owner: None, epoch: 2, ..ann }], "");
}

#[test]
fn the_longest_waiting_takes_the_nearest() {
    let bob = ticket("bob", 5, 1520.0);
    check(&[ticket("ann", 9, 1500.0), bob.clone(), ticket("cal", 1, 1490.0)], "ann+cal");
    check(&[ticket("ann", 1, 1500.0), bob, ticket("cal", 9, 1530.0)], "bob+cal");
}

#[test]
fn of_equally_near_ones_the_longest_waiting_then_the_lesser_name_is_taken() {
    let ann = ticket("ann", 9, 1500.0);
    check(&[ann.clone(), ticket("bob", 1, 1510.0), ticket("cal", 2, 1490.0)], "ann+cal");
    check(&[ann.clone(), ticket("cal", 2, 1490.0), ticket("bob", 2, 1510.0)], "ann+bob");
    check(&[ann, ticket("cal", 1, 1490.0), ticket("bob", 2, 1490.0)], "ann+bob");
}

#[test]
fn a_rematch_waits_behind_a_fresh_opponent() {
    let ann = after(ticket("ann", 9, 1500.0), &["bob"]);
    let bob = ticket("bob", 8, 1500.0);
    check(&[ann.clone(), bob.clone()], "ann+bob");
    check(&[ann.clone(), bob.clone(), ticket("cal", 0, 1590.0)], "ann+cal");
    // Also when only one of the two has a fresh opponent.
    check(&[ann.clone(), bob.clone(), after(ticket("cal", 0, 1590.0), &["ann"])], "bob+cal");
    check(&[ann, bob, ticket("cal", 0, 1700.0)], "ann+bob");
}

#[test]
fn of_old_opponents_the_one_met_longest_ago_is_taken() {
    let ann = after(ticket("ann", 9, 1500.0), &["cal", "dan", "bob"]);
    check(&[ann, ticket("bob", 8, 1450.0), ticket("cal", 0, 1590.0)], "ann+cal");
}

#[test]
fn a_join_in_the_future_counts_as_now() {
    let waiting = [ticket("ann", -5, 1500.0), ticket("bob", -i64::pow(10, 12), 1500.0)];
    check(&waiting, "ann+bob");
    check(&[ticket("ann", -5, 1500.0), ticket("bob", 0, 1601.0)], "");
}

#[test]
fn seats_are_fair_and_the_same_on_a_retry() {
    let mut firsts = [0, 0];
    for epoch in 0..1000 {
        let ann = Ticket { epoch, ..ticket("ann", 1, 1500.0) };
        for (index, name) in ["bob", "aaa"].into_iter().enumerate() {
            let other = Ticket { epoch: epoch + 1, ..ticket(name, 0, 1500.0) };
            let [(first, second)] = pair(&[ann.clone(), other.clone()], NOW)[..] else {
                panic!("no pair");
            };
            assert_eq!(pair(&[other, ann.clone()], NOW), [(1 - first, 1 - second)]);
            firsts[index] += second;
        }
    }
    assert!(firsts.iter().all(|count| (430..570).contains(count)), "{firsts:?}");
}

/// The toss is stored nowhere: two versions that pair the same tickets must agree on it.
#[test]
fn the_toss_is_the_same_in_every_version() {
    let firsts: String = (1..=16)
        .map(|epoch| {
            let (ann, bob) = ("ann".parse().unwrap(), "bob".parse().unwrap());
            if sits_first((&ann, epoch), (&bob, 7)) { 'a' } else { 'b' }
        })
        .collect();
    assert_eq!(firsts, "abbaabaabbbaabbb");
}

#[test]
fn the_next_look_is_when_the_first_pair_becomes_acceptable() {
    let few = |waiting: &[Ticket]| next_pairing_ms(waiting, NOW, &Pace::STANDARD);
    let look = |waiting: &[Ticket]| few(&among_many(waiting));
    let ann = ticket("ann", 7, 1500.0);
    assert_eq!(few(&[]), None);
    assert_eq!(few(std::slice::from_ref(&ann)), None);
    let kin = [owned(ann.clone(), 7), owned(ticket("bob", 0, 1500.0), 7)];
    assert_eq!(few(&kin), None);
    assert_eq!(few(&[ann.clone(), ticket("bob", 1, 3900.0)]), Some(4_000));
    assert_eq!(look(&[ann.clone(), ticket("bob", 5, 1700.0)]), Some(15_000));
    assert_eq!(look(&[ann.clone(), ticket("bob", 0, 3000.0)]), Some(60_000));
    assert_eq!(look(&[ann.clone(), ticket("bob", 0, 1601.0)]), Some(2_000));
    let three = [ann, ticket("bob", 5, 1700.0), ticket("cal", 0, 1350.0)];
    assert_eq!(look(&three), Some(10_000));
}

/// House bots come after ten seconds.
const HOUSE: Pace = Pace { house_after_ms: Some(10_000), ..Pace::STANDARD };

fn wishing(ticket: Ticket, opponent: Opponent) -> Ticket {
    Ticket { opponent, ..ticket }
}

#[test]
fn the_next_look_is_in_time_for_a_house_bot() {
    let look = |waiting: &[Ticket]| next_pairing_ms(waiting, NOW, &HOUSE);
    let level = HouseLevel::ALL[2];
    let ann = ticket("ann", 3, 1500.0);
    assert_eq!(look(std::slice::from_ref(&ann)), Some(7_000));
    assert_eq!(look(&[wishing(ann.clone(), Opponent::Agents)]), None);
    assert_eq!(look(&[wishing(ann.clone(), Opponent::House(level))]), Some(3_000), "overdue");
    assert_eq!(
        next_pairing_ms(std::slice::from_ref(&ann), NOW, &Pace::STANDARD),
        None,
        "no house bots here"
    );
    // The earlier of the two: the opponent in six seconds, the house bot in seven.
    let bob = wishing(ticket("bob", 3, 1645.0), Opponent::Agents);
    assert_eq!(look(&among_many(&[ann.clone(), bob])), Some(6_000));
    let cal = wishing(ticket("cal", 3, 1900.0), Opponent::Agents);
    assert_eq!(look(&among_many(&[ann, cal])), Some(7_000));
}

#[test]
fn an_agent_that_can_be_had_now_is_preferred_to_a_house_bot() {
    let waiting = [ticket("ann", 11, 1500.0), ticket("bob", 10, 1540.0), ticket("cal", 60, 2000.0)];
    assert!(waiting.iter().all(|ticket| is_for_house(ticket, NOW, &HOUSE)));
    check(&waiting, "ann+bob");
    assert!(!is_for_house(&ticket("dan", 9, 1500.0), NOW, &HOUSE), "it has not waited enough");
    assert!(!is_for_house(&waiting[2], NOW, &Pace::STANDARD));
}

#[test]
fn who_asked_for_a_house_bot_is_paired_with_nobody() {
    let level = HouseLevel::ALL[0];
    let ann = wishing(ticket("ann", 90, 1500.0), Opponent::House(level));
    let bob = wishing(ticket("bob", 90, 1500.0), Opponent::Agents);
    check(&[ann.clone(), bob.clone()], "");
    assert!(is_for_house(&ann, NOW, &HOUSE) && !is_for_house(&bob, NOW, &HOUSE));
    assert_eq!(next_pairing_ms(&[bob.clone(), ann.clone()], NOW, &Pace::STANDARD), None);
    let newcomer = wishing(ann, Opponent::Anyone);
    check(&[newcomer, bob], "ann+bob");
}

#[test]
fn looks_at_a_pair_that_cannot_be_made_grow_apart() {
    let stuck = [ticket("ann", 0, 1500.0), ticket("bob", 0, 1500.0)];
    let (mut at, mut delays) = (0, Vec::new());
    for _ in 0..8 {
        let delay = next_pairing_ms(&stuck, later(at), &Pace::STANDARD).unwrap();
        delays.push(delay / 1000);
        at += delay;
    }
    assert_eq!(delays, [2, 2, 4, 8, 16, 32, 60, 60]);
}

#[test]
fn opponents_are_hashed_as_fnv_1a() {
    assert_eq!(opponent_hash(&"foobar".parse().unwrap()), 0xBF9C_F968);
}

struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn pool(&mut self, size: u64) -> Vec<Ticket> {
        let spread = [1, 150, 600, 2000][self.below(4) as usize];
        let owners = self.below(6) + 1;
        let tickets = (0..size).map(|number| {
            let waited_s = self.below(90) as i64;
            let value = 1000.0 + self.below(spread) as f64;
            let opponents: Vec<_> =
                (0..self.below(9)).map(|_| format!("agent{}", self.below(size))).collect();
            let opponents: Vec<_> = opponents.iter().map(String::as_str).collect();
            let ticket = after(ticket(&format!("agent{number}"), waited_s, value), &opponents);
            let owner = self.below(2 * owners);
            if owner < owners { owned(ticket, owner) } else { ticket }
        });
        tickets.collect()
    }
}

/// The rule as a player would state it, for a pool of `size`.
fn acceptable(a: &Ticket, b: &Ticket, size: usize) -> bool {
    let haste = 12.0 / (size - 1).min(12) as f64;
    let waited_s = |ticket: &Ticket| haste * (NOW.ms() - ticket.since.ms()).max(0) as f64 / 1000.0;
    let window = |ticket| 100.0 + 5.0 * waited_s(ticket);
    let apart = (a.rating.value - b.rating.value).abs();
    let near = apart <= window(a).min(window(b)) + 1e-9;
    let patient = waited_s(a).min(waited_s(b)) >= 60.0 - 1e-9;
    a.name != b.name && (a.owner.is_none() || a.owner != b.owner) && (near || patient)
}

fn rematch(a: &Ticket, b: &Ticket) -> bool {
    a.met(b, usize::MAX) || b.met(a, usize::MAX)
}

#[test]
fn any_pool_is_paired_by_the_rules() {
    for seed in 1..=1500 {
        let mut random = Xorshift(0x9E37_79B9_7F4A_7C15 ^ seed);
        let size = random.below(40);
        let waiting = random.pool(size);
        let pairs = pair(&waiting, NOW);

        let mut seen = BTreeSet::new();
        let mut fresh = BTreeSet::new();
        for &(a, b) in &pairs {
            let size = waiting.len() - seen.len();
            assert!(seen.insert(a) && seen.insert(b), "seed {seed}: a ticket twice");
            assert!(acceptable(&waiting[a], &waiting[b], size), "seed {seed}: {a} and {b}");
            if !rematch(&waiting[a], &waiting[b]) {
                fresh.extend([a, b]);
            }
        }
        let indices = 0..waiting.len();
        for (a, b) in indices.clone().flat_map(|a| (0..a).map(move |b| (a, b))) {
            let (left, right) = (&waiting[a], &waiting[b]);
            let both_left = !seen.contains(&a) && !seen.contains(&b);
            let none_fresh = !fresh.contains(&a) && !fresh.contains(&b);
            let missed = both_left && acceptable(left, right, waiting.len() - seen.len())
                || none_fresh && !rematch(left, right) && acceptable(left, right, waiting.len());
            assert!(!missed, "seed {seed}: {a} and {b} missed");
        }

        let named = |waiting: &[Ticket], pairs: Vec<(usize, usize)>| -> Vec<_> {
            pairs.iter().map(|&(a, b)| (waiting[a].name.clone(), waiting[b].name.clone())).collect()
        };
        let mut shuffled = waiting.clone();
        for index in (1..shuffled.len()).rev() {
            shuffled.swap(index, random.below(index as u64 + 1) as usize);
        }
        let again = named(&shuffled, pair(&shuffled, NOW));
        assert_eq!(again, named(&waiting, pairs), "seed {seed}");

        let left: Vec<_> = indices
            .filter(|index| !seen.contains(index))
            .map(|index| waiting[index].clone())
            .collect();
        if let Some(delay) = next_pairing_ms(&left, NOW, &Pace::STANDARD) {
            assert!(!pair(&left, later(delay)).is_empty(), "seed {seed}: looked too early");
            let idle = delay == PAIRING_MIN_MS || pair(&left, later(delay - 1)).is_empty();
            assert!(idle, "seed {seed}: looked too late");
        }
    }
}

#[test]
fn two_thousand_newcomers_are_all_paired() {
    let newcomer = |number: i64| ticket(&format!("agent{number}"), number % 50, 1500.0);
    let waiting: Vec<_> = (0..2000).map(newcomer).collect();
    assert_eq!(pair(&waiting, NOW).len(), 1000);
}

#[test]
fn tickets_from_before_a_clock_was_set_back_have_waited_long_enough() {
    let far_apart = |waited_s| [ticket("ann", waited_s, 1_000.0), ticket("bob", waited_s, 2_500.0)];
    check(&far_apart(-3_600), "ann+bob");
    check(&far_apart(-5), "");
    let pace = Pace { house_after_ms: Some(30_000), ..Pace::STANDARD };
    assert!(is_for_house(&ticket("ann", -3_600, 1_500.0), NOW, &pace));
    assert!(!is_for_house(&ticket("ann", -4, 1_500.0), NOW, &pace), "clocks may differ a little");
}

#[test]
fn only_tickets_with_the_same_wish_for_a_rating_meet() {
    let wish = |name: &str, rated| Ticket { rated, ..ticket(name, 100, 1500.0) };
    check_alone(&[wish("ann", true), wish("bob", false), wish("cal", false)], "bob+cal");
    let left = [wish("ann", true), wish("bob", false)];
    check_alone(&left, "");
    assert_eq!(next_pairing_ms(&left, NOW, &Pace::STANDARD), None, "they never meet");
}
