#include <cstdio>
#include <cstdlib>

#ifdef __CUDACC__
/* On a device. */
static void launch(unsigned int, unsigned int, void (*kernel)()) {
    kernel();
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) { printf("%s\n", cudaGetErrorString(status)); exit(5); }
}
static void *aligned(size_t size) {
    void *all = nullptr;
    return cudaMallocManaged(&all, size) == cudaSuccess ? all : nullptr;
}
#define free cudaFree

#else
/* CUDA's words for a CPU: the threads of a block are contexts, which take turns at barriers. */
#include <ucontext.h>
#include <algorithm>
#include <vector>

using std::max;
using std::min;

#define __CUDACC_RTC__
#define __global__
#define __syncwarp()
#define __builtin_assume(...)
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))

struct alignas(8) uint2 { unsigned int x, y; };
struct alignas(16) uint4 { unsigned int x, y, z, w; };
struct Index { unsigned int x; };
static Index threadIdx, blockIdx;

static const int THREADS = 512, STACK = 1 << 15;
static ucontext_t scheduler, threads[THREADS];
static std::vector<char> stacks(THREADS *STACK);
static void (*body)();
static bool ended;

static inline void __syncthreads() {
    int own = threadIdx.x;
    swapcontext(&threads[own], &scheduler);
    threadIdx.x = own;
}
static void entered() { body(); ended = true; }

/* Runs a kernel: all threads up to the barrier, then all of them to the end. */
static void launch(unsigned int blocks, int count, void (*kernel)()) {
    body = kernel;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        std::vector<bool> done(count);
        for (int round = 0, left = count; left; round++) {
            for (int t = 0; t < count; t++) {
                if (done[t]) continue;
                if (!round) {
                    getcontext(&threads[t]);
                    threads[t].uc_stack.ss_sp = &stacks[t * STACK];
                    threads[t].uc_stack.ss_size = STACK;
                    threads[t].uc_link = &scheduler;
                    makecontext(&threads[t], entered, 0);
                }
                threadIdx.x = t;
                ended = false;
                swapcontext(&scheduler, &threads[t]);
                if (ended) { done[t] = true; left--; }
            }
        }
    }
}

static void *aligned(size_t size) { return aligned_alloc(16, (size + 15) / 16 * 16); }
#endif

/* Memory with room behind it, which nobody may touch. */
static void *contents(const char *name, size_t size) {
    void *all = aligned(size);
    FILE *file = fopen(name, "rb");
    if (!file || fread(all, 1, size, file) != size) exit(3);
    fclose(file);
    return all;
}
static void written(const char *name, void *all, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(all, 1, size, file) != size || fclose(file)) exit(4);
}
