//! The tests, each a function that all ranks call.

use std::process::ExitCode;
use std::time::Duration;

use layout_algebra::prelude::*;
use layout_mpi::{
    AnyBitPattern, BlockCyclic, DistributedTensor, Distribution, Element, Error, Halo, Mesh,
    MeshCommunicators, MeshError, MeshMode, MeshModes, Messages, Placement, Plan, ReceiveChecked,
    Redistribution, Replicate, SendChecked, Sendable, Shard, abort_on_error, abort_on_panic,
    datatype_of, datatype_of_every, on_all_ranks,
};
use mpi::collective::SystemOperation;
use mpi::datatype::UserDatatype;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

use crate::draws::{self, Drawn, some_shape as some_extents};

/// A test, which all ranks call.
type Test = fn(&SimpleCommunicator);

/// What a rank does: the tests named, or all of them; or it fails as it is told.
pub fn rank() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments[0] == "outlives" {
        return outlives();
    }
    let universe = mpi::initialize().expect("MPI");
    let world = universe.world();
    if arguments[0] == "alone" {
        // One rank goes wrong while the others wait for it: what they hear of it is what they end
        // with.
        let end = alone(&world, &arguments[1], &arguments[2]);
        return match end {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // In one write: ranks that speak at the same time keep their sentences whole.
                let sentence = format!("rank {} of {}: {error}\n", world.rank(), world.size());
                std::io::Write::write_all(&mut std::io::stderr(), sentence.as_bytes()).unwrap();
                ExitCode::FAILURE
            }
        };
    }
    abort_on_panic(&world);
    match arguments[0].as_str() {
        "fault" => return fault(&world, &arguments[1]),
        "long" => return long(&world),
        _ => {}
    }
    let tests: [(&str, Test); 22] = [
        ("messages_are_in_the_order_of_coordinates", messages_are_in_the_order_of_coordinates),
        ("messages_go_from_layout_to_layout", messages_go_from_layout_to_layout),
        ("strides_that_are_not_natural_are_errors", strides_that_are_not_natural_are_errors),
        ("shared_elements_are_not_received", shared_elements_are_not_received),
        ("structs_are_sent_as_they_lie", structs_are_sent_as_they_lie),
        ("other_shapes_are_refused_on_all_ranks", other_shapes_are_refused_on_all_ranks),
        ("redistributions_are_those_on_paper", redistributions_are_those_on_paper),
        ("errors_are_heard_on_all_ranks", errors_are_heard_on_all_ranks),
        ("reshapes_and_slices_move_what_they_say", reshapes_and_slices_move_what_they_say),
        ("sums_are_added_up", sums_are_added_up),
        (
            "halos_make_steps_of_many_ranks_those_of_one",
            halos_make_steps_of_many_ranks_those_of_one,
        ),
        ("runs_of_other_plans_are_errors", runs_of_other_plans_are_errors),
        ("messages_of_another_size_are_refused", messages_of_another_size_are_refused),
        ("messages_of_another_type_are_refused", messages_of_another_type_are_refused),
        (
            "messages_that_are_not_checked_are_those_of_mpi",
            messages_that_are_not_checked_are_those_of_mpi,
        ),
        ("wrong_borders_are_errors_on_all_ranks", wrong_borders_are_errors_on_all_ranks),
        ("tiles_are_dealt_out_by_a_collective", tiles_are_dealt_out_by_a_collective),
        ("groups_are_communicators", groups_are_communicators),
        ("what_is_gathered_was_scattered", what_is_gathered_was_scattered),
        ("redistributions_send_the_least", redistributions_send_the_least),
        ("ranks_that_disagree_all_find_out", ranks_that_disagree_all_find_out),
        (
            "collectives_of_two_types_are_errors_on_all_ranks",
            collectives_of_two_types_are_errors_on_all_ranks,
        ),
    ];
    for (name, test) in tests {
        if arguments.len() == 1
            || arguments[1..].iter().any(|wanted| name.contains(wanted.as_str()))
        {
            test(&world);
            world.barrier();
        }
    }
    ExitCode::SUCCESS
}

/// One message of more than 2^31 bytes, of neighbours, as doubles and as bytes, checked and not: 4
/// GiB in all.
fn long(world: &SimpleCommunicator) -> ExitCode {
    fn send<T: Element + AnyBitPattern + PartialEq>(
        world: &SimpleCommunicator,
        elements: usize,
        value: T,
    ) {
        let own = if world.rank() == 0 { value } else { T::default() };
        let mut t = Tensor::new(vec![own; elements], layout!(elements)).expect("as many");
        let other = world.process_at_rank(1 - world.rank());
        if world.rank() == 0 {
            other.send(&t.message().expect("natural strides"));
            other.send_checked(&t.message().expect("natural strides"));
            return;
        }
        let mut place = t.message_mut().expect("injective");
        let status = other.receive_into(&mut place);
        assert_eq!(status.count(place.as_datatype()), place.count());
        assert!(t.iter().all(|&x| x == value));
        t.for_each_mut(|_, x| *x = T::default());
        other.receive_checked(&mut t.message_mut().expect("injective")).expect("of one type");
        assert!(t.iter().all(|&x| x == value));
    }
    send(world, (1 << 28) + 1, 1.5f64);
    send(world, (1 << 31) + 5, 7u8);
    ExitCode::SUCCESS
}

/// What a rank says if MPI lets it go on after a message that was too long.
pub const TOOK_A_LONGER_MESSAGE: &str = "took a longer message";

/// One rank of several goes wrong while the others wait for it.
fn fault(world: &SimpleCommunicator, name: &str) -> ExitCode {
    if name == "truncates" {
        let other = world.process_at_rank(1 - world.rank());
        if world.rank() == 0 {
            other.send(&[1, 2, 3, 4][..]);
        } else {
            other.receive_into(
                &mut Tensor::fixed([0; 2], layout!(2)).message_mut().expect("two elements"),
            );
            println!("{TOOK_A_LONGER_MESSAGE}");
        }
    }
    if world.rank() == 1 {
        match name {
            "panics" => panic!("as told"),
            "exits" => std::process::exit(3),
            _ => std::process::abort(),
        }
    }
    world.barrier();
    world.barrier();
    ExitCode::SUCCESS
}

/// Numbers that look random, and are the same on all ranks.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

fn sum(world: &SimpleCommunicator, own: usize) -> usize {
    let mut all = 0u64;
    world.all_reduce_into(&(own as u64), &mut all, SystemOperation::sum());
    all as usize
}

// ---- datatypes ----------------------------------------------------------------------------------

/// The bytes that MPI packs of a tensor are those of its elements in the order of the coordinates.
fn packs<L: Sendable>(world: &SimpleCommunicator, layout: L) {
    let data: Vec<i32> = (0..layout.reach().expect("small") as i32).collect();
    let t = Tensor::new(&data, layout).expect("long enough");
    let expected: Vec<u8> = t.iter().flat_map(|x| x.to_ne_bytes()).collect();
    assert_eq!(world.pack(&t.message().expect("natural strides")), expected, "{}", t.layout());
}

fn messages_are_in_the_order_of_coordinates(world: &SimpleCommunicator) {
    let (n, none) = (3, 0);
    packs(world, layout!(5));
    packs(world, layout!((4, 6)));
    packs(world, layout!((4, 6): right));
    packs(world, layout!((4, 6):(1, 10)));
    packs(world, layout!(((2, 2), (3, n)):((1, 12), (4, 30))));
    packs(world, layout!((4, n):(0, 2)));
    packs(world, layout!((4, none)));
    packs(world, layout!(1:7));
    packs(world, Swizzle::<2, 0, 2>::new().compose(layout!((4, 4))));
    packs(world, ComposedLayout::new(Swizzle::<2, 0, 3>::new(), 8, layout!((4, 2):(2, 16))));
    let mut random = Random(1);
    for _ in 0..300 {
        let rank = 1 + random.below(5);
        let tuple = |numbers: Vec<usize>| {
            DynShape::tuple(numbers.into_iter().map(DynShape::from)).expect("modes")
        };
        let shape = tuple((0..rank).map(|_| random.below(4) + usize::from(rank > 2)).collect());
        let stride =
            tuple((0..rank).map(|_| random.of(&[0, 1, 1, 2, 3, 4, 5, 8, 12, 20])).collect());
        packs(world, DynLayout::new(shape, stride).expect("small"));
    }
    // A stride of two columns is one datatype: MPI's own size of it.
    let tile = datatype_of::<f64>(&layout!((2, 3):(1, 10))).expect("small");
    assert_eq!(world.pack_size(1, &tile), 48);
    let error = datatype_of::<f64>(
        &"(2,2):(1,4611686018427387904)".parse::<DynLayout>().expect("a layout"),
    );
    assert!(matches!(error, Err(Error::Layout(ref error)) if error.kind().as_str() == "overflow"));
}

