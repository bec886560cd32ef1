"""What each operation of the layout algebra must return where strides are not natural numbers.

A layout is a pair (shape, stride) of trees of one profile. A leaf of the stride is

    d >= 0      natural     a coordinate c goes c * d far
    d < 0       negative    c * d, backwards
    Xor(d)      XOR         the product without carries of c and d, written ^d

The offset of a coordinate is the sum of what its natural and negative leaves say, plus the XOR of what its XOR leaves
say. XOR leaves stand beside natural ones only where no bit of the one part's offsets meets a bit of the other's, so
that sum and XOR are the same thing, and beside negative ones never. `^0` is 0.

Written to be read, not to be fast; the laws are checked by brute force in `laws.py`, and `golden.py` writes answers.
An operation that has no exact answer raises Undefined: it never returns an approximate one.
"""


class Undefined(Exception):
    """There is no exact answer; `kind` is the family that the library's errors have too."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Xor:
    """A stride whose products and sums do not carry."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Xor) and other.number == self.number

    def __hash__(self):
        return hash(("Xor", self.number))

    def __repr__(self):
        return f"^{self.number}"


# ---- trees, shapes ---------------------------------------------------------------------------------------------------

def is_tuple(tree):
    return isinstance(tree, tuple)


def leaves(tree):
    return [leaf for child in tree for leaf in leaves(child)] if is_tuple(tree) else [tree]


def children(tree):
    return tree if is_tuple(tree) else (tree,)


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def size(layout):
    return product(leaves(layout[0]))


def modes(layout):
    return list(zip(leaves(layout[0]), leaves(layout[1])))


def from_modes(flat):
    if not flat:
        return 1, 0
    if len(flat) == 1:
        return flat[0]
    return tuple(s for s, _ in flat), tuple(d for _, d in flat)


def together(layouts):
    return tuple(s for s, _ in layouts), tuple(d for _, d in layouts)


def by_mode(layout):
    return list(zip(children(layout[0]), children(layout[1])))


def show_tree(tree):
    return "(" + ",".join(map(show_tree, tree)) + ")" if is_tuple(tree) else str(tree)


def show(layout):
    return show_tree(layout[0]) + ":" + show_tree(layout[1])


# ---- one stride ------------------------------------------------------------------------------------------------------

def xor(number):
    return Xor(number) if number else 0


def is_power(number):
    return number > 0 and number & (number - 1) == 0


def clmul(a, b):
    """The product without carries."""
    result = 0
    while a:
        if a & 1:
            result ^= b
        a, b = a >> 1, b << 1
    return result


def first_carry(d):
    """The least i for which i * d carries: two copies of d, `gap` places apart, share a bit. None if there is none."""
    gaps = [gap for gap in range(1, d.bit_length()) if d & d << gap]
    return 2 ** gaps[0] + 1 if gaps else None


def carries(n, d):
    """Does i * d carry for some i < n? If not, it is the product without carries."""
    first = first_carry(d)
    return first is not None and first < n


def bits(n, d):
    """The bits that the products without carries of d and the numbers below n set."""
    result = 0
    for place in range((n - 1).bit_length() if n > 1 else 0):
        result |= d << place
    return result


def number_of(d):
    return d.number if isinstance(d, Xor) else d


def moving(flat):
    return [(s, d) for s, d in flat if s != 1 and d != 0]


def has_xor(flat):
    return any(isinstance(d, Xor) for _, d in moving(flat))


def has_negative(flat):
    return any(not isinstance(d, Xor) and d < 0 for _, d in moving(flat))


def sum_bits(flat):
    """The bits that sums of natural modes may set. A mode whose multiples do not carry sets those of its multiples;
    any other one, and modes that share bits, at most those from the lowest to the highest of their sum."""
    parts = []
    for s, d in moving(flat):
        lowest, reach = d & -d, (s - 1) * d
        part = (bits(s, d) if not carries(s, d) else between(lowest, reach)), lowest, reach
        while (other := next((p for p in parts if p[0] & part[0]), None)) is not None:
            parts.remove(other)
            lowest, reach = min(lowest, other[1]), reach + other[2]
            part = between(lowest, reach), lowest, reach
        parts.append(part)
    result = 0
    for part in parts:
        result |= part[0]
    return result


def between(lowest, reach):
    return (1 << reach.bit_length()) - lowest


def of_one_kind(layout):
    """The layout with natural strides for those that do not move beside moving ones of another kind."""
    def natural_but(kept, d):
        return tuple(natural_but(kept, x) for x in d) if is_tuple(d) else d if kept(d) else abs(number_of(d))

    if has_xor(modes(layout)):
        return layout[0], natural_but(lambda d: isinstance(d, Xor), layout[1])
    if has_negative(modes(layout)):
        return layout[0], natural_but(lambda d: not isinstance(d, Xor), layout[1])
    return layout


def checked(layout):
    """The layout, if its strides have a meaning together."""
    flat = modes(layout)
    if size(layout) and has_xor(flat):
        if has_negative(flat):
            raise Undefined("stride", "XOR and negative strides have no meaning together")
        natural = sum_bits([(s, d) for s, d in flat if not isinstance(d, Xor)])
        without = 0
        for s, d in flat:
            if isinstance(d, Xor):
                without |= bits(s, d.number)
        if natural & without:
            raise Undefined("overlap", "a bit of the natural part's offsets is one of the XOR part's too")
    return of_one_kind(layout)


