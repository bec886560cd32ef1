//! From tokens to trees: the grammar, and every mistake that shows in the form alone.
//!
//! ```text
//! layout = tree [":" ("left" | "right" | tree)]
//! tiler  = mode {"," mode} [","]
//! mode   = "_" | "<" tiler ">" | layout
//! tree   = "(" tree {"," tree} [","] ")" | leaf
//! leaf   = integer | "{" constant expression "}" | "_" | expression | type
//! sign   = "-"                                   in front of a leaf of a stride
//! ```

use crate::error::{Result, Spot, SyntaxError};
use crate::fragment::{is_compound, parenthesized, unwrapped};
use crate::number;
use crate::tokens::{Face, Marks, bracketed, dangling, foreign, is_path, is_punct, split, stray};
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The most modes at one level: the tuples of the library end there.
const MAX_MODES: usize = 8;

/// The most levels: far more than rustc's default recursion limit lets a type have, and far fewer
/// than the compiler's stack would bear.
const MAX_DEPTH: usize = 256;

/// What the macro makes, and how many tuples and tilers stand around the place.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    face: Face,
    depth: usize,
    /// What stands here, which decides whether a leaf may be negative.
    signs: Signs,
}

/// Whether a leaf may be negative.
#[derive(Clone, Copy)]
enum Signs {
    /// It is one of a stride.
    Stride,
    /// It is one of a stride in a tiler.
    InTiler,
    /// It is no stride.
    None,
}

impl Level {
    pub(crate) fn top(face: Face) -> Level {
        Level { face, depth: 0, signs: Signs::None }
    }

    /// The level inside the tuple or the tiler at `spot`.
    fn deeper(self, spot: impl Into<Spot>) -> Result<Level> {
        if self.depth == MAX_DEPTH {
            return Err(SyntaxError::new(format!("more than {MAX_DEPTH} levels of tuples"), spot));
        }
        Ok(Level { depth: self.depth + 1, ..self })
    }
}

/// A nested tuple of leaves: a shape, a stride, a coordinate.
pub(crate) enum Tree {
    Leaf(Leaf),
    Tuple(Vec<Tree>, Spot),
}

pub(crate) struct Leaf {
    /// A stride with `-` in front of it.
    pub(crate) negative: bool,
    /// One of a shape, and so at least 1.
    pub(crate) is_extent: bool,
    pub(crate) kind: LeafKind,
    pub(crate) spot: Spot,
}

pub(crate) enum LeafKind {
    /// A static integer.
    Number(u64),
    /// `_` in a type: a number known at run time.
    Dynamic,
    /// `{TILE}`: a static integer that a constant expression says.
    Constant(TokenStream),
    /// An expression or a type, as written.
    Code(TokenStream),
}

pub(crate) struct Layout {
    pub(crate) shape: Tree,
    pub(crate) stride: Stride,
}

pub(crate) enum Stride {
    /// Compact, the first mode fastest.
    Left,
    /// Compact, the last mode fastest.
    Right,
    Given(Tree),
}

/// One mode of a tiler.
pub(crate) enum Mode {
    /// `_`: the mode is left alone.
    Keep,
    /// A lone leaf `n`, which tiles as `n:1`.
    Leaf(Leaf),
    Layout(Layout),
    Tiler(Vec<Mode>),
}

/// Where a layout stands, which decides what may be missing after it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Alone,
    InTiler,
}

