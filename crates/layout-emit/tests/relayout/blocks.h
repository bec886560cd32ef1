#include <cstdio>
#include <cstdlib>

/* CUDA's words for a CPU: the threads of a block are contexts, which take turns at barriers. */
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
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
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return (by &= 31) ? high << by | low >> (32 - by) : high;
}

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

/* Memory of whole vectors, at the begin or at the end of pages with others around them that nobody may touch. */
static void *from, *to;
static std::vector<std::pair<void *, size_t>> pages;

static void *aligned(size_t size, bool at_end) {
    const size_t page = sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    void *all = mmap(nullptr, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect((char *)all + page, room, PROT_READ | PROT_WRITE)) exit(2);
    pages.push_back({all, room + 2 * page});
    return (char *)all + page + (at_end ? room - size : 0);
}
static void release() {
    for (auto &own : pages) munmap(own.first, own.second);
    pages.clear();
}
static void *contents(const char *name, size_t size, bool at_end) {
    void *all = aligned(size, at_end);
    FILE *file = fopen(name, "rb");
    if (!file || fread(all, 1, size, file) != size) exit(3);
    fclose(file);
    return all;
}
static void written(const char *name, void *all, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(all, 1, size, file) != size || fclose(file)) exit(4);
}

/* Runs a kernel whose offsets are far apart, in memory of which only the touched pages exist, and compares every element. */
struct Leaf { unsigned long long extent, stride; };
typedef std::vector<Leaf> Layout;

static size_t reach(const Layout &layout) {
    size_t last = 0;
    for (auto &leaf : layout) last += (leaf.extent - 1) * leaf.stride;
    return last;
}
static size_t offset(const Layout &layout, size_t i) {
    size_t sum = 0;
    for (auto &leaf : layout) {
        sum += i % leaf.extent * leaf.stride;
        i /= leaf.extent;
    }
    return sum;
}
static unsigned char *reserved(size_t size) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *all = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (all == MAP_FAILED) exit(5);
    pages.push_back({all, size});
    return (unsigned char *)all;
}
static void sparse(const char *name, int bytes, const Layout &a, const Layout &b, unsigned int blocks, int count, void (*kernel)()) {
    unsigned char *source = reserved((reach(a) + 1) * bytes + 16), *target = reserved((reach(b) + 1) * bytes + 16);
    size_t size = 1, wrong = 0;
    for (auto &leaf : a) size *= leaf.extent;
    const auto value = [&](size_t i, int k) { return (unsigned char)((i * bytes + k) * 2654435761u >> 13 | 1); };
    for (size_t i = 0; i < size; i++)
        for (int k = 0; k < bytes; k++) source[offset(a, i) * bytes + k] = value(i, k);
    from = source;
    to = target;
    launch(blocks, count, kernel);
    for (size_t i = 0; i < size; i++)
        for (int k = 0; k < bytes; k++) wrong += target[offset(b, i) * bytes + k] != value(i, k);
    release();
    if (wrong) fprintf(stderr, "%s: %zu wrong bytes\n", name, wrong);
    if (wrong) exit(6);
}
