//! API keys: `rk1_<name>_<secret>_<check>`.
//!
//! The prefix lets scanners find leaked keys, the check refuses a mistyped one without a read, and
//! the name says which agent to read. Only a hash is stored; the text is in one reply and with the
//! agent. `Debug` shows only the name.

use std::fmt;

use arena::{AgentName, KeyHash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

const PREFIX: &str = "rk1_";
const SECRET_BYTES: usize = 32;
/// 32 bytes in base 64 without padding.
const SECRET_LEN: usize = 43;
/// Three bytes of a hash in hexadecimal.
const CHECK_LEN: usize = 6;

/// An API key as an agent sends it; well formed, but not authenticated.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    name: AgentName,
    text: String,
}

impl ApiKey {
    /// A key with a random secret.
    pub fn random(name: &AgentName) -> Result<ApiKey, getrandom::Error> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret)?;
        Ok(ApiKey::with_secret(name, &secret))
    }

    /// The key for a registration with this idempotency key, always the same: an agent whose reply
    /// was lost can repeat the request.
    pub fn derived(name: &AgentName, idempotency_key: &str, pepper: &Pepper) -> ApiKey {
        ApiKey::from_parts(name, ["register", idempotency_key, ""], pepper)
    }

    /// The key for a rotation of this key with this idempotency key, always the same. A rotation of
    /// another key never gives the same.
    pub fn rotated(&self, idempotency_key: &str, pepper: &Pepper) -> ApiKey {
        ApiKey::from_parts(&self.name, ["rotate", idempotency_key, &self.text], pepper)
    }

    fn from_parts(name: &AgentName, parts: [&str; 3], pepper: &Pepper) -> ApiKey {
        let mut mac = Hmac::<Sha256>::new_from_slice(&pepper.0).expect("HMAC takes any length");
        for part in parts.into_iter().chain([name.as_str()]) {
            mac.update(part.as_bytes());
            mac.update(&[0]);
        }
        ApiKey::with_secret(name, &mac.finalize().into_bytes())
    }

    fn with_secret(name: &AgentName, secret: &[u8]) -> ApiKey {
        let body = format!("{PREFIX}{name}_{}", URL_SAFE_NO_PAD.encode(secret));
        let text = format!("{body}_{}", check(&body));
        ApiKey { name: name.clone(), text }
    }

    /// Reads a key; `None` if it cannot be one.
    pub fn parse(text: &str) -> Option<ApiKey> {
        let (body, sum) = text.split_at_checked(text.len().checked_sub(CHECK_LEN + 1)?)?;
        if sum.strip_prefix('_')? != check(body) {
            return None;
        }
        let named = body.strip_prefix(PREFIX)?;
        let (name, secret) = named.split_at_checked(named.len().checked_sub(SECRET_LEN + 1)?)?;
        secret.strip_prefix('_')?;
        let name: AgentName = name.parse().ok()?;
        Some(ApiKey { name, text: text.to_owned() })
    }

    /// The name it claims.
    pub fn name(&self) -> &AgentName {
        &self.name
    }

    /// The text, for the one reply that shows it.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The stored form.
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(&self.text).into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({})", self.name)
    }
}

fn check(body: &str) -> String {
    let hash = Sha256::digest(body);
    format!("{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2])
}

/// The deployment's secret, from which repeatable registrations derive their keys.
#[derive(Clone)]
pub struct Pepper(Vec<u8>);

impl Pepper {
    /// The shortest pepper: as long as the hash it keys.
    pub const BYTES_MIN: usize = 32;

    /// `None` if it is too short to be a secret.
    pub fn new(bytes: Vec<u8>) -> Option<Pepper> {
        (bytes.len() >= Self::BYTES_MIN).then_some(Pepper(bytes))
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> AgentName {
        text.parse().unwrap()
    }

    #[test]
    fn keys_are_read_back_with_awkward_names() {
        for text in ["abc", "a_b", "a-b_c-", "rk1_rk1_x", &"z".repeat(32)] {
            let key = ApiKey::random(&name(text)).unwrap();
            assert_eq!(ApiKey::parse(key.reveal()), Some(key.clone()));
            assert_eq!(key.name(), &name(text));
        }
    }

    #[test]
    fn a_changed_character_is_noticed_without_a_read() {
        let key = ApiKey::random(&name("alice")).unwrap();
        for index in 0..key.reveal().len() {
            let mut bytes = key.reveal().as_bytes().to_vec();
            bytes[index] = if bytes[index] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiKey::parse(&String::from_utf8(bytes).unwrap()), None, "at {index}");
        }
        for text in ["", "rk1_", "rk1_abc", "é", &"é".repeat(60), &"_".repeat(80)] {
            assert_eq!(ApiKey::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_repeated_registration_derives_the_same_key_and_nobody_elses() {
        let pepper = Pepper::new(vec![7; 32]).unwrap();
        let key = |who, idem| ApiKey::derived(&name(who), idem, &pepper);
        assert_eq!(key("alice", "k1"), key("alice", "k1"));
        assert_ne!(key("alice", "k1"), key("alice", "k2"));
        assert_ne!(key("alice", "k1").reveal(), key("alicf", "k1").reveal());
        assert!(Pepper::new(vec![7; 31]).is_none());

        let first = key("alice", "k1");
        let second = first.rotated("r1", &pepper);
        assert_eq!(second, first.rotated("r1", &pepper));
        assert_ne!(second, first.rotated("r2", &pepper));
        assert_ne!(second, second.rotated("r1", &pepper), "an old key never comes back");
    }

    #[test]
    fn no_secret_is_shown_by_debug() {
        let key = ApiKey::random(&name("alice")).unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey(alice)");
    }
}
