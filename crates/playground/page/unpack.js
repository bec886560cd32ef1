// LZMA, as `xz --format=lzma` writes it: a fifth less than what browsers unpack by themselves. After the LZMA
// specification of Igor Pavlov (public domain), whose names the parts have.
function unpack(packed, size) {
    const output = new Uint8Array(size);
    const properties = packed[0];
    const literalContext = properties % 9;
    const literalMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
    const positionMask = (1 << Math.floor(properties / 45)) - 1;
    // 13 bytes are the head, and the first of the coder is 0.
    let at = 14;
    let range = 0xffffffff;
    let code = 0;
    for (let k = 0; k < 4; k++) code = ((code << 8) | packed[at++]) >>> 0;

    const probabilities = (count) => new Uint16Array(count).fill(1024);
    const normalize = () => {
        if (range < 0x1000000) {
            range = (range << 8) >>> 0;
            code = ((code << 8) | packed[at++]) >>> 0;
        }
    };
    const bit = (table, index) => {
        const probability = table[index];
        const bound = (range >>> 11) * probability;
        const set = code >= bound;
        if (set) {
            range = (range - bound) >>> 0;
            code = (code - bound) >>> 0;
            table[index] = probability - (probability >>> 5);
        } else {
            range = bound;
            table[index] = probability + ((2048 - probability) >>> 5);
        }
        normalize();
        return set ? 1 : 0;
    };
    const direct = (count) => {
        let value = 0;
        for (; count > 0; count--) {
            range >>>= 1;
            const set = code >= range;
            if (set) code = (code - range) >>> 0;
            normalize();
            value = (value << 1) | (set ? 1 : 0);
        }
        return value >>> 0;
    };
    const tree = (table, start, bits) => {
        let node = 1;
        for (let k = 0; k < bits; k++) node = (node << 1) | bit(table, start + node);
        return node - (1 << bits);
    };
    const reverseTree = (table, start, bits) => {
        let [node, value] = [1, 0];
        for (let k = 0; k < bits; k++) {
            const found = bit(table, start + node);
            node = (node << 1) | found;
            value |= found << k;
        }
        return value;
    };
    const lengths = () => ({ choice: probabilities(2), low: probabilities(128), middle: probabilities(128), high: probabilities(256) });
    const length = (coder, place) => {
        if (!bit(coder.choice, 0)) return tree(coder.low, place << 3, 3);
        return bit(coder.choice, 1) ? 16 + tree(coder.high, 0, 8) : 8 + tree(coder.middle, place << 3, 3);
    };

    const literals = probabilities(0x300 << (literalContext + Math.log2(literalMask + 1)));
    const [isMatch, isRep0Long] = [probabilities(192), probabilities(192)];
    const [isRep, isRep0, isRep1, isRep2] = [12, 12, 12, 12].map(probabilities);
    const [matchLengths, repLengths] = [lengths(), lengths()];
    const [slots, distances, alignment] = [probabilities(256), probabilities(128), probabilities(16)];
    let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
    let state = 0;
    let to = 0;
    while (to < size) {
        const place = to & positionMask;
        if (!bit(isMatch, (state << 4) + place)) {
            const before = to > 0 ? output[to - 1] : 0;
            const start = 0x300 * (((to & literalMask) << literalContext) + (before >> (8 - literalContext)));
            let symbol = 1;
            if (state >= 7) {
                let matched = output[to - rep0 - 1];
                do {
                    const matchBit = (matched >> 7) & 1;
                    matched <<= 1;
                    const found = bit(literals, start + ((1 + matchBit) << 8) + symbol);
                    symbol = (symbol << 1) | found;
                    if (matchBit !== found) break;
                } while (symbol < 0x100);
            }
            while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, start + symbol);
            output[to++] = symbol & 0xff;
            state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
            continue;
        }
        let count;
        if (bit(isRep, state)) {
            if (!bit(isRep0, state)) {
                if (!bit(isRep0Long, (state << 4) + place)) {
                    state = state < 7 ? 9 : 11;
                    output[to] = output[to - rep0 - 1];
                    to++;
                    continue;
                }
            } else {
                let distance;
                if (!bit(isRep1, state)) distance = rep1;
                else {
                    if (!bit(isRep2, state)) distance = rep2;
                    else [distance, rep3] = [rep3, rep2];
                    rep2 = rep1;
                }
                rep1 = rep0;
                rep0 = distance;
            }
            count = length(repLengths, place);
            state = state < 7 ? 8 : 11;
        } else {
            [rep3, rep2, rep1] = [rep2, rep1, rep0];
            count = length(matchLengths, place);
            state = state < 7 ? 7 : 10;
            const slot = tree(slots, Math.min(count, 3) << 6, 6);
            if (slot < 4) rep0 = slot;
            else {
                const bits = (slot >> 1) - 1;
                rep0 = ((2 | (slot & 1)) << bits) >>> 0;
                rep0 += slot < 14 ? reverseTree(distances, rep0 - slot, bits) : (direct(bits - 4) * 16) + reverseTree(alignment, 0, 4);
            }
        }
        for (count += 2; count > 0 && to < size; count--, to++) output[to] = output[to - rep0 - 1];
    }
    return output;
}

