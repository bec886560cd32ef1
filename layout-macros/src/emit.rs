//! From trees to Rust. Every path is absolute, so nothing that the user names can get in the way.

use crate::check;
use crate::error::{Spot, SyntaxError};
use crate::parse::{Layout, Leaf, LeafKind, Mode, Stride, Tree};
use crate::tokens::Face;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The tokens of an expression or a type, written one piece after the other.
pub(crate) struct Emitter {
    face: Face,
    tokens: Vec<TokenTree>,
}

impl Emitter {
    /// The expansion that `write` writes.
    pub(crate) fn emit(face: Face, write: impl FnOnce(&mut Emitter)) -> TokenStream {
        let mut emitter = Emitter { face, tokens: Vec::new() };
        write(&mut emitter);
        emitter.tokens.into_iter().collect()
    }

    /// [`emit`](Emitter::emit); where `narrow` says what a `usize` of 32 bits does not hold, the
    /// library, which is compiled for the target, takes that error or the expansion:
    /// `::layout_algebra::__private::by_width! { { error } { expansion } }`.
    pub(crate) fn emit_unless(
        face: Face,
        narrow: Option<SyntaxError>,
        write: impl FnOnce(&mut Emitter),
    ) -> TokenStream {
        let Some(error) = narrow else { return Emitter::emit(face, write) };
        let site = Span::mixed_site();
        Emitter::emit(face, |e| {
            e.path(&["__private", "by_width"], site);
            e.puncts("!", site);
            e.group(Delimiter::Brace, site, |e| {
                e.group(Delimiter::Brace, site, |e| e.error(&error));
                e.group(Delimiter::Brace, site, write);
            });
        })
    }

    pub(crate) fn layout(&mut self, Layout { shape, stride }: &Layout) {
        let site = Span::mixed_site();
        let alias = |e: &mut Emitter, alias, arguments: &[&Tree]| {
            e.path(&[alias], site);
            e.angles(site, |e| e.commas(arguments, site, |e, tree| e.tree(tree)));
        };
        match (stride, self.face) {
            (Stride::Given(stride), face) => {
                let name = if check::is_signed(stride) { "SignedLayout" } else { "StridedLayout" };
                match face {
                    Face::Value => {
                        self.path(&[name, "new"], site);
                        self.list(&[shape, stride], site, |e, tree| e.tree(tree));
                    }
                    Face::Type => alias(self, name, &[shape, stride]),
                }
            }
            (Stride::Left, Face::Value) if check::is_static(shape) => {
                self.static_compact("LeftLayout", shape)
            }
            (Stride::Right, Face::Value) if check::is_static(shape) => {
                self.static_compact("RightLayout", shape)
            }
            (Stride::Left, Face::Value) => self.compact(shape, "left"),
            (Stride::Right, Face::Value) => self.compact(shape, "right"),
            (Stride::Left, Face::Type) => alias(self, "LeftLayout", &[shape]),
            (Stride::Right, Face::Type) => alias(self, "RightLayout", &[shape]),
        }
    }

    /// `{ let layout: ::layout_algebra::LeftLayout<SHAPE> = ::layout_algebra::__private::static_layout(); layout }`:
    /// of constants in braces, whose strides rustc computes.
    fn static_compact(&mut self, alias: &str, shape: &Tree) {
        let site = Span::mixed_site();
        self.group(Delimiter::Brace, site, |e| {
            e.ident("let", site);
            e.ident("layout", site);
            e.puncts(":", site);
            e.path(&[alias], site);
            e.angles(site, |e| e.tokens.extend(Emitter::emit(Face::Type, |e| e.tree(shape))));
            e.puncts("=", site);
            e.path(&["__private", "static_layout"], site);
            e.parens(site, |_| {});
            e.puncts(";", site);
            e.ident("layout", site);
        });
    }

    /// `{ use ::layout_algebra::__private::CompactAtRunTime as _; ::layout_algebra::__private::Compact(shape).left() }`:
    /// the function of the shape that constants can call, or else that of the trait.
    fn compact(&mut self, shape: &Tree, order: &str) {
        let site = Span::mixed_site();
        self.group(Delimiter::Brace, site, |e| {
            e.ident("use", site);
            e.path(&["__private", "CompactAtRunTime"], site);
            e.ident("as", site);
            e.ident("_", site);
            e.puncts(";", site);
            e.path(&["__private", "Compact"], site);
            e.list(&[shape], site, |e, tree| e.tree(tree));
            e.puncts(".", site);
            e.ident(order, site);
            e.parens(site, |_| {});
        });
    }

