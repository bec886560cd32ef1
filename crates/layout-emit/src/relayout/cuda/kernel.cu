// Both pointers are multiples of 16 bytes, and no element of one is one of the other.
$types$
extern "C" __global__ void __launch_bounds__($threads$$registers$) $name$(const $element$ *__restrict__ from, $element$ *__restrict__ to) {
$body$
#ifndef __CUDACC_RTC__
static inline cudaError_t $name$_launch(const void *from, void *to, cudaStream_t stream) {
    $name$<<<$blocks$u, $threads$u, 0, stream>>>(static_cast<const $element$ *>(from), static_cast<$element$ *>(to));
    return cudaGetLastError();
}
#else
// $blocks$ blocks of $threads$ threads.
#endif
