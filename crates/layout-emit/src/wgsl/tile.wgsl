    if (block >= $groups$u) {
        return;
    }
$starts$    let start = vec2<u32>($from$, $to$);
$left$    for (var k = 0u; k < $rounds0$u; k++) {
$lines0$        $condition0${
            let place = $place0$;
            let vector = from_[(start.x + $global0$) / $vector0$u];
$pieces0$        }
    }
    workgroupBarrier();
    for (var k = 0u; k < $rounds1$u; k++) {
$lines1$        $condition1${
            let place = $place1$;
            to_[(start.y + $global1$) / $vector1$u] = $pieces1$;
        }
    }
}
