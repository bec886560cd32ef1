// CuTe's layouts of Blackwell's instructions and of tensor memory, for `tests/blackwell.rs`: a line for each.
//
//   pip download --no-deps nvidia-cutlass==4.2.0.0      # cutlass_library/source/include of the wheel
//   pip install nvidia-cuda-{runtime,cccl,crt}      # the headers of CUDA
//   g++ -std=c++17 -O0 -w -I include -I cuda/include -I cuda/include/cccl cute.cpp -o cute
//   ./cute | tr -d _ | awk '!seen[$0]++' > cute.txt
#include <cstdio>
#include <utility>

#include <cute/tensor.hpp>
#include <cute/atom/copy_traits_sm100.hpp>
#include <cute/atom/mma_traits_sm100.hpp>

using namespace cute;

#define TMEM_COPIES(X) \
    X(16dp64b1x) X(16dp64b1x_16b) X(16dp64b2x) X(16dp64b2x_16b) X(16dp64b4x) X(16dp64b4x_16b) \
    X(16dp64b8x) X(16dp64b8x_16b) X(16dp64b16x) X(16dp64b16x_16b) X(16dp64b32x) X(16dp64b32x_16b) \
    X(16dp64b64x) X(16dp64b64x_16b) X(16dp64b128x) X(16dp64b128x_16b) X(16dp128b1x) X(16dp128b1x_16b) \
    X(16dp128b2x) X(16dp128b2x_16b) X(16dp128b4x) X(16dp128b4x_16b) X(16dp128b8x) X(16dp128b8x_16b) \
    X(16dp128b16x) X(16dp128b16x_16b) X(16dp128b32x) X(16dp128b32x_16b) X(16dp128b64x) X(16dp128b64x_16b) \
    X(16dp256b1x) X(16dp256b1x_16b) X(16dp256b2x) X(16dp256b2x_16b) X(16dp256b4x) X(16dp256b4x_16b) \
    X(16dp256b8x) X(16dp256b8x_16b) X(16dp256b16x) X(16dp256b16x_16b) X(16dp256b32x) X(16dp256b32x_16b) \
    X(32dp32b1x) X(32dp32b1x_16b) X(32dp32b2x) X(32dp32b2x_16b) X(32dp32b4x) X(32dp32b4x_16b) \
    X(32dp32b8x) X(32dp32b8x_16b) X(32dp32b16x) X(32dp32b16x_16b) X(32dp32b32x) X(32dp32b32x_16b) \
    X(32dp32b64x) X(32dp32b64x_16b) X(32dp32b128x) X(32dp32b128x_16b) X(16dp32b1x) X(16dp32b1x_16b) \
    X(16dp32b2x) X(16dp32b2x_16b) X(16dp32b4x) X(16dp32b4x_16b) X(16dp32b8x) X(16dp32b8x_16b) \
    X(16dp32b16x) X(16dp32b16x_16b) X(16dp32b32x) X(16dp32b32x_16b) X(16dp32b64x) X(16dp32b64x_16b) \
    X(16dp32b128x) X(16dp32b128x_16b)


#define COPY(NAME) { \
    using T = Copy_Traits<SM100_TMEM_LOAD_##NAME>; \
    printf("copy " #NAME " "); print(typename T::ValID{}); printf(" "); print(typename T::DstLayout{}); printf("\n"); }

template <class Op>
void umma(const char * name, int sms, int m, int n) {
  using T = MMA_Traits<Op>;
  printf("%s %d %d %d ", name, sms, m, n);
  print(typename T::ALayout{}); printf(" ");
  print(typename T::BLayout{}); printf(" ");
  print(typename T::CLayout{}); printf("\n");
}
template <int M, int N> void one_sm() {
  umma<SM100_MMA_F16BF16_SS<half_t, half_t, float, M, N, UMMA::Major::K, UMMA::Major::K>>("umma16", 1, M, N);
  if constexpr (N % 16 == 0) {
    umma<SM100_MMA_TF32_SS<tfloat32_t, tfloat32_t, float, M, N, UMMA::Major::K, UMMA::Major::K>>("umma32", 1, M, N);
    umma<SM100_MMA_S8_SS<int8_t, int8_t, int32_t, M, N, UMMA::Major::K, UMMA::Major::K>>("umma8", 1, M, N);
  }
}
template <int M, int N> void two_sms() {
  umma<SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, M, N, UMMA::Major::K, UMMA::Major::K>>("umma16", 2, M, N);
}
template <int... I> void all(std::integer_sequence<int, I...>) {
  (one_sm<64, 8 + 8 * I>(), ...);
  (one_sm<128, 16 + 16 * (I / 2)>(), ...);
  (two_sms<128, 16 + 16 * (I / 2)>(), ...);
  (two_sms<256, 16 + 16 * (I / 2)>(), ...);
}

template <class V, class S, int M, int N, int A, int B, class Frg>
void tmem(const char * kind) {
  auto shape = make_shape(Shape<Int<M>, Int<N>>{}, Int<A>{}, Int<B>{});
  printf("tmem %s %d %d %d %d %d %d ", kind, M, N, A, B, int(sizeof_bits_v<V>), int(sizeof_bits_v<S>));
  print(Frg::make(shape).layout()); printf("\n");
}
template <class V, class S, int N, int A, int B>
void kinds() {
  using namespace UMMA;
  if constexpr (A * B == 1 || A % 2 == 0) {  // Others CuTe refuses when it compiles.
    tmem<V, S, 64, N, A, B, tmem_frg<V, S, 1, TmemAllocMode::Interleaved>>("one-interleaved");
    tmem<V, S, 64, N, A, B, tmem_frg<V, S, 1, TmemAllocMode::NonInterleaved>>("one-apart");
  }
  tmem<V, S, 128, N, A, B, tmem_frg<V, S, 1, TmemAllocMode::Interleaved>>("one-interleaved");
  tmem<V, S, 32, N, A, B, tmem_frg<V, S, 2, TmemAllocMode::Interleaved>>("two");
  tmem<V, S, 64, N, A, B, tmem_frg<V, S, 2, TmemAllocMode::Interleaved>>("two");
  tmem<V, S, 64, N, A, B, tmem_frg<V, S, 2, TmemAllocMode::Duplicated>>("two-duplicated");
  tmem<V, S, 128, N, A, B, tmem_frg<V, S, 2, TmemAllocMode::Interleaved>>("two");
  if constexpr (N == 64 || N == 128) {
    tmem<V, S, 32, N, A, B, tmem_frg_ws<V, S, 1>>("stationary");
    tmem<V, S, 64, N, A, B, tmem_frg_ws<V, S, 1>>("stationary");
    tmem<V, S, 128, N, A, B, tmem_frg_ws<V, S, 1>>("stationary");
  }
}
template <class V, class S> void sizes() {
  kinds<V, S, 64, 1, 1>(); kinds<V, S, 160, 1, 1>(); kinds<V, S, 128, 2, 1>(); kinds<V, S, 64, 1, 3>();
  kinds<V, S, 32, 2, 2>(); kinds<V, S, 48, 3, 2>(); kinds<V, S, 256, 1, 1>();
}

int main() {
  TMEM_COPIES(COPY)
  all(std::make_integer_sequence<int, 32>{});
  sizes<float, uint32_t>();
  sizes<half_t, uint32_t>();
  sizes<half_t, half_t>();
  sizes<int8_t, int8_t>();
}