# ---- offsets ---------------------------------------------------------------------------------------------------------

def index(layout, number):
    """The offset of the coordinate with this number, the leftmost leaf the fastest, the last one without an end."""
    return sum(natural_and_xor(layout, number))


def natural_and_xor(layout, number):
    """The natural part and the XOR part of the offset."""
    flat = modes(layout)
    total, without = 0, 0
    for place, (s, d) in enumerate(flat):
        c = number if place + 1 == len(flat) else number % s
        number = number if place + 1 == len(flat) else number // s
        if isinstance(d, Xor):
            without ^= clmul(c, d.number)
        else:
            total += c * d
    return total, without


def base(layout):
    """How far the offset of the first coordinate lies above the least offset."""
    if size(layout) == 0:
        return 0
    return sum(-(s - 1) * d for s, d in moving(modes(layout)) if not isinstance(d, Xor) and d < 0)


def cosize(layout):
    """How many offsets there are from the least to the largest one."""
    if size(layout) == 0:
        return 0
    flat = moving(modes(layout))
    natural = sum((s - 1) * abs(d) for s, d in flat if not isinstance(d, Xor))
    return 1 + natural + largest_xor([(s, d.number) for s, d in flat if isinstance(d, Xor)])


def largest_xor(flat):
    """The coordinates below s are those that part from the bits of s at one of its ones: from there on, any bits."""
    pieces = [(0, [])]
    for s, d in flat:
        mine = []
        for one in [k for k in range(s.bit_length()) if s >> k & 1]:
            mine.append((clmul(s >> one + 1 << one + 1, d), [d << k for k in range(one)]))
        pieces = [(f ^ g, v + w) for f, v in pieces for g, w in mine]
    return max(largest_of_piece(first, vectors) for first, vectors in pieces)


def largest_of_piece(first, vectors):
    for vector in sorted(echelon(vectors), reverse=True):
        first = max(first, first ^ vector)
    return first


def echelon(vectors):
    """Vectors of the same span with different highest bits."""
    rows = []
    for vector in vectors:
        for row in sorted(rows, reverse=True):
            vector = min(vector, vector ^ row)
        if vector:
            rows.append(vector)
    return rows


# ---- coalesce --------------------------------------------------------------------------------------------------------

def goes_on(s, d, e):
    """Does a mode s:d go on with the stride e, of its kind?"""
    if isinstance(d, Xor) and isinstance(e, Xor):
        return is_power(s) and clmul(s, d.number) == e.number
    return not isinstance(d, Xor) and not isinstance(e, Xor) and s * d == e


def merged(flat):
    out = []
    for s, d in flat:
        if s == 1:
            continue
        if out and goes_on(*out[-1], d):
            out[-1] = out[-1][0] * s, out[-1][1]
        else:
            out.append((s, d))
    return out


def coalesce(layout):
    """R(i) = L(i) for i < size(L): neighbours of one kind that go on where the other stops are one mode."""
    return from_modes(merged(modes(layout)))


def left_modes(layout):
    """The modes as they go on beyond the size: a last one of extent 1 says how."""
    flat = modes(layout)
    head, (s, d) = merged(flat[:-1]), flat[-1]
    if head and goes_on(*head[-1], d):
        return head[:-1] + [(head[-1][0] * s, head[-1][1])]
    return head + [(s, d)]


def coalesce_z(layout):
    """R(i) = L(i) for all i: a last mode of extent 1 says how it goes on."""
    return from_modes(left_modes(layout))


def filter_modes(layout):
    """image(R) = image(L), without the modes of stride 0."""
    return from_modes(merged([(s, d) for s, d in modes(layout) if d != 0 or s == 0]))


# ---- composition -----------------------------------------------------------------------------------------------------

def digits(number, left):
    out = []
    for s, _ in left[:-1]:
        out.append(number % s)
        number //= s
    return out + [number]


def group(images, n):
    """The modes of n coordinates, a power of two times an odd number, whose bits go where `images` says."""
    out, first = [], 0
    for place in range(1, len(images) + 1):
        if place == len(images):
            out.append((n >> first, xor(images[first])))
        elif images[place] != images[place - 1] << 1:
            if n % 2 ** place:
                raise Undefined("divisibility", f"{2 ** place} coordinates go on evenly, and {n} is no multiple of it")
            out.append((2 ** (place - first), xor(images[first])))
            first = place
    return out


