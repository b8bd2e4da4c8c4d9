//! `required_action`: what the player to act must send, with a schema and an example that would be
//! accepted as it stands.

use std::borrow::Cow;
use std::sync::LazyLock;

use arena::Game;
use renju::{Area, OFFER_MAX, Offer, Phase, Play, Point, Position};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::game::Detail;
use crate::request::{DeclareRequest, MoveRequest, OfferRequest, SwapRequest};
use crate::route::Endpoint;
use crate::schema;

/// The decision that is due. Where it can be made in several ways, the others are alternatives.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RequiredAction {
    /// The usual way.
    #[serde(flatten)]
    pub action: ActionView,
    /// Other endpoints that are valid now.
    pub alternatives: Vec<ActionView>,
}

/// One way to act.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActionView {
    /// Method and path together: `POST /games/abcdefghijklmnop/move`.
    pub endpoint: String,
    /// The method.
    pub method: Cow<'static, str>,
    /// The path.
    pub path: String,
    /// The action in words.
    pub summary: String,
    /// The JSON Schema of the body; absent if not asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub schema: Option<Cow<'static, Value>>,
    /// A body that would be accepted.
    #[schemars(with = "Map<String, Value>")]
    pub example: Value,
}

impl RequiredAction {
    /// The action of the player to act, who may place on the `legal` points; `None` when the game is over.
    pub(crate) fn new(game: &Game, legal: &[Point], detail: Detail) -> Option<RequiredAction> {
        game.to_act()?;
        let position = game.position();
        let color = position.to_move();
        let placing = |area| place(game, legal, place_summary(position, area, detail.legal));
        let mut alternatives = Vec::new();
        let action = match position.phase() {
            Phase::Place(area) => placing(area),
            Phase::Play => placing(Area::Board),
            Phase::Choose(_) => {
                let summary = "choose one of offer10_candidates for the fifth stone, which is";
                place(game, legal, format!("{summary} {color}"))
            }
            Phase::Swap => swap(game, SWAP.into(), &SWAP_BODY),
            Phase::SwapOrPutTwo => swap(game, format!("{SWAP}; {PUT_TWO}"), &SWAP_OR_PUT_TWO_BODY),
            Phase::Fifth { area, count } => {
                alternatives.push(offer(game, count));
                placing(area)
            }
            Phase::Offer { count } => offer(game, count),
            Phase::Declare { most } => declare(game, most),
            Phase::Over(_) => return None,
        };
        let mut required = RequiredAction { action, alternatives };
        if !detail.schema {
            let RequiredAction { action, alternatives } = &mut required;
            alternatives.iter_mut().chain([action]).for_each(|way| way.schema = None);
        }
        Some(required)
    }
}

const SWAP: &str = "decide about the colours: swap true takes the other colour, false keeps yours";
const PUT_TWO: &str = "\"put_two\" puts two more stones and lets the opponent choose the colours";

// Schemas of bodies in which only the decision that is due can be said.

/// The point is enough: coordinates would say the same.
static MOVE_BODY: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = body::<MoveRequest>();
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|field, _| !["x", "y", "name"].contains(&field.as_str()));
    }
    schema["properties"]["point"]["type"] = json!("string");
    schema["required"] = json!(["point", "turn_number", "idempotency_key"]);
    schema
});
static SWAP_BODY: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = body::<SwapRequest>();
    let about = "true takes the other colour, false keeps yours";
    schema["properties"]["swap"] = json!({"type": "boolean", "description": about});
    schema
});
static SWAP_OR_PUT_TWO_BODY: LazyLock<Value> = LazyLock::new(body::<SwapRequest>);
static DECLARE_BODY: LazyLock<Value> = LazyLock::new(body::<DeclareRequest>);
/// Offers of exactly one point, of two, and so on.
static OFFER_BODIES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let offer = |count: usize| {
        let mut schema = body::<OfferRequest>();
        let candidates = &mut schema["properties"]["candidates"];
        (candidates["minItems"], candidates["maxItems"]) = (json!(count), json!(count));
        schema
    };
    (1..=OFFER_MAX).map(offer).collect()
});

