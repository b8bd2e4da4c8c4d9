//! Reading request bodies field by field, so that every refusal names the field and the value.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::request::Body;

/// A request that cannot be understood. Nothing was looked up, nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The body is not JSON.
    Syntax {
        /// What the parser says, with line and column.
        detail: String,
    },
    /// The body is JSON but no object.
    NotAnObject,
    /// A field that must be there is not.
    Missing {
        /// The field.
        field: String,
    },
    /// Two fields of one name.
    Twice {
        /// The field.
        field: String,
    },
    /// A field that does not exist.
    Unknown {
        /// The field.
        field: String,
        /// The fields there are.
        known: &'static [&'static str],
    },
    /// A field with a value it cannot have.
    Value {
        /// The field.
        field: String,
        /// The value as JSON, cut short.
        value: String,
        /// What it should be, as the end of a sentence.
        wanted: String,
    },
    /// The body and the header name different idempotency keys.
    KeysDiffer,
}

impl Malformed {
    pub(crate) fn missing(field: &str) -> Malformed {
        Malformed::Missing { field: field.into() }
    }

    pub(crate) fn unknown(field: &str, known: &'static [&'static str]) -> Malformed {
        Malformed::Unknown { field: shown(field), known }
    }

    pub(crate) fn value(field: &str, value: &Value, wanted: &str) -> Malformed {
        let value = shown(&value.to_string());
        Malformed::Value { field: field.into(), value, wanted: wanted.into() }
    }

    /// The field at fault, where there is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Malformed::Syntax { .. } | Malformed::NotAnObject => None,
            Malformed::Missing { field }
            | Malformed::Twice { field }
            | Malformed::Unknown { field, .. }
            | Malformed::Value { field, .. } => Some(field),
            Malformed::KeysDiffer => Some("idempotency_key"),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Syntax { detail } => write!(f, "the body is not JSON: {detail}"),
            Malformed::NotAnObject => f.write_str("the body must be a JSON object"),
            Malformed::Missing { field } => write!(f, "{field} is missing"),
            Malformed::Twice { field } => write!(f, "{field} is there twice"),
            Malformed::Unknown { field, known } => {
                write!(f, "there is no field {field:?} here; the fields are {}", known.join(", "))
            }
            Malformed::Value { field, value, wanted } => {
                write!(f, "{field} is {value}, not {wanted}")
            }
            Malformed::KeysDiffer => f.write_str(
                "idempotency_key in the body and the Idempotency-Key header are different",
            ),
        }
    }
}

impl std::error::Error for Malformed {}

/// Reads a request body. An empty body is read as an empty object.
pub fn parse<T: Body>(bytes: &[u8]) -> Result<T, Malformed> {
    let mut fields = Fields::read(bytes, T::FIELDS)?;
    T::read(&mut fields)
}

/// Whether a character ends a line, controls a terminal or turns the direction of the text around it.
fn breaks_the_line(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A JSON object, and a name that two of its fields have: which of them is meant, nobody knows.
struct Object {
    map: Map<String, Value>,
    twice: Option<String>,
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Object, A::Error> {
                let (mut map, mut twice) = (Map::new(), None);
                while let Some((field, value)) = fields.next_entry::<String, Value>()? {
                    if map.contains_key(&field) {
                        twice = Some(field);
                    } else {
                        map.insert(field, value);
                    }
                }
                Ok(Object { map, twice })
            }
        }

        deserializer.deserialize_map(Reading)
    }
}

/// The fields of a JSON object that are still to be read. A `null` counts as absent.
#[derive(Debug)]
pub struct Fields {
    map: Map<String, Value>,
}

impl Fields {
    fn read(bytes: &[u8], known: &'static [&'static str]) -> Result<Fields, Malformed> {
        if bytes.trim_ascii().is_empty() {
            return Ok(Fields { map: Map::new() });
        }
        Fields::of(Fields::any(bytes)?.map, known)
    }

    /// Any object: fields that nobody asks for are left alone.
    pub(crate) fn any(bytes: &[u8]) -> Result<Fields, Malformed> {
        match serde_json::from_slice(bytes) {
            Ok(Object { map, twice: None }) => Ok(Fields { map }),
            Ok(Object { twice: Some(field), .. }) => Err(Malformed::Twice { field: shown(&field) }),
            Err(error) if error.is_data() => Err(Malformed::NotAnObject),
            Err(error) => Err(Malformed::Syntax { detail: shown(&error.to_string()) }),
        }
    }

    pub(crate) fn of(
        map: Map<String, Value>,
        known: &'static [&'static str],
    ) -> Result<Fields, Malformed> {
        match map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(Malformed::unknown(key, known)),
            None => Ok(Fields { map }),
        }
    }

    /// A field's value; `None` if it is absent or null.
    pub(crate) fn take(&mut self, field: &str) -> Option<Value> {
        self.map.remove(field).filter(|value| !value.is_null())
    }

    /// A text of at most `most` characters on one line that is shown in the order it is written.
    pub(crate) fn text(&mut self, field: &str, most: usize) -> Result<Option<String>, Malformed> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::String(text))
                if text.chars().count() <= most && !text.chars().any(breaks_the_line) =>
            {
                Ok(Some(text))
            }
            Some(value) => {
                let wanted = format!("a text of at most {most} characters on one line");
                Err(Malformed::value(field, &value, &wanted))
            }
        }
    }

    /// A whole number that fits.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self, field: &str) -> Result<Option<T>, Malformed> {
        let Some(value) = self.take(field) else { return Ok(None) };
        let number = whole(&value).and_then(|number| T::try_from(number).ok());
        number.map(Some).ok_or_else(|| Malformed::value(field, &value, "a whole number in range"))
    }

    /// A truth value.
    pub(crate) fn flag(&mut self, field: &str) -> Result<Option<bool>, Malformed> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(value) => Err(Malformed::value(field, &value, "true or false")),
        }
    }

    /// A word that `find` knows; `wanted` says which there are.
    pub(crate) fn word<T>(
        &mut self,
        field: &str,
        find: impl Fn(&str) -> Option<T>,
        wanted: impl Fn() -> String,
    ) -> Result<Option<T>, Malformed> {
        let Some(value) = self.take(field) else { return Ok(None) };
        let found = value.as_str().and_then(find);
        found.map(Some).ok_or_else(|| Malformed::value(field, &value, &wanted()))
    }
}

/// A whole number, also when it is written `7.0`, as JSON Schema counts integers.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let is_whole = number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number);
        is_whole.then_some(number as u64)
    })
}

/// The start of a text, for a message.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN_MAX: usize = 80;
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