/// Around the ring: each rank sends under one layout, and receives under another.
fn around<L: Sendable, M: Sendable>(world: &SimpleCommunicator, from: L, to: M) {
    let (rank, size) = (world.rank(), world.size());
    let value = |rank: i32, i: usize| (1000 * rank) as f64 + i as f64;
    let data: Vec<f64> = (0..from.reach().expect("small")).map(|i| value(rank, i)).collect();
    let source = Tensor::new(data, from).expect("long enough");
    let mut target = Tensor::new(vec![-1.0; to.reach().expect("small")], to).expect("long enough");
    let message = source.message().expect("natural strides");
    mpi::request::scope(|scope| {
        let sent = world.process_at_rank((rank + 1) % size).immediate_send_checked(scope, &message);
        world
            .process_at_rank((rank + size - 1) % size)
            .receive_checked(&mut target.message_mut().expect("injective"))
            .expect("as long");
        sent.wait();
    });
    let before = (rank + size - 1) % size;
    let expected: Vec<f64> =
        source.layout().coords().map(|c| value(before, source.layout().locate(c))).collect();
    assert_eq!(target.iter().copied().collect::<Vec<_>>(), expected);
    // Nothing but the layout's offsets is written.
    let layout = target.layout().clone();
    let offsets: Vec<usize> = layout.coords().map(|c| layout.locate(c)).collect();
    let between =
        target.into_storage().into_iter().enumerate().filter(|(i, _)| !offsets.contains(i));
    between.for_each(|(i, x)| assert_eq!(x, -1.0, "{layout} writes {i}"));
}

fn messages_go_from_layout_to_layout(world: &SimpleCommunicator) {
    let n = 6;
    around(world, layout!((4, 6)), layout!((4, 6): right));
    around(
        world,
        layout!((4, n):(1, 10)),
        "((2,2),6):((1,30),4)".parse::<DynLayout>().expect("a layout"),
    );
    around(world, Swizzle::<2, 0, 2>::new().compose(layout!((4, 4))), layout!((4, 4):(8, 2)));
    around(world, layout!((8, 2):(0, 1)), Swizzle::<2, 0, 2>::new().compose(layout!((4, 4))));
}

fn strides_that_are_not_natural_are_errors(world: &SimpleCommunicator) {
    for text in ["(2,4):(^1,^3)", "4:-1", "(2,3):(-1,2)", "(2,2,2):(^1,^1,2)"] {
        let layout: DynLayout = text.parse().expect("a layout");
        let error = datatype_of::<f64>(&layout).map(|_| ()).expect_err(text);
        assert!(error.to_string().contains("has to be a natural number"), "{text}: {error}");
        let mut storage = [0u16; 16];
        let Ok(mut t) = Tensor::new(&mut storage[..], layout) else { continue };
        assert_eq!(t.message().map(|_| ()).expect_err(text), error);
        assert_eq!(t.message_mut().map(|_| ()).expect_err(text), error);
    }
    // Of extent 1 a stride leads nowhere, and behind a swizzle offsets are told one by one.
    let still: DynLayout = "(1,4):(^5,2)".parse().expect("a layout");
    assert_eq!(world.pack_size(1, &datatype_of::<u8>(&still).expect("natural where it moves")), 4);
}

fn shared_elements_are_not_received(_: &SimpleCommunicator) {
    let mut t = Tensor::new(vec![0; 9], layout!((4, 6):(1, 1))).expect("long enough");
    let error = t.message_mut().expect_err("(1,0) and (0,1) are one element");
    assert_eq!(
        error.to_string(),
        "nothing is received under (4,6):(1,1): two of its coordinates share an element"
    );
    let none = 0;
    assert!(
        Tensor::new(vec![0; 9], layout!((4, none):(0, 0))).expect("empty").message_mut().is_ok()
    );
    assert!(Tensor::new(vec![0; 9], layout!((2, 1):(0, 0))).expect("one").message_mut().is_err());
    assert!(Tensor::new(vec![0; 23], layout!((4, 6))).is_err());
}

/// Structs whose size is not what MPI has for their extent: packed, and aligned to more than their
/// fields are.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod, Equivalence,
)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: f64,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::AnyBitPattern, Equivalence)]
#[repr(C, align(32))]
struct Aligned {
    a: f64,
}
#[derive(
    Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod, Equivalence,
)]
#[repr(C, align(64))]
struct Line {
    a: [f64; 8],
}
/// With bytes between fields, which are no message.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::AnyBitPattern, Equivalence)]
#[repr(C)]
struct Padded {
    a: u8,
    b: f64,
    c: u16,
}
/// Made of others.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod, Equivalence,
)]
#[repr(C, packed)]
struct Nested {
    a: Packed,
    b: u16,
    c: Packed,
}
/// Arrays of structs: each begins where MPI's extent says, which is not where it begins in memory.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod, Equivalence,
)]
#[repr(C, packed)]
struct PackedArray {
    a: [Packed; 3],
}
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, Equivalence)]
#[repr(C)]
struct AlignedArray {
    a: [Aligned; 2],
}
// SAFETY: numbers, whatever lies between them.
unsafe impl AnyBitPattern for AlignedArray {}
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::AnyBitPattern, Equivalence)]
#[repr(C)]
struct AlignedTwo {
    a: Aligned,
    b: Aligned,
}
/// And where it is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, Equivalence)]
#[repr(C)]
struct PaddedArray {
    a: [[Padded; 2]; 2],
    b: u8,
}
// SAFETY: numbers, whatever lies between them.
unsafe impl AnyBitPattern for PaddedArray {}
#[derive(
    Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod, Equivalence,
)]
#[repr(C)]
struct Nothing {}

/// A datatype that leads beyond the element: what `Equivalence` forbids, and a mistake makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
struct Short(f64);
// SAFETY: it is wrong, and what is refused here: nothing is sent.
unsafe impl Equivalence for Short {
    type Out = UserDatatype;
    fn equivalent_datatype() -> UserDatatype {
        UserDatatype::contiguous(2, &f64::equivalent_datatype())
    }
}

/// Elements from this rank to itself, under layouts, checked and not, where others lie on both
/// sides.
fn goes_around<T: Equivalence + AnyBitPattern + PartialEq + std::fmt::Debug>(
    world: &SimpleCommunicator,
    value: impl Fn(u8) -> T,
) {
    fn one<T, L, M>(world: &SimpleCommunicator, value: &impl Fn(u8) -> T, from: L, to: M)
    where
        T: Equivalence + AnyBitPattern + PartialEq + std::fmt::Debug,
        L: Sendable,
        M: Sendable,
    {
        let this = world.this_process();
        let (reach, size) = (from.reach().expect("small"), to.reach().expect("small"));
        let source: Vec<T> = (0..reach as u8).map(&value).collect();
        let mut target = vec![value(255); size + 12];
        for checked in [true, false] {
            let mut place = Tensor::new(&mut target[6..6 + size], to.clone()).expect("long enough");
            let (sent, mut place) =
                (Tensor::new(&source[..], from.clone()).expect("as many"), place.view_mut());
            let (message, mut received) =
                (sent.message().expect("natural"), place.message_mut().expect("injective"));
            mpi::request::scope(|scope| {
                if checked {
                    let sending = this.immediate_send_checked(scope, &message);
                    this.receive_checked(&mut received).expect("of one type, and as many");
                    sending.wait();
                } else {
                    let sending = this.immediate_send(scope, &message);
                    this.receive_into(&mut received);
                    sending.wait();
                }
            });
            let mut expected = vec![value(255); size + 12];
            for (before, after) in from.coords().zip(to.coords()) {
                expected[6 + to.locate(after)] = source[from.locate(before)];
            }
            assert_eq!(target, expected, "{from} to {to}");
            target.fill(value(255));
        }
    }
    let (eight, n) = (layout!(8), 4);
    one(world, &value, eight, eight);
    one(world, &value, layout!((2, 4)), layout!((2, 4): right));
    one(world, &value, layout!((2, n):(1, 3)), layout!((2, 2, 2):(9, 1, 3)));
    one(world, &value, Swizzle::<1, 0, 2>::new().compose(layout!((2, 4))), layout!((2, 4):(8, 2)));
    one(world, &value, layout!((2, 4):(8, 2)), Swizzle::<1, 0, 2>::new().compose(layout!((2, 4))));
    one(world, &value, layout!(1), layout!(1));
}

