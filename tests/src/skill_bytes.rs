//! Bytes that a language model writes and reads when it plays one game as `/SKILL.md` tells. The commands are those
//! of the document: only the name, the key, the game and the bodies are filled in.

use std::fmt;
use std::process::Stdio;

use arena_support::{Act, Agent, Match, TestArena};
use serde_json::{Value, json};
use tokio::process::Command;

/// A game of two house bots of level 3: a swap after the second stone, a fifth stone without an offer, a five.
const SCRIPT: &str = "h8 keep i9 swap f6 keep i10 keep g7 keep j9 g9 i7 i8 j8 k9 h10 e5 d4 g11 k7 l6 j7 g8 \
                      g10 g5 g6 e8 f8 j10 l7 h7 m7";

/// Bytes of one player, from reading the document to the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// `/SKILL.md`, read once.
    pub document: usize,
    /// Commands written.
    pub commands: usize,
    /// Replies read, without the document.
    pub replies: usize,
    /// Decisions among the commands.
    pub decisions: usize,
}

impl Bytes {
    /// Everything written and read.
    pub fn total(&self) -> usize {
        self.document + self.commands + self.replies
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bytes { document, commands, replies, decisions } = self;
        let total = self.total();
        write!(f, "| {decisions} | {document} | {commands} | {replies} | {total} |")
    }
}

/// A player with nothing but a shell.
struct Model {
    document: String,
    agent: Agent,
    bytes: Bytes,
}

impl Model {
    /// Reads the document and registers.
    async fn register(arena: &TestArena, name: &str) -> Model {
        let document = shell(&format!("curl -s {}/SKILL.md", arena.client.base()), "").await.0;
        let bytes = Bytes { document: document.len(), ..Bytes::default() };
        let mut model = Model { document, agent: Agent::with_key(&arena.client, name, ""), bytes };
        let secret = "x".repeat(22);
        let body = json!({"name": name, "bio": "plays with curl", "idempotency_key": secret});
        let registered = model.run("/agents/register", "/agents/register", Some(&body)).await;
        let registered: Value = serde_json::from_str(&registered).unwrap();
        model.agent.key = registered["api_key"].as_str().unwrap().to_owned();
        model
    }

    /// The reply to the document's command with this `path`, once the `real` path, the key and another body are
    /// filled in.
    async fn run(&mut self, path: &str, real: &str, body: Option<&Value>) -> String {
        let found = command(&self.document, path);
        let mut written = found.replace(path, real).replace("API_KEY", &self.agent.key);
        if let (Some(body), Some(end)) = (body, written.find("-d '")) {
            written.replace_range(end.., &format!("-d '{body}'"));
        }
        let (reply, done) = shell(&written, "").await;
        assert!(done, "{written}: {reply}");
        self.bytes.commands += written.len();
        self.bytes.replies += reply.len();
        reply
    }

    /// Looks at the game, as step 4 tells.
    async fn look(&mut self, game: &str) -> String {
        self.run("/games/GAME_ID", &format!("/games/{game}"), None).await
    }

    /// Looks at the game and decides, as steps 4 and 5 tell.
    async fn decide(&mut self, game: &str, turn: u64, act: &Act) {
        let (seen, path) = (self.look(game).await, act.path(game));
        assert!(seen.contains(&format!("POST {path}")), "{path} is to be sent: {seen}");
        let body = act.body(turn, &format!("{game}-{turn}"));
        let reply = self.run("/games/GAME_ID/move", &path, Some(&body)).await;
        assert!(reply.contains(&format!("\"turn_number\":{}", turn + 1)), "{reply}");
        self.bytes.decisions += 1;
    }
}

/// The first `sh` block of a document that has this in it.
pub fn command<'d>(document: &'d str, part: &str) -> &'d str {
    let blocks = document.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let found = blocks.map(|(block, _)| block).find(|block| block.contains(part));
    found.unwrap_or_else(|| panic!("the document has no command with {part}")).trim()
}

/// Output of a script, with this in the variable `API_KEY`, and true if it succeeded.
pub async fn shell(script: &str, key: &str) -> (String, bool) {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("API_KEY", key).stdin(Stdio::null()).kill_on_drop(true);
    let output = shell.output().await.expect("sh can be started");
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8(said).expect("replies are UTF-8"), output.status.success())
}

/// Plays the game, and returns what the player with the first move and the other have written and read. Each
/// answers at once, so that nobody looks at the game in vain.
pub async fn measure() -> [Bytes; 2] {
    let arena = TestArena::start().await;
    let mut models =
        [Model::register(&arena, "model-a").await, Model::register(&arena, "model-b").await];
    for model in &mut models {
        model.run("/queue/join", "/queue/join", None).await;
    }
    models[0].agent.seated().await;
    for model in &mut models {
        model.run("/queue?wait=20", "/queue?wait=20", None).await;
    }
    let players = Match::of([models[0].agent.clone(), models[1].agent.clone()]).await;
    if models[0].agent.name != players.first.name {
        models.reverse();
    }
    for (turn, word) in (0..).zip(SCRIPT.split_whitespace()) {
        let game = players.game().await;
        let is_first = players.to_act(&game).name == players.first.name;
        models[usize::from(!is_first)].decide(&players.id, turn, &Act::parse(word)).await;
    }
    let game = players.game().await;
    assert_eq!(game["result"]["reason"], "five", "{game}");
    for model in &mut models {
        model.look(&players.id).await;
    }
    arena.finish().await;
    models.map(|model| model.bytes)
}
