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