fn structs_are_sent_as_they_lie(world: &SimpleCommunicator) {
    let size = world.size() as usize;
    goes_around(world, |i| Packed { a: i, b: f64::from(i) });
    goes_around(world, |i| Aligned { a: f64::from(i) });
    goes_around(world, |i| Line { a: [f64::from(i); 8] });
    goes_around(world, |i| Padded { a: i, b: f64::from(i), c: i.into() });
    let packed = |i: u8| Packed { a: i, b: f64::from(i) };
    goes_around(world, |i| Nested { a: packed(i), b: i.into(), c: packed(i) });
    let aligned = |i: u8| Aligned { a: f64::from(i) };
    goes_around(world, |i| AlignedTwo { a: aligned(i), b: aligned(i / 2) });
    let padded = |i: u8| Padded { a: i, b: f64::from(i), c: i.into() };
    goes_around(world, |i| PaddedArray {
        a: [[padded(i), padded(i / 2)], [padded(1), padded(i / 3)]],
        b: i,
    });
    let refused =
        |error: Result<_, Error>| error.err().map(|error| error.to_string()).unwrap_or_default();
    let array = refused(datatype_of::<PackedArray>(&layout!(2)));
    assert!(
        array.ends_with("leads from byte 0 up to byte 41, and an element has the bytes 0 to 27"),
        "{array}"
    );
    let array = refused(datatype_of::<AlignedArray>(&layout!(2)));
    assert!(
        array.contains("an array of structs, and the extent 16 where an element has 64 bytes"),
        "{array}"
    );
    goes_around(world, |_| Nothing {});
    goes_around(world, |i| i);
    // What is said of their bytes is what they are in a message.
    let (result, _) = to_three(world, &[Padded::default(); 4], Padded::default());
    assert_eq!(result, Err(Error::Truncated { message: 44, tensor: 33 }));
    // Several in a row.
    let every = datatype_of_every::<Packed>(&layout!(2:2), 1).expect("small");
    assert_eq!(world.pack_size(3, &every), 6 * 9);
    let error = datatype_of::<Short>(&layout!(2)).expect_err("16 bytes of 8").to_string();
    let name = std::any::type_name::<Short>();
    assert_eq!(
        error,
        format!(
            "MPI's type of {name} leads from byte 0 up to byte 16, and an element has the bytes 0 \
             to 8"
        )
    );
    assert!(Tensor::new(vec![Short(0.0)], layout!(1)).expect("one").message().is_err());
    // Offsets and messages beyond what MPI counts, of layouts that nobody has memory for.
    for (text, fits) in [
        ("(4611686018427387904):(2)", false),
        ("(4):(576460752303423488)", false),
        ("(4611686018427387904):(0)", false),
        ("(4294967296,134217728):(1,0)", true),
        ("(3000000000):(1)", true),
        ("(3,3000000000):(3000000000,1)", true),
    ] {
        let layout: DynLayout = text.parse().expect("a layout");
        assert_eq!(datatype_of::<f64>(&layout).is_ok(), fits, "{text}");
    }
    // Dealt out, kept and shared.
    fn moves<T: Element + PartialEq + std::fmt::Debug>(
        world: &SimpleCommunicator,
        value: impl Fn(u8) -> T,
    ) {
        let size = world.size() as usize;
        let mesh = Mesh::new(world, layout!(size)).unwrap();
        let [from, to] = [Placement::from(Shard(0)), BlockCyclic(0, 1).into()]
            .map(|placement| Distribution::new(&mesh, 64, [placement]).unwrap());
        let of = |global: &[usize]| value(global[0] as u8);
        let expected = DistributedTensor::from_fn(&to, of);
        for limit in [3, usize::MAX] {
            let mut redistribution = Redistribution::with_limit(world, &from, &to, limit).unwrap();
            let mut target = DistributedTensor::from_fn(&to, |_| T::default());
            redistribution.run(&DistributedTensor::from_fn(&from, of), &mut target).unwrap();
            assert_eq!(target.local().into_storage(), expected.local().into_storage());
            let shared = DistributedTensor::shared(world, &from, of).unwrap();
            let mut target = DistributedTensor::shared(world, &to, |_| T::default()).unwrap();
            redistribution.run(&shared, &mut target).unwrap();
            assert_eq!(target.local().into_storage(), expected.local().into_storage());
        }
        let whole = expected.gather(world, 0).unwrap();
        assert!(
            whole
                .is_none_or(|whole| whole.into_storage() == (0..64).map(value).collect::<Vec<_>>())
        );
    }
    moves(world, |i| Packed { a: i, b: f64::from(i) });
    moves(world, |i| Line { a: [f64::from(i); 8] });
    moves(world, |i| Nested { a: packed(i), b: i.into(), c: packed(i / 2) });
    moves(world, |_| Nothing {});
    let mesh = Mesh::new(world, layout!(size)).unwrap();
    let short = Distribution::new(&mesh, 3, [Shard(0)]).unwrap();
    assert!(matches!(
        Redistribution::<Short>::new(world, &short, &short),
        Err(Error::Reach { to: 16, size: 8, .. })
    ));
}

/// A message of some elements from this rank to itself, received by every second of six: the error,
/// or what came. What is between is not written, whatever comes.
fn to_three<T: Equivalence + AnyBitPattern + PartialEq + std::fmt::Debug>(
    world: &SimpleCommunicator,
    sent: &[T],
    before: T,
) -> (Result<(), Error>, Vec<T>) {
    let this = world.this_process();
    let sent = Tensor::new(sent, DynLayout::left(&DynShape::from(sent.len()))).expect("as many");
    let mut three = Tensor::new(vec![before; 6], layout!(3:2)).expect("long enough");
    let message = sent.message().expect("natural strides");
    let result = mpi::request::scope(|scope| {
        let sending = this.immediate_send_checked(scope, &message);
        let result = this.receive_checked(&mut three.message_mut().expect("injective"));
        sending.wait();
        result
    });
    let received = three.iter().copied().collect();
    let between = three.into_storage();
    assert_eq!([between[1], between[3], between[5]], [before; 3]);
    (result.map(|_| ()), received)
}

fn messages_of_another_size_are_refused(world: &SimpleCommunicator) {
    // Shorter and longer than the tensor, and so long that MPI asks the receiver first.
    for length in [0, 1, 2, 3, 4, 6, 1 << 16, 1 << 21] {
        let truncated = |element: usize| match length {
            3 => Ok(()),
            _ => Err(Error::Truncated { message: element * length, tensor: element * 3 }),
        };
        let (result, received) = to_three(world, &vec![1.0; length], 7.0);
        assert_eq!(result, truncated(8));
        assert_eq!(received, [if length == 3 { 1.0 } else { 7.0 }; 3]);
        let (result, received) = to_three(world, &vec![1u8; length], 7);
        assert_eq!(result, truncated(1));
        assert_eq!(received, [if length == 3 { 1 } else { 7 }; 3]);
    }
    // No elements are a message too, and an empty tensor takes no other one.
    let (this, none) = (world.this_process(), 0);
    let mut empty = Tensor::new(Vec::<f64>::new(), layout!((4, none))).expect("no elements");
    for (length, bytes) in [(0, 0), (2, 16)] {
        let sent = Tensor::new(vec![1.0; length], layout!(length)).expect("as many");
        let message = sent.message().expect("natural strides");
        mpi::request::scope(|scope| {
            let sending = this.immediate_send_checked(scope, &message);
            let result =
                this.receive_checked(&mut empty.message_mut().expect("injective")).map(|_| ());
            let truncated = Err(Error::Truncated { message: bytes, tensor: 0 });
            assert_eq!(result, if length == 0 { Ok(()) } else { truncated });
            sending.wait();
        });
    }
}

/// What MPI makes of messages that are not checked: it compares no types, and a shorter message is
/// one. (A longer one ends the program: the fault `truncates`.) The status says what came, and a
/// checked receive takes none of them.
fn messages_that_are_not_checked_are_those_of_mpi(world: &SimpleCommunicator) {
    let this = world.this_process();
    for (sent, same) in [(vec![1.5f32; 6], true), (vec![1.5; 4], false), (vec![], false)] {
        let mut received = Tensor::new(vec![-1i32; 6], layout!((2, 3))).expect("six");
        let sent = Tensor::new(&sent[..], layout!(sent.len())).expect("as many");
        let message = sent.message().expect("natural strides");
        let mut place = received.message_mut().expect("injective");
        let status = mpi::request::scope(|scope| {
            let sending = this.immediate_send(scope, &message);
            let status = this.receive_into(&mut place);
            sending.wait();
            status
        });
        let bytes = (
            status.count(u8::equivalent_datatype()),
            status.count(place.as_datatype()) == place.count(),
        );
        assert_eq!(bytes, (4 * sent.size() as i32, same));
        assert_eq!(place.check(&status), Err(Error::NoElementType { tensor: "i32".into() }));
        let written = (0..6).map(|i| if i < sent.size() { 1.5f32.to_bits() as i32 } else { -1 });
        assert!(received.into_storage().into_iter().eq(written));
        // The same, checked: an error.
        let mut received = Tensor::new(vec![-1i32; 6], layout!((2, 3))).expect("six");
        let error = mpi::request::scope(|scope| {
            let sending = this.immediate_send(scope, &message);
            let error = this.receive_checked(&mut received.message_mut().expect("injective")).err();
            sending.wait();
            error
        });
        assert_eq!(error, Some(Error::NoElementType { tensor: "i32".into() }));
    }
    // Sent checked, and received by a request: the status is checked.
    let (floats, doubles) = (vec![1f32; 6], vec![1f64; 3]);
    let floats = Tensor::new(&floats[..], layout!(6)).expect("six");
    let doubles = Tensor::new(&doubles[..], layout!(3)).expect("three");
    let mut received = Tensor::new(vec![0f64; 3], layout!(3)).expect("three");
    let mut place = received.message_mut().expect("injective");
    let (floats, doubles) =
        (floats.message().expect("natural strides"), doubles.message().expect("natural strides"));
    let [wrong, right] = [true, false].map(|wrong| {
        mpi::request::scope(|scope| {
            let coming = this.immediate_receive_into(scope, &mut place);
            match wrong {
                true => this.send_checked(&floats),
                false => this.send_checked(&doubles),
            }
            coming.wait()
        })
    });
    assert_eq!(
        place.check(&wrong),
        Err(Error::ElementTypes { message: "f32".into(), tensor: "f64".into() })
    );
    assert_eq!(place.check(&right), Ok(()));
    assert_eq!(received.into_storage(), [1.0; 3]);
}