class Composer:
    """The left layout of a composition, and what the right one has used of it."""

    def __init__(self, left, right):
        self.left = left
        self.reach = [0] * len(left)
        self.used = [0] * len(left)
        # The bits of natural parts that had to be told by XOR strides, and of the XOR parts.
        self.turned = self.without = 0
        if has_negative(right):
            raise Undefined("stride", "a negative offset of the right layout is no coordinate of the left one")
        without = [(s, d.number) for s, d in right if isinstance(d, Xor)]
        # An XOR mode that does not carry, and has its bits for itself, is a natural one.
        self.natural = {(s, number_of(d)) for k, (s, d) in enumerate(right) if says_as_natural(right, k)}
        mask = 0
        for s, d in without:
            mask |= bits(s, d) if (s, d) not in self.natural else 0
        if mask == 0:
            return
        steps = [(s, number_of(d)) for s, d in right if not isinstance(d, Xor) or (s, d.number) in self.natural]
        place, sums, without = 1, 0, 0
        for j, (s, d) in enumerate(left):
            last = j + 1 == len(left)
            digit = mask // place if last else mask // place % s
            self.reach[j] = self.used[j] = digit
            most = (sum((x - 1) * y for x, y in steps) + mask) // place + 1
            most = most if last else min(s, most)
            if isinstance(d, Xor):
                without |= bits(most, d.number)
            elif digit:
                if d < 0 or carries(most, d) or sums & bits(most, d):
                    raise Undefined("carry", f"XOR strides reach the mode {s}:{d}, whose offsets carry")
                sums |= bits(most, d)
                left[j] = (s, xor(d))
            place *= s
            if not last and place <= mask and not is_power(place):
                raise Undefined("divisibility", f"XOR strides cross a mode that ends at {place}, no power of two")
        if sums & without:
            raise Undefined("overlap", "a bit of the natural part's offsets is one of the XOR part's too")

    def leaf(self, n, e):
        if isinstance(e, Xor) and n > 1 and (n, e.number) not in self.natural:
            images = []
            for place in range((n - 1).bit_length()):
                image = 0
                for c, (_, d) in zip(digits(e.number << place, self.left), self.left):
                    image ^= clmul(c, number_of(d)) if c else 0
                images.append(image)
                self.without |= image
            return group(images, n)
        return self.steps(n, number_of(e))

    def steps(self, n, e):
        if n == 1:
            return [(1, 0)]
        out = []
        while True:
            c = digits(e, self.left)
            t = n
            for j, (s, d) in enumerate(self.left):
                if c[j] and j + 1 < len(self.left):
                    t = min(t, -(-s // c[j]))
                if c[j] and isinstance(d, Xor) and (first := first_carry(c[j])):
                    t = min(t, first)
            natural, without = 0, 0
            for j, (s, d) in enumerate(self.left):
                self.reach[j] += (t - 1) * c[j]
                if isinstance(d, Xor):
                    without ^= clmul(c[j], d.number)
                    if self.used[j] & bits(t, c[j]):
                        raise Undefined("carry", f"offsets of the right layout share a bit in the mode {s}:{d}")
                    self.used[j] |= bits(t, c[j])
                else:
                    natural += c[j] * d
            out.append((t, self.sum_of_parts(t, natural, without)))
            if t == n:
                return out
            if n % t:
                raise Undefined("divisibility", f"{n} steps of {e} leave a mode after {t}, which does not divide {n}")
            n, e = n // t, e * t

    def sum_of_parts(self, n, natural, without):
        """The stride that goes so far in the natural and in the XOR part of n steps."""
        self.without |= bits(n, without)
        if without == 0:
            return natural
        if natural == 0:
            return Xor(without)
        mine = bits(n, natural) if natural > 0 and not carries(n, natural) else None
        if mine is None or mine & self.turned:
            raise Undefined("stride", f"{n} steps of {natural} and ^{without} at once are no stride")
        self.turned |= mine
        return Xor(natural | without)

    def finish(self):
        if self.turned & self.without:
            raise Undefined("overlap", "a bit of the natural part's offsets is one of the XOR part's too")
        for reach, (s, d) in list(zip(self.reach, self.left))[:-1]:
            if reach >= s:
                raise Undefined("carry", f"offsets of the right layout add up to {reach} in the mode {s}:{d}")

    def tree(self, s, d):
        if is_tuple(s):
            return together([self.tree(x, y) for x, y in zip(s, d)])
        out = self.leaf(s, d)
        return out[0] if len(out) == 1 else together(out)


def composed_by_rule(a, b):
    """R(c) = A(B(c)), leaf by leaf."""
    composer = Composer(left_modes(a), modes(b))
    result = composer.tree(*b)
    composer.finish()
    return checked(result)


def compose(a, b):
    """R(c) = A(B(c)): by the rule, and where that has no answer, and a stride is no natural number, looked for."""
    try:
        return composed_by_rule(a, b)
    except Undefined as reason:
        result = looked_for(a, b)
        if result is None:
            raise reason
        return result


# So many coordinates at most have layouts whose composition is looked for.
LOOKED_FOR = 1 << 14


def looked_for(a, b):
    """R(c) = A(B(c)), found by its offsets.

    Each leaf of B is taken apart into steps by 2 and by odd numbers. Each of them has one stride, whose kind is to be
    found: XOR, but for those that go on otherwise alone or beside another, and for what shares a bit with these."""
    flat = modes(a) + modes(b)
    if not any(isinstance(d, Xor) or d < 0 for _, d in flat) or not 0 < size(b) <= LOOKED_FOR:
        return None
    through = [index(b, i) for i in range(size(b))]
    if min(through) < 0:
        return None
    values = [index(a, x) for x in through]
    parts, place = [], 1
    for leaf, (n, _) in enumerate(modes(b)):
        steps = steps_of([values[place * c] for c in range(n)])
        if steps is None:
            return None
        for t in steps:
            parts.append((leaf, t, values[place], place))
            place *= t
    kinds = kinds_of_steps(values, [part[1:] for part in parts])

    def tree(s, counter):
        if is_tuple(s):
            return together([tree(x, counter) for x in s])
        leaf = next(counter)
        return from_modes(merged([kind for kind, part in zip(kinds, parts) if part[0] == leaf]))
    try:
        result = checked(tree(b[0], iter(range(len(flat)))))
    except Undefined:
        return None
    return result if [index(result, i) for i in range(size(b))] == values else None


def kinds_of_steps(values, parts):
    """The steps (extent, stride, place) as modes, of the kinds that the values have: XOR, where they are not natural."""
    natural = naturals(values, parts)
    kinds = [(t, d if k in natural else xor(d)) for k, (t, d, _) in enumerate(parts)]
    plain = [says_as_natural(kinds, k) for k in range(len(kinds))]
    return [(t, number_of(d) if plain[k] else d) for k, (t, d) in enumerate(kinds)]


def steps_of(values):
    """The extents of a function of one coordinate, the least ones first; None if it is not that of a layout."""
    n = len(values)
    if n == 1:
        return []
    for t in range(2, n + 1):
        if n % t == 0 and (t == 2 or t % 2 == 1) and goes_evenly(values, t):
            rest = steps_of(values[::t])
            if rest is not None:
                return [t] + rest
    return None


def goes_evenly(values, t):
    """Are the first t values multiples of a stride, and do all values go on by them?"""
    d = values[1]
    sums = all(values[i] == i * d for i in range(t)) or d >= 0 and all(values[i] == clmul(i, d) for i in range(t))
    pairs = [(v, values[i - i % t], values[i % t]) for i, v in enumerate(values)]
    return sums and all(v == x + y or x >= 0 and y >= 0 and v == x ^ y for v, x, y in pairs)


def naturals(values, parts):
    """Which of the parts (extent, stride, place) are natural or negative: no XOR stride says them, or them and others."""
    every = range(len(parts))
    if any(d < 0 for _, d, _ in parts):
        return set(every)

    def is_xor(k, l):
        (s, d, x), (t, _, y) = parts[k], parts[l]
        if k == l:
            return all(values[i * x] == clmul(i, d) for i in range(s))
        return all(values[i * x + j * y] == values[i * x] ^ values[j * y] for i in range(s) for j in range(t))
    out = {k for k in every if not all(is_xor(k, l) for l in every)}
    while more := {k for k in every if k not in out and bits(*parts[k][:2]) & sum_bits([parts[l][:2] for l in out])}:
        out |= more
    return out


def says_as_natural(flat, k):
    """Is the mode an XOR mode that does not carry, and has its bits for itself among the XOR modes?"""
    s, d = flat[k]
    others = 0
    for j, (t, e) in enumerate(flat):
        others |= bits(t, e.number) if j != k and isinstance(e, Xor) else 0
    return isinstance(d, Xor) and not carries(s, d.number) and not bits(s, d.number) & others


# ---- mode by mode ----------------------------------------------------------------------------------------------------

class Tiler:
    """<t0,t1,..>: an entry for each mode, which is a layout, a number n for the layout n:1, another tiler, or None,
    written `_`, which leaves the mode alone."""

    def __init__(self, *entries):
        self.entries = entries

    def __repr__(self):
        return "<" + ",".join(map(show_entry, self.entries)) + ">"


def show_entry(entry):
    return "_" if entry is None else show(entry) if is_tuple(entry) else str(entry)


def mode_by_mode(operation, a, entry, each_mode=False):
    """The operation with each entry on its mode, in the place of that mode. Modes beyond the entries are kept, unless
    there has to be an entry for each mode."""
    if entry is None:
        return a
    if not isinstance(entry, Tiler):
        return operation(a, entry if is_tuple(entry) else (entry, 1))
    its, entries = by_mode(a), entry.entries
    if len(entries) > len(its) or each_mode and len(entries) < len(its):
        raise Undefined("rank", f"a tiler of {len(entries)} entries for a layout of {len(its)} modes")
    done = [mode_by_mode(operation, mode, each, each_mode) for mode, each in zip(its, entries)]
    return together(done + its[len(done):])


def all_parts(a, entry):
    """The natural and the XOR part of A(B0(c0), B1(c1), ..) at each coordinate, the leftmost one the fastest. Natural
    parts of the modes of A add up, and so do XOR parts without carries."""
    if not isinstance(entry, Tiler):
        inner = a if entry is None else entry if is_tuple(entry) else (entry, 1)
        places = range(size(a)) if entry is None else [index(inner, i) for i in range(size(inner))]
        return [natural_and_xor(a, place) for place in places]
    out, its = [(0, 0)], by_mode(a)
    for mode, each in zip(its, entry.entries + (None,) * (len(its) - len(entry.entries))):
        out = [(x + y, v ^ w) for y, w in all_parts(mode, each) for x, v in out]
    return out


def lawful(result, a, entry):
    """The result, if it is A(B0(c0), B1(c1), ..) for all modes together: each mode by itself is, but strides that have
    become XOR strides are XORed where those of A add up, and the other way round. Then the same strides are tried with
    the kinds that all modes together ask for."""
    values = [sum(both) for both in all_parts(a, entry)]
    try:
        return checked_values(result, values)
    except Undefined as reason:
        if len(values) > LOOKED_FOR:
            raise
        steps, place = [], 1
        for s, _ in modes(result):
            steps += [(s, values[place], place)] if s > 1 else []
            place *= s
        kinds = iter(kinds_of_steps(values, steps))
        try:
            return checked_values(map_leaves(result, lambda s, d: next(kinds) if s > 1 else (s, d)), values)
        except Undefined:
            raise reason


def checked_values(result, values):
    result = checked(result)
    if [index(result, i) for i in range(size(result))] != values:
        raise Undefined("overlap", "two modes share a bit, whose sum and whose XOR are not the same")
    return result


def compose_by_mode(a, tiler, compose=compose):
    """R(c0, c1, ..) = A(B0(c0), B1(c1), ..), with an entry for every mode."""
    return lawful(mode_by_mode(compose, a, tiler, each_mode=True), a, tiler)


# ---- the linear part -------------------------------------------------------------------------------------------------

def domain_modes(layout):
    """(extent, stride, step in the domain) of all modes that are not of extent 1."""
    out, step = [], 1
    for s, d in modes(layout):
        if s != 1:
            out.append((s, d, step))
        step *= s
    return out


def parted(flat, skip):
    """The XOR modes with the natural ones among and below them, which have to be linear too, how many bits they all
    have, and the natural modes above. What is not linear is left out if `skip`."""
    linear = [m for m in flat if isinstance(m[1], Xor)]
    width = max([bits(m[0], number_of(m[1])).bit_length() for m in linear], default=0)
    rest, used = [m for m in flat if m not in linear and m[1] != 0], 0
    while low := next((m for m in rest if m[1] % 2 ** width), None):
        rest.remove(low)
        if is_power(low[0]) and not carries(low[0], low[1]) and not used & bits(low[0], low[1]):
            linear.append(low)
            used |= bits(low[0], low[1])
            width = max(width, bits(low[0], low[1]).bit_length())
        elif not skip:
            raise Undefined("divisibility", f"the mode {low[0]}:{low[1]} lies among XOR modes and is not linear")
    linear = [m for m in flat if m in linear]
    return linear, width, [(m[0], m[1] >> width, *m[2:]) for m in rest]


class Span:
    """Vectors with the sum of the tags that they were made of."""

    def __init__(self):
        self.rows = []

    def reduce(self, vector, tag):
        for row, mine in sorted(self.rows, reverse=True):
            if vector ^ row < vector:
                vector, tag = vector ^ row, tag ^ mine
        return vector, tag

    def add(self, vector, tag):
        """The tag of a sum that is 0, if the vector is in the span already."""
        vector, tag = self.reduce(vector, tag)
        if vector == 0:
            return tag
        self.rows.append((vector, tag))
        return None

    def pivots(self):
        return {row.bit_length() - 1 for row, _ in self.rows}


def of_units(flat):
    """The modes of bits that go where the list says, a power of two each."""
    return group(flat, 2 ** len(flat)) if flat else []


# ---- complement ------------------------------------------------------------------------------------------------------

def natural_gaps(flat, exact):
    out, run = [], 1
    for s, d in sorted(flat, key=lambda m: m[1]):
        if d < run:
            raise Undefined("overlap", f"the mode {s}:{d} overlaps the {run} offsets below it")
        if exact and d % run:
            raise Undefined("divisibility", f"stride {d} is not a multiple of {run}")
        out.append((d // run, run))
        run = s * d
    return out, run


def gaps(layout, exact):
    """What the modes leave free below and between them, and what they span."""
    if size(layout) == 0:
        return [], 0
    flat = moving(modes(layout))
    if not has_xor(flat):
        return natural_gaps([(s, abs(d)) for s, d in flat], exact)
    linear, width, above = parted(flat, False)
    span = Span()
    for s, d in linear:
        if not is_power(s):
            raise Undefined("divisibility", f"the extent {s} of a linear mode is no power of two")
        for place in range(s.bit_length() - 1):
            if span.add(number_of(d) << place, 0) is not None:
                raise Undefined("overlap", f"the mode {s}:{d} reaches what others reach")
    free = [place for place in range(width) if place not in span.pivots()]
    out, run = natural_gaps(above, exact)
    return of_units([2 ** place for place in free]) + [(s, d << width) for s, d in out], run << width


def complement(layout, extent):
    """(L, R) reaches each offset below the extent once, counted from the least; the modes of L with stride 0 aside."""
    free, span = gaps(layout, True)
    if span == 0:
        if extent:
            raise Undefined("divisibility", "no copy of an empty layout fills anything")
        return 1, 0
    if extent % span:
        raise Undefined("divisibility", f"extent {extent} is not a multiple of {span}")
    rest = merged(free + [(extent // span, span)])
    checked(from_modes([m for m in modes(layout) if has_xor(modes(layout))] + rest))
    return from_modes(rest)


def complement_ceil(layout, extent):
    _, span = gaps(layout, True)
    return complement(layout, -(-extent // span) * span if span else extent)


# ---- inverses --------------------------------------------------------------------------------------------------------

def right_inverse(layout):
    """L(R(i)) = i for i < size(R)."""
    flat = domain_modes(layout)
    out, above, run = [], flat, 1
    if has_xor(modes(layout)):
        linear, width, above = parted([m for m in flat if m[1] != 0], True)
        span = Span()
        for s, d, step in linear:
            if is_power(step):
                for place in range(s.bit_length() - 1):
                    span.add(number_of(d) << place, step << place)
        images = []
        for place in range(width):
            vector, tag = span.reduce(1 << place, 0)
            if vector:
                break
            images.append(tag)
        out = of_units(images)
        if len(images) < width:
            above = []
    for s, d, step in sorted(above, key=lambda m: m[1]):
        if d == run:
            out.append((s, step))
            run *= s
    return checked(from_modes(merged(out)))


def left_digits(flat):
    """An offset read in the mixed radix of natural strides; what lies below the least one is ignored."""
    flat = sorted(flat, key=lambda m: m[1])
    out = [(flat[0][1], 0)] if flat else []
    for (s, d, step), (_, up, _) in zip(flat, flat[1:]):
        if up < s * d:
            raise Undefined("overlap", f"stride {up} lies within the offsets of the mode {s}:{d}")
        if up % d:
            raise Undefined("divisibility", f"stride {up} is not a multiple of stride {d}")
        out.append((up // d, step))
    return out + [(s, step) for s, _, step in flat[-1:]]


def left_inverse(layout):
    """L(R(L(i))) = L(i), so that R(L(i)) = i where L is injective."""
    flat = [m for m in domain_modes(layout) if m[1] != 0]
    if not has_xor(modes(layout)):
        if has_negative(modes(layout)):
            raise Undefined("stride", "a negative offset is no coordinate")
        return from_modes(merged(left_digits(flat)))
    linear, width, above = parted(flat, False)
    span = Span()
    for s, d, step in linear:
        if not is_power(step):
            raise Undefined("divisibility", f"a step of the mode {s}:{d} goes {step} far, no power of two")
        for place in range((s - 1).bit_length()):
            span.add(number_of(d) << place, step << place)
    for place in range(width):
        if place not in span.pivots():
            span.add(1 << place, 0)
    images = [span.reduce(1 << place, 0)[1] for place in range(width)]
    return checked(from_modes(merged(of_units(images) + left_digits(above))))


def nullspace(layout):
    """L(R(i)) = 0. Where a bit of the steps of modes that stand still is one of XOR strides, these are natural strides if
    they say the same, and else left out one by one."""
    flat = domain_modes(layout)
    out = [(s, step) for s, d, step in flat if d == 0]
    if has_xor(modes(layout)):
        linear, _, _ = parted([m for m in flat if m[1] != 0], True)
        span, still = Span(), []
        for s, d, step in linear:
            if is_power(step):
                for place in range(s.bit_length() - 1):
                    still.append(span.add(number_of(d) << place, step << place))
        images = [tag for tag in still if tag is not None]
        try:
            return checked(from_modes(merged(out + of_units(images))))
        except Undefined:
            pass
        used = []
        for image in images:
            try:
                checked(from_modes(plain(out + of_units(used + [image]))))
                used.append(image)
            except Undefined:
                pass
        out = plain(out + of_units(used))
    return from_modes(merged(out))


def plain(flat):
    """Merged, with natural modes for those XOR modes that say the same."""
    return merged([(s, d.number if says_as_natural(flat, k) else d) for k, (s, d) in enumerate(flat)])


def layout_add(a, b):
    """R(i) = A(i) + B(i) for all i below the sizes, which are equal: natural and negative strides add up. XOR strides do
    where no bit is one of both layouts, or of a natural stride beside them, which becomes one of them."""
    if size(a) != size(b):
        raise Undefined("profile", "the sizes differ")
    if size(a) == 0:
        return 0, 0
    out, p, q = [], plain(modes(a)), plain(modes(b))
    own = []
    for flat in p, q:
        own.append(0)
        for s, d in flat:
            own[-1] |= bits(s, d.number) if isinstance(d, Xor) else 0
    if own[0] & own[1]:
        raise Undefined("overlap", "both have a bit among their XOR strides")
    without = own[0] | own[1]
    while p and q:
        n = min(p[0][0], q[0][0])
        if p[0][0] % n or q[0][0] % n:
            raise Undefined("divisibility", "two modes have no common refinement")
        along = sum(d for _, d in (p[0], q[0]) if not isinstance(d, Xor))
        across = sum(d.number for _, d in (p[0], q[0]) if isinstance(d, Xor))
        if across and along:
            if along < 0 or carries(n, along):
                raise Undefined("stride", "a step goes along natural and XOR strides at once")
            if bits(n, along) & without:
                raise Undefined("overlap", "a bit of a natural part is one of the XOR part's")
            without |= bits(n, along)
        out.append((n, xor(along | across) if across else along))
        rest = []
        for (s, d), *others in p, q:
            if s > n and isinstance(d, Xor) and not is_power(n):
                raise Undefined("divisibility", "an XOR mode goes on after steps that are no power of two")
            rest.append([(s // n, xor(d.number * n) if isinstance(d, Xor) else d * n)] * (s > n) + others)
        p, q = rest
    return checked(from_modes(merged(out)))


def in_step(flat):
    """How far the offsets of the modes are 0, 1, 2, ..: a mode of either kind goes on with the size of those before it,
    which an XOR mode does if that is a power of two."""
    run = 1
    for s, d in flat:
        if s != 1:
            if number_of(d) != run or isinstance(d, Xor) and not is_power(run):
                break
            run *= s
    return run


def first_coordinates(flat, n):
    """The modes of the first coordinates: n of them, or the most below that which are whole steps of a mode."""
    out = []
    for s, d in flat:
        if n < 2:
            break
        out.append((min(s, n), d))
        n = n // s
    return out


def max_common_layout(a, b):
    """A(R(i)) = B(R(i)) = i for i < size(R), where R is as much of the right inverse of B as A is in step with, and has
    coordinates for: A is composed with the modes of the inverse, or with as many of the first ones as it has a
    composition with. From there on coordinates are looked at one by one."""
    inverse, n = merged(modes(right_inverse(b))), 1
    for rank in range(len(inverse), 0, -1):
        try:
            n = in_step(modes(compose(a, from_modes(inverse[:rank]))))
            break
        except Undefined:
            pass
    most = min(product(s for s, _ in inverse), n + LOOKED_FOR) if size(a) else n
    while n < most and index(a, index(from_modes(inverse), n)) == n:
        n += 1
    return from_modes(merged(first_coordinates(inverse, min(n, size(a)))))


# ---- divide, product, recast -----------------------------------------------------------------------------------------

def logical_divide(a, tile, compose=compose):
    """The tile in mode 0, what counts tiles in mode 1: together the offsets of A, each as often."""
    rest = complement(tile, size(a))
    return compose(a, ((tile[0], rest[0]), (tile[1], rest[1])))


def tile_and_rest(a, entry):
    """The tiler with which logical_divide composes: tiles beside what counts them."""
    if entry is None:
        return None
    if isinstance(entry, Tiler):
        return Tiler(*[tile_and_rest(mode, each) for mode, each in zip(by_mode(a), entry.entries)])
    tile = entry if is_tuple(entry) else (entry, 1)
    return together([tile, complement(tile, size(a))])


def logical_divide_by_mode(a, tiler, compose=compose):
    """Mode k is (tile_k, rest_k), together the offsets of A, each as often."""
    divided = mode_by_mode(lambda mode, tile: logical_divide(mode, tile, compose), a, tiler)
    return lawful(divided, a, tile_and_rest(a, tiler))


def zipped_form(result, entry):
    """((T0,R0),(T1,R1),m2) as ((T0,T1),(R0,R1,m2)). What is left alone lies whole in the tile, and its rest is 1:0."""
    if entry is None:
        return together([result, (1, 0)])
    if not isinstance(entry, Tiler):
        return result
    its = by_mode(result)
    pairs = [by_mode(zipped_form(mode, each)) for mode, each in zip(its, entry.entries)]
    return together([together([tile for tile, _ in pairs]), together([rest for _, rest in pairs] + its[len(pairs):])])


def tiled_form(result, entry):
    """((T0,T1),R0,R1,m2)"""
    tiles, rests = by_mode(zipped_form(result, entry))
    return together([tiles] + by_mode(rests))


def flat_form(result, entry):
    """(T0,T1,R0,R1,m2)"""
    tiles, rests = by_mode(zipped_form(result, entry))
    return together(by_mode(tiles) + by_mode(rests))


def copies(a):
    free, span = gaps(a, False)
    return merged(free) + [(1, span)]


def block_and_copies(a, tile, compose=compose):
    """The copies of a tile that does not move are one copy, and need no room: A may overlap itself."""
    one = all(s == 1 or d == 0 for s, d in modes(tile))
    return together([a, compose((1, 0) if one else from_modes(copies(a)), tile)])


def logical_product(a, tile):
    """A in mode 0, and mode 1 counts disjoint copies of it."""
    return checked(block_and_copies(a, tile))


def logical_product_by_mode(a, tiler, compose=compose):
    """Mode k is the product of mode k and its entry: copies of one mode are disjoint, those of two need not be."""
    return checked(mode_by_mode(lambda mode, tile: block_and_copies(mode, tile, compose), a, tiler))


def padded(layout, rank):
    s, d = children(layout[0]), children(layout[1])
    return s + (1,) * (rank - len(s)), d + (0,) * (rank - len(d))


def blocked_product(a, tile):
    """Mode k is (A_k, copies_k)."""
    rank = max(len(children(a[0])), len(children(tile[0])))
    (s0, s1), (d0, d1) = logical_product(padded(a, rank), padded(tile, rank))
    return tuple(zip(s0, s1)), tuple(zip(d0, d1))


def map_leaves(layout, f):
    def go(s, d):
        return together([go(x, y) for x, y in zip(s, d)]) if is_tuple(s) else f(s, d)
    return go(*layout)


def upcast(layout, n):
    """Offsets in units of n elements: the units that are reached."""
    flat = modes(layout)
    below = sum(n - d for s, d in flat if not isinstance(d, Xor) and s != 1 and 0 < d < n and n % d == 0)
    if below >= n:
        raise Undefined("carry", f"offsets below one unit add up to {below}, not under {n}")
    if has_xor(flat) and not is_power(n):
        raise Undefined("divisibility", f"a unit of {n} elements is no power of two")

    def regroup(s, d):
        d, kind = number_of(d), xor if isinstance(d, Xor) else int
        if d == 0 or s == 1:
            return s, 0
        if d % n == 0:
            return s, kind(d // n)
        if d > 0 and n % d == 0 and s % (n // d) == 0:
            k = s // (n // d)
            return k, (kind(1) if k != 1 else 0)
        raise Undefined("divisibility", f"the mode {s}:{d} does not regroup into units of {n}")
    return checked(map_leaves(layout, regroup))


def downcast(layout, n):
    """Offsets in parts of an element, n each."""
    flat = modes(layout)
    if sum(1 for s, d in flat if number_of(d) == 1 and s != 1) != 1:
        raise Undefined("unit-stride", "exactly one mode of stride 1 is needed")
    if has_xor(flat) and not is_power(n):
        raise Undefined("divisibility", f"{n} parts of an element are no power of two")

    def split(s, d):
        if s == 1:
            return s, 0
        if number_of(d) == 1:
            return s * n, d
        return s, xor(d.number * n) if isinstance(d, Xor) else d * n
    return checked(map_leaves(layout, split))


# ---- from one kind to the other --------------------------------------------------------------------------------------

def linear(layout):
    """The same function with XOR strides: possible if no sum carries, and of an empty layout."""
    if size(layout) and has_negative(modes(layout)):
        raise Undefined("stride", "a negative stride is no XOR stride")
    used = 0
    for s, d in moving(modes(layout)) if size(layout) else []:
        if isinstance(d, Xor):
            continue
        if carries(s, d) or used & bits(s, d):
            raise Undefined("carry", "two bits share a bit, and their sum carries")
        used |= bits(s, d)
    return map_leaves(layout, lambda s, d: (s, d if isinstance(d, Xor) else xor(max(d, 0))))


def natural(layout):
    """The same function with natural strides: possible if no two bits share a bit, and of an empty layout."""
    used = 0
    for s, d in moving(modes(layout)) if size(layout) else []:
        if isinstance(d, Xor) and (carries(s, d.number) or used & bits(s, d.number)):
            raise Undefined("carry", "two bits share a bit, and their XOR is not their sum")
        used |= bits(s, d.number) if isinstance(d, Xor) else 0
    return map_leaves(layout, lambda s, d: (s, number_of(d)))


def swizzle(b, m, s, x):
    mask = ((1 << b) - 1) << (m + max(s, 0))
    return x ^ ((x & mask) >> s if s >= 0 else (x & mask) << -s)


def swizzles(top):
    """All (B, M, S) that read and change bits below `top` alone: of the fewest bits first, then the lowest ones, then
    the nearest; of two that are alike in these, the one that changes the lower bits."""
    yield 0, 0, 0
    for b in range(1, top):
        for m in range(top):
            for distance in range(b, top - m - b + 1):
                yield b, m, distance
                yield b, m, -distance


def first_shared(layout):
    """The first two bits of coordinates in XOR modes, by their strides, that are ever set at once and share a bit."""
    before = []
    for k, (s, d) in enumerate(modes(layout)):
        if not isinstance(d, Xor):
            continue
        for place in range((s - 1).bit_length() if s > 1 else 0):
            stride = d.number << place
            for other, below, first in before:
                if first & stride and (other != k or 2 ** below + 2 ** place < s):
                    return first, stride, (first & stride & -(first & stride)).bit_length() - 1
            before.append((k, place, stride))
    return None


class SharedBit(Undefined):
    """The strides of two bits of the coordinate share a bit."""

    def __init__(self, first, second, bit):
        super().__init__("carry", f"the strides {first} and {second} of two bits of the coordinate share bit {bit}")
        self.first, self.second, self.bit = first, second, bit


def swizzled(layout):
    """((B, M, S), N) with Sw(N(c)) = L(c), where N has no XOR strides: the first swizzle for which there is one.

    A swizzle undoes itself, so that N(c) = Sw(L(c)), and a stride of N is the swizzled stride of L. Bits that no offset
    has are searched too, twice as many as the offsets have: that they are of no use is left to be found."""
    offsets = [index(layout, i) for i in range(size(layout))]
    for b, m, s in swizzles(2 * max(offsets, default=0).bit_length()):
        if b == 0:
            plain = map_leaves(layout, lambda n, d: (n, number_of(d)))
        elif has_negative(modes(layout)):
            break
        else:
            plain = map_leaves(layout, lambda n, d: (n, swizzle(b, m, s, max(number_of(d), 0))))
        if all(swizzle(b, m, s, index(plain, i)) == offset for i, offset in enumerate(offsets)):
            return (b, m, s), plain
    raise SharedBit(*first_shared(layout))
