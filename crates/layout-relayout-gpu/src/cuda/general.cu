// The number of elements, the offset of the first one in the source; for each axis its extent and both strides.
struct Numbers {
    unsigned long long elements;
    long long first;
    unsigned int axes, reserved;
    unsigned long long extent[$axes$];
    long long from[$axes$], to[$axes$];
};
// One element for each thread, in the order of the target. Sums and negative strides wrap around.
template <typename Word>
static __device__ __forceinline__ void move(const $element$ *__restrict__ from, $element$ *__restrict__ to, const Numbers &numbers) {
    Word rest = (Word)blockIdx.x * $threads$u + threadIdx.x, source = (Word)numbers.first, place = 0;
    if (rest >= numbers.elements) return;
    for (unsigned int axis = 0; axis < numbers.axes; ++axis) {
        const Word next = rest / (Word)numbers.extent[axis], coordinate = rest - next * (Word)numbers.extent[axis];
        rest = next;
        source += coordinate * (Word)numbers.from[axis];
        place += coordinate * (Word)numbers.to[axis];
    }
    to[place] = from[source];
}
extern "C" __global__ void __launch_bounds__($threads$) one_by_one(const $element$ *__restrict__ from, $element$ *__restrict__ to, const Numbers numbers) {
    move<unsigned int>(from, to, numbers);
}
extern "C" __global__ void __launch_bounds__($threads$) one_by_one_wide(const $element$ *__restrict__ from, $element$ *__restrict__ to, const Numbers numbers) {
    move<unsigned long long>(from, to, numbers);
}
// Squares of axis 0, the source's fastest, and axis 1, the target's fastest, through shared memory: one for each block.
extern "C" __global__ void __launch_bounds__($threads$) by_squares(const $element$ *__restrict__ from, $element$ *__restrict__ to, const Numbers numbers) {
    constexpr unsigned int side = $side$u, down = $threads$u / side;
    __shared__ $element$ square[side][side + 1];
    unsigned int rest = blockIdx.x, left[2];
    long long source = numbers.first, place = 0;
    for (unsigned int axis = 0; axis < numbers.axes; ++axis) {
        const unsigned int extent = (unsigned int)numbers.extent[axis], step = axis < 2 ? side : 1;
        const unsigned int count = (extent - 1) / step + 1, next = rest / count, coordinate = (rest - next * count) * step;
        rest = next;
        source += coordinate * numbers.from[axis];
        place += coordinate * numbers.to[axis];
        if (axis < 2) left[axis] = extent - coordinate;
    }
    const unsigned int t = threadIdx.x % side, row = threadIdx.x / side;
    const $element$ *const line = from + (source + t * numbers.from[0]);
    #pragma unroll
    for (unsigned int j = row; j < row + side; j += down)
        if (t < left[0] && j < left[1]) square[j][t] = line[j * numbers.from[1]];
    __syncthreads();
    $element$ *const column = to + (place + t * numbers.to[1]);
    #pragma unroll
    for (unsigned int j = row; j < row + side; j += down)
        if (j < left[0] && t < left[1]) column[j * numbers.to[0]] = square[t][j];
}
