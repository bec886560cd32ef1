//! The tests, each a function that all ranks call.

use std::process::ExitCode;

use layout_algebra::prelude::*;
use layout_mpi::{
    AnyBitPattern, Deal, DistributedTensor, Distribution, Element, Error, Mesh, MeshMode, MeshModes, Messages, Plan,
    ReceiveChecked, Redistribution, SendChecked, Sendable, abort_on_panic, datatype_of, datatype_of_every,
    on_all_ranks,
};
use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

/// A test, which all ranks call.
type Test = fn(&SimpleCommunicator);

/// What a rank does: the tests named, or all of them; or it fails as it is told.
pub fn rank() -> ExitCode {
    let universe = mpi::initialize().expect("MPI");
    let world = universe.world();
    abort_on_panic(&world);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments[0].as_str() {
        "fault" => return fault(&world, &arguments[1]),
        "long" => return long(&world),
        _ => {}
    }
    let tests: [(&str, Test); 15] = [
        ("messages_are_in_the_order_of_coordinates", messages_are_in_the_order_of_coordinates),
        ("messages_go_from_layout_to_layout", messages_go_from_layout_to_layout),
        ("strides_that_are_not_natural_are_errors", strides_that_are_not_natural_are_errors),
        ("shared_elements_are_not_received", shared_elements_are_not_received),
        ("messages_of_another_size_are_refused", messages_of_another_size_are_refused),
        ("messages_of_another_type_are_refused", messages_of_another_type_are_refused),
        ("messages_that_are_not_checked_are_those_of_mpi", messages_that_are_not_checked_are_those_of_mpi),
        ("wrong_borders_are_errors_on_all_ranks", wrong_borders_are_errors_on_all_ranks),
        ("tiles_are_dealt_out_by_a_collective", tiles_are_dealt_out_by_a_collective),
        ("groups_are_communicators", groups_are_communicators),
        ("owners_have_what_they_own", owners_have_what_they_own),
        ("what_is_gathered_was_scattered", what_is_gathered_was_scattered),
        ("redistributions_send_the_least", redistributions_send_the_least),
        ("ranks_that_disagree_all_find_out", ranks_that_disagree_all_find_out),
        ("collectives_of_two_types_are_errors_on_all_ranks", collectives_of_two_types_are_errors_on_all_ranks),
    ];
    for (name, test) in tests {
        if arguments.len() == 1 || arguments[1..].iter().any(|wanted| name.contains(wanted.as_str())) {
            test(&world);
            world.barrier();
        }
    }
    ExitCode::SUCCESS
}

/// One message of more than 2^31 bytes, of neighbours, as doubles and as bytes, checked and not: 4 GiB in all.
fn long(world: &SimpleCommunicator) -> ExitCode {
    fn send<T: Element + AnyBitPattern + PartialEq>(world: &SimpleCommunicator, elements: usize, value: T) {
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
            other.receive_into(&mut Tensor::fixed([0; 2], layout!(2)).message_mut().expect("two elements"));
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

// ---- datatypes ----------------------------------------------------------------------------------------------------

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
        let tuple = |numbers: Vec<usize>| DynShape::tuple(numbers.into_iter().map(DynShape::from)).expect("modes");
        let shape = tuple((0..rank).map(|_| random.below(4) + usize::from(rank > 2)).collect());
        let stride = tuple((0..rank).map(|_| random.of(&[0, 1, 1, 2, 3, 4, 5, 8, 12, 20])).collect());
        packs(world, DynLayout::new(shape, stride).expect("small"));
    }
    // A stride of two columns is one datatype: MPI's own size of it.
    let tile = datatype_of::<f64>(&layout!((2, 3):(1, 10))).expect("small");
    assert_eq!(world.pack_size(1, &tile), 48);
    let error = datatype_of::<f64>(&"(2,2):(1,4611686018427387904)".parse::<DynLayout>().expect("a layout"));
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
    let expected: Vec<f64> = source.layout().coords().map(|c| value(before, source.layout().locate(c))).collect();
    assert_eq!(target.iter().copied().collect::<Vec<_>>(), expected);
    // Nothing but the layout's offsets is written.
    let layout = target.layout().clone();
    let offsets: Vec<usize> = layout.coords().map(|c| layout.locate(c)).collect();
    let between = target.into_storage().into_iter().enumerate().filter(|(i, _)| !offsets.contains(i));
    between.for_each(|(i, x)| assert_eq!(x, -1.0, "{layout} writes {i}"));
}