/// `SHAPE`, `SHAPE : STRIDE`, `SHAPE : left` or `SHAPE : right`.
pub(crate) fn layout(tokens: &[TokenTree], level: Level, place: Place) -> Result<Layout> {
    let marks = Marks::of(tokens, level.face)?;
    if let Some(&comma) = marks.commas.first() {
        let message = "a comma outside parentheses: a shape of several modes is a tuple, `(4, \
                       6)`, and a colon stands between it and its stride, `(4, 6):(1, 4)`";
        return Err(SyntaxError::new(message, &tokens[comma]));
    }
    let parts = split(tokens, &marks.colons);
    let shape = match parts[..] {
        [[], _, ..] => {
            return Err(SyntaxError::new("the shape before this colon is missing", &tokens[0]));
        }
        [shape] => tree(shape, level, |next| match place {
            Place::Alone if is_punct(next, ':') => {
                "one colon, not two, stands between shape and stride".to_string()
            }
            Place::Alone => "a colon is missing between the shape and the stride".to_string(),
            Place::InTiler => format!("a comma or a colon is missing before `{next}`"),
        })?,
        [shape, ..] => tree(shape, level, |next| {
            format!("the shape ends before `{next}`, so a colon is missing there")
        })?,
        [] => unreachable!("split gives one part more than there are colons"),
    };
    let stride = match parts[1..] {
        [] => Stride::Left,
        [[]] => {
            let message = "the stride after this colon is missing: a stride congruent to the \
                           shape, `left` or `right`";
            return Err(SyntaxError::new(message, &tokens[marks.colons[0]]));
        }
        [part] => stride(&shape, part, level, place)?,
        _ => {
            let message = "a second colon: a layout is one shape and one stride, SHAPE:STRIDE";
            return Err(SyntaxError::new(message, &tokens[marks.colons[1]]));
        }
    };
    Ok(Layout { shape, stride })
}

/// An integer tuple on its own: a tree, and no colon.
pub(crate) fn shape(tokens: &[TokenTree], level: Level) -> Result<Tree> {
    let marks = Marks::of(tokens, level.face)?;
    if let Some(&colon) = marks.colons.first() {
        let message = "a colon in an integer tuple: a shape with a stride is a layout, `layout!` \
                       or `Layout!`";
        return Err(SyntaxError::new(message, &tokens[colon]));
    }
    if let Some(&comma) = marks.commas.first() {
        let message = "a comma outside parentheses: an integer tuple is written `(4, 6)`";
        return Err(SyntaxError::new(message, &tokens[comma]));
    }
    tree(tokens, level, |next| {
        format!("one integer tuple is needed here, and `{next}` begins another")
    })
}

/// What stands after the colon.
fn stride(shape: &Tree, tokens: &[TokenTree], level: Level, place: Place) -> Result<Stride> {
    let tokens = unwrapped(tokens);
    if let [TokenTree::Ident(word)] = &tokens[..] {
        match (word.to_string().as_str(), shape) {
            ("left", _) => return Ok(Stride::Left),
            ("right", _) => return Ok(Stride::Right),
            // Beside a tuple one name is no stride, so it is a word misspelt.
            (name, Tree::Tuple(..)) if name != "_" => {
                let message = format!(
                    "unknown word `{name}`: after the colon comes `left`, `right`, or a stride \
                     congruent to the shape"
                );
                return Err(SyntaxError::new(message, word.span()));
            }
            _ => {}
        }
    }
    let signs = match place {
        Place::Alone => Signs::Stride,
        Place::InTiler => Signs::InTiler,
    };
    let stride = tree(&tokens, Level { signs, ..level }, |next| match place {
        Place::Alone => format!("nothing may follow the stride, and here `{next}` does"),
        Place::InTiler => missing_comma(next),
    })?;
    Ok(Stride::Given(stride))
}

/// One tuple or leaf. When a further token follows that cannot belong to it, `follows` says what is
/// wrong.
pub(crate) fn tree(
    tokens: &[TokenTree],
    level: Level,
    follows: impl Fn(&TokenTree) -> String,
) -> Result<Tree> {
    let tokens = unwrapped(tokens);
    if let [TokenTree::Group(group)] = &tokens[..] {
        if group.delimiter() == Delimiter::Parenthesis {
            return tuple(group, level.deeper(group.span())?);
        }
    }
    if let Some(foreign) = foreign(&tokens, level.face)? {
        let message = format!(
            "unexpected `{foreign}`: modes are numbers or tuples, with commas between them"
        );
        return Err(SyntaxError::new(message, foreign));
    }
    match stray(&tokens, level.face)? {
        Some(token) => Err(SyntaxError::new(follows(token), token)),
        None => leaf(&tokens, level).map(Tree::Leaf),
    }
}

