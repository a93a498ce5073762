// KERNEL marks a hot function: it is compiled for several vector widths, and the program picks the widest
// one that the processor supports at start. All versions give the same bits: contraction is off, and a loop
// over lanes adds in the order in which it is written.
//
// KERNEL_NARROW is the same without AVX-512, for loops that read neighbours along a row: every vector of 64
// bytes that is not aligned lies on two cache lines (measured by scripts/bench-compare.lua: the Laplacian
// takes 0.86 times as long as with AVX-512).
//
// A kernel's name is unique in the engine, though it is static: clang 14 gives its resolver to the linker.

#ifndef ESKER_KERNEL_H
#define ESKER_KERNEL_H

#ifndef KERNEL_VERSIONS // others, to measure what they are worth
#define KERNEL_VERSIONS "arch=x86-64-v4", "arch=x86-64-v3", "default"
#endif

// Without it under sanitizers, which run before the resolver's relocations are done, and for valgrind,
// which does not support AVX-512.
#if defined(__x86_64__) && !defined(ESKER_PLAIN_KERNELS)
#define KERNEL __attribute__((target_clones(KERNEL_VERSIONS)))
#define KERNEL_NARROW __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define KERNEL
#define KERNEL_NARROW
#endif

// A helper that must be inlined into the kernel that calls it.
#define KERNEL_INLINE static inline __attribute__((always_inline))

// Before a loop: no pass reads what another one writes, though pointers may be equal. clang warns where it
// knows better.
#ifdef __clang__
#define INDEPENDENT_PASSES
#else
#define INDEPENDENT_PASSES _Pragma("GCC ivdep")
#endif

#endif