/// A message of `T` from this rank to itself, received by 6 elements of `U`: the error, or the
/// elements.
fn received_as<U: Element + AnyBitPattern + PartialEq, T: Equivalence>(
    world: &SimpleCommunicator,
    sent: &[T],
) -> Result<Vec<U>, Error> {
    let this = world.this_process();
    let sent = Tensor::new(sent, layout!(sent.len())).expect("as many");
    let mut received =
        Tensor::new(vec![U::default(); 12], layout!((2, 3):(1, 4))).expect("long enough");
    let message = sent.message().expect("natural strides");
    let status = mpi::request::scope(|scope| {
        let sending = this.immediate_send_checked(scope, &message);
        let status = this.receive_checked(&mut received.message_mut().expect("injective"));
        sending.wait();
        status
    });
    // Nothing is written if it is refused.
    assert!(status.is_ok() || received.iter().all(|&x| x == U::default()));
    status.map(|_| received.iter().copied().collect())
}

fn messages_of_another_type_are_refused(world: &SimpleCommunicator) {
    let message = |error: Error| error.to_string();
    let ok = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    assert_eq!(received_as::<f32, f32>(world, &ok), Ok(ok.to_vec()));
    // As many elements, as many bytes, more, and fewer.
    macro_rules! refused {
        ($sent:ty, $received:ty, $elements:expr, $message:expr) => {
            let sent: Vec<$sent> = vec![<$sent>::default(); $elements];
            let result = received_as::<$received, $sent>(world, &sent);
            assert_eq!(result.map_err(message), Err($message.into()));
        };
    }
    refused!(f32, i32, 6, "a message of f32 for a tensor of i32");
    refused!(u32, f32, 6, "a message of u32 for a tensor of f32");
    refused!(f64, f32, 3, "a message of f64 for a tensor of f32");
    refused!(f32, f64, 12, "a message of f32 for a tensor of f64");
    refused!(f64, f32, 6, "a message of f64 for a tensor of f32");
    refused!(f64, i8, 1 << 20, "a message of f64 for a tensor of i8");
    refused!(bool, f32, 6, "a message of bool for a tensor of f32");
    refused!(bool, u8, 6, "a message of bool for a tensor of u8");
    refused!(f64, u8, 1 << 20, "a message of f64 for a tensor of u8");
    // Of one type with another name.
    let this = world.this_process();
    let (sent, mut received) =
        ([7usize; 3], Tensor::new(vec![0u64; 3], layout!(3)).expect("three"));
    let sent = Tensor::new(&sent[..], layout!(3)).expect("three");
    if size_of::<usize>() == 8 {
        let message = sent.message().expect("natural strides");
        mpi::request::scope(|scope| {
            let sending = this.immediate_send_checked(scope, &message);
            this.receive_checked(&mut received.message_mut().expect("injective"))
                .expect("u64 is usize");
            sending.wait();
        });
        assert_eq!(received.into_storage(), [7; 3]);
    }
    // A checked message is taken by any receive of rsmpi's.
    let bits = Tensor::new(vec![1f32.to_bits()], layout!(1)).expect("one");
    let message = bits.message().expect("natural strides");
    let mut raw = 0u32;
    mpi::request::scope(|scope| {
        let sending = this.immediate_send_checked(scope, &message);
        this.receive_into(&mut raw);
        sending.wait();
    });
    assert_eq!(raw, 1f32.to_bits());
}

/// Borders around the ring, of which one rank sends those of another type, longer ones or shorter
/// ones, and goes on as the others do.
fn wrong_borders_are_errors_on_all_ranks(world: &SimpleCommunicator) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let none = -1;
    let mistyped = [(0, 0, 4), (size - 1, 0, 4), (size - 1, 0, 1 << 20)];
    let truncated = [(0, 9, 0), (size - 1, 1 << 20, 0), (size / 2, 3, 0), (0, 0, 0)];
    for (wrong, floats, integers) in mistyped.into_iter().chain(truncated).chain([(none, 4, 0)]) {
        let floats = if rank == wrong { floats } else { 4 };
        let right = Tensor::new(vec![rank as f32; floats], layout!(floats)).expect("as many");
        let other = Tensor::new(vec![rank; integers], layout!(integers)).expect("as many");
        let mut border = Tensor::new(vec![-1f32; 4], layout!(4)).expect("four");
        let (right, other) =
            (right.message().expect("natural strides"), other.message().expect("natural strides"));
        let received = mpi::request::scope(|scope| {
            let to = world.process_at_rank(next);
            let mistyped = rank == wrong && integers > 0;
            let sending = (!mistyped).then(|| to.immediate_send_checked(scope, &right));
            let also = mistyped.then(|| to.immediate_send_checked(scope, &other));
            let from = world.process_at_rank(before);
            let received = from.receive_checked(&mut border.message_mut().expect("injective"));
            sending.into_iter().for_each(|request| request.wait_without_status());
            also.into_iter().for_each(|request| request.wait_without_status());
            received
        });
        let result = on_all_ranks(world, "the exchange of borders", received.map(|_| ()))
            .map_err(|e| e.to_string());
        if wrong == none {
            assert_eq!((result, border[0]), (Ok(()), before as f32));
        } else if wrong == before && integers > 0 {
            assert_eq!(
                (result, border[0]),
                (Err("a message of i32 for a tensor of f32".into()), -1.0)
            );
        } else if wrong == before {
            assert!(result.is_err_and(|error| {
                error.ends_with("bytes for a tensor whose elements are 16 bytes")
            }));
        } else {
            let receiver = (wrong + 1) % size;
            let error = result.expect_err("on all ranks");
            assert!(error.starts_with(&format!(
                "rank {receiver} has an error in the exchange of borders: a message of"
            )));
        }
    }
}

fn tiles_are_dealt_out_by_a_collective(world: &SimpleCommunicator) {
    // Rank 0 has a matrix of rows, and sends column r of blocks of 2 to rank r.
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let wide = 2 * size;
    let column = datatype_of_every::<i32>(&layout!((3, 2):(wide, 1)), 2).expect("small");
    let matrix: Vec<i32> = (0..3 * wide as i32).collect();
    let mut own = [0; 6];
    if rank == 0 {
        let sent: Vec<u8> = (0..size)
            .flat_map(|k| {
                let tile =
                    Tensor::new(&matrix[2 * k..], layout!((3, 2):(wide, 1))).expect("long enough");
                world.pack(&tile.message().expect("natural strides"))
            })
            .collect();
        assert_eq!(world.pack_size(size as i32, &column) as usize, sent.len());
        let all: Vec<i32> =
            sent.chunks(4).map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect();
        world.process_at_rank(0).scatter_into_root(&all[..], &mut own[..]);
    } else {
        world.process_at_rank(0).scatter_into(&mut own[..]);
    }
    let expected: Vec<i32> = (0..6).map(|i| (i % 3 * wide + 2 * rank + i / 3) as i32).collect();
    assert_eq!(own[..], expected);
}

// ---- meshes -------------------------------------------------------------------------------------

fn groups_are_communicators(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let extents: Vec<[usize; 2]> =
        (1..=size).filter(|a| size % a == 0).map(|a| [a, size / a]).collect();
    for [a, b] in extents {
        let right: DynLayout = layout!((a, b): right).into();
        for layout in [right, layout!((a, b)).into()] {
            let mesh = Mesh::new(world, layout).unwrap().named(["a", "b"]).unwrap();
            for (mode, name) in ["a", "b"].into_iter().enumerate() {
                let group = mesh.group(world, name).unwrap().expect("all ranks are in the mesh");
                assert_eq!(group.size() as usize, mesh.extent(name).unwrap());
                let coordinates = mesh.coordinates().unwrap();
                assert_eq!(group.rank() as usize, coordinates[mode]);
                let mut members = vec![0u64; group.size() as usize];
                group.all_gather_into(&(rank as u64), &mut members[..]);
                let line: Vec<u64> =
                    mesh.submesh(mode).unwrap().ranks().map(|rank| rank as u64).collect();
                assert_eq!(members, line);
                // The same as the layout says: (member, group) to rank.
                let groups = mesh.groups(mode).unwrap();
                let found = (0..size).filter(|&i| mesh.first() + groups.index(i) == rank).count();
                assert_eq!(found, 1);
            }
            let whole = mesh.communicator(world).unwrap().expect("all ranks are in the mesh");
            assert_eq!(mesh.ranks().nth(whole.rank() as usize), Some(rank));
        }
    }
    // A mesh of fewer ranks: the others have no group.
    let fewer = Mesh::new(world, layout!(1)).unwrap();
    assert_eq!(fewer.group(world, 0).unwrap().is_some(), rank == 0);
    // A mesh that is too large is refused, by all and before anything is sent.
    let error = Mesh::new(world, layout!((2, size))).unwrap_err();
    let mesh = format!("(2,{size}):(1,2)");
    assert_eq!(error, MeshError::TooFewRanks { mesh, reaches: 2 * size - 1, ranks: size });
    assert!(matches!(Mesh::new(world, layout!((2, 2):(0, 0))), Err(MeshError::SharedRank { .. })));
    let other = Mesh::on_paper(size + 1, rank, layout!(1)).unwrap();
    let ranks = Error::OtherRanks { mesh: [rank, size + 1], communicator: [rank, size] };
    assert_eq!(other.group(world, 0).err(), Some(ranks));
    // Of as many ranks, as another one sees it.
    let other = Mesh::on_paper(size, 0, layout!(1))
        .unwrap()
        .group(world, 0)
        .map(|_| ())
        .map_err(|e| e.to_string());
    let text = format!(
        "the mesh is that of rank 0 of {size}, and in the communicator this is rank {rank} of \
         {size}"
    );
    match rank {
        _ if size == 1 => assert!(other.is_ok()),
        0 => assert!(
            other
                .unwrap_err()
                .starts_with(&format!("rank {} has an error in Mesh::group: ", size - 1))
        ),
        _ => assert_eq!(other, Err(text)),
    }
}

