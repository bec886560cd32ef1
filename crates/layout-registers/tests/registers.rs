//! Every register of every instruction set that this processor has, on memory that ends where its
//! slice ends: what a sanitizer looks at (`.ci/sanitize`).

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_registers::{Element, Holds, Isa, Portable, Task, Vector};

/// Loads, computes and stores each number of elements that a register takes.
struct EachLength<I, V>(I, PhantomData<V>);
impl<I: Isa, V: Vector<Isa = I, Element: From<u8>>> Task for EachLength<I, V> {
    #[inline(always)]
    fn run(self) {
        let isa = self.0;
        let number = |i: usize| V::Element::from(i as u8);
        for n in 0..=V::LEN {
            let from: Box<[_]> = (1..=n).map(number).collect();
            let mut whole = vec![number(99); V::LEN].into_boxed_slice();
            let x = V::load_first(isa, &from);
            x.store(&mut whole);
            assert_eq!(whole[..n], from[..]);
            assert!(
                whole[n..].iter().all(|&x| x == number(0)),
                "zeros after {n} of {} elements",
                V::LEN
            );
            assert_eq!(
                x.add(V::load(isa, &whole)).mul_add(V::splat(isa, number(2)), x).first(n),
                times(&from, 5)
            );
        }
    }
}
/// The first elements of a register, in as much memory as they need.
trait First: Vector {
    #[inline(always)]
    fn first(self, n: usize) -> Box<[Self::Element]> {
        let mut to = vec![Self::Element::default(); n].into_boxed_slice();
        self.store_first(&mut to);
        to
    }
}
impl<V: Vector> First for V {}
fn times<E: Element + From<u8>>(elements: &[E], by: u8) -> Box<[E]> {
    elements.iter().map(|&x| x * E::from(by)).collect()
}

/// Slices of another length than the register's, and longer ones, which it does not take.
struct OtherLengths<I, V>(I, PhantomData<V>);
impl<I: Isa, V: Vector<Isa = I, Element: From<u8>>> Task for OtherLengths<I, V> {
    #[inline(always)]
    fn run(self) {
        let (isa, one) = (self.0, V::Element::from(1));
        let refused = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_err();
        let (mut short, mut long) = (vec![one; V::LEN - 1], vec![one; V::LEN + 1]);
        assert!(
            refused(&mut || drop(V::load(isa, &short).first(0))),
            "a whole register of too few elements"
        );
        assert!(
            refused(&mut || V::splat(isa, one).store(&mut short)),
            "a whole register into too few elements"
        );
        assert!(
            refused(&mut || drop(V::load_first(isa, &long).first(0))),
            "more elements than a register has"
        );
        assert!(
            refused(&mut || V::splat(isa, one).store_first(&mut long)),
            "more elements than a register has"
        );
    }
}

fn check_set<I>() -> bool
where
    I: Holds<f32> + Holds<f64>,
{
    let Some(isa) = I::detect() else { return false };
    macro_rules! registers {
        ($($element:ident $register:ident,)*) => {$(
            isa.run(EachLength::<I, <I as Holds<$element>>::$register>(isa, PhantomData));
            isa.run(OtherLengths::<I, <I as Holds<$element>>::$register>(isa, PhantomData));
        )*};
    }
    registers! { f32 Whole, f32 Half, f32 Quarter, f64 Whole, f64 Half, f64 Quarter, }
    true
}

#[test]
fn every_register_keeps_to_its_slice() {
    assert!(check_set::<Portable>());
    #[cfg(target_arch = "x86_64")]
    for (name, checked) in [
        ("AVX2", check_set::<layout_registers::Avx2>()),
        ("AVX-512", check_set::<layout_registers::Avx512>()),
    ] {
        println!("{name}: {}", if checked { "checked" } else { "not in this processor" });
    }
}