fn body<T: JsonSchema>() -> Value {
    let mut schema = schema::of_request(T::json_schema);
    schema.as_object_mut().map(|schema| schema.remove("description"));
    schema
}

fn action(
    game: &Game,
    endpoint: Endpoint,
    summary: String,
    schema: &'static Value,
    decision: (&str, Value),
) -> ActionView {
    let id = game.id().to_string();
    let turn = game.turn();
    let mut example = Map::new();
    example.insert(decision.0.into(), decision.1);
    example.insert("turn_number".into(), turn.0.into());
    example.insert("idempotency_key".into(), format!("{id}-{turn}").into());
    let route = endpoint.route();
    let path = route.path_with(&id);
    let method = route.method.as_str();
    ActionView {
        endpoint: format!("{method} {path}"),
        method: method.into(),
        path,
        summary,
        schema: Some(Cow::Borrowed(schema)),
        example: Value::Object(example),
    }
}

/// The summary of a placement. It names `legal_moves` only where they are listed.
fn place_summary(position: &Position, area: Area, is_listed: bool) -> String {
    let color = position.to_move();
    let centre = Point::centre(position.board().size());
    let points = if is_listed {
        "a point of legal_moves"
    } else if position.forbidden_points().next().is_some() {
        "an empty point that is not forbidden"
    } else {
        "an empty point"
    };
    match area {
        Area::Ring(0) => format!("place a {color} stone on {centre}"),
        Area::Ring(ring) => {
            let side = 2 * ring + 1;
            let square = format!("the {side}×{side} square around {centre}");
            format!("place a {color} stone in {square}, on {points}")
        }
        Area::Board => format!("place a {color} stone on {points}"),
    }
}

fn place(game: &Game, legal: &[Point], summary: String) -> ActionView {
    let point = example_point(game.position(), legal).map(|point| point.to_string());
    action(game, Endpoint::Move, summary, &MOVE_BODY, ("point", json!(point)))
}

fn swap(game: &Game, summary: String, schema: &'static Value) -> ActionView {
    action(game, Endpoint::Swap, summary, schema, ("swap", json!(false)))
}

fn declare(game: &Game, most: u8) -> ActionView {
    let summary = format!("declare how many fifth moves Black shall offer, from 1 to {most}");
    action(game, Endpoint::Declare, summary, &DECLARE_BODY, ("fifths", json!(most.min(2))))
}

fn offer(game: &Game, count: u8) -> ActionView {
    let points = if count == 1 { "point" } else { "points" };
    let summary = format!(
        "offer exactly {count} empty {points} for the fifth stone, no two of them symmetric; the \
         opponent chooses one"
    );
    let points = example_offer(game.position(), count);
    let names: Vec<String> = points.iter().map(Point::to_string).collect();
    let schema = &OFFER_BODIES[usize::from(count).clamp(1, OFFER_MAX) - 1];
    action(game, Endpoint::Offer, summary, schema, ("candidates", json!(names)))
}

/// The legal point nearest to the centre; a forbidden one only where nothing else is left.
fn example_point(position: &Position, legal: &[Point]) -> Option<Point> {
    let centre = Point::centre(position.board().size());
    legal.iter().copied().min_by_key(|point| point.ring(centre)).or_else(|| {
        position.plays().find_map(|play| match play {
            Play::Place(point) => Some(point),
            _ => None,
        })
    })
}

/// `count` points that may be offered together, taken outward from the centre; first those of one
/// eighth of the board, because few of them are symmetric.
fn example_offer(position: &Position, count: u8) -> Vec<Point> {
    let board = position.board();
    let distinct = position.ruleset().distinct;
    let centre = Point::centre(board.size());
    let is_outside = |point: &Point| point.y() < centre.y() || point.x() < point.y();
    let mut empty: Vec<Point> = board.empty_points().collect();
    empty.sort_by_key(|point| (is_outside(point), point.ring(centre)));
    let mut offered: Vec<Point> = Vec::with_capacity(usize::from(count));
    for point in empty {
        if offered.len() == usize::from(count) {
            break;
        }
        if !offered.iter().any(|&other| distinct.same(board, other, point)) {
            offered.push(point);
        }
    }
    debug_assert!(Offer::new(&offered).is_ok());
    offered
}