// ---- distributions ------------------------------------------------------------------------------

/// Some mesh of at most `size` ranks.
fn some_mesh(random: &mut Random, size: usize, rank: usize) -> Mesh {
    let used = if random.below(3) == 0 { 1 + random.below(size) } else { size };
    let factors: Vec<usize> = (1..=used).filter(|a| used % a == 0).collect();
    let a = random.of(&factors);
    let b = used / a;
    let layout: DynLayout = match random.below(4) {
        0 => layout!((a, b)).into(),
        1 => layout!((a, b): right).into(),
        2 => layout!((a, b, 1)).into(),
        _ => layout!((1, used)).into(),
    };
    Mesh::on_paper(size, rank, layout).expect("as many ranks")
}

/// Some distribution of a matrix on some mesh: each mode over one mode of the mesh, both, or none.
fn some_distribution(
    random: &mut Random,
    shape: [usize; 2],
    size: usize,
    rank: usize,
) -> Distribution {
    let mesh = some_mesh(random, size, rank);
    let deal = |random: &mut Random, modes: Vec<usize>| {
        let named = || MeshModes(modes.iter().map(|&mode| mode.into()).collect());
        match (modes.is_empty(), random.below(4)) {
            (true, _) => Placement::from(Replicate),
            (_, 0) => Shard(named()).into(),
            (_, 1) => BlockCyclic(named(), 1).into(),
            _ => BlockCyclic(named(), random.of(&[1, 2, 3, 4, 5, 8])).into(),
        }
    };
    let [first, second] = match random.below(6) {
        0 => [vec![0], vec![]],
        1 => [vec![], vec![1]],
        2 => [vec![1], vec![0]],
        3 => [vec![0, 1], vec![]],
        4 => [vec![], vec![1, 0]],
        _ => [vec![0], vec![1]],
    };
    let deals = [deal(random, first), deal(random, second)];
    let distribution = Distribution::new(&mesh, (shape[0], shape[1]), deals).expect("small");
    match random.below(4) {
        0 => {
            // The same of the transpose, seen back: another order in memory.
            distribution.select(&[1, 0]).expect("both modes").select(&[1, 0]).expect("both modes")
        }
        _ => distribution,
    }
}

fn some_shape(random: &mut Random) -> [usize; 2] {
    [0; 2].map(|_| random.of(&[0, 1, 2, 3, 5, 7, 8, 12, 16, 17, 24, 30]))
}

fn what_is_gathered_was_scattered(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mut random = Random(3);
    for _ in 0..12 {
        let shape = some_shape(&mut random);
        let distribution = some_distribution(&mut random, shape, size, rank);
        let (root, other) = (random.below(size), random.below(size));
        let (m, n) = (shape[0], shape[1]);
        let data: Vec<i64> = (0..(m * n) as i64).collect();
        let whole = Tensor::new(&data, layout!((m, n))).unwrap();
        let has = (rank == root).then_some(&whole);
        let dealt = DistributedTensor::scatter(world, root, has, &distribution).unwrap();
        let expected = DistributedTensor::from_global(&distribution, &whole).unwrap();
        assert_eq!(dealt.local().into_storage(), expected.local().into_storage());
        let back = dealt.gather(world, other).unwrap();
        assert_eq!(back.is_some(), rank == other);
        if let Some(back) = back {
            assert_eq!(back.into_storage(), data);
        }
        assert!(dealt.gather(world, size).is_err());
        assert!(
            DistributedTensor::<i64>::scatter::<Vec<i64>, DynLayout>(
                world,
                root,
                None,
                &distribution
            )
            .is_err()
        );
    }
}

fn other_shapes_are_refused_on_all_ranks(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mesh = Mesh::new(world, layout!(size)).unwrap();
    let dealt = Distribution::new(&mesh, (17, 23), (Shard(0), Replicate)).unwrap();
    let data: Vec<u16> = (0..17 * 23).collect();
    let text = |shape: &str| {
        format!("a tensor of the shape {shape} for a distribution of the shape (17,23)")
    };
    let of = |layout: &str| {
        Tensor::new(&data[..], layout.parse::<DynLayout>().expect("a layout")).expect("as many")
    };
    for (layout, shape) in [
        ("(23,17):(1,23)", "(23,17)"),
        ("391:1", "(391)"),
        ("(17,23,1):(1,17,0)", "(17,23,1)"),
        ("((17,23)):((1,17))", "(391)"),
        ("(17,22):(1,17)", "(17,22)"),
        ("(17,0):(1,17)", "(17,0)"),
    ] {
        let whole = of(layout);
        let error = DistributedTensor::from_global(&dealt, &whole).unwrap_err();
        assert_eq!(error.to_string(), text(shape));
        let root = size / 2;
        let error =
            DistributedTensor::scatter(world, root, (rank == root).then_some(&whole), &dealt)
                .unwrap_err();
        let heard = format!("rank {root} has an error in scatter: {}", text(shape));
        assert_eq!(error.to_string(), if rank == root { text(shape) } else { heard });
    }
    // The same shape in other words, and in another order of memory.
    for layout in ["(17,23):(23,1)", "(17,(23,1)):(1,(17,0))", "((17,1),23):((1,0),17)"] {
        let whole = of(layout);
        let part = DistributedTensor::from_global(&dealt, &whole).unwrap();
        let value = |global: &[usize]| {
            if layout.starts_with("(17,23)") {
                23 * global[0] + global[1]
            } else {
                global[0] + 17 * global[1]
            }
        };
        let expected = DistributedTensor::from_fn(&dealt, |global| value(global) as u16);
        assert_eq!(part.local().into_storage(), expected.local().into_storage());
    }
    // No tensor, and no such rank.
    let error = DistributedTensor::<u16>::scatter::<Vec<u16>, DynLayout>(world, 0, None, &dealt)
        .unwrap_err();
    assert!(error.to_string().ends_with("rank 0 scatters a tensor, and has none"));
    let error = DistributedTensor::from_fn(&dealt, |_| 0).gather(world, 9).unwrap_err();
    assert_eq!(error.to_string(), format!("there is no rank 9: the ranks are 0 to {}", size - 1));
}

// ---- redistributions ----------------------------------------------------------------------------

fn redistributions_send_the_least(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mut random = Random(4);
    let (mut relabelled, mut sent) = (0, 0);
    for round in 0..60 {
        let shape = some_shape(&mut random);
        let from = some_distribution(&mut random, shape, size, rank);
        let to = some_distribution(&mut random, shape, size, rank);
        let value = |global: &[usize]| (100 * global[0] + global[1]) as f32;
        let nothing = || DistributedTensor::from_fn(&to, |_| -1.0f32);
        let expected = DistributedTensor::from_fn(&to, value);
        let limit = random.of(&[1, 3, usize::MAX]);
        let mut redistribution = Redistribution::with_limit(world, &from, &to, limit).unwrap();
        let apart = DistributedTensor::from_fn(&from, value);
        for _ in 0..2 {
            let mut target = nothing();
            redistribution.run(&apart, &mut target).unwrap();
            assert_eq!(
                target.local().into_storage(),
                expected.local().into_storage(),
                "{from} to {to}"
            );
        }
        if round % 4 == 0 {
            let shared = DistributedTensor::shared(world, &from, value).unwrap();
            let mut target = DistributedTensor::shared(world, &to, |_| -1.0).unwrap();
            redistribution.run(&shared, &mut target).unwrap();
            assert_eq!(
                target.local().into_storage(),
                expected.local().into_storage(),
                "{from} to {to}, shared"
            );
        }
        // The least that can be sent: what a rank has afterwards and did not have before, by
        // looking at each element.
        let elements = |side: &Distribution| {
            let [m, n] = side.local_shape()[..] else { panic!("a matrix") };
            let all = (0..n).flat_map(|j| (0..m).map(move |i| [i, j]));
            all.map(|local| side.global_of(&local).unwrap().expect("in the mesh"))
                .collect::<Vec<_>>()
        };
        let (before, after) = (elements(&from), elements(&to));
        let missing = after.iter().filter(|element| !before.contains(element)).count();
        let plan = redistribution.plan();
        assert_eq!(sum(world, plan.elements_sent()), sum(world, missing), "{from} to {to}");
        sent += plan.elements_sent();
        // With the ranks renamed, nothing.
        if let Some(renamed) = to.relabelled(&from) {
            assert_eq!(Plan::new(&from, &renamed).unwrap().elements_sent(), 0);
            let mut target = DistributedTensor::from_fn(&renamed, |_| -1.0);
            Redistribution::new(world, &from, &renamed).unwrap().run(&apart, &mut target).unwrap();
            let expected = DistributedTensor::from_fn(&renamed, value);
            assert_eq!(target.local().into_storage(), expected.local().into_storage());
            relabelled += 1;
        }
    }
    assert!(relabelled > 0 && (sum(world, sent) > 0) == (size > 1), "{relabelled} {sent}");
}

