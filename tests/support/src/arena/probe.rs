//! Checks that a server's conditional writes are atomic. On one where they are not, a test of races
//! would fail for a reason that is not ours, or pass for none.

use arena_store::Access;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

const WRITERS: usize = 24;
const ROUNDS: usize = 6;

/// Fails loudly unless of many concurrent writes with the same condition exactly one wins, in
/// every round. Asked once a process.
pub(crate) async fn require_atomic_writes(access: &Access, prefix: &str) {
    static PROBED: OnceCell<()> = OnceCell::const_new();
    PROBED.get_or_init(|| probe(access, prefix)).await;
}

async fn probe(access: &Access, prefix: &str) {
    let dynamodb = access.dynamodb();
    let table = format!("{prefix}-probe");
    let key =
        AttributeDefinition::builder().attribute_name("pk").attribute_type(ScalarAttributeType::S);
    let schema = KeySchemaElement::builder().attribute_name("pk").key_type(KeyType::Hash);
    dynamodb
        .create_table()
        .table_name(&table)
        .attribute_definitions(key.build().unwrap())
        .key_schema(schema.build().unwrap())
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await
        .expect("a table for the probe can be made");
    let mut winners = Vec::new();
    for round in 0..ROUNDS {
        let mut writers = JoinSet::new();
        for writer in 0..WRITERS {
            let update = dynamodb
                .update_item()
                .table_name(&table)
                .key("pk", AttributeValue::S("item".to_owned()))
                .update_expression("SET t = :next, w = :writer")
                .condition_expression("attribute_not_exists(t) OR t = :seen")
                .expression_attribute_values(":seen", AttributeValue::N(round.to_string()))
                .expression_attribute_values(":next", AttributeValue::N((round + 1).to_string()))
                .expression_attribute_values(":writer", AttributeValue::N(writer.to_string()));
            writers.spawn(async move { update.send().await.is_ok() });
        }
        winners.push(writers.join_all().await.into_iter().filter(|won| *won).count());
    }
    assert!(
        winners.iter().all(|count| *count == 1),
        "the DynamoDB at {} is not fit for tests of races: of {WRITERS} concurrent writes with the \
         same condition {winners:?} succeeded in {ROUNDS} rounds, where exactly one may",
        access.dynamodb.as_deref().unwrap_or("AWS"),
    );
}
