// CUTLASS's layouts of scale factors for 10,000 random problems, for `tests/scales.rs`: a hash for each hundred of them.
//
//   pip download --no-deps nvidia-cutlass==4.2.0.0      # cutlass_library/source/include of the wheel
//   pip install nvidia-cuda-runtime nvidia-cuda-cccl    # the headers of CUDA
//   g++ -std=c++17 -O1 -w -I include -I cuda/include -I cuda/include/cccl cutlass.cpp -o cutlass && ./cutlass > cutlass.txt
#include <cstdint>
#include <cstdio>

#include <cute/tensor.hpp>

#include "cutlass/detail/sm100_blockscaled_layout.hpp"

// SplitMix64, as in `tests/scales.rs`.
static uint64_t state = 60;
static uint64_t next() {
  uint64_t z = state += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static int below(int end) { return int(next() % uint64_t(end)); }

static uint64_t hash = 0;
static void add(uint64_t number) { hash = (hash ^ number) * 0x100000001B3ull; }

// The size of each mode, the cosize, and the offsets of twelve coordinates.
template <class Layout>
void look(Layout layout) {
  using namespace cute;
  int sizes[3] = {int(size<0>(layout)), int(size<1>(layout)), int(size<2>(layout))};
  for (int size : sizes) add(size);
  add(int(cosize(layout)));
  for (int k = 0; k < 12; ++k) {
    int m = below(sizes[0]), n = below(sizes[1]), l = below(sizes[2]);
    add(int(layout(m, n, l)));
  }
}

template <int V>
void problem(int m, int n, int k, int l) {
  using Config = cutlass::detail::Sm1xxBlockScaledConfig<V>;
  look(Config::tile_atom_to_shape_SFA(cute::make_shape(m, n, k, l)));
  look(Config::tile_atom_to_shape_SFB(cute::make_shape(m, n, k, l)));
  look(cutlass::detail::Sm1xxBlockScaledOutputConfig<V>::tile_atom_to_shape_SFD(cute::make_shape(m, n, k, l)));
}

int main() {
  for (int hundred = 0; hundred < 100; ++hundred) {
    hash = 0xCBF29CE484222325ull;
    for (int i = 0; i < 100; ++i) {
      bool halves = below(2);
      int m = 1 + below(3000), n = 1 + below(3000), k = 1 + below(5000), l = 1 + below(4);
      halves ? problem<16>(m, n, k, l) : problem<32>(m, n, k, l);
    }
    printf("%016llx\n", (unsigned long long)hash);
  }
}
