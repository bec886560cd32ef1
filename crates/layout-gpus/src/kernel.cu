// One kernel for all redistributions, which reads a table of pieces.
//
//   barrier of all ranks;  each rank writes its pieces into the peers' parts;  barrier of all ranks
//
// A piece is a box of vectors with strides on both sides. Its work is cut into tiles, which the
// blocks of the grid process round-robin. The structs are those of `piece.rs` and
// `redistribution.rs`. `ptx.cu` is compiled before this text; the tests use host functions instead.

const u32 MODES = 6, RANKS = 32, THREADS = 256, UNROLL = 4;
const u32 POISON = 0xffffffff;

struct Piece {
    u32 form, modes, first, units, row, wide;
    u32 sources, first_source, targets, first_target;
    u64 from, to;
    u32 extent[MODES], magic[MODES], shift[MODES];
    u64 from_step[MODES], to_step[MODES];
};

struct Launch {
    u8* from[RANKS];
    u8* to[RANKS];
    u32* flags[RANKS];
    const Piece* pieces;
    const u32* ends;
    const u32* list;
    u32* failed;
    u64 limit;
    u32 piece_count, tiles, lanes, rank, ranks, epoch;
};

// ---- barriers ---------------------------------------------------------------------------------

// Block b of each rank waits for block b of all others; their earlier writes are visible after it.
// A flag is a word in the memory of the waiting rank; thread i handles peer i. If a peer does not
// arrive in time, all blocks that wait for this rank are notified.
__device__ bool meet(const Launch& l, u32 value) {
    __syncthreads();
    bool came = true;
    const u32 peer = threadIdx.x;
    if (peer < l.ranks) {
        __threadfence_system();
        release(l.flags[peer] + blockIdx.x * l.ranks + l.rank, value);
        const u32* flag = l.flags[l.rank] + blockIdx.x * l.ranks + peer;
        const u64 begin = now();
        for (;;) {
            const u32 seen = acquire(flag);
            if (seen != POISON && (int)(seen - value) >= 0) break;
            if (seen == POISON || now() - begin > l.limit) {
                came = false;
                *(volatile u32*)l.failed = peer + 1;
                __threadfence_system();
                break;
            }
        }
    }
    if (__syncthreads_and(came)) return true;
    if (peer < l.ranks) release(l.flags[peer] + blockIdx.x * l.ranks + l.rank, POISON);
    return false;
}

// ---- offsets of the vectors of a piece --------------------------------------------------------

// n / extent[mode], for n < 2^31.
__device__ __forceinline__ u32 divide(const Piece& p, u32 mode, u32 n) {
    return p.magic[mode] ? __umulhi(n, p.magic[mode]) >> p.shift[mode] : n;
}

template <int N>
__device__ __forceinline__ void place(const Piece& p, u32 (&n)[N], u64 (&from)[N], u64 (&to)[N]) {
#pragma unroll
    for (int k = 0; k < N; ++k) from[k] = p.from, to[k] = p.to;
    const u32 last = p.modes - 1;
    for (u32 mode = 0; mode < last; ++mode) {
        const u64 before = p.from_step[mode], after = p.to_step[mode];
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const u32 rest = divide(p, mode, n[k]);
            const u32 digit = n[k] - rest * p.extent[mode];
            from[k] += digit * before, to[k] += digit * after, n[k] = rest;
        }
    }
#pragma unroll
    for (int k = 0; k < N; ++k) {
        from[k] += n[k] * p.from_step[last], to[k] += n[k] * p.to_step[last];
    }
}

__device__ __forceinline__ u8* target(const Launch& l, const Piece& p, u32 number) {
    return l.to[l.list[p.first_target + number]];
}

// ---- vectors on both sides --------------------------------------------------------------------

template <class V>
__device__ __forceinline__ void push_vectors(const Launch& l, const Piece& p, u32 tile) {
    u32 n[UNROLL];
    u64 from[UNROLL], to[UNROLL];
    bool is_in[UNROLL];
    V v[UNROLL];
#pragma unroll
    for (int k = 0; k < UNROLL; ++k) {
        n[k] = (tile * UNROLL + k) * THREADS + threadIdx.x;
        is_in[k] = n[k] < p.units;
        n[k] = is_in[k] ? n[k] + p.first : 0;
    }
    place(p, n, from, to);
    const u8* source = l.from[l.rank];
#pragma unroll
    for (int k = 0; k < UNROLL; ++k) {
        if (is_in[k]) v[k] = *(const V*)(source + from[k]);
    }
    for (u32 t = 0; t < p.targets; ++t) {
        u8* out = target(l, p, t);
#pragma unroll
        for (int k = 0; k < UNROLL; ++k) {
            if (is_in[k]) *(V*)(out + to[k]) = v[k];
        }
    }
}

