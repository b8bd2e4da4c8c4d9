//! One conditional write in DynamoDB's terms, alone or as part of a transaction.

use std::collections::HashMap;

use arena::{GameId, Write};
use aws_sdk_dynamodb::types::{
    AttributeValue, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};

use crate::Config;
use crate::codec::agent::{
    BAN, BIO, COOL_UNTIL, CREATED, EPOCH, JOINS, KEY, LAST_GAME, NO_SHOWS, OPPONENTS, POOL,
    PREVIOUS_KEY, PREVIOUS_UNTIL, TALLY, UNTIL, URL, WAITING,
};
use crate::codec::game::{ARMED, LIST, LISTED_AT, LOG, TURN};
use crate::codec::standing::GAMES;
use crate::codec::{
    self, EXPIRES, Item, PK, agent, bytes, game, number, seconds, standing, text, time,
};

/// A put or delete of a whole item, or an update of some of its attributes, on a condition.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) table: String,
    pub(crate) change: Change,
    /// `None` only for a delete of what need not exist.
    pub(crate) condition: Option<String>,
    /// By placeholder, with its colon; `None` if empty, as DynamoDB requires.
    pub(crate) values: Option<HashMap<String, AttributeValue>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Put(Item),
    Update { key: Item, expression: String },
    Delete { key: Item },
}

