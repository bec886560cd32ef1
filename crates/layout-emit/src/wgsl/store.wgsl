    {
        let k = $k$u;
$lines1$        $condition1${
            let place = $place1$;
            to_[(start.y + $global1$) / $vector1$u] = $pieces1$;
        }
    }
