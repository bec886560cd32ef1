//! A second candidate for a bound: an impl that may hold, so that the compiler looks at what the first one asks for
//! before it believes it.
//!
//! ```text
//! impl<S: Contiguous> OnStorage<S, S> for ()          the result is S ..
//! impl<S: Never> OnStorage<S, Nothing> for ()         .. and stays open if S is no storage
//! ```
//!
//! An impl that is alone is taken as the answer even if its own bounds fail. The result then has a type, and all that
//! is done with it fails as well: one mistake is many errors. Of two, those whose bounds fail are dropped; where none is
//! left, the result has no type, and the compiler is silent about the rest.

/// What nothing has.
pub trait Never {}
/// The result that there never is.
pub enum Nothing {}

/// Traits that say of a part `A` what it has to be, and that `B` is the same: `B` stays open if `A` is something else.
/// A method of what it has to be may be named behind it.
macro_rules! parts {
    ($(
        $(#[$attribute:meta])*
        $trait:ident $method:ident: $bound:ident $(, $ask:ident -> $answer:ty)?;
    )*) => {
        $(
            $(#[$attribute])*
            pub trait $trait<A, B> {
                #[doc(hidden)]
                fn $method(part: A) -> B;
                $(#[doc(hidden)]
                fn $ask(part: &B) -> $answer;)?
            }
            #[diagnostic::do_not_recommend]
            impl<A: $bound> $trait<A, A> for () {
                #[inline(always)]
                fn $method(part: A) -> A {
                    part
                }
                $(#[inline(always)]
                fn $ask(part: &A) -> $answer {
                    $bound::$ask(part)
                })?
            }
            #[diagnostic::do_not_recommend]
            impl<A: $crate::refusal::candidate::Never> $trait<A, $crate::refusal::candidate::Nothing> for () {
                fn $method(_: A) -> $crate::refusal::candidate::Nothing {
                    unreachable!("nothing is `Never`")
                }
                $(fn $ask(_: &$crate::refusal::candidate::Nothing) -> $answer {
                    unreachable!("nothing is `Never`")
                })?
            }
        )*
    };
}
pub(crate) use parts;