impl Statement {
    /// The statement for a write of a plan. All conditions are written here.
    pub(crate) fn of(write: &Write, config: &Config) -> Statement {
        let on_agent = |name| Draft::update(&config.agents_table, agent::key(name));
        let on_game = |id| Draft::update(&config.games_table, game::key(id));
        match write {
            Write::Register(agent) => {
                Draft::put(&config.agents_table, agent::encode(agent, config.shards))
                    .value("now", seconds(agent.created))
                    .when(format!("attribute_not_exists({PK}) OR {EXPIRES} <= :now"))
            }
            Write::Join {
                agent: name,
                created,
                seen_epoch,
                seen_game,
                waiting,
                expires,
                joins,
            } => {
                let draft = on_agent(name)
                    .set(EPOCH, number(seen_epoch + 1))
                    .set_all(agent::encode_waiting(name, waiting, config.shards))
                    .set_all(agent::encode_joins(joins).map(|joins| (JOINS, joins)))
                    .value("seen_epoch", number(seen_epoch))
                    .value("created", time(*created));
                let draft = match expires {
                    Some(expires) => draft.set(EXPIRES, seconds(*expires)),
                    None => draft.remove(&[EXPIRES]),
                };
                let seen = format!(
                    "{CREATED} = :created AND {EPOCH} = :seen_epoch AND attribute_not_exists({BAN})"
                );
                draft.when_last_game(*seen_game, seen)
            }
            Write::Leave { agent: name, epoch, until } => {
                let draft = on_agent(name).remove(&WAITING).value("epoch", number(epoch));
                match until {
                    Some(until) => draft.value("until", time(*until)).when(format!(
                        "{EPOCH} = :epoch AND attribute_exists({POOL}) AND {UNTIL} = :until"
                    )),
                    None => draft.when(format!("{EPOCH} = :epoch AND attribute_exists({POOL})")),
                }
            }
            Write::Refresh { agent: name, epoch, until, expires } => on_agent(name)
                .set(UNTIL, time(*until))
                .set_all(expires.map(|expires| (EXPIRES, seconds(expires))))
                .value("epoch", number(epoch))
                .when(format!("{EPOCH} = :epoch AND attribute_exists({POOL})")),
            Write::Seat { agent: name, epoch, key, game, opponents, tally } => on_agent(name)
                .set(LAST_GAME, text(game.to_string()))
                .set_all(agent::encode_opponents(opponents).map(|opponents| (OPPONENTS, opponents)))
                .set_all(agent::encode_tally(tally).map(|tally| (TALLY, tally)))
                .remove(&WAITING)
                .value("epoch", number(epoch))
                .value("key", bytes(key.0))
                .when(format!("{EPOCH} = :epoch AND attribute_exists({POOL}) AND {KEY} = :key")),
            Write::Keys { agent: name, seen, seen_game, is_banned, keys } => {
                let draft =
                    on_agent(name).set(KEY, bytes(keys.current.0)).value("seen", bytes(seen.0));
                let draft = match keys.previous {
                    Some((key, until)) => {
                        draft.set(PREVIOUS_KEY, bytes(key.0)).set(PREVIOUS_UNTIL, time(until))
                    }
                    None => draft.remove(&[PREVIOUS_KEY, PREVIOUS_UNTIL]),
                };
                let is_banned =
                    if *is_banned { "attribute_exists" } else { "attribute_not_exists" };
                draft.when_last_game(*seen_game, format!("{KEY} = :seen AND {is_banned}({BAN})"))
            }
            Write::Describe { agent: name, seen, bio, url } => {
                let draft = on_agent(name).value("seen", bytes(seen.0));
                let texts = [(BIO, bio), (URL, url)];
                let draft = texts.into_iter().fold(draft, |draft, (name, new)| match new {
                    Some(Some(new)) => draft.set(name, text(new)),
                    Some(None) => draft.remove(&[name]),
                    None => draft,
                });
                draft.when(format!("{KEY} = :seen"))
            }
            Write::Ban { agent: name, seen, seen_game, why } => {
                let draft = on_agent(name).remove(&WAITING).value("seen", bytes(seen.0));
                let draft = match why {
                    Some(why) => draft.set(BAN, text(why)).remove(&[EXPIRES]),
                    None => draft.remove(&[BAN]),
                };
                draft.when_last_game(*seen_game, format!("{KEY} = :seen"))
            }
            Write::Delete { agent: name, seen, seen_game } => {
                Draft::delete(&config.agents_table, agent::key(name))
                    .value("seen", bytes(seen.0))
                    .when_last_game(*seen_game, format!("{KEY} = :seen"))
            }
            Write::Unrate { agent, division } => {
                Draft::delete(&config.agents_table, standing::key(agent, *division)).always()
            }
            Write::CoolDown { agent: name, game, no_shows, until } => on_agent(name)
                .set(NO_SHOWS, number(no_shows))
                .set(COOL_UNTIL, time(*until))
                .value("game", text(game.to_string()))
                .when(format!("{LAST_GAME} = :game")),
            Write::Rate { agent, division, seen_games, standing } => {
                let item = standing::encode(agent, *division, standing, config.shards);
                let draft = Draft::put(&config.agents_table, item);
                match seen_games {
                    0 => draft.when(format!("attribute_not_exists({PK})")),
                    games => draft
                        .value("seen_games", number(games))
                        .when(format!("{GAMES} = :seen_games")),
                }
            }
            Write::Create { header, armed } => {
                let item = game::encode_new(header, *armed, config.shards);
                Draft::put(&config.games_table, item).when(format!("attribute_not_exists({PK})"))
            }
            Write::Advance(next) => on_game(next.id())
                .set(TURN, number(next.turn()))
                .set(LOG, bytes(codec::log::encode(next.log())))
                .value("seen_turn", number(Write::seen_turn(next)))
                .when(format!("{TURN} = :seen_turn")),
            Write::Finish(next) => on_game(next.id())
                .set(TURN, number(next.turn()))
                .set(LOG, bytes(codec::log::encode(next.log())))
                .set(
                    LIST,
                    text(game::over_key(next.ruleset(), game::shard(next.id(), config.shards))),
                )
                .set(LISTED_AT, time(next.last_at()))
                .remove(&[ARMED])
                .value("seen_turn", number(Write::seen_turn(next)))
                .when(format!("{TURN} = :seen_turn")),
            Write::Rearm { game, from, to } => on_game(*game)
                .set(ARMED, time(*to))
                .value("from", time(*from))
                .when(format!("{ARMED} = :from")),
            Write::Rekey { game, seat, key } => on_game(*game)
                .set(game::digest_of(*seat), bytes(key.0))
                .when(format!("attribute_exists({PK})")),
        }
    }