    pub(crate) fn tiler(&mut self, modes: &[Mode]) {
        let site = Span::mixed_site();
        let tuple = |e: &mut Emitter| e.list(modes, site, Emitter::mode);
        match self.face {
            Face::Value => {
                self.path(&["Tiler", "const_new"], site);
                self.parens(site, tuple);
            }
            Face::Type => {
                self.path(&["Tiler"], site);
                self.angles(site, tuple);
            }
        }
    }

    fn mode(&mut self, mode: &Mode) {
        match mode {
            Mode::Keep => self.path(&["Keep"], Span::mixed_site()),
            Mode::Leaf(leaf) => self.leaf(leaf),
            Mode::Layout(layout) => self.layout(layout),
            Mode::Tiler(modes) => self.tiler(modes),
        }
    }

    pub(crate) fn tree(&mut self, tree: &Tree) {
        match tree {
            Tree::Leaf(leaf) => self.leaf(leaf),
            Tree::Tuple(trees, spot) => self.list(trees, at(spot.first), Emitter::tree),
        }
    }

    pub(crate) fn leaf(&mut self, leaf: &Leaf) {
        let site = at(leaf.spot.first);
        if !leaf.negative {
            return self.number(leaf);
        }
        match self.face {
            Face::Value => {
                self.path(&["strides", "Neg", "new"], site);
                self.parens(site, |e| e.number(leaf));
            }
            Face::Type => {
                self.path(&["strides", "Neg"], site);
                self.angles(site, |e| e.number(leaf));
            }
        }
    }

    /// A leaf without its sign.
    fn number(&mut self, leaf: &Leaf) {
        let site = at(leaf.spot.first);
        match (&leaf.kind, self.face) {
            (LeafKind::Number(number), Face::Type) => self.integer(*number, site),
            (LeafKind::Number(number), Face::Value) => {
                self.path(&["__private", "static_int"], site);
                self.puncts("::", site);
                self.angles(site, |e| e.integer(*number, site));
                self.parens(site, |_| {});
            }
            (LeafKind::Constant(constant), Face::Type) => self.constant(constant, leaf),
            (LeafKind::Constant(constant), Face::Value) => {
                self.path(&["__private", "static_int"], site);
                self.puncts("::", site);
                self.angles(site, |e| e.constant(constant, leaf));
                self.parens(site, |_| {});
            }
            (LeafKind::Dynamic, _) => self.root("core", &["primitive", "usize"], site),
            (LeafKind::Code(code), Face::Type) => self.tokens.extend(code.clone()),
            (LeafKind::Code(code), Face::Value) => self.number_of(code, leaf.spot),
        }
    }

    /// `::layout_algebra::__private::leaf(code)`, a call that takes numbers only.
    ///
    /// Of an argument that is no number rustc complains twice, about the argument and about the
    /// call. Where both have one span it reports one error, so the call gets the span of the
    /// expression.
    fn number_of(&mut self, code: &TokenStream, Spot { first, last }: Spot) {
        self.path(&["__private", "leaf"], first);
        self.parens(last, |e| e.tokens.extend(code.clone()));
    }

    /// `::layout_algebra::constant! { number TILE }`: the type of the constant, which rustc
    /// computes. An `extent` of 0 is refused.
    fn constant(&mut self, constant: &TokenStream, leaf: &Leaf) {
        let site = at(leaf.spot.first);
        self.path(&["constant"], site);
        self.puncts("!", site);
        self.group(Delimiter::Brace, site, |e| {
            e.ident(if leaf.is_extent { "extent" } else { "number" }, site);
            e.tokens.extend(constant.clone());
        });
    }

