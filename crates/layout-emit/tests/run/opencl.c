/* Runs the kernel `run` of a file on the first OpenCL device: host KERNEL ROWS IN OUT. A thread for each three numbers of
 * ROWS; OUT is overwritten with the result. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static char *contents(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    if (!file) { perror(name); exit(1); }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *all = malloc(*size + 1);
    if (fread(all, 1, *size, file) != *size) exit(1);
    all[*size] = 0;
    fclose(file);
    return all;
}
static void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS) { fprintf(stderr, "%s: %d\n", what, status); exit(1); }
}

int main(int count, char **names) {
    if (count != 5) return 2;
    size_t sizes[4];
    char *files[4];
    for (int k = 0; k < 4; k++) files[k] = contents(names[k + 1], &sizes[k]);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&files[0], &sizes[0], &status);
    check(status, "program");
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    cl_kernel kernel = clCreateKernel(program, "run", &status);
    check(status, "kernel");
    cl_uint rows = (cl_uint)(sizes[1] / 12);
    check(clSetKernelArg(kernel, 0, sizeof rows, &rows), "argument");
    cl_mem buffers[3];
    for (int k = 0; k < 3; k++) {
        buffers[k] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizes[k + 1], files[k + 1], &status);
        check(status, "buffer");
        check(clSetKernelArg(kernel, (cl_uint)k + 1, sizeof buffers[k], &buffers[k]), "argument");
    }
    size_t threads = (rows + 63) / 64 * 64, group = 64;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, &group, 0, NULL, NULL), "launch");
    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizes[3], files[3], 0, NULL, NULL), "result");
    FILE *out = fopen(names[4], "wb");
    return !out || fwrite(files[3], 1, sizes[3], out) != sizes[3] || fclose(out);
}
