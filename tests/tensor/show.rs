//! The text of tensors, partitions and atoms; their comparison, and `for` loops over them.

use layout_algebra::atom::{
    CopyAtom, UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Anywhere;
use layout_draw::{ColorBy, Draw};

fn numbers<const N: usize>() -> [i32; N] {
    core::array::from_fn(|i| i as i32)
}

#[test]
fn tensors_of_every_kind_read_as_rows_of_elements() -> Result<(), LayoutError> {
    let rows = "  0  1  2\n  3  4  5\n";
    let (data, n) = (numbers::<6>(), 3);
    let expected = format!("(2,3):(3,1)\n{rows}");
    let mut owned = Tensor::fixed(data, layout!((2, 3): right));
    assert_eq!((format!("{owned}"), format!("{owned:?}"), format!("{owned:#?}")), {
        (expected.clone(), expected.clone(), expected.clone())
    });
    assert_eq!(owned.view().to_string(), expected);
    assert_eq!(owned.view_mut().to_string(), expected);
    assert_eq!(Tensor::new(&data[..], layout!((2, n):(n, 1)))?.to_string(), expected);
    assert_eq!(
        Tensor::new(data.to_vec(), layout!((2, 3): right).to_dynamic())?.to_string(),
        expected
    );
    let fragment: Fragment<i32, Layout!((2, 3): right)> =
        Fragment::from_fn(|(i, j)| (3 * i + j) as i32);
    assert_eq!(format!("{fragment:?}"), expected);
    let swizzled =
        Tensor::fixed(numbers::<4>(), Swizzle::<1, 0, 1>::new().compose(layout!((2, 2): right)));
    assert_eq!(swizzled.to_string(), "Sw<1,0,1> o 0 o (2,2):(2,1)\n  0  1\n  3  2\n");
    let dynamic = Tensor::new(numbers::<4>(), swizzled.layout().to_dynamic())?;
    assert_eq!(dynamic.to_string(), swizzled.to_string());
    let mut whole = Tensor::fixed(numbers::<24>(), layout!((4, 6): right));
    let tile = whole.tiles_mut(tiler!(2, 2)).nth(3).unwrap();
    assert_eq!(
        format!("{tile} {tile:?}"),
        "(2,2):(6,1)\n  14  15\n  20  21\n (2,2):(6,1)\n  14  15\n  20  21\n"
    );
    assert_eq!(whole.slice((1, ..)).to_string(), "6:1\n   6   7   8   9  10  11\n");
    let places = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 3), (1, 1))?;
    let expected = "(2,3):(1@0,1@1)\n  (2,3)  (2,4)  (2,5)\n  (3,3)  (3,4)  (3,5)\n";
    assert_eq!(
        (places.to_string(), format!("{places:?}")),
        (expected.to_string(), expected.to_string())
    );
    Ok(())
}

#[test]
fn tensors_of_every_rank_read() -> Result<(), LayoutError> {
    assert_eq!(Tensor::fixed([1, 20, 3], layout!(3)).to_string(), "3:1\n   1  20   3\n");
    assert_eq!(Tensor::fixed([1, 20, 3], layout!((3,))).to_string(), "(3):(1)\n   1  20   3\n");
    assert_eq!(Tensor::fixed([7], layout!(1)).to_string(), "1:0\n  7\n");
    let nested = Tensor::fixed(numbers::<8>(), layout!(((2, 2), 2): right));
    assert_eq!(nested.to_string(), "((2,2),2):((4,2),1)\n  0  1\n  4  5\n  2  3\n  6  7\n");
    let deep = Tensor::fixed(numbers::<8>(), layout!((1, 2, 2, 2)));
    assert_eq!(
        deep.to_string(),
        "(1,2,2,2):(0,1,2,4)\n(_,_,0,0)\n  0  1\n(_,_,1,0)\n  2  3\n(_,_,0,1)\n  4  5\n(_,_,1,1)\n  6  7\n"
    );
    assert_eq!(
        Tensor::new(numbers::<8>(), deep.layout().to_dynamic())?.to_string(),
        deep.to_string()
    );
    let none = 0;
    assert_eq!(format!("{:?}", Tensor::new([0; 0], layout!((none, 3)))?), "(0,3):(1,0)\n");
    assert_eq!(format!("{}", Tensor::new([0; 0], layout!((3, none)))?), "(3,0):(1,3)\n");
    Ok(())
}

