    // Reads a vector, and has the second cache fetch $fetch$ bytes, of which other blocks may read the rest.
    const auto load = [](const $element$ *at) {
        $name$_x$vector0$ all;
#if defined(__CUDA_ARCH__) && $vector0$ * $bytes$ == 16
        asm volatile("ld.global.L2::$fetch$B.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(all.x[0]), "=r"(all.x[1]), "=r"(all.x[2]), "=r"(all.x[3]) : "l"(at));
#else
        all = *reinterpret_cast<const $name$_x$vector0$ *>(at);
#endif
        return all;
    };
