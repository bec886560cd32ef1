    // Writes a vector, which no thread of the block reads: the first cache keeps nothing of either side.
    const auto store = [](const $name$_x$vector1$ &all, $element$ *at) {
#if defined(__CUDA_ARCH__) && $vector1$ * $bytes$ == 16
        asm volatile("st.global.L1::no_allocate.v4.u32 [%0], {%1, %2, %3, %4};"
                     :: "l"(at), "r"(all.x[0]), "r"(all.x[1]), "r"(all.x[2]), "r"(all.x[3]) : "memory");
#else
        *reinterpret_cast<$name$_x$vector1$ *>(at) = all;
#endif
    };