fn ranks_that_disagree_all_find_out(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mesh = Mesh::new(world, layout!(size)).unwrap();
    let dealt =
        |n: usize, size: usize| Distribution::new(&mesh, n, [BlockCyclic(0, size)]).unwrap();
    // The last rank has another shape.
    let n = if rank + 1 == size { 11 } else { 10 };
    let disagree = Redistribution::<f64>::new(world, &dealt(n, 2), &dealt(n, 3)).err();
    let disagrees = |what: &str| Error::Disagree { what: what.into() };
    assert_eq!(disagree, (size > 1).then_some(disagrees("Redistribution::new")));
    let shared = DistributedTensor::shared(world, &dealt(n, 2), |_| 0).err();
    assert_eq!(shared.is_some(), size > 1);
    // Shapes that do not agree with each other on one rank: that rank says so, the others that it
    // did.
    let to = dealt(if rank == 0 { 12 } else { 10 }, 3);
    let error = Redistribution::<f64>::new(world, &dealt(10, 2), &to).unwrap_err();
    let shapes = Error::Mesh(MeshError::Shapes { from: "(10)".into(), to: "(12)".into() });
    let heard = |what: &str, error: &Error| Error::OnRank {
        what: what.into(),
        rank: 0,
        error: error.to_string(),
    };
    assert_eq!(error, if rank == 0 { shapes } else { heard("Redistribution::new", &shapes) });
    // One rank brings a tensor that is distributed otherwise.
    let (from, to) = (dealt(10, 2), dealt(10, 3));
    let mut redistribution = Redistribution::new(world, &from, &to).unwrap();
    let source = DistributedTensor::from_fn(if rank == 0 { &to } else { &from }, |_| 1);
    let mut target = DistributedTensor::from_fn(&to, |_| 0);
    let error = redistribution.run(&source, &mut target).unwrap_err();
    let seen = |d: &Distribution| format!("{d} seen from rank 0");
    let other = Error::OtherDistribution { tensor: seen(&to), planned: seen(&from) };
    assert_eq!(error, if rank == 0 { other } else { heard("Redistribution::run", &other) });
    assert!(target.local().iter().all(|&x| x == 0));
    // And it goes on as if nothing had happened.
    redistribution
        .run(&DistributedTensor::from_fn(&from, |global| global[0]), &mut target)
        .unwrap();
    assert_eq!(
        target.local().into_storage(),
        DistributedTensor::from_fn(&to, |global| global[0]).local().into_storage()
    );
    // Another mesh, another mode, or a mesh for other ranks on one of them.
    let flat = Mesh::new(world, layout!((size, 1))).unwrap();
    let error = flat.group(world, usize::from(rank == 0)).err();
    assert_eq!(error, (size > 1).then_some(disagrees("Mesh::group")));
    let other =
        if rank == 0 { Mesh::on_paper(size + 1, 0, layout!(1)).unwrap() } else { flat.clone() };
    assert!(other.group(world, 0).is_err() && other.communicator(world).is_err());
    assert!(flat.group(world, if rank == 0 { "x".into() } else { MeshMode::from(0) }).is_err());
    assert!(flat.group(world, 0).unwrap().is_some());
    // Two shared tensors of one distribution: each rank would wait for the others in memory of its
    // own choice.
    let both = [0, 1].map(|_| DistributedTensor::shared(world, &from, |global| global[0]).unwrap());
    let error = redistribution.run(&both[usize::from(rank == 0)], &mut target).err();
    assert_eq!(error, (size > 1).then_some(disagrees("Redistribution::run")));
    redistribution.run(&both[0], &mut target).unwrap();
    // Another function than the others: on a communicator of its own, for from then on nobody waits
    // on it.
    let apart = world.duplicate();
    let t = DistributedTensor::from_fn(&from, |_| 1);
    let error = if rank == 0 {
        t.gather(&apart, 0).err()
    } else {
        DistributedTensor::<i32>::scatter::<Vec<i32>, DynLayout>(&apart, 0, None, &from).err()
    };
    let names = if rank == 0 { ["gather", "scatter"] } else { ["scatter", "gather"] };
    let [what, other] = names.map(String::from);
    let out = (size > 1).then_some(Error::OtherCall { what, other });
    assert_eq!(error, out);
    if rank == 0 {
        assert_eq!(t.gather(&apart, 0).err(), out);
    }
    assert_eq!(on_all_ranks(&apart, "the end", Ok::<_, Error>(())).err(), out);
    assert_eq!(t.gather(world, 0).unwrap().is_some(), rank == 0);
    // A plan that others are to run, a run that others plan, a memory that others do not share.
    let apart = world.duplicate();
    let mut early = Redistribution::<usize>::new(&apart, &from, &to).unwrap();
    let source = DistributedTensor::from_fn(&from, |global| global[0]);
    let error = match rank {
        0 => early.run(&source, &mut target).err(),
        1 => Redistribution::<usize>::new(&apart, &from, &to).err(),
        _ => DistributedTensor::shared(&apart, &from, |global| global[0]).err(),
    };
    assert!(
        size == 1
            || error
                .is_some_and(|error| error.to_string().starts_with("the ranks are out of step: "))
    );
}

/// Each collective with elements of `f32` on some ranks, and of `i32` on others.
fn collectives_of_two_types_are_errors_on_all_ranks(world: &SimpleCommunicator) {
    fn all<T: Element>(
        world: &SimpleCommunicator,
        from: &Distribution,
        to: &Distribution,
    ) -> [Option<String>; 4] {
        let (t, size) = (DistributedTensor::from_fn(from, |_| T::default()), from.shape()[0]);
        let whole = Tensor::new(vec![T::default(); size], layout!(size)).unwrap();
        let root = (world.rank() == 0).then_some(&whole);
        [
            Redistribution::<T>::new(world, from, to).err(),
            DistributedTensor::<T>::shared(world, from, |_| T::default()).err(),
            t.gather(world, 0).err(),
            DistributedTensor::scatter(world, 0, root, from).err(),
        ]
        .map(|error| error.map(|error| error.to_string()))
    }
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mesh = Mesh::new(world, layout!(size)).unwrap();
    let [from, to] =
        [2, 3].map(|block| Distribution::new(&mesh, 10, [BlockCyclic(0, block)]).unwrap());
    for other in [0, size - 1] {
        let errors = if rank == other {
            all::<i32>(world, &from, &to)
        } else {
            all::<f32>(world, &from, &to)
        };
        let (own, there) = if rank == other { ("i32", "f32") } else { ("f32", "i32") };
        for (what, error) in
            ["Redistribution::new", "DistributedTensor::shared", "gather", "scatter"]
                .iter()
                .zip(errors)
        {
            let text = format!(
                "the ranks disagree: {what} has elements of {own} on this rank, and of {there} on \
                 another"
            );
            assert_eq!(error, (size > 1).then_some(text));
        }
    }
}

/// Drawn at random: any number of modes, meshes with gaps and of some ranks only, copies, orders of
/// memory.
fn redistributions_are_those_on_paper(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let (seed, draws) = draws::seed_and_draws(60);
    // Each number of ranks has draws of its own.
    let mut random = draws::Random(seed.wrapping_add(1000 * size as u64));
    for draw in 0..draws {
        let shape = some_extents(&mut random, 3000);
        let (from, to) =
            (Drawn::draw(&mut random, size, &shape), Drawn::draw(&mut random, size, &shape));
        let (limit, shared) = (random.of(&[1, 7, usize::MAX, usize::MAX]), random.below(3) == 0);
        let what =
            || format!("LAYOUT_SEED={seed}, draw {draw} of {size} ranks: {from:?} to {to:?}");
        let (before, after) = (from.seen(rank), to.seen(rank));
        let number = |global: &[usize]| {
            global.iter().zip(&shape).rev().fold(0, |n, (c, extent)| n * extent + c) as u32
        };
        let mut redistribution = Redistribution::with_limit(world, &before, &after, limit).unwrap();
        let (source, mut target) = if shared {
            let source = DistributedTensor::shared(world, &before, number).unwrap();
            (source, DistributedTensor::shared(world, &after, |_| u32::MAX).unwrap())
        } else {
            (
                DistributedTensor::from_fn(&before, number),
                DistributedTensor::from_fn(&after, |_| u32::MAX),
            )
        };
        redistribution.run(&source, &mut target).unwrap();
        let expected: Vec<u32> =
            to.elements()[rank].iter().map(|&element| element as u32).collect();
        assert_eq!(target.local().into_storage(), expected, "{}", what());
        let own: Vec<u32> = from.elements()[rank].iter().map(|&element| element as u32).collect();
        assert_eq!(source.local().into_storage(), own, "{}", what());
    }
    if rank == 0 {
        println!(
            "{draws} redistributions on {size} ranks: LAYOUT_SEED={seed} LAYOUT_DRAWS={draws}"
        );
    }
}

