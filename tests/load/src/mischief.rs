//! Mistakes that the crowd makes on purpose, and what must come of them: repetitions get the first answer
//! byte for byte, everything else is refused and changes nothing.

use arena_support::Reply;
use serde_json::json;

use crate::agent::Agent;
use crate::decision::Decision;

const JSON: &str = "application/json";

/// Bodies that nobody should send, each with its content type.
const GARBAGE: [(&[u8], &str); 10] = [
    (b"{\"point\":", JSON),
    (b"\xff\xfe\x00\x01", JSON),
    (b"[]", JSON),
    (b"null", JSON),
    (b"{}", JSON),
    (b"{\"point\":\"z99\",\"turn_number\":1,\"idempotency_key\":\"k\"}", JSON),
    (b"{\"point\":\"h8\",\"turn_number\":-1,\"idempotency_key\":\"k\"}", JSON),
    (b"{\"point\":\"h8\",\"turn_number\":1,\"idempotency_key\":\"\"}", JSON),
    (b"{\"point\":\"h8\",\"turn_number\":1,\"idempotency_key\":\"k\",\"cheat\":1}", JSON),
    (b"point=h8", "application/x-www-form-urlencoded"),
];

/// More than the arena reads.
const TOO_LARGE: usize = 5_000;

impl Agent {
    /// Sends something wrong while a decision is due. Whatever it is, the turn is not spent.
    pub(crate) async fn err_before(&mut self, decision: &Decision) {
        let (random, turn) = (&mut self.random, decision.turn);
        let odd = json!(format!("odd-{}", random.next()));
        let submit = |verb: &str| self.caller.post(&format!("/games/{}/{verb}", decision.game));
        let call = match random.below(5) {
            0 => {
                let other = turn.wrapping_add_signed(if random.percent(50) { 1 } else { -1 });
                let mut body = decision.body.clone();
                body["turn_number"] = json!(other.min(10_000));
                body["idempotency_key"] = odd;
                self.caller.post(&decision.path).json(&body)
            }
            // Where a stone is due nobody can swap, and the other way round.
            1 if decision.path.ends_with("/swap") => submit("declare")
                .json(&json!({"fifths": 1, "turn_number": turn, "idempotency_key": odd})),
            1 => submit("swap")
                .json(&json!({"swap": true, "turn_number": turn, "idempotency_key": odd})),
            2 => submit("move").body(vec![b' '; TOO_LARGE]).header("content-type", JSON),
            3 => self.call(decision).anonymous(),
            _ => {
                let (body, kind) = random.pick(&GARBAGE);
                submit("move").body(body).header("content-type", kind)
            }
        };
        self.crowd.send_wrong(call).await;
    }

    /// Sends the decision twice at the same time; one answer, unless they differ.
    pub(crate) async fn send_twice(&self, decision: &Decision) -> Option<Reply> {
        let send = || self.crowd.send(self.call(decision));
        let (one, two) = tokio::join!(send(), send());
        if let (Some(one), Some(two)) = (&one, &two)
            && one.is_ok()
            && two.is_ok()
        {
            self.compare(decision, "of two at once", one, two);
            if one.is_replay() && two.is_replay() {
                self.complain(decision, "both of two at once are called repetitions");
            }
        }
        one.filter(Reply::is_ok).or(two)
    }

    /// Repeats a decision that was granted, or uses its key for another.
    pub(crate) async fn err_after(&mut self, decision: &Decision, first: &Reply) {
        if self.random.percent(25) {
            let mut other = decision.body.clone();
            other["turn_number"] = json!(decision.turn + 1);
            let call = self.caller.post(&decision.path).json(&other);
            return self.crowd.send_wrong(call).await;
        }
        let Some(again) = self.crowd.send(self.call(decision)).await else { return };
        if !again.is_ok() || !again.is_replay() {
            self.complain(decision, "a repetition was not recognised");
        }
        self.compare(decision, "of a repetition", first, &again);
    }

    fn compare(&self, decision: &Decision, what: &str, one: &Reply, other: &Reply) {
        if one.body != other.body {
            self.complain(decision, &format!("I11: the answers {what} differ"));
        }
    }

    fn complain(&self, decision: &Decision, what: &str) {
        self.crowd.tally().failure(format!("game {}: {what}", decision.game));
    }
}