fn messages_go_from_layout_to_layout(world: &SimpleCommunicator) {
    let n = 6;
    around(world, layout!((4, 6)), layout!((4, 6): right));
    around(world, layout!((4, n):(1, 10)), "((2,2),6):((1,30),4)".parse::<DynLayout>().expect("a layout"));
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
    assert_eq!(error.to_string(), "nothing is received under (4,6):(1,1): two of its coordinates share an element");
    let none = 0;
    assert!(Tensor::new(vec![0; 9], layout!((4, none):(0, 0))).expect("empty").message_mut().is_ok());
    assert!(Tensor::new(vec![0; 9], layout!((2, 1):(0, 0))).expect("one").message_mut().is_err());
    assert!(Tensor::new(vec![0; 23], layout!((4, 6))).is_err());
}

/// A message of some elements from this rank to itself, received by every second of six: the error, or what came. What
/// is between is not written, whatever comes.
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
            let result = this.receive_checked(&mut empty.message_mut().expect("injective")).map(|_| ());
            let truncated = Err(Error::Truncated { message: bytes, tensor: 0 });
            assert_eq!(result, if length == 0 { Ok(()) } else { truncated });
            sending.wait();
        });
    }
}

/// What MPI makes of messages that are not checked: it compares no types, and a shorter message is one. (A longer one
/// ends the program: the fault `truncates`.) The status says what came, and a checked receive takes none of them.
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
        let bytes = (status.count(u8::equivalent_datatype()), status.count(place.as_datatype()) == place.count());
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
    let (floats, doubles) = (floats.message().expect("natural strides"), doubles.message().expect("natural strides"));
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
    assert_eq!(place.check(&wrong), Err(Error::ElementTypes { message: "f32".into(), tensor: "f64".into() }));
    assert_eq!(place.check(&right), Ok(()));
    assert_eq!(received.into_storage(), [1.0; 3]);
}

