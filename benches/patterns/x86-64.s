# rustc version 1.95.0 (59807616e 2026-04-14)
# What both functions of each pair compile to.

broadcast:
    movups (%rsi), %xmm0
    movaps %xmm0, -24(%rsp)
    movups 16(%rsi), %xmm0
    movaps %xmm0, -40(%rsp)
    movups 32(%rsi), %xmm0
    movaps %xmm0, -56(%rsp)
    movups 48(%rsi), %xmm0
    movaps %xmm0, -72(%rsp)
    movups 64(%rsi), %xmm4
    movups 80(%rsi), %xmm5
    movups 96(%rsi), %xmm6
    movups 112(%rsi), %xmm7
    movups 128(%rsi), %xmm8
    movups 144(%rsi), %xmm9
    movups 160(%rsi), %xmm10
    movups 176(%rsi), %xmm11
    movups 192(%rsi), %xmm12
    movups 208(%rsi), %xmm13
    movups 224(%rsi), %xmm14
    movups 240(%rsi), %xmm15
    xorl %eax, %eax
L0:
    movups (%rdi,%rax), %xmm0
    addps -24(%rsp), %xmm0
    movups 16(%rdi,%rax), %xmm1
    movups 32(%rdi,%rax), %xmm2
    movups 48(%rdi,%rax), %xmm3
    movups %xmm0, (%rdi,%rax)
    addps -40(%rsp), %xmm1
    movups %xmm1, 16(%rdi,%rax)
    addps -56(%rsp), %xmm2
    addps -72(%rsp), %xmm3
    movups %xmm2, 32(%rdi,%rax)
    movups %xmm3, 48(%rdi,%rax)
    movups 64(%rdi,%rax), %xmm0
    addps %xmm4, %xmm0
    movups 80(%rdi,%rax), %xmm1
    addps %xmm5, %xmm1
    movups %xmm0, 64(%rdi,%rax)
    movups %xmm1, 80(%rdi,%rax)
    movups 96(%rdi,%rax), %xmm0
    addps %xmm6, %xmm0
    movups 112(%rdi,%rax), %xmm1
    addps %xmm7, %xmm1
    movups %xmm0, 96(%rdi,%rax)
    movups %xmm1, 112(%rdi,%rax)
    movups 128(%rdi,%rax), %xmm0
    addps %xmm8, %xmm0
    movups 144(%rdi,%rax), %xmm1
    addps %xmm9, %xmm1
    movups %xmm0, 128(%rdi,%rax)
    movups %xmm1, 144(%rdi,%rax)
    movups 160(%rdi,%rax), %xmm0
    addps %xmm10, %xmm0
    movups 176(%rdi,%rax), %xmm1
    addps %xmm11, %xmm1
    movups %xmm0, 160(%rdi,%rax)
    movups %xmm1, 176(%rdi,%rax)
    movups 192(%rdi,%rax), %xmm0
    addps %xmm12, %xmm0
    movups 208(%rdi,%rax), %xmm1
    addps %xmm13, %xmm1
    movups %xmm0, 192(%rdi,%rax)
    movups %xmm1, 208(%rdi,%rax)
    movups 224(%rdi,%rax), %xmm0
    addps %xmm14, %xmm0
    movups 240(%rdi,%rax), %xmm1
    movups %xmm0, 224(%rdi,%rax)
    addps %xmm15, %xmm1
    movups %xmm1, 240(%rdi,%rax)
    addq $256, %rax
    cmpq $8192, %rax
    jne L0
    retq

column_major:
    movl $256, %ecx
    xorl %eax, %eax
