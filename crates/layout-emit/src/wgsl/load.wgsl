    {
        let k = $k$u;
$lines0$        $condition0${
            let place = $place0$;
            let vector = from_[(start.x + $global0$) / $vector0$u];
$pieces0$        }
    }
