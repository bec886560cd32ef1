//! The names and tags of element types. MPI does not compare types, so a message carries its type
//! in the tag.

use std::any::type_name;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::size_of;

use mpi::Tag;

/// The types that MPI has names for, each with a tag of its own.
const NAMES: [&str; 11] =
    ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"];

/// The tags of checked messages: above those that a program is likely to use, and below 2^15, which
/// every MPI supports.
const FIRST: Tag = 1 << 14;
const TAGS: Tag = 1 << 14;

/// The name of a type; for `usize` and `isize`, that of the fixed-size integer.
pub(crate) fn name<T>() -> &'static str {
    let (name, bytes) = (type_name::<T>(), size_of::<T>());
    let same = |first: char| {
        NAMES.iter().find(|other| other[1..].parse() == Ok(8 * bytes) && other.starts_with(first))
    };
    match name {
        "usize" => same('u').copied().unwrap_or(name),
        "isize" => same('i').copied().unwrap_or(name),
        name => name,
    }
}

/// The tag of messages with elements of this type: a tag of its own for each of `NAMES`, and for
/// any other type a hash of its name, which collides for one pair in 16,000.
pub(crate) fn tag<T>() -> Tag {
    let (name, named) = (name::<T>(), NAMES.len() as Tag);
    match NAMES.iter().position(|other| *other == name) {
        Some(number) => FIRST + number as Tag,
        None => {
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            FIRST + named + (hasher.finish() % (TAGS - named) as u64) as Tag
        }
    }
}

/// The type that a tag stands for; `None` if the message was sent without a type.
pub(crate) fn name_of_tag(tag: Tag) -> Option<&'static str> {
    let number = usize::try_from(tag.checked_sub(FIRST)?).ok().filter(|_| tag < FIRST + TAGS)?;
    Some(NAMES.get(number).copied().unwrap_or("another struct"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Point;

    #[test]
    fn tags_say_which_type() {
        let of = |tag| name_of_tag(tag).unwrap();
        assert_eq!([tag::<f32>(), tag::<i32>()].map(of), ["f32", "i32"]);
        assert_eq!([tag::<usize>(), tag::<isize>()].map(of), [name::<usize>(), name::<isize>()]);
        assert_eq!(
            tag::<usize>(),
            if size_of::<usize>() == 8 { tag::<u64>() } else { tag::<u32>() }
        );
        assert_eq!(
            (of(tag::<Point>()), of(tag::<[f32; 2]>())),
            ("another struct", "another struct")
        );
        assert_ne!(tag::<Point>(), tag::<[f32; 2]>());
        assert_eq!([0, 1, FIRST - 1, FIRST + TAGS, -1, i32::MIN].map(name_of_tag), [None; 6]);
        assert!((FIRST..1 << 15).contains(&tag::<Point>()));
    }
}
