var<workgroup> tile: array<$unit_kind$, $units$>;

fn word(place: u32) -> $kind$ {
    return tile[place / $unit$u]$word$;
}

fn element(place: u32) -> $kind$ {
    return $value$;
}

$kernel$    if (block >= $groups$u) {
        return;
    }
$starts$    let start = vec2<u32>($from$, $to$);
$left$$each$
    var vector$k$ = $from_kind$();
    {
        let k = $k$u;
$lines0$        $condition0${
            vector$k$ = from_[(start.x + $global0$) / $vector0$u];
        }
    }
$each$
$each$
    {
        let k = $k$u;
$lines0$        $condition0${
            let place = $place0$;
            let vector = vector$k$;
$pieces0$        }
    }
$each$
    workgroupBarrier();
$each$
    {
        let k = $k$u;
$lines1$        $condition1${
            let place = $place1$;
            let at = (start.y + $global1$) / $vector1$u;
$pieces1$        }
    }
$each$
}
