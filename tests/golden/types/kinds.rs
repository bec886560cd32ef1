//! Strides of other kinds, from `golden-kinds.jsonl`; written by `golden/kinds.rs`.

use super::*;

#[test]
fn base() {
    assert_eq!(layout!((2, 6):(-1, -2)).base(), 11);
    assert_eq!(layout!((5, 4):(-1, 5)).base(), 4);
    assert_eq!(layout!((4, 3, 4, 4):(-64, -8, 0, -64)).base(), 400);
    assert_eq!(layout!((3, 4, 2):(32, 6, -6)).base(), 6);
    assert_eq!(layout!((8, 5, 2):(-1, 16, -8)).base(), 15);
    assert_eq!(layout!((3, (6, 1)):(16, (-32, -9))).base(), 160);
    assert_eq!(layout!(2:-6).base(), 6);
    assert_eq!(layout!((1, 2, 2, 6):(0, -32, 24, 24)).base(), 32);
    assert_eq!(layout!((3, 4, 2, 8):(4, 1, -96, -12)).base(), 180);
    assert_eq!(layout!((5, 2):(-4, 5)).base(), 16);
    assert_eq!(layout!((4, 4, 2, 2):(1, -4, 16, 32)).base(), 12);
    assert_eq!(layout!((6, 1, 3, 3):(-2, 8, 6, -64)).base(), 138);
    assert_eq!(layout!((2, 5):(1, -2)).base(), 8);
    assert_eq!(layout!((4, 2, 1):(-1, 4, -4)).base(), 3);
    assert_eq!(layout!((4, 8):(-8, -1)).base(), 31);
    assert_eq!(layout!((2, (4, 4, 2)):(-32, (-64, 9, 9))).base(), 224);
    assert_eq!(layout!((4, 1):(-1, 1)).base(), 3);
    assert_eq!(layout!((2, (5, 4, 5)):(-5, (-1, -50, -10))).base(), 199);
    assert_eq!(layout!((1, 4, 4):(6, 4, -4)).base(), 12);
    assert_eq!(layout!((2, 4):(-4, 0)).base(), 4);
}
// coalesce
equal!(Coalesced<Layout!((1, (8, 6)):(-6, (4, -5)))>, Layout!((8, 6):(4, -5)));
equal!(Coalesced<Layout!((8, 6, 2, 2):(^2, 16, 16, 16))>, Layout!((8, 6, 2, 2):(^2, 16, 16, 16)));
equal!(Coalesced<Layout!((3, 4, 1):(^1, ^3, ^1))>, Layout!((3, 4):(^1, ^3)));
equal!(Coalesced<Layout!(4:^9)>, Layout!(4:^9));
equal!(Coalesced<Layout!((8,):(^4,))>, Layout!(8:^4));
equal!(Coalesced<Layout!((2, 2):(6, -16))>, Layout!((2, 2):(6, -16)));
equal!(Coalesced<Layout!(2:^4)>, Layout!(2:^4));
equal!(Coalesced<Layout!((2, 5):(^8, ^9))>, Layout!((2, 5):(^8, ^9)));
equal!(Coalesced<Layout!((1, 8, 4, 2):(-8, 17, -32, 16))>, Layout!((8, 4, 2):(17, -32, 16)));
equal!(Coalesced<Layout!((4, 5):(^5, ^1))>, Layout!((4, 5):(^5, ^1)));
equal!(Coalesced<Layout!((5, 3, 8):(-24, 8, 1))>, Layout!((5, 3, 8):(-24, 8, 1)));
equal!(Coalesced<Layout!((2, 1, 1, 3):(-1, 1, 1, -2))>, Layout!(6:-1));
equal!(Coalesced<Layout!((1, 2):(^2, ^1))>, Layout!(2:^1));
equal!(Coalesced<Layout!(8:^1)>, Layout!(8:^1));
equal!(Coalesced<Layout!((1, 8, 2, 8):(68, ^1, ^68, ^8))>, Layout!((8, 2, 8):(^1, ^68, ^8)));
equal!(Coalesced<Layout!((6, 5, 2, 8):(^12, ^17, ^64, 0))>, Layout!((6, 5, 2, 8):(^12, ^17, ^64, 0)));
equal!(Coalesced<Layout!((6, 2):(^24, 0))>, Layout!((6, 2):(^24, 0)));
equal!(Coalesced<Layout!((4, 4):(-24, 4))>, Layout!((4, 4):(-24, 4)));
equal!(Coalesced<Layout!((5, (8, 2)):(16, (-2, -1)))>, Layout!((5, 8, 2):(16, -2, -1)));
equal!(Coalesced<Layout!((6, 5, 4, 4):(-80, 1, 20, 5))>, Layout!((6, 5, 4, 4):(-80, 1, 20, 5)));
// coalesce_z
equal!(CoalescedZ<Layout!((4, 3):(^3, ^4))>, Layout!((4, 3):(^3, ^4)));
equal!(CoalescedZ<Layout!((3, 2, 6):(^1, 16, ^3))>, Layout!((3, 2, 6):(^1, 16, ^3)));
equal!(CoalescedZ<Layout!((4, (6, 5, 4)):(5, (20, -1, -120)))>, Layout!((24, 5, 4):(5, -1, -120)));
equal!(CoalescedZ<Layout!((5, 1, 8, 6):(^4, ^64, ^9, ^1))>, Layout!((5, 8, 6):(^4, ^9, ^1)));
equal!(CoalescedZ<Layout!((2, 8, 6, 2):(-48, 6, 1, 96))>, Layout!((2, 8, 6, 2):(-48, 6, 1, 96)));
equal!(CoalescedZ<Layout!((3, 2, 5, 4):(-16, -1, -5, -1))>, Layout!((3, 2, 5, 4):(-16, -1, -5, -1)));
equal!(CoalescedZ<Layout!((2, (2, 4, 2)):(^24, (4, ^24, 0)))>, Layout!((2, 2, 4, 2):(^24, 4, ^24, 0)));
equal!(CoalescedZ<Layout!((5, 6, 3, 1):(^1, ^15, ^5, ^5))>, Layout!((5, 6, 3, 1):(^1, ^15, ^5, ^5)));
equal!(CoalescedZ<Layout!((2, 5, 2):(24, 5, -6))>, Layout!((2, 5, 2):(24, 5, -6)));
equal!(CoalescedZ<Layout!((2, 4, 4, 6):(-17, -1, -8, -24))>, Layout!((2, 4, 4, 6):(-17, -1, -8, -24)));
equal!(CoalescedZ<Layout!(3:^9)>, Layout!(3:^9));
equal!(CoalescedZ<Layout!((2, 1, 6):(^5, ^64, ^16))>, Layout!((2, 6):(^5, ^16)));
equal!(CoalescedZ<Layout!(8:-5)>, Layout!(8:-5));
equal!(CoalescedZ<Layout!((5, 8):(-17, -16))>, Layout!((5, 8):(-17, -16)));
equal!(CoalescedZ<Layout!((3, 4):(-4, -6))>, Layout!((3, 4):(-4, -6)));
equal!(CoalescedZ<Layout!((8, (1, 1)):(^1, (1, 1)))>, Layout!((8, 1):(^1, 1)));
equal!(CoalescedZ<Layout!((4, (4, 4, 4)):(-4, (1, 4, 2)))>, Layout!((4, 16, 4):(-4, 1, 2)));
equal!(CoalescedZ<Layout!((1, (2, 8, 2)):(^24, (^24, 64, 6)))>, Layout!((2, 8, 2):(^24, 64, 6)));
equal!(CoalescedZ<Layout!((2, 5, 2):(-1, 4, 2))>, Layout!((2, 5, 2):(-1, 4, 2)));
equal!(CoalescedZ<Layout!((4, (4, 2, 4)):(^12, (^9, ^4, 0)))>, Layout!((4, 4, 2, 4):(^12, ^9, ^4, 0)));
// compose
equal!(Composition<Layout!((1, (4, 4, 5)):(5, (-24, 1, 17))), Layout!(4:2)>, Layout!((2, 2):(-48, 1)));
equal!(Composition<Layout!((2, 1, 5, 2):(^32, ^16, ^2, ^5)), Layout!(4:1)>, Layout!((2, 2):(^32, ^2)));
equal!(Composition<Layout!(4:-1), Layout!(3:1)>, Layout!(3:-1));
equal!(Composition<Layout!((6, 5):(^5, ^1)), Layout!(2:4)>, Layout!(2:^20));
undefined!(Layout!((4, 1, 3):(^1, ^6, ^6)): Compose<Layout!(2:-16)>);
equal!(Composition<Layout!((4, 8, 2):(^1, ^12, ^12)), Layout!(64:1)>, Layout!((4, 8, 2):(^1, ^12, ^12)));
equal!(Composition<Layout!((2, (5, 6)):(^1, (0, ^17))), Layout!((4,):(2,))>, XorLayout<Shape!((4,)), Shape!((0,))>);
equal!(Composition<Layout!(4:^5), Layout!(4:1)>, Layout!(4:^5));
undefined!(Layout!((2, 5, 4):(^64, ^1, ^2)): Compose<Layout!((4, (1, 5)):(9, (4, 1)))>);
equal!(Composition<Layout!((5,):(^1,)), Layout!(4:2)>, Layout!(4:^2));
undefined!(Layout!((1, (6, 1)):(^7, (^1, ^1))): Compose<Layout!((4, 1):(9, 9))>);
equal!(Composition<Layout!((2, 2):(^2, ^1)), Layout!(1:1)>, XorLayout<Shape!(1), Shape!(0)>);
equal!(Composition<Layout!((3, 3):(4, ^32)), Layout!(9:1)>, Layout!((3, 3):(4, ^32)));
equal!(Composition<Layout!(4:^6), Layout!(4:1)>, Layout!(4:^6));
equal!(Composition<Layout!((1, 6, 2):(-12, -1, -6)), Layout!((4, 8):(3, 17))>, Layout!((4, 8):(-3, -17)));
equal!(Composition<Layout!((1, 8, 4):(-1, -3, 4)), Layout!(8:1)>, Layout!(8:-3));
equal!(Composition<Layout!(2:^1), Layout!(2:1)>, Layout!(2:^1));
equal!(Composition<Layout!(8:^5), Layout!((2, 4):(3, 64))>, Layout!((2, 4):(^15, ^320)));
equal!(Composition<Layout!((6, (4, 2, 2)):(^5, (^24, ^12, ^24))), Layout!((8, 8):(24, 0))>, Layout!((8, 8):(^12, 0)));
equal!(Composition<Layout!(2:^1), Layout!(8:1)>, Layout!(8:^1));
#[test]
fn cosize() {
    assert_eq!(layout!((1, 1, 4, 4):(4, ^4, 1, ^4)).cosize(), 16);
    assert_eq!(layout!((6, 5):(-5, -1)).cosize(), 30);
    assert_eq!(layout!((6, 6, 4, 3):(8, -1, 24, -1)).cosize(), 120);
    assert_eq!(layout!((2, 6, 2):(^4, ^1, ^64)).cosize(), 72);
    assert_eq!(layout!((4, 4, 4, 2):(^6, ^12, ^1, ^12)).cosize(), 32);
    assert_eq!(layout!((5, 2, 4, 8):(4, -160, 1, 20)).cosize(), 320);
    assert_eq!(layout!((1, 3):(0, ^16)).cosize(), 33);
    assert_eq!(layout!((2, 3):(^2, ^12)).cosize(), 27);
    assert_eq!(layout!((8, (5, 4, 2)):(1, (32, -8, 160))).cosize(), 320);
    assert_eq!(layout!((2, 4, 2, 2):(^16, ^1, ^4, ^8)).cosize(), 32);
    assert_eq!(layout!(2:^4).cosize(), 5);
    assert_eq!(layout!((5, 4, 1):(^5, ^24, ^64)).cosize(), 64);
    assert_eq!(layout!((6,):(^4,)).cosize(), 21);
    assert_eq!(layout!((6, 4, 8):(^1, ^1, ^1)).cosize(), 8);
    assert_eq!(layout!((2, (6, 2)):(5, (-64, 16))).cosize(), 342);
    assert_eq!(layout!((2, 1):(-4, -9)).cosize(), 5);
    assert_eq!(layout!((3, 4, 3):(^12, ^1, ^4)).cosize(), 32);
    assert_eq!(layout!((3, (6, 3)):(^1, (^24, ^32))).cosize(), 123);
    assert_eq!(layout!((4, (4, 2, 2)):(2, (0, -1, -4))).cosize(), 12);
    assert_eq!(layout!((1, 3, 2):(^3, ^1, ^6)).cosize(), 8);
}
// filter
equal!(Filtered<Layout!((2, (1, 5, 6)):(^7, (^1, ^15, ^1)))>, Layout!((2, 5, 6):(^7, ^15, ^1)));
equal!(Filtered<Layout!((2, 8, 4):(^9, ^1, ^18))>, Layout!((2, 8, 4):(^9, ^1, ^18)));
equal!(Filtered<Layout!((4,):(-1,))>, Layout!(4:-1));
equal!(Filtered<Layout!(4:^1)>, Layout!(4:^1));
equal!(Filtered<Layout!((8, 8):(^16, ^1))>, Layout!((8, 8):(^16, ^1)));
equal!(Filtered<Layout!(8:-1)>, Layout!(8:-1));
equal!(Filtered<Layout!((2, 4):(9, -1))>, Layout!((2, 4):(9, -1)));
equal!(Filtered<Layout!((1, (1, 4, 4)):(^4, (^4, ^4, ^1)))>, Layout!((4, 4):(^4, ^1)));
equal!(Filtered<Layout!((4, 5):(^1, ^4))>, Layout!(20:^1));
equal!(Filtered<Layout!(5:^1)>, Layout!(5:^1));
equal!(Filtered<Layout!((4, 5, 6):(^1, ^1, 24))>, Layout!((4, 5, 6):(^1, ^1, 24)));
equal!(Filtered<Layout!((3, 4, 3):(-3, 9, -1))>, Layout!((3, 4, 3):(-3, 9, -1)));
equal!(Filtered<Layout!((4, 8, 2, 8):(-4, 17, 8, -3))>, Layout!((4, 8, 2, 8):(-4, 17, 8, -3)));
equal!(Filtered<Layout!((4, 2):(-5, 3))>, Layout!((4, 2):(-5, 3)));
equal!(Filtered<Layout!((3, (3, 4)):(24, (5, -9)))>, Layout!((3, 3, 4):(24, 5, -9)));
equal!(Filtered<Layout!((4, 5, 1):(-5, -17, 16))>, Layout!((4, 5):(-5, -17)));
equal!(Filtered<Layout!((4, 2):(^2, 1))>, Layout!((4, 2):(^2, 1)));
equal!(Filtered<Layout!((4, (3, 3, 8)):(^9, (^3, ^1, ^37)))>, Layout!((4, 3, 3, 8):(^9, ^3, ^1, ^37)));
equal!(Filtered<Layout!((3, 6, 8):(-32, 3, -17))>, Layout!((3, 6, 8):(-32, 3, -17)));
equal!(Filtered<Layout!((8, 5):(^1, ^9))>, Layout!((8, 5):(^1, ^9)));
#[test]
fn index() {
    assert_eq!(layout!((5, (2, 1)):(0, (^17, 32))).at(9) as isize, 17);
    assert_eq!(layout!(2:-32).at(0) as isize, 0);
    assert_eq!(layout!((1, 1, 1, 8):(1, 8, 8, -1)).at(0) as isize, 0);
    assert_eq!(layout!((4, 2):(6, ^1)).at(2) as isize, 12);
    assert_eq!(layout!((8, (1, 2)):(^16, (^17, ^17))).at(4) as isize, 64);
    assert_eq!(layout!(6:^24).at(5) as isize, 120);
    assert_eq!(layout!((2, 2, 8, 2):(0, -9, 3, 17)).at(61) as isize, 38);
    assert_eq!(layout!(2:^3).at(0) as isize, 0);
    assert_eq!(layout!((5, (2, 5, 8)):(-1, (5, -10, -50))).at(151) as isize, -151);
    assert_eq!(layout!((3, (1, 4)):(^5, (^1, ^1))).at(7) as isize, 7);
    assert_eq!(layout!((5, (1, 1)):(-1, (-1, -12))).at(4) as isize, -4);
    assert_eq!(layout!((2, 2, 2):(4, 2, ^1)).at(0) as isize, 0);
    assert_eq!(layout!((5, 4):(^2, ^16)).at(10) as isize, 32);
    assert_eq!(layout!((4, (4, 5)):(^1, (^22, ^4))).at(65) as isize, 17);
    assert_eq!(layout!((3, 4, 4, 4):(^1, ^13, ^54, ^3)).at(110) as isize, 50);
    assert_eq!(layout!((6, 4, 4):(0, 32, -16)).at(4) as isize, 0);
    assert_eq!(layout!((3, (4, 4)):(0, (-17, 2))).at(25) as isize, 4);
    assert_eq!(layout!((1, 2, 2):(^4, ^2, ^1)).at(1) as isize, 2);
    assert_eq!(layout!(4:^1).at(3) as isize, 3);
    assert_eq!(layout!((3, 4):(-1, -3)).at(3) as isize, -3);
}
// logical_divide
undefined!(Layout!((2, (5, 2)):(-1, (4, 2))): LogicalDivide<Layout!(8:1)>);
equal!(LogicalDivision<Layout!(5:-4), Layout!(1:4)>, Layout!((1, 5):(0, -4)));
equal!(LogicalDivision<Layout!((6, 2, 3, 3):(^24, ^17, ^16, ^1)), Layout!(108:1)>, Layout!(((6, 2, 3, 3), 1):((^24, ^17, ^16, ^1), 0)));
equal!(LogicalDivision<Layout!((8, 8):(-17, 9)), Layout!(64:1)>, Layout!(((8, 8), 1):((-17, 9), 0)));
equal!(LogicalDivision<Layout!((2, 4, 1, 1):(-1, 2, 8, -8)), Layout!(1:2)>, Layout!((1, (2, 4)):(0, (-1, 2))));
equal!(LogicalDivision<Layout!((6, 1):(^1, 5)), Layout!(1:1)>, Layout!((1, 6):(0, ^1)));
equal!(LogicalDivision<Layout!((8, (6, 1, 3)):(^1, (^10, ^60, ^60))), Layout!(8:1)>, Layout!((8, (6, 3)):(^1, (^10, ^60))));
undefined!(Layout!((6, (2, 4, 1)):(^2, (^1, ^15, ^60))): LogicalDivide<Layout!(8:4)>);
equal!(LogicalDivision<Layout!((4, 8, 2):(^9, ^8, ^2)), Layout!(1:2)>, Layout!((1, (4, 8, 2)):(0, (^9, ^8, ^2))));
equal!(LogicalDivision<Layout!(5:^1), Layout!(5:1)>, Layout!((5, 1):(^1, 0)));
equal!(LogicalDivision<Layout!((4, 1, 8):(^1, ^4, ^4)), Layout!(2:1)>, Layout!((2, 16):(^1, ^2)));
equal!(LogicalDivision<Layout!((4, 4):(^4, ^6)), Layout!(4:4)>, Layout!((4, 4):(^6, ^4)));
equal!(LogicalDivision<Layout!((1, 4, 4, 8):(^40, ^40, ^10, ^1)), Layout!(128:1)>, Layout!(((4, 4, 8), 1):((^40, ^10, ^1), 0)));
equal!(LogicalDivision<Layout!((6, 2, 2, 5):(^11, ^1, ^59, ^2)), Layout!(120:1)>, Layout!(((6, 2, 2, 5), 1):((^11, ^1, ^59, ^2), 0)));
equal!(LogicalDivision<Layout!((4, 4):(24, -64)), Layout!(8:2)>, Layout!(((2, 4), 2):((48, -64), 24)));
equal!(LogicalDivision<Layout!((4, 3):(^4, ^17)), Layout!(12:1)>, Layout!(((4, 3), 1):((^4, ^17), 0)));
equal!(LogicalDivision<Layout!(4:^1), Layout!(1:2)>, Layout!((1, 4):(0, ^1)));
equal!(LogicalDivision<Layout!((1, 1, 4):(^1, ^1, ^1)), Layout!(1:2)>, Layout!((1, 4):(0, ^1)));
equal!(LogicalDivision<Layout!((2, 4, 6, 4):(^25, ^6, ^1, ^51)), Layout!(1:1)>, Layout!((1, (2, 4, 6, 4)):(0, (^25, ^6, ^1, ^51))));
equal!(LogicalDivision<Layout!((1, 6, 4):(^6, ^1, ^6)), Layout!(1:1)>, Layout!((1, (6, 4)):(0, (^1, ^6))));