    /// typenum's type of a number: 5 is `U5`, that is `UInt<UInt<UInt<UTerm, B1>, B0>, B1>`, and
    /// 2049 is `UInt<UInt<U512, B0>, B1>`. typenum has names up to 1024; using one for the leading
    /// bits makes a macro call five times as cheap to expand and resolve as bits alone. Whole bytes
    /// are written flat, `Byte<U512, B0, .., B1>`: clippy takes time by powers of two in the depth
    /// of a written type, and hung at a number of 40 bits.
    fn integer(&mut self, number: u64, site: Span) {
        const NAMED_BITS: u32 = 10;
        let bits = (u64::BITS - number.leading_zeros()).saturating_sub(NAMED_BITS);
        let (bytes, single_bits) = (bits / 8, bits % 8);
        for (name, times) in [("Byte", bytes), ("UInt", single_bits)] {
            for _ in 0..times {
                self.path(&["__private", name], site);
                self.puncts("<", site);
            }
        }
        self.path(&["__private", &format!("U{}", number >> bits)], site);
        for bit in (0..bits).rev() {
            self.puncts(",", site);
            self.path(&["__private", if number >> bit & 1 == 1 { "B1" } else { "B0" }], site);
            if bit >= 8 * bytes || bit % 8 == 0 {
                self.puncts(">", site);
            }
        }
    }

    /// What reports an error, so made that code which goes on with the failed result adds no second
    /// one.
    pub(crate) fn error(&mut self, error: &SyntaxError) {
        let site = Span::mixed_site();
        match self.face {
            // rustc gives a failed expression the type that fits everywhere.
            Face::Value => self.compile_error(error),
            // A failed type would count as `()`, and further complaints would follow. A projection
            // from an array whose length failed is again one that fits everywhere:
            // `<[(); FAILED] as IntoIterator>::IntoIter`.
            Face::Type => {
                self.angles(site, |e| {
                    e.group(Delimiter::Bracket, site, |e| {
                        e.parens(site, |_| {});
                        e.puncts(";", site);
                        e.compile_error(error);
                    });
                    e.ident("as", site);
                    e.root("core", &["iter", "IntoIterator"], site);
                });
                self.puncts("::", site);
                self.ident("IntoIter", site);
            }
        }
    }

    /// `::core::compile_error! { "message" }`, which rustc underlines from its first token to its
    /// last.
    fn compile_error(&mut self, error: &SyntaxError) {
        let (first, last) = (error.spot.first, error.spot.last);
        self.root("core", &["compile_error"], first);
        self.puncts("!", first);
        self.group(Delimiter::Brace, last, |e| {
            let mut message = Literal::string(&error.message);
            message.set_span(last);
            e.tokens.push(message.into());
        });
    }

    fn path(&mut self, segments: &[&str], site: Span) {
        self.root("layout_algebra", segments, site);
    }

    fn root(&mut self, root: &str, segments: &[&str], site: Span) {
        for segment in [root].iter().chain(segments) {
            self.puncts("::", site);
            self.ident(segment, site);
        }
    }

    fn ident(&mut self, name: &str, site: Span) {
        self.tokens.push(Ident::new(name, site).into());
    }

    fn puncts(&mut self, chars: &str, site: Span) {
        for (i, char) in chars.char_indices() {
            let spacing = if i + 1 < chars.len() { Spacing::Joint } else { Spacing::Alone };
            let mut punct = Punct::new(char, spacing);
            punct.set_span(site);
            self.tokens.push(punct.into());
        }
    }

    fn angles(&mut self, site: Span, inside: impl FnOnce(&mut Emitter)) {
        self.puncts("<", site);
        inside(self);
        self.puncts(">", site);
    }

    fn parens(&mut self, site: Span, inside: impl FnOnce(&mut Emitter)) {
        self.group(Delimiter::Parenthesis, site, inside);
    }

    fn group(&mut self, delimiter: Delimiter, site: Span, inside: impl FnOnce(&mut Emitter)) {
        let mut group = Group::new(delimiter, Emitter::emit(self.face, inside));
        group.set_span(site);
        self.tokens.push(group.into());
    }

    fn list<T>(&mut self, items: &[T], site: Span, item: impl Fn(&mut Emitter, &T)) {
        self.parens(site, |e| e.commas(items, site, item));
    }

    /// Each item with a comma after it: `(x,)` is a tuple, `(x)` is not.
    fn commas<T>(&mut self, items: &[T], site: Span, item: impl Fn(&mut Emitter, &T)) {
        for it in items {
            item(self, it);
            self.puncts(",", site);
        }
    }
}

/// The hygiene of the macro at a place in the user's source.
fn at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
