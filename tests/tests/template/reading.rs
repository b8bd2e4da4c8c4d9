//! The template as JSON: CloudFormation's short tags written out as it documents them.

use std::fs;

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value, json};

use crate::root;

/// A template.
pub(crate) struct Template(Value);

impl Template {
    /// The arena.
    pub(crate) fn read() -> Template {
        Template::of("infra/template.yaml")
    }

    /// CloudFront in front of it.
    pub(crate) fn front() -> Template {
        Template::of("infra/front.yaml")
    }

    fn of(file: &str) -> Template {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let documents = Yaml::load_from_str(&text).unwrap();
        Template(json_of(&documents[0]))
    }

    /// The properties of a resource.
    pub(crate) fn properties(&self, name: &str) -> &Value {
        let properties = &self.0["Resources"][name]["Properties"];
        assert!(properties.is_object(), "the template has no {name}");
        properties
    }

    /// A resource whole.
    pub(crate) fn resource(&self, name: &str) -> &Value {
        &self.0["Resources"][name]
    }

    /// Every resource of a type, with its properties.
    pub(crate) fn all(&self, kind: &str) -> Vec<(&str, &Value)> {
        let resources = self.0["Resources"].as_object().unwrap();
        let of_kind = resources.iter().filter(|(_, resource)| resource["Type"] == kind);
        of_kind.map(|(name, resource)| (name.as_str(), &resource["Properties"])).collect()
    }

    /// The functions, by the names of their folders.
    pub(crate) fn functions(&self) -> Vec<(String, &Value)> {
        let functions = self.all("AWS::Serverless::Function");
        let folder = |name: &str| name.strip_suffix("Function").unwrap().to_lowercase();
        functions.into_iter().map(|(name, function)| (folder(name), function)).collect()
    }

    /// Properties of every function that does not set its own.
    pub(crate) fn globals(&self) -> &Value {
        &self.0["Globals"]["Function"]
    }

    /// A function's timeout in seconds.
    pub(crate) fn timeout_s(&self, function: &Value) -> u64 {
        let own = function["Timeout"].as_u64();
        own.or_else(|| self.globals()["Timeout"].as_u64()).unwrap()
    }
}

/// The resource that a `!Ref` or `!GetAtt` names.
pub(crate) fn named(value: &Value) -> &str {
    let name = value["Ref"].as_str().or_else(|| value["Fn::GetAtt"].as_str());
    let name = name.unwrap_or_else(|| panic!("{value} names no resource"));
    name.split('.').next().unwrap()
}

/// A list, or the one thing that may stand for it.
pub(crate) fn each(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |values| values.iter().collect())
}

fn json_of(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Value(Scalar::String(text)) => json!(text),
        Yaml::Value(Scalar::Integer(number)) => json!(number),
        Yaml::Value(Scalar::Boolean(truth)) => json!(truth),
        Yaml::Value(Scalar::FloatingPoint(number)) => json!(number.into_inner()),
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Sequence(values) => values.iter().map(json_of).collect(),
        Yaml::Mapping(entries) => {
            let entry = |(key, value): (&Yaml<'_>, &Yaml<'_>)| {
                (json_of(key).as_str().unwrap().to_owned(), json_of(value))
            };
            Value::Object(entries.iter().map(entry).collect())
        }
        Yaml::Tagged(tag, value) => {
            let function = match tag.suffix.as_str() {
                "Ref" => "Ref".to_owned(),
                name => format!("Fn::{name}"),
            };
            Value::Object(Map::from_iter([(function, json_of(value))]))
        }
        other => panic!("{other:?} has no place in a template"),
    }
}
