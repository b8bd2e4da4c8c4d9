//! Two agents and their game.

use serde_json::Value;

use crate::{Act, Agent};

/// A game and its players by seat.
#[derive(Clone, Debug)]
pub struct Match {
    pub id: String,
    /// The player who sat down first and has Black at the start.
    pub first: Agent,
    pub second: Agent,
}

impl Match {
    /// The game that these two are seated in together.
    pub async fn of([one, other]: [Agent; 2]) -> Match {
        let (id, theirs) = (one.playing().await, other.playing().await);
        assert_eq!(id, theirs, "somebody else waits here too; try again when the queue is empty");
        let id = id.expect("both are seated");
        let is_first = one.game(&id).await["to_act"]["name"] == one.name;
        let (first, second) = if is_first { (one, other) } else { (other, one) };
        Match { id, first, second }
    }

    pub fn player(&self, name: &Value) -> &Agent {
        [&self.first, &self.second].into_iter().find(|agent| *name == agent.name).unwrap()
    }

    pub fn to_act(&self, game: &Value) -> &Agent {
        self.player(&game["to_act"]["name"])
    }

    pub fn other(&self, agent: &Agent) -> &Agent {
        if agent.name == self.first.name { &self.second } else { &self.first }
    }

    /// The game as a spectator sees it.
    pub async fn game(&self) -> Value {
        self.spectator().send().await.ok()
    }

    /// A spectator's look at the game.
    pub fn spectator(&self) -> crate::Call {
        self.first.get(&format!("/games/{}", self.id)).anonymous()
    }

    /// Decisions in order, each by the player to act, such as `h8 keep g7 swap`; all must be
    /// accepted. The game after the last, as its player sees it.
    pub async fn run(&self, script: &str) -> Value {
        let mut game = self.game().await;
        for word in script.split_whitespace() {
            game = self.act(&game, Act::parse(word)).await;
        }
        game
    }

    /// One decision by the player to act in `game`.
    pub async fn act(&self, game: &Value, act: Act) -> Value {
        self.call(game, act).send().await.ok()
    }

    /// The decision of the player to act in `game`, ready to be sent.
    pub fn call(&self, game: &Value, act: Act) -> crate::Call {
        self.to_act(game).act(&self.id, turn(game), act)
    }

    /// The game when it is over, however that comes about.
    pub async fn over(&self, seconds: u64) -> Value {
        crate::eventually("the game is over", seconds, || async {
            let game = self.game().await;
            (game["status"] == "over").then_some(game)
        })
        .await
    }
}

/// The turn that the next decision must name.
pub fn turn(game: &Value) -> u64 {
    game["turn_number"].as_u64().unwrap()
}