fn reshapes_and_slices_move_what_they_say(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let (seed, draws) = draws::seed_and_draws(30);
    let mut random = draws::Random(seed.wrapping_add(7000 * size as u64));
    for draw in 0..draws {
        let shape = some_extents(&mut random, 1000);
        let other = vec![shape.iter().product::<usize>(), 1];
        let (from, to) =
            (Drawn::draw(&mut random, size, &shape), Drawn::draw(&mut random, size, &other));
        let what =
            || format!("LAYOUT_SEED={seed}, draw {draw} of {size} ranks: {from:?} to {to:?}");
        let number = |global: &[usize]| {
            global.iter().zip(&shape).rev().fold(0, |n, (c, extent)| n * extent + c) as u32
        };
        let source = DistributedTensor::from_fn(&from.seen(rank), number);
        let mut target = DistributedTensor::from_fn(&to.seen(rank), |_| u32::MAX);
        let mut reshape =
            Redistribution::reshaped(world, source.distribution(), target.distribution()).unwrap();
        reshape.run(&source, &mut target).unwrap();
        let expected: Vec<u32> =
            to.elements()[rank].iter().map(|&element| element as u32).collect();
        assert_eq!(target.local().into_storage(), expected, "{}", what());
        // Every second of them from 1 on.
        let slices: Vec<[usize; 3]> =
            shape.iter().map(|&extent| [1.min(extent), extent, 2]).collect();
        let sliced: Vec<usize> = shape.iter().map(|&extent| extent / 2).collect();
        let to = Drawn::draw(&mut random, size, &sliced);
        let mut target = DistributedTensor::from_fn(&to.seen(rank), |_| u32::MAX);
        let mut slice =
            Redistribution::sliced(world, source.distribution(), &slices, target.distribution())
                .unwrap();
        slice.run(&source, &mut target).unwrap();
        let odd = |global: &[usize]| number(&global.iter().map(|c| 2 * c + 1).collect::<Vec<_>>());
        let expected = DistributedTensor::from_fn(&to.seen(rank), odd);
        assert_eq!(target.local().into_storage(), expected.local().into_storage(), "{}", what());
    }
}

/// A product of a matrix and a vector without a reduction of one's own: each rank multiplies its
/// block, and what the ranks along the columns have is a sum.
fn sums_are_added_up(world: &SimpleCommunicator) {
    let size = world.size() as usize;
    let rows = (1..=size).rfind(|rows| size % rows == 0 && rows * rows <= size).unwrap();
    let mesh = Mesh::new(world, layout!((rows, size / rows): right))
        .unwrap()
        .named(["rows", "columns"])
        .unwrap();
    for (m, n) in [(7, 9), (16, 16), (1, 5), (12, 1), (0, 3)] {
        let a = Distribution::new(&mesh, (m, n), (Shard("rows"), Shard("columns"))).unwrap();
        let a = DistributedTensor::from_fn(&a, |at| (3 * at[0] + 5 * at[1]) as i64 % 11 - 5);
        let x = Distribution::new(&mesh, n, [Shard("columns")]).unwrap();
        let x = DistributedTensor::from_fn(&x, |at| at[0] as i64 % 7 - 3);
        let sums =
            Distribution::new(&mesh, m, [Shard("rows")]).unwrap().partial("columns").unwrap();
        let mut own = DistributedTensor::from_fn(&sums, |_| 0i64);
        let (block, vector) = (a.local(), x.local());
        for i in 0..own.local().size() {
            own.local_mut()[i] = (0..vector.size()).map(|j| block[[i, j]] * vector[j]).sum();
        }
        let value = |i: usize| {
            (0..n).map(|j| ((3 * i + 5 * j) as i64 % 11 - 5) * (j as i64 % 7 - 3)).sum::<i64>()
        };
        // To shards, to blocks over all ranks, to copies, and to one rank.
        for to in [
            Distribution::new(&mesh, m, [Placement::from(Shard("rows")).then(Shard("columns"))])
                .unwrap(),
            Distribution::new(&mesh, m, [BlockCyclic(["rows", "columns"], 2)]).unwrap(),
            Distribution::new(&mesh, m, [Replicate]).unwrap(),
            sums.on_rank(size - 1).unwrap(),
        ] {
            let mut y = DistributedTensor::from_fn(&to, |_| 77i64);
            let mut plan = Redistribution::new(world, &sums, &to).unwrap();
            assert_eq!(plan.run(&own, &mut y).unwrap_err(), Error::Summands);
            let mut plan = plan.adding();
            for _ in 0..2 {
                plan.run(&own, &mut y).unwrap();
                let expected = DistributedTensor::from_fn(&to, |at| value(at[0]));
                assert_eq!(
                    y.local().into_storage(),
                    expected.local().into_storage(),
                    "{sums} to {to}"
                );
            }
            // Shared memory is added up too.
            let mut at = 0;
            let values: Vec<i64> = own.local().into_storage().to_vec();
            let shared = DistributedTensor::shared(world, &sums, |_| {
                at += 1;
                values[at - 1]
            });
            plan.run(&shared.unwrap(), &mut y).unwrap();
            let expected = DistributedTensor::from_fn(&to, |at| value(at[0]));
            assert_eq!(
                y.local().into_storage(),
                expected.local().into_storage(),
                "{sums} to {to}, shared"
            );
        }
        // What is gathered is what each of the summands is not.
        assert!(own.gather(world, 0).is_err());
        assert!(Redistribution::<i64>::new(world, own.distribution(), &sums).is_err());
    }
    // In floating point the same each time: in the order of the ranks.
    let all = Mesh::new(world, layout!(size)).unwrap();
    let sums = Distribution::new(&all, 5, [Replicate]).unwrap().partial(0).unwrap();
    let to = Distribution::new(&all, 5, [BlockCyclic(0, 1)]).unwrap();
    let summand = |rank: usize, i: usize| 1.0f32 / (1 + rank * rank + i) as f32;
    let own = DistributedTensor::from_fn(&sums, |at| summand(world.rank() as usize, at[0]));
    let mut sum = DistributedTensor::from_fn(&to, |_| 0.0);
    Redistribution::new(world, &sums, &to).unwrap().adding().run(&own, &mut sum).unwrap();
    let expected = DistributedTensor::from_fn(&to, |at| {
        (0..size).fold(0.0, |sum, rank| sum + summand(rank, at[0]))
    });
    assert_eq!(sum.local().into_storage(), expected.local().into_storage());
}

/// Ten steps of Jacobi's iteration on blocks, bit by bit those of one rank; and borders of width 2,
/// periodic or not.
fn halos_make_steps_of_many_ranks_those_of_one(world: &SimpleCommunicator) {
    let size = world.size() as usize;
    let rows = (1..=size).rfind(|rows| size % rows == 0 && rows * rows <= size).unwrap();
    let mesh = Mesh::new(world, layout!((rows, size / rows): right)).unwrap();
    for (m, n) in [(17, 13), (5, 3), (2, 9), (1, 1)] {
        let blocks = Distribution::new(&mesh, (m, n), [Shard(0), Shard(1)]).unwrap();
        let start = |i: usize, j: usize| ((7 * i + 13 * j) % 101) as f64;
        let mut halo = Halo::new(world, &blocks, 1).unwrap();
        let mut now =
            halo.bordered(&DistributedTensor::from_fn(&blocks, |at| start(at[0], at[1]))).unwrap();
        for _ in 0..10 {
            halo.exchange(&mut now).unwrap();
            let old = now.clone();
            now.for_each_inner(|at, x| {
                let [i, j] = [at[0], at[1]];
                *x = 0.25 * (old[[i - 1, j]] + old[[i + 1, j]] + old[[i, j - 1]] + old[[i, j + 1]]);
            });
        }
        let mut whole = vec![vec![0.0; n + 2]; m + 2];
        (0..m).for_each(|i| (0..n).for_each(|j| whole[i + 1][j + 1] = start(i, j)));
        for _ in 0..10 {
            let old = whole.clone();
            for i in 1..=m {
                for j in 1..=n {
                    whole[i][j] =
                        0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
                }
            }
        }
        let expected = DistributedTensor::from_fn(&blocks, |at| whole[at[0] + 1][at[1] + 1]);
        assert_eq!(now.inner().local().into_storage(), expected.local().into_storage());
        // Two elements wide, around a torus or in one direction only, corners and all: what is
        // received is where it is.
        for periodic in [[true, true], [true, false]] {
            let mut halo = Halo::of_modes(world, &blocks, &[2, 1], &periodic).unwrap();
            let number = |i: usize, j: usize| (1 + i + m * j) as u64;
            let tensor = DistributedTensor::from_fn(&blocks, |at| number(at[0], at[1]));
            let mut t = halo.bordered(&tensor).unwrap();
            halo.exchange(&mut t).unwrap();
            let Some((_, first)) = blocks.coordinates().next() else { continue };
            let shape = t.view().layout().shape();
            for i in 0..shape.leaves()[0] {
                for j in 0..shape.leaves()[1] {
                    let row = (first[0] + i + 2 * m - 2) % m;
                    let column = (first[1] + j).checked_sub(1).filter(|&j| j < n);
                    let column =
                        if periodic[1] { Some((first[1] + j + n - 1) % n) } else { column };
                    assert_eq!(
                        t[[i, j]],
                        column.map_or(0, |column| number(row, column)),
                        "{m} x {n}, {i} {j}"
                    );
                }
            }
        }
        // Another border on one rank is an error on all.
        let other = Halo::<f64>::of_modes(world, &blocks, &[2, 1], &[false; 2]).unwrap();
        let tensor = DistributedTensor::from_fn(&blocks, |_| 0.0);
        let mut t =
            if world.rank() == 0 { other.bordered(&tensor) } else { halo.bordered(&tensor) }
                .unwrap();
        let error = halo.exchange(&mut t).unwrap_err().to_string();
        assert!(error.contains("with a border of [2, 1] and the plan is for"), "{error}");
    }
    let cyclic = Distribution::new(&mesh, (8, 8), (BlockCyclic(0, 1), Replicate)).unwrap();
    assert_eq!(Halo::<f64>::new(world, &cyclic, 1).is_err(), rows > 1);
}