#[test]
fn width_and_precision_are_those_of_each_element() {
    let t = Tensor::fixed([1.0, -2.25, 30.5, 4.0], layout!((2, 2)));
    let text =
        |text: String| text.split_once('\n').map(|(_, rows)| rows.to_string()).unwrap_or_default();
    assert_eq!(text(format!("{t}")), "      1   30.5\n  -2.25      4\n");
    assert_eq!(text(format!("{t:.1}")), "   1.0  30.5\n  -2.2   4.0\n");
    assert_eq!(text(format!("{t:8.2}")), "      1.00     30.50\n     -2.25      4.00\n");
    assert_eq!(text(format!("{t:<8.1}")), "  1.0       30.5    \n  -2.2      4.0     \n");
    assert_eq!(text(format!("{t:*^7.1}")), "  **1.0**  *30.5**\n  *-2.2**  **4.0**\n");
    assert_eq!(text(format!("{t:+.1}")), "   +1.0  +30.5\n   -2.2   +4.0\n");
    assert_eq!(text(format!("{t:06.1}")), "  0001.0  0030.5\n  -002.2  0004.0\n");
    assert_eq!(text(format!("{t:?}")), "    1.0   30.5\n  -2.25    4.0\n");
    assert_eq!(text(format!("{t:.1?}")), "   1.0  30.5\n  -2.2   4.0\n");
    let words = Tensor::fixed(["a", "ünf"], layout!(2));
    assert_eq!(
        (text(format!("{words}")), text(format!("{words:?}"))),
        ("    a  ünf\n".into(), "    \"a\"  \"ünf\"\n".into())
    );
}

#[test]
fn tables_of_tensors() -> Result<(), LayoutError> {
    let expected = "\
(2,2):(1,2)
       0    1
    +----+----+
 0  |  1 | 30 |
    +----+----+
 1  | -2 |  4 |
    +----+----+
";
    let t = Tensor::fixed([1, -2, 30, 4], layout!((2, 2)));
    assert_eq!(t.table().to_string(), expected);
    assert_eq!(
        Tensor::new([1, -2, 30, 4], t.layout().to_dynamic())?.table()?.to_string(),
        expected
    );
    let places = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(1, 2), (1, 1))?;
    assert_eq!(
        places.table().to_string(),
        "(1,2):(0,1@1)\n          0       1\n    +-------+-------+\n 0  | (1,2) | (1,3) |\n    +-------+-------+\n"
    );
    Ok(())
}

#[test]
fn tensors_go_through_for_loops() -> Result<(), LayoutError> {
    let n = 3;
    let mut t = Tensor::new(vec![0; 6], layout!((2, n): right))?;
    for (i, x) in t.iter_mut().enumerate() {
        *x = i;
    }
    for x in &mut t {
        *x *= 10;
    }
    let mut sum = 0;
    for x in &t {
        sum += x;
    }
    assert_eq!(
        (sum, t.iter_mut().fold(0, |sum, x| sum + *x), t.iter_mut().size_hint()),
        (150, 150, (6, Some(6)))
    );
    assert_eq!(t.into_storage(), [0, 20, 40, 10, 30, 50]);
    let mut dynamic = Tensor::new(vec![1; 6], "(2,3):(3,1)".parse::<DynLayout>()?)?;
    dynamic.iter_mut().for_each(|x| *x += 1);
    for mut tile in Tensor::fixed([1; 4], layout!((2, 2))).tiles_mut(tiler!(2, 1)) {
        (&mut tile).into_iter().for_each(|x| *x = 5);
        assert_eq!((&tile).into_iter().sum::<i32>(), 10);
    }
    assert_eq!(dynamic.iter().sum::<i32>(), 12);
    // All of them at once, to two threads.
    let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    let mut elements: Vec<_> = t.iter_mut().collect();
    let (left, right) = elements.split_at_mut(3);
    std::thread::scope(|scope| {
        scope.spawn(|| left.iter_mut().for_each(|x| **x = 1));
        scope.spawn(|| right.iter_mut().for_each(|x| **x = 2));
    });
    assert_eq!(t.into_storage(), [1, 1, 2, 1, 2, 2]);
    Ok(())
}

