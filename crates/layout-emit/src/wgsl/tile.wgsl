    if (block >= $groups$u) {
        return;
    }
$starts$    let start = vec2<u32>($from$, $to$);
$left$$loads$    workgroupBarrier();
$stores$}
