//! Carries out a plan: rings its bells, then makes one conditional write or one transaction.

use arena::{Agent, Game, Plan, Standing, Timestamp, Write};
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{
    CancellationReason, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure,
};

use crate::codec::{self, Item, Undecodable};
use crate::statement::{Change, Statement};
use crate::{Fault, Store, retry};

/// How often a transaction that met another one is tried again.
const CONFLICTS_MAX: u32 = 5;

/// What became of a plan.
#[derive(Clone, PartialEq, Debug)]
pub enum Commit {
    /// All of it is written.
    Done,
    /// Nothing is written: these writes' conditions no longer hold.
    Stale(Vec<Stale>),
}

/// A write whose condition does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Stale {
    /// Its place among the plan's writes.
    pub write: usize,
    /// What is there instead.
    pub current: Current,
}

/// What a failed condition found.
#[derive(Clone, PartialEq, Debug)]
pub enum Current {
    /// No such item.
    Absent,
    /// This agent.
    Agent(Box<Agent>),
    /// This standing.
    Standing(Box<Standing>),
    /// This game.
    Game(Box<Game>),
}

impl Stale {
    /// The game that is there instead, if it is a game.
    pub(crate) fn game(&self) -> Option<&Game> {
        match &self.current {
            Current::Game(game) => Some(game),
            Current::Absent | Current::Agent(_) | Current::Standing(_) => None,
        }
    }
}

/// One attempt.
enum Attempt {
    Done,
    /// For each write whose condition failed: its place, and the item that is there.
    Failed(Vec<(usize, Option<Item>)>),
    /// Another transaction was writing the same items. Nothing is written.
    Conflict,
}

impl Store {
    /// Rings the plan's bells, then makes its writes, all or none.
    ///
    /// A fault leaves open whether the writes were made. Committing the same plan again is safe:
    /// each write's condition fails once it has been made.
    pub async fn commit(&self, plan: &Plan, now: Timestamp) -> Result<Commit, Fault> {
        self.ring(&plan.bells, now).await?;
        if plan.writes.is_empty() {
            return Ok(Commit::Done);
        }
        let operation = operation(&plan.writes);
        for attempt in 0..=CONFLICTS_MAX {
            if attempt > 0 {
                retry::pause(attempt - 1).await;
            }
            match self.attempt(operation, &plan.writes).await? {
                Attempt::Done => {
                    plan.writes
                        .iter()
                        .filter_map(written)
                        .for_each(|game| self.watches().publish(game));
                    return Ok(Commit::Done);
                }
                Attempt::Conflict => {}
                Attempt::Failed(failed) => {
                    self.meter().stale(operation);
                    let stale = failed.into_iter().map(|(write, item)| {
                        Ok(Stale { write, current: current(&plan.writes[write], item)? })
                    });
                    let stale: Result<Vec<Stale>, Undecodable> = stale.collect();
                    let stale = stale.map_err(Fault::undecodable(operation))?;
                    stale
                        .iter()
                        .filter_map(Stale::game)
                        .for_each(|game| self.watches().publish(game));
                    return Ok(Commit::Stale(stale));
                }
            }
        }
        Err(Fault::contention(operation))
    }

    async fn attempt(&self, operation: &'static str, writes: &[Write]) -> Result<Attempt, Fault> {
        let statement = |write| Statement::of(write, self.config());
        match writes {
            [write] => {
                let statement = statement(write);
                match &statement.change {
                    Change::Put(_) => self.put(operation, statement).await,
                    Change::Update { .. } => self.update_item(operation, statement).await,
                }
            }
            _ => self.transact(operation, writes.iter().map(statement)).await,
        }
    }

