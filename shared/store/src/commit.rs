//! One attempt to write: a conditional put, update or delete, or a transaction of several.

use arena::{Game, Write};
use arena_protocol::{Cause, Commit, Current, Fault, Stale};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ConsumedCapacity, ReturnConsumedCapacity,
    ReturnValuesOnConditionCheckFailure,
};

use crate::codec::{self, Item, Undecodable};
use crate::statement::{Change, Statement};
use crate::{Store, fault};

/// Outcome of an attempt.
enum Attempt {
    Done,
    /// Index of each write whose condition failed, and the item found there.
    Failed(Vec<(usize, Option<Item>)>),
    /// Another transaction was writing the same items. Nothing is written.
    Conflict,
}

/// Errors of a write that are expected outcomes.
trait WriteError: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static {
    /// `None` if the call failed.
    fn answer(&self, doing: &'static str) -> Option<Result<Attempt, Fault>>;
}

macro_rules! write_error {
    ($($error:ident),*) => {$(
        impl WriteError for $error {
            fn answer(&self, _: &'static str) -> Option<Result<Attempt, Fault>> {
                match self {
                    $error::ConditionalCheckFailedException(failed) => {
                        Some(Ok(Attempt::Failed(vec![(0, failed.item.clone())])))
                    }
                    $error::TransactionConflictException(_) => Some(Ok(Attempt::Conflict)),
                    _ => None,
                }
            }
        }
    )*};
}

write_error!(PutItemError, UpdateItemError, DeleteItemError);

impl WriteError for TransactWriteItemsError {
    fn answer(&self, doing: &'static str) -> Option<Result<Attempt, Fault>> {
        match self {
            TransactWriteItemsError::TransactionCanceledException(cancelled) => {
                Some(judge(doing, cancelled.cancellation_reasons()))
            }
            _ => None,
        }
    }
}

impl Store {
    /// Makes these writes, all or none, and publishes their games to watchers. `None` if another
    /// transaction was writing the same items.
    pub(crate) async fn write_once(&self, writes: &[Write]) -> Result<Option<Commit>, Fault> {
        let operation = operation(writes);
        let statement = |write| Statement::of(write, self.config());
        let attempt = match writes {
            [write] => self.write_one(operation, statement(write)).await?,
            _ => self.transact(operation, writes.iter().map(statement)).await?,
        };
        let failed = match attempt {
            Attempt::Done => {
                writes.iter().filter_map(written).for_each(|game| self.watches().publish(game));
                return Ok(Some(Commit::Done));
            }
            Attempt::Conflict => return Ok(None),
            Attempt::Failed(failed) => failed,
        };
        self.meter().stale(operation);
        let mut stale = Vec::with_capacity(failed.len());
        for (write, item) in failed {
            let current = current(&writes[write], item).map_err(fault::undecodable(operation))?;
            stale.push(Stale { write, current });
        }
        for stale in &stale {
            if let Current::Game(game) = &stale.current {
                self.watches().publish(game);
            }
        }
        Ok(Some(Commit::Stale(stale)))
    }

    async fn write_one(
        &self,
        operation: &'static str,
        statement: Statement,
    ) -> Result<Attempt, Fault> {
        let Statement { table, change, condition, values } = statement;
        let (units, old) =
            (ReturnConsumedCapacity::Total, ReturnValuesOnConditionCheckFailure::AllOld);
        macro_rules! send {
            ($call:expr) => {{
                let call = $call.table_name(table).set_condition_expression(condition);
                let call = call.set_expression_attribute_values(values);
                let call = call.return_values_on_condition_check_failure(old);
                let sent = call.return_consumed_capacity(units).send().await;
                self.outcome(operation, sent.map(|output| Vec::from_iter(output.consumed_capacity)))
            }};
        }
        let dynamodb = self.dynamodb();
        match change {
            Change::Put(item) => send!(dynamodb.put_item().set_item(Some(item))),
            Change::Update { key, expression } => {
                send!(dynamodb.update_item().set_key(Some(key)).update_expression(expression))
            }
            Change::Delete { key } => send!(dynamodb.delete_item().set_key(Some(key))),
        }
    }

