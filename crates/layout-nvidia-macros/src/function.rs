//! The signature of a function, and the checks of a kernel.

use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

use crate::tokens::{
    Mistake, Result, between_commas, depths, group, is_punct, is_word, opened, position, stream,
};

/// The most arguments of a launch.
const MOST_PARAMETERS: usize = 11;

/// A parsed function.
pub(crate) struct Function {
    /// All tokens, attributes first.
    pub(crate) whole: TokenStream,
    /// `#[cfg(..)]` and the like, which everything made of it gets too.
    pub(crate) conditions: TokenStream,
    /// Whether it has an `#[inline]` attribute.
    pub(crate) inline: bool,
    pub(crate) visibility: TokenStream,
    pub(crate) name: TokenTree,
    /// The generic parameters with their bounds.
    pub(crate) generics: Vec<Generic>,
    /// The types of the parameters.
    pub(crate) parameters: Vec<TokenStream>,
    /// Their location.
    pub(crate) list: Span,
    /// The return type; `()` by default.
    pub(crate) returned: TokenStream,
    /// The where clause, or nothing.
    pub(crate) conditions_on_types: TokenStream,
}

/// A generic parameter: `T: Copy`, `const N: usize`.
pub(crate) struct Generic {
    /// With its bounds.
    pub(crate) declared: TokenStream,
    /// Without them: `T`, `const N: usize`.
    pub(crate) bare: TokenStream,
    /// Its name.
    pub(crate) name: TokenTree,
    /// Whether it is a constant.
    pub(crate) constant: bool,
}

/// A parser of tokens.
struct Reader<'a> {
    tokens: &'a [TokenTree],
    next: usize,
}
impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [TokenTree] {
        &self.tokens[self.next..]
    }
    fn peek(&self) -> Option<&'a TokenTree> {
        self.tokens.get(self.next)
    }
    fn take_if(&mut self, is: impl Fn(&TokenTree) -> bool) -> Option<&'a TokenTree> {
        let token = self.peek().filter(|token| is(token))?;
        self.next += 1;
        Some(token)
    }
    /// `#[..]`, without the number sign.
    fn attribute(&mut self) -> Option<&'a TokenTree> {
        let [sign, brackets, ..] = self.rest() else { return None };
        let attribute = is_punct(sign, '#') && group(brackets, Delimiter::Bracket).is_some();
        attribute.then(|| {
            self.next += 2;
            brackets
        })
    }
}

pub(crate) fn parse(item: TokenStream) -> Result<Function> {
    let whole = item.clone();
    let tokens = opened(item);
    let mut reader = Reader { tokens: &tokens, next: 0 };
    let mut conditions = Vec::new();
    let mut inline = false;
    while let Some(attribute) = reader.attribute() {
        let first = group(attribute, Delimiter::Bracket)
            .and_then(|group| group.stream().into_iter().next());
        inline |= first.as_ref().is_some_and(|first| is_word(first, "inline"));
        if first.is_some_and(|first| is_word(&first, "cfg")) {
            conditions.extend(tokens[reader.next - 2..reader.next].iter().cloned());
        }
    }
    let start = reader.next;
    if reader.take_if(|token| is_word(token, "pub")).is_some() {
        reader.take_if(|token| group(token, Delimiter::Parenthesis).is_some());
    }
    let visibility = stream(&tokens[start..reader.next]);

    let mut vouched = false;
    while reader.peek().is_some_and(|token| !is_word(token, "fn")) {
        let word = reader.rest();
        let message = match &word[0] {
            token if is_word(token, "unsafe") => {
                vouched = true;
                reader.next += 1;
                continue;
            }
            token if is_word(token, "async") => {
                "a kernel is not `async`: its threads run to their end. A launch does not wait for \
                 them; the stream does"
            }
            token if is_word(token, "const") => "a kernel is no `const fn`: it runs on the device",
            token if is_word(token, "extern") => {
                "a kernel names no ABI: `#[kernel]` makes the entry that the device needs, and the \
                 function stays Rust's"
            }
            _ => {
                "`#[kernel]` stands before a function: `#[kernel(threads = Threads)] unsafe fn \
                 name(..) { .. }`"
            }
        };
        return Err(Mistake::new(message, &word[..1]));
    }
    let Some(keyword) = reader.take_if(|token| is_word(token, "fn")) else {
        let message = "`#[kernel]` stands before a function: `#[kernel(threads = Threads)] unsafe \
                       fn name(..) { .. }`";
        return Err(Mistake::new(message, &tokens));
    };
    if !vouched {
        let message = "a kernel is an `unsafe fn`: whoever launches it vouches for the memory \
                       that it is given, and its documentation says under `# Safety` what for";
        return Err(Mistake::new(message, std::slice::from_ref(keyword)));
    }
    let Some(name) = reader.take_if(|token| matches!(token, TokenTree::Ident(_))).cloned() else {
        return Err(Mistake::new(
            "the name of the kernel is missing",
            std::slice::from_ref(keyword),
        ));
    };

    let generics = generics(&mut reader)?;
    let Some(parameters) = reader.take_if(|token| group(token, Delimiter::Parenthesis).is_some())
    else {
        return Err(Mistake::new(
            "the parameters of the kernel are missing",
            std::slice::from_ref(&name),
        ));
    };
    let list = parameters.span();
    let parameters = self::parameters(parameters)?;
    let rest = reader.rest();
    let body = rest.iter().position(|token| group(token, Delimiter::Brace).is_some());
    let Some(body) = body.filter(|body| body + 1 == rest.len()) else {
        let message = "a kernel has a body: `{ .. }` stands last";
        return Err(Mistake::new(message, std::slice::from_ref(&name)).alone());
    };
    let condition = rest.iter().position(|token| is_word(token, "where")).unwrap_or(body);
    let returned = match &rest[..condition] {
        [dash, arrow, returned @ ..] if is_punct(dash, '-') && is_punct(arrow, '>') => {
            stream(returned)
        }
        _ => "()".parse().expect("a type"),
    };
    Ok(Function {
        whole,
        conditions: stream(&conditions),
        inline,
        visibility,
        name,
        generics,
        parameters,
        list,
        returned,
        conditions_on_types: stream(&rest[condition..body]),
    })
}

