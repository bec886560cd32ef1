// The accesses of `addresses.txt`, each by one warp in a launch of its own, for the hardware to count.
//
// A line is a kind and the byte address of each lane ('-' for a lane that takes no part). Kinds: `load` and `store` of
// 16, 32, 64 or 128 bits in shared memory, `ldmatrix` and `stmatrix` of 1, 2 or 4 matrices, `global` loads and stores.
// See `measure.sh`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

struct Lanes {
    int address[32];
};

extern __shared__ __align__(128) unsigned char memory[];

__device__ uint32_t shared_address(int byte) { return static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + byte; }

// A load whose value nobody wants would be taken out by the assembler. Memory holds no such number.
__device__ void keep(uint32_t value, uint32_t *array) {
    if (value == 0x9e3779b9) array[0] = value;
}

#define SHARED_KERNEL(NAME, INSTRUCTION)                                                                               \
    __global__ void NAME(const __grid_constant__ Lanes lanes, uint32_t *array) {                                           \
        int byte = lanes.address[threadIdx.x];                                                                        \
        uint32_t a = byte, b = byte, c = byte, d = byte;                                                               \
        if (byte >= 0) {                                                                                               \
            uint32_t at = shared_address(byte);                                                                        \
            INSTRUCTION;                                                                                               \
        }                                                                                                              \
        keep(a ^ b ^ c ^ d, array);                                                                                    \
    }

SHARED_KERNEL(load16, uint16_t half; asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(at)); a = half)
SHARED_KERNEL(load32, asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at)))
SHARED_KERNEL(load64, asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at)))
SHARED_KERNEL(load128, asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at)))
SHARED_KERNEL(store16, asm volatile("st.shared.u16 [%1], %0;" ::"h"(static_cast<uint16_t>(a)), "r"(at)))
SHARED_KERNEL(store32, asm volatile("st.shared.u32 [%1], %0;" ::"r"(a), "r"(at)))
SHARED_KERNEL(store64, asm volatile("st.shared.v2.u32 [%2], {%0, %1};" ::"r"(a), "r"(b), "r"(at)))
SHARED_KERNEL(store128, asm volatile("st.shared.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(at)))

// A matrix instruction is of a whole warp: lanes that address no row give row 0's address, which is ignored.
#define MATRIX_KERNEL(NAME, INSTRUCTION)                                                                               \
    __global__ void NAME(const __grid_constant__ Lanes lanes, uint32_t *array) {                                           \
        int byte = lanes.address[threadIdx.x];                                                                        \
        uint32_t a = byte, b = byte, c = byte, d = byte;                                                               \
        uint32_t at = shared_address(byte < 0 ? 0 : byte);                                                             \
        INSTRUCTION;                                                                                                   \
        keep(a ^ b ^ c ^ d, array);                                                                                    \
    }

MATRIX_KERNEL(ldmatrix1, asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at)))
MATRIX_KERNEL(ldmatrix2, asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at)))
MATRIX_KERNEL(ldmatrix4, asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at)))
MATRIX_KERNEL(stmatrix4, asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0, %1, %2, %3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(at)))

#define GLOBAL_KERNEL(NAME, INSTRUCTION)                                                                               \
    __global__ void NAME(const __grid_constant__ Lanes lanes, uint32_t *array) {                                      \
        int byte = lanes.address[threadIdx.x];                                                                        \
        uint32_t a = byte, b = byte, c = byte, d = byte;                                                               \
        if (byte >= 0) {                                                                                               \
            const unsigned char *at = reinterpret_cast<unsigned char *>(array) + byte;                                 \
            INSTRUCTION;                                                                                               \
        }                                                                                                              \
        keep(a ^ b ^ c ^ d, array);                                                                                    \
    }

GLOBAL_KERNEL(globalload32, asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(at)))
GLOBAL_KERNEL(globalload64, asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at)))
GLOBAL_KERNEL(globalload128, asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at)))
GLOBAL_KERNEL(globalstore32, asm volatile("st.global.u32 [%1], %0;" ::"r"(a), "l"(at)))

using Kernel = void (*)(Lanes, uint32_t *);

static Kernel kernel_of(const std::string &kind) {
    struct {
        const char *name;
        Kernel kernel;
    } all[] = {{"load16", load16},           {"store16", store16},
               {"load32", load32},           {"load64", load64},           {"load128", load128},
               {"store32", store32},         {"store64", store64},         {"store128", store128},
               {"ldmatrix1", ldmatrix1},     {"ldmatrix2", ldmatrix2},     {"ldmatrix4", ldmatrix4},
               {"stmatrix4", stmatrix4},     {"globalload32", globalload32}, {"globalload64", globalload64},
               {"globalload128", globalload128}, {"globalstore32", globalstore32}};
    for (auto &known : all)
        if (kind == known.name) return known.kernel;
    std::cerr << "no such kind: " << kind << "\n";
    std::exit(1);
}

int main(int, char **arguments) {
    const int bytes = 64 * 1024, global_bytes = 1 << 20;
    uint32_t *array;
    if (cudaMalloc(&array, global_bytes) != cudaSuccess) return 1;
    std::ifstream file(arguments[1]);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string kind, word;
        words >> kind;
        Lanes lanes;
        for (int &address : lanes.address) {
            words >> word;
            address = word == "-" ? -1 : std::stoi(word);
            if (address >= (kind[0] == 'g' ? global_bytes : bytes)) return 2;
        }
        Kernel kernel = kernel_of(kind);
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess) return 3;
        kernel<<<1, 32, bytes>>>(lanes, array);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            std::cerr << line << ": " << cudaGetErrorString(cudaGetLastError()) << "\n";
            return 4;
        }
    }
    return 0;
}