// ---- rows of any alignment --------------------------------------------------------------------

// Bytes m to m + 16 of the 32 bytes a, b.
__device__ __forceinline__ uint4 shifted(uint4 a, uint4 b, u32 m) {
    u32 w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int k = 0; k < 6; ++k) w[k] = m & 8 ? w[k + 2] : w[k];
#pragma unroll
    for (int k = 0; k < 5; ++k) w[k] = m & 4 ? w[k + 1] : w[k];
    const u32 bits = 8 * (m & 3);
    return make_uint4(__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits),
                      __funnelshift_r(w[2], w[3], bits), __funnelshift_r(w[3], w[4], bits));
}

template <class E>
__device__ __forceinline__ void copy_elements(u8* out, const u8* in, u32 bytes) {
#pragma unroll 1
    for (u32 at = 0; at < bytes; at += sizeof(E)) *(E*)(out + at) = *(const E*)(in + at);
}

// A slot is 16 aligned bytes of the target: a row starts inside its first slot, and ends inside its
// last one. A full slot is written as one vector, from two aligned vectors of the source.
template <class E>
__device__ __forceinline__ void push_rows(const Launch& l, const Piece& p, u32 tile) {
    const u8* source = l.from[l.rank];
    const u32 PAIR = 2;
    for (u32 half = 0; half < UNROLL / PAIR; ++half) {
        u32 n[PAIR];
        u64 from[PAIR], to[PAIR];
        u32 slot[PAIR], bytes[PAIR];
        uint4 low[PAIR], high[PAIR];
#pragma unroll
        for (int k = 0; k < PAIR; ++k) {
            n[k] = ((tile * UNROLL / PAIR + half) * PAIR + k) * THREADS + threadIdx.x;
            bytes[k] = n[k] < p.units;
            n[k] = bytes[k] ? n[k] + p.first : 0;
            slot[k] = n[k] - divide(p, 0, n[k]) * p.extent[0];
        }
        place(p, n, from, to);
#pragma unroll
        for (int k = 0; k < PAIR; ++k) {
            const u64 begin = (to[k] & ~15ull) + 16ull * slot[k];
            const u64 first = begin > to[k] ? begin : to[k];
            const u64 end = begin + 16 < to[k] + p.row ? begin + 16 : to[k] + p.row;
            bytes[k] = bytes[k] && first < end ? (u32)(end - first) : 0;
            from[k] += first - to[k], to[k] = first;
            if (bytes[k] == 16) {
                const u32 m = from[k] & 15;
                low[k] = *(const uint4*)(source + (from[k] - m));
                high[k] = m ? *(const uint4*)(source + (from[k] - m) + 16) : low[k];
            }
        }
        for (u32 t = 0; t < p.targets; ++t) {
            u8* out = target(l, p, t);
#pragma unroll
            for (int k = 0; k < PAIR; ++k) {
                if (bytes[k] == 16) {
                    *(uint4*)(out + to[k]) = shifted(low[k], high[k], from[k] & 15);
                } else {
                    copy_elements<E>(out + to[k], source + from[k], bytes[k]);
                }
            }
        }
    }
}

// ---- transposes -------------------------------------------------------------------------------

