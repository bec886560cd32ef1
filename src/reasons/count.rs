//! How many items a list has, and a list that messages show by that number.

use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, One, StaticInt, Zero};
use crate::number::show::{Show, Shown};

/// A list, shown by its length.
pub struct Count<L>(L);
impl<L: Length<Output: Show>> Show for Count<L> {
    type Output = Shown<L::Output>;
}

/// The number of items of a list.
pub trait Length {
    type Output: StaticInt;
}
cases! { Length:
    [] Nil => Zero;
    [H, T: Length<Output: AddInt<One>>] Cons<H, T> => <T::Output as AddInt<One>>::Output;
}
