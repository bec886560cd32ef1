//! The arguments of the attribute.
//!
//! ```text
//! threads = TYPE                          a layout with one coordinate for each thread of the block
//! shared = TYPE                           the tiles in shared memory; optional
//! instances(<f32, 64>, <f16, 64>)         the generic arguments to compile a generic kernel for
//! ```

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::function::Function;
use crate::tokens::{Mistake, Result, between_commas, depths, group, is_punct, opened, stream};

pub(crate) struct Arguments {
    pub(crate) threads: TokenStream,
    pub(crate) shared: TokenStream,
    /// The generic arguments, and the name in the program. A kernel that is not generic has one
    /// instance without arguments.
    pub(crate) instances: Vec<(TokenStream, String)>,
}

pub(crate) fn parse(arguments: TokenStream, function: &Function) -> Result<Arguments> {
    let tokens = opened(arguments);
    let (mut threads, mut shared, mut instances) = (None, None, None);
    for item in between_commas(&tokens) {
        let key = item.first().map(ToString::to_string).unwrap_or_default();
        let twice = || Mistake::new(format!("`{key}` stands here twice"), item);
        match (key.as_str(), &item[item.len().min(1)..]) {
            ("threads" | "shared", [equals, kind @ ..])
                if is_punct(equals, '=') && !kind.is_empty() =>
            {
                if let [TokenTree::Literal(number)] = kind {
                    let message = format!(
                        "`{key}` is a type: for {number} threads in a row, `Layout!({number})`"
                    );
                    return Err(Mistake::new(message, kind));
                }
                let place = if key == "threads" { &mut threads } else { &mut shared };
                if place.replace(stream(kind)).is_some() {
                    return Err(twice());
                }
            }
            ("instances", _) if function.generics.is_empty() => {
                let message =
                    format!("`{}` is not generic: it is its only instance", function.name);
                return Err(Mistake::new(message, item));
            }
            ("instances", [list]) if group(list, Delimiter::Parenthesis).is_some() => {
                let list = group(list, Delimiter::Parenthesis)
                    .map(|list| opened(list.stream()))
                    .unwrap_or_default();
                let all = between_commas(&list)
                    .into_iter()
                    .map(|i| instance(i, function))
                    .collect::<Result<Vec<_>>>()?;
                if instances.replace(all).is_some() {
                    return Err(twice());
                }
            }
            _ => {
                let message = "the attribute of a kernel is `#[kernel(threads = Threads, shared = \
                               Shared)]`: the layout of its threads and, if there are any, its \
                               tiles in shared memory; of a generic kernel `instances(<f32>, \
                               <f16>)` too";
                return Err(Mistake::new(message, item));
            }
        }
    }
    let name = function.name.to_string();
    let instances = match (instances, function.generics.is_empty()) {
        (_, true) => vec![(TokenStream::new(), name)],
        (Some(instances), false) if !instances.is_empty() => distinct(instances),
        _ => {
            let parameters: Vec<_> =
                function.generics.iter().map(|generic| generic.name.to_string()).collect();
            let message = format!(
                "`{name}` is generic, and a program for the device has no types left open: name \
                 what it is compiled for, `#[kernel(.., instances(<{}>))]` with types in their \
                 places",
                parameters.join(", ")
            );
            return Err(Mistake::new(message, std::slice::from_ref(&function.name)));
        }
    };
    let Some(threads) = threads else {
        let message = "how many threads has a block? `#[kernel(threads = Layout!(256))]`: a \
                       layout, one thread for each of its coordinates";
        return Err(Mistake::new(message, &tokens));
    };
    Ok(Arguments {
        threads,
        shared: shared.unwrap_or_else(|| "()".parse().expect("a type")),
        instances,
    })
}

/// Parses `<f32, 64>`: the generic arguments and the name of the instance.
fn instance(tokens: &[TokenTree], function: &Function) -> Result<(TokenStream, String)> {
    let message = "an instance is what stands behind the name of the kernel, `<f32, 64>`";
    let [open, types @ .., close] = tokens else { return Err(Mistake::new(message, tokens)) };
    let whole = is_punct(open, '<')
        && is_punct(close, '>')
        && depths(tokens).iter().all(|depth| *depth > 0);
    if !whole {
        return Err(Mistake::new(message, tokens));
    }
    let (given, wanted) = (between_commas(types).len(), function.generics.len());
    if given != wanted {
        let message = format!(
            "this instance names {given}, and `{}` has {wanted} generic parameters",
            function.name
        );
        return Err(Mistake::new(message, tokens));
    }
    let mut name = function.name.to_string();
    for part in stream(types)
        .to_string()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        name = name + "_" + part;
    }
    Ok((stream(types), name))
}

/// Makes the names of a program's kernels unique: instances with equal names, as of `A<B>` and
/// `A, B`, get a number.
fn distinct(instances: Vec<(TokenStream, String)>) -> Vec<(TokenStream, String)> {
    let mut named: Vec<(TokenStream, String)> = Vec::new();
    for (types, name) in instances {
        let mut unlike = name.clone();
        let mut number = 2;
        while named.iter().any(|(_, other)| *other == unlike) {
            unlike = format!("{name}_{number}");
            number += 1;
        }
        named.push((types, unlike));
    }
    named
}
