// The kernel on the CPU, for the tests: the threads of a block are threads, and blocks run one after
// the other. Barriers do not wait: the flags are set in advance, for the first run.

#include <cstring>
#include <pthread.h>
#include <thread>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __launch_bounds__(...)
#define FORMS 0x7fffff

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct Index { u32 x; };
struct alignas(16) uint4 { u32 x, y, z, w; };
struct alignas(8) uint2 { u32 x, y; };

static thread_local Index threadIdx;
static Index blockIdx, gridDim;
static pthread_barrier_t barrier;

static void __syncthreads() { pthread_barrier_wait(&barrier); }
static bool __syncthreads_and(bool value) { __syncthreads(); return value; }
static void __threadfence_system() {}
static void release(u32*, u32) {}
static u32 acquire(const u32*) { return 2; }
static u64 now() { return 0; }

template <class To, class From> static To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}
static float __uint_as_float(u32 bits) { return same_bits<float>(bits); }
static u32 __float_as_uint(float value) { return same_bits<u32>(value); }
static float half_to_float(u16 bits) { return same_bits<_Float16>(bits); }
static u16 float_to_half(float value) { return same_bits<u16>((_Float16)value); }
static float __fadd_rn(float a, float b) { return a + b; }
static u32 min(u32 a, u32 b) { return a < b ? a : b; }
static u32 __umulhi(u32 a, u32 b) { return (u64)a * b >> 32; }
static uint4 make_uint4(u32 x, u32 y, u32 z, u32 w) { return {x, y, z, w}; }
static u32 __funnelshift_r(u32 low, u32 high, u32 bits) {
    return ((u64)high << 32 | low) >> (bits & 31);
}

#include "kernel.cu"

extern "C" void run_on_host(const Launch* launch, u32 blocks) {
    gridDim.x = blocks;
    for (u32 block = 0; block < blocks; ++block) {
        blockIdx.x = block;
        pthread_barrier_init(&barrier, nullptr, THREADS);
        std::vector<std::thread> threads;
        for (u32 thread = 0; thread < THREADS; ++thread) {
            threads.emplace_back([=] { threadIdx.x = thread; redistribute(*launch); });
        }
        for (std::thread& thread : threads) thread.join();
        pthread_barrier_destroy(&barrier);
    }
}