    /// The SDK makes the request token and reuses it when it retries a call by itself. Between our
    /// own attempts, the conditions make a repetition harmless.
    async fn transact(
        &self,
        operation: &'static str,
        statements: impl Iterator<Item = Statement>,
    ) -> Result<Attempt, Fault> {
        let sent = self
            .dynamodb()
            .transact_write_items()
            .set_transact_items(Some(statements.map(Statement::into_item).collect()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        self.outcome(operation, sent.map(|output| output.consumed_capacity.unwrap_or_default()))
    }

    fn outcome<E: WriteError>(
        &self,
        operation: &'static str,
        sent: Result<Vec<ConsumedCapacity>, SdkError<E>>,
    ) -> Result<Attempt, Fault> {
        let error = match sent {
            Ok(consumed) => {
                self.meter().wrote(operation, &consumed);
                return Ok(Attempt::Done);
            }
            Err(error) => error,
        };
        let answer = error.as_service_error().and_then(|error| error.answer(operation));
        answer.unwrap_or_else(|| Err(fault::service(operation, error)))
    }
}

/// Reads the reasons of a cancelled transaction. A failed condition is final, whatever else
/// happened; a conflict may be over at the next attempt.
fn judge(doing: &'static str, reasons: &[CancellationReason]) -> Result<Attempt, Fault> {
    let because = |code: &str| reasons.iter().any(|reason| reason.code() == Some(code));
    if because("ConditionalCheckFailed") {
        let failed = reasons.iter().enumerate();
        let failed = failed.filter(|(_, reason)| reason.code() == Some("ConditionalCheckFailed"));
        return Ok(Attempt::Failed(
            failed.map(|(write, reason)| (write, reason.item.clone())).collect(),
        ));
    }
    let other = reasons
        .iter()
        .find(|reason| !matches!(reason.code(), None | Some("None" | "TransactionConflict")));
    match other {
        Some(reason) => Err(fault::refusal(
            doing,
            reason.code().unwrap_or_default(),
            reason.message().unwrap_or_default(),
        )),
        None if because("TransactionConflict") => Ok(Attempt::Conflict),
        None => Err(Fault::new(doing, Cause::Reply("a reason for the cancellation"))),
    }
}

/// The game in the table after this write, if it adds an entry to a log.
fn written(write: &Write) -> Option<&Game> {
    match write {
        Write::Advance(game) | Write::Finish(game) => Some(game),
        _ => None,
    }
}

/// The item found by a failed condition, decoded.
fn current(write: &Write, item: Option<Item>) -> Result<Current, Undecodable> {
    let Some(item) = item.filter(|item| !item.is_empty()) else { return Ok(Current::Absent) };
    Ok(match write {
        Write::Register(_)
        | Write::Join { .. }
        | Write::Leave { .. }
        | Write::Refresh { .. }
        | Write::Seat { .. }
        | Write::Keys { .. }
        | Write::Describe { .. }
        | Write::Ban { .. }
        | Write::Delete { .. }
        | Write::CoolDown { .. } => Current::Agent(Box::new(codec::agent::decode(&item)?)),
        Write::Rate { .. } | Write::Unrate { .. } => {
            Current::Standing(Box::new(codec::standing::decode(&item)?.1))
        }
        Write::Create { .. }
        | Write::Advance(_)
        | Write::Finish(_)
        | Write::Rearm { .. }
        | Write::Rekey { .. } => Current::Game(Box::new(codec::game::decode(&item)?.game)),
    })
}

/// Name of a plan in the meter and in faults, mostly by its first write.
fn operation(writes: &[Write]) -> &'static str {
    match writes {
        [Write::Finish(_), Write::CoolDown { .. }, ..] => "abandon",
        [Write::Keys { .. }, Write::Rekey { .. }, ..] => "rekey",
        [first, ..] => match first {
            Write::Register(_) => "register",
            Write::Join { .. } => "join",
            Write::Leave { .. } => "leave",
            Write::Refresh { .. } => "refresh",
            Write::Seat { .. } => "match",
            Write::Keys { .. } => "keys",
            Write::Describe { .. } => "describe",
            Write::Ban { .. } => "ban",
            Write::Delete { .. } | Write::Unrate { .. } => "delete",
            Write::CoolDown { .. } => "cool_down",
            Write::Rate { .. } => "rate",
            Write::Create { .. } => "create",
            Write::Advance(_) => "advance",
            Write::Finish(_) => "finish",
            Write::Rearm { .. } => "rearm",
            Write::Rekey { .. } => "rekey",
        },
        [] => "nothing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(codes: &[&str]) -> Vec<CancellationReason> {
        codes.iter().map(|&code| CancellationReason::builder().code(code).build()).collect()
    }

    #[test]
    fn a_failed_condition_is_final_whatever_else_happened() {
        let reasons = reasons(&["TransactionConflict", "None", "ConditionalCheckFailed"]);
        let Ok(Attempt::Failed(failed)) = judge("test", &reasons) else { panic!("it is final") };
        assert_eq!(failed, [(2, None)]);
    }

    #[test]
    fn a_conflict_is_tried_again_unless_something_worse_happened() {
        let conflict = reasons(&["None", "TransactionConflict"]);
        assert!(matches!(judge("test", &conflict), Ok(Attempt::Conflict)));
        for (code, is_retryable) in [
            ("ThrottlingError", true),
            ("ProvisionedThroughputExceeded", true),
            ("ValidationError", false),
        ] {
            let worse = reasons(&["TransactionConflict", code]);
            let Err(fault) = judge("test", &worse) else { panic!("{code} is a fault") };
            assert_eq!(fault.is_retryable(), is_retryable, "{code}");
        }
        assert!(judge("test", &[]).is_err_and(|fault| !fault.is_retryable()));
    }
}
