// What ggml makes of a file's blocks when it loads a model: a hash of the bytes for each size, which
// `tests/interleaved.rs` compares with. The functions are ggml's own, from the sources of a package that
// has them, here the crate llama-cpp-sys-2 0.1.161:
//
//     ggml=llama-cpp-sys-2-0.1.161/llama.cpp/ggml
//     g++ -O1 -w -std=c++17 -static -no-pie -ffunction-sections -I $ggml/include -I $ggml/src \
//         -I $ggml/src/ggml-cpu ggml.cpp -Wl,--gc-sections,--unresolved-symbols=ignore-all -o ggml
//     ./ggml > ggml.txt
//
// Nothing that repacks calls what is not linked.
#include "repack.cpp"

#include <cstdio>
#include <vector>

extern "C" int64_t ggml_nrows(const struct ggml_tensor * t) { return t->ne[1] * t->ne[2] * t->ne[3]; }

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}
static const uint64_t STEP = 0x9e3779b97f4a7c15;

template <typename Block, int TURN, int ROWS>
static void say(const char * name, ggml_type type, int64_t elements) {
    for (int64_t blocks : {1, 2, 3, 5, 8}) {
        for (int64_t groups : {1, 2, 7}) {
            int64_t k = blocks * elements, n = groups * ROWS;
            size_t bytes = blocks * n * sizeof(Block);
            std::vector<uint8_t> from(bytes), to(bytes);
            for (size_t i = 0; i < bytes; i++) from[i] = uint8_t(mix(k * 1000 + n + (i + 1) * STEP));
            ggml_tensor t = {};
            t.type = type;
            t.ne[0] = k; t.ne[1] = n; t.ne[2] = t.ne[3] = 1;
            t.data = to.data();
            if (ggml::cpu::repack::repack<Block, TURN, ROWS>(&t, from.data(), bytes) != 0) return;
            uint64_t sum = 0;
            for (size_t i = 0; i < bytes; i++) sum += mix(to[i] + i * STEP);
            printf("%s %ld %ld %lx\n", name, (long) k, (long) n, (unsigned long) sum);
        }
    }
}

int main() {
    say<block_q4_0, 4, 4>("q4_0_4x4", GGML_TYPE_Q4_0, 32);
    say<block_q4_0, 8, 4>("q4_0_4x8", GGML_TYPE_Q4_0, 32);
    say<block_q4_0, 8, 8>("q4_0_8x8", GGML_TYPE_Q4_0, 32);
    say<block_q8_0, 4, 4>("q8_0_4x4", GGML_TYPE_Q8_0, 32);
    say<block_q8_0, 8, 4>("q8_0_4x8", GGML_TYPE_Q8_0, 32);
    say<block_iq4_nl, 4, 4>("iq4_nl_4x4", GGML_TYPE_IQ4_NL, 32);
    say<block_iq4_nl, 8, 8>("iq4_nl_8x8", GGML_TYPE_IQ4_NL, 32);
    say<block_mxfp4, 4, 4>("mxfp4_4x4", GGML_TYPE_MXFP4, 32);
    say<block_mxfp4, 8, 8>("mxfp4_8x8", GGML_TYPE_MXFP4, 32);
    say<block_q2_K, 8, 8>("q2_K_8x8", GGML_TYPE_Q2_K, 256);
    say<block_q4_K, 4, 8>("q4_K_8x4", GGML_TYPE_Q4_K, 256);
    say<block_q4_K, 8, 8>("q4_K_8x8", GGML_TYPE_Q4_K, 256);
    say<block_q5_K, 4, 8>("q5_K_8x4", GGML_TYPE_Q5_K, 256);
    say<block_q5_K, 8, 8>("q5_K_8x8", GGML_TYPE_Q5_K, 256);
    say<block_q6_K, 4, 8>("q6_K_8x4", GGML_TYPE_Q6_K, 256);
    say<block_q6_K, 8, 8>("q6_K_8x8", GGML_TYPE_Q6_K, 256);
}
