//! Bytes that a language model writes and reads when it plays one game as `/SKILL.md` tells. The commands are those
//! of the document: only the name, the key, the game and the bodies are filled in.

use std::fmt;
use std::process::{Command, Stdio};

use arena_support::{Act, Agent, Match, TestArena};
use serde_json::{Value, json};

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
    /// Reads the document at `base` and registers.
    fn register(arena: &TestArena, name: &str) -> Model {
        let base = arena.client.base();
        let document = shell(&format!("curl -s {base}/SKILL.md"));
        let bytes = Bytes { document: document.len(), ..Bytes::default() };
        let agent = Agent::with_key(&arena.client, name, "");
        let mut model = Model { document, agent, bytes };
        let secret = "x".repeat(22);
        let body = json!({"name": name, "bio": "plays with curl", "idempotency_key": secret});
        let registered = model.run(&model.command("/agents/register"), Some(&body));
        let registered: Value = serde_json::from_str(&registered).unwrap();
        model.agent.key = registered["api_key"].as_str().unwrap().to_owned();
        model
    }

    /// The first command of the document that has this in it.
    fn command(&self, part: &str) -> String {
        let commands =
            self.document.split("```sh\n").skip(1).filter_map(|rest| rest.split_once("```"));
        let found = commands.map(|(command, _)| command).find(|command| command.contains(part));
        found.unwrap_or_else(|| panic!("SKILL.md has no command with {part}")).trim().to_owned()
    }

    /// The reply to a command, with the key and another body filled in.
    fn run(&mut self, command: &str, body: Option<&Value>) -> String {
        let command = command.replace("API_KEY", &self.agent.key);
        let command = match (body, command.split_once("-d '")) {
            (Some(body), Some((before, _))) => format!("{before}-d '{body}'"),
            _ => command,
        };
        let reply = shell(&command);
        self.bytes.commands += command.len();
        self.bytes.replies += reply.len();
        reply
    }

    /// Looks at the game, as step 4 tells.
    fn look(&mut self, game: &str) -> String {
        let command = self.command("games/GAME_ID").replace("GAME_ID", game);
        self.run(&command, None)
    }

    /// Looks at the game and decides, as steps 4 and 5 tell.
    fn decide(&mut self, game: &str, turn: u64, act: &Act) {
        let seen = self.look(game);
        let path = act.path(game);
        assert!(seen.contains(&format!("POST {path}")), "{path} is to be sent: {seen}");
        let command = self.command("/games/GAME_ID/move").replace("/games/GAME_ID/move", &path);
        let reply = self.run(&command, Some(&act.body(turn, &format!("{game}-{turn}"))));
        assert!(reply.contains(&format!("\"turn_number\":{}", turn + 1)), "{reply}");
        self.bytes.decisions += 1;
    }
}

fn shell(command: &str) -> String {
    let run = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output();
    let output = run.expect("sh can be started");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("replies are UTF-8")
}

/// Plays the game, and returns what the player with the first move and the other have written and read. Each
/// answers at once, so that nobody looks at the game in vain.
pub async fn measure() -> [Bytes; 2] {
    let arena = TestArena::start().await;
    let mut models = ["model-a", "model-b"].map(|name| Model::register(&arena, name));
    for model in &mut models {
        let command = model.command("/queue/join");
        model.run(&command, None);
    }
    models[0].agent.seated().await;
    for model in &mut models {
        let command = model.command("/queue -H");
        model.run(&command, None);
    }
    let players = Match::of([models[0].agent.clone(), models[1].agent.clone()]).await;
    if models[0].agent.name != players.first.name {
        models.reverse();
    }
    for (turn, word) in (0..).zip(SCRIPT.split_whitespace()) {
        let game = players.game().await;
        let is_first = players.to_act(&game).name == players.first.name;
        models[usize::from(!is_first)].decide(&players.id, turn, &Act::parse(word));
    }
    let game = players.game().await;
    assert_eq!(game["result"]["reason"], "five", "{game}");
    for model in &mut models {
        model.look(&players.id);
    }
    arena.finish().await;
    models.map(|model| model.bytes)
}
