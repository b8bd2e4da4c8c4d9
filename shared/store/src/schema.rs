//! Tables, indexes and queues as data. A test compares them with the deployment's template.

#![allow(missing_docs, reason = "the names say it")]

use std::time::Duration;

use arena::Pace;
use arena_protocol::{Cause, Fault};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType, TableStatus, TimeToLiveSpecification,
};
use aws_sdk_sqs::types::QueueAttributeName;
use renju::Seat;

use crate::codec::{self, PK, SK, agent, game, standing};
use crate::{Access, Config, Store, fault};

/// Attributes with the hashes of an agent's keys, and the end of the replaced one. Only the function
/// that hands out keys may write them.
pub const AGENT_KEYS: [&str; 3] = [agent::KEY, agent::PREVIOUS_KEY, agent::PREVIOUS_UNTIL];

/// The same for a game: digests of the keys of its two seats.
pub const GAME_KEYS: [&str; 2] = [game::digest_of(Seat::First), game::digest_of(Seat::Second)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    pub partition: Key,
    pub sort: Option<Key>,
    /// Global secondary indexes.
    pub indexes: &'static [Index],
    /// Attribute with the time, in seconds since 1970, after which DynamoDB may delete an item.
    /// Nothing relies on it.
    pub expiry: Option<&'static str>,
}

/// A global secondary index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    pub name: &'static str,
    pub partition: Key,
    pub sort: Key,
    /// Projected attributes besides keys.
    pub include: &'static [&'static str],
}

/// A key attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub name: &'static str,
    pub is_number: bool,
}

const fn word(name: &'static str) -> Key {
    Key { name, is_number: false }
}

const fn numeral(name: &'static str) -> Key {
    Key { name, is_number: true }
}

/// Agents and their standings, by name.
pub const AGENTS: Table = Table {
    partition: word(PK),
    sort: Some(word(SK)),
    indexes: &[
        Index {
            name: "pool",
            partition: word(agent::POOL),
            sort: numeral(agent::SINCE),
            include: &[
                agent::EPOCH,
                agent::UNTIL,
                agent::RATING,
                agent::OPPONENT,
                agent::OPPONENTS,
                agent::OWNER,
            ],
        },
        Index {
            name: "board",
            partition: word(standing::BOARD),
            sort: numeral(standing::RANK),
            include: &[standing::RATING, standing::RATED_AT, standing::COUNTS],
        },
    ],
    expiry: Some(codec::EXPIRES),
};

/// Games, by id.
pub const GAMES: Table = Table {
    partition: word(PK),
    sort: None,
    indexes: &[Index {
        name: "status",
        partition: word(game::LIST),
        sort: numeral(game::LISTED_AT),
        include: &[],
    }],
    expiry: None,
};

/// Timeout of the referee for a batch of messages.
pub const REFEREE_TIMEOUT_S: u32 = 20;

/// Timeout of the house function for one message; the engine gets a part of it.
pub const HOUSE_TIMEOUT_S: u32 = 30;

/// Messages per batch of matchmaking, collected for [`MATCH_WINDOW_S`]: a thousand joins in a second
/// are a few runs over the queue.
pub const MATCH_BATCH: u32 = 1_000;
pub const MATCH_WINDOW_S: u32 = 1;

/// Most runs of matchmaking at the same time; AWS allows no fewer than two.
pub const MATCH_RUNS_MAX: u32 = 4;

/// Messages per batch of the house function: it thinks about one game at a time.
pub const HOUSE_BATCH: u32 = 1;

/// Visibility timeout of a message: six times the function's timeout, as AWS advises.
pub const VISIBILITY_S: u32 = 6 * REFEREE_TIMEOUT_S;

/// The same for the house bots. Until then, only the sweep and the opponent's polls send a message
/// again for a house bot whose function died.
pub const HOUSE_VISIBILITY_S: u32 = 6 * HOUSE_TIMEOUT_S;

/// Failed deliveries before a message becomes a dead letter.
pub const RECEIVES_MAX: u32 = 5;

pub const DEAD_RETENTION_S: u32 = 14 * 24 * 3_600;

/// Pause between two checks of a table that is being created.
const CHECK_PAUSE: Duration = Duration::from_millis(250);
const CHECKS_MAX: u32 = 240;

impl Store {
    /// Creates everything a deployment needs, under names that start with `prefix`, for a laptop
    /// and for tests. Existing tables and queues are left as they are.
    pub async fn create(
        access: &Access,
        prefix: &str,
        shards: u8,
        pace: Pace,
    ) -> Result<Store, Fault> {
        let sqs = access.sqs();
        let config = Config {
            agents_table: format!("{prefix}-agents"),
            games_table: format!("{prefix}-games"),
            referee_queue_url: work_queue(&sqs, prefix, "referee", VISIBILITY_S).await?,
            match_queue_url: work_queue(&sqs, prefix, "match", VISIBILITY_S).await?,
            house_queue_url: work_queue(&sqs, prefix, "house", HOUSE_VISIBILITY_S).await?,
            shards,
            pace,
        };
        let store = Store::new(access, config);
        store.create_tables().await?;
        Ok(store)
    }