/// A message of `T` from this rank to itself, received by 6 elements of `U`: the error, or the elements.
fn received_as<U: Element + AnyBitPattern + PartialEq, T: Equivalence>(
    world: &SimpleCommunicator,
    sent: &[T],
) -> Result<Vec<U>, Error> {
    let this = world.this_process();
    let sent = Tensor::new(sent, layout!(sent.len())).expect("as many");
    let mut received = Tensor::new(vec![U::default(); 12], layout!((2, 3):(1, 4))).expect("long enough");
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
    let (sent, mut received) = ([7usize; 3], Tensor::new(vec![0u64; 3], layout!(3)).expect("three"));
    let sent = Tensor::new(&sent[..], layout!(3)).expect("three");
    if size_of::<usize>() == 8 {
        let message = sent.message().expect("natural strides");
        mpi::request::scope(|scope| {
            let sending = this.immediate_send_checked(scope, &message);
            this.receive_checked(&mut received.message_mut().expect("injective")).expect("u64 is usize");
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

/// Borders around the ring, of which one rank sends those of another type, longer ones or shorter ones, and goes on as
/// the others do.
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
        let (right, other) = (right.message().expect("natural strides"), other.message().expect("natural strides"));
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
        let result = on_all_ranks(world, "the exchange of borders", received.map(|_| ())).map_err(|e| e.to_string());
        if wrong == none {
            assert_eq!((result, border[0]), (Ok(()), before as f32));
        } else if wrong == before && integers > 0 {
            assert_eq!((result, border[0]), (Err("a message of i32 for a tensor of f32".into()), -1.0));
        } else if wrong == before {
            assert!(result.is_err_and(|error| error.ends_with("bytes for a tensor whose elements are 16 bytes")));
        } else {
            let receiver = (wrong + 1) % size;
            assert_eq!(result, Err(format!("rank {receiver} has an error in the exchange of borders")));
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
                let tile = Tensor::new(&matrix[2 * k..], layout!((3, 2):(wide, 1))).expect("long enough");
                world.pack(&tile.message().expect("natural strides"))
            })
            .collect();
        assert_eq!(world.pack_size(size as i32, &column) as usize, sent.len());
        let all: Vec<i32> = sent.chunks(4).map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect();
        world.process_at_rank(0).scatter_into_root(&all[..], &mut own[..]);
    } else {
        world.process_at_rank(0).scatter_into(&mut own[..]);
    }
    let expected: Vec<i32> = (0..6).map(|i| (i % 3 * wide + 2 * rank + i / 3) as i32).collect();
    assert_eq!(own[..], expected);
}

// ---- meshes -------------------------------------------------------------------------------------------------------

fn groups_are_communicators(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let extents: Vec<[usize; 2]> = (1..=size).filter(|a| size % a == 0).map(|a| [a, size / a]).collect();
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
                let line: Vec<u64> = mesh.submesh(mode).unwrap().ranks().map(|rank| rank as u64).collect();
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
    assert_eq!(error, Error::TooFewRanks { mesh, reaches: 2 * size - 1, ranks: size });
    assert!(matches!(Mesh::new(world, layout!((2, 2):(0, 0))), Err(Error::SharedRank { .. })));
    let other = Mesh::on_paper(size + 1, rank, layout!(1)).unwrap();
    assert_eq!(other.group(world, 0).err(), Some(Error::OtherRanks { mesh: size + 1, communicator: size }));
}

// ---- distributions ------------------------------------------------------------------------------------------------

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
fn some_distribution(random: &mut Random, shape: [usize; 2], size: usize, rank: usize) -> Distribution {
    let mesh = some_mesh(random, size, rank);
    let deal = |random: &mut Random, modes: Vec<usize>| {
        let named = || MeshModes(modes.iter().map(|&mode| mode.into()).collect());
        match (modes.is_empty(), random.below(4)) {
            (true, _) => Deal::whole(),
            (_, 0) => Deal::block(named()),
            (_, 1) => Deal::cyclic(named()),
            _ => Deal::block_cyclic(named(), random.of(&[1, 2, 3, 4, 5, 8])),
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

fn owners_have_what_they_own(world: &SimpleCommunicator) {
    let (size, rank) = (world.size() as usize, world.rank() as usize);
    let mut random = Random(2);
    for _ in 0..60 {
        let shape = some_shape(&mut random);
        let distribution = some_distribution(&mut random, shape, size, rank);
        let [m, n] = distribution.local_shape()[..] else { panic!("a matrix") };
        let (whole, padded) = (distribution.layout().unwrap(), distribution.padded_shape().unwrap());
        let mesh = distribution.mesh();
        let mut own = 0;
        for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
            let global = distribution.global_of(&[i, j]).unwrap().expect("a rank with elements is in the mesh");
            assert!(global[0] < shape[0] && global[1] < shape[1]);
            // What the layout says: the coordinate of this rank, and where the element lies in its blocks.
            let at = mesh.coordinates().unwrap();
            let number: usize = at
                .iter()
                .rev()
                .zip(mesh.layout().modes().collect::<Vec<_>>().iter().rev())
                .fold(0, |number, (c, mode)| number * mode.size() + c);
            let local = whole.mode(1).unwrap();
            let rows = local.mode(0).unwrap().size();
            let offset = whole.mode(0).unwrap().index(number) + local.index(i + rows * j);
            assert_eq!(offset, global[0] + padded[0] * global[1]);
            let (owner, there) = distribution.owner_of(&global).unwrap();
            assert_eq!(there, [i, j]);
            own += usize::from(owner == rank);
        }
        // Each element has one owner.
        assert_eq!(sum(world, own), shape[0] * shape[1], "{distribution}");
        assert!(
            distribution.owner_of(&[shape[0], 0]).is_err()
                && distribution.global_of(&[m, 0]).is_err() == mesh.coordinates().is_some()
        );
    }
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
        assert!(DistributedTensor::<i64>::scatter::<Vec<i64>, DynLayout>(world, root, None, &distribution).is_err());
    }
}

// ---- redistributions ----------------------------------------------------------------------------------------------

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
            assert_eq!(target.local().into_storage(), expected.local().into_storage(), "{from} to {to}");
        }
        if round % 4 == 0 {
            let shared = DistributedTensor::shared(world, &from, value).unwrap();
            let mut target = DistributedTensor::shared(world, &to, |_| -1.0).unwrap();
            redistribution.run(&shared, &mut target).unwrap();
            assert_eq!(target.local().into_storage(), expected.local().into_storage(), "{from} to {to}, shared");
        }
        // The least that can be sent: what a rank has afterwards and did not have before, by looking at each element.
        let elements = |side: &Distribution| {
            let [m, n] = side.local_shape()[..] else { panic!("a matrix") };
            let all = (0..n).flat_map(|j| (0..m).map(move |i| [i, j]));
            all.map(|local| side.global_of(&local).unwrap().expect("in the mesh")).collect::<Vec<_>>()
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
    let dealt = |n: usize, size: usize| Distribution::new(&mesh, n, [Deal::block_cyclic(0, size)]).unwrap();
    // The last rank has another shape.
    let n = if rank + 1 == size { 11 } else { 10 };
    let disagree = Redistribution::<f64>::new(world, &dealt(n, 2), &dealt(n, 3)).err();
    let expected = (size > 1).then_some(Error::Disagree { what: "Redistribution::new" });
    assert_eq!(disagree, expected);
    let shared = DistributedTensor::shared(world, &dealt(n, 2), |_| 0).err();
    assert_eq!(shared.is_some(), size > 1);
    // Shapes that do not agree with each other on one rank: that rank says so, the others that it did.
    let to = dealt(if rank == 0 { 12 } else { 10 }, 3);
    let error = Redistribution::<f64>::new(world, &dealt(10, 2), &to).unwrap_err();
    let shapes = Error::Shapes { from: "(10)".into(), to: "(12)".into() };
    assert_eq!(error, if rank == 0 { shapes } else { Error::Disagree { what: "Redistribution::new" } });
    // One rank brings a tensor that is distributed otherwise.
    let (from, to) = (dealt(10, 2), dealt(10, 3));
    let mut redistribution = Redistribution::new(world, &from, &to).unwrap();
    let source = DistributedTensor::from_fn(if rank == 0 { &to } else { &from }, |_| 1);
    let mut target = DistributedTensor::from_fn(&to, |_| 0);
    let error = redistribution.run(&source, &mut target).unwrap_err();
    let other =
        if rank == 0 { Error::OtherDistribution } else { Error::OnRank { what: "Redistribution::run", rank: 0 } };
    assert_eq!(error, other);
    assert!(target.local().iter().all(|&x| x == 0));
    // And it goes on as if nothing had happened.
    redistribution.run(&DistributedTensor::from_fn(&from, |global| global[0]), &mut target).unwrap();
    assert_eq!(
        target.local().into_storage(),
        DistributedTensor::from_fn(&to, |global| global[0]).local().into_storage()
    );
    // Another function than the others.
    let t = DistributedTensor::from_fn(&from, |_| 1);
    let error = if rank == 0 {
        t.gather(world, 0).err()
    } else {
        DistributedTensor::<i32>::scatter::<Vec<i32>, DynLayout>(world, 0, None, &from).err()
    };
    let root = Error::Disagree { what: "gather" };
    let expected = if size == 1 {
        None
    } else if rank == 0 {
        Some(root)
    } else {
        Some(Error::Disagree { what: "scatter" })
    };
    assert_eq!(error, expected);
    // Another mesh, another mode, or a mesh for other ranks on one of them.
    let flat = Mesh::new(world, layout!((size, 1))).unwrap();
    let error = flat.group(world, usize::from(rank == 0)).err();
    assert_eq!(error, (size > 1).then_some(Error::Disagree { what: "Mesh::group" }));
    let other = if rank == 0 { Mesh::on_paper(size + 1, 0, layout!(1)).unwrap() } else { flat.clone() };
    assert!(other.group(world, 0).is_err() && other.communicator(world).is_err());
    assert!(flat.group(world, if rank == 0 { "x".into() } else { MeshMode::from(0) }).is_err());
    assert!(flat.group(world, 0).unwrap().is_some());
}

/// Each collective with elements of `f32` on some ranks, and of `i32` on others.
fn collectives_of_two_types_are_errors_on_all_ranks(world: &SimpleCommunicator) {
    fn all<T: Element>(world: &SimpleCommunicator, from: &Distribution, to: &Distribution) -> [Option<String>; 4] {
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
    let [from, to] = [2, 3].map(|block| Distribution::new(&mesh, 10, [Deal::block_cyclic(0, block)]).unwrap());
    for other in [0, size - 1] {
        let errors = if rank == other { all::<i32>(world, &from, &to) } else { all::<f32>(world, &from, &to) };
        let (own, there) = if rank == other { ("i32", "f32") } else { ("f32", "i32") };
        for (what, error) in
            ["Redistribution::new", "DistributedTensor::shared", "gather", "scatter"].iter().zip(errors)
        {
            let text =
                format!("the ranks disagree: {what} has elements of {own} on this rank, and of {there} on another");
            assert_eq!(error, (size > 1).then_some(text));
        }
    }
}