/// Two plans, each of which fits the tensors that its rank brings: who waits for what?
fn runs_of_other_plans_are_errors(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mesh = Mesh::new(world, layout!(size)).unwrap();
    let of = |block| Distribution::new(&mesh, 40, [BlockCyclic(0, block)]).unwrap();
    let (from, to, other) = (of(2), of(3), of(5));
    let source = DistributedTensor::from_fn(&from, |global| global[0]);
    let run = |to: &Distribution, redistribution: &mut Redistribution<usize>| {
        redistribution.run(&source, &mut DistributedTensor::from_fn(to, |_| 0)).err()
    };
    let mut one = Redistribution::new(world, &from, &to).unwrap();
    let mut another = Redistribution::new(world, &from, &other).unwrap();
    let error = if rank == 0 { run(&to, &mut one) } else { run(&other, &mut another) };
    assert_eq!(error, (size > 1).then_some(Error::Disagree { what: "Redistribution::run".into() }));
    let halo = [1, 2].map(|width| {
        Halo::<f64>::new(world, &Distribution::new(&mesh, 40, [Shard(0)]).unwrap(), width).unwrap()
    });
    let [mut narrow, mut wide] = halo;
    let blocks = Distribution::new(&mesh, 40, [Shard(0)]).unwrap();
    let tensor = DistributedTensor::from_fn(&blocks, |_| 0.0);
    let halo = if rank == 0 { &mut narrow } else { &mut wide };
    let mut t = halo.bordered(&tensor).unwrap();
    assert_eq!(
        halo.exchange(&mut t).err(),
        (size > 1).then_some(Error::Disagree { what: "Halo::exchange".into() })
    );
}

/// Whatever the error is, and also where the ranks are not all of the world.
fn errors_are_heard_on_all_ranks(world: &SimpleCommunicator) {
    let (size, rank) = (world.size(), world.rank());
    let error =
        |own: Result<(), Box<dyn std::error::Error>>| on_all_ranks(world, "the file", own).err();
    assert_eq!(error(Ok(())), None);
    let own = if rank == size - 1 { Err("no such \u{2014} file".into()) } else { Ok(()) };
    let text = format!("rank {} has an error in the file: no such \u{2014} file", size - 1);
    assert_eq!(
        error(own).unwrap().to_string(),
        if rank == size - 1 { "no such \u{2014} file".into() } else { text }
    );
    // Texts that are long, and none.
    for length in [0, 1 << 20] {
        let own = if rank == 0 { Err("x".repeat(length)) } else { Ok(()) };
        let error = on_all_ranks(world, "the file", own).unwrap_err().to_string();
        assert!(error.ends_with(&"x".repeat(length)) && error.len() <= length + 40);
    }
    // An error of this package stays what it is.
    let own = if rank == 0 { Err(Error::Mesh(MeshError::EmptyBlock)) } else { Ok(1) };
    let error = on_all_ranks(world, "blocks", own).unwrap_err();
    assert!(if rank == 0 {
        error == Error::Mesh(MeshError::EmptyBlock)
    } else {
        matches!(error, Error::OnRank { rank: 0, .. })
    });
    // Halves of the world, each with a rank that is wrong, which are dropped and made again.
    for _ in 0..3 {
        let half = world
            .split_by_color(mpi::topology::Color::with_value(rank % 2))
            .expect("in one of them");
        let own = if half.rank() == 0 { Err("first") } else { Ok(half.size()) };
        let error = on_all_ranks(&half, "a half", own).unwrap_err().to_string();
        assert_eq!(
            error,
            if half.rank() == 0 { "first" } else { "rank 0 has an error in a half: first" }
        );
        let mesh =
            Mesh::new(&half, DynLayout::left(&DynShape::from(half.size() as usize))).unwrap();
        let t = DistributedTensor::from_fn(
            &Distribution::new(&mesh, 9, [BlockCyclic(0, 1)]).unwrap(),
            |at| at[0],
        );
        let whole = t.gather(&half, 0).unwrap();
        assert!(whole.is_none_or(|whole| whole.into_storage() == [0, 1, 2, 3, 4, 5, 6, 7, 8]));
    }
}

/// Rank 1 goes wrong in some way while the others are in something: what each of them returns.
fn alone(
    world: &SimpleCommunicator,
    way: &str,
    others: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let size = world.size() as usize;
    let mesh = Mesh::new(world, layout!(size))?;
    let dealt = |block| Distribution::new(&mesh, 20, [BlockCyclic(0, block)]);
    let (from, to) = (dealt(2)?, dealt(3)?);
    let source = DistributedTensor::from_fn(&from, |global| global[0]);
    let mut target = DistributedTensor::from_fn(&to, |_| 0);
    let mut redistribution = Redistribution::new(world, &from, &to)?;
    let mut program = || -> Result<(), Box<dyn std::error::Error>> {
        if world.rank() == 1 {
            return Err("there is no file \"input\"".into());
        }
        match others {
            "gather" => drop(source.gather(world, 0)?),
            "run" => redistribution.run(&source, &mut target)?,
            "plan" => drop(Redistribution::<f32>::new(world, &from, &to)?),
            "share" => drop(DistributedTensor::shared(world, &from, |_| 0)?),
            "group" => drop(mesh.group(world, 0)?),
            "receive" => drop(world.process_at_rank(1).receive::<f64>()),
            _ => panic!("{others}"),
        }
        // What comes next does not wait either.
        source.gather(world, 0)?;
        Ok(())
    };
    match way {
        "returns" => program(),
        "agrees" => Ok(on_all_ranks(world, "the program", program())?),
        "aborts" => {
            abort_on_error(world, program());
            Ok(())
        }
        "panics" => {
            program().map_err(|error| if world.rank() == 1 { panic!("{error}") } else { error })
        }
        _ => panic!("{way}"),
    }
}

/// What is made while MPI runs, and used after its end. With threads, MPI has locks: of what it
/// frees, some is freed while it frees a communicator.
fn outlives() -> ExitCode {
    let (mut shared, mut redistribution, tile, own, group) = {
        let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Multiple).expect("MPI");
        let world = universe.world();
        let size = world.size() as usize;
        let mesh = Mesh::new(&world, layout!(size)).unwrap();
        let blocks = Distribution::new(&mesh, 1 << 12, [Shard(0)]).unwrap();
        let shared = DistributedTensor::shared(&world, &blocks, |global| global[0] as u64).unwrap();
        let redistribution = Redistribution::<u64>::new(&world, &blocks, &blocks).unwrap();
        let group = world.duplicate();
        let dropped = DistributedTensor::shared(&group, &blocks, |_| 1u64).unwrap();
        if world.rank() == 0 {
            // Each rank drops it when it likes.
            drop(dropped);
        } else {
            std::mem::forget(dropped);
        }
        let tile = datatype_of::<f64>(&layout!((2, 3):(1, 10))).unwrap();
        (
            shared,
            redistribution,
            tile.clone(),
            DistributedTensor::from_fn(&blocks, |_| 0u64),
            (mesh, tile, group.rank()),
        )
    };
    std::thread::sleep(Duration::from_millis(50));
    let expected: u64 = (0..1 << 12)
        .filter(|i| shared.distribution().owner_of(&[*i as usize]).unwrap().0 == group.0.rank())
        .sum();
    assert_eq!(shared.local().iter().sum::<u64>(), expected);
    shared.local_mut().fill(7);
    assert!(shared.local().iter().all(|&x| x == 7));
    let mut target = own;
    let error = redistribution.run(&shared, &mut target).unwrap_err();
    assert_eq!(error.to_string(), "MPI does not run, and Redistribution::run needs it");
    assert!(matches!(datatype_of::<f64>(&layout!(2)), Err(Error::NotRunning { .. })));
    assert!(Tensor::new(vec![1.0], layout!(1)).unwrap().message().is_err());
    drop((tile, group, redistribution, shared));
    println!("still there");
    ExitCode::SUCCESS
}
