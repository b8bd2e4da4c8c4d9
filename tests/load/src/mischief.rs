//! What the crowd does wrong on purpose, and what must come of it: repetitions get the first answer
//! byte for byte, everything else is refused and changes nothing.

use arena_wire::Endpoint;
use serde_json::json;

use crate::client::{Ask, Client, Reply};
use crate::decision::Decision;
use crate::random::Random;

/// Bodies that nobody should send, each with its content type.
const GARBAGE: [(&[u8], &str); 10] = [
    (b"{\"point\":", "application/json"),
    (b"\xff\xfe\x00\x01", "application/json"),
    (b"[]", "application/json"),
    (b"null", "application/json"),
    (b"{}", "application/json"),
    (b"{\"point\":\"z99\",\"turn_number\":1,\"idempotency_key\":\"k\"}", "application/json"),
    (b"{\"point\":\"h8\",\"turn_number\":-1,\"idempotency_key\":\"k\"}", "application/json"),
    (b"{\"point\":\"h8\",\"turn_number\":1,\"idempotency_key\":\"\"}", "application/json"),
    (
        b"{\"point\":\"h8\",\"turn_number\":1,\"idempotency_key\":\"k\",\"cheat\":1}",
        "application/json",
    ),
    (b"point=h8", "application/x-www-form-urlencoded"),
];

/// More than the arena reads.
const TOO_LARGE: usize = 5_000;

/// An agent about to decide, or that has just decided.
pub(crate) struct Culprit<'a> {
    pub(crate) client: &'a Client,
    pub(crate) key: &'a str,
    pub(crate) game: &'a str,
}

impl Culprit<'_> {
    /// Sends something wrong while a decision is due. Whatever it is, the turn is not spent.
    pub(crate) async fn before(&self, decision: &Decision, random: &mut Random) {
        let odd = json!(format!("odd-{}", random.number()));
        let ask = match random.below(5) {
            0 => {
                let turn =
                    decision.turn.wrapping_add_signed(if random.percent(50) { 1 } else { -1 });
                let other = decision.altered("turn_number", json!(turn.min(10_000)));
                self.submit(decision.endpoint).with(other.altered("idempotency_key", odd).body())
            }
            1 => {
                // Where a stone is due nobody can swap, and the other way round.
                let endpoint = if decision.endpoint == Endpoint::Swap {
                    Endpoint::Declare
                } else {
                    Endpoint::Swap
                };
                let body = match endpoint {
                    Endpoint::Swap => {
                        json!({"swap": true, "turn_number": decision.turn, "idempotency_key": odd})
                    }
                    _ => json!({"fifths": 1, "turn_number": decision.turn, "idempotency_key": odd}),
                };
                self.submit(endpoint).with(body.to_string())
            }
            2 => self.submit(Endpoint::Move).with(vec![b' '; TOO_LARGE]),
            3 => Ask::to(decision.endpoint, self.game).with(decision.body()),
            _ => {
                let (body, kind) = GARBAGE[random.below(GARBAGE.len())];
                self.submit(Endpoint::Move).with(body).of_kind(kind)
            }
        };
        self.client.send(ask.wrongly()).await;
    }

    /// Sends the decision twice at the same time; one answer, unless they differ.
    pub(crate) async fn twice(&self, decision: &Decision) -> Option<Reply> {
        let ask = || self.submit(decision.endpoint).with(decision.body());
        let (one, two) = tokio::join!(self.client.send(ask()), self.client.send(ask()));
        if let (Some(one), Some(two)) = (&one, &two)
            && one.is_ok()
            && two.is_ok()
        {
            self.compare("of two at once", one, two);
            if one.replayed && two.replayed {
                self.complain("both of two at once are called repetitions");
            }
        }
        one.filter(Reply::is_ok).or(two)
    }

    /// Repeats a decision that was granted, or uses its key for another.
    pub(crate) async fn after(&self, decision: &Decision, first: &Reply, random: &mut Random) {
        if random.percent(25) {
            let other = decision.altered("turn_number", json!(decision.turn + 1));
            self.client.send(self.submit(decision.endpoint).with(other.body()).wrongly()).await;
            return;
        }
        let again = self.submit(decision.endpoint).with(decision.body());
        let Some(again) = self.client.send(again).await else { return };
        if !again.is_ok() || !again.replayed {
            self.complain("a repetition was not recognised");
        }
        self.compare("of a repetition", first, &again);
    }

    fn submit(&self, endpoint: Endpoint) -> Ask<'_> {
        Ask::to(endpoint, self.game).by(self.key)
    }

    fn compare(&self, what: &str, one: &Reply, other: &Reply) {
        if one.body != other.body {
            self.complain(&format!("I11: the answers {what} differ"));
        }
    }

    fn complain(&self, what: &str) {
        self.client.tally().failure(format!("game {}: {what}", self.game));
    }
}
