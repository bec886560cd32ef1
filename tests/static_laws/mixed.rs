//! Operands from `golden.jsonl`, some of their leaves dynamic; written by `golden/files.rs`.

use super::*;

#[test]
fn coalesce() {
    cases! {
        coalesce(Layout!((32, 4, 1, 1):(1, 64, 256, 256)));
        coalesce(Layout!((32, 4, 1, 1):(usize, usize, usize, usize)));
        coalesce(Layout!((32, 4, 1, usize):(1, 64, 256, 256)));
        coalesce(Layout!((32, usize, 1, usize):(1, usize, usize, 256)));
        coalesce(Layout!((32, 4, usize, 1):(usize, 64, usize, 256)));
        coalesce(Layout!((2, 1, 8):(usize, usize, usize)));
        coalesce(Layout!((2, 1, usize):(8, 48, 1)));
        coalesce(Layout!((usize, 1, usize):(usize, usize, usize)));
        coalesce(Layout!((2, 1, usize):(8, 48, usize)));
        coalesce(Layout!((3, 4):(0, 1)));
        coalesce(Layout!((3, 4):(usize, usize)));
        coalesce(Layout!((3, usize):(0, 1)));
        coalesce(Layout!((3, usize):(usize, usize)));
        coalesce(Layout!((3, usize):(usize, usize)));
        coalesce(Layout!((16, 8):(usize, usize)));
        coalesce(Layout!((16, usize):(1, 16)));
        coalesce(Layout!((usize, usize):(1, usize)));
        coalesce(Layout!((16, 8):(usize, 16)));
        coalesce(Layout!((4, 8, 8):(16, 7, 4)));
        coalesce(Layout!((4, 8, 8):(usize, usize, usize)));
        coalesce(Layout!((4, 8, usize):(16, 7, 4)));
        coalesce(Layout!((usize, 8, 8):(usize, 7, 4)));
        coalesce(Layout!((4, 8, 8):(16, 7, usize)));
        coalesce(Layout!((8, 3, 5):(usize, usize, usize)));
        coalesce(Layout!((8, 3, usize):(15, 1, 3)));
        coalesce(Layout!((usize, usize, 5):(usize, usize, usize)));
        coalesce(Layout!((usize, usize, 5):(15, 1, 3)));
        coalesce(Layout!((3, 3, 4, 6):(72, 24, 6, 1)));
        coalesce(Layout!((3, 3, 4, 6):(usize, usize, usize, usize)));
        coalesce(Layout!((3, 3, 4, usize):(72, 24, 6, 1)));
        coalesce(Layout!((usize, 3, 4, usize):(72, 24, 6, usize)));
        coalesce(Layout!((3, usize, 4, 6):(usize, usize, 6, 1)));
        coalesce(Layout!((8, 8):(usize, usize)));
        coalesce(Layout!((8, usize):(8, 1)));
        coalesce(Layout!((8, usize):(8, usize)));
        coalesce(Layout!((usize, usize):(usize, usize)));
        coalesce(Layout!((8, 1, 4):(4, 1, 1)));
        coalesce(Layout!((8, 1, 4):(usize, usize, usize)));
        coalesce(Layout!((8, 1, usize):(4, 1, 1)));
        coalesce(Layout!((usize, 1, 4):(usize, 1, 1)));
        coalesce(Layout!((8, 1, 4):(usize, 1, usize)));
        coalesce(Layout!((32, 4, 8):(usize, usize, usize)));
        coalesce(Layout!((32, 4, usize):(16, 512, 1)));
        coalesce(Layout!((32, 4, usize):(16, 512, usize)));
        coalesce(Layout!((32, 4, 8):(16, 512, 1)));
    }
}