fn tuple(group: &Group, level: Level) -> Result<Tree> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let marks = Marks::of(&tokens, level.face)?;
    if let Some(&colon) = marks.colons.first() {
        let message = "a colon inside a tuple: it stands between a whole shape and a whole \
                       stride, `(4, 6):(1, 4)`";
        return Err(SyntaxError::new(message, &tokens[colon]));
    }
    if tokens.is_empty() {
        return Err(SyntaxError::new("an empty tuple: a tuple has 1 to 8 modes", group.span()));
    }
    let trees =
        items(&tokens, &marks, "tuple")?.into_iter().map(|item| tree(item, level, missing_comma));
    Ok(Tree::Tuple(trees.collect::<Result<_>>()?, group.span().into()))
}

/// The modes of a tiler, by commas.
pub(crate) fn tiler(tokens: &[TokenTree], level: Level) -> Result<Vec<Mode>> {
    let marks = Marks::of(tokens, level.face)?;
    items(tokens, &marks, "tiler")?.into_iter().map(|item| mode(item, level)).collect()
}

fn mode(tokens: &[TokenTree], level: Level) -> Result<Mode> {
    let tokens = unwrapped(tokens);
    if let [TokenTree::Ident(word)] = &tokens[..] {
        if word.to_string() == "_" {
            return Ok(Mode::Keep);
        }
    }
    match bracketed(&tokens, level.face)? {
        Some(([], _)) => {
            return Err(SyntaxError::new(
                "an empty tiler: a tiler has 1 to 8 modes",
                Spot::of(&tokens),
            ));
        }
        Some((inner, [])) => return tiler(inner, level.deeper(&tokens[0])?).map(Mode::Tiler),
        Some((_, [next @ TokenTree::Punct(_), ..])) => {
            let message = format!(
                "the angle brackets close before this `{next}`: within them no expression has `<` \
                 or `>`; give its value a name first, `let half = n >> 1;`, or write a constant \
                 in braces, `<{{ N >> 1 }}, _>`"
            );
            return Err(SyntaxError::new(message, next));
        }
        Some((_, [next, ..])) => return Err(SyntaxError::new(missing_comma(next), next)),
        None => {}
    }
    // A leaf alone is a number; a tuple, or a leaf with an order or a stride, is a layout.
    let colon = !Marks::of(&tokens, level.face)?.colons.is_empty();
    match layout(&tokens, level, Place::InTiler)? {
        Layout { shape: Tree::Leaf(leaf), .. } if !colon => Ok(Mode::Leaf(leaf)),
        layout => Ok(Mode::Layout(layout)),
    }
}

/// The items between the commas of a tuple or a tiler: 1 to 8, none missing; the last may be
/// followed by a comma.
fn items<'a>(tokens: &'a [TokenTree], marks: &Marks, what: &str) -> Result<Vec<&'a [TokenTree]>> {
    let mut items = split(tokens, &marks.commas);
    if items.len() > 1 && items[items.len() - 1].is_empty() {
        items.pop();
    }
    if let Some(empty) = items.iter().position(|item| item.is_empty()) {
        return Err(SyntaxError::new(
            "a mode is missing before this comma",
            &tokens[marks.commas[empty]],
        ));
    }
    if items.len() > MAX_MODES {
        let message =
            format!("{} modes at one level: a {what} has at most {MAX_MODES}", items.len());
        return Err(SyntaxError::new(message, Spot::of(items[MAX_MODES])));
    }
    Ok(items)
}

fn missing_comma(token: &TokenTree) -> String {
    format!("a comma is missing before `{token}`")
}

/// A negative stride, `-4`.
fn negative(tokens: &[TokenTree], level: Level) -> Result<Leaf> {
    let (first, rest) = (&tokens[0], unwrapped(&tokens[1..]));
    if matches!(level.signs, Signs::InTiler) {
        let message = "`-` has no meaning here: a tile leads to coordinates, and none is negative";
        return Err(SyntaxError::new(message, first));
    }
    match rest.first() {
        None => return Err(SyntaxError::new("a number is missing after this `-`", first)),
        Some(second) if is_punct(second, '-') => {
            return Err(SyntaxError::new("a second sign: a negative stride has one, `-4`", second));
        }
        _ => {}
    }
    if level.face == Face::Value && tokens.len() > 2 && is_compound(&tokens[1..]) {
        let message = "parentheses are missing: the stride of an expression is written `-(n + 1)`";
        return Err(SyntaxError::new(message, Spot::of(tokens)));
    }
    let leaf = leaf(&rest, Level { signs: Signs::None, ..level })?;
    // A stride of 0 is the natural one, however it is written.
    let negative = !matches!(leaf.kind, LeafKind::Number(0));
    Ok(Leaf { negative, spot: Spot::of(tokens), ..leaf })
}