    async fn put(&self, operation: &'static str, statement: Statement) -> Result<Attempt, Fault> {
        let Statement { table, change: Change::Put(item), condition, values } = statement else {
            unreachable!("an update is no put");
        };
        let put = self
            .dynamodb()
            .put_item()
            .table_name(table)
            .set_item(Some(item))
            .condition_expression(condition)
            .set_expression_attribute_values(values)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        let error = match put {
            Ok(output) => {
                self.meter().wrote(operation, output.consumed_capacity());
                return Ok(Attempt::Done);
            }
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                Ok(Attempt::Failed(vec![(0, failed.item.clone())]))
            }
            Some(PutItemError::TransactionConflictException(_)) => Ok(Attempt::Conflict),
            _ => Err(Fault::service(operation, error)),
        }
    }

    async fn update_item(
        &self,
        operation: &'static str,
        statement: Statement,
    ) -> Result<Attempt, Fault> {
        let Statement { table, change: Change::Update { key, expression }, condition, values } =
            statement
        else {
            unreachable!("a put is no update");
        };
        let update = self
            .dynamodb()
            .update_item()
            .table_name(table)
            .set_key(Some(key))
            .update_expression(expression)
            .condition_expression(condition)
            .set_expression_attribute_values(values)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        let error = match update {
            Ok(output) => {
                self.meter().wrote(operation, output.consumed_capacity());
                return Ok(Attempt::Done);
            }
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                Ok(Attempt::Failed(vec![(0, failed.item.clone())]))
            }
            Some(UpdateItemError::TransactionConflictException(_)) => Ok(Attempt::Conflict),
            _ => Err(Fault::service(operation, error)),
        }
    }

    /// The request token is left to the SDK, which uses the same one when it repeats a call by
    /// itself. Across our own attempts it is the conditions that make a repetition harmless.
    async fn transact(
        &self,
        operation: &'static str,
        statements: impl Iterator<Item = Statement>,
    ) -> Result<Attempt, Fault> {
        let transaction = self
            .dynamodb()
            .transact_write_items()
            .set_transact_items(Some(statements.map(Statement::into_item).collect()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        let error = match transaction {
            Ok(output) => {
                self.meter().wrote(operation, output.consumed_capacity());
                return Ok(Attempt::Done);
            }
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                judge(operation, cancelled.cancellation_reasons())
            }
            _ => Err(Fault::service(operation, error)),
        }
    }
}

/// Why a transaction was cancelled. A failed condition is final, whatever else happened; a conflict
/// may be over at the next attempt.
fn judge(operation: &'static str, reasons: &[CancellationReason]) -> Result<Attempt, Fault> {
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
        Some(reason) => Err(Fault::refusal(
            operation,
            reason.code().unwrap_or_default(),
            reason.message().unwrap_or_default(),
        )),
        None if because("TransactionConflict") => Ok(Attempt::Conflict),
        None => Err(Fault::reply(operation, "a reason for the cancellation")),
    }
}

/// The game that a write leaves behind with a new entry in its log.
fn written(write: &Write) -> Option<&Game> {
    match write {
        Write::Advance(game) | Write::Finish(game) => Some(game),
        _ => None,
    }
}

/// What is there instead of what the write requires.
fn current(write: &Write, item: Option<Item>) -> Result<Current, Undecodable> {
    let Some(item) = item.filter(|item| !item.is_empty()) else { return Ok(Current::Absent) };
    Ok(match write {
        Write::Register(_)
        | Write::Join { .. }
        | Write::Leave { .. }
        | Write::Refresh { .. }
        | Write::Seat { .. }
        | Write::Keys { .. }
        | Write::CoolDown { .. } => Current::Agent(Box::new(codec::agent::decode(&item)?)),
        Write::Rate { .. } => Current::Standing(Box::new(codec::standing::decode(&item)?.1)),
        Write::Create { .. }
        | Write::Advance(_)
        | Write::Finish(_)
        | Write::Rearm { .. }
        | Write::Rekey { .. } => Current::Game(Box::new(codec::game::decode(&item)?.0)),
    })
}

/// What the meter and the faults call a plan: by its first write, which tells them all apart.
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

impl Commit {
    /// What is there instead of what the plan's write at `index` requires, if it failed.
    pub fn stale(&self, index: usize) -> Option<&Current> {
        match self {
            Commit::Done => None,
            Commit::Stale(stale) => {
                stale.iter().find(|stale| stale.write == index).map(|stale| &stale.current)
            }
        }
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
