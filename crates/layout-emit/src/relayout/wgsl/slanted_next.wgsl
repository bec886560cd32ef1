    // Behind the ends of rows of the target lie the next ones' first elements: one column further, but for the last column.
    if (left < beyond) {
        let first = source - ($extent$u - left) * $from$u + 1u;
        let last = next(goal + (columns - 1u) * $to$u + left);
        for (var i = t; i < (width - 1u) * words; i += $threads$u) {
            let n = i / words;
            let row = corner + (left + n) * pitch;
            let at = row / each + i % words;
            // Where the word begins in the source, which may be before the first element.
            let start = first + n * $from$u + at * each - row + width;
            let low = start / each - width / each;
            let by = start % each * $bits$u;
            var word = (source_word(low) >> by) | select(source_word(low + 1u) << (32u - by), 0u, by == 0u);
            let column = columns - 1u + row - at * each;
            if (column < each) {
                let other = last + n * $from$u;
                let value = source_word(other / each) >> (other % each * $bits$u);
                word = insertBits(word, value, column * $bits$u, $bits$u);
            }
            if (left + n < beyond && at * each < row + columns) {
                tile[at] = word;
            }
        }
    }
