//! Environment variables. An empty one counts as unset.

use std::env;
use std::str::FromStr;

use thiserror::Error;

/// A variable that is missing or invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the names say it")]
pub enum VariableError {
    #[error("environment variable {0} is not set")]
    Missing(&'static str),
    #[error("environment variable {name} is {text:?}, not {wanted}")]
    Invalid { name: &'static str, text: String, wanted: &'static str },
}

impl VariableError {
    /// The error for a variable whose value is not `wanted`.
    pub fn invalid(name: &'static str, text: String, wanted: &'static str) -> VariableError {
        VariableError::Invalid { name, text, wanted }
    }
}

/// The value of a variable, if it is set.
pub fn variable(name: &'static str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Looks a variable up, in the environment or in another place.
pub type Variables<'a> = &'a dyn Fn(&'static str) -> Option<String>;

/// The number in a variable, if it is set.
pub fn number<T: FromStr>(name: &'static str) -> Result<Option<T>, VariableError> {
    number_of(&variable, name)
}

pub(crate) fn number_of<T: FromStr>(
    variables: Variables<'_>,
    name: &'static str,
) -> Result<Option<T>, VariableError> {
    let parse = |text: String| {
        text.parse().map_err(|_| VariableError::invalid(name, text, "a whole number"))
    };
    variables(name).map(parse).transpose()
}

/// The value of a variable that must be set.
pub fn required(variables: Variables<'_>, name: &'static str) -> Result<String, VariableError> {
    variables(name).ok_or(VariableError::Missing(name))
}
