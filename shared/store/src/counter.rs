//! Other records in the agents table: registrations per address, the last sweep, the last health
//! probe. Their keys start with `@`, which no agent's name does.

use std::net::{IpAddr, Ipv6Addr};

use arena::Timestamp;
use arena_protocol::{Backend, Fault};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use sha2::{Digest, Sha256};

use crate::codec::{EXPIRES, Item, PK, Reader, SK, number, seconds, text, time};
use crate::{Store, fault};

impl Store {
    /// Counts a registration in a window of `window_s` seconds; `Some` is the end of the window, if
    /// the limit is reached. IPv6 addresses of one /64 count as one, because they belong to one
    /// client. The address is stored as a hash, and DynamoDB deletes it some time after the window.
    pub(crate) async fn count_registration(
        &self,
        address: &str,
        window_s: u32,
        limit: u32,
    ) -> Result<Option<Timestamp>, Fault> {
        let window_ms = i64::from(window_s.max(1)) * 1_000;
        let start = self.now().ms().div_euclid(window_ms) * window_ms;
        let until = Timestamp::from_ms(start).plus(window_ms);
        if limit == 0 {
            return Ok(Some(until));
        }
        let counted = self
            .dynamodb()
            .update_item()
            .table_name(&self.config().agents_table)
            .set_key(Some(key(
                &format!("@address:{}", digest(&counted(address))),
                &start.to_string(),
            )))
            .update_expression(format!("ADD n :one SET {EXPIRES} = :expiry"))
            .condition_expression("attribute_not_exists(n) OR n < :limit")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":limit", number(limit))
            .expression_attribute_values(":expiry", seconds(until))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await;
        match counted {
            Ok(output) => {
                self.meter().wrote("admit", output.consumed_capacity());
                Ok(None)
            }
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(_)) => {
                    self.meter().stale("admit");
                    Ok(Some(until))
                }
                _ => Err(fault::service("admit", error)),
            },
        }
    }

    pub(crate) async fn note_heartbeat(&self) -> Result<(), Fault> {
        self.note_time("heartbeat", heartbeat_key()).await
    }

    /// Checks that the tables can be written, by a write that is never read.
    pub async fn probe(&self) -> Result<(), Fault> {
        self.note_time("probe", key("@health", "probe")).await
    }

    async fn note_time(&self, operation: &'static str, mut item: Item) -> Result<(), Fault> {
        item.insert("at".to_owned(), time(self.now()));
        let output = self
            .dynamodb()
            .put_item()
            .table_name(&self.config().agents_table)
            .set_item(Some(item))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await
            .map_err(|error| fault::service(operation, error))?;
        self.meter().wrote(operation, output.consumed_capacity());
        Ok(())
    }

    /// Time of the last sweep.
    pub async fn last_heartbeat(&self) -> Result<Option<Timestamp>, Fault> {
        let table = &self.config().agents_table;
        let item = self.get("last_heartbeat", table, heartbeat_key(), false).await?;
        let at = item.map(|item| Reader(&item).time("at")).transpose();
        at.map_err(fault::undecodable("last_heartbeat"))
    }
}

fn heartbeat_key() -> Item {
    key("@sweep", "heartbeat")
}

fn key(partition: &str, sort: &str) -> Item {
    Item::from([(PK.to_owned(), text(partition)), (SK.to_owned(), text(sort))])
}

/// The unit of per-client limits: an address, or the /64 network of an IPv6 address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

fn counted(address: &str) -> String {
    match address.parse() {
        Ok(address) => network(address).to_string(),
        Err(_) => address.to_owned(),
    }
}

/// Twelve bytes of a hash, so that the table lists no addresses.
fn digest(address: &str) -> String {
    Sha256::digest(address)[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let same = [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
            ("2001:db8:1:2::1", "2001:DB8:1:2::"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
        ];
        for (one, other) in same {
            assert_eq!(counted(one), counted(other));
        }
        let different = [
            ("2001:db8:1:2::1", "2001:db8:1:3::1"),
            ("127.0.0.1", "127.0.0.2"),
            ("::ffff:192.0.2.7", "::ffff:192.0.2.8"),
            ("unknown", ""),
        ];
        for (one, other) in different {
            assert_ne!(counted(one), counted(other));
        }
    }
}