// Mode 0 is contiguous in the source, mode 1 in the target. A tile of T x T elements goes through
// shared memory, with vectors of 16 bytes on each side whose rows are multiples of them.
template <class E, int T>
__device__ __forceinline__ void transpose(const Launch& l, const Piece& p, u32 n, u8* memory) {
    const int V = 16 / sizeof(E), WORD = sizeof(E) < 4 ? 4 / sizeof(E) : 1;
    const int PITCH = T + WORD, STEPS = T * T / V / THREADS;
    E* shared = (E*)memory;
    u64 from = p.from, to = p.to;
    const u32 tiles[2] = {(p.extent[0] + T - 1) / T, (p.extent[1] + T - 1) / T};
    u32 begin[2];
    for (u32 mode = 0; mode < p.modes; ++mode) {
        const u32 rest = divide(p, mode, n);
        u32 digit = n - rest * (mode < 2 ? tiles[mode] : p.extent[mode]);
        if (mode < 2) digit *= T, begin[mode] = digit;
        from += digit * p.from_step[mode], to += digit * p.to_step[mode], n = rest;
    }
    const u32 length0 = min(p.extent[0] - begin[0], T), length1 = min(p.extent[1] - begin[1], T);
    const u8* source = l.from[l.rank] + from;
    if (p.wide & 1) {
        uint4 v[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; ++k) {
            const u32 i = k * THREADS + threadIdx.x, row = i / (T / V), at = i % (T / V) * V;
            if (row < length1 && at + V <= length0) {
                v[k] = *(const uint4*)(source + row * p.from_step[1] + at * sizeof(E));
            }
        }
#pragma unroll
        for (int k = 0; k < STEPS; ++k) {
            const u32 i = k * THREADS + threadIdx.x, row = i / (T / V), at = i % (T / V) * V;
            if (row < length1 && at + V <= length0) {
                E* out = shared + row * PITCH + at;
                if (sizeof(E) == 8) {
                    ((u64*)out)[0] = v[k].x | (u64)v[k].y << 32;
                    ((u64*)out)[1] = v[k].z | (u64)v[k].w << 32;
                } else {
                    u32* words = (u32*)out;
                    words[0] = v[k].x, words[1] = v[k].y, words[2] = v[k].z, words[3] = v[k].w;
                }
            } else if (row < length1) {
#pragma unroll 1
                for (u32 u = at; u < length0; ++u) {
                    shared[row * PITCH + u] =
                        *(const E*)(source + row * p.from_step[1] + u * sizeof(E));
                }
            }
        }
    } else {
#pragma unroll 4
        for (u32 i = threadIdx.x; i < T * T; i += THREADS) {
            const u32 row = i / T, at = i % T;
            if (row < length1 && at < length0) {
                shared[row * PITCH + at] =
                    *(const E*)(source + row * p.from_step[1] + at * sizeof(E));
            }
        }
    }
    __syncthreads();
    for (u32 t = 0; t < p.targets; ++t) {
        u8* out = target(l, p, t) + to;
        if (p.wide & 2) {
#pragma unroll
            for (int k = 0; k < STEPS; ++k) {
                const u32 i = k * THREADS + threadIdx.x, row = i / (T / V), at = i % (T / V) * V;
                u8* place = out + row * p.to_step[0] + at * sizeof(E);
                if (row < length0 && at + V <= length1) {
                    union { uint4 whole; E each[V]; } v;
#pragma unroll
                    for (int j = 0; j < V; ++j) v.each[j] = shared[(at + j) * PITCH + row];
                    *(uint4*)place = v.whole;
                } else if (row < length0) {
#pragma unroll 1
                    for (u32 u = at; u < length1; ++u) {
                        ((E*)place)[u - at] = shared[u * PITCH + row];
                    }
                }
            }
        } else {
#pragma unroll 4
            for (u32 i = threadIdx.x; i < T * T; i += THREADS) {
                const u32 row = i / T, at = i % T;
                if (row < length0 && at < length1) {
                    *(E*)(out + row * p.to_step[0] + at * sizeof(E)) = shared[at * PITCH + row];
                }
            }
        }
    }
    __syncthreads();
}

// ---- sums over the peers ----------------------------------------------------------------------

struct Float {
    typedef u32 Bits;
    static __device__ __forceinline__ float read(u32 bits) { return __uint_as_float(bits); }
    static __device__ __forceinline__ u32 write(float value) { return __float_as_uint(value); }
};
struct Half {
    typedef u16 Bits;
    static __device__ __forceinline__ float read(u16 bits) {
        return half_to_float(bits);
    }
    static __device__ __forceinline__ u16 write(float value) {
        return float_to_half(value);
    }
};
struct Bfloat {
    typedef u16 Bits;
    static __device__ __forceinline__ float read(u16 bits) {
        return __uint_as_float((u32)bits << 16);
    }
    static __device__ __forceinline__ u16 write(float value) {
        const u32 word = __float_as_uint(value);
        return value != value ? 0x7fc0 : (u16)((word + 0x7fff + (word >> 16 & 1)) >> 16);
    }
};

