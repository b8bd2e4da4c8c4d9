//! `GET /game/{id}`: a game to watch and replay.

use arena::{Game, GameId, Timestamp, TurnNumber, Uncounted, poll_after_ms};
use arena_lambda::{
    Context, Keep, Reply, cached_as, html, see_other, tag_of, varied_by_site, with_header,
};
use arena_store::now;
use arena_wire::{Detail, GameView, TimeView};
use askama::Template;
use lambda_http::http::header::CACHE_CONTROL;
use lambda_http::{Request, RequestExt};
use renju::{Color, Position};
use renju_picture::{Scene, Timeline};

use crate::moves::{Decision, all_kept, choices, stones};
use crate::opening::{self, OpeningStep, Progress};
use crate::{cards, openings, page, pair, words};

const LIVE: Keep = Keep::Seconds(1);
const OVER: Keep = Keep::Seconds(300);

/// Longest time between two polls of a spectator, however slowly the players think.
const POLL_MS_MAX: i64 = 4_000;

pub(crate) async fn show(context: &Context, request: &Request, id: GameId) -> Reply {
    let asked = request.query_string_parameters_ref().and_then(|query| query.first("turn"));
    let asked = asked.and_then(|turn| turn.parse().ok()).map(TurnNumber);
    let game = arena_protocol::game(&context.store, id).await?;
    let other = request.query_string_parameters_ref().and_then(|query| query.first("pair"));
    if let Some(side) = other {
        let address = pair::neighbour(context, &game, side == "next").await?;
        return with_header(see_other(&address), CACHE_CONTROL, "public, max-age=60");
    }
    let shown = asked.unwrap_or(game.turn()).min(game.turn());
    let keep = if game.result().is_some() { OVER } else { LIVE };
    let origin = context.base_url(request);
    // Rendered at the time of the last decision, so that the tag does not change with the clock.
    let tag = tag_of(render(&game, shown, &origin, game.last_at()).as_bytes());
    let reply = || html(render(&game, shown, &origin, now()));
    varied_by_site(cached_as(request, &tag, keep, reply))
}

/// Page of a game, with the board as it was after `shown` decisions.
pub fn render(game: &Game, shown: TurnNumber, origin: &str, now: Timestamp) -> String {
    let then;
    let at = if shown < game.turn() {
        then = game.at(shown);
        &then
    } else {
        game
    };
    let view = GameView::new(game, None, now, Detail::BRIEF);
    let decisions: Vec<Decision> =
        view.moves.iter().flatten().map(|view| Decision::of(game, view)).collect();
    let [black, white] = Color::BOTH.map(|color| &game.player(color).name);
    let title = format!("{black} – {white}");
    let scene = cards::scene(at);
    page(&GamePage {
        foul: scene_of_end(game).and_then(|scene| scene.foul_words()),
        board: timeline(game).draw(&scene, shown.0, &title),
        title: &title,
        id: &view.game_id,
        origin,
        ruleset: words::short(game.ruleset()),
        pool: words::pace(game),
        live: game.result().is_none(),
        turn: shown.0,
        turns: game.turn().0,
        stones: stones(&decisions, shown.0),
        stones_total: stones(&decisions, game.turn().0),
        said: decisions.iter().find(|decision| decision.turn == shown.0),
        started: Moment::of(game.header().created),
        lasted: words::time(seconds_between(game.header().created, game.last_at())),
        poll_ms: poll_after_ms(game, None, now).min(POLL_MS_MAX),
        black: Side::of(game, Color::Black, now),
        white: Side::of(game, Color::White, now),
        status: words::status(game),
        uncounted: game.uncounted().map(Uncounted::words),
        opening: openings::of(game).map(|opening| (opening.name, openings::code(opening))),
        steps: opening::strip(game),
        pair: pair::games_of(game),
        proof: view.result.as_ref().and_then(|result| result.explanation.as_ref()?.text.as_deref()),
        choices: choices(&decisions),
        all_kept: all_kept(&decisions),
        decisions: &decisions,
    })
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    title: &'a str,
    id: &'a str,
    origin: &'a str,
    ruleset: &'static str,
    pool: String,
    live: bool,
    turn: u32,
    turns: u32,
    stones: usize,
    stones_total: usize,
    said: Option<&'a Decision>,
    started: Moment,
    lasted: String,
    poll_ms: i64,
    board: String,
    black: Side<'a>,
    white: Side<'a>,
    status: String,
    uncounted: Option<&'static str>,
    /// Name of the opening, and its place on the page of openings.
    opening: Option<(&'static str, String)>,
    /// Steps of the opening, while it is played.
    steps: Vec<(OpeningStep, Progress)>,
    /// Address of the list of the games of these two.
    pair: Option<String>,
    /// Foul that ended the game, in plain sentences.
    foul: Option<String>,
    /// Its exact proof.
    proof: Option<&'a str>,
    decisions: &'a [Decision],
    choices: Vec<&'a Decision>,
    all_kept: bool,
}

/// All positions of the game in one drawing.
fn timeline(game: &Game) -> Timeline {
    let (start, live) = (Position::new(game.ruleset()), game.result().is_none());
    Timeline::of(start, game.plays(), game.turn().0, live)
        .expect("every play of a game's log is legal")
}

/// Scene of the last position, if the game is over.
fn scene_of_end(game: &Game) -> Option<Scene> {
    game.result().map(|_| cards::scene(game))
}

fn seconds_between(from: Timestamp, to: Timestamp) -> u32 {
    u32::try_from(to.since(from).max(0) / 1_000).unwrap_or(u32::MAX)
}

/// A moment for people, and for programs.
struct Moment {
    words: String,
    exact: String,
}

impl Moment {
    fn of(at: Timestamp) -> Moment {
        let exact = TimeView(at).to_string();
        let minutes = exact.get(11..16).unwrap_or_default();
        Moment { words: format!("{} {minutes} UTC", TimeView(at).day()), exact }
    }
}

/// A player on the page.
struct Side<'a> {
    name: &'a str,
    color: Color,
    rating: f64,
    deviation: f64,
    /// Rating after the game, if the game changed it.
    after: Option<f64>,
    provisional: bool,
    acts: bool,
    won: bool,
    pairs: Option<String>,
    /// Time by which the player must act, in ms since 1970.
    deadline: Option<i64>,
    left: String,
    /// Time for a turn, on the clock of the player who waits.
    turn: Option<String>,
}

impl Side<'_> {
    fn of(game: &Game, color: Color, now: Timestamp) -> Side<'_> {
        let seat = game.position().seat_of(color);
        let player = &game.header().players[seat];
        let acts = game.to_act() == Some(seat);
        let deadline = game.deadline().filter(|_| acts);
        let pairs = |to_win| format!("{} of {to_win}", game.position().pairs()[color]);
        Side {
            name: player.name.as_str(),
            color,
            rating: player.rating.value.round(),
            deviation: player.rating.deviation.round(),
            after: game.rating_after(seat).map(|rating| rating.value.round()),
            provisional: player.rating.is_provisional(),
            acts,
            won: game.result().is_some_and(|result| result.winner == Some(seat)),
            pairs: game.ruleset().pairs_to_win.map(pairs),
            turn: game.to_act().map(|_| words::clock(game.header().turn_ms.into())),
            deadline: deadline.map(Timestamp::ms),
            left: deadline.map(|at| words::clock(at.since(now))).unwrap_or_default(),
        }
    }
}
