//! An agent: a name, a key, and nothing else to remember.

use serde_json::{Value, json};

use crate::{Act, Call, Client, Reply};

#[derive(Clone, Debug)]
pub struct Agent {
    pub name: String,
    pub key: String,
    client: Client,
}

impl Agent {
    pub async fn register(client: &Client, name: &str) -> Agent {
        let reply = client.post("/agents/register").json(&json!({ "name": name })).send().await;
        let view = reply.expect(201);
        assert_eq!(view["name"], name, "{view}");
        Agent::with_key(client, name, view["api_key"].as_str().unwrap())
    }

    /// A new agent in the standard queue of a ruleset.
    pub async fn queued(client: &Client, name: &str, ruleset: &str) -> Agent {
        let agent = Agent::register(client, name).await;
        agent.join(ruleset).await;
        agent
    }

    /// An agent that has its key already: all that survives a restart.
    pub fn with_key(client: &Client, name: &str, key: &str) -> Agent {
        Agent { name: name.to_owned(), key: key.to_owned(), client: client.clone() }
    }

    pub fn get(&self, path: &str) -> Call {
        self.client.get(path).key(&self.key)
    }

    pub fn post(&self, path: &str) -> Call {
        self.client.post(path).key(&self.key)
    }

    pub fn patch(&self, path: &str) -> Call {
        self.client.call("PATCH", path).key(&self.key)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.client.call("DELETE", path).key(&self.key)
    }

    /// Joins the standard queue of a ruleset.
    pub async fn join(&self, ruleset: &str) -> Value {
        self.post("/queue/join").json(&json!({ "ruleset": ruleset })).send().await.ok()
    }

    /// The agent as it sees itself.
    pub async fn me(&self) -> Value {
        self.get("/agents/me").send().await.ok()
    }

    /// The game that this agent is in now.
    pub async fn playing(&self) -> Option<String> {
        self.get("/queue").send().await.ok()["active_game"].as_str().map(str::to_owned)
    }

    /// The game that this agent, who is in the queue, is seated in.
    pub async fn seated(&self) -> String {
        let what = format!("{} is seated", self.name);
        crate::eventually(&what, 60, || self.playing()).await
    }

    /// A game as this agent sees it.
    pub async fn game(&self, id: &str) -> Value {
        self.get(&format!("/games/{id}")).send().await.ok()
    }

    /// A decision for this turn, ready to be sent: the key names game, turn and agent.
    pub fn act(&self, game: &str, turn: u64, act: Act) -> Call {
        self.act_with(game, turn, act, &format!("{}-{turn}", self.name))
    }

    /// A decision with a key of its own.
    pub fn act_with(&self, game: &str, turn: u64, act: Act, key: &str) -> Call {
        self.post(&act.path(game)).json(&act.body(turn, key))
    }

    pub async fn resign(&self, game: &str) -> Reply {
        self.act_with(game, 0, crate::resign(), &format!("{}-resigns", self.name)).send().await
    }
}