#[test]
fn elements_that_coordinates_share_are_not_lent_twice() {
    let broadcast = 0;
    let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1))).unwrap();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| t.iter_mut().count()));
    let message = caught.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        *message,
        "cannot borrow each element of a tensor of layout (4,6):(0,1): the mode 4:0 overlaps the 1 offsets that the \
         modes below it span"
    );
    t.for_each_mut(|_, x| *x += 1);
    assert_eq!(t.into_storage(), [4; 6]);
}

#[test]
fn equal_tensors_have_equal_elements_at_each_coordinate() -> Result<(), LayoutError> {
    let n = 3;
    let rows = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
    let mut columns = Tensor::new(vec![1, 4, 2, 5, 3, 6], layout!((2, n)))?;
    assert_eq!(rows, columns);
    assert_eq!(rows.view(), columns.view_mut());
    assert_eq!(rows.slice((.., 1)), Tensor::fixed([2, 5], layout!(2)));
    let dynamic =
        Tensor::new(&columns.clone().into_storage()[..], "(2,3):(1,2)".parse::<DynLayout>()?)?
            .into_storage()
            .to_vec();
    let dynamic = Tensor::new(dynamic, "(2,3):(1,2)".parse::<DynLayout>()?)?;
    assert_eq!(dynamic, Tensor::new(vec![1, 2, 3, 4, 5, 6], "(2,3):(3,1)".parse::<DynLayout>()?)?);
    assert_ne!(dynamic, Tensor::new(vec![1, 2, 3, 4, 5, 6], "(3,2):(2,1)".parse::<DynLayout>()?)?);
    columns[(1, 2)] = 7;
    assert_ne!(rows, columns);
    let two = 2;
    assert_ne!(rows, Tensor::new(vec![1, 2, 4, 5], layout!((2, two): right))?);
    assert_ne!(Tensor::fixed([f32::NAN], layout!(1)), Tensor::fixed([f32::NAN], layout!(1)));
    let places = Tensor::coordinates(identity((4, 6)));
    assert_ne!(places.local_tile(tiler!(2, 3), (0, 0))?, places.local_tile(tiler!(2, 3), (1, 0))?);
    assert_eq!(places.local_tile(tiler!(2, 3), (1, 0))?, places.local_tile(tiler!(2, 3), (1, 0))?);
    Ok(())
}

#[test]
fn atoms_and_what_is_tiled_of_them_read_as_their_types() -> Result<(), LayoutError> {
    let copy =
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1)))?;
    assert_eq!(copy.to_string(), "TiledCopy<UniversalCopy<f32, 4>, (_256,_4):(_4,_1), <_128,_8>>");
    assert_eq!(format!("{copy:?}"), copy.to_string());
    assert_eq!(format!("{copy:#?}"), "TiledCopy<UniversalCopy<f32, 4>, (256,4):(4,1), <128,8>>");
    assert_eq!(format!("{copy:>70}"), format!("{:>70}", copy.to_string()));
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, 8, _));
    let text = "TiledMma<UniversalFma<f32, f32, f32>, (4,2,1):(1,4,0), <_,8,_>>";
    assert_eq!((format!("{mma:#}"), format!("{mma:#?}")), (text.to_string(), text.to_string()));
    let thread = copy.get_slice(3).unwrap();
    assert_eq!(format!("{thread:?}"), format!("ThrCopy {{ copy: {copy}, thread: 3 }}"));
    Ok(())
}

/// Two threads that read a row each and write a column each: what is read and what is written
/// differ.
#[derive(Clone, Copy, Debug)]
struct Transposing;
impl CopyAtom for Transposing {
    type Value = i32;
    type ThrId = Layout!(2:1);
    type SrcLayout = Layout!((2, 2):(1, 2));
    type DstLayout = Layout!((2, 2):(2, 1));
    type RefLayout = Layout!((2, 2):(1, 2));
    type Source = Anywhere;
    type Destination = Anywhere;
    fn copy<S, L, R, M>(&self, _: &Tensor<S, L>, _: &mut Tensor<R, M>, _: usize)
    where
        S: Storage<Item = i32>,
        L: Addressable,
        R: StorageMut<Item = i32>,
        M: Addressable,
    {
        unreachable!("only its layouts are asked for")
    }
}

