//! Faults and their frequency: every seed draws its own mix, so that strong faults meet others that
//! are off (swarm testing).

use crate::deployment::REFEREE_LIFETIME_MS;
use crate::rng::Rng;

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A fault of the network, of the cloud or of an agent.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Fault { $($(#[$doc])* $name,)* }

        impl Fault {
            pub(crate) const ALL: &[Fault] = &[$(Fault::$name,)*];
        }
    };
}

faults! {
    /// A process dies at an await point.
    Crash,
    /// A request never reaches its function.
    RequestLost,
    /// A reply never reaches the agent.
    ReplyLost,
    /// A request arrives twice within seconds.
    RequestDoubled,
    /// A request arrives again minutes later.
    RequestEcho,
    /// DynamoDB or SQS refuses a call; nothing has happened.
    Throttled,
    /// A write takes effect, but an error is returned.
    Ambiguous,
    /// An eventually consistent read shows the past.
    StaleRead,
    /// An index shows the past.
    IndexLag,
    /// Reads during a transaction see some of its writes and not yet others.
    HalfSeen,
    /// A call takes up to half a second each way.
    Slow,
    /// A message disappears.
    MessageLost,
    MessageDoubled,
    MessageLate,
    /// An agent restarts and remembers nothing but its API key.
    Restart,
    /// An agent falls silent in mid-game for longer than its turn.
    Silent,
    /// A queued agent is silent until its ticket is about to expire.
    Lapse,
    /// An agent decides as late as it can.
    Dawdle,
    /// An agent names the wrong turn.
    WrongTurn,
    /// An agent plays when it is not its turn.
    OutOfTurn,
    IllegalPlay,
    /// An agent uses a key again for another decision.
    KeyReused,
    /// An agent runs twice and submits two decisions at once.
    Twin,
    /// An agent repeats its previous decision.
    Repeat,
    Leave,
    Resign,
    Rotate,
    /// An agent revokes the key that it has replaced.
    Revoke,
    /// A client tries keys that are made up, or were replaced.
    Thief,
    /// A write conflicts with another transaction; nothing is written.
    Conflict,
    /// A function runs the previous version of the program.
    OldVersion,
    /// A write leaves an item that the previous version cannot read.
    NewerItem,
    /// A game can never be read again.
    Damage,
    /// The gateway takes up to half a second to start a function.
    SlowGateway,
}

impl Fault {
    /// The frequencies a seed chooses from, in ten thousandths.
    const fn strengths(self) -> [u32; 3] {
        match self {
            // Drawn at every await point, so that 1 % already kills every twentieth request.
            Fault::Crash | Fault::Restart => [5, 50, 150],
            Fault::Silent => [10, 50, 200],
            Fault::Dawdle => [100, 1_000, 5_000],
            Fault::StaleRead | Fault::IndexLag | Fault::HalfSeen => [500, 3_000, 9_000],
            Fault::MessageLost | Fault::MessageDoubled => [200, 2_000, 6_000],
            Fault::MessageLate | Fault::Slow => [200, 1_000, 3_000],
            Fault::Rotate => [10, 50, 100],
            Fault::Revoke | Fault::SlowGateway => [1_000, 5_000, 9_000],
            Fault::OldVersion => [1_000, 5_000, 9_000],
            Fault::Damage => [1, 5, 20],
            Fault::Resign => [5, 20, 80],
            _ => [50, 200, 1_000],
        }
    }
}

/// The mix of one seed.
pub(crate) struct Faults {
    rates: [u32; Fault::ALL.len()],
    /// Largest deviation of a process's clock from the true time.
    pub(crate) skew_ms: i64,
    /// Largest age of a stale read or index.
    pub(crate) stale_ms: i64,
    /// Largest time between the first and the last visible write of a transaction.
    pub(crate) apart_ms: i64,
    /// Timeout of the referee's function: in some worlds it strikes often.
    pub(crate) referee_ms: i64,
    /// Shards of the list of live games, and the most games in one page of it.
    pub(crate) shards: u8,
    pub(crate) page: usize,
    /// False where messages alone must suffice; then none is lost for good.
    pub(crate) sweeps: bool,
    /// True if all messages under way are lost when the agents vanish.
    pub(crate) purge: bool,
    /// True if the agents vanish at the end; otherwise they finish their games.
    pub(crate) vanish: bool,
}

impl Faults {
    pub(crate) fn draw(rng: &mut Rng) -> Faults {
        let mut rates = [0; Fault::ALL.len()];
        for (rate, fault) in rates.iter_mut().zip(Fault::ALL) {
            if rng.chance(5_000) {
                *rate = *rng.pick(&fault.strengths());
            }
        }
        let mut faults = Faults {
            rates,
            skew_ms: *rng.pick(&[0, 100, 500, 500]),
            stale_ms: *rng.pick(&[1_000, 10_000, 30_000]),
            apart_ms: *rng.pick(&[20, 100, 1_000]),
            referee_ms: *rng.pick(&[1_000, REFEREE_LIFETIME_MS, REFEREE_LIFETIME_MS]),
            shards: *rng.pick(&[1, 1, 3]),
            page: 1 + rng.below(3),
            sweeps: rng.chance(7_500),
            purge: rng.chance(5_000),
            vanish: rng.chance(7_000),
        };
        if !faults.sweeps {
            faults.leave_to_messages();
        }
        faults
    }

    /// Turns off the faults that only the sweep repairs.
    fn leave_to_messages(&mut self) {
        for fault in [
            Fault::MessageLost,
            // A slow join may be written after the message sent before it was handled.
            Fault::Slow,
            Fault::IndexLag,
            Fault::OldVersion,
            Fault::NewerItem,
            Fault::Damage,
        ] {
            self.set(fault, 0);
        }
        self.referee_ms = REFEREE_LIFETIME_MS;
        self.purge = false;
    }

    pub(crate) fn none() -> Faults {
        Faults {
            rates: [0; Fault::ALL.len()],
            skew_ms: 0,
            stale_ms: 1_000,
            apart_ms: 20,
            referee_ms: REFEREE_LIFETIME_MS,
            shards: 1,
            page: 1,
            sweeps: false,
            purge: false,
            vanish: true,
        }
    }

    pub(crate) fn rate(&self, fault: Fault) -> u32 {
        self.rates[fault as usize]
    }

    pub(crate) fn set(&mut self, fault: Fault, rate: u32) {
        self.rates[fault as usize] = rate;
    }
}