// Modules are packed as streams, each of one kind of byte, which pack a tenth better than in turns: operations (0), the
// locals that are read (1), written (2) and both (3), constants of 32 bits (4) and 64 (5), offsets in memory (6), calls (7),
// branches (8), others (9), and types of locals (10). Here is one function, of which `move` takes a byte of a stream to
// where it goes and returns it: `page/split` writes streams by it, and `joined` modules.
function walk(move) {
    const number = (stream) => {
        for (let [value, unit] = [0, 1]; ; unit *= 128) {
            const byte = move(stream);
            value += (byte & 127) * unit;
            if (byte < 128) return value;
        }
    };
    for (let kinds = number(10); kinds > 0; kinds--) number(10), move(10);
    for (let depth = 1; depth > 0; ) {
        const op = move(0);
        if (op >= 0x20 && op <= 0x22) number(op - 0x1f);
        else if (op === 0x41 || op === 0x42) number(op - 0x3d);
        else if (op >= 0x28 && op <= 0x3e) number(0), number(6);
        else if (op === 0x10) number(7);
        else if (op >= 0x02 && op <= 0x04) number(0), depth++;
        else if (op === 0x0b) depth--;
        else if (op === 0x0c || op === 0x0d) number(8);
        else if (op === 0x0e) for (let left = number(8); left >= 0; left--) number(8);
        else if (op === 0x11) number(9), number(9);
        else if (op === 0x43 || op === 0x44) for (let left = op === 0x43 ? 4 : 8; left > 0; left--) move(0);
        else if (op === 0xfc) for (let left = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1][number(0)]; left > 0; left--) number(9);
        else if ([0x23, 0x24, 0x3f, 0x40, 0xd0, 0xd2].includes(op)) number(9);
        else if (op === 0x1c || op > 0xc4 && op !== 0xd1) throw Error(`operation ${op}`);
    }
}

// The module of streams: their lengths, how much stands before its functions, how many there are, and its length.
function joined(bytes) {
    const head = new Uint32Array(bytes.slice(0, 56).buffer);
    const places = [];
    let end = 56;
    for (let k = 0; k < 11; k++) end += head[(places.push(end), k)];
    const [before, functions, size] = head.slice(11);
    const [code, module] = [new Uint8Array(size), new Uint8Array(size)];
    let [at, made] = [0, 0];
    const write = (number) => {
        do module[made++] = (number & 127) | (number > 127 ? 128 : 0);
        while ((number >>>= 7));
    };
    const ends = Array.from({ length: functions }, () => {
        walk((stream) => (code[at++] = bytes[places[stream]++]));
        return at;
    });
    module.set(bytes.subarray(end, end + before));
    made = before;
    const length = (number) => (number < 128 ? 1 : number < 16384 ? 2 : number < 2097152 ? 3 : 4);
    module[made++] = 10;
    write(ends.reduce((sum, end, k) => sum + end - (ends[k - 1] || 0) + length(end - (ends[k - 1] || 0)), length(functions)));
    write(functions);
    ends.forEach((end, k) => {
        const start = ends[k - 1] || 0;
        write(end - start);
        module.set(code.subarray(start, end), made);
        made += end - start;
    });
    module.set(bytes.subarray(end + before), made);
    return module.subarray(0, made + bytes.length - end - before);
}