/// Parses `<T: Copy, const N: usize>`, if present.
fn generics(reader: &mut Reader<'_>) -> Result<Vec<Generic>> {
    let rest = reader.rest();
    if !rest.first().is_some_and(|first| is_punct(first, '<')) {
        return Ok(Vec::new());
    }
    let depths = depths(rest);
    let closes =
        |i: &usize| depths[*i] == 1 && is_punct(&rest[*i], '>') && !is_punct(&rest[*i - 1], '-');
    let Some(close) = (1..rest.len()).find(closes) else {
        return Err(Mistake::new("this `<` has no matching `>`", &rest[..1]));
    };
    reader.next += close + 1;
    between_commas(&rest[1..close]).into_iter().map(generic).collect()
}

fn generic(tokens: &[TokenTree]) -> Result<Generic> {
    if tokens.first().is_some_and(|first| is_punct(first, '\'')) {
        let message = "a kernel has no lifetimes: what it is given stays where it is until the \
                       stream has come to its end";
        return Err(Mistake::new(message, tokens));
    }
    let constant = tokens.first().is_some_and(|first| is_word(first, "const"));
    let Some(name) =
        tokens.get(usize::from(constant)).filter(|name| matches!(name, TokenTree::Ident(_)))
    else {
        return Err(Mistake::new("the name of a generic parameter is missing", tokens));
    };
    let end = if constant {
        position(tokens, '=')
    } else {
        position(tokens, ':').or_else(|| position(tokens, '='))
    };
    let bare = stream(&tokens[..end.unwrap_or(tokens.len())]);
    Ok(Generic { declared: stream(tokens), bare, name: name.clone(), constant })
}

/// The types of the parameters.
fn parameters(list: &TokenTree) -> Result<Vec<TokenStream>> {
    let Some(list) = group(list, Delimiter::Parenthesis) else { return Ok(Vec::new()) };
    let tokens: Vec<_> = list.stream().into_iter().collect();
    let items = between_commas(&tokens);
    if let Some(more) = items.get(MOST_PARAMETERS) {
        let message = format!("{} parameters: a kernel has at most {MOST_PARAMETERS}", items.len());
        return Err(Mistake::new(message, more));
    }
    let of = |item: &[TokenTree]| {
        let Some(colon) = position(item, ':') else {
            let message =
                "a kernel has no `self`: a parameter is a name and a type, `from: *const f32`";
            return Err(Mistake::new(message, item).alone());
        };
        let kind = &item[colon + 1..];
        if kind.first().is_some_and(|first| is_word(first, "impl")) {
            let message = "the type of a parameter is named: for several types the kernel is \
                           generic, `<T: ..>`, and its `instances` name them";
            return Err(Mistake::new(message, kind));
        }
        if kind.first().is_some_and(|first| is_punct(first, '&')) {
            let message = "a kernel is given numbers and pointers, `*const f32` or `*mut f32`, \
                           and makes tensors of them: a reference would borrow from the host";
            return Err(Mistake::new(message, kind));
        }
        Ok(stream(kind))
    };
    items.into_iter().map(of).collect()
}