// The summands are added in the order of the list on every rank, so the sum is reproducible.
// Each thread has one vector, with loads from four peers in flight.
template <class V, class E>
__device__ __forceinline__ void push_sums(const Launch& l, const Piece& p, u32 tile) {
    const u32 COUNT = sizeof(V) / sizeof(typename E::Bits);
    union Values { V whole; typename E::Bits each[COUNT]; };
    u32 n[1] = {tile * THREADS + threadIdx.x};
    u64 from[1], to[1];
    if (n[0] >= p.units) return;
    n[0] += p.first;
    place(p, n, from, to);
    float sum[COUNT];
#pragma unroll
    for (u32 j = 0; j < COUNT; ++j) sum[j] = -0.0f; // neutral for the addition
#pragma unroll 1
    for (u32 s = 0; s < p.sources; s += UNROLL) {
        Values v[UNROLL];
#pragma unroll
        for (u32 k = 0; k < UNROLL; ++k) {
            if (s + k < p.sources) {
                v[k].whole = *(const V*)(l.from[l.list[p.first_source + s + k]] + from[0]);
            }
        }
#pragma unroll
        for (u32 k = 0; k < UNROLL; ++k) {
            if (s + k >= p.sources) continue;
#pragma unroll
            for (u32 j = 0; j < COUNT; ++j) sum[j] = __fadd_rn(sum[j], E::read(v[k].each[j]));
        }
    }
    Values v;
#pragma unroll
    for (u32 j = 0; j < COUNT; ++j) v.each[j] = E::write(sum[j]);
    for (u32 t = 0; t < p.targets; ++t) *(V*)(target(l, p, t) + to[0]) = v.whole;
}

// ---- the kernel -------------------------------------------------------------------------------

// FORMS has a bit for each form of the plan's pieces: other forms are not compiled.
__device__ __forceinline__ void push(const Launch& l, const Piece& p, u32 tile, u8* memory) {
#define FORM(bit) if ((FORMS & ~(1 << bit)) == 0 || (FORMS >> bit & 1 && p.form == bit))
    FORM(0) return push_vectors<uint4>(l, p, tile);
    FORM(1) return push_vectors<uint2>(l, p, tile);
    FORM(2) return push_vectors<u32>(l, p, tile);
    FORM(3) return push_vectors<u16>(l, p, tile);
    FORM(4) return push_vectors<u8>(l, p, tile);
    FORM(5) return push_rows<u32>(l, p, tile);
    FORM(6) return push_rows<u16>(l, p, tile);
    FORM(7) return push_rows<u8>(l, p, tile);
    FORM(8) return transpose<u64, 32>(l, p, tile, memory);
    FORM(9) return transpose<u32, 64>(l, p, tile, memory);
    FORM(10) return transpose<u16, 64>(l, p, tile, memory);
    FORM(11) return transpose<u8, 128>(l, p, tile, memory);
    FORM(12) return push_sums<uint4, Float>(l, p, tile);
    FORM(13) return push_sums<uint2, Float>(l, p, tile);
    FORM(14) return push_sums<u32, Float>(l, p, tile);
    FORM(15) return push_sums<uint4, Half>(l, p, tile);
    FORM(16) return push_sums<uint2, Half>(l, p, tile);
    FORM(17) return push_sums<u32, Half>(l, p, tile);
    FORM(18) return push_sums<u16, Half>(l, p, tile);
    FORM(19) return push_sums<uint4, Bfloat>(l, p, tile);
    FORM(20) return push_sums<uint2, Bfloat>(l, p, tile);
    FORM(21) return push_sums<u32, Bfloat>(l, p, tile);
    FORM(22) return push_sums<u16, Bfloat>(l, p, tile);
}

extern "C" __global__ void __launch_bounds__(THREADS, (FORMS & (FORMS - 1)) == 0 ? 4 : 2)
redistribute(const __grid_constant__ Launch l) {
    __shared__ Piece piece;
    // 128 rows of 132 bytes, 64 of 65 words.
    __shared__ __align__(16) u8 memory[FORMS >> 8 & 15 ? 16896 : 16];
    if (!meet(l, l.epoch + 1)) return;
    // Consecutive tiles go to different peers: the list is read at `lanes` positions in turn.
    const u32 chunk = (l.tiles + l.lanes - 1) / l.lanes;
    u32 held = ~0u;
    for (u32 turn = blockIdx.x; turn < chunk * l.lanes; turn += gridDim.x) {
        u32 tile = turn % l.lanes * chunk + turn / l.lanes;
        if (tile >= l.tiles) continue;
        u32 low = 0, high = l.piece_count - 1;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (tile < l.ends[middle]) high = middle;
            else low = middle + 1;
        }
        if (low != held) {
            __syncthreads();
            const u32* in = (const u32*)(l.pieces + low);
            u32* out = (u32*)&piece;
            for (u32 k = threadIdx.x; k < sizeof(Piece) / 4; k += THREADS) out[k] = in[k];
            __syncthreads();
            held = low;
        }
        if (low) tile -= l.ends[low - 1];
        push(l, piece, tile, memory);
    }
    meet(l, l.epoch + 2);
}
