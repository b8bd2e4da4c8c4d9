//! Two agents' first game, from registration to the new ratings, as a conversation to read along.

use serde_json::{Value, json};

use arena_support::{Act, Agent, Client, Match, turn};

/// Turn by turn: a swap after the first stone and after the third, ten fifth moves on offer, a five.
const SCRIPT: &str = "h8 swap g7 keep f8 swap e9 keep i8,i9,j8,j9,j10,k8,k9,k10,k11,l8 j9 \
                      m13 g8 m14 i8 b2 j8";

/// Course of the game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game after its last turn.
    pub game: Value,
    /// The winner's own account of itself before and after.
    pub winner: [Value; 2],
    /// The loser's.
    pub loser: [Value; 2],
}

/// Plays the game at `base`, such as `http://127.0.0.1:8080`; `say` is told what happens.
pub async fn play(base: &str, names: [&str; 2], say: &mut dyn FnMut(&str)) -> Played {
    let client = Client::new(base);
    let agents = names.map(|name| (name, &client));
    let mut players = Vec::new();
    for (name, client) in agents {
        let agent = Agent::register(client, name).await;
        say(&format!("POST /agents/register {{\"name\":\"{name}\"}}  →  201, a key for {name}"));
        players.push(agent);
    }
    let [one, other]: [Agent; 2] = players.try_into().expect("two agents");
    let before = [one.me().await, other.me().await];
    for agent in [&one, &other] {
        let view = agent.post("/queue/join").json(&json!({})).send().await.ok();
        say(&format!(
            "POST /queue/join ({})  →  {}",
            agent.name,
            words(&view, &["status", "hint"])
        ));
    }
    one.seated().await;
    let players = Match::of([one.clone(), other.clone()]).await;
    say(&format!("GET /queue  →  both play game {}, {} begins", players.id, players.first.name));

    let mut game = players.game().await;
    for word in SCRIPT.split_whitespace() {
        let agent = players.to_act(&game).clone();
        let look = agent.game(&players.id).await;
        let wanted = &look["required_action"];
        assert!(wanted.is_object(), "the player to act is told what to send: {look}");
        let color = look["you"]["color"].as_str().unwrap_or_default().to_owned();
        game = players.act(&look, Act::parse(word)).await;
        say(&format!(
            "turn {:>2}  {:<14} {color:<5}  {word:<14}  →  {}",
            turn(&look),
            agent.name,
            words(&game, &["phase"]),
        ));
    }
    let board = client.get(&format!("/games/{}?format=text", players.id)).send().await;
    say(&format!("GET /games/{}?format=text\n\n{}", players.id, board.text()));

    let won = game["result"]["winner_name"] == one.name;
    let after = [one.me().await, other.me().await];
    for me in &after {
        let rating = &me["ratings"][0];
        say(&format!(
            "{}: rating 1500 → {} ± {}",
            me["name"].as_str().unwrap_or_default(),
            rating["rating"],
            rating["deviation"]
        ));
    }
    let [one_before, other_before] = before;
    let [one_after, other_after] = after;
    let (one, other) = ([one_before, one_after], [other_before, other_after]);
    let (winner, loser) = if won { (one, other) } else { (other, one) };
    Played { game, winner, loser }
}

fn words(view: &Value, fields: &[&str]) -> String {
    let shown =
        fields.iter().map(|field| format!("{field}: {}", view[*field].as_str().unwrap_or("-")));
    shown.collect::<Vec<_>>().join(", ")
}