#[test]
fn threads_and_values_of_a_tiled_copy() -> Result<(), LayoutError> {
    let copy = make_tiled_copy(
        UniversalCopy::<i32, Int<2>>::new(),
        layout!((2, 2): right),
        layout!((1, 2): right),
    )?;
    assert_eq!(
        copy.thread_value_table().to_string(),
        "\
source and destination ((2,2),(2,1)):((4,1),(2,0)) in <2,4>
         0      1      2      3
    +------+------+------+------+
 0  | T0V0 | T0V1 | T1V0 | T1V1 |
    +------+------+------+------+
 1  | T2V0 | T2V1 | T3V0 | T3V1 |
    +------+------+------+------+
"
    );
    let copy = make_tiled_copy(Transposing, layout!((2, 1)), layout!((1, 2)))?;
    assert_eq!(
        copy.thread_value_table().to_string(),
        "\
source (2,(2,1)):(1,(2,0)) in <2,2>
         0      1
    +------+------+
 0  | T0V0 | T0V1 |
    +------+------+
 1  | T1V0 | T1V1 |
    +------+------+
destination (2,(2,1)):(2,(1,0)) in <2,2>
         0      1
    +------+------+
 0  | T0V0 | T1V0 |
    +------+------+
 1  | T0V1 | T1V1 |
    +------+------+
"
    );
    assert!(
        copy.thread_value_table().colored().to_string().contains("\x1b[30;48;5;228m T1V1 \x1b[0m")
    );
    Ok(())
}