fn leaf(tokens: &[TokenTree], level: Level) -> Result<Leaf> {
    let spot = Spot::of(tokens);
    match tokens.first() {
        Some(first) if is_punct(first, '^') => {
            let message = "types have no XOR strides: `\"(8,8):(^1,^9)\".parse::<DynLayout>()` \
                           has them at run time, and `Swizzle::<3, 0, 3>::new().compose(..)` \
                           exchanges bits of offsets";
            return Err(SyntaxError::new(message, spot));
        }
        Some(first) if is_punct(first, '-') && !matches!(level.signs, Signs::None) => {
            return negative(tokens, level);
        }
        _ => {}
    }
    let kind = match tokens {
        // From a fragment of macro_rules that may be empty.
        [] => return Err(SyntaxError::new("a number is missing here", spot)),
        [TokenTree::Literal(literal)] => match number::value(&literal.to_string()) {
            Ok(value) => LeafKind::Number(value),
            Err(message) => return Err(SyntaxError::new(message, spot)),
        },
        [minus, TokenTree::Literal(literal)] if is_punct(minus, '-') => {
            return Err(SyntaxError::new(number::negative(&format!("-{literal}")), spot));
        }
        [TokenTree::Ident(word)] if ["true", "false"].contains(&word.to_string().as_str()) => {
            return Err(SyntaxError::new(number::not_a_number(&word.to_string()), spot));
        }
        [TokenTree::Ident(word)] if word.to_string() == "_" => match level.face {
            Face::Type => LeafKind::Dynamic,
            Face::Value => {
                let message =
                    "a value is needed here: `_` stands for a run-time number in types only";
                return Err(SyntaxError::new(message, spot));
            }
        },
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            return Err(SyntaxError::new("brackets make no tuple: parentheses do, `(4, 6)`", spot));
        }
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            let inside: Vec<_> = group.stream().into_iter().collect();
            if inside.is_empty() {
                return Err(SyntaxError::new(
                    "a constant is missing between these braces, such as `{TILE}`",
                    spot,
                ));
            }
            LeafKind::Constant(parenthesized(&inside))
        }
        _ if bracketed(tokens, level.face)?.is_some() => {
            let message = "angle brackets make a by-mode tiler, and a tiler stands in `tiler!` \
                           and `Tiler!` only";
            return Err(SyntaxError::new(message, spot));
        }
        _ if level.face == Face::Type && !is_path(tokens, level.face)? => {
            let message = "no number of a type: write a literal, a constant in braces, `{TILE}`, \
                           `_` for a number known at run time, or the name of a type";
            return Err(SyntaxError::new(message, spot));
        }
        _ => match dangling(tokens, level.face)? {
            Some(bracket) if is_punct(bracket, '>') => {
                let message = "an operand is missing after this `>`, or, before a by-mode tiler \
                               `<..>`, a comma";
                return Err(SyntaxError::new(message, bracket));
            }
            Some(operator) => {
                return Err(SyntaxError::new(
                    format!("an operand is missing after this `{operator}`"),
                    operator,
                ));
            }
            None => LeafKind::Code(parenthesized(tokens)),
        },
    };
    Ok(Leaf { negative: false, is_extent: false, kind, spot })
}

/// The one literal of `int!` and `Int!`, or the constant in braces.
pub(crate) fn integer(tokens: &[TokenTree]) -> Result<Leaf> {
    let tokens = unwrapped(tokens);
    let is_constant = |group: &Group| group.delimiter() == Delimiter::Brace;
    match &tokens[..] {
        [TokenTree::Literal(_)] => leaf(&tokens, Level::top(Face::Type)),
        [TokenTree::Group(group)] if is_constant(group) => leaf(&tokens, Level::top(Face::Type)),
        [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => {
            leaf(&tokens, Level::top(Face::Type))
        }
        _ => {
            let message = "one integer literal is needed here, such as `1536`, or a constant in \
                           braces, `{TILE}`";
            Err(SyntaxError::new(message, Spot::of(&tokens)))
        }
    }
}
