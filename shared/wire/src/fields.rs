//! JSON objects, and refusals of requests, which name the field and its value.

use std::fmt;

use serde::de::{Expected, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A request that cannot be understood. Nothing was looked up, nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "`Display` says it in words")]
pub enum Malformed {
    /// The body is not JSON: the parser's message, with line and column.
    Syntax(String),
    /// The body is JSON but no object.
    NotAnObject,
    Missing(String),
    Twice(String),
    Unknown {
        field: String,
        known: &'static [&'static str],
    },
    /// A field with a value it cannot have: the value as JSON, cut short, and the end of a sentence.
    Value {
        field: String,
        value: String,
        wanted: String,
    },
    /// A colour is asked for in a game in which seats are drawn.
    ColorAlone,
    /// The body and the header name different idempotency keys.
    KeysDiffer,
}

impl Malformed {
    pub(crate) fn missing(field: &str) -> Malformed {
        Malformed::Missing(field.into())
    }

    pub(crate) fn unknown(field: &str, known: &'static [&'static str]) -> Malformed {
        Malformed::Unknown { field: shown(field), known }
    }

    pub(crate) fn value(field: &str, value: &Value, wanted: &str) -> Malformed {
        let value = shown(&value.to_string());
        Malformed::Value { field: field.into(), value, wanted: wanted.into() }
    }

    /// Adds the field and the value, unless a field is named already.
    pub(crate) fn about(self, about: &str, value: &Value) -> Malformed {
        match self {
            Malformed::Value { field, wanted, .. } if field.is_empty() => {
                Malformed::value(about, value, &wanted)
            }
            other => other,
        }
    }

    /// The field at fault, where there is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Malformed::Syntax(_) | Malformed::NotAnObject => None,
            Malformed::Missing(field)
            | Malformed::Twice(field)
            | Malformed::Unknown { field, .. }
            | Malformed::Value { field, .. } => Some(field),
            Malformed::ColorAlone => Some("color"),
            Malformed::KeysDiffer => Some("idempotency_key"),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Syntax(detail) => write!(f, "the body is not JSON: {detail}"),
            Malformed::NotAnObject => f.write_str("the body must be a JSON object"),
            Malformed::Missing(field) => write!(f, "{field} is missing"),
            Malformed::Twice(field) => write!(f, "{field} is there twice"),
            Malformed::Unknown { field, known } => {
                write!(f, "there is no field {field:?} here; the fields are {}", known.join(", "))
            }
            Malformed::Value { field, value, wanted } => {
                write!(f, "{field} is {value}, not {wanted}")
            }
            Malformed::ColorAlone => f.write_str("color needs a level as house, and rated false"),
            Malformed::KeysDiffer => f.write_str(
                "idempotency_key in the body and the Idempotency-Key header are different",
            ),
        }
    }
}

impl std::error::Error for Malformed {}

/// A type that cannot be read says what it wants; `Malformed::about` adds the field and its value.
impl serde::de::Error for Malformed {
    fn custom<T: fmt::Display>(wanted: T) -> Malformed {
        let [field, value] = [String::new(), String::new()];
        Malformed::Value { field, value, wanted: wanted.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, wanted: &dyn Expected) -> Malformed {
        Malformed::custom(wanted)
    }

    fn invalid_value(_: Unexpected<'_>, wanted: &dyn Expected) -> Malformed {
        Malformed::custom(wanted)
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Malformed {
        Malformed::unknown(field, known)
    }

    fn missing_field(field: &'static str) -> Malformed {
        Malformed::missing(field)
    }
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

/// Reads a JSON object.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, Malformed> {
    match serde_json::from_slice(bytes) {
        Ok(Object { map, twice: None }) => Ok(map),
        Ok(Object { twice: Some(field), .. }) => Err(Malformed::Twice(shown(&field))),
        Err(error) if error.is_data() => Err(Malformed::NotAnObject),
        Err(error) => Err(Malformed::Syntax(shown(&error.to_string()))),
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