L0:
    movdqu -176(%rdi,%rcx), %xmm2
    movdqu -48(%rdi,%rcx), %xmm3
    movdqu -112(%rdi,%rcx), %xmm4
    movdqu -144(%rdi,%rcx), %xmm1
    movdqu -16(%rdi,%rcx), %xmm0
    movdqu 80(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    movdqu 208(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -240(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm2
    movdqu 16(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu 144(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -80(%rdi,%rcx), %xmm4
    paddq %xmm5, %xmm3
    movdqu -192(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm3
    movdqu 112(%rdi,%rcx), %xmm2
    paddq %xmm1, %xmm2
    movdqu 240(%rdi,%rcx), %xmm1
    paddq %xmm0, %xmm1
    movdqu -208(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm1
    movdqu 48(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    movdqu 176(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -64(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm0
    movdqu -128(%rdi,%rcx), %xmm2
    paddq %xmm1, %xmm0
    movdqu -160(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm0
    movdqu 64(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm3
    movdqu 192(%rdi,%rcx), %xmm5
    paddq %xmm4, %xmm5
    movdqu -256(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm5
    movdqu (%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu 128(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -32(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm4
    movdqu -224(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm4
    movdqu 96(%rdi,%rcx), %xmm5
    paddq %xmm1, %xmm5
    movdqu 224(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -96(%rdi,%rcx), %xmm2
    paddq %xmm5, %xmm1
    movdqu 32(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu 160(%rdi,%rcx), %xmm3
    paddq %xmm2, %xmm3
    paddq %xmm5, %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm0, %xmm3
    pshufd $238, %xmm3, %xmm0
    paddq %xmm3, %xmm0
    movq %xmm0, %rdx
    addq %rdx, %rax
    addq $512, %rcx
    cmpq $49408, %rcx
    jne L0
    retq

diagonal:
    xorpd %xmm0, %xmm0
    addsd (%rdi), %xmm0
    addsd 520(%rdi), %xmm0
    addsd 1040(%rdi), %xmm0
    addsd 1560(%rdi), %xmm0
    addsd 2080(%rdi), %xmm0
    addsd 2600(%rdi), %xmm0
    addsd 3120(%rdi), %xmm0
    addsd 3640(%rdi), %xmm0
    addsd 4160(%rdi), %xmm0
    addsd 4680(%rdi), %xmm0
    addsd 5200(%rdi), %xmm0
    addsd 5720(%rdi), %xmm0
    addsd 6240(%rdi), %xmm0
    addsd 6760(%rdi), %xmm0
    addsd 7280(%rdi), %xmm0
    addsd 7800(%rdi), %xmm0
    addsd 8320(%rdi), %xmm0
    addsd 8840(%rdi), %xmm0
    addsd 9360(%rdi), %xmm0
    addsd 9880(%rdi), %xmm0
    addsd 10400(%rdi), %xmm0
    addsd 10920(%rdi), %xmm0
    addsd 11440(%rdi), %xmm0
    addsd 11960(%rdi), %xmm0
    addsd 12480(%rdi), %xmm0
    addsd 13000(%rdi), %xmm0
    addsd 13520(%rdi), %xmm0
    addsd 14040(%rdi), %xmm0
    addsd 14560(%rdi), %xmm0
    addsd 15080(%rdi), %xmm0
    addsd 15600(%rdi), %xmm0
    addsd 16120(%rdi), %xmm0
    addsd 16640(%rdi), %xmm0
    addsd 17160(%rdi), %xmm0
    addsd 17680(%rdi), %xmm0
    addsd 18200(%rdi), %xmm0
    addsd 18720(%rdi), %xmm0
    addsd 19240(%rdi), %xmm0
    addsd 19760(%rdi), %xmm0
    addsd 20280(%rdi), %xmm0
    addsd 20800(%rdi), %xmm0
    addsd 21320(%rdi), %xmm0
    addsd 21840(%rdi), %xmm0
    addsd 22360(%rdi), %xmm0
    addsd 22880(%rdi), %xmm0
    addsd 23400(%rdi), %xmm0
    addsd 23920(%rdi), %xmm0
    addsd 24440(%rdi), %xmm0
    addsd 24960(%rdi), %xmm0
    addsd 25480(%rdi), %xmm0
    addsd 26000(%rdi), %xmm0
    addsd 26520(%rdi), %xmm0
    addsd 27040(%rdi), %xmm0
    addsd 27560(%rdi), %xmm0
    addsd 28080(%rdi), %xmm0
    addsd 28600(%rdi), %xmm0
    addsd 29120(%rdi), %xmm0
    addsd 29640(%rdi), %xmm0
    addsd 30160(%rdi), %xmm0
    addsd 30680(%rdi), %xmm0
    addsd 31200(%rdi), %xmm0
    addsd 31720(%rdi), %xmm0
    addsd 32240(%rdi), %xmm0
    addsd 32760(%rdi), %xmm0
    retq

dynamic:
    pushq %r14
    pushq %rbx
    pushq %rax
    xorl %eax, %eax
    testq %rdx, %rdx
    je L0
    testq %rcx, %rcx
    je L0
    xorl %r11d, %r11d
    xorl %eax, %eax
    xorl %ebx, %ebx
L1:
    incq %rbx
    movq %r11, %r10
    movq %rcx, %r14
L2:
    cmpq %rsi, %r10
    jae L3
    addq (%rdi,%r10,8), %rax
    addq %r9, %r10
    decq %r14
    jne L2
    addq %r8, %r11
    cmpq %rdx, %rbx
    jne L1
L0:
    addq $8, %rsp
    popq %rbx
    popq %r14
    retq
L3:
    leaq constant0(%rip), %rdx
    movq %r10, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

elements:
    addq $64528, %rdi
    pxor %xmm1, %xmm1
    movq $-1024, %rax
    pxor %xmm3, %xmm3
L0:
    movdqu -63504(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -63488(%rdi,%rax), %xmm2
    paddq %xmm1, %xmm2
    movdqu -62480(%rdi,%rax), %xmm1
    movdqu -62464(%rdi,%rax), %xmm3
    movdqu -61456(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    paddq %xmm0, %xmm4
    movdqu -61440(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    paddq %xmm2, %xmm0
    movdqu -60432(%rdi,%rax), %xmm1
    movdqu -60416(%rdi,%rax), %xmm2
    movdqu -59408(%rdi,%rax), %xmm3
    paddq %xmm1, %xmm3
    movdqu -59392(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -58384(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    paddq %xmm4, %xmm2
    movdqu -58368(%rdi,%rax), %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm0, %xmm3
    movdqu -57360(%rdi,%rax), %xmm0
    movdqu -57344(%rdi,%rax), %xmm1
    movdqu -56336(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -56320(%rdi,%rax), %xmm0
    paddq %xmm1, %xmm0
    movdqu -55312(%rdi,%rax), %xmm5
    paddq %xmm4, %xmm5
    movdqu -55296(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -54288(%rdi,%rax), %xmm1
    paddq %xmm5, %xmm1
    paddq %xmm2, %xmm1
    movdqu -54272(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    paddq %xmm3, %xmm2
    movdqu -53264(%rdi,%rax), %xmm0
    movdqu -53248(%rdi,%rax), %xmm3
    movdqu -52240(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -52224(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -51216(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -51200(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -50192(%rdi,%rax), %xmm5
    paddq %xmm3, %xmm5
    movdqu -50176(%rdi,%rax), %xmm6
    paddq %xmm4, %xmm6
    movdqu -49168(%rdi,%rax), %xmm0
    paddq %xmm5, %xmm0
    paddq %xmm1, %xmm0
    movdqu -49152(%rdi,%rax), %xmm3
    paddq %xmm6, %xmm3
    paddq %xmm2, %xmm3
    movdqu -48144(%rdi,%rax), %xmm1
    movdqu -48128(%rdi,%rax), %xmm2
    movdqu -47120(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -47104(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -46096(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    movdqu -46080(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -45072(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -45056(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    movdqu -44048(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -44032(%rdi,%rax), %xmm5
    paddq %xmm2, %xmm5
    movdqu -43024(%rdi,%rax), %xmm1
    paddq %xmm4, %xmm1
    paddq %xmm0, %xmm1
    movdqu -43008(%rdi,%rax), %xmm2
    paddq %xmm5, %xmm2
    paddq %xmm3, %xmm2
    movdqu -42000(%rdi,%rax), %xmm0
    movdqu -41984(%rdi,%rax), %xmm3
    movdqu -40976(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -40960(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -39952(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -39936(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -38928(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -38912(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -37904(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -37888(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -36880(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -36864(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -35856(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    paddq %xmm1, %xmm0
    movdqu -35840(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm2, %xmm3
    movdqu -34832(%rdi,%rax), %xmm1
    movdqu -34816(%rdi,%rax), %xmm2
    movdqu -33808(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -33792(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -32784(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    movdqu -32768(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -31760(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -31744(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    movdqu -30736(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -30720(%rdi,%rax), %xmm1
    paddq %xmm2, %xmm1
    movdqu -29712(%rdi,%rax), %xmm2
    paddq %xmm4, %xmm2
    movdqu -29696(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -28688(%rdi,%rax), %xmm5
    paddq %xmm2, %xmm5
    movdqu -28672(%rdi,%rax), %xmm6
    paddq %xmm4, %xmm6
    movdqu -27664(%rdi,%rax), %xmm1
    paddq %xmm5, %xmm1
    paddq %xmm0, %xmm1
    movdqu -27648(%rdi,%rax), %xmm2
    paddq %xmm6, %xmm2
    paddq %xmm3, %xmm2
    movdqu -26640(%rdi,%rax), %xmm0
    movdqu -26624(%rdi,%rax), %xmm3
    movdqu -25616(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -25600(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -24592(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -24576(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -23568(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -23552(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -22544(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -22528(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -21520(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -21504(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -20496(%rdi,%rax), %xmm0
    paddq %xmm3, %xmm0
    movdqu -20480(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -19472(%rdi,%rax), %xmm4
    paddq %xmm0, %xmm4
    movdqu -19456(%rdi,%rax), %xmm5
    paddq %xmm3, %xmm5
    movdqu -18448(%rdi,%rax), %xmm0
    paddq %xmm4, %xmm0
    paddq %xmm1, %xmm0
    movdqu -18432(%rdi,%rax), %xmm1
    paddq %xmm5, %xmm1
    paddq %xmm2, %xmm1
    movdqu -17424(%rdi,%rax), %xmm2
    movdqu -17408(%rdi,%rax), %xmm3
    movdqu -16400(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -16384(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    movdqu -15376(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -15360(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -14352(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    movdqu -14336(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -13328(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -13312(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    movdqu -12304(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -12288(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -11280(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    movdqu -11264(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -10256(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -10240(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    movdqu -9232(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -9216(%rdi,%rax), %xmm4
    paddq %xmm2, %xmm4
    movdqu -8208(%rdi,%rax), %xmm2
    paddq %xmm3, %xmm2
    paddq %xmm0, %xmm2
    movdqu -8192(%rdi,%rax), %xmm0
    paddq %xmm4, %xmm0
    paddq %xmm1, %xmm0
    movdqu -7184(%rdi,%rax), %xmm1
    movdqu -7168(%rdi,%rax), %xmm3
    movdqu -6160(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -6144(%rdi,%rax), %xmm1
    paddq %xmm3, %xmm1
    movdqu -5136(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -5120(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -4112(%rdi,%rax), %xmm1
    paddq %xmm3, %xmm1
    movdqu -4096(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -3088(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -3072(%rdi,%rax), %xmm1
    paddq %xmm3, %xmm1
    movdqu -2064(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -2048(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu -1040(%rdi,%rax), %xmm1
    paddq %xmm3, %xmm1
    movdqu -1024(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    movdqu -16(%rdi,%rax), %xmm4
    paddq %xmm1, %xmm4
    movdqu (%rdi,%rax), %xmm5
    paddq %xmm3, %xmm5
    movdqu 1008(%rdi,%rax), %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm2, %xmm3
    movdqu 1024(%rdi,%rax), %xmm1
    paddq %xmm5, %xmm1
    paddq %xmm0, %xmm1
    addq $32, %rax
    jne L0
    paddq %xmm3, %xmm1
    pshufd $238, %xmm1, %xmm0
    paddq %xmm1, %xmm0
    movq %xmm0, %rax
    retq

flipped:
    movq %rdi, %rax
    imulq %rdx, %rax
    subq %rsi, %rax
    retq

flipped_sum:
    movl $65536, %ecx
    xorl %eax, %eax
L0:
    movq %rax, %xmm0
    movdqu -1024(%rdi,%rcx), %xmm1
    paddq %xmm0, %xmm1
    movdqu -1008(%rdi,%rcx), %xmm0
    movdqu -992(%rdi,%rcx), %xmm2
    movdqu -976(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -960(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm0
    paddq %xmm1, %xmm0
    movdqu -944(%rdi,%rcx), %xmm1
    movdqu -928(%rdi,%rcx), %xmm2
    movdqu -912(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    paddq %xmm3, %xmm4
    movdqu -896(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -880(%rdi,%rcx), %xmm2
    movdqu -864(%rdi,%rcx), %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm0, %xmm3
    movdqu -848(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm0
    movdqu -832(%rdi,%rcx), %xmm1
    movdqu -816(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    paddq %xmm4, %xmm2
    movdqu -800(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqu -784(%rdi,%rcx), %xmm1
    movdqu -768(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -752(%rdi,%rcx), %xmm5
    paddq %xmm1, %xmm5
    movdqu -736(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    paddq %xmm3, %xmm0
    movdqu -720(%rdi,%rcx), %xmm1
    paddq %xmm5, %xmm1
    movdqu -704(%rdi,%rcx), %xmm4
    movdqu -688(%rdi,%rcx), %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm2, %xmm3
    movdqu -672(%rdi,%rcx), %xmm1
    paddq %xmm4, %xmm1
    movdqu -656(%rdi,%rcx), %xmm2
    movdqu -640(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -624(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -608(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -592(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -576(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    paddq %xmm0, %xmm1
    movdqu -560(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -544(%rdi,%rcx), %xmm4
    movdqu -528(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    paddq %xmm3, %xmm2
    movdqu -512(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -496(%rdi,%rcx), %xmm3
    movdqu -480(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -464(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    movdqu -448(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -432(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -416(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu -400(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -384(%rdi,%rcx), %xmm0
    paddq %xmm5, %xmm0
    paddq %xmm1, %xmm0
    movdqu -368(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm4
    movdqu -352(%rdi,%rcx), %xmm3
    movdqu -336(%rdi,%rcx), %xmm1
    paddq %xmm4, %xmm1
    paddq %xmm2, %xmm1
    movdqu -320(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -304(%rdi,%rcx), %xmm3
    movdqu -288(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -272(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -256(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -240(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -224(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -208(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -192(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -176(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -160(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm0, %xmm3
    movdqu -144(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm0
    movdqu -128(%rdi,%rcx), %xmm2
    movdqu -112(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    paddq %xmm1, %xmm4
    movdqu -96(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm0
    movdqu -80(%rdi,%rcx), %xmm1
    movdqu -64(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    movdqu -48(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqu -32(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    paddq %xmm3, %xmm1
    movdqu -16(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    paddq %xmm4, %xmm2
    paddq %xmm1, %xmm2
    pshufd $238, %xmm2, %xmm0
    paddq %xmm2, %xmm0
    movq %xmm0, %rax
    addq $-1024, %rcx
    jne L0
    retq

fold:
    movl $256, %ecx
    xorl %eax, %eax
L0:
    movdqu -176(%rdi,%rcx), %xmm2
    movdqu -48(%rdi,%rcx), %xmm3
    movdqu -112(%rdi,%rcx), %xmm4
    movdqu -144(%rdi,%rcx), %xmm1
    movdqu -16(%rdi,%rcx), %xmm0
    movdqu 80(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    movdqu 208(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -240(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm2
    movdqu 16(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu 144(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -80(%rdi,%rcx), %xmm4
    paddq %xmm5, %xmm3
    movdqu -192(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm3
    movdqu 112(%rdi,%rcx), %xmm2
    paddq %xmm1, %xmm2
    movdqu 240(%rdi,%rcx), %xmm1
    paddq %xmm0, %xmm1
    movdqu -208(%rdi,%rcx), %xmm0
    paddq %xmm2, %xmm1
    movdqu 48(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    movdqu 176(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -64(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm0
    movdqu -128(%rdi,%rcx), %xmm2
    paddq %xmm1, %xmm0
    movdqu -160(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm0
    movdqu 64(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm3
    movdqu 192(%rdi,%rcx), %xmm5
    paddq %xmm4, %xmm5
    movdqu -256(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm5
    movdqu (%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu 128(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -32(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm4
    movdqu -224(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm4
    movdqu 96(%rdi,%rcx), %xmm5
    paddq %xmm1, %xmm5
    movdqu 224(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -96(%rdi,%rcx), %xmm2
    paddq %xmm5, %xmm1
    movdqu 32(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu 160(%rdi,%rcx), %xmm3
    paddq %xmm2, %xmm3
    paddq %xmm5, %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm0, %xmm3
    pshufd $238, %xmm3, %xmm0
    paddq %xmm3, %xmm0
    movq %xmm0, %rdx
    addq %rdx, %rax
    addq $512, %rcx
    cmpq $49408, %rcx
    jne L0
    retq

for_each:
    movl $2032, %ecx
    xorl %eax, %eax
L0:
    movq %rax, %xmm0
    movdqu -2032(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    movdqu -2016(%rdi,%rcx), %xmm3
    movdqu -2000(%rdi,%rcx), %xmm1
    movdqu -1984(%rdi,%rcx), %xmm0
    movdqu -1904(%rdi,%rcx), %xmm4
    movdqu -1888(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu -1776(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm2, %xmm3
    movdqu -1760(%rdi,%rcx), %xmm2
    movdqu -1648(%rdi,%rcx), %xmm4
    movdqu -1632(%rdi,%rcx), %xmm6
    paddq %xmm2, %xmm6
    paddq %xmm5, %xmm6
    movdqu -1520(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -1504(%rdi,%rcx), %xmm4
    movdqu -1392(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    paddq %xmm3, %xmm5
    movdqu -1376(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -1264(%rdi,%rcx), %xmm3
    movdqu -1248(%rdi,%rcx), %xmm7
    paddq %xmm2, %xmm7
    paddq %xmm6, %xmm7
    movdqu -1136(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -1120(%rdi,%rcx), %xmm3
    movdqu -1008(%rdi,%rcx), %xmm6
    paddq %xmm2, %xmm6
    movdqu -992(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -880(%rdi,%rcx), %xmm4
    paddq %xmm6, %xmm4
    paddq %xmm5, %xmm4
    movdqu -864(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    movdqu -752(%rdi,%rcx), %xmm2
    movdqu -736(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm3
    paddq %xmm7, %xmm3
    movdqu -624(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    movdqu -608(%rdi,%rcx), %xmm2
    movdqu -496(%rdi,%rcx), %xmm6
    paddq %xmm5, %xmm6
    movdqu -480(%rdi,%rcx), %xmm5
    paddq %xmm2, %xmm5
    movdqu -368(%rdi,%rcx), %xmm7
    paddq %xmm6, %xmm7
    movdqu -352(%rdi,%rcx), %xmm6
    paddq %xmm5, %xmm6
    movdqu -240(%rdi,%rcx), %xmm2
    paddq %xmm7, %xmm2
    paddq %xmm4, %xmm2
    movdqu -224(%rdi,%rcx), %xmm5
    paddq %xmm6, %xmm5
    movdqu -112(%rdi,%rcx), %xmm6
    paddq %xmm1, %xmm6
    movdqu -96(%rdi,%rcx), %xmm4
    paddq %xmm5, %xmm4
    paddq %xmm3, %xmm4
    movdqu -1872(%rdi,%rcx), %xmm1
    paddq %xmm6, %xmm1
    movdqu -1856(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -1744(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqu -1728(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -1616(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -1600(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqu -1488(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    paddq %xmm2, %xmm1
    movdqu -1472(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -1360(%rdi,%rcx), %xmm0
    movdqu -1344(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    paddq %xmm4, %xmm2
    movdqu -1232(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -1216(%rdi,%rcx), %xmm0
    movdqu -1104(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm4
    movdqu -1088(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -976(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -960(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm4
    movdqu -848(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -832(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -720(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm4
    movdqu -704(%rdi,%rcx), %xmm3
    paddq %xmm0, %xmm3
    movdqu -592(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    paddq %xmm1, %xmm0
    movdqu -576(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -464(%rdi,%rcx), %xmm4
    movdqu -448(%rdi,%rcx), %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm2, %xmm3
    movdqu -336(%rdi,%rcx), %xmm1
    paddq %xmm4, %xmm1
    movdqu -320(%rdi,%rcx), %xmm2
    movdqu -208(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -192(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -80(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -64(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -1968(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -1952(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -1840(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -1824(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -1712(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    movdqu -1696(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -1584(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    paddq %xmm0, %xmm1
    movdqu -1568(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -1456(%rdi,%rcx), %xmm4
    movdqu -1440(%rdi,%rcx), %xmm2
    paddq %xmm0, %xmm2
    paddq %xmm3, %xmm2
    movdqu -1328(%rdi,%rcx), %xmm0
    paddq %xmm4, %xmm0
    movdqu -1312(%rdi,%rcx), %xmm3
    movdqu -1200(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -1184(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    movdqu -1072(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -1056(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -944(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    movdqu -928(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -816(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -800(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    movdqu -688(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -672(%rdi,%rcx), %xmm4
    paddq %xmm0, %xmm4
    movdqu -560(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu -544(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -432(%rdi,%rcx), %xmm0
    paddq %xmm5, %xmm0
    paddq %xmm1, %xmm0
    movdqu -416(%rdi,%rcx), %xmm4
    paddq %xmm3, %xmm4
    movdqu -304(%rdi,%rcx), %xmm3
    movdqu -288(%rdi,%rcx), %xmm1
    paddq %xmm4, %xmm1
    paddq %xmm2, %xmm1
    movdqu -176(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -160(%rdi,%rcx), %xmm3
    movdqu -48(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -32(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -1936(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -1920(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -1808(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -1792(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -1680(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -1664(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -1552(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -1536(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -1424(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -1408(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -1296(%rdi,%rcx), %xmm4
    paddq %xmm2, %xmm4
    movdqu -1280(%rdi,%rcx), %xmm5
    paddq %xmm3, %xmm5
    movdqu -1168(%rdi,%rcx), %xmm2
    paddq %xmm4, %xmm2
    paddq %xmm0, %xmm2
    movdqu -1152(%rdi,%rcx), %xmm3
    paddq %xmm5, %xmm3
    movdqu -1040(%rdi,%rcx), %xmm4
    movdqu -1024(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    paddq %xmm1, %xmm0
    movdqu -912(%rdi,%rcx), %xmm1
    paddq %xmm4, %xmm1
    movdqu -896(%rdi,%rcx), %xmm3
    movdqu -784(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -768(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -656(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -640(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -528(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -512(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -400(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -384(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -272(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -256(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    movdqu -144(%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    movdqu -128(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -16(%rdi,%rcx), %xmm4
    paddq %xmm1, %xmm4
    paddq %xmm2, %xmm4
    movdqu (%rdi,%rcx), %xmm1
    paddq %xmm3, %xmm1
    paddq %xmm0, %xmm1
    paddq %xmm4, %xmm1
    pshufd $238, %xmm1, %xmm0
    paddq %xmm1, %xmm0
    movq %xmm0, %rax
    addq $2048, %rcx
    cmpq $51184, %rcx
    jne L0
    retq

im2col:
    addq $256, %rdi
    xorl %eax, %eax
L0:
    movq $-120, %rcx
    movq %rsi, %rdx
L1:
    movl -128(%rdi,%rcx), %r8d
    movl %r8d, 8(%rdx)
    movq -136(%rdi,%rcx), %r8
    movq %r8, (%rdx)
    movq -8(%rdi,%rcx), %r8
    movq %r8, 12(%rdx)
    movl (%rdi,%rcx), %r8d
    movl %r8d, 20(%rdx)
    movq 120(%rdi,%rcx), %r8
    movq %r8, 24(%rdx)
    movl 128(%rdi,%rcx), %r8d
    movl %r8d, 32(%rdx)
    addq $36, %rdx
    addq $4, %rcx
    jne L1
    incq %rax
    subq $-128, %rdi
    addq $1080, %rsi
    cmpq $30, %rax
    jne L0
    retq

mixed:
    movq %rdi, %rcx
    movl $32, %r9d
    xorl %edi, %edi
    xorl %eax, %eax
L0:
    leaq 48(%rdi), %r8
    cmpq $-49, %rdi
    ja L1
    cmpq %rsi, %r8
    ja L1
    movdqu 224(%rcx,%rdi,8), %xmm0
    movdqu 240(%rcx,%rdi,8), %xmm1
    movdqu 208(%rcx,%rdi,8), %xmm2
    movdqu 80(%rcx,%rdi,8), %xmm3
    movdqu 336(%rcx,%rdi,8), %xmm4
    paddq %xmm3, %xmm4
    movdqu 16(%rcx,%rdi,8), %xmm3
    paddq %xmm2, %xmm4
    movdqu 272(%rcx,%rdi,8), %xmm2
    paddq %xmm3, %xmm2
    movdqu 144(%rcx,%rdi,8), %xmm3
    paddq %xmm3, %xmm2
    movdqu 112(%rcx,%rdi,8), %xmm3
    paddq %xmm4, %xmm2
    movdqu 368(%rcx,%rdi,8), %xmm4
    paddq %xmm3, %xmm4
    movdqu 48(%rcx,%rdi,8), %xmm3
    paddq %xmm1, %xmm4
    movdqu 304(%rcx,%rdi,8), %xmm1
    paddq %xmm3, %xmm1
    movdqu 176(%rcx,%rdi,8), %xmm3
    paddq %xmm3, %xmm1
    movdqu 192(%rcx,%rdi,8), %xmm3
    paddq %xmm4, %xmm1
    movdqu 64(%rcx,%rdi,8), %xmm4
    paddq %xmm2, %xmm1
    movdqu 320(%rcx,%rdi,8), %xmm2
    paddq %xmm4, %xmm2
    movdqu (%rcx,%rdi,8), %xmm4
    paddq %xmm3, %xmm2
    movdqu 256(%rcx,%rdi,8), %xmm3
    paddq %xmm4, %xmm3
    movdqu 128(%rcx,%rdi,8), %xmm4
    paddq %xmm4, %xmm3
    movdqu 96(%rcx,%rdi,8), %xmm4
    paddq %xmm2, %xmm3
    movdqu 352(%rcx,%rdi,8), %xmm2
    paddq %xmm4, %xmm2
    movdqu 32(%rcx,%rdi,8), %xmm4
    paddq %xmm0, %xmm2
    movdqu 288(%rcx,%rdi,8), %xmm0
    paddq %xmm4, %xmm0
    movdqu 160(%rcx,%rdi,8), %xmm4
    paddq %xmm4, %xmm0
    paddq %xmm2, %xmm0
    paddq %xmm3, %xmm0
    paddq %xmm1, %xmm0
    pshufd $238, %xmm0, %xmm1
    paddq %xmm0, %xmm1
    movq %xmm1, %r8
    addq %r8, %rax
    addq %rdx, %rdi
    decq %r9
    jne L0
    retq
L1:
    pushq %rax
    leaq constant0(%rip), %rcx
    movq %rsi, %rdx
    movq %r8, %rsi
    callq *_RNvNtNtCsgEmfK2I1SDS_4core5slice5index16slice_index_fail@GOTPCREL(%rip)

mixed_checked:
    pushq %rbx
    movq %rsi, %rax
    cmpq $2, %rsi
    jb L0
    movq %rsi, %rax
    je L0
    cmpq $3, %rsi
    je L1
    cmpq $5, %rsi
    jb L2
    je L3
    cmpq %rsi, %rdx
    jae L4
    leaq 1(%rdx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%rdx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%rdx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%rdx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%rdx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (%rdx,%rdx), %rcx
    cmpq %rsi, %rcx
    jae L5
    movq %rcx, %rax
    orq $1, %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%rcx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%rcx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%rcx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%rcx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (%rdx,%rdx,2), %r8
    cmpq %rsi, %r8
    jae L6
    leaq 1(%r8), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%r8), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%r8), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%r8), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%r8), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (,%rdx,4), %r9
    cmpq %rsi, %r9
    jae L7
    movq %r9, %rax
    orq $1, %rax
    cmpq %rsi, %rax
    jae L0
    movq %r9, %rax
    orq $2, %rax
    cmpq %rsi, %rax
    jae L0
    movq %r9, %rax
    orq $3, %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%r9), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%r9), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (%rdx,%rdx,4), %r10
    cmpq %rsi, %r10
    jae L8
    leaq 1(%r10), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%r10), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%r10), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%r10), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%r10), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (%rdx,%rdx), %rax
    leaq (%rax,%rax,2), %r11
    cmpq %rsi, %r11
    jae L9
    movq %r11, %rax
    orq $1, %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%r11), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%r11), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%r11), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%r11), %rax
    cmpq %rsi, %rax
    jae L0
    leaq (,%rdx,8), %rbx
    subq %rdx, %rbx
    cmpq %rsi, %rbx
    jae L10
    leaq 1(%rbx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 2(%rbx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 3(%rbx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 4(%rbx), %rax
    cmpq %rsi, %rax
    jae L0
    leaq 5(%rbx), %rax
    cmpq %rsi, %rax
    jae L0
    movdqu (%rdi,%r10,8), %xmm2
    movdqu 16(%rdi,%r10,8), %xmm5
    movdqu 32(%rdi,%r10,8), %xmm0
    movdqu (%rdi,%r9,8), %xmm6
    movdqu 16(%rdi,%r9,8), %xmm4
    movdqu 32(%rdi,%r9,8), %xmm3
    movdqu (%rdi,%r8,8), %xmm1
    paddq %xmm0, %xmm1
    movdqu 16(%rdi,%r8,8), %xmm0
    movdqu 32(%rdi,%r8,8), %xmm7
    movdqu (%rdi,%rcx,8), %xmm8
    movdqu 16(%rdi,%rcx,8), %xmm9
    paddq %xmm2, %xmm9
    movdqu 32(%rdi,%rcx,8), %xmm10
    paddq %xmm5, %xmm10
    movdqu 16(%rdi,%rdx,8), %xmm5
    movdqu 32(%rdi,%rdx,8), %xmm11
    movdqu (%rdi,%r11,8), %xmm2
    movdqu 16(%rdi,%r11,8), %xmm12
    paddq %xmm7, %xmm12
    movdqu 32(%rdi,%r11,8), %xmm7
    paddq %xmm9, %xmm7
    paddq %xmm12, %xmm7
    movdqu (%rdi), %xmm9
    paddq %xmm5, %xmm9
    paddq %xmm6, %xmm9
    movdqu 16(%rdi), %xmm5
    paddq %xmm11, %xmm5
    paddq %xmm4, %xmm5
    movdqu 32(%rdi), %xmm4
    paddq %xmm8, %xmm4
    paddq %xmm3, %xmm4
    movdqu (%rdi,%rbx,8), %xmm3
    paddq %xmm10, %xmm3
    paddq %xmm9, %xmm3
    movdqu 16(%rdi,%rbx,8), %xmm6
    paddq %xmm1, %xmm6
    paddq %xmm5, %xmm6
    paddq %xmm7, %xmm6
    movdqu 32(%rdi,%rbx,8), %xmm1
    paddq %xmm0, %xmm1
    paddq %xmm2, %xmm1
    paddq %xmm4, %xmm1
    paddq %xmm3, %xmm1
    paddq %xmm6, %xmm1
    pshufd $238, %xmm1, %xmm0
    paddq %xmm1, %xmm0
    movq %xmm0, %rax
    addq 8(%rdi,%rdx,8), %rax
    addq (%rdi,%rdx,8), %rax
    popq %rbx
    retq
L1:
    movl $3, %eax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L2:
    movl $4, %eax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L3:
    movl $5, %eax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L4:
    movq %rdx, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L5:
    movq %rcx, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L6:
    movq %r8, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L7:
    movq %r9, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L8:
    movq %r10, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L9:
    movq %r11, %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L10:
    movq %rbx, %rax
L0:
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

mixed_copy:
    testq %rsi, %rsi
    je L0
    movss (%rdi), %xmm0
    movss %xmm0, (%rdx)
    cmpq %rsi, %rcx
    jae L1
    movss (%rdi,%rcx,4), %xmm0
    movss %xmm0, 4(%rdx)
    leaq (%rcx,%rcx), %r11
    cmpq %rsi, %r11
    jae L2
    movss (%rdi,%r11,4), %xmm0
    movss %xmm0, 8(%rdx)
    leaq (%rcx,%rcx,2), %r10
    cmpq %rsi, %r10
    jae L3
    movss (%rdi,%r10,4), %xmm0
    movss %xmm0, 12(%rdx)
    leaq (,%rcx,4), %r9
    cmpq %rsi, %r9
    jae L4
    movss (%rdi,%r9,4), %xmm0
    movss %xmm0, 16(%rdx)
    leaq (%rcx,%rcx,4), %r8
    cmpq %rsi, %r8
    jae L5
    movss (%rdi,%r8,4), %xmm0
    movss %xmm0, 20(%rdx)
    cmpq $1, %rsi
    je L6
    movss 4(%rdi), %xmm0
    movss %xmm0, 24(%rdx)
    leaq 1(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 4(%rdi,%rcx,4), %xmm0
    movss %xmm0, 28(%rdx)
    movq %r11, %rax
    orq $1, %rax
    cmpq %rsi, %rax
    jae L7
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, 32(%rdx)
    leaq 1(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 4(%rdi,%r10,4), %xmm0
    movss %xmm0, 36(%rdx)
    movq %r9, %rax
    orq $1, %rax
    cmpq %rsi, %rax
    jae L7
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, 40(%rdx)
    leaq 1(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 4(%rdi,%r8,4), %xmm0
    movss %xmm0, 44(%rdx)
    cmpq $2, %rsi
    je L8
    movss 8(%rdi), %xmm0
    movss %xmm0, 48(%rdx)
    leaq 2(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 8(%rdi,%rcx,4), %xmm0
    movss %xmm0, 52(%rdx)
    leaq 2(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 8(%rdi,%r11,4), %xmm0
    movss %xmm0, 56(%rdx)
    leaq 2(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 8(%rdi,%r10,4), %xmm0
    movss %xmm0, 60(%rdx)
    movq %r9, %rax
    orq $2, %rax
    cmpq %rsi, %rax
    jae L7
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, 64(%rdx)
    leaq 2(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 8(%rdi,%r8,4), %xmm0
    movss %xmm0, 68(%rdx)
    cmpq $3, %rsi
    je L9
    movss 12(%rdi), %xmm0
    movss %xmm0, 72(%rdx)
    leaq 3(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 12(%rdi,%rcx,4), %xmm0
    movss %xmm0, 76(%rdx)
    leaq 3(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 12(%rdi,%r11,4), %xmm0
    movss %xmm0, 80(%rdx)
    leaq 3(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 12(%rdi,%r10,4), %xmm0
    movss %xmm0, 84(%rdx)
    movq %r9, %rax
    orq $3, %rax
    cmpq %rsi, %rax
    jae L7
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, 88(%rdx)
    leaq 3(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 12(%rdi,%r8,4), %xmm0
    movss %xmm0, 92(%rdx)
    cmpq $4, %rsi
    je L10
    movss 16(%rdi), %xmm0
    movss %xmm0, 96(%rdx)
    leaq 4(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 16(%rdi,%rcx,4), %xmm0
    movss %xmm0, 100(%rdx)
    leaq 4(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 16(%rdi,%r11,4), %xmm0
    movss %xmm0, 104(%rdx)
    leaq 4(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 16(%rdi,%r10,4), %xmm0
    movss %xmm0, 108(%rdx)
    leaq 4(%r9), %rax
    cmpq %rsi, %rax
    jae L7
    movss 16(%rdi,%r9,4), %xmm0
    movss %xmm0, 112(%rdx)
    leaq 4(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 16(%rdi,%r8,4), %xmm0
    movss %xmm0, 116(%rdx)
    cmpq $5, %rsi
    je L11
    movss 20(%rdi), %xmm0
    movss %xmm0, 120(%rdx)
    leaq 5(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 20(%rdi,%rcx,4), %xmm0
    movss %xmm0, 124(%rdx)
    leaq 5(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 20(%rdi,%r11,4), %xmm0
    movss %xmm0, 128(%rdx)
    leaq 5(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 20(%rdi,%r10,4), %xmm0
    movss %xmm0, 132(%rdx)
    leaq 5(%r9), %rax
    cmpq %rsi, %rax
    jae L7
    movss 20(%rdi,%r9,4), %xmm0
    movss %xmm0, 136(%rdx)
    leaq 5(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 20(%rdi,%r8,4), %xmm0
    movss %xmm0, 140(%rdx)
    cmpq $6, %rsi
    je L12
    movss 24(%rdi), %xmm0
    movss %xmm0, 144(%rdx)
    leaq 6(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 24(%rdi,%rcx,4), %xmm0
    movss %xmm0, 148(%rdx)
    leaq 6(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 24(%rdi,%r11,4), %xmm0
    movss %xmm0, 152(%rdx)
    leaq 6(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 24(%rdi,%r10,4), %xmm0
    movss %xmm0, 156(%rdx)
    leaq 6(%r9), %rax
    cmpq %rsi, %rax
    jae L7
    movss 24(%rdi,%r9,4), %xmm0
    movss %xmm0, 160(%rdx)
    leaq 6(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 24(%rdi,%r8,4), %xmm0
    movss %xmm0, 164(%rdx)
    cmpq $7, %rsi
    je L13
    movss 28(%rdi), %xmm0
    movss %xmm0, 168(%rdx)
    leaq 7(%rcx), %rax
    cmpq %rsi, %rax
    jae L7
    movss 28(%rdi,%rcx,4), %xmm0
    movss %xmm0, 172(%rdx)
    leaq 7(%r11), %rax
    cmpq %rsi, %rax
    jae L7
    movss 28(%rdi,%r11,4), %xmm0
    movss %xmm0, 176(%rdx)
    leaq 7(%r10), %rax
    cmpq %rsi, %rax
    jae L7
    movss 28(%rdi,%r10,4), %xmm0
    movss %xmm0, 180(%rdx)
    leaq 7(%r9), %rax
    cmpq %rsi, %rax
    jae L7
    movss 28(%rdi,%r9,4), %xmm0
    movss %xmm0, 184(%rdx)
    leaq 7(%r8), %rax
    cmpq %rsi, %rax
    jae L7
    movss 28(%rdi,%r8,4), %xmm0
    movss %xmm0, 188(%rdx)
    retq
L0:
    xorl %eax, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L1:
    movq %rcx, %rax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L2:
    movq %r11, %rax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L3:
    movq %r10, %rax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L4:
    movq %r9, %rax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L5:
    movq %r8, %rax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L6:
    movl $1, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L8:
    movl $2, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L9:
    movl $3, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L10:
    movl $4, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L11:
    movl $5, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L12:
    movl $6, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L13:
    movl $7, %eax
L7:
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

nested:
    movdqu (%rdi), %xmm0
    movdqu 16(%rdi), %xmm1
    movdqu 64(%rdi), %xmm2
    movdqu 80(%rdi), %xmm3
    pshufd $78, %xmm0, %xmm0
    movdqu 128(%rdi), %xmm4
    movdqu 192(%rdi), %xmm5
    movdqu 144(%rdi), %xmm6
    movdqu 208(%rdi), %xmm7
    movdqu 256(%rdi), %xmm8
    paddq %xmm4, %xmm8
    paddq %xmm0, %xmm8
    movdqu 320(%rdi), %xmm0
    paddq %xmm2, %xmm0
    paddq %xmm5, %xmm0
    movdqu 272(%rdi), %xmm2
    paddq %xmm1, %xmm2
    paddq %xmm6, %xmm2
    paddq %xmm8, %xmm2
    movdqu 336(%rdi), %xmm1
    paddq %xmm3, %xmm1
    paddq %xmm7, %xmm1
    paddq %xmm0, %xmm1
    paddq %xmm2, %xmm1
    pshufd $238, %xmm1, %xmm0
    paddq %xmm1, %xmm0
    movq %xmm0, %rax
    retq

nested_rows:
    testq %rsi, %rsi
    je L0
    cmpq $3, %rsi
    jb L1
    cmpq $17, %rsi
    jb L2
    cmpq $19, %rsi
    jb L3
    cmpq $33, %rsi
    jb L4
    cmpq $35, %rsi
    jb L5
    je L6
    cmpq $41, %rsi
    jb L7
    cmpq $43, %rsi
    jb L8
    je L9
    movq 16(%rdi), %rax
    addq (%rdi), %rax
    addq 128(%rdi), %rax
    addq 144(%rdi), %rax
    addq 256(%rdi), %rax
    addq 272(%rdi), %rax
    addq 8(%rdi), %rax
    addq 24(%rdi), %rax
    addq 136(%rdi), %rax
    addq 152(%rdi), %rax
    addq 264(%rdi), %rax
    addq 280(%rdi), %rax
    addq 64(%rdi), %rax
    addq 80(%rdi), %rax
    addq 192(%rdi), %rax
    addq 208(%rdi), %rax
    addq 320(%rdi), %rax
    addq 336(%rdi), %rax
    addq 72(%rdi), %rax
    addq 88(%rdi), %rax
    addq 200(%rdi), %rax
    addq 216(%rdi), %rax
    addq 328(%rdi), %rax
    addq 344(%rdi), %rax
    retq
L0:
    xorl %edi, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L1:
    movl $2, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L2:
    movl $16, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L3:
    movl $18, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L4:
    movl $32, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L5:
    movl $34, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L6:
    movl $35, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L7:
    movl $40, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L8:
    movl $42, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L9:
    movl $43, %edi
    pushq %rax
    leaq constant0(%rip), %rdx
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

number:
    movabsq $2635249153387078803, %rcx
    movq %rdi, %rax
    mulq %rcx
    imulq $60, %rdi, %rcx
    subq %rdx, %rdi
    shrq %rdi
    addq %rdx, %rdi
    shrq $2, %rdi
    imulq $-419, %rdi, %rax
    addq %rcx, %rax
    retq

number_nested:
    movl %edi, %eax
    andl $1, %eax
    movl %edi, %ecx
    andl $2, %ecx
    movl %edi, %edx
    shrl %edx
    andl $2, %edx
    andq $-8, %rdi
    leaq (%rax,%rcx,4), %rax
    leaq (%rax,%rdi,2), %rax
    orq %rdx, %rax
    retq

number_per_mode:
    movl %edi, %eax
    andl $1, %eax
    andq $-2, %rdi
    movl %esi, %ecx
    andl $1, %ecx
    andq $-2, %rsi
    leaq (%rax,%rdi,4), %rax
    leaq (%rax,%rsi,8), %rax
    leaq (%rax,%rcx,2), %rax
    retq

offset:
    imulq $60, %rdi, %rax
    addq %rsi, %rax
    retq

padded:
    xorl %eax, %eax
    movq %rsi, %rcx
    subq $7, %rcx
    cmovbq %rax, %rcx
    movq %rsi, %rdx
    subq $14, %rdx
    cmovbq %rax, %rdx
    movq %rsi, %r8
    subq $21, %r8
    cmovbq %rax, %r8
    movq %rsi, %r9
    subq $28, %r9
    cmovbq %rax, %r9
    movq %rsi, %r10
    subq $35, %r10
    cmovbq %rax, %r10
    testq %rsi, %rsi
    je L0
    cmpq $8, %rsi
    jb L1
    cmpq $15, %rsi
    jb L2
    cmpq $22, %rsi
    jb L3
    cmpq $29, %rsi
    jb L4
    cmpq $36, %rsi
    jb L5
    cmpq $1, %rcx
    je L6
    cmpq $1, %rdx
    je L7
    cmpq $1, %r8
    je L8
    cmpq $1, %r9
    je L9
    cmpq $1, %r10
    je L10
    cmpq $2, %rcx
    je L11
    cmpq $2, %rdx
    je L12
    cmpq $2, %r8
    je L13
    cmpq $2, %r9
    je L14
    cmpq $2, %r10
    je L15
    cmpq $3, %rcx
    je L16
    cmpq $3, %rdx
    je L17
    cmpq $3, %r8
    je L18
    cmpq $3, %r9
    je L19
    cmpq $3, %r10
    je L20
    movq 56(%rdi), %rax
    addq (%rdi), %rax
    addq 112(%rdi), %rax
    addq 168(%rdi), %rax
    addq 224(%rdi), %rax
    addq 280(%rdi), %rax
    addq 8(%rdi), %rax
    addq 64(%rdi), %rax
    addq 120(%rdi), %rax
    addq 176(%rdi), %rax
    addq 232(%rdi), %rax
    addq 288(%rdi), %rax
    addq 16(%rdi), %rax
    addq 72(%rdi), %rax
    addq 128(%rdi), %rax
    addq 184(%rdi), %rax
    addq 240(%rdi), %rax
    addq 296(%rdi), %rax
    addq 24(%rdi), %rax
    addq 80(%rdi), %rax
    addq 136(%rdi), %rax
    addq 192(%rdi), %rax
    addq 248(%rdi), %rax
    addq 304(%rdi), %rax
    retq
L1:
    movl $7, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L2:
    movl $14, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L3:
    movl $21, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L4:
    movl $28, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L5:
    movl $35, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L6:
    movl $8, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L7:
    movl $15, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L8:
    movl $22, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L9:
    movl $29, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L10:
    movl $36, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L11:
    movl $9, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L12:
    movl $16, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L13:
    movl $23, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L14:
    movl $30, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L15:
    movl $37, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L16:
    movl $10, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L17:
    movl $17, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L18:
    movl $24, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L19:
    movl $31, %eax
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L20:
    movl $38, %eax
L0:
    pushq %rax
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

permute:
    xorl %eax, %eax
L0:
    imulq $480, %rax, %rcx
    movss (%rdi,%rcx), %xmm0
    movss %xmm0, (%rsi,%rcx)
    movss 4(%rdi,%rcx), %xmm0
    movss %xmm0, 240(%rsi,%rcx)
    movss 8(%rdi,%rcx), %xmm0
    movss %xmm0, 80(%rsi,%rcx)
    movss 12(%rdi,%rcx), %xmm0
    movss %xmm0, 320(%rsi,%rcx)
    movss 16(%rdi,%rcx), %xmm0
    movss %xmm0, 160(%rsi,%rcx)
    movss 20(%rdi,%rcx), %xmm0
    movss %xmm0, 400(%rsi,%rcx)
    movss 24(%rdi,%rcx), %xmm0
    movss %xmm0, 20(%rsi,%rcx)
    movss 28(%rdi,%rcx), %xmm0
    movss %xmm0, 260(%rsi,%rcx)
    movss 32(%rdi,%rcx), %xmm0
    movss %xmm0, 100(%rsi,%rcx)
    movss 36(%rdi,%rcx), %xmm0
    movss %xmm0, 340(%rsi,%rcx)
    movss 40(%rdi,%rcx), %xmm0
    movss %xmm0, 180(%rsi,%rcx)
    movss 44(%rdi,%rcx), %xmm0
    movss %xmm0, 420(%rsi,%rcx)
    movss 48(%rdi,%rcx), %xmm0
    movss %xmm0, 40(%rsi,%rcx)
    movss 52(%rdi,%rcx), %xmm0
    movss %xmm0, 280(%rsi,%rcx)
    movss 56(%rdi,%rcx), %xmm0
    movss %xmm0, 120(%rsi,%rcx)
    movss 60(%rdi,%rcx), %xmm0
    movss %xmm0, 360(%rsi,%rcx)
    movss 64(%rdi,%rcx), %xmm0
    movss %xmm0, 200(%rsi,%rcx)
    movss 68(%rdi,%rcx), %xmm0
    movss %xmm0, 440(%rsi,%rcx)
    movss 72(%rdi,%rcx), %xmm0
    movss %xmm0, 60(%rsi,%rcx)
    movss 76(%rdi,%rcx), %xmm0
    movss %xmm0, 300(%rsi,%rcx)
    movss 80(%rdi,%rcx), %xmm0
    movss %xmm0, 140(%rsi,%rcx)
    movss 84(%rdi,%rcx), %xmm0
    movss %xmm0, 380(%rsi,%rcx)
    movss 88(%rdi,%rcx), %xmm0
    movss %xmm0, 220(%rsi,%rcx)
    movss 92(%rdi,%rcx), %xmm0
    movss %xmm0, 460(%rsi,%rcx)
    movss 96(%rdi,%rcx), %xmm0
    movss %xmm0, 4(%rsi,%rcx)
    movss 100(%rdi,%rcx), %xmm0
    movss %xmm0, 244(%rsi,%rcx)
    movss 104(%rdi,%rcx), %xmm0
    movss %xmm0, 84(%rsi,%rcx)
    movss 108(%rdi,%rcx), %xmm0
    movss %xmm0, 324(%rsi,%rcx)
    movss 112(%rdi,%rcx), %xmm0
    movss %xmm0, 164(%rsi,%rcx)
    movss 116(%rdi,%rcx), %xmm0
    movss %xmm0, 404(%rsi,%rcx)
    movss 120(%rdi,%rcx), %xmm0
    movss %xmm0, 24(%rsi,%rcx)
    movss 124(%rdi,%rcx), %xmm0
    movss %xmm0, 264(%rsi,%rcx)
    movss 128(%rdi,%rcx), %xmm0
    movss %xmm0, 104(%rsi,%rcx)
    movss 132(%rdi,%rcx), %xmm0
    movss %xmm0, 344(%rsi,%rcx)
    movss 136(%rdi,%rcx), %xmm0
    movss %xmm0, 184(%rsi,%rcx)
    movss 140(%rdi,%rcx), %xmm0
    movss %xmm0, 424(%rsi,%rcx)
    movss 144(%rdi,%rcx), %xmm0
    movss %xmm0, 44(%rsi,%rcx)
    movss 148(%rdi,%rcx), %xmm0
    movss %xmm0, 284(%rsi,%rcx)
    movss 152(%rdi,%rcx), %xmm0
    movss %xmm0, 124(%rsi,%rcx)
    movss 156(%rdi,%rcx), %xmm0
    movss %xmm0, 364(%rsi,%rcx)
    movss 160(%rdi,%rcx), %xmm0
    movss %xmm0, 204(%rsi,%rcx)
    movss 164(%rdi,%rcx), %xmm0
    movss %xmm0, 444(%rsi,%rcx)
    movss 168(%rdi,%rcx), %xmm0
    movss %xmm0, 64(%rsi,%rcx)
    movss 172(%rdi,%rcx), %xmm0
    movss %xmm0, 304(%rsi,%rcx)
    movss 176(%rdi,%rcx), %xmm0
    movss %xmm0, 144(%rsi,%rcx)
    movss 180(%rdi,%rcx), %xmm0
    movss %xmm0, 384(%rsi,%rcx)
    movss 184(%rdi,%rcx), %xmm0
    movss %xmm0, 224(%rsi,%rcx)
    movss 188(%rdi,%rcx), %xmm0
    movss %xmm0, 464(%rsi,%rcx)
    movss 192(%rdi,%rcx), %xmm0
    movss %xmm0, 8(%rsi,%rcx)
    movss 196(%rdi,%rcx), %xmm0
    movss %xmm0, 248(%rsi,%rcx)
    movss 200(%rdi,%rcx), %xmm0
    movss %xmm0, 88(%rsi,%rcx)
    movss 204(%rdi,%rcx), %xmm0
    movss %xmm0, 328(%rsi,%rcx)
    movss 208(%rdi,%rcx), %xmm0
    movss %xmm0, 168(%rsi,%rcx)
    movss 212(%rdi,%rcx), %xmm0
    movss %xmm0, 408(%rsi,%rcx)
    movss 216(%rdi,%rcx), %xmm0
    movss %xmm0, 28(%rsi,%rcx)
    movss 220(%rdi,%rcx), %xmm0
    movss %xmm0, 268(%rsi,%rcx)
    movss 224(%rdi,%rcx), %xmm0
    movss %xmm0, 108(%rsi,%rcx)
    movss 228(%rdi,%rcx), %xmm0
    movss %xmm0, 348(%rsi,%rcx)
    movss 232(%rdi,%rcx), %xmm0
    movss %xmm0, 188(%rsi,%rcx)
    movss 236(%rdi,%rcx), %xmm0
    movss %xmm0, 428(%rsi,%rcx)
    movss 240(%rdi,%rcx), %xmm0
    movss %xmm0, 48(%rsi,%rcx)
    movss 244(%rdi,%rcx), %xmm0
    movss %xmm0, 288(%rsi,%rcx)
    movss 248(%rdi,%rcx), %xmm0
    movss %xmm0, 128(%rsi,%rcx)
    movss 252(%rdi,%rcx), %xmm0
    movss %xmm0, 368(%rsi,%rcx)
    movss 256(%rdi,%rcx), %xmm0
    movss %xmm0, 208(%rsi,%rcx)
    movss 260(%rdi,%rcx), %xmm0
    movss %xmm0, 448(%rsi,%rcx)
    movss 264(%rdi,%rcx), %xmm0
    movss %xmm0, 68(%rsi,%rcx)
    movss 268(%rdi,%rcx), %xmm0
    movss %xmm0, 308(%rsi,%rcx)
    movss 272(%rdi,%rcx), %xmm0
    movss %xmm0, 148(%rsi,%rcx)
    movss 276(%rdi,%rcx), %xmm0
    movss %xmm0, 388(%rsi,%rcx)
    movss 280(%rdi,%rcx), %xmm0
    movss %xmm0, 228(%rsi,%rcx)
    movss 284(%rdi,%rcx), %xmm0
    movss %xmm0, 468(%rsi,%rcx)
    movss 288(%rdi,%rcx), %xmm0
    movss %xmm0, 12(%rsi,%rcx)
    movss 292(%rdi,%rcx), %xmm0
    movss %xmm0, 252(%rsi,%rcx)
    movss 296(%rdi,%rcx), %xmm0
    movss %xmm0, 92(%rsi,%rcx)
    movss 300(%rdi,%rcx), %xmm0
    movss %xmm0, 332(%rsi,%rcx)
    movss 304(%rdi,%rcx), %xmm0
    movss %xmm0, 172(%rsi,%rcx)
    movss 308(%rdi,%rcx), %xmm0
    movss %xmm0, 412(%rsi,%rcx)
    movss 312(%rdi,%rcx), %xmm0
    movss %xmm0, 32(%rsi,%rcx)
    movss 316(%rdi,%rcx), %xmm0
    movss %xmm0, 272(%rsi,%rcx)
    movss 320(%rdi,%rcx), %xmm0
    movss %xmm0, 112(%rsi,%rcx)
    movss 324(%rdi,%rcx), %xmm0
    movss %xmm0, 352(%rsi,%rcx)
    movss 328(%rdi,%rcx), %xmm0
    movss %xmm0, 192(%rsi,%rcx)
    movss 332(%rdi,%rcx), %xmm0
    movss %xmm0, 432(%rsi,%rcx)
    movss 336(%rdi,%rcx), %xmm0
    movss %xmm0, 52(%rsi,%rcx)
    movss 340(%rdi,%rcx), %xmm0
    movss %xmm0, 292(%rsi,%rcx)
    movss 344(%rdi,%rcx), %xmm0
    movss %xmm0, 132(%rsi,%rcx)
    movss 348(%rdi,%rcx), %xmm0
    movss %xmm0, 372(%rsi,%rcx)
    movss 352(%rdi,%rcx), %xmm0
    movss %xmm0, 212(%rsi,%rcx)
    movss 356(%rdi,%rcx), %xmm0
    movss %xmm0, 452(%rsi,%rcx)
    movss 360(%rdi,%rcx), %xmm0
    movss %xmm0, 72(%rsi,%rcx)
    movss 364(%rdi,%rcx), %xmm0
    movss %xmm0, 312(%rsi,%rcx)
    movss 368(%rdi,%rcx), %xmm0
    movss %xmm0, 152(%rsi,%rcx)
    movss 372(%rdi,%rcx), %xmm0
    movss %xmm0, 392(%rsi,%rcx)
    movss 376(%rdi,%rcx), %xmm0
    movss %xmm0, 232(%rsi,%rcx)
    movss 380(%rdi,%rcx), %xmm0
    movss %xmm0, 472(%rsi,%rcx)
    movss 384(%rdi,%rcx), %xmm0
    movss %xmm0, 16(%rsi,%rcx)
    movss 388(%rdi,%rcx), %xmm0
    movss %xmm0, 256(%rsi,%rcx)
    movss 392(%rdi,%rcx), %xmm0
    movss %xmm0, 96(%rsi,%rcx)
    movss 396(%rdi,%rcx), %xmm0
    movss %xmm0, 336(%rsi,%rcx)
    movss 400(%rdi,%rcx), %xmm0
    movss %xmm0, 176(%rsi,%rcx)
    movss 404(%rdi,%rcx), %xmm0
    movss %xmm0, 416(%rsi,%rcx)
    movss 408(%rdi,%rcx), %xmm0
    movss %xmm0, 36(%rsi,%rcx)
    movss 412(%rdi,%rcx), %xmm0
    movss %xmm0, 276(%rsi,%rcx)
    movss 416(%rdi,%rcx), %xmm0
    movss %xmm0, 116(%rsi,%rcx)
    movss 420(%rdi,%rcx), %xmm0
    movss %xmm0, 356(%rsi,%rcx)
    movss 424(%rdi,%rcx), %xmm0
    movss %xmm0, 196(%rsi,%rcx)
    movss 428(%rdi,%rcx), %xmm0
    movss %xmm0, 436(%rsi,%rcx)
    movss 432(%rdi,%rcx), %xmm0
    movss %xmm0, 56(%rsi,%rcx)
    movss 436(%rdi,%rcx), %xmm0
    movss %xmm0, 296(%rsi,%rcx)
    movss 440(%rdi,%rcx), %xmm0
    movss %xmm0, 136(%rsi,%rcx)
    movss 444(%rdi,%rcx), %xmm0
    movss %xmm0, 376(%rsi,%rcx)
    movss 448(%rdi,%rcx), %xmm0
    movss %xmm0, 216(%rsi,%rcx)
    movss 452(%rdi,%rcx), %xmm0
    movss %xmm0, 456(%rsi,%rcx)
    movss 456(%rdi,%rcx), %xmm0
    movss %xmm0, 76(%rsi,%rcx)
    movss 460(%rdi,%rcx), %xmm0
    movss %xmm0, 316(%rsi,%rcx)
    movss 464(%rdi,%rcx), %xmm0
    movss %xmm0, 156(%rsi,%rcx)
    movss 468(%rdi,%rcx), %xmm0
    movss %xmm0, 396(%rsi,%rcx)
    movss 472(%rdi,%rcx), %xmm0
    movss %xmm0, 236(%rsi,%rcx)
    movss 476(%rdi,%rcx), %xmm0
    movss %xmm0, 476(%rsi,%rcx)
    incq %rax
    cmpq $6, %rax
    jne L0
    retq

range:
    cmpq $64, %rsi
    setae %al
    cmpq $113, %rdx
    setae %cl
    orb %al, %cl
    je L0
    xorl %eax, %eax
    retq
L0:
    shlq $10, %rsi
    addq %rsi, %rdi
    movdqu 80(%rdi,%rdx,8), %xmm0
    movdqu 112(%rdi,%rdx,8), %xmm1
    movdqu 64(%rdi,%rdx,8), %xmm2
    movdqu 96(%rdi,%rdx,8), %xmm3
    movdqu (%rdi,%rdx,8), %xmm4
    paddq %xmm2, %xmm4
    movdqu 16(%rdi,%rdx,8), %xmm2
    paddq %xmm0, %xmm2
    movdqu 32(%rdi,%rdx,8), %xmm0
    paddq %xmm3, %xmm0
    paddq %xmm4, %xmm0
    movdqu 48(%rdi,%rdx,8), %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm2, %xmm3
    paddq %xmm0, %xmm3
    pshufd $238, %xmm3, %xmm0
    paddq %xmm3, %xmm0
    movq %xmm0, %rax
    retq

row_major:
    movl $512, %ecx
    xorl %eax, %eax
L0:
    movdqu -352(%rdi,%rcx), %xmm1
    movdqu -288(%rdi,%rcx), %xmm3
    movdqu -416(%rdi,%rcx), %xmm4
    movdqu -384(%rdi,%rcx), %xmm5
    movdqu -320(%rdi,%rcx), %xmm7
    movdqu -448(%rdi,%rcx), %xmm8
    movdqu -336(%rdi,%rcx), %xmm9
    movdqu -272(%rdi,%rcx), %xmm15
    movdqu -400(%rdi,%rcx), %xmm13
    movdqu -368(%rdi,%rcx), %xmm12
    movdqu -512(%rdi,%rcx), %xmm6
    movdqu -496(%rdi,%rcx), %xmm10
    movdqu -480(%rdi,%rcx), %xmm2
    movdqu -464(%rdi,%rcx), %xmm14
    movdqu -304(%rdi,%rcx), %xmm11
    movdqu -96(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqa %xmm0, -24(%rsp)
    movdqu -224(%rdi,%rcx), %xmm1
    paddq %xmm2, %xmm1
    movdqu -32(%rdi,%rcx), %xmm2
    paddq %xmm3, %xmm2
    movdqu -160(%rdi,%rcx), %xmm3
    paddq %xmm4, %xmm3
    movdqu -128(%rdi,%rcx), %xmm4
    paddq %xmm5, %xmm4
    movdqu -256(%rdi,%rcx), %xmm5
    paddq %xmm6, %xmm5
    movdqu -64(%rdi,%rcx), %xmm6
    paddq %xmm7, %xmm6
    movdqu -192(%rdi,%rcx), %xmm7
    paddq %xmm8, %xmm7
    movdqu -80(%rdi,%rcx), %xmm8
    paddq %xmm9, %xmm8
    movdqu -208(%rdi,%rcx), %xmm9
    paddq %xmm14, %xmm9
    movdqu -16(%rdi,%rcx), %xmm14
    paddq %xmm15, %xmm14
    movdqu -144(%rdi,%rcx), %xmm15
    paddq %xmm13, %xmm15
    movdqu -112(%rdi,%rcx), %xmm13
    paddq %xmm12, %xmm13
    movdqu -240(%rdi,%rcx), %xmm12
    paddq %xmm10, %xmm12
    movdqu -48(%rdi,%rcx), %xmm10
    paddq %xmm11, %xmm10
    movdqu -432(%rdi,%rcx), %xmm11
    movdqu -176(%rdi,%rcx), %xmm0
    paddq %xmm11, %xmm0
    movdqu 80(%rdi,%rcx), %xmm11
    paddq %xmm0, %xmm11
    movdqu 208(%rdi,%rcx), %xmm0
    paddq %xmm10, %xmm0
    paddq %xmm11, %xmm0
    movdqu 16(%rdi,%rcx), %xmm10
    paddq %xmm12, %xmm10
    movdqu 144(%rdi,%rcx), %xmm11
    paddq %xmm13, %xmm11
    paddq %xmm10, %xmm11
    paddq %xmm0, %xmm11
    movdqu 112(%rdi,%rcx), %xmm0
    paddq %xmm15, %xmm0
    movdqu 240(%rdi,%rcx), %xmm10
    paddq %xmm14, %xmm10
    paddq %xmm0, %xmm10
    movdqu 48(%rdi,%rcx), %xmm0
    paddq %xmm9, %xmm0
    movdqu 176(%rdi,%rcx), %xmm9
    paddq %xmm8, %xmm9
    paddq %xmm0, %xmm9
    paddq %xmm10, %xmm9
    paddq %xmm11, %xmm9
    movdqu 64(%rdi,%rcx), %xmm0
    paddq %xmm7, %xmm0
    movdqu 192(%rdi,%rcx), %xmm7
    paddq %xmm6, %xmm7
    paddq %xmm0, %xmm7
    movdqu (%rdi,%rcx), %xmm0
    paddq %xmm5, %xmm0
    movdqu 128(%rdi,%rcx), %xmm5
    paddq %xmm4, %xmm5
    paddq %xmm0, %xmm5
    paddq %xmm7, %xmm5
    movdqu 96(%rdi,%rcx), %xmm0
    paddq %xmm3, %xmm0
    movdqu 224(%rdi,%rcx), %xmm3
    paddq %xmm2, %xmm3
    paddq %xmm0, %xmm3
    movdqu 32(%rdi,%rcx), %xmm0
    paddq %xmm1, %xmm0
    movdqu 160(%rdi,%rcx), %xmm1
    paddq -24(%rsp), %xmm1
    paddq %xmm0, %xmm1
    paddq %xmm3, %xmm1
    paddq %xmm5, %xmm1
    paddq %xmm9, %xmm1
    pshufd $238, %xmm1, %xmm0
    paddq %xmm1, %xmm0
    movq %xmm0, %rdx
    addq %rdx, %rax
    addq $768, %rcx
    cmpq $49664, %rcx
    jne L0
    retq

strided_slice:
    movl $736, %ecx
    xorl %eax, %eax
L0:
    addq -736(%rdi,%rcx), %rax
    addq -704(%rdi,%rcx), %rax
    addq -672(%rdi,%rcx), %rax
    addq -640(%rdi,%rcx), %rax
    addq -608(%rdi,%rcx), %rax
    addq -576(%rdi,%rcx), %rax
    addq -544(%rdi,%rcx), %rax
    addq -512(%rdi,%rcx), %rax
    addq -480(%rdi,%rcx), %rax
    addq -448(%rdi,%rcx), %rax
    addq -416(%rdi,%rcx), %rax
    addq -384(%rdi,%rcx), %rax
    addq -352(%rdi,%rcx), %rax
    addq -320(%rdi,%rcx), %rax
    addq -288(%rdi,%rcx), %rax
    addq -256(%rdi,%rcx), %rax
    addq -224(%rdi,%rcx), %rax
    addq -192(%rdi,%rcx), %rax
    addq -160(%rdi,%rcx), %rax
    addq -128(%rdi,%rcx), %rax
    addq -96(%rdi,%rcx), %rax
    addq -64(%rdi,%rcx), %rax
    addq -32(%rdi,%rcx), %rax
    addq (%rdi,%rcx), %rax
    addq $768, %rcx
    cmpq $49888, %rcx
    jne L0
    retq

swizzle:
    pushq %r15
    pushq %r14
    pushq %rbx
    movl $32, %r8d
    xorl %r9d, %r9d
    xorl %r10d, %r10d
L0:
    movq %r10, %r11
    incq %r10
    movq %r8, %rbx
    movq %r9, %r14
    movl $32, %r15d
L1:
    leaq -32(%rbx), %rax
    cmpq %rsi, %rax
    jae L2
    movq %r14, %rax
    xorq %r11, %rax
    cmpq %rcx, %rax
    jae L3
    movss -128(%rdi,%rbx,4), %xmm0
    movss %xmm0, (%rdx,%rax,4)
    cmpq %rsi, %rbx
    jae L4
    leaq 1(%r14), %rax
    xorq %r11, %rax
    cmpq %rcx, %rax
    jae L3
    movss (%rdi,%rbx,4), %xmm0
    movss %xmm0, (%rdx,%rax,4)
    addq $2, %r14
    addq $64, %rbx
    addq $-2, %r15
    jne L1
    addq $32, %r9
    incq %r8
    cmpq $32, %r10
    jne L0
    popq %rbx
    popq %r14
    popq %r15
    retq
L3:
    leaq constant0(%rip), %rdx
    movq %rax, %rdi
    movq %rcx, %rsi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
L4:
    movq %rbx, %rax
L2:
    leaq constant1(%rip), %rdx
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

thread_values:
    movl %esi, %eax
    andl $7, %eax
    shll $7, %eax
    andq $-8, %rsi
    addq %rax, %rsi
    xorl %ecx, %ecx
    xorl %r8d, %r8d
L0:
    movl %ecx, %eax
    andl $64, %eax
    movq %r8, %r9
    shrq $2, %r9
    orq %r9, %rax
    addq %rsi, %rax
    cmpq $1024, %rax
    jae L1
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, (%rdx,%r8,4)
    leal 32(%rcx), %eax
    andl $96, %eax
    orq %r9, %rax
    addq %rsi, %rax
    cmpq $1023, %rax
    ja L1
    movss (%rdi,%rax,4), %xmm0
    movss %xmm0, 4(%rdx,%r8,4)
    addq $2, %r8
    addq $64, %rcx
    cmpq $32, %r8
    jne L0
    retq
L1:
    pushq %rax
    leaq constant0(%rip), %rdx
    movl $1024, %esi
    movq %rax, %rdi
    callq *_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check@GOTPCREL(%rip)

tiles:
    addq $5376, %rdi
    xorl %eax, %eax
L0:
    movq $-96, %rcx
    movq %rsi, %rdx
L1:
    movdqu -4528(%rdi,%rcx,8), %xmm6
    movdqu -4496(%rdi,%rcx,8), %xmm7
    movdqu -4544(%rdi,%rcx,8), %xmm8
    movdqu -4512(%rdi,%rcx,8), %xmm0
    movdqu -4592(%rdi,%rcx,8), %xmm9
    movdqu -4576(%rdi,%rcx,8), %xmm1
    movdqu -4560(%rdi,%rcx,8), %xmm10
    movdqu -3760(%rdi,%rcx,8), %xmm2
    movdqu -3824(%rdi,%rcx,8), %xmm5
    movdqu -3728(%rdi,%rcx,8), %xmm4
    movdqu -3792(%rdi,%rcx,8), %xmm3
    movdqu -3776(%rdi,%rcx,8), %xmm15
    movups -3840(%rdi,%rcx,8), %xmm11
    movaps %xmm11, -24(%rsp)
    movups -3744(%rdi,%rcx,8), %xmm11
    movaps %xmm11, -56(%rsp)
    movups -3808(%rdi,%rcx,8), %xmm11
    movaps %xmm11, -40(%rsp)
    movdqu -2992(%rdi,%rcx,8), %xmm14
    paddq %xmm6, %xmm14
    movdqu -3056(%rdi,%rcx,8), %xmm13
    paddq %xmm9, %xmm13
    movdqu -2960(%rdi,%rcx,8), %xmm12
    paddq %xmm7, %xmm12
    movdqu -3024(%rdi,%rcx,8), %xmm11
    paddq %xmm10, %xmm11
    movdqu -3008(%rdi,%rcx,8), %xmm10
    paddq %xmm8, %xmm10
    movdqu -2976(%rdi,%rcx,8), %xmm9
    paddq %xmm0, %xmm9
    movdqu -3040(%rdi,%rcx,8), %xmm8
    paddq %xmm1, %xmm8
    movdqu -2224(%rdi,%rcx,8), %xmm7
    paddq %xmm2, %xmm7
    movdqu -2288(%rdi,%rcx,8), %xmm6
    paddq %xmm5, %xmm6
    movdqu -2192(%rdi,%rcx,8), %xmm5
    paddq %xmm4, %xmm5
    movdqu -2256(%rdi,%rcx,8), %xmm4
    paddq %xmm3, %xmm4
    movdqu -2240(%rdi,%rcx,8), %xmm3
    paddq %xmm15, %xmm3
    movdqu -2304(%rdi,%rcx,8), %xmm2
    paddq -24(%rsp), %xmm2
    movdqu -2208(%rdi,%rcx,8), %xmm0
    paddq -56(%rsp), %xmm0
    movdqa %xmm0, -56(%rsp)
    movdqu -2272(%rdi,%rcx,8), %xmm0
    paddq -40(%rsp), %xmm0
    movdqa %xmm0, -40(%rsp)
    movdqu -3072(%rdi,%rcx,8), %xmm1
    movdqu -1536(%rdi,%rcx,8), %xmm0
    paddq %xmm1, %xmm0
    movdqu -4608(%rdi,%rcx,8), %xmm1
    pshufd $78, %xmm1, %xmm1
    paddq %xmm1, %xmm0
    movdqu -1456(%rdi,%rcx,8), %xmm15
    movdqu 80(%rdi,%rcx,8), %xmm1
    paddq %xmm15, %xmm1
    paddq %xmm14, %xmm1
    movdqu -1520(%rdi,%rcx,8), %xmm14
    movdqu 16(%rdi,%rcx,8), %xmm15
    paddq %xmm14, %xmm15
    paddq %xmm13, %xmm15
    movdqu -1424(%rdi,%rcx,8), %xmm13
    movdqu 112(%rdi,%rcx,8), %xmm14
    paddq %xmm13, %xmm14
    paddq %xmm12, %xmm14
    movdqu -1488(%rdi,%rcx,8), %xmm12
    movdqu 48(%rdi,%rcx,8), %xmm13
    paddq %xmm12, %xmm13
    paddq %xmm11, %xmm13
    movdqu -1472(%rdi,%rcx,8), %xmm11
    movdqu 64(%rdi,%rcx,8), %xmm12
    paddq %xmm11, %xmm12
    paddq %xmm10, %xmm12
    movdqu (%rdi,%rcx,8), %xmm11
    paddq %xmm0, %xmm11
    movdqu -1440(%rdi,%rcx,8), %xmm0
    movdqu 96(%rdi,%rcx,8), %xmm10
    paddq %xmm0, %xmm10
    paddq %xmm9, %xmm10
    movdqu -1504(%rdi,%rcx,8), %xmm0
    movdqu 32(%rdi,%rcx,8), %xmm9
    paddq %xmm0, %xmm9
    paddq %xmm8, %xmm9
    movdqu -688(%rdi,%rcx,8), %xmm0
    movdqu 848(%rdi,%rcx,8), %xmm8
    paddq %xmm0, %xmm8
    paddq %xmm7, %xmm8
    paddq %xmm1, %xmm8
    movdqu -752(%rdi,%rcx,8), %xmm0
    movdqu 784(%rdi,%rcx,8), %xmm1
    paddq %xmm0, %xmm1
    paddq %xmm6, %xmm1
    paddq %xmm15, %xmm1
    movdqu -656(%rdi,%rcx,8), %xmm0
    paddq %xmm8, %xmm1
    movdqu 880(%rdi,%rcx,8), %xmm6
    paddq %xmm0, %xmm6
    paddq %xmm5, %xmm6
    movdqu -720(%rdi,%rcx,8), %xmm5
    paddq %xmm14, %xmm6
    movdqu 816(%rdi,%rcx,8), %xmm0
    paddq %xmm5, %xmm0
    paddq %xmm4, %xmm0
    paddq %xmm13, %xmm0
    paddq %xmm6, %xmm0
    movdqu -704(%rdi,%rcx,8), %xmm4
    paddq %xmm1, %xmm0
    movdqu 832(%rdi,%rcx,8), %xmm1
    paddq %xmm4, %xmm1
    paddq %xmm3, %xmm1
    movdqu -768(%rdi,%rcx,8), %xmm3
    paddq %xmm12, %xmm1
    movdqu 768(%rdi,%rcx,8), %xmm4
    paddq %xmm3, %xmm4
    paddq %xmm2, %xmm4
    paddq %xmm11, %xmm4
    movdqu -672(%rdi,%rcx,8), %xmm2
    paddq %xmm1, %xmm4
    movdqu 864(%rdi,%rcx,8), %xmm1
    paddq %xmm2, %xmm1
    paddq -56(%rsp), %xmm1
    movdqu -736(%rdi,%rcx,8), %xmm2
    paddq %xmm10, %xmm1
    movdqu 800(%rdi,%rcx,8), %xmm3
    paddq %xmm2, %xmm3
    paddq -40(%rsp), %xmm3
    paddq %xmm9, %xmm3
    paddq %xmm1, %xmm3
    paddq %xmm4, %xmm3
    paddq %xmm0, %xmm3
    pshufd $238, %xmm3, %xmm0
    paddq %xmm3, %xmm0
    movq %xmm0, (%rdx)
    addq $8, %rdx
    addq $16, %rcx
    jne L1
    incq %rax
    addq $48, %rsi
    addq $6144, %rdi
    cmpq $8, %rax
    jne L0
    retq

transpose:
    addq $768, %rsi
    xorl %eax, %eax
L0:
    movl $3, %ecx
    movq %rsi, %rdx
L1:
    movss -12(%rdi,%rcx,4), %xmm0
    movss %xmm0, -768(%rdx)
    movss -8(%rdi,%rcx,4), %xmm0
    movss %xmm0, -512(%rdx)
    movss -4(%rdi,%rcx,4), %xmm0
    movss %xmm0, -256(%rdx)
    movss (%rdi,%rcx,4), %xmm0
    movss %xmm0, (%rdx)
    addq $4, %rcx
    addq $1024, %rdx
    cmpq $99, %rcx
    jne L1
    incq %rax
    addq $4, %rsi
    addq $384, %rdi
    cmpq $64, %rax
    jne L0
    retq