    /// As one of several in a transaction.
    pub(crate) fn into_item(self) -> TransactWriteItem {
        let old = ReturnValuesOnConditionCheckFailure::AllOld;
        let item = TransactWriteItem::builder();
        match self.change {
            Change::Put(put) => item.put(
                Put::builder()
                    .table_name(self.table)
                    .set_item(Some(put))
                    .set_condition_expression(self.condition)
                    .set_expression_attribute_values(self.values)
                    .return_values_on_condition_check_failure(old)
                    .build()
                    .expect("a put has a table and an item"),
            ),
            Change::Update { key, expression } => item.update(
                Update::builder()
                    .table_name(self.table)
                    .set_key(Some(key))
                    .update_expression(expression)
                    .set_condition_expression(self.condition)
                    .set_expression_attribute_values(self.values)
                    .return_values_on_condition_check_failure(old)
                    .build()
                    .expect("an update has a table, a key and an expression"),
            ),
            Change::Delete { key } => item.delete(
                Delete::builder()
                    .table_name(self.table)
                    .set_key(Some(key))
                    .set_condition_expression(self.condition)
                    .set_expression_attribute_values(self.values)
                    .return_values_on_condition_check_failure(old)
                    .build()
                    .expect("a delete has a table and a key"),
            ),
        }
        .build()
    }
}

/// A statement without its condition.
struct Draft {
    table: String,
    target: Target,
    sets: Vec<&'static str>,
    removes: Vec<&'static str>,
    values: HashMap<String, AttributeValue>,
}

enum Target {
    Item(Item),
    Key(Item),
    Gone(Item),
}

impl Draft {
    fn new(table: &str, target: Target) -> Draft {
        let (sets, removes, values) = (Vec::new(), Vec::new(), HashMap::new());
        Draft { table: table.to_owned(), target, sets, removes, values }
    }

    fn put(table: &str, item: Item) -> Draft {
        Draft::new(table, Target::Item(item))
    }

    fn update(table: &str, key: Item) -> Draft {
        Draft::new(table, Target::Key(key))
    }

    fn delete(table: &str, key: Item) -> Draft {
        Draft::new(table, Target::Gone(key))
    }

    fn set(mut self, attribute: &'static str, value: AttributeValue) -> Draft {
        self.sets.push(attribute);
        self.value(attribute, value)
    }

    fn set_all(self, all: impl IntoIterator<Item = (&'static str, AttributeValue)>) -> Draft {
        all.into_iter().fold(self, |draft, (attribute, value)| draft.set(attribute, value))
    }

    fn remove(mut self, attributes: &[&'static str]) -> Draft {
        self.removes.extend(attributes);
        self
    }

    fn value(mut self, placeholder: &str, value: AttributeValue) -> Draft {
        self.values.insert(format!(":{placeholder}"), value);
        self
    }

    /// On `condition` and that this is the last game of the agent.
    fn when_last_game(self, game: Option<GameId>, condition: String) -> Statement {
        match game {
            Some(game) => self
                .value("seen_game", text(game.to_string()))
                .when(format!("{condition} AND {LAST_GAME} = :seen_game")),
            None => self.when(format!("{condition} AND attribute_not_exists({LAST_GAME})")),
        }
    }

    fn when(self, condition: String) -> Statement {
        Statement { condition: Some(condition), ..self.always() }
    }

    fn always(self) -> Statement {
        let change = match self.target {
            Target::Item(item) => Change::Put(item),
            Target::Gone(key) => Change::Delete { key },
            Target::Key(key) => {
                let sets: Vec<String> = self
                    .sets
                    .iter()
                    .map(|attribute| format!("{attribute} = :{attribute}"))
                    .collect();
                let clause = |word: &str, list: String| {
                    if list.is_empty() { list } else { format!("{word} {list} ") }
                };
                let sets = clause("SET", sets.join(", "));
                let removes = clause("REMOVE", self.removes.join(", "));
                let expression = format!("{sets}{removes}").trim_end().to_owned();
                Change::Update { key, expression }
            }
        };
        Statement {
            table: self.table,
            change,
            condition: None,
            values: (!self.values.is_empty()).then_some(self.values),
        }
    }
}
