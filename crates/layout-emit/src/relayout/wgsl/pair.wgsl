    let i$k$ = phase + $k$u * 4u;
    let run$k$ = min($run$u - i$k$ % $run$u, 4u) * 8u;
    let at$k$ = place(source(i$k$));
    let then$k$ = place(source(i$k$ + run$k$ / 8u % 4u));
    let mask$k$ = ~0u >> (32u - run$k$);
