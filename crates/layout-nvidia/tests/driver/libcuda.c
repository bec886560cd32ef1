// A stand-in for the driver, without a card: every function succeeds, and says what is asked of memory, streams and launches.
// Built with OLD it has no cuFuncGetParamInfo, as drivers before CUDA 12.4.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel { const char *name; size_t count, bytes[4]; };
static struct kernel kernels[] = {
    {"four", 4, {8, 8, 8, 8}}, {"narrow", 2, {8, 4}},        {"other", 2, {8, 8}},
    {"more", 3, {8, 4, 4}},    {"by_pointer", 1, {8}},       {"by_map", 1, {128}},
    {"by_map_mut", 1, {128}},  {"nothing_at_all", 0, {0}},
};
static long streams, events;
#define SAY(...) (printf("driver: " __VA_ARGS__), fflush(stdout), 0)

int cuInit(unsigned flags) { return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = 0; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)16; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 115 ? 0 : attribute == 97 ? 232448 : 1024;
    return 0;
}
int cuCtxSynchronize(void) { return 0; }
int cuCtxSetCurrent(void *context) { return 0; }
int cuCtxGetCurrent(void **context) { *context = (void *)16; return 0; }
int cuStreamCreate(void **stream, unsigned flags) { *stream = (void *)(++streams); return 0; }
int cuStreamDestroy_v2(void *stream) { return 0; }
int cuStreamSynchronize(void *stream) { return SAY("synchronize %ld\n", (long)stream); }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    return SAY("stream %ld waits for event %ld\n", (long)stream, (long)event);
}
int cuEventCreate(void **event, unsigned flags) { *event = (void *)(++events); return 0; }
int cuEventRecord(void *event, void *stream) { return SAY("event %ld on stream %ld\n", (long)event, (long)stream); }
int cuEventDestroy_v2(void *event) { return 0; }
int cuModuleLoadData(void **module, const void *image) { *module = (void *)64; return 0; }
int cuModuleUnload(void *module) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, name)) { *function = kernels + i; return 0; }
    return 500;
}
int cuFuncSetAttribute(void *function, int attribute, int value) { return 0; }
int cuFuncGetAttribute(int *value, int attribute, void *function) { *value = 1024; return 0; }
#ifndef OLD
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
    struct kernel *kernel = function;
    if (index >= kernel->count) return 1;
    *offset = 8 * index;
    *size = kernel->bytes[index];
    return 0;
}
#endif
int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
    *at = (uint64_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return 0;
}
int cuMemFree_v2(uint64_t at) { free((void *)at); return SAY("free\n"); }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    memcpy((void *)to, from, bytes);
    return SAY("copy on stream %ld\n", (long)stream);
}
int cuTensorMapEncodeTiled(uint64_t *map, int type, unsigned rank, void *at, const uint64_t *extents, const uint64_t *strides,
                           const unsigned *box, const unsigned *steps, int interleave, int swizzle, int promotion, int fill) {
    map[0] = (uint64_t)at;
    map[15] = extents[0];
    return 0;
}
// Reads every parameter of the kernel, as the driver does.
int cuLaunchKernelEx(const void *config, void *function, void **parameters, void **extra) {
    struct kernel *kernel = function;
    printf("driver: %s", kernel->name);
    for (size_t i = 0; i < kernel->count; i++) {
        uint64_t words[16] = {0};
        memcpy(words, parameters[i], kernel->bytes[i]);
        printf(" %llu", (unsigned long long)words[kernel->bytes[i] > 8 ? 15 : 0]);
    }
    printf("\n");
    return SAY("launched\n");
}
