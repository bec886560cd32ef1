//! The table of copy instructions.

copies! {
    /// Two registers of adjacent threads are exchanged: `shfl.sync.bfly.b32`.
    SM50_Shuffle_U32_2x2Trans_XOR1: Registers => Registers, 32:1,
        Src (32, 64):(64, 1), Dst ((2, 16), (32, 2)):((32, 128), (1, 64)), Ref Src; [shuffle 1];
    /// Two registers of threads at distance four are exchanged: `shfl.sync.bfly.b32`.
    SM50_Shuffle_U32_2x2Trans_XOR4: Registers => Registers, 32:1,
        Src (32, 64):(64, 1), Dst ((4, 2, 4), (32, 2)):((64, 32, 512), (1, 256)), Ref Src;
            [shuffle 4];

    /// A matrix of 8 x 8 halves: `ldmatrix.sync.aligned.m8n8.x1.shared.b16`.
    SM75_U32x1_LDSM_N: Shared => Registers, 32:1,
        Src ((8, 4), 128):((128, 0), 1), Dst (32, 32):(32, 1), Ref Dst; [ldmatrix "x1" 1];
    /// Two matrices of 8 x 8 halves: `ldmatrix.sync.aligned.m8n8.x2.shared.b16`.
    SM75_U32x2_LDSM_N: Shared => Registers, 32:1,
        Src ((16, 2), 128):((128, 0), 1), Dst (32, (32, 2)):(32, (1, 1024)), Ref Dst;
            [ldmatrix "x2" 2];
    /// Four matrices of 8 x 8 halves: `ldmatrix.sync.aligned.m8n8.x4.shared.b16`.
    SM75_U32x4_LDSM_N: Shared => Registers, 32:1,
        Src (32, 128):(128, 1), Dst (32, (32, 4)):(32, (1, 1024)), Ref Dst; [ldmatrix "x4" 4];
    /// A matrix of 8 x 8 halves, transposed: `ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16`.
    SM75_U16x2_LDSM_T: Shared => Registers, 32:1,
        Src ((8, 4), 128):((128, 0), 1), Dst ((4, 8), (16, 2)):((256, 16), (1, 128)), Ref Dst;
            [ldmatrix "x1.trans" 1];
    /// Two matrices of 8 x 8 halves, transposed: `ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16`.
    SM75_U16x4_LDSM_T: Shared => Registers, 32:1,
        Src ((16, 2), 128):((128, 0), 1), Dst ((4, 8), (16, 2, 2)):((256, 16), (1, 128, 1024)),
            Ref Dst;
        [ldmatrix "x2.trans" 2];
    /// Four matrices of 8 x 8 halves, transposed: `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`.
    SM75_U16x8_LDSM_T: Shared => Registers, 32:1,
        Src (32, 128):(128, 1), Dst ((4, 8), (16, 2, 4)):((256, 16), (1, 128, 1024)), Ref Dst;
            [ldmatrix "x4.trans" 4];
    /// A matrix of 8 x 8 halves in registers, transposed: `movmatrix.sync.aligned.m8n8.trans.b16`.
    SM75_U32x1_MOVM_T: Registers => Registers, 32:1,
        Src (32, 32):(32, 1), Dst ((4, 8), (16, 2)):((256, 16), (1, 128)), Ref Dst; [movmatrix];

    /// A matrix of 8 x 8 halves: `stmatrix.sync.aligned.m8n8.x1.shared.b16`.
    SM90_U32x1_STSM_N: Registers => Shared, 32:1,
        Src (32, 32):(32, 1), Dst ((8, 4), 128):((128, 0), 1), Ref Src; [stmatrix "x1" 1];
    /// Two matrices of 8 x 8 halves: `stmatrix.sync.aligned.m8n8.x2.shared.b16`.
    SM90_U32x2_STSM_N: Registers => Shared, 32:1,
        Src (32, (32, 2)):(32, (1, 1024)), Dst ((16, 2), 128):((128, 0), 1), Ref Src;
            [stmatrix "x2" 2];
    /// Four matrices of 8 x 8 halves: `stmatrix.sync.aligned.m8n8.x4.shared.b16`.
    SM90_U32x4_STSM_N: Registers => Shared, 32:1,
        Src (32, (32, 4)):(32, (1, 1024)), Dst (32, 128):(128, 1), Ref Src; [stmatrix "x4" 4];
    /// A matrix of 8 x 8 halves, transposed: `stmatrix.sync.aligned.m8n8.x1.trans.shared.b16`.
    SM90_U16x2_STSM_T: Registers => Shared, 32:1,
        Src ((4, 8), (16, 2)):((256, 16), (1, 128)), Dst ((8, 4), 128):((128, 0), 1), Ref Src;
            [stmatrix "x1.trans" 1];
    /// Two matrices of 8 x 8 halves, transposed: `stmatrix.sync.aligned.m8n8.x2.trans.shared.b16`.
    SM90_U16x4_STSM_T: Registers => Shared, 32:1,
        Src ((4, 8), (16, 2, 2)):((256, 16), (1, 128, 1024)), Dst ((16, 2), 128):((128, 0), 1),
            Ref Src;
        [stmatrix "x2.trans" 2];
    /// Four matrices of 8 x 8 halves, transposed: `stmatrix.sync.aligned.m8n8.x4.trans.shared.b16`.
    SM90_U16x8_STSM_T: Registers => Shared, 32:1,
        Src ((4, 8), (16, 2, 4)):((256, 16), (1, 128, 1024)), Dst (32, 128):(128, 1), Ref Src;
            [stmatrix "x4.trans" 4];
}

asynchronous! {
    /// The size of an `S`, 4, 8 or 16 bytes, through all caches: `cp.async.ca.shared.global`.
    SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEALWAYS_ZFILL: "ca", 4 8 16;
    /// The size of an `S`, 16 bytes, through the cache of all multiprocessors:
    /// `cp.async.cg.shared.global`.
    SM80_CP_ASYNC_CACHEGLOBAL, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL: "cg", 16;
}