    /// Creates the two tables, unless they exist.
    async fn create_tables(&self) -> Result<(), Fault> {
        let config = self.config();
        for (name, table) in [(&config.agents_table, &AGENTS), (&config.games_table, &GAMES)] {
            if self.create_table(name, table).await? {
                self.wait_for(name).await?;
                self.expire(name, table).await?;
            }
        }
        Ok(())
    }

    /// True if the table was created, false if it existed.
    async fn create_table(&self, name: &str, table: &Table) -> Result<bool, Fault> {
        let mut keys = vec![table.partition];
        keys.extend(table.sort);
        keys.extend(table.indexes.iter().flat_map(|index| [index.partition, index.sort]));
        let indexes: Vec<_> = table.indexes.iter().map(index).collect();
        let created = self
            .dynamodb()
            .create_table()
            .table_name(name)
            .billing_mode(BillingMode::PayPerRequest)
            .set_key_schema(Some(key_schema(table.partition, table.sort)))
            .set_attribute_definitions(Some(keys.into_iter().map(definition).collect()))
            .set_global_secondary_indexes(Some(indexes))
            .send()
            .await;
        match created {
            Ok(_) => Ok(true),
            Err(error) => match error.as_service_error() {
                Some(refused) if refused.is_resource_in_use_exception() => Ok(false),
                _ => Err(fault::service("create_table", error)),
            },
        }
    }

    async fn wait_for(&self, name: &str) -> Result<(), Fault> {
        for _ in 0..CHECKS_MAX {
            let output = self
                .dynamodb()
                .describe_table()
                .table_name(name)
                .send()
                .await
                .map_err(|error| fault::service("create_table", error))?;
            let status = output.table().and_then(|table| table.table_status());
            if status == Some(&TableStatus::Active) {
                return Ok(());
            }
            tokio::time::sleep(CHECK_PAUSE).await;
        }
        Err(Fault::new("create_table", Cause::Reply("an active table")))
    }

    async fn expire(&self, name: &str, table: &Table) -> Result<(), Fault> {
        let Some(attribute) = table.expiry else { return Ok(()) };
        let expiry = TimeToLiveSpecification::builder()
            .attribute_name(attribute)
            .enabled(true)
            .build()
            .expect("an expiry has an attribute and a state");
        self.dynamodb()
            .update_time_to_live()
            .table_name(name)
            .time_to_live_specification(expiry)
            .send()
            .await
            .map_err(|error| fault::service("create_table", error))?;
        Ok(())
    }
}

/// A queue and its queue of dead letters, whose name ends in `-dead`; created unless they exist.
async fn work_queue(
    sqs: &aws_sdk_sqs::Client,
    prefix: &str,
    work: &str,
    visibility_s: u32,
) -> Result<String, Fault> {
    let name = format!("{prefix}-{work}");
    let retention = [(QueueAttributeName::MessageRetentionPeriod, DEAD_RETENTION_S.to_string())];
    let dead_letters = queue(sqs, format!("{name}-dead"), retention).await?;
    let output = sqs
        .get_queue_attributes()
        .queue_url(&dead_letters)
        .attribute_names(QueueAttributeName::QueueArn)
        .send()
        .await
        .map_err(|error| fault::service("create_queue", error))?;
    let arn = output
        .attributes()
        .and_then(|attributes| attributes.get(&QueueAttributeName::QueueArn))
        .ok_or(Fault::new("create_queue", Cause::Reply("the queue's name")))?;
    let redrive = format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":{RECEIVES_MAX}}}"#);
    let attributes = [
        (QueueAttributeName::VisibilityTimeout, visibility_s.to_string()),
        (QueueAttributeName::RedrivePolicy, redrive),
    ];
    queue(sqs, name, attributes).await
}

async fn queue(
    sqs: &aws_sdk_sqs::Client,
    name: String,
    attributes: impl IntoIterator<Item = (QueueAttributeName, String)>,
) -> Result<String, Fault> {
    let output = sqs
        .create_queue()
        .queue_name(name)
        .set_attributes(Some(attributes.into_iter().collect()))
        .send()
        .await
        .map_err(|error| fault::service("create_queue", error))?;
    output.queue_url.ok_or(Fault::new("create_queue", Cause::Reply("the queue's address")))
}

fn definition(key: Key) -> AttributeDefinition {
    let kind = if key.is_number { ScalarAttributeType::N } else { ScalarAttributeType::S };
    AttributeDefinition::builder()
        .attribute_name(key.name)
        .attribute_type(kind)
        .build()
        .expect("a key has a name and a type")
}

fn key_schema(partition: Key, sort: Option<Key>) -> Vec<KeySchemaElement> {
    let element = |key: Key, kind| {
        KeySchemaElement::builder()
            .attribute_name(key.name)
            .key_type(kind)
            .build()
            .expect("a key has a name and a place")
    };
    let mut schema = vec![element(partition, KeyType::Hash)];
    schema.extend(sort.map(|sort| element(sort, KeyType::Range)));
    schema
}

fn index(index: &Index) -> GlobalSecondaryIndex {
    let projection = if index.include.is_empty() {
        Projection::builder().projection_type(ProjectionType::KeysOnly)
    } else {
        let include = index.include.iter().map(|&name| name.to_owned()).collect();
        Projection::builder()
            .projection_type(ProjectionType::Include)
            .set_non_key_attributes(Some(include))
    };
    GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.partition, Some(index.sort))))
        .projection(projection.build())
        .build()
        .expect("an index has a name, keys and a projection")
}
