//! JSON output.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use serde_json::{Value as Json, json};

use crate::{AnyLayout, Value};

/// Numbers of this profile as nested lists.
fn nested(profile: &DynShape, numbers: &mut impl Iterator<Item = Json>) -> Json {
    match profile.as_leaf() {
        Some(_) => numbers.next().unwrap_or_default(),
        None => profile.children().map(|child| nested(&child, numbers)).collect(),
    }
}

fn shape(shape: &DynShape) -> Json {
    nested(shape, &mut shape.leaves().iter().map(|&extent| json!(extent)))
}

fn layout(layout: &AnyLayout) -> Json {
    let strided = layout.strided();
    let mut strides = strided.strides().map(|stride| match stride {
        DynStride::Natural(number) => json!(number),
        DynStride::Negative(number) => json!(-(number as i128) as i64),
        DynStride::Xor(number) => json!(format!("^{number}")),
    });
    let mut found = json!({
        "layout": layout.to_string(),
        "shape": shape(&strided.shape()),
        "stride": nested(&strided.shape(), &mut strides),
        "size": layout.size(),
        "cosize": layout.try_cosize().ok(),
    });
    if let AnyLayout::Swizzled(swizzled) = layout {
        found["swizzle"] = json!(swizzled.outer().to_string());
        found["offset"] = json!(swizzled.offset());
    }
    found
}

/// A value: numbers and booleans, shapes as nested lists, layouts with their properties, other
/// values as text.
fn value(value: &Value) -> Json {
    match value {
        Value::Layout(it) => layout(it),
        Value::Part(it, begin) => {
            let mut part = layout(it);
            part["begin"] = json!(begin);
            part
        }
        Value::Shape(it) => shape(it),
        Value::Number(it) => json!(it),
        Value::Bool(it) => json!(it),
        Value::Tile(_) | Value::Slice(_) | Value::Swizzle(_) => json!(value.to_string()),
    }
}

/// An object in one line: the result of an operation, or the text of any other command.
pub fn result(found: &Value) -> String {
    line("result", value(found))
}

/// A field with a string.
pub fn text(name: &str, text: &str) -> String {
    line(name, json!(text.trim_end()))
}

fn line(name: &str, found: Json) -> String {
    let mut object = serde_json::Map::new();
    object.insert(name.into(), found);
    format!("{}\n", Json::from(object))
}
