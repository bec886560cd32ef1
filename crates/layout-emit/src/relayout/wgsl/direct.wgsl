
$kernel$    let first = block * (4u * $threads$u) + t;
$each$
    var element$k$ = $from_kind$();
    {
        let i = first + $k$u * $threads$u;
        if (i < $count$u) {
$lines$            element$k$ = from_[$from$];
        }
    }
$each$
$each$
    {
        let i = first + $k$u * $threads$u;
        if (i < $count$u) {
$lines$            to_[$to$] = element$k$;
        }
    }
$each$
}
