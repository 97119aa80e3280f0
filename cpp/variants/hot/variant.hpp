// What a variant is, and how its parts keep to themselves.
//
// hot.cpp with its parts (this folder) is compiled once for each instruction set, with
// WEAKLEARN_VARIANT set to the variant's name. Of an inline function that several objects define
// the linker keeps one copy for all of them, perhaps one that an older processor cannot run. So:
//
// - everything in a part stands in the unnamed namespace of weaklearn::WEAKLEARN_VARIANT, where
//   each object has a copy of its own (the name is for debuggers and for the table in hot.cpp);
// - apart from parts, a part includes nothing whose functions could become such copies: of the
//   standard library only types, constants and C functions; of weaklearn/ only hot/loops.hpp, what
//   that includes, and hot/log2.hpp, whose function is static;
// - parts are included by hot.cpp and by one another, never by other code.
//
// The test variants_share_nothing looks for what got out all the same.
#pragma once

#ifndef WEAKLEARN_VARIANT
#define WEAKLEARN_VARIANT baseline
#endif

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// Registers of 512 bits, with everything that the variant avx512 is compiled for.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define WEAKLEARN_AVX512 1
#endif
