/* Relayouts on a card, compared at every element. */
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Leaf { long long extent, stride; };
typedef std::vector<Leaf> Layout;
typedef unsigned char Byte;

static int kernels, failed;

static void asked(cudaError_t status, const char *name) {
    if (status == cudaSuccess) return;
    printf("%s: %s\n", name, cudaGetErrorString(status));
    exit(1);
}
/* Offsets are counted from the least. */
static std::vector<long long> offsets(const Layout &layout) {
    long long size = 1, least = 0;
    for (auto &leaf : layout) {
        size *= leaf.extent;
        if (leaf.stride < 0) least += (leaf.extent - 1) * leaf.stride;
    }
    std::vector<long long> all(size);
    for (long long i = 0; i < size; i++) {
        long long rest = i, sum = -least;
        for (auto &leaf : layout) {
            sum += rest % leaf.extent * leaf.stride;
            rest /= leaf.extent;
        }
        all[i] = sum;
    }
    return all;
}
/* Whole vectors of bytes, with as much around them as a line. */
static const size_t AROUND = 256;
static std::vector<Byte> memory(const std::vector<long long> &offsets, int bytes, unsigned long long seed) {
    long long most = 0;
    for (long long offset : offsets) most = offset > most ? offset : most;
    std::vector<Byte> all(((most + 1) * bytes + 15) / 16 * 16 + 2 * AROUND);
    for (auto &byte : all) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        byte = seed >> 56;
    }
    return all;
}

static void check(
    const char *name, cudaError_t (*launch)(const void *, void *, cudaStream_t), int bytes, const Layout &a, const Layout &b
) {
    std::vector<long long> from = offsets(a), to = offsets(b);
    std::vector<Byte> source = memory(from, bytes, 1), target = memory(to, bytes, 2), found(target.size());
    Byte *device[2];
    asked(cudaMalloc(&device[0], source.size()), name);
    asked(cudaMalloc(&device[1], target.size()), name);
    asked(cudaMemcpy(device[0], source.data(), source.size(), cudaMemcpyHostToDevice), name);
    asked(cudaMemcpy(device[1], target.data(), target.size(), cudaMemcpyHostToDevice), name);
    asked(launch(device[0] + AROUND, device[1] + AROUND, 0), name);
    asked(cudaMemcpy(found.data(), device[1], found.size(), cudaMemcpyDeviceToHost), name);
    for (size_t i = 0; i < from.size(); i++)
        for (int k = 0; k < bytes; k++) target[AROUND + to[i] * bytes + k] = source[AROUND + from[i] * bytes + k];
    size_t wrong = 0;
    for (size_t k = 0; k < found.size(); k++) wrong += found[k] != target[k];
    if (wrong) printf("WRONG %s: %zu bytes\n", name, wrong);
    kernels++;
    failed += wrong > 0;
    cudaFree(device[0]);
    cudaFree(device[1]);
}
static int ended() {
    printf("%d kernels, %d wrong\n", kernels, failed);
    return failed > 0;
}
