//! Bodies and query strings read into types that derive `Deserialize`.
//!
//! A type only says what it wants of a value. The refusal gets the name of the field and the value here, in
//! one place for all requests.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, Expected, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::fields::{Malformed, object};
use crate::request::Body;

/// Reads a request body. An empty body is read as an empty object.
pub fn parse<T: Body>(bytes: &[u8]) -> Result<T, Malformed> {
    T::from_object(&if bytes.trim_ascii().is_empty() { Map::new() } else { object(bytes)? })
}

/// Reads the parameters of a query string, which arrive decoded. An empty value counts as absent: forms
/// send those.
pub fn parse_query<'a, T: DeserializeOwned>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<T, Malformed> {
    let pairs = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let map = pairs.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    from_fields(&map, true)
}

/// Reads a JSON object. Where a field may be absent, `null` counts as absent.
pub(crate) fn from_object<T: DeserializeOwned>(map: &Map<String, Value>) -> Result<T, Malformed> {
    from_fields(map, false)
}

fn from_fields<T: DeserializeOwned>(
    map: &Map<String, Value>,
    is_query: bool,
) -> Result<T, Malformed> {
    let entries =
        map.iter().map(|(field, value)| (field.as_str(), Reader { field, value, is_query }));
    T::deserialize(MapDeserializer::new(entries))
}

/// The value of a field, or of an entry of its list.
#[derive(Clone, Copy)]
struct Reader<'a> {
    field: &'a str,
    value: &'a Value,
    is_query: bool,
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Malformed;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let read = match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::String(text) => visitor.visit_str(text),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
            Value::Array(list) => {
                let entries = list.iter().map(|value| Reader { value, ..self });
                visitor.visit_seq(SeqDeserializer::new(entries))
            }
            Value::Object(map) => {
                let entries = map
                    .iter()
                    .map(|(key, value)| (key.as_str(), Reader { field: key, value, ..self }));
                visitor.visit_map(MapDeserializer::new(entries))
            }
        };
        read.map_err(|why| why.about(self.field, self.value))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        visitor
            .visit_newtype_struct(self)
            .map_err(|why: Malformed| why.about(self.field, self.value))
    }

    /// A list is not taken for the fields in their order.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        if self.value.is_array() {
            return Err(Malformed::custom(&visitor as &dyn Expected).about(self.field, self.value));
        }
        self.deserialize_any(visitor)
    }

    /// A query has nothing but texts: there, digits are a number.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        let digits = self.value.as_str().filter(|_| self.is_query);
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(number) => visitor
                .visit_u64(number)
                .map_err(|why: Malformed| why.about(self.field, self.value)),
            None => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Malformed> for Reader<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