#[test]
fn coalesce_by_mode() {
    cases! {
        coalesce_by(Layout!(((5, 6), (5, 5)):((150, 25), (5, 1))), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 6), (5, 5)):((usize, usize), (usize, usize))), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 6), (5, usize)):((150, 25), (5, 1))), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 6), (5, 5)):((usize, 25), (usize, 1))), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 6), (usize, usize)):((150, usize), (5, usize))), Shape!((1, 1)));
        coalesce_by(Layout!(((2, 4), 2, 6):((usize, usize), usize, usize)), Shape!((1, 1, 1)));
        coalesce_by(Layout!(((2, 4), 2, usize):((1, 7), 1, 2)), Shape!((1, 1, 1)));
        coalesce_by(Layout!(((usize, usize), usize, usize):((usize, 7), 1, usize)), Shape!((1, 1, 1)));
        coalesce_by(Layout!(((2, 4), 2, 6):((1, usize), usize, 2)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((8, (32, 16)):(1, (128, 8))), Shape!((1, 1)));
        coalesce_by(Layout!((8, (32, 16)):(usize, (usize, usize))), Shape!((1, 1)));
        coalesce_by(Layout!((8, (32, usize)):(1, (128, 8))), Shape!((1, 1)));
        coalesce_by(Layout!((8, (32, usize)):(1, (128, 8))), Shape!((1, 1)));
        coalesce_by(Layout!((8, (32, usize)):(usize, (128, 8))), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 5, 3), 2):((usize, usize, usize), usize)), Shape!((1, 1)));
        coalesce_by(Layout!(((5, 5, 3), usize):((6, 30, 1), 3)), Shape!((1, 1)));
        coalesce_by(Layout!(((5, usize, 3), usize):((usize, usize, usize), 3)), Shape!((1, 1)));
        coalesce_by(Layout!(((5, usize, 3), usize):((usize, usize, 1), 3)), Shape!((1, 1)));
        coalesce_by(Layout!((8, 4, 2):(8, 2, 1)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((8, 4, 2):(usize, usize, usize)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((8, 4, usize):(8, 2, 1)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((usize, 4, usize):(8, usize, usize)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((usize, 4, 2):(8, usize, 1)), Shape!((1, 1, 1)));
        coalesce_by(Layout!((1, 32):(usize, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((1, usize):(1, 1)), Shape!((1, 1)));
        coalesce_by(Layout!((usize, usize):(1, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((1, usize):(usize, 1)), Shape!((1, 1)));
        coalesce_by(Layout!((3, 2):(1, 0)), Shape!((1, 1)));
        coalesce_by(Layout!((3, 2):(usize, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((3, usize):(1, 0)), Shape!((1, 1)));
        coalesce_by(Layout!((3, 2):(1, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((usize, usize):(1, 0)), Shape!((1, 1)));
        coalesce_by(Layout!((2, 16, 8, 2):(usize, usize, usize, usize)), Shape!((1, 1, 1, 1)));
        coalesce_by(Layout!((2, 16, 8, usize):(512, 2, 64, 1)), Shape!((1, 1, 1, 1)));
        coalesce_by(Layout!((2, 16, 8, usize):(usize, usize, 64, 1)), Shape!((1, 1, 1, 1)));
        coalesce_by(Layout!((2, 16, 8, usize):(512, 2, 64, 1)), Shape!((1, 1, 1, 1)));
        coalesce_by(Layout!((32, 4):(1, 32)), Shape!((1, 1)));
        coalesce_by(Layout!((32, 4):(usize, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((32, usize):(1, 32)), Shape!((1, 1)));
        coalesce_by(Layout!((usize, 4):(usize, usize)), Shape!((1, 1)));
        coalesce_by(Layout!((32, 4):(usize, usize)), Shape!((1, 1)));
        coalesce_by(Layout!(((4, 2), (6, 3)):((usize, usize), (usize, usize))), Shape!((1, 1)));
        coalesce_by(Layout!(((4, 2), (6, usize)):((0, 72), (12, 1))), Shape!((1, 1)));
        coalesce_by(Layout!(((4, 2), (usize, usize)):((0, 72), (12, usize))), Shape!((1, 1)));
        coalesce_by(Layout!(((4, usize), (6, 3)):((usize, 72), (usize, usize))), Shape!((1, 1)));
    }
}

#[test]
fn filter() {
    cases! {
        filter(Layout!((32, 32, (8, 2)):(512, 1, (32, 256))));
        filter(Layout!((32, 32, (8, 2)):(usize, usize, (usize, usize))));
        filter(Layout!((32, 32, (8, usize)):(512, 1, (32, 256))));
        filter(Layout!((32, usize, (usize, usize)):(512, usize, (32, usize))));
        filter(Layout!((usize, 32, (8, usize)):(usize, usize, (32, 256))));
        filter(Layout!((1, 1):(usize, usize)));
        filter(Layout!((1, usize):(1, 1)));
        filter(Layout!((usize, 1):(1, usize)));
        filter(Layout!((usize, 1):(1, usize)));
        filter(Layout!((16, (32, 1)):(1, (16, 512))));
        filter(Layout!((16, (32, 1)):(usize, (usize, usize))));
        filter(Layout!((16, (32, usize)):(1, (16, 512))));
        filter(Layout!((16, (32, usize)):(usize, (usize, usize))));
        filter(Layout!((16, (32, usize)):(1, (16, 512))));
        filter(Layout!(((3, 4, 3), 2):((usize, usize, usize), usize)));
        filter(Layout!(((3, 4, 3), usize):((1, 9, 36), 108)));
        filter(Layout!(((3, 4, 3), usize):((usize, 9, usize), usize)));
        filter(Layout!(((usize, 4, usize), 2):((1, usize, 36), usize)));
        filter(Layout!(((4, 2), (8, 2)):((16, 64), (1, 8))));
        filter(Layout!(((4, 2), (8, 2)):((usize, usize), (usize, usize))));
        filter(Layout!(((4, 2), (8, usize)):((16, 64), (1, 8))));
        filter(Layout!(((4, usize), (usize, usize)):((usize, usize), (usize, 8))));
        filter(Layout!(((4, usize), (8, usize)):((usize, 64), (1, 8))));
        filter(Layout!((1, (16, 1, 1)):(usize, (usize, usize, usize))));
        filter(Layout!((1, (16, 1, usize)):(1, (2, 32, 32))));
        filter(Layout!((1, (16, 1, usize)):(1, (2, 32, 32))));
        filter(Layout!((1, (16, 1, 1)):(1, (2, 32, 32))));
        filter(Layout!((5, (8, 1)):(1, (5, 5))));
        filter(Layout!((5, (8, 1)):(usize, (usize, usize))));
        filter(Layout!((5, (8, usize)):(1, (5, 5))));
        filter(Layout!((5, (8, 1)):(usize, (usize, 5))));
        filter(Layout!((5, (usize, 1)):(usize, (5, 5))));
        filter(Layout!((6, ((3, 4), 6)):(usize, ((usize, usize), usize))));
        filter(Layout!((6, ((3, 4), usize)):(72, ((1, 3), 12))));
        filter(Layout!((6, ((usize, 4), 6)):(72, ((usize, usize), usize))));
        filter(Layout!((6, ((3, 4), usize)):(usize, ((1, usize), 12))));
        filter(Layout!(((2, 2), (1, 4)):((8, 5), (3, 4))));
        filter(Layout!(((2, 2), (1, 4)):((usize, usize), (usize, usize))));
        filter(Layout!(((2, 2), (1, usize)):((8, 5), (3, 4))));
        filter(Layout!(((2, usize), (usize, usize)):((usize, usize), (3, usize))));
        filter(Layout!(((2, 2), (usize, 4)):((usize, 5), (3, usize))));
        filter(Layout!((6, 4, 1, 3):(usize, usize, usize, usize)));
        filter(Layout!((6, 4, 1, usize):(12, 3, 3, 1)));
        filter(Layout!((usize, 4, 1, 3):(12, usize, 3, 1)));
        filter(Layout!((6, usize, 1, 3):(12, usize, 3, usize)));
    }
}

#[test]
fn flatten() {
    cases! {
        flatten(Layout!((32, 16):(16, 1)));
        flatten(Layout!((32, 16):(usize, usize)));
        flatten(Layout!((32, usize):(16, 1)));
        flatten(Layout!((usize, 16):(usize, 1)));
        flatten(Layout!((usize, 16):(usize, 1)));
        flatten(Layout!((4, 4, 32):(usize, usize, usize)));
        flatten(Layout!((4, 4, usize):(1, 128, 4)));
        flatten(Layout!((usize, 4, usize):(usize, 128, usize)));
        flatten(Layout!((4, 4, 32):(1, 128, usize)));
        flatten(Layout!((5, 2, 4, 4):(1, 5, 10, 40)));
        flatten(Layout!((5, 2, 4, 4):(usize, usize, usize, usize)));
        flatten(Layout!((5, 2, 4, usize):(1, 5, 10, 40)));
        flatten(Layout!((5, usize, 4, usize):(1, usize, 10, usize)));
        flatten(Layout!((5, 2, usize, 4):(1, 5, 10, 40)));
        flatten(Layout!((16, (2, 4, 1)):(usize, (usize, usize, usize))));
        flatten(Layout!((16, (2, 4, usize)):(8, (4, 1, 8))));
        flatten(Layout!((16, (usize, usize, 1)):(8, (usize, usize, 8))));
        flatten(Layout!((16, (2, 4, 1)):(8, (usize, 1, usize))));
        flatten(Layout!((4, 5):(0, 1)));
        flatten(Layout!((4, 5):(usize, usize)));
        flatten(Layout!((4, usize):(0, 1)));
        flatten(Layout!((usize, usize):(0, 1)));
        flatten(Layout!((4, 5):(0, usize)));
        flatten(Layout!((1, (2, 2)):(usize, (usize, usize))));
        flatten(Layout!((1, (2, usize)):(0, (1, 2))));
        flatten(Layout!((1, (usize, 2)):(usize, (usize, usize))));
        flatten(Layout!((1, (usize, 2)):(0, (usize, usize))));
        flatten(Layout!(((4, (2, 4)), 3):((1, (4, 8)), 32)));
        flatten(Layout!(((4, (2, 4)), 3):((usize, (usize, usize)), usize)));
        flatten(Layout!(((4, (2, 4)), usize):((1, (4, 8)), 32)));
        flatten(Layout!(((4, (2, 4)), usize):((1, (usize, 8)), usize)));
        flatten(Layout!(((4, (2, 4)), 3):((1, (4, 8)), 32)));
        flatten(Layout!((8, 2):(usize, usize)));
        flatten(Layout!((8, usize):(0, 8)));
        flatten(Layout!((usize, 2):(usize, 8)));
        flatten(Layout!((8, usize):(usize, 8)));
        flatten(Layout!(((6, 5), 2, 5):((0, 10), 1, 2)));
        flatten(Layout!(((6, 5), 2, 5):((usize, usize), usize, usize)));
        flatten(Layout!(((6, 5), 2, usize):((0, 10), 1, 2)));
        flatten(Layout!(((6, 5), usize, 5):((usize, usize), 1, 2)));
        flatten(Layout!(((usize, usize), 2, 5):((0, 10), usize, usize)));
        flatten(Layout!((6, 6):(usize, usize)));
        flatten(Layout!((6, usize):(6, 1)));
        flatten(Layout!((usize, usize):(6, usize)));
        flatten(Layout!((6, 6):(usize, 1)));
    }
}

#[test]
fn compose() {
    cases! {
        compose(Layout!((16, 1, 32):(1, 512, 16)), Layout!(1:64));
        compose(Layout!((16, 1, 32):(usize, usize, usize)), Layout!(1:64));
        compose(Layout!((16, 1, usize):(1, 512, 16)), Layout!(1:64));
        compose(Layout!((usize, usize, 32):(usize, usize, usize)), Layout!(1:64));
        compose(Layout!((usize, usize, usize):(usize, 512, usize)), Layout!(1:64));
        compose(Layout!((8, 2, 2):(usize, usize, usize)), Layout!((1, 8, 2, 1):(1, 2, 1, 1)));
        compose(Layout!((8, 2, usize):(1, 8, 16)), Layout!((1, 8, 2, 1):(1, 2, usize, 1)));
        compose(Layout!((8, 2, 2):(usize, 8, usize)), Layout!((usize, 8, 2, 1):(1, usize, 1, 1)));
        compose(Layout!((8, usize, usize):(usize, usize, usize)), Layout!((1, usize, usize, usize):(1, 2, 1, 1)));
        compose(Layout!((2, 1, 16):(1, 64, 2)), Layout!((5, (4, 2)):(1, (5, 20))));
        compose(Layout!((2, 1, 16):(usize, usize, usize)), Layout!((5, (4, 2)):(1, (5, 20))));
        compose(Layout!((2, 1, usize):(1, 64, 2)), Layout!((5, (4, 2)):(usize, (usize, 20))));
        compose(Layout!((2, usize, 16):(1, 64, usize)), Layout!((5, (4, 2)):(1, (5, 20))));
        compose(Layout!((2, usize, usize):(1, usize, 2)), Layout!((5, (4, 2)):(1, (5, usize))));
        compose(Layout!((1, (4, 4)):(usize, (usize, usize))), Layout!((16, 32, 2):(128, 1, 64)));
        compose(Layout!((1, (4, usize)):(0, (4, 1))), Layout!((16, 32, 2):(128, 1, 64)));
        compose(Layout!((usize, (usize, 4)):(0, (usize, 1))), Layout!((usize, 32, 2):(usize, usize, 64)));
        compose(Layout!((1, (4, usize)):(usize, (4, 1))), Layout!((usize, 32, 2):(128, usize, 64)));
        compose(Layout!((6, 6, 1):(1, 6, 1)), Layout!(3:1));
        compose(Layout!((6, 6, 1):(usize, usize, usize)), Layout!(3:1));
        compose(Layout!((6, 6, usize):(1, 6, 1)), Layout!(usize:usize));
        compose(Layout!((usize, usize, 1):(usize, 6, usize)), Layout!(usize:usize));
        compose(Layout!((usize, usize, 1):(1, usize, 1)), Layout!(usize:1));
        compose(Layout!(((1, 2), 4):((usize, usize), usize)), Layout!(2:1));
        compose(Layout!(((1, 2), usize):((8, 4), 0)), Layout!(2:1));
        compose(Layout!(((usize, usize), 4):((8, 4), 0)), Layout!(2:1));
        compose(Layout!(((usize, 2), 4):((8, 4), usize)), Layout!(2:1));
        compose(Layout!(((4, 16), 32, 8):((256, 1024), 8, 1)), Layout!(2:512));
        compose(Layout!(((4, 16), 32, 8):((usize, usize), usize, usize)), Layout!(2:512));
        compose(Layout!(((4, 16), 32, usize):((256, 1024), 8, 1)), Layout!(usize:usize));
        compose(Layout!(((usize, 16), 32, 8):((256, 1024), 8, usize)), Layout!(2:usize));
        compose(Layout!(((usize, 16), 32, usize):((256, 1024), 8, 1)), Layout!(2:512));
        compose(Layout!((16, 4, (2, 2)):(usize, usize, (usize, usize))), Layout!(4:1));
        compose(Layout!((16, 4, (2, usize)):(1, 16, (256, 64))), Layout!(4:usize));
        compose(Layout!((16, usize, (usize, usize)):(1, usize, (256, 64))), Layout!(4:usize));
        compose(Layout!((16, usize, (usize, 2)):(1, 16, (usize, 64))), Layout!(usize:1));
        compose(Layout!((32, 1, 2, 4):(4, 512, 1, 128)), Layout!(128:2));
        compose(Layout!((32, 1, 2, 4):(usize, usize, usize, usize)), Layout!(128:2));
        compose(Layout!((32, 1, 2, usize):(4, 512, 1, 128)), Layout!(128:2));
        compose(Layout!((usize, 1, usize, 4):(4, 512, usize, usize)), Layout!(128:2));
        compose(Layout!((32, 1, 2, 4):(4, 512, 1, 128)), Layout!(usize:2));
        compose(Layout!((4, 32):(usize, usize)), Layout!(((5, 4), 6):((24, 4), 1)));
        compose(Layout!((4, usize):(32, 1)), Layout!(((5, 4), 6):((24, usize), 1)));
        compose(Layout!((4, usize):(32, usize)), Layout!(((5, usize), 6):((24, 4), 1)));
        compose(Layout!((4, usize):(32, 1)), Layout!(((5, usize), 6):((usize, 4), 1)));
    }
}

#[test]
fn compose_by_mode() {
    cases! {
        compose(Layout!((1, 3):(3, 0)), Layout!(1:1));
        compose(Layout!((1, 3):(usize, usize)), Layout!(1:1));
        compose(Layout!((1, usize):(3, 0)), Layout!(usize:1));
        compose(Layout!((1, usize):(usize, usize)), Layout!(1:usize));
        compose(Layout!((1, 3):(usize, 0)), Layout!(1:usize));
        compose(Layout!(((4, 4), (5, 5)):((usize, usize), (usize, usize))), Tiler!(8, _));
        compose(Layout!(((4, 4), (5, usize)):((6400, 80), (4, 1280))), Tiler!(8, _));
        compose(Layout!(((usize, usize), (5, 5)):((usize, usize), (usize, 1280))), Tiler!(usize, _));
        compose(Layout!(((usize, 4), (5, 5)):((6400, 80), (4, 1280))), Tiler!(8, _));
        compose(Layout!(((8, 2), 2):((1, 8), 64)), Layout!((6, 3):(3, 1)));
        compose(Layout!(((8, 2), 2):((usize, usize), usize)), Layout!((6, 3):(3, 1)));
        compose(Layout!(((8, 2), usize):((1, 8), 64)), Layout!((6, 3):(usize, 1)));
        compose(Layout!(((8, 2), 2):((usize, 8), usize)), Layout!((6, 3):(usize, usize)));
        compose(Layout!(((usize, usize), 2):((1, 8), 64)), Layout!((usize, 3):(3, usize)));
        compose(Layout!((6, 6, 2):(usize, usize, usize)), Layout!(1:1));
        compose(Layout!((6, 6, usize):(2, 0, 1)), Layout!(1:1));
        compose(Layout!((6, usize, 2):(usize, usize, 1)), Layout!(usize:usize));
        compose(Layout!((6, 6, 2):(usize, 0, 1)), Layout!(1:1));
        compose(Layout!((1, 4):(8, 12)), Tiler!(1, _));
        compose(Layout!((1, 4):(usize, usize)), Tiler!(1, _));
        compose(Layout!((1, usize):(8, 12)), Tiler!(1, _));
        compose(Layout!((1, usize):(8, usize)), Tiler!(usize, _));
        compose(Layout!((usize, usize):(8, 12)), Tiler!(1, _));
        compose(Layout!((1, 32):(usize, usize)), Tiler!(_, _));
        compose(Layout!((1, usize):(1, 1)), Tiler!(_, _));
        compose(Layout!((1, usize):(usize, usize)), Tiler!(_, _));
        compose(Layout!((1, usize):(1, 1)), Tiler!(_, _));
        compose(Layout!((8, 1, 2):(1, 32, 8)), Layout!(8:1));
        compose(Layout!((8, 1, 2):(usize, usize, usize)), Layout!(8:1));
        compose(Layout!((8, 1, usize):(1, 32, 8)), Layout!(8:1));
        compose(Layout!((usize, usize, usize):(usize, 32, 8)), Layout!(8:1));
        compose(Layout!((usize, usize, 2):(1, 32, 8)), Layout!(8:1));
        compose(Layout!((1, 32):(usize, usize)), Tiler!(1, 8));
        compose(Layout!((1, usize):(32, 1)), Tiler!(1, 8));
        compose(Layout!((1, 32):(32, usize)), Tiler!(1, usize));
        compose(Layout!((1, 32):(32, 1)), Tiler!(1, usize));
        compose(Layout!(((6, 8), 1):((8, 1), 1)), Tiler!(24, _));
        compose(Layout!(((6, 8), 1):((usize, usize), usize)), Tiler!(24, _));
        compose(Layout!(((6, 8), usize):((8, 1), 1)), Tiler!(24, _));
        compose(Layout!(((usize, usize), 1):((8, 1), 1)), Tiler!(usize, _));
        compose(Layout!(((6, usize), usize):((usize, usize), 1)), Tiler!(24, _));
        compose(Layout!((4, 4):(usize, usize)), Layout!(3:1));
        compose(Layout!((4, usize):(1, 8)), Layout!(3:1));
        compose(Layout!((4, usize):(1, usize)), Layout!(3:usize));
        compose(Layout!((4, usize):(1, 8)), Layout!(usize:1));
    }
}

#[test]
fn complement() {
    cases! {
        complement(Layout!((8, 1):(1, 1)), Int!(24));
        complement(Layout!((8, 1):(usize, usize)), Int!(24));
        complement(Layout!((8, usize):(1, 1)), Int!(24));
        complement(Layout!((usize, 1):(usize, 1)), usize);
        complement(Layout!((8, 1):(usize, 1)), usize);
        complement(Layout!((1, 4):(usize, usize)), Int!(3));
        complement(Layout!((1, usize):(1, 0)), Int!(3));
        complement(Layout!((usize, usize):(usize, 0)), usize);
        complement(Layout!((usize, usize):(1, 0)), Int!(3));
        complement(Layout!((4, 1):(1, 1)), Int!(8));
        complement(Layout!((4, 1):(usize, usize)), Int!(8));
        complement(Layout!((4, usize):(1, 1)), Int!(8));
        complement(Layout!((usize, usize):(usize, usize)), usize);
        complement(Layout!((4, usize):(usize, 1)), Int!(8));
        complement(Layout!((2, 4, 4, 4):(usize, usize, usize, usize)), Int!(128));
        complement(Layout!((2, 4, 4, usize):(64, 16, 4, 1)), Int!(128));
        complement(Layout!((2, usize, usize, 4):(usize, 16, usize, 1)), Int!(128));
        complement(Layout!((2, 4, 4, 4):(64, 16, usize, 1)), usize);
        complement(Layout!((2, 2):(1, 0)), Int!(4));
        complement(Layout!((2, 2):(usize, usize)), Int!(4));
        complement(Layout!((2, usize):(1, 0)), Int!(4));
        complement(Layout!((usize, usize):(1, usize)), Int!(4));
        complement(Layout!((usize, 2):(1, 0)), Int!(4));
        complement(Layout!((3, 5, (1, 2)):(usize, usize, (usize, usize))), Int!(60));
        complement(Layout!((3, 5, (1, usize)):(10, 2, (2, 1))), Int!(60));
        complement(Layout!((usize, usize, (usize, usize)):(10, usize, (usize, 1))), usize);
        complement(Layout!((usize, usize, (usize, 2)):(usize, usize, (2, 1))), usize);
        complement(Layout!(((2, 8), 8):((1, 16), 2)), Int!(128));
        complement(Layout!(((2, 8), 8):((usize, usize), usize)), Int!(128));
        complement(Layout!(((2, 8), usize):((1, 16), 2)), Int!(128));
        complement(Layout!(((2, 8), 8):((1, usize), usize)), Int!(128));
        complement(Layout!(((usize, usize), 8):((usize, usize), 2)), Int!(128));
        complement(Layout!((4, 8, 4, 8):(usize, usize, usize, usize)), Int!(4096));
        complement(Layout!((4, 8, 4, usize):(256, 1, 8, 32)), Int!(4096));
        complement(Layout!((usize, 8, 4, 8):(256, usize, usize, usize)), usize);
        complement(Layout!((4, 8, 4, 8):(256, usize, 8, 32)), Int!(4096));
        complement(Layout!((5, 6):(1, 5)), Int!(60));
        complement(Layout!((5, 6):(usize, usize)), Int!(60));
        complement(Layout!((5, usize):(1, 5)), usize);
        complement(Layout!((5, usize):(usize, 5)), usize);
        complement(Layout!((5, usize):(1, usize)), Int!(60));
        complement(Layout!((5, 2, (4, 4)):(usize, usize, (usize, usize))), Int!(320));
        complement(Layout!((5, 2, (4, usize)):(1, 5, (10, 40))), Int!(320));
        complement(Layout!((5, usize, (4, 4)):(usize, 5, (10, usize))), usize);
        complement(Layout!((5, usize, (4, 4)):(usize, 5, (usize, 40))), Int!(320));
    }
}

#[test]
fn complement_ceil() {
    cases! {
        complement_ceil(Layout!((6, 2, 6):(12, 6, 0)), Int!(46));
        complement_ceil(Layout!((6, 2, 6):(usize, usize, usize)), Int!(46));
        complement_ceil(Layout!((6, 2, usize):(12, 6, 0)), Int!(46));
        complement_ceil(Layout!((6, usize, usize):(usize, usize, usize)), usize);
        complement_ceil(Layout!((6, 2, 6):(12, usize, 0)), Int!(46));
        complement_ceil(Layout!(((4, 8), 2):((usize, usize), usize)), Int!(153));
        complement_ceil(Layout!(((4, 8), usize):((16, 2), 1)), Int!(153));
        complement_ceil(Layout!(((4, 8), usize):((16, 2), 1)), Int!(153));
        complement_ceil(Layout!(((4, 8), 2):((16, usize), usize)), usize);
        complement_ceil(Layout!((1, 32, 32):(1, 1, 32)), Int!(3017));
        complement_ceil(Layout!((1, 32, 32):(usize, usize, usize)), Int!(3017));
        complement_ceil(Layout!((1, 32, usize):(1, 1, 32)), Int!(3017));
        complement_ceil(Layout!((1, 32, 32):(usize, 1, 32)), Int!(3017));
        complement_ceil(Layout!((usize, 32, usize):(usize, 1, 32)), Int!(3017));
        complement_ceil(Layout!((4, 1):(usize, usize)), Int!(5));
        complement_ceil(Layout!((4, usize):(1, 4)), Int!(5));
        complement_ceil(Layout!((usize, 1):(1, usize)), Int!(5));
        complement_ceil(Layout!((usize, usize):(1, 4)), Int!(5));
        complement_ceil(Layout!((32, 4, (16, 32)):(64, 1, (4, 4096))), Int!(94280));
        complement_ceil(Layout!((32, 4, (16, 32)):(usize, usize, (usize, usize))), Int!(94280));
        complement_ceil(Layout!((32, 4, (16, usize)):(64, 1, (4, 4096))), Int!(94280));
        complement_ceil(Layout!((32, usize, (usize, usize)):(usize, 1, (4, usize))), usize);
        complement_ceil(Layout!((32, 4, (16, 32)):(64, 1, (usize, 4096))), Int!(94280));
        complement_ceil(Layout!((8, 1):(usize, usize)), Int!(19));
        complement_ceil(Layout!((8, usize):(1, 8)), Int!(19));
        complement_ceil(Layout!((usize, 1):(usize, usize)), usize);
        complement_ceil(Layout!((8, usize):(1, usize)), Int!(19));
        complement_ceil(Layout!(((2, 8), (16, 4)):((256, 1), (8, 512))), Int!(315));
        complement_ceil(Layout!(((2, 8), (16, 4)):((usize, usize), (usize, usize))), Int!(315));
        complement_ceil(Layout!(((2, 8), (16, usize)):((256, 1), (8, 512))), Int!(315));
        complement_ceil(Layout!(((2, usize), (16, 4)):((usize, usize), (usize, usize))), Int!(315));
        complement_ceil(Layout!(((2, 8), (16, 4)):((usize, usize), (8, 512))), usize);
        complement_ceil(Layout!(((2, 1), 2):((usize, usize), usize)), Int!(8));
        complement_ceil(Layout!(((2, 1), usize):((1, 8), 2)), Int!(8));
        complement_ceil(Layout!(((usize, usize), 2):((1, 8), 2)), usize);
        complement_ceil(Layout!(((2, usize), usize):((1, usize), 2)), usize);
        complement_ceil(Layout!((32, (4, 16)):(16, (1024, 1))), Int!(10608));
        complement_ceil(Layout!((32, (4, 16)):(usize, (usize, usize))), Int!(10608));
        complement_ceil(Layout!((32, (4, usize)):(16, (1024, 1))), Int!(10608));
        complement_ceil(Layout!((32, (4, 16)):(16, (usize, 1))), usize);
        complement_ceil(Layout!((usize, (usize, usize)):(16, (usize, usize))), Int!(10608));
        complement_ceil(Layout!((32, 1, 8):(usize, usize, usize)), Int!(48));
        complement_ceil(Layout!((32, 1, usize):(8, 8, 1)), usize);
        complement_ceil(Layout!((usize, usize, usize):(usize, 8, 1)), Int!(48));
        complement_ceil(Layout!((32, 1, usize):(8, 8, 1)), Int!(48));
    }
}

#[test]
fn right_inverse() {
    cases! {
        right_inverse(Layout!((3, 4):(1, 3)));
        right_inverse(Layout!((3, 4):(usize, usize)));
        right_inverse(Layout!((3, usize):(1, 3)));
        right_inverse(Layout!((3, 4):(1, usize)));
        right_inverse(Layout!((3, usize):(1, 3)));
        right_inverse(Layout!((2, (2, 4)):(usize, (usize, usize))));
        right_inverse(Layout!((2, (2, usize)):(8, (1, 2))));
        right_inverse(Layout!((2, (2, usize)):(8, (1, 2))));
        right_inverse(Layout!((2, (2, 4)):(8, (usize, 2))));
        right_inverse(Layout!((1, 1, 8):(8, 8, 1)));
        right_inverse(Layout!((1, 1, 8):(usize, usize, usize)));
        right_inverse(Layout!((1, 1, usize):(8, 8, 1)));
        right_inverse(Layout!((usize, usize, 8):(usize, 8, 1)));
        right_inverse(Layout!((1, 1, 8):(usize, usize, 1)));
        right_inverse(Layout!(((8, 6), (4, 4)):((usize, usize), (usize, usize))));
        right_inverse(Layout!(((8, 6), (4, usize)):((0, 24), (1, 7))));
        right_inverse(Layout!(((8, 6), (4, usize)):((0, usize), (1, 7))));
        right_inverse(Layout!(((usize, usize), (4, 4)):((0, 24), (1, 7))));
        right_inverse(Layout!((4, 6, 1, 2):(2, 8, 8, 1)));
        right_inverse(Layout!((4, 6, 1, 2):(usize, usize, usize, usize)));
        right_inverse(Layout!((4, 6, 1, usize):(2, 8, 8, 1)));
        right_inverse(Layout!((usize, 6, usize, 2):(2, 8, usize, 1)));
        right_inverse(Layout!((4, 6, usize, 2):(2, 8, usize, 1)));
        right_inverse(Layout!((2, 4):(usize, usize)));
        right_inverse(Layout!((2, usize):(4, 1)));
        right_inverse(Layout!((usize, 4):(usize, 1)));
        right_inverse(Layout!((usize, usize):(usize, usize)));
        right_inverse(Layout!(((4, 1), 1):((1, 4), 4)));
        right_inverse(Layout!(((4, 1), 1):((usize, usize), usize)));
        right_inverse(Layout!(((4, 1), usize):((1, 4), 4)));
        right_inverse(Layout!(((4, usize), 1):((usize, 4), 4)));
        right_inverse(Layout!(((usize, usize), usize):((1, usize), 4)));
        right_inverse(Layout!((4, 2, 32):(usize, usize, usize)));
        right_inverse(Layout!((4, 2, usize):(64, 32, 1)));
        right_inverse(Layout!((usize, usize, usize):(64, usize, 1)));
        right_inverse(Layout!((4, 2, usize):(usize, 32, 1)));
        right_inverse(Layout!((1, (3, 8)):(4, (64, 8))));
        right_inverse(Layout!((1, (3, 8)):(usize, (usize, usize))));
        right_inverse(Layout!((1, (3, usize)):(4, (64, 8))));
        right_inverse(Layout!((1, (usize, 8)):(4, (usize, 8))));
        right_inverse(Layout!((1, (3, 8)):(usize, (64, 8))));
        right_inverse(Layout!((1, (4, 1, 32)):(usize, (usize, usize, usize))));
        right_inverse(Layout!((1, (4, 1, usize)):(1, (1, 128, 4))));
        right_inverse(Layout!((usize, (4, 1, 32)):(usize, (1, 128, 4))));
        right_inverse(Layout!((1, (usize, 1, 32)):(1, (1, 128, 4))));
    }
}

#[test]
fn left_inverse() {
    cases! {
        left_inverse(Layout!(((2, 6), 6):((2, 12), 8)));
        left_inverse(Layout!(((2, 6), 6):((usize, usize), usize)));
        left_inverse(Layout!(((2, 6), usize):((2, 12), 8)));
        left_inverse(Layout!(((usize, usize), 6):((usize, usize), 8)));
        left_inverse(Layout!(((2, 6), 6):((2, usize), 8)));
        left_inverse(Layout!((5, 1):(usize, usize)));
        left_inverse(Layout!((5, usize):(1, 1)));
        left_inverse(Layout!((usize, usize):(usize, 1)));
        left_inverse(Layout!((5, 1):(usize, 1)));
        left_inverse(Layout!(((2, 1), (1, 1)):((1, 1), (1, 1))));
        left_inverse(Layout!(((2, 1), (1, 1)):((usize, usize), (usize, usize))));
        left_inverse(Layout!(((2, 1), (1, usize)):((1, 1), (1, 1))));
        left_inverse(Layout!(((usize, usize), (1, usize)):((usize, 1), (1, usize))));
        left_inverse(Layout!(((usize, usize), (1, usize)):((1, usize), (1, usize))));
        left_inverse(Layout!((1, 8):(usize, usize)));
        left_inverse(Layout!((1, usize):(8, 1)));
        left_inverse(Layout!((usize, 8):(usize, usize)));
        left_inverse(Layout!((1, 8):(8, 1)));
        left_inverse(Layout!((4, 4, 5):(1, 4, 16)));
        left_inverse(Layout!((4, 4, 5):(usize, usize, usize)));
        left_inverse(Layout!((4, 4, usize):(1, 4, 16)));
        left_inverse(Layout!((4, 4, 5):(1, 4, 16)));
        left_inverse(Layout!((4, usize, 5):(1, usize, 16)));
        left_inverse(Layout!(((4, 4), (1, 1)):((usize, usize), (usize, usize))));
        left_inverse(Layout!(((4, 4), (1, usize)):((4, 1), (1, 1))));
        left_inverse(Layout!(((4, usize), (usize, usize)):((4, 1), (1, 1))));
        left_inverse(Layout!(((4, 4), (1, 1)):((usize, 1), (1, 1))));
        left_inverse(Layout!((5, 8, 3):(3, 45, 15)));
        left_inverse(Layout!((5, 8, 3):(usize, usize, usize)));
        left_inverse(Layout!((5, 8, usize):(3, 45, 15)));
        left_inverse(Layout!((usize, 8, 3):(3, 45, usize)));
        left_inverse(Layout!((5, usize, 3):(3, 45, 15)));
        left_inverse(Layout!((3, 2, (4, 2)):(usize, usize, (usize, usize))));
        left_inverse(Layout!((3, 2, (4, usize)):(0, 1, (2, 8))));
        left_inverse(Layout!((usize, 2, (usize, 2)):(0, usize, (2, usize))));
        left_inverse(Layout!((3, 2, (4, usize)):(0, 1, (2, 8))));
        left_inverse(Layout!((1, 2):(0, 1)));
        left_inverse(Layout!((1, 2):(usize, usize)));
        left_inverse(Layout!((1, usize):(0, 1)));
        left_inverse(Layout!((1, 2):(0, 1)));
        left_inverse(Layout!((usize, 2):(usize, usize)));
        left_inverse(Layout!((4, 8, 3):(usize, usize, usize)));
        left_inverse(Layout!((4, 8, usize):(5, 24, 4)));
        left_inverse(Layout!((4, 8, usize):(5, 24, usize)));
        left_inverse(Layout!((usize, 8, 3):(usize, 24, usize)));
    }
}

#[test]
fn nullspace() {
    cases! {
        nullspace(Layout!(((8, 5), 4, 2):((8, 12), 24, 12)));
        nullspace(Layout!(((8, 5), 4, 2):((usize, usize), usize, usize)));
        nullspace(Layout!(((8, 5), 4, usize):((8, 12), 24, 12)));
        nullspace(Layout!(((8, usize), usize, usize):((8, 12), 24, usize)));
        nullspace(Layout!(((usize, 5), 4, 2):((usize, 12), 24, 12)));
        nullspace(Layout!((1, 3, (2, 2)):(usize, usize, (usize, usize))));
        nullspace(Layout!((1, 3, (2, usize)):(10, 0, (8, 12))));
        nullspace(Layout!((usize, 3, (usize, usize)):(10, 0, (8, usize))));
        nullspace(Layout!((1, usize, (2, 2)):(usize, 0, (8, 12))));
        nullspace(Layout!((8, 3):(1, 0)));
        nullspace(Layout!((8, 3):(usize, usize)));
        nullspace(Layout!((8, usize):(1, 0)));
        nullspace(Layout!((usize, 3):(1, usize)));
        nullspace(Layout!((8, 3):(1, 0)));
        nullspace(Layout!((3, 2, 8):(usize, usize, usize)));
        nullspace(Layout!((3, 2, usize):(1, 24, 0)));
        nullspace(Layout!((usize, 2, usize):(usize, 24, usize)));
        nullspace(Layout!((3, 2, usize):(1, 24, usize)));
        nullspace(Layout!((6, 4, 3):(1, 18, 0)));
        nullspace(Layout!((6, 4, 3):(usize, usize, usize)));
        nullspace(Layout!((6, 4, usize):(1, 18, 0)));
        nullspace(Layout!((6, usize, 3):(usize, usize, 0)));
        nullspace(Layout!((usize, usize, 3):(1, usize, usize)));
        nullspace(Layout!((8, 8, 2, 8):(usize, usize, usize, usize)));
        nullspace(Layout!((8, 8, 2, usize):(0, 8, 64, 1)));
        nullspace(Layout!((8, usize, 2, usize):(0, 8, usize, usize)));
        nullspace(Layout!((usize, 8, 2, 8):(0, usize, 64, 1)));
        nullspace(Layout!((6, (1, 2)):(16, (8, 2))));
        nullspace(Layout!((6, (1, 2)):(usize, (usize, usize))));
        nullspace(Layout!((6, (1, usize)):(16, (8, 2))));
        nullspace(Layout!((usize, (usize, usize)):(usize, (8, 2))));
        nullspace(Layout!((6, (usize, 2)):(16, (usize, usize))));
        nullspace(Layout!((1, 5, 4, 2):(usize, usize, usize, usize)));
        nullspace(Layout!((1, 5, 4, usize):(16, 12, 3, 12)));
        nullspace(Layout!((usize, 5, usize, usize):(usize, usize, 3, 12)));
        nullspace(Layout!((1, usize, usize, 2):(16, 12, 3, 12)));
        nullspace(Layout!(((2, 8), (2, 6)):((0, 24), (1, 2))));
        nullspace(Layout!(((2, 8), (2, 6)):((usize, usize), (usize, usize))));
        nullspace(Layout!(((2, 8), (2, usize)):((0, 24), (1, 2))));
        nullspace(Layout!(((usize, usize), (usize, 6)):((usize, 24), (1, 2))));
        nullspace(Layout!(((2, 8), (2, usize)):((0, usize), (1, 2))));
        nullspace(Layout!(((2, 1), (3, 1)):((usize, usize), (usize, usize))));
        nullspace(Layout!(((2, 1), (3, usize)):((3, 6), (0, 6))));
        nullspace(Layout!(((2, usize), (usize, 1)):((usize, 6), (0, 6))));
        nullspace(Layout!(((2, usize), (3, 1)):((3, 6), (usize, usize))));
    }
}

#[test]
fn max_common_layout() {
    cases! {
        max_common_layout(Layout!((2, 3, 2):(3, 1, 6)), Layout!((2, 3, 2):(3, 1, 6)));
        max_common_layout(Layout!((2, 3, 2):(usize, usize, usize)), Layout!((2, 3, 2):(3, 1, 6)));
        max_common_layout(Layout!((2, 3, usize):(3, 1, 6)), Layout!((2, 3, 2):(3, 1, 6)));
        max_common_layout(Layout!((2, usize, 2):(usize, usize, 6)), Layout!((2, usize, usize):(3, usize, usize)));
        max_common_layout(Layout!((2, 3, 2):(3, usize, 6)), Layout!((2, 3, 2):(usize, 1, usize)));
        max_common_layout(Layout!(((2, 4), 16, 2):((usize, usize), usize, usize)), Layout!(((2, 4), 16, 2):((512, 16), 1, 128)));
        max_common_layout(Layout!(((2, 4), 16, usize):((512, 16), 1, 128)), Layout!(((2, 4), 16, 2):((512, 16), usize, 128)));
        max_common_layout(Layout!(((usize, 4), 16, 2):((512, usize), usize, usize)), Layout!(((2, usize), 16, 2):((usize, usize), usize, 128)));
        max_common_layout(Layout!(((2, usize), 16, 2):((usize, 16), 1, usize)), Layout!(((2, usize), 16, usize):((512, 16), usize, 128)));
        max_common_layout(Layout!((5, 6, 3):(4, 7, 5)), Layout!((3, 2):(1, 12)));
        max_common_layout(Layout!((5, 6, 3):(usize, usize, usize)), Layout!((3, 2):(1, 12)));
        max_common_layout(Layout!((5, 6, usize):(4, 7, 5)), Layout!((3, 2):(1, 12)));
        max_common_layout(Layout!((5, usize, 3):(4, usize, 5)), Layout!((3, usize):(1, usize)));
        max_common_layout(Layout!((5, 6, usize):(4, 7, usize)), Layout!((usize, 2):(1, 12)));
        max_common_layout(Layout!((6, 4):(usize, usize)), Layout!((6, 4):(4, 1)));
        max_common_layout(Layout!((6, usize):(4, 1)), Layout!((6, 4):(usize, 1)));
        max_common_layout(Layout!((usize, usize):(4, usize)), Layout!((usize, 4):(usize, usize)));
        max_common_layout(Layout!((usize, 4):(usize, 1)), Layout!((6, usize):(usize, usize)));
        max_common_layout(Layout!((8, 5, 2):(10, 2, 1)), Layout!(6:1));
        max_common_layout(Layout!((8, 5, 2):(usize, usize, usize)), Layout!(6:1));
        max_common_layout(Layout!((8, 5, usize):(10, 2, 1)), Layout!(6:1));
        max_common_layout(Layout!((usize, 5, 2):(usize, usize, usize)), Layout!(6:1));
        max_common_layout(Layout!((8, 5, 2):(10, usize, 1)), Layout!(usize:1));
        max_common_layout(Layout!((2, 32):(usize, usize)), Layout!(((32, 32), 32, 1):((1024, 1), 32, 1)));
        max_common_layout(Layout!((2, usize):(1, 4)), Layout!(((32, 32), 32, 1):((1024, 1), usize, 1)));
        max_common_layout(Layout!((usize, usize):(1, usize)), Layout!(((usize, usize), 32, 1):((1024, usize), 32, 1)));
        max_common_layout(Layout!((2, 32):(1, 4)), Layout!(((32, 32), 32, usize):((usize, 1), usize, 1)));
        max_common_layout(Layout!((8, 32, 32, 8):(1024, 32, 1, 8192)), Layout!(2:1));
        max_common_layout(Layout!((8, 32, 32, 8):(usize, usize, usize, usize)), Layout!(2:1));
        max_common_layout(Layout!((8, 32, 32, usize):(1024, 32, 1, 8192)), Layout!(usize:1));
        max_common_layout(Layout!((8, 32, 32, usize):(usize, 32, 1, 8192)), Layout!(2:1));
        max_common_layout(Layout!((8, 32, 32, 8):(usize, 32, usize, 8192)), Layout!(2:1));
        max_common_layout(Layout!(((2, 1, 6), 3):((usize, usize, usize), usize)), Layout!((4, 5, 4, 4):(1920, 12, 3, 120)));
        max_common_layout(Layout!(((2, 1, 6), usize):((1, 2, 2), 12)), Layout!((4, 5, 4, usize):(1920, usize, 3, 120)));
        max_common_layout(Layout!(((usize, 1, 6), usize):((1, 2, usize), usize)), Layout!((4, 5, 4, 4):(1920, 12, 3, usize)));
        max_common_layout(Layout!(((2, 1, 6), 3):((usize, usize, usize), usize)), Layout!((usize, 5, 4, 4):(1920, 12, usize, usize)));
        max_common_layout(Layout!(((1, 4, 32), 2):((1, 4, 16), 1)), Layout!((4, 8):(16, 1)));
        max_common_layout(Layout!(((1, 4, 32), 2):((usize, usize, usize), usize)), Layout!((4, 8):(16, 1)));
        max_common_layout(Layout!(((1, 4, 32), usize):((1, 4, 16), 1)), Layout!((usize, usize):(16, usize)));
        max_common_layout(Layout!(((usize, usize, 32), usize):((usize, usize, 16), usize)), Layout!((4, usize):(16, usize)));
        max_common_layout(Layout!(((1, 4, 32), 2):((usize, usize, 16), 1)), Layout!((4, usize):(16, 1)));
        max_common_layout(Layout!(((3, 4), 4, 4):((usize, usize), usize, usize)), Layout!(32:1));
        max_common_layout(Layout!(((3, 4), 4, usize):((1, 3), 12, 48)), Layout!(32:1));
        max_common_layout(Layout!(((usize, usize), 4, usize):((usize, usize), usize, usize)), Layout!(32:1));
        max_common_layout(Layout!(((3, usize), 4, 4):((1, 3), 12, 48)), Layout!(usize:1));
    }
}

#[test]
fn tile_to_shape() {
    cases! {
        tile_to_shape(Layout!((4, 1):(10, 10)), Shape!((4, 3)));
        tile_to_shape(Layout!((4, 1):(usize, usize)), Shape!((4, 3)));
        tile_to_shape(Layout!((4, usize):(10, 10)), Shape!((4, 3)));
        tile_to_shape(Layout!((4, usize):(10, usize)), Shape!((4, 3)));
        tile_to_shape(Layout!((4, 1):(usize, usize)), Shape!((4, usize)));
        tile_to_shape(Layout!((6, 5):(usize, usize)), Shape!(8));
        tile_to_shape(Layout!((6, usize):(24, 8)), Shape!(8));
        tile_to_shape(Layout!((6, usize):(usize, 8)), Shape!(8));
        tile_to_shape(Layout!((usize, usize):(usize, usize)), Shape!(8));
        tile_to_shape(Layout!((8, 2):(1, 8)), Shape!((8, 2)));
        tile_to_shape(Layout!((8, 2):(usize, usize)), Shape!((8, 2)));
        tile_to_shape(Layout!((8, usize):(1, 8)), Shape!((8, 2)));
        tile_to_shape(Layout!((8, 2):(1, usize)), Shape!((8, 2)));
        tile_to_shape(Layout!((8, usize):(1, 8)), Shape!((8, usize)));
        tile_to_shape(Layout!((16, 16, 1):(usize, usize, usize)), Shape!((16, 48, 4)));
        tile_to_shape(Layout!((16, 16, usize):(1, 16, 16)), Shape!((usize, 48, usize)));
        tile_to_shape(Layout!((usize, usize, usize):(1, 16, usize)), Shape!((usize, 48, 4)));
        tile_to_shape(Layout!((16, 16, 1):(1, 16, 16)), Shape!((usize, 48, usize)));
        tile_to_shape(Layout!((8, 16):(1, 8)), Shape!((8, 16)));
        tile_to_shape(Layout!((8, 16):(usize, usize)), Shape!((8, 16)));
        tile_to_shape(Layout!((8, usize):(1, 8)), Shape!((8, 16)));
        tile_to_shape(Layout!((usize, usize):(1, 8)), Shape!((8, usize)));
        tile_to_shape(Layout!((usize, usize):(1, usize)), Shape!((8, usize)));
        tile_to_shape(Layout!((2, 6):(usize, usize)), Shape!((4, 18)));
        tile_to_shape(Layout!((2, usize):(6, 1)), Shape!((4, 18)));
        tile_to_shape(Layout!((usize, 6):(6, 1)), Shape!((4, 18)));
        tile_to_shape(Layout!((usize, 6):(usize, 1)), Shape!((4, 18)));
        tile_to_shape(Layout!((2, 2):(2, 1)), Shape!(5));
        tile_to_shape(Layout!((2, 2):(usize, usize)), Shape!(5));
        tile_to_shape(Layout!((2, usize):(2, 1)), Shape!(5));
        tile_to_shape(Layout!((2, 2):(usize, usize)), Shape!(5));
        tile_to_shape(Layout!((2, usize):(usize, 1)), Shape!(usize));
        tile_to_shape(Layout!((1, 32, (8, 2)):(usize, usize, (usize, usize))), Shape!((2, 64, 16)));
        tile_to_shape(Layout!((1, 32, (8, usize)):(1, 1, (32, 256))), Shape!((2, 64, 16)));
        tile_to_shape(Layout!((1, 32, (usize, usize)):(1, 1, (usize, 256))), Shape!((2, 64, 16)));
        tile_to_shape(Layout!((1, 32, (8, usize)):(1, 1, (usize, 256))), Shape!((2, usize, 16)));
        tile_to_shape(Layout!((32, (2, 1), 2):(4, (2, 128), 1)), Shape!((32, 2, 2)));
        tile_to_shape(Layout!((32, (2, 1), 2):(usize, (usize, usize), usize)), Shape!((32, 2, 2)));
        tile_to_shape(Layout!((32, (2, 1), usize):(4, (2, 128), 1)), Shape!((usize, 2, 2)));
        tile_to_shape(Layout!((usize, (usize, 1), usize):(usize, (usize, 128), usize)), Shape!((32, usize, usize)));
        tile_to_shape(Layout!((32, (usize, usize), 2):(4, (usize, 128), 1)), Shape!((32, 2, 2)));
        tile_to_shape(Layout!((2, 6):(usize, usize)), Shape!((2, 6)));
        tile_to_shape(Layout!((2, usize):(12, 5)), Shape!((2, usize)));
        tile_to_shape(Layout!((usize, 6):(usize, 5)), Shape!((usize, usize)));
        tile_to_shape(Layout!((2, usize):(12, 5)), Shape!((2, 6)));
    }
}

#[test]
fn upcast() {
    cases! {
        upcast(Layout!((32, 2, 32):(1, 64, 256)), Int!(8));
        upcast(Layout!((32, 2, 32):(usize, usize, usize)), Int!(8));
        upcast(Layout!((32, 2, usize):(1, 64, 256)), Int!(8));
        upcast(Layout!((32, 2, usize):(usize, usize, 256)), usize);
        upcast(Layout!((32, usize, 32):(1, 64, 256)), Int!(8));
        upcast(Layout!((16, 1, 4):(usize, usize, usize)), Int!(8));
        upcast(Layout!((16, 1, usize):(1, 16, 16)), Int!(8));
        upcast(Layout!((16, 1, 4):(1, usize, usize)), usize);
        upcast(Layout!((16, 1, 4):(1, 16, 16)), usize);
        upcast(Layout!((4, 6, 4):(1, 1, 24)), Int!(8));
        upcast(Layout!((4, 6, 4):(usize, usize, usize)), Int!(8));
        upcast(Layout!((4, 6, usize):(1, 1, 24)), Int!(8));
        upcast(Layout!((usize, 6, 4):(1, usize, 24)), usize);
        upcast(Layout!((4, usize, usize):(1, 1, 24)), Int!(8));
        upcast(Layout!((16, 4, 2):(usize, usize, usize)), Int!(4));
        upcast(Layout!((16, 4, usize):(1, 64, 16)), Int!(4));
        upcast(Layout!((16, usize, usize):(usize, usize, usize)), Int!(4));
        upcast(Layout!((16, 4, 2):(1, usize, usize)), usize);
        upcast(Layout!((2, 32):(1, 2)), Int!(4));
        upcast(Layout!((2, 32):(usize, usize)), Int!(4));
        upcast(Layout!((2, usize):(1, 2)), Int!(4));
        upcast(Layout!((usize, 32):(usize, 2)), Int!(4));
        upcast(Layout!((usize, usize):(1, 2)), Int!(4));
        upcast(Layout!((32, 2):(usize, usize)), Int!(4));
        upcast(Layout!((32, usize):(2, 1)), Int!(4));
        upcast(Layout!((usize, usize):(usize, usize)), usize);
        upcast(Layout!((32, 2):(2, 1)), Int!(4));
        upcast(Layout!((5, 3, 1):(1, 5, 15)), Int!(8));
        upcast(Layout!((5, 3, 1):(usize, usize, usize)), Int!(8));
        upcast(Layout!((5, 3, usize):(1, 5, 15)), Int!(8));
        upcast(Layout!((5, usize, usize):(usize, 5, usize)), Int!(8));
        upcast(Layout!((5, 3, usize):(1, 5, 15)), usize);
        upcast(Layout!((1, 1, 4):(usize, usize, usize)), Int!(2));
        upcast(Layout!((1, 1, usize):(4, 4, 1)), Int!(2));
        upcast(Layout!((1, 1, usize):(usize, usize, 1)), usize);
        upcast(Layout!((1, 1, 4):(4, usize, 1)), Int!(2));
        upcast(Layout!((1, 1):(1, 1)), Int!(8));
        upcast(Layout!((1, 1):(usize, usize)), Int!(8));
        upcast(Layout!((1, usize):(1, 1)), Int!(8));
        upcast(Layout!((1, 1):(usize, usize)), usize);
        upcast(Layout!((usize, usize):(1, usize)), Int!(8));
        upcast(Layout!((1, 2):(usize, usize)), Int!(4));
        upcast(Layout!((1, usize):(1, 0)), usize);
        upcast(Layout!((1, usize):(usize, usize)), Int!(4));
        upcast(Layout!((1, 2):(1, 0)), Int!(4));
    }
}

#[test]
fn downcast() {
    cases! {
        downcast(Layout!(((2, 3), (2, 4)):((1, 2), (6, 12))), Int!(2));
        downcast(Layout!(((2, 3), (2, 4)):((usize, usize), (usize, usize))), Int!(2));
        downcast(Layout!(((2, 3), (2, usize)):((1, 2), (6, 12))), Int!(2));
        downcast(Layout!(((usize, usize), (usize, 4)):((1, 2), (usize, 12))), Int!(2));
        downcast(Layout!(((usize, usize), (2, 4)):((1, 2), (6, usize))), Int!(2));
        downcast(Layout!((16, 4, 16):(usize, usize, usize)), Int!(8));
        downcast(Layout!((16, 4, usize):(128, 16, 1)), Int!(8));
        downcast(Layout!((usize, usize, 16):(usize, usize, 1)), Int!(8));
        downcast(Layout!((usize, 4, 16):(128, 16, usize)), Int!(8));
        downcast(Layout!((8, 16, 2):(2, 16, 1)), Int!(4));
        downcast(Layout!((8, 16, 2):(usize, usize, usize)), Int!(4));
        downcast(Layout!((8, 16, usize):(2, 16, 1)), Int!(4));
        downcast(Layout!((usize, 16, usize):(2, 16, usize)), Int!(4));
        downcast(Layout!((8, 16, usize):(usize, 16, 1)), Int!(4));
        downcast(Layout!((((8, 2), 4), 4):(((usize, usize), usize), usize)), Int!(8));
        downcast(Layout!((((8, 2), 4), usize):(((4, 0), 64), 1)), usize);
        downcast(Layout!((((usize, usize), usize), usize):(((4, usize), usize), 1)), Int!(8));
        downcast(Layout!((((8, usize), 4), 4):(((usize, 0), 64), usize)), Int!(8));
        downcast(Layout!((4, 2, 4):(8, 4, 1)), Int!(4));
        downcast(Layout!((4, 2, 4):(usize, usize, usize)), Int!(4));
        downcast(Layout!((4, 2, usize):(8, 4, 1)), Int!(4));
        downcast(Layout!((4, usize, usize):(8, usize, usize)), Int!(4));
        downcast(Layout!((4, 2, 4):(8, 4, 1)), Int!(4));
        downcast(Layout!((1, 4, 5):(usize, usize, usize)), Int!(8));
        downcast(Layout!((1, 4, usize):(20, 5, 1)), Int!(8));
        downcast(Layout!((usize, 4, 5):(20, usize, 1)), Int!(8));
        downcast(Layout!((1, usize, usize):(usize, usize, 1)), Int!(8));
        downcast(Layout!((8, 4):(4, 1)), Int!(8));
        downcast(Layout!((8, 4):(usize, usize)), Int!(8));
        downcast(Layout!((8, usize):(4, 1)), Int!(8));
        downcast(Layout!((8, usize):(4, usize)), Int!(8));
        downcast(Layout!((usize, usize):(4, usize)), Int!(8));
        downcast(Layout!((((4, 2), 32), 4):(((usize, usize), usize), usize)), Int!(4));
        downcast(Layout!((((4, 2), 32), usize):(((1, 4), 8), 256)), Int!(4));
        downcast(Layout!((((4, 2), 32), 4):(((1, 4), 8), usize)), usize);
        downcast(Layout!((((4, 2), 32), usize):(((usize, 4), 8), 256)), Int!(4));
        downcast(Layout!((6, (2, 3), 2):(0, (4, 8), 8)), Int!(8));
        downcast(Layout!((6, (2, 3), 2):(usize, (usize, usize), usize)), Int!(8));
        downcast(Layout!((6, (2, 3), usize):(0, (4, 8), 8)), usize);
        downcast(Layout!((6, (2, 3), usize):(usize, (4, 8), 8)), usize);
        downcast(Layout!((usize, (2, usize), usize):(usize, (4, 8), 8)), Int!(8));
        downcast(Layout!((16, 2):(usize, usize)), Int!(2));
        downcast(Layout!((16, usize):(1, 16)), usize);
        downcast(Layout!((16, usize):(1, 16)), usize);
        downcast(Layout!((usize, usize):(usize, usize)), Int!(2));
    }
}

#[test]
fn logical_divide() {
    cases! {
        logical_divide(Layout!((2, 2):(1, 0)), Layout!(4:1));
        logical_divide(Layout!((2, 2):(usize, usize)), Layout!(4:1));
        logical_divide(Layout!((2, usize):(1, 0)), Layout!(4:1));
        logical_divide(Layout!((2, 2):(1, usize)), Layout!(usize:1));
        logical_divide(Layout!((usize, usize):(1, 0)), Layout!(usize:usize));
        logical_divide(Layout!(((3, 2), 4):((usize, usize), usize)), Layout!(8:0));
        logical_divide(Layout!(((3, 2), usize):((16, 1), 2)), Layout!(usize:0));
        logical_divide(Layout!(((usize, usize), usize):((16, 1), usize)), Layout!(usize:0));
        logical_divide(Layout!(((3, usize), 4):((16, 1), 2)), Layout!(8:0));
        logical_divide(Layout!((4, 4):(1, 4)), Tiler!(4:1, 2));
        logical_divide(Layout!((4, 4):(usize, usize)), Tiler!(4:1, 2));
        logical_divide(Layout!((4, usize):(1, 4)), Tiler!(usize:1, 2));
        logical_divide(Layout!((4, usize):(usize, usize)), Tiler!(4:usize, 2));
        logical_divide(Layout!((usize, 4):(1, usize)), Tiler!(usize:1, 2));
        logical_divide(Layout!((3, 2):(usize, usize)), Tiler!(3:1, 2));
        logical_divide(Layout!((3, usize):(1, 3)), Tiler!(3:1, 2));
        logical_divide(Layout!((3, usize):(usize, usize)), Tiler!(3:1, 2));
        logical_divide(Layout!((3, usize):(1, 3)), Tiler!(3:usize, 2));
        logical_divide(Layout!((4, 32, 16, 4):(64, 256, 1, 16)), Tiler!(2:1));
        logical_divide(Layout!((4, 32, 16, 4):(usize, usize, usize, usize)), Tiler!(2:1));
        logical_divide(Layout!((4, 32, 16, usize):(64, 256, 1, 16)), Tiler!(2:1));
        logical_divide(Layout!((usize, usize, 16, 4):(64, usize, usize, usize)), Tiler!(2:1));
        logical_divide(Layout!((4, 32, 16, usize):(64, 256, 1, usize)), Tiler!(2:1));
        logical_divide(Layout!((8, 4, 1, 4):(usize, usize, usize, usize)), Layout!((4, 4):(1, 4)));
        logical_divide(Layout!((8, 4, 1, usize):(4, 32, 32, 1)), Layout!((4, 4):(1, 4)));
        logical_divide(Layout!((usize, usize, 1, usize):(4, usize, usize, usize)), Layout!((4, usize):(usize, 4)));
        logical_divide(Layout!((8, usize, usize, 4):(usize, usize, 32, 1)), Layout!((4, usize):(usize, 4)));
        logical_divide(Layout!(((4, 2), 1, 3):((0, 12), 24, 4)), Layout!(8:1));
        logical_divide(Layout!(((4, 2), 1, 3):((usize, usize), usize, usize)), Layout!(8:1));
        logical_divide(Layout!(((4, 2), 1, usize):((0, 12), 24, 4)), Layout!(8:1));
        logical_divide(Layout!(((usize, 2), usize, usize):((usize, 12), 24, 4)), Layout!(8:1));
        logical_divide(Layout!(((4, usize), 1, 3):((0, 12), usize, 4)), Layout!(usize:usize));
        logical_divide(Layout!(((16, 32), 32):((usize, usize), usize)), Layout!(4096:1));
        logical_divide(Layout!(((16, 32), usize):((1024, 1), 32)), Layout!(4096:usize));
        logical_divide(Layout!(((16, usize), usize):((1024, usize), 32)), Layout!(usize:1));
        logical_divide(Layout!(((16, usize), 32):((usize, usize), 32)), Layout!(usize:1));
        logical_divide(Layout!(((5, 2), 2, 5):((1, 5), 10, 20)), Layout!(5:1));
        logical_divide(Layout!(((5, 2), 2, 5):((usize, usize), usize, usize)), Layout!(5:1));
        logical_divide(Layout!(((5, 2), 2, usize):((1, 5), 10, 20)), Layout!(5:1));
        logical_divide(Layout!(((5, 2), usize, 5):((usize, usize), usize, usize)), Layout!(usize:1));
        logical_divide(Layout!(((usize, 2), 2, 5):((1, usize), usize, 20)), Layout!(usize:1));
        logical_divide(Layout!((1, 3, (2, 2)):(usize, usize, (usize, usize))), Tiler!(1:1, _, _));
        logical_divide(Layout!((1, 3, (2, usize)):(6, 0, (3, 6))), Tiler!(1:1, _, _));
        logical_divide(Layout!((usize, usize, (usize, 2)):(6, 0, (3, 6))), Tiler!(1:1, _, _));
        logical_divide(Layout!((usize, 3, (2, usize)):(usize, 0, (usize, usize))), Tiler!(1:usize, _, _));
    }
}

#[test]
fn zipped_divide() {
    cases! {
        zipped_divide(Layout!(((1, 6), 6):((216, 36), 2)), Layout!(4:1));
        zipped_divide(Layout!(((1, 6), 6):((usize, usize), usize)), Layout!(4:1));
        zipped_divide(Layout!(((1, 6), usize):((216, 36), 2)), Layout!(usize:1));
        zipped_divide(Layout!(((usize, usize), usize):((usize, usize), 2)), Layout!(usize:1));
        zipped_divide(Layout!(((1, usize), 6):((216, 36), usize)), Layout!(4:1));
        zipped_divide(Layout!((4, 2):(usize, usize)), Layout!(1:1));
        zipped_divide(Layout!((4, usize):(2, 1)), Layout!(1:1));
        zipped_divide(Layout!((usize, usize):(usize, usize)), Layout!(usize:1));
        zipped_divide(Layout!((4, 2):(usize, 1)), Layout!(usize:usize));
        zipped_divide(Layout!(((4, 4), 4):((16, 4), 1)), Layout!(64:1));
        zipped_divide(Layout!(((4, 4), 4):((usize, usize), usize)), Layout!(64:1));
        zipped_divide(Layout!(((4, 4), usize):((16, 4), 1)), Layout!(64:usize));
        zipped_divide(Layout!(((4, 4), usize):((16, 4), usize)), Layout!(usize:usize));
        zipped_divide(Layout!(((4, 4), 4):((16, 4), 1)), Layout!(64:usize));
        zipped_divide(Layout!((6, 8, 4, 4):(usize, usize, usize, usize)), Tiler!(1:3, 1, 4));
        zipped_divide(Layout!((6, 8, 4, usize):(128, 16, 4, 1)), Tiler!(usize:usize, 1, 4));
        zipped_divide(Layout!((usize, 8, usize, 4):(usize, 16, usize, usize)), Tiler!(1:3, usize, usize));
        zipped_divide(Layout!((usize, 8, 4, 4):(128, 16, 4, 1)), Tiler!(1:3, 1, 4));
        zipped_divide(Layout!((8, 4, 32):(4, 1, 32)), Tiler!(2:1, 1:1));
        zipped_divide(Layout!((8, 4, 32):(usize, usize, usize)), Tiler!(2:1, 1:1));
        zipped_divide(Layout!((8, 4, usize):(4, 1, 32)), Tiler!(usize:usize, usize:1));
        zipped_divide(Layout!((usize, 4, 32):(usize, usize, 32)), Tiler!(2:1, 1:1));
        zipped_divide(Layout!((8, 4, 32):(4, usize, usize)), Tiler!(usize:1, usize:usize));
        zipped_divide(Layout!((8, 8, 16):(usize, usize, usize)), Layout!(1024:1));
        zipped_divide(Layout!((8, 8, usize):(1, 8, 64)), Layout!(1024:1));
        zipped_divide(Layout!((8, usize, 16):(1, 8, 64)), Layout!(usize:1));
        zipped_divide(Layout!((usize, usize, 16):(1, 8, usize)), Layout!(1024:1));
        zipped_divide(Layout!((4, 2, 5):(5, 12, 8)), Layout!((1, 5):(5, 1)));
        zipped_divide(Layout!((4, 2, 5):(usize, usize, usize)), Layout!((1, 5):(5, 1)));
        zipped_divide(Layout!((4, 2, usize):(5, 12, 8)), Layout!((1, usize):(5, 1)));
        zipped_divide(Layout!((usize, 2, usize):(usize, usize, usize)), Layout!((1, 5):(usize, usize)));
        zipped_divide(Layout!((4, usize, 5):(usize, 12, 8)), Layout!((1, 5):(usize, 1)));
        zipped_divide(Layout!((2, 1):(usize, usize)), Layout!(2:1));
        zipped_divide(Layout!((2, usize):(1, 2)), Layout!(2:1));
        zipped_divide(Layout!((2, 1):(usize, usize)), Layout!(2:1));
        zipped_divide(Layout!((2, 1):(1, 2)), Layout!(2:usize));
        zipped_divide(Layout!((4, ((1, 3), 2)):(6, ((6, 2), 1))), Tiler!(2:1));
        zipped_divide(Layout!((4, ((1, 3), 2)):(usize, ((usize, usize), usize))), Tiler!(2:1));
        zipped_divide(Layout!((4, ((1, 3), usize)):(6, ((6, 2), 1))), Tiler!(usize:usize));
        zipped_divide(Layout!((usize, ((1, usize), 2)):(6, ((6, 2), 1))), Tiler!(2:1));
        zipped_divide(Layout!((usize, ((1, usize), usize)):(usize, ((6, 2), 1))), Tiler!(2:1));
        zipped_divide(Layout!((32, 16):(usize, usize)), Layout!(128:1));
        zipped_divide(Layout!((32, usize):(32, 1)), Layout!(usize:1));
        zipped_divide(Layout!((32, 16):(usize, usize)), Layout!(usize:1));
        zipped_divide(Layout!((usize, 16):(32, usize)), Layout!(128:1));
    }
}

#[test]
fn tiled_divide() {
    cases! {
        tiled_divide(Layout!((32, 1, 2):(2, 1, 1)), Layout!((1, 4):(4, 8)));
        tiled_divide(Layout!((32, 1, 2):(usize, usize, usize)), Layout!((1, 4):(4, 8)));
        tiled_divide(Layout!((32, 1, usize):(2, 1, 1)), Layout!((1, 4):(usize, usize)));
        tiled_divide(Layout!((32, 1, 2):(2, 1, usize)), Layout!((usize, 4):(usize, 8)));
        tiled_divide(Layout!((32, 1, 2):(2, 1, 1)), Layout!((1, usize):(4, usize)));
        tiled_divide(Layout!(((1, 16), 1, 8):((usize, usize), usize, usize)), Tiler!(8));
        tiled_divide(Layout!(((1, 16), 1, usize):((1, 1), 1, 16)), Tiler!(8));
        tiled_divide(Layout!(((usize, 16), usize, usize):((1, usize), usize, usize)), Tiler!(8));
        tiled_divide(Layout!(((1, 16), 1, 8):((1, 1), 1, usize)), Tiler!(8));
        tiled_divide(Layout!((32, 1, 4):(4, 128, 1)), Tiler!(8));
        tiled_divide(Layout!((32, 1, 4):(usize, usize, usize)), Tiler!(8));
        tiled_divide(Layout!((32, 1, usize):(4, 128, 1)), Tiler!(usize));
        tiled_divide(Layout!((usize, usize, usize):(usize, 128, 1)), Tiler!(8));
        tiled_divide(Layout!((usize, usize, 4):(4, usize, 1)), Tiler!(8));
        tiled_divide(Layout!(((32, 4), 32):((usize, usize), usize)), Layout!(8:1));
        tiled_divide(Layout!(((32, 4), usize):((1, 2048), 32)), Layout!(8:1));
        tiled_divide(Layout!(((32, usize), 32):((1, 2048), 32)), Layout!(usize:1));
        tiled_divide(Layout!(((usize, 4), usize):((1, 2048), usize)), Layout!(8:usize));
        tiled_divide(Layout!((2, 1, (4, 32)):(1, 16, (2, 32))), Tiler!(1:2, 1:1));
        tiled_divide(Layout!((2, 1, (4, 32)):(usize, usize, (usize, usize))), Tiler!(1:2, 1:1));
        tiled_divide(Layout!((2, 1, (4, usize)):(1, 16, (2, 32))), Tiler!(1:usize, 1:1));
        tiled_divide(Layout!((usize, usize, (usize, usize)):(usize, 16, (2, 32))), Tiler!(1:2, usize:1));
        tiled_divide(Layout!((2, 1, (usize, 32)):(usize, usize, (2, 32))), Tiler!(1:2, usize:1));
        tiled_divide(Layout!((3, 2):(usize, usize)), Tiler!(_));
        tiled_divide(Layout!((3, usize):(16, 2)), Tiler!(_));
        tiled_divide(Layout!((3, usize):(16, usize)), Tiler!(_));
        tiled_divide(Layout!((3, usize):(16, 2)), Tiler!(_));
        tiled_divide(Layout!((6, (3, 4)):(8, (48, 2))), Layout!(4:18));
        tiled_divide(Layout!((6, (3, 4)):(usize, (usize, usize))), Layout!(4:18));
        tiled_divide(Layout!((6, (3, usize)):(8, (48, 2))), Layout!(4:18));
        tiled_divide(Layout!((usize, (3, 4)):(8, (usize, usize))), Layout!(4:18));
        tiled_divide(Layout!((usize, (3, usize)):(8, (48, usize))), Layout!(4:18));
        tiled_divide(Layout!((4, 6):(usize, usize)), Layout!(4:0));
        tiled_divide(Layout!((4, usize):(6, 1)), Layout!(4:usize));
        tiled_divide(Layout!((usize, 6):(6, usize)), Layout!(4:0));
        tiled_divide(Layout!((4, 6):(6, usize)), Layout!(4:0));
        tiled_divide(Layout!((3, (5, 2), 5):(50, (5, 25), 1)), Tiler!(1:3));
        tiled_divide(Layout!((3, (5, 2), 5):(usize, (usize, usize), usize)), Tiler!(1:3));
        tiled_divide(Layout!((3, (5, 2), usize):(50, (5, 25), 1)), Tiler!(1:3));
        tiled_divide(Layout!((3, (5, 2), usize):(usize, (5, 25), usize)), Tiler!(1:3));
        tiled_divide(Layout!((3, (usize, usize), 5):(50, (5, usize), 1)), Tiler!(usize:3));
        tiled_divide(Layout!(((2, 4, 4), 6):((usize, usize, usize), usize)), Layout!(8:2));
        tiled_divide(Layout!(((2, 4, 4), usize):((96, 24, 6), 1)), Layout!(8:usize));
        tiled_divide(Layout!(((2, usize, 4), usize):((usize, 24, usize), usize)), Layout!(usize:2));
        tiled_divide(Layout!(((2, 4, usize), usize):((96, usize, usize), 1)), Layout!(8:2));
    }
}

#[test]
fn flat_divide() {
    cases! {
        flat_divide(Layout!((1, 2):(1, 1)), Layout!(1:2));
        flat_divide(Layout!((1, 2):(usize, usize)), Layout!(1:2));
        flat_divide(Layout!((1, usize):(1, 1)), Layout!(usize:2));
        flat_divide(Layout!((usize, 2):(1, 1)), Layout!(usize:usize));
        flat_divide(Layout!((usize, 2):(usize, 1)), Layout!(1:2));
        flat_divide(Layout!((6, 4, (3, 2)):(usize, usize, (usize, usize))), Layout!(8:1));
        flat_divide(Layout!((6, 4, (3, usize)):(16, 1, (3, 6))), Layout!(usize:1));
        flat_divide(Layout!((usize, usize, (usize, 2)):(usize, usize, (3, usize))), Layout!(8:1));
        flat_divide(Layout!((6, 4, (3, 2)):(16, 1, (3, usize))), Layout!(8:1));
        flat_divide(Layout!(((1, 3), 4):((1, 1), 3)), Tiler!(1:1));
        flat_divide(Layout!(((1, 3), 4):((usize, usize), usize)), Tiler!(1:1));
        flat_divide(Layout!(((1, 3), usize):((1, 1), 3)), Tiler!(1:1));
        flat_divide(Layout!(((1, 3), 4):((1, usize), 3)), Tiler!(usize:1));
        flat_divide(Layout!(((1, usize), 4):((1, 1), 3)), Tiler!(usize:1));
        flat_divide(Layout!((8, 1, (1, 2)):(usize, usize, (usize, usize))), Tiler!(4:1, 1));
        flat_divide(Layout!((8, 1, (1, usize)):(2, 16, (32, 1))), Tiler!(4:1, 1));
        flat_divide(Layout!((8, 1, (usize, 2)):(2, usize, (32, usize))), Tiler!(4:usize, 1));
        flat_divide(Layout!((usize, 1, (usize, 2)):(2, 16, (usize, usize))), Tiler!(4:1, usize));
        flat_divide(Layout!(((5, 4, 4), 4):((144, 12, 1), 1440)), Layout!(32:10));
        flat_divide(Layout!(((5, 4, 4), 4):((usize, usize, usize), usize)), Layout!(32:10));
        flat_divide(Layout!(((5, 4, 4), usize):((144, 12, 1), 1440)), Layout!(32:10));
        flat_divide(Layout!(((usize, usize, 4), 4):((usize, 12, 1), 1440)), Layout!(usize:10));
        flat_divide(Layout!(((5, 4, 4), 4):((144, 12, 1), 1440)), Layout!(usize:10));
        flat_divide(Layout!((8, (16, 4), 1):(usize, (usize, usize), usize)), Layout!(2:16));
        flat_divide(Layout!((8, (16, 4), usize):(128, (1, 16), 1024)), Layout!(2:16));
        flat_divide(Layout!((usize, (usize, usize), usize):(usize, (1, 16), 1024)), Layout!(2:usize));
        flat_divide(Layout!((usize, (16, 4), 1):(128, (1, 16), usize)), Layout!(2:usize));
        flat_divide(Layout!((2, (6, 4, 1)):(1, (32, 2, 192))), Layout!(5:1));
        flat_divide(Layout!((2, (6, 4, 1)):(usize, (usize, usize, usize))), Layout!(5:1));
        flat_divide(Layout!((2, (6, 4, usize)):(1, (32, 2, 192))), Layout!(5:1));
        flat_divide(Layout!((usize, (usize, usize, usize)):(usize, (32, 2, 192))), Layout!(5:1));
        flat_divide(Layout!((usize, (usize, 4, 1)):(1, (usize, 2, 192))), Layout!(5:1));
        flat_divide(Layout!(((8, 8), (16, 8)):((usize, usize), (usize, usize))), Layout!((8, 2):(4, 1)));
        flat_divide(Layout!(((8, 8), (16, usize)):((1024, 128), (1, 16))), Layout!((8, 2):(4, 1)));
        flat_divide(Layout!(((usize, usize), (16, usize)):((1024, usize), (usize, usize))), Layout!((8, 2):(4, 1)));
        flat_divide(Layout!(((8, 8), (16, 8)):((usize, 128), (1, 16))), Layout!((usize, 2):(4, 1)));
        flat_divide(Layout!((8, (3, 5)):(3, (1, 24))), Tiler!(8));
        flat_divide(Layout!((8, (3, 5)):(usize, (usize, usize))), Tiler!(8));
        flat_divide(Layout!((8, (3, usize)):(3, (1, 24))), Tiler!(8));
        flat_divide(Layout!((8, (3, usize)):(usize, (usize, usize))), Tiler!(8));
        flat_divide(Layout!((usize, (3, 5)):(3, (1, usize))), Tiler!(usize));
        flat_divide(Layout!((2, 2):(usize, usize)), Tiler!(1));
        flat_divide(Layout!((2, usize):(2, 1)), Tiler!(1));
        flat_divide(Layout!((2, usize):(usize, 1)), Tiler!(1));
        flat_divide(Layout!((2, usize):(2, usize)), Tiler!(1));
    }
}

#[test]
fn logical_product() {
    cases! {
        logical_product(Layout!((6, 2, 5):(1, 24, 3)), Layout!((16, 16, (1, 8)):(1, 16, (256, 256))));
        logical_product(Layout!((6, 2, 5):(usize, usize, usize)), Layout!((16, 16, (1, 8)):(1, 16, (256, 256))));
        logical_product(Layout!((6, 2, usize):(1, 24, 3)), Layout!((usize, 16, (usize, usize)):(1, 16, (256, 256))));
        logical_product(Layout!((usize, usize, 5):(usize, 24, 3)), Layout!((16, 16, (usize, 8)):(1, 16, (256, 256))));
        logical_product(Layout!((6, 2, usize):(usize, usize, usize)), Layout!((usize, usize, (usize, 8)):(1, usize, (256, 256))));
        logical_product(Layout!((8, 3):(usize, usize)), Tiler!(4, 2));
        logical_product(Layout!((8, usize):(3, 1)), Tiler!(4, 2));
        logical_product(Layout!((usize, usize):(usize, usize)), Tiler!(4, 2));
        logical_product(Layout!((8, 3):(3, usize)), Tiler!(4, 2));
        logical_product(Layout!((16, 2):(1, 16)), Layout!((1, 8):(0, 1)));
        logical_product(Layout!((16, 2):(usize, usize)), Layout!((1, 8):(0, 1)));
        logical_product(Layout!((16, usize):(1, 16)), Layout!((1, 8):(usize, 1)));
        logical_product(Layout!((16, 2):(1, 16)), Layout!((usize, usize):(0, 1)));
        logical_product(Layout!((16, 2):(1, usize)), Layout!((1, usize):(usize, 1)));
        logical_product(Layout!((3, 4):(usize, usize)), Layout!(8:1));
        logical_product(Layout!((3, usize):(4, 1)), Layout!(usize:1));
        logical_product(Layout!((usize, 4):(4, usize)), Layout!(usize:usize));
        logical_product(Layout!((3, 4):(usize, 1)), Layout!(usize:1));
        logical_product(Layout!((2, 8, 16):(128, 1, 8)), Tiler!(3, 3, 4));
        logical_product(Layout!((2, 8, 16):(usize, usize, usize)), Tiler!(3, 3, 4));
        logical_product(Layout!((2, 8, usize):(128, 1, 8)), Tiler!(3, 3, 4));
        logical_product(Layout!((2, 8, usize):(usize, 1, usize)), Tiler!(3, 3, usize));
        logical_product(Layout!((2, usize, usize):(128, 1, 8)), Tiler!(3, 3, usize));
        logical_product(Layout!((1, 16, (16, 4)):(usize, usize, (usize, usize))), Layout!((8, 2):(1, 8)));
        logical_product(Layout!((1, 16, (16, usize)):(1, 32, (1, 512))), Layout!((8, 2):(1, usize)));
        logical_product(Layout!((usize, usize, (16, usize)):(usize, 32, (1, 512))), Layout!((8, usize):(1, 8)));
        logical_product(Layout!((usize, 16, (16, 4)):(1, 32, (1, 512))), Layout!((8, usize):(1, usize)));
        logical_product(Layout!(((1, 8), 2, 8):((1, 1), 64, 8)), Layout!((4, 8, 16):(16, 64, 1)));
        logical_product(Layout!(((1, 8), 2, 8):((usize, usize), usize, usize)), Layout!((4, 8, 16):(16, 64, 1)));
        logical_product(Layout!(((1, 8), 2, usize):((1, 1), 64, 8)), Layout!((4, 8, usize):(16, 64, 1)));
        logical_product(Layout!(((usize, usize), usize, usize):((usize, 1), usize, usize)), Layout!((usize, 8, usize):(16, 64, 1)));
        logical_product(Layout!(((usize, 8), 2, usize):((1, 1), usize, 8)), Layout!((4, usize, 16):(16, 64, 1)));
        logical_product(Layout!((2, 32, 4):(usize, usize, usize)), Layout!(4:1));
        logical_product(Layout!((2, 32, usize):(1, 2, 64)), Layout!(4:usize));
        logical_product(Layout!((2, usize, 4):(usize, usize, usize)), Layout!(usize:1));
        logical_product(Layout!((2, usize, 4):(usize, usize, 64)), Layout!(4:1));
        logical_product(Layout!((2, 1):(1, 2)), Layout!((32, 32):(1, 64)));
        logical_product(Layout!((2, 1):(usize, usize)), Layout!((32, 32):(1, 64)));
        logical_product(Layout!((2, usize):(1, 2)), Layout!((32, 32):(usize, 64)));
        logical_product(Layout!((2, 1):(usize, usize)), Layout!((usize, usize):(usize, 64)));
        logical_product(Layout!((usize, 1):(usize, usize)), Layout!((usize, 32):(1, usize)));
        logical_product(Layout!((5, 8):(usize, usize)), Layout!(6:1));
        logical_product(Layout!((5, usize):(0, 5)), Layout!(usize:1));
        logical_product(Layout!((usize, usize):(0, usize)), Layout!(6:usize));
        logical_product(Layout!((5, 8):(usize, 5)), Layout!(usize:usize));
    }
}

#[test]
fn zipped_product() {
    cases! {
        zipped_product(Layout!(((1, 2), 2):((1, 1), 2)), Tiler!(2, 3));
        zipped_product(Layout!(((1, 2), 2):((usize, usize), usize)), Tiler!(2, 3));
        zipped_product(Layout!(((1, 2), usize):((1, 1), 2)), Tiler!(2, 3));
        zipped_product(Layout!(((1, 2), usize):((1, usize), 2)), Tiler!(usize, usize));
        zipped_product(Layout!(((usize, 2), 2):((1, 1), usize)), Tiler!(2, usize));
        zipped_product(Layout!((8, (32, 1, 2)):(usize, (usize, usize, usize))), Tiler!(1, 2));
        zipped_product(Layout!((8, (32, 1, usize)):(1, (8, 256, 512))), Tiler!(usize, 2));
        zipped_product(Layout!((usize, (32, 1, usize)):(usize, (usize, 256, usize))), Tiler!(1, 2));
        zipped_product(Layout!((8, (32, usize, 2)):(1, (8, usize, usize))), Tiler!(usize, usize));
        zipped_product(Layout!((1, (2, 32), 8):(16, (1, 32), 2)), Layout!(4:1));
        zipped_product(Layout!((1, (2, 32), 8):(usize, (usize, usize), usize)), Layout!(4:1));
        zipped_product(Layout!((1, (2, 32), usize):(16, (1, 32), 2)), Layout!(usize:1));
        zipped_product(Layout!((1, (2, 32), 8):(usize, (usize, 32), usize)), Layout!(4:1));
        zipped_product(Layout!((usize, (usize, 32), 8):(usize, (1, 32), 2)), Layout!(usize:1));
        zipped_product(Layout!((6, 2):(usize, usize)), Tiler!(4, 4));
        zipped_product(Layout!((6, usize):(2, 0)), Tiler!(4, 4));
        zipped_product(Layout!((usize, usize):(usize, 0)), Tiler!(4, 4));
        zipped_product(Layout!((6, 2):(usize, 0)), Tiler!(4, 4));
        zipped_product(Layout!((1, 6, 4):(1, 4, 1)), Layout!(8:0));
        zipped_product(Layout!((1, 6, 4):(usize, usize, usize)), Layout!(8:0));
        zipped_product(Layout!((1, 6, usize):(1, 4, 1)), Layout!(8:0));
        zipped_product(Layout!((1, usize, 4):(1, usize, 1)), Layout!(8:0));
        zipped_product(Layout!((1, usize, usize):(usize, 4, 1)), Layout!(8:0));
        zipped_product(Layout!((2, (8, 4, 16)):(usize, (usize, usize, usize))), Layout!((8, 16):(16, 1)));
        zipped_product(Layout!((2, (8, 4, usize)):(128, (8, 1, 256))), Layout!((8, 16):(16, usize)));
        zipped_product(Layout!((usize, (8, 4, usize)):(128, (usize, usize, usize))), Layout!((8, usize):(16, 1)));
        zipped_product(Layout!((usize, (usize, 4, 16)):(128, (8, 1, usize))), Layout!((usize, 16):(16, usize)));
        zipped_product(Layout!((16, 1, 4):(4, 64, 1)), Tiler!(1, 4, 3));
        zipped_product(Layout!((16, 1, 4):(usize, usize, usize)), Tiler!(1, 4, 3));
        zipped_product(Layout!((16, 1, usize):(4, 64, 1)), Tiler!(1, 4, 3));
        zipped_product(Layout!((16, 1, 4):(usize, 64, usize)), Tiler!(1, 4, 3));
        zipped_product(Layout!((16, usize, 4):(usize, usize, usize)), Tiler!(1, 4, usize));
        zipped_product(Layout!((32, 4, 1):(usize, usize, usize)), Tiler!(4, 1, 1));
        zipped_product(Layout!((32, 4, usize):(4, 1, 4)), Tiler!(4, usize, 1));
        zipped_product(Layout!((32, usize, 1):(usize, 1, 4)), Tiler!(4, usize, 1));
        zipped_product(Layout!((32, 4, usize):(4, 1, 4)), Tiler!(usize, 1, usize));
        zipped_product(Layout!((1, 8, 2):(8, 1, 8)), Tiler!(1, 4, 2));
        zipped_product(Layout!((1, 8, 2):(usize, usize, usize)), Tiler!(1, 4, 2));
        zipped_product(Layout!((1, 8, usize):(8, 1, 8)), Tiler!(usize, usize, 2));
        zipped_product(Layout!((usize, usize, 2):(8, usize, 8)), Tiler!(1, 4, 2));
        zipped_product(Layout!((1, 8, 2):(8, 1, 8)), Tiler!(usize, 4, 2));
        zipped_product(Layout!(((2, (16, 4)), 16):((usize, (usize, usize)), usize)), Layout!((3, 3):(3, 1)));
        zipped_product(Layout!(((2, (16, 4)), usize):((1, (2, 32)), 128)), Layout!((3, 3):(3, 1)));
        zipped_product(Layout!(((usize, (16, usize)), usize):((1, (usize, 32)), usize)), Layout!((usize, 3):(usize, 1)));
        zipped_product(Layout!(((usize, (usize, usize)), 16):((usize, (usize, 32)), 128)), Layout!((3, usize):(usize, usize)));
    }
}

#[test]
fn tiled_product() {
    cases! {
        tiled_product(Layout!((6, 4):(1, 6)), Layout!((2, 8):(1, 2)));
        tiled_product(Layout!((6, 4):(usize, usize)), Layout!((2, 8):(1, 2)));
        tiled_product(Layout!((6, usize):(1, 6)), Layout!((2, usize):(1, 2)));
        tiled_product(Layout!((usize, usize):(usize, 6)), Layout!((2, usize):(1, usize)));
        tiled_product(Layout!((usize, 4):(1, usize)), Layout!((2, 8):(1, 2)));
        tiled_product(Layout!((32, (4, 1)):(usize, (usize, usize))), Tiler!(4, 1));
        tiled_product(Layout!((32, (4, usize)):(1, (64, 256))), Tiler!(usize, usize));
        tiled_product(Layout!((32, (usize, usize)):(usize, (usize, 256))), Tiler!(usize, 1));
        tiled_product(Layout!((usize, (4, 1)):(1, (64, 256))), Tiler!(4, usize));
        tiled_product(Layout!((1, 2, 32, 8):(64, 1, 2, 64)), Tiler!(1, 3, 3, 3));
        tiled_product(Layout!((1, 2, 32, 8):(usize, usize, usize, usize)), Tiler!(1, 3, 3, 3));
        tiled_product(Layout!((1, 2, 32, usize):(64, 1, 2, 64)), Tiler!(1, 3, usize, 3));
        tiled_product(Layout!((usize, 2, usize, 8):(64, 1, 2, usize)), Tiler!(usize, 3, 3, 3));
        tiled_product(Layout!((1, 2, 32, 8):(64, 1, 2, 64)), Tiler!(1, 3, usize, 3));
        tiled_product(Layout!(((1, 5), 2):((usize, usize), usize)), Layout!((3, 6):(24, 4)));
        tiled_product(Layout!(((1, 5), usize):((2, 24), 12)), Layout!((3, 6):(24, 4)));
        tiled_product(Layout!(((usize, usize), 2):((2, 24), usize)), Layout!((3, usize):(24, 4)));
        tiled_product(Layout!(((1, usize), usize):((2, 24), 12)), Layout!((3, 6):(usize, 4)));
        tiled_product(Layout!((1, 2, 4):(1, 1, 2)), Tiler!(2, 3, 1));
        tiled_product(Layout!((1, 2, 4):(usize, usize, usize)), Tiler!(2, 3, 1));
        tiled_product(Layout!((1, 2, usize):(1, 1, 2)), Tiler!(2, 3, usize));
        tiled_product(Layout!((usize, usize, 4):(1, usize, usize)), Tiler!(usize, 3, 1));
        tiled_product(Layout!((1, 2, usize):(1, 1, 2)), Tiler!(2, usize, 1));
        tiled_product(Layout!((4, 6):(usize, usize)), Layout!(4:1));
        tiled_product(Layout!((4, usize):(6, 1)), Layout!(4:1));
        tiled_product(Layout!((4, usize):(6, 1)), Layout!(4:1));
        tiled_product(Layout!((4, 6):(usize, 1)), Layout!(4:1));
        tiled_product(Layout!((5, 3, 2):(2, 0, 1)), Tiler!(4, 3, 3));
        tiled_product(Layout!((5, 3, 2):(usize, usize, usize)), Tiler!(4, 3, 3));
        tiled_product(Layout!((5, 3, usize):(2, 0, 1)), Tiler!(4, usize, 3));
        tiled_product(Layout!((usize, 3, usize):(usize, 0, usize)), Tiler!(4, 3, usize));
        tiled_product(Layout!((usize, 3, 2):(2, usize, 1)), Tiler!(4, 3, usize));
        tiled_product(Layout!((5, 8):(usize, usize)), Layout!((8, 1, (16, 2)):(1, 16, (16, 8))));
        tiled_product(Layout!((5, usize):(1, 5)), Layout!((8, 1, (16, 2)):(usize, 16, (16, usize))));
        tiled_product(Layout!((usize, 8):(1, 5)), Layout!((usize, usize, (16, usize)):(1, usize, (usize, 8))));
        tiled_product(Layout!((5, 8):(usize, 5)), Layout!((8, 1, (16, 2)):(usize, 16, (16, 8))));
        tiled_product(Layout!((2, 1, 8):(8, 8, 1)), Layout!((1, 3):(4, 12)));
        tiled_product(Layout!((2, 1, 8):(usize, usize, usize)), Layout!((1, 3):(4, 12)));
        tiled_product(Layout!((2, 1, usize):(8, 8, 1)), Layout!((1, 3):(4, usize)));
        tiled_product(Layout!((2, 1, usize):(usize, 8, 1)), Layout!((1, 3):(4, 12)));
        tiled_product(Layout!((2, 1, 8):(usize, usize, usize)), Layout!((usize, usize):(usize, 12)));
        tiled_product(Layout!((5, 6):(usize, usize)), Tiler!(1, 1));
        tiled_product(Layout!((5, usize):(6, 1)), Tiler!(1, 1));
        tiled_product(Layout!((5, 6):(usize, 1)), Tiler!(1, 1));
        tiled_product(Layout!((5, 6):(6, usize)), Tiler!(usize, 1));
    }
}

#[test]
fn flat_product() {
    cases! {
        flat_product(Layout!((4, 8):(8, 1)), Tiler!(3, 1));
        flat_product(Layout!((4, 8):(usize, usize)), Tiler!(3, 1));
        flat_product(Layout!((4, usize):(8, 1)), Tiler!(3, 1));
        flat_product(Layout!((usize, usize):(8, 1)), Tiler!(usize, 1));
        flat_product(Layout!((4, 8):(8, 1)), Tiler!(usize, 1));
        flat_product(Layout!((2, 32):(usize, usize)), Layout!(4:0));
        flat_product(Layout!((2, usize):(1, 2)), Layout!(4:0));
        flat_product(Layout!((usize, 32):(usize, 2)), Layout!(usize:0));
        flat_product(Layout!((usize, 32):(1, 2)), Layout!(4:0));
        flat_product(Layout!((4, 4):(1, 4)), Tiler!(3, 4));
        flat_product(Layout!((4, 4):(usize, usize)), Tiler!(3, 4));
        flat_product(Layout!((4, usize):(1, 4)), Tiler!(3, usize));
        flat_product(Layout!((usize, 4):(1, 4)), Tiler!(3, 4));
        flat_product(Layout!((usize, 4):(1, 4)), Tiler!(3, 4));
        flat_product(Layout!((6, 5):(usize, usize)), Layout!(1:1));
        flat_product(Layout!((6, usize):(0, 6)), Layout!(usize:usize));
        flat_product(Layout!((usize, usize):(0, usize)), Layout!(1:usize));
        flat_product(Layout!((6, usize):(0, 6)), Layout!(1:1));
        flat_product(Layout!((6, (8, 3)):(3, (18, 0))), Tiler!(3, 3));
        flat_product(Layout!((6, (8, 3)):(usize, (usize, usize))), Tiler!(3, 3));
        flat_product(Layout!((6, (8, usize)):(3, (18, 0))), Tiler!(3, usize));
        flat_product(Layout!((usize, (8, 3)):(usize, (usize, 0))), Tiler!(usize, 3));
        flat_product(Layout!((6, (usize, 3)):(3, (18, 0))), Tiler!(3, usize));
        flat_product(Layout!((2, 5, 4):(usize, usize, usize)), Layout!((2, 3):(1, 0)));
        flat_product(Layout!((2, 5, usize):(16, 10, 4)), Layout!((2, usize):(1, 0)));
        flat_product(Layout!((2, 5, 4):(16, usize, 4)), Layout!((2, usize):(1, 0)));
        flat_product(Layout!((2, usize, 4):(usize, 10, usize)), Layout!((usize, 3):(usize, 0)));
        flat_product(Layout!((1, 1, 8):(8, 1, 1)), Layout!(2:6));
        flat_product(Layout!((1, 1, 8):(usize, usize, usize)), Layout!(2:6));
        flat_product(Layout!((1, 1, usize):(8, 1, 1)), Layout!(2:6));
        flat_product(Layout!((usize, 1, 8):(8, 1, usize)), Layout!(2:6));
        flat_product(Layout!((1, 1, usize):(8, usize, 1)), Layout!(2:6));
        flat_product(Layout!((5, 3, 2):(usize, usize, usize)), Layout!((16, (16, 2), 4):(1, (64, 32), 1024)));
        flat_product(Layout!((5, 3, usize):(12, 4, 2)), Layout!((16, (16, 2), 4):(1, (64, 32), usize)));
        flat_product(Layout!((usize, 3, usize):(usize, usize, 2)), Layout!((16, (16, usize), 4):(usize, (64, 32), 1024)));
        flat_product(Layout!((5, 3, usize):(12, 4, 2)), Layout!((16, (16, 2), usize):(usize, (usize, 32), usize)));
        flat_product(Layout!((4, 1):(1, 1)), Layout!((8, 2, 2):(1, 16, 8)));
        flat_product(Layout!((4, 1):(usize, usize)), Layout!((8, 2, 2):(1, 16, 8)));
        flat_product(Layout!((4, usize):(1, 1)), Layout!((8, 2, 2):(usize, usize, 8)));
        flat_product(Layout!((usize, usize):(usize, 1)), Layout!((usize, usize, 2):(1, 16, usize)));
        flat_product(Layout!((usize, usize):(usize, 1)), Layout!((8, 2, usize):(usize, usize, 8)));
        flat_product(Layout!((8, 8):(usize, usize)), Tiler!(1, 1));
        flat_product(Layout!((8, usize):(1, 16)), Tiler!(1, 1));
        flat_product(Layout!((8, 8):(1, usize)), Tiler!(1, 1));
        flat_product(Layout!((usize, 8):(usize, usize)), Tiler!(usize, 1));
    }
}

#[test]
fn blocked_product() {
    cases! {
        blocked_product(Layout!((4, (6, 4)):(3, (10, 10))), Layout!(4:1));
        blocked_product(Layout!((4, (6, 4)):(usize, (usize, usize))), Layout!(4:1));
        blocked_product(Layout!((4, (6, usize)):(3, (10, 10))), Layout!(usize:1));
        blocked_product(Layout!((usize, (usize, 4)):(usize, (usize, usize))), Layout!(usize:1));
        blocked_product(Layout!((4, (usize, 4)):(usize, (10, usize))), Layout!(4:1));
        blocked_product(Layout!((2, 1):(usize, usize)), Layout!(((32, 4), 16, 4):((256, 16), 1, 64)));
        blocked_product(Layout!((2, usize):(24, 24)), Layout!(((32, 4), usize, usize):((256, 16), usize, usize)));
        blocked_product(Layout!((2, usize):(24, usize)), Layout!(((usize, 4), 16, 4):((256, usize), 1, 64)));
        blocked_product(Layout!((2, 1):(usize, 24)), Layout!(((32, 4), 16, 4):((usize, 16), 1, usize)));
        blocked_product(Layout!(((16, 8), 32):((1, 512), 16)), Layout!((2, 5):(5, 1)));
        blocked_product(Layout!(((16, 8), 32):((usize, usize), usize)), Layout!((2, 5):(5, 1)));
        blocked_product(Layout!(((16, 8), usize):((1, 512), 16)), Layout!((usize, usize):(5, usize)));
        blocked_product(Layout!(((usize, usize), usize):((usize, usize), usize)), Layout!((2, usize):(5, usize)));
        blocked_product(Layout!(((usize, 8), usize):((1, usize), 16)), Layout!((usize, usize):(5, 1)));
        blocked_product(Layout!((1, (4, 4)):(usize, (usize, usize))), Layout!((3, 1, 2):(1, 3, 3)));
        blocked_product(Layout!((1, (4, usize)):(4, (1, 4))), Layout!((3, 1, 2):(1, 3, 3)));
        blocked_product(Layout!((1, (4, usize)):(4, (1, usize))), Layout!((usize, 1, 2):(usize, 3, 3)));
        blocked_product(Layout!((1, (usize, 4)):(usize, (1, 4))), Layout!((3, 1, usize):(1, 3, usize)));
        blocked_product(Layout!((5, 1):(3, 15)), Layout!((3, 2):(1, 12)));
        blocked_product(Layout!((5, 1):(usize, usize)), Layout!((3, 2):(1, 12)));
        blocked_product(Layout!((5, usize):(3, 15)), Layout!((3, usize):(1, usize)));
        blocked_product(Layout!((5, usize):(usize, usize)), Layout!((usize, 2):(usize, 12)));
        blocked_product(Layout!((5, 1):(3, 15)), Layout!((3, usize):(usize, 12)));
        blocked_product(Layout!((16, 2, 1):(usize, usize, usize)), Layout!((3, 4, 4):(1, 3, 12)));
        blocked_product(Layout!((16, 2, usize):(1, 16, 32)), Layout!((3, 4, 4):(1, 3, 12)));
        blocked_product(Layout!((usize, usize, 1):(1, 16, usize)), Layout!((usize, 4, 4):(1, 3, 12)));
        blocked_product(Layout!((usize, 2, 1):(1, 16, 32)), Layout!((3, 4, 4):(1, usize, 12)));
        blocked_product(Layout!((3, 4):(1, 3)), Layout!((16, 2, 32):(64, 1, 2)));
        blocked_product(Layout!((3, 4):(usize, usize)), Layout!((16, 2, 32):(64, 1, 2)));
        blocked_product(Layout!((3, usize):(1, 3)), Layout!((16, 2, 32):(64, usize, 2)));
        blocked_product(Layout!((usize, 4):(1, usize)), Layout!((16, usize, usize):(64, 1, usize)));
        blocked_product(Layout!((3, usize):(1, 3)), Layout!((usize, 2, usize):(64, 1, 2)));
        blocked_product(Layout!((6, 6, 1):(usize, usize, usize)), Layout!(6:1));
        blocked_product(Layout!((6, 6, usize):(1, 6, 36)), Layout!(6:1));
        blocked_product(Layout!((usize, usize, 1):(usize, usize, 36)), Layout!(usize:1));
        blocked_product(Layout!((6, 6, 1):(1, 6, usize)), Layout!(usize:usize));
        blocked_product(Layout!((1, 8):(8, 1)), Layout!((5, 8):(0, 1)));
        blocked_product(Layout!((1, 8):(usize, usize)), Layout!((5, 8):(0, 1)));
        blocked_product(Layout!((1, usize):(8, 1)), Layout!((usize, 8):(0, usize)));
        blocked_product(Layout!((usize, 8):(8, 1)), Layout!((usize, usize):(0, 1)));
        blocked_product(Layout!((1, 8):(8, 1)), Layout!((5, 8):(0, 1)));
        blocked_product(Layout!((2, 8, 2):(usize, usize, usize)), Layout!((8, 4, 8):(1, 8, 32)));
        blocked_product(Layout!((2, 8, usize):(8, 1, 16)), Layout!((8, 4, 8):(1, 8, 32)));
        blocked_product(Layout!((usize, 8, usize):(8, usize, usize)), Layout!((8, 4, usize):(1, 8, 32)));
        blocked_product(Layout!((2, 8, 2):(8, 1, 16)), Layout!((usize, 4, usize):(1, usize, 32)));
    }
}

#[test]
fn raked_product() {
    cases! {
        raked_product(Layout!((4, 8):(1, 0)), Layout!((5, (1, 6)):(0, (1, 1))));
        raked_product(Layout!((4, 8):(usize, usize)), Layout!((5, (1, 6)):(0, (1, 1))));
        raked_product(Layout!((4, usize):(1, 0)), Layout!((5, (1, usize)):(0, (1, 1))));
        raked_product(Layout!((usize, usize):(usize, 0)), Layout!((5, (1, 6)):(0, (1, 1))));
        raked_product(Layout!((4, usize):(usize, 0)), Layout!((5, (1, usize)):(0, (usize, 1))));
        raked_product(Layout!((3, 8):(usize, usize)), Layout!(((3, 4), 5):((80, 5), 1)));
        raked_product(Layout!((3, usize):(0, 1)), Layout!(((3, 4), usize):((usize, 5), usize)));
        raked_product(Layout!((3, usize):(usize, 1)), Layout!(((3, usize), 5):((usize, usize), 1)));
        raked_product(Layout!((3, 8):(usize, 1)), Layout!(((3, 4), usize):((80, 5), usize)));
        raked_product(Layout!((8, 2):(6, 1)), Layout!(5:1));
        raked_product(Layout!((8, 2):(usize, usize)), Layout!(5:1));
        raked_product(Layout!((8, usize):(6, 1)), Layout!(usize:usize));
        raked_product(Layout!((8, usize):(6, 1)), Layout!(usize:1));
        raked_product(Layout!((usize, usize):(6, usize)), Layout!(5:usize));
        raked_product(Layout!((2, 8):(usize, usize)), Layout!((1, 2, (4, 1)):(1, 4, (1, 8))));
        raked_product(Layout!((2, usize):(8, 1)), Layout!((usize, usize, (4, usize)):(usize, 4, (1, 8))));
        raked_product(Layout!((2, usize):(usize, 1)), Layout!((usize, usize, (4, 1)):(1, 4, (usize, 8))));
        raked_product(Layout!((usize, 8):(usize, usize)), Layout!((1, 2, (4, 1)):(1, usize, (usize, 8))));
        raked_product(Layout!((8, (8, 2)):(16, (2, 1))), Layout!((6, 3):(1, 6)));
        raked_product(Layout!((8, (8, 2)):(usize, (usize, usize))), Layout!((6, 3):(1, 6)));
        raked_product(Layout!((8, (8, usize)):(16, (2, 1))), Layout!((6, 3):(1, 6)));
        raked_product(Layout!((usize, (8, 2)):(16, (2, 1))), Layout!((usize, usize):(usize, 6)));
        raked_product(Layout!((8, (8, usize)):(16, (usize, 1))), Layout!((usize, usize):(1, 6)));
        raked_product(Layout!((1, 32):(usize, usize)), Layout!((4, 2):(1, 4)));
        raked_product(Layout!((1, usize):(32, 1)), Layout!((4, 2):(1, usize)));
        raked_product(Layout!((usize, 32):(usize, usize)), Layout!((usize, 2):(1, 4)));
        raked_product(Layout!((usize, usize):(32, 1)), Layout!((4, 2):(1, 4)));
        raked_product(Layout!((8, 1, 1):(1, 1, 24)), Layout!((8, 1, 2, 8):(2, 256, 1, 32)));
        raked_product(Layout!((8, 1, 1):(usize, usize, usize)), Layout!((8, 1, 2, 8):(2, 256, 1, 32)));
        raked_product(Layout!((8, 1, usize):(1, 1, 24)), Layout!((8, 1, 2, usize):(2, usize, 1, 32)));
        raked_product(Layout!((8, 1, 1):(1, 1, 24)), Layout!((usize, usize, 2, 8):(2, 256, usize, 32)));
        raked_product(Layout!((8, usize, 1):(usize, usize, usize)), Layout!((8, 1, 2, 8):(2, 256, usize, 32)));
        raked_product(Layout!(((5, 2), 1):((usize, usize), usize)), Layout!(5:1));
        raked_product(Layout!(((5, 2), usize):((2, 1), 1)), Layout!(usize:usize));
        raked_product(Layout!(((5, usize), usize):((2, 1), 1)), Layout!(usize:1));
        raked_product(Layout!(((usize, usize), usize):((2, usize), 1)), Layout!(usize:1));
        raked_product(Layout!((8, 2):(24, 8)), Layout!(((2, 2), 2):((10, 6), 2)));
        raked_product(Layout!((8, 2):(usize, usize)), Layout!(((2, 2), 2):((10, 6), 2)));
        raked_product(Layout!((8, usize):(24, 8)), Layout!(((2, 2), 2):((10, usize), 2)));
        raked_product(Layout!((8, 2):(usize, usize)), Layout!(((usize, 2), 2):((10, 6), 2)));
        raked_product(Layout!((8, usize):(usize, 8)), Layout!(((2, 2), usize):((10, 6), 2)));
        raked_product(Layout!((5, 1, 4):(usize, usize, usize)), Layout!(32:1));
        raked_product(Layout!((5, 1, usize):(7, 4, 6)), Layout!(32:usize));
        raked_product(Layout!((usize, 1, 4):(usize, usize, 6)), Layout!(32:usize));
        raked_product(Layout!((usize, 1, usize):(7, 4, 6)), Layout!(32:usize));
    }
}

#[test]
fn coalesce_z() {
    cases! {
        coalesce_z(Layout!((2, 4):(1, 2)));
        coalesce_z(Layout!((2, 4):(usize, usize)));
        coalesce_z(Layout!((2, usize):(1, 2)));
        coalesce_z(Layout!((2, 4):(usize, usize)));
        coalesce_z(Layout!((2, 4):(usize, 2)));
        coalesce_z(Layout!((8, 16):(usize, usize)));
        coalesce_z(Layout!((8, usize):(16, 1)));
        coalesce_z(Layout!((usize, usize):(usize, 1)));
        coalesce_z(Layout!((usize, 16):(16, usize)));
        coalesce_z(Layout!((2, 2, 2, 32):(1, 128, 2, 4)));
        coalesce_z(Layout!((2, 2, 2, 32):(usize, usize, usize, usize)));
        coalesce_z(Layout!((2, 2, 2, usize):(1, 128, 2, 4)));
        coalesce_z(Layout!((usize, 2, 2, usize):(1, usize, usize, usize)));
        coalesce_z(Layout!((2, usize, 2, 32):(1, usize, usize, 4)));
        coalesce_z(Layout!(((4, 4), 1):((usize, usize), usize)));
        coalesce_z(Layout!(((4, 4), usize):((4, 1), 16)));
        coalesce_z(Layout!(((4, usize), usize):((4, usize), usize)));
        coalesce_z(Layout!(((4, 4), 1):((4, usize), 16)));
        coalesce_z(Layout!((2, 2, (1, 8)):(8, 1, (384, 16))));
        coalesce_z(Layout!((2, 2, (1, 8)):(usize, usize, (usize, usize))));
        coalesce_z(Layout!((2, 2, (1, usize)):(8, 1, (384, 16))));
        coalesce_z(Layout!((usize, 2, (1, 8)):(usize, usize, (usize, usize))));
        coalesce_z(Layout!((2, usize, (1, 8)):(8, 1, (384, 16))));
        coalesce_z(Layout!((1, 1):(usize, usize)));
        coalesce_z(Layout!((1, usize):(1, 0)));
        coalesce_z(Layout!((1, usize):(1, 0)));
        coalesce_z(Layout!((usize, 1):(1, 0)));
        coalesce_z(Layout!((8, 1, 2, 2):(1, 8, 8, 16)));
        coalesce_z(Layout!((8, 1, 2, 2):(usize, usize, usize, usize)));
        coalesce_z(Layout!((8, 1, 2, usize):(1, 8, 8, 16)));
        coalesce_z(Layout!((8, usize, usize, 2):(1, usize, usize, usize)));
        coalesce_z(Layout!((8, usize, 2, usize):(1, 8, 8, 16)));
        coalesce_z(Layout!((32, 2, 32):(usize, usize, usize)));
        coalesce_z(Layout!((32, 2, usize):(4, 1, 256)));
        coalesce_z(Layout!((32, usize, 32):(usize, 1, usize)));
        coalesce_z(Layout!((usize, 2, 32):(4, usize, 256)));
        coalesce_z(Layout!((16, 32):(32, 1)));
        coalesce_z(Layout!((16, 32):(usize, usize)));
        coalesce_z(Layout!((16, usize):(32, 1)));
        coalesce_z(Layout!((usize, 32):(32, usize)));
        coalesce_z(Layout!((usize, usize):(32, 1)));
        coalesce_z(Layout!(((4, 32), 4):((usize, usize), usize)));
        coalesce_z(Layout!(((4, 32), usize):((1, 16), 4)));
        coalesce_z(Layout!(((4, usize), 4):((usize, usize), usize)));
        coalesce_z(Layout!(((4, usize), 4):((usize, 16), usize)));
    }
}

#[test]
fn layout_add() {
    cases! {
        layout_add(Layout!((3, 2, 4, 1):(3, 1, 8, 3)), Layout!(24:1));
        layout_add(Layout!((3, 2, 4, 1):(usize, usize, usize, usize)), Layout!(24:1));
        layout_add(Layout!((3, 2, 4, usize):(3, 1, 8, 3)), Layout!(usize:usize));
        layout_add(Layout!((usize, 2, 4, 1):(usize, 1, 8, usize)), Layout!(24:1));
        layout_add(Layout!((3, 2, usize, 1):(usize, 1, 8, usize)), Layout!(24:1));
        layout_add(Layout!((2, 2, (3, 1)):(usize, usize, (usize, usize))), Layout!((1, 3, 4):(1, 1, 3)));
        layout_add(Layout!((2, 2, (3, usize)):(3, 24, (4, 24))), Layout!((1, 3, 4):(1, 1, 3)));
        layout_add(Layout!((usize, 2, (usize, usize)):(usize, 24, (usize, 24))), Layout!((1, 3, usize):(1, 1, usize)));
        layout_add(Layout!((usize, 2, (3, 1)):(3, 24, (4, usize))), Layout!((usize, 3, 4):(1, 1, 3)));
        layout_add(Layout!(((4, 4), 1):((4, 0), 0)), Layout!((2, (1, 2, 4)):(6, (8, 1, 6))));
        layout_add(Layout!(((4, 4), 1):((usize, usize), usize)), Layout!((2, (1, 2, 4)):(6, (8, 1, 6))));
        layout_add(Layout!(((4, 4), usize):((4, 0), 0)), Layout!((2, (1, 2, 4)):(usize, (8, 1, 6))));
        layout_add(Layout!(((usize, usize), 1):((4, 0), usize)), Layout!((2, (1, 2, usize)):(6, (8, usize, 6))));
        layout_add(Layout!(((usize, 4), 1):((4, 0), 0)), Layout!((2, (1, 2, 4)):(6, (8, 1, usize))));
        layout_add(Layout!((6, 2):(usize, usize)), Layout!((3, 4, 1):(8, 2, 2)));
        layout_add(Layout!((6, usize):(1, 6)), Layout!((3, 4, 1):(usize, 2, 2)));
        layout_add(Layout!((usize, 2):(1, usize)), Layout!((3, 4, 1):(8, usize, 2)));
        layout_add(Layout!((usize, 2):(usize, usize)), Layout!((3, usize, usize):(usize, 2, 2)));
        layout_add(Layout!((12, 1):(0, 24)), Layout!((3, 1, 1, 4):(24, 24, 3, 3)));
        layout_add(Layout!((12, 1):(usize, usize)), Layout!((3, 1, 1, 4):(24, 24, 3, 3)));
        layout_add(Layout!((12, usize):(0, 24)), Layout!((usize, 1, 1, 4):(24, 24, usize, 3)));
        layout_add(Layout!((12, 1):(0, 24)), Layout!((3, usize, usize, 4):(usize, 24, 3, 3)));
        layout_add(Layout!((12, 1):(0, 24)), Layout!((usize, 1, usize, usize):(24, usize, 3, usize)));
        layout_add(Layout!((64, 1):(usize, usize)), Layout!(64:1));
        layout_add(Layout!((64, usize):(0, 4)), Layout!(usize:1));
        layout_add(Layout!((64, 1):(0, 4)), Layout!(usize:usize));
        layout_add(Layout!((64, usize):(usize, usize)), Layout!(usize:usize));
        layout_add(Layout!((1, 4, 2, 2):(1, 1, 4, 8)), Layout!((4, 4):(0, 4)));
        layout_add(Layout!((1, 4, 2, 2):(usize, usize, usize, usize)), Layout!((4, 4):(0, 4)));
        layout_add(Layout!((1, 4, 2, usize):(1, 1, 4, 8)), Layout!((4, 4):(0, usize)));
        layout_add(Layout!((usize, 4, usize, usize):(usize, 1, usize, 8)), Layout!((4, 4):(0, 4)));
        layout_add(Layout!((1, 4, 2, usize):(1, 1, 4, 8)), Layout!((4, 4):(0, usize)));
        layout_add(Layout!((16, 1):(usize, usize)), Layout!((2, 4, 4):(6, 1, 2)));
        layout_add(Layout!((16, usize):(1, 16)), Layout!((usize, 4, 4):(6, 1, 2)));
        layout_add(Layout!((16, usize):(1, usize)), Layout!((usize, 4, usize):(6, 1, usize)));
        layout_add(Layout!((usize, usize):(usize, 16)), Layout!((usize, 4, 4):(6, 1, usize)));
        layout_add(Layout!((64, 1):(24, 3)), Layout!(64:1));
        layout_add(Layout!((64, 1):(usize, usize)), Layout!(64:1));
        layout_add(Layout!((64, usize):(24, 3)), Layout!(usize:1));
        layout_add(Layout!((usize, usize):(usize, 3)), Layout!(usize:usize));
        layout_add(Layout!((64, 1):(usize, 3)), Layout!(64:1));
        layout_add(Layout!((64, 1):(usize, usize)), Layout!((2, 4, 8, 1):(2, 4, 12, 0)));
        layout_add(Layout!((64, usize):(1, 64)), Layout!((usize, usize, 8, 1):(2, usize, usize, 0)));
        layout_add(Layout!((usize, 1):(1, usize)), Layout!((2, 4, usize, 1):(2, 4, usize, 0)));
        layout_add(Layout!((64, 1):(usize, 64)), Layout!((usize, 4, 8, 1):(2, 4, 12, 0)));
    }
}