/// No value of the crate prints what its type is made of. What is left are shapes, strides and
/// static coordinates: tuples of the numbers of `typenum`, which print as that crate has them, and
/// by `notation` as they are written.
#[test]
fn nothing_reads_as_bits() -> Result<(), LayoutError> {
    use layout_algebra::analysis::WarpAccess;
    use layout_algebra::{FlatLayout, Window, composed::Chain};
    use rayon::prelude::*;

    const HIDDEN: [&str; 7] = ["UInt", "UTerm", "msb", "lsb", "PhantomData", "Nil", "Cons"];
    let said = std::cell::RefCell::new(Vec::new());
    let see = |name: &str, value: &dyn std::fmt::Debug| {
        for text in [format!("{value:?}"), format!("{value:#?}")] {
            if text.is_empty() || HIDDEN.iter().any(|hidden| text.contains(hidden)) {
                said.borrow_mut().push(format!("{name}: {text}"));
            }
        }
    };
    macro_rules! all {
        ($($value:expr;)*) => { $(see(stringify!($value), &$value);)* };
    }
    let (n, eight) = (6, Multiple::<Int<8>>::new(24)?);
    let (fixed, mixed, nested) =
        (layout!((4, 6)), layout!((4, n):(n, 1)), layout!((4, (2, 3)):(1, (12, 4))));
    let (dynamic, swizzle) = (fixed.to_dynamic(), Swizzle::<1, 0, 2>::new());
    let (swizzled, shifted) = (swizzle.compose(fixed), ComposedLayout::new(swizzle, 3, nested));
    let (id, steps) = (identity(shape!((4, (2, 3)))), identity(shape!((4, 6))));
    all! {
        fixed; mixed; nested; dynamic; layout!(eight); layout!(24); swizzle; swizzled; shifted; swizzled.to_dynamic();
        Chain::new(swizzle, swizzle); swizzled.left_inverse(); DynSwizzle::new(1, 0, 2)?;
        id; steps; id.compose(layout!(8)); id.stride(); id.zipped_divide(tiler!(2, _));
        Ordered::new(shape!((4, 6)), shape!((1, 0))); FlatLayout::of(&shifted); eight; Keep;
        tiler!(2, (2, n):(1, 8), _, <2, _>); tiler!(2, (2, n):(1, 8), _).to_dynamic(); dynamic.shape();
        "(1,_,2..3)".parse::<DynSlice>()?; Window::new((1, 2), shape!((2, 3))); notation(shape!((4, (2, n))));
        notation(int!(1536)); fixed.coords(); mixed.coords(); nested.coords(); id.coords(); swizzled.coords();
        dynamic.coords(); dynamic.shape().coords(); layout!(24).coords();
        fixed.table(); id.table(); dynamic.table()?; fixed.thread_value_table(); dynamic.thread_value_table()?;
        "(4,6):(-1,4)".parse::<DynLayout>()?; "(8,8):(^1,^9)".parse::<DynLayout>()?.strides().collect::<Vec<_>>();
        dynamic.explain_compose(2); layout_algebra::explain_compose::<Layout!((4, 6)), Tiler!(2, 3)>();
    }
    let mut t = Tensor::fixed(numbers::<24>(), fixed);
    let mut u = Tensor::new(numbers::<24>().to_vec(), dynamic.clone())?;
    let mut v = Tensor::new(numbers::<24>().to_vec(), mixed)?;
    let places = Tensor::coordinates(steps);
    let fragment: Fragment<i32, Layout!((2, 3))> = Fragment::zeroed();
    all! {
        t; u; v; t.view(); t.view_mut(); t.as_tile_mut(); t.table(); u.table()?; fragment; fragment.view(); places;
        Tensor::coordinates(id); places.slice((1, ..)); places.local_tile(tiler!(2, 3), (1, 1))?; places.table();
        t.iter(); t.iter_mut(); t.indexed(); u.iter(); u.iter_mut(); u.indexed(); v.iter(); t.zip(&v)?;
        t.tiles(tiler!(2, 3)); t.tiles_mut(tiler!(2, 3)); t.ragged_tiles(tiler!(3, 4)); t.ragged_tiles_mut(tiler!(3, _));
        u.tiles(tiler!(2, 3)); u.tiles_mut(tiler!(2, 3)); u.ragged_tiles(tiler!(3, 4)); u.ragged_tiles_mut(tiler!(3, _));
        t.tiles_mut(tiler!(2, 3)).reborrow(); t.tiles_mut(tiler!(2, 3)).split_at(1);
        t.tiles(tiler!(2, 3)).into_par_iter(); t.ragged_tiles_mut(tiler!(3, 4)).into_par_iter();
        t.partitions_mut(fixed)?; v.split_at::<1>(2); v.split_at_mut::<1>(2);
        v.ragged_tile(tiler!(3, 4), (0, 0))?; v.ragged_tile_mut(tiler!(3, 4), (1, 1))?;
        v.ragged_tile(tiler!(3, 4), (1, 1))?.coordinates(); places.predicates((3, 5)); places.within((3, 5));
        t.local_tile(tiler!(2, 3), (1, 1))?; t.local_partition(layout!((2, 3)), 4)?;
        t.partition_tv(tiler!(2, 3), layout!((2, 3)), 1)?; t.slice((1, ..)); t.window((1, 2), shape!((2, 2)));
        t.view().into_storage(); t.as_tile_mut().into_storage(); t.tiles(tiler!(2, 3)).next().unwrap().into_storage();
        t.in_space::<Anywhere>(); u.view().zipped_divide(tiler!(2, 3)); t.view().zipped_divide(tiler!(2, 3));
        t.recast::<u8>()?;
    }
    let copy =
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1)))?;
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, 8, _));
    let (thread, lane) = (copy.get_slice(3).unwrap(), mma.get_slice(5).unwrap());
    let tile = Tensor::filled(layout!((16, 16)), 0_f32);
    all! {
        UniversalCopy::<f32, Int<4>>::new(); UniversalFma::<f32>::new(); copy; mma; thread; lane; copy.tiler();
        copy.layout_s_tv(); copy.layout_d_tv(); copy.thread_value_table(); thread.slice_s(); thread.slice_d();
        mma.thr_layout_vmnk(); lane.slice_a(); lane.slice_c(); lane.partition_a(&tile)?; lane.partition_fragment_c(&tile);
        thread.partition_s(&Tensor::filled(layout!((128, 8)), 0_f32))?;
        make_layout_tv(layout!((2, 2)), layout!((1, 2)))?.1;
    }
    let flat = FlatLayout::of(&layout!((32, 4):(4, 1)));
    let access = WarpAccess::new(&flat, 32, 32);
    all! {
        access; access.bank_conflicts(&flat); access.coalescing(&flat); flat.best_swizzle(&flat, &flat, 32);
        t.try_slice((1..5, ..)).unwrap_err(); t.try_slice((1..5, ..)).unwrap_err().fault(); ErrorKind::Bounds;
        <Layout!((4, _):(1, _))>::try_from(&dynamic)?; <Layout!((4, 7))>::try_from(&dynamic).unwrap_err();
        fixed.draw(ColorBy::Thread)?; fixed.draw(ColorBy::Thread)?.table(); ColorBy::Thread;
    }
    let said = said.into_inner();
    assert!(said.is_empty(), "{} values print their types:\n{}", said.len(), said.join("\n"));
    Ok(())
}
