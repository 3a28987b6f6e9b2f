#include "ChecksumFolding.h"

// In C, because Swift cannot use an instruction that not every processor of its target has.
//
// The sum of a message is its remainder by the polynomial, so any sixteen bytes of it may be replaced
// by their product with x^n mod P, added n bits further on. See Gopal et al., "Fast CRC Computation
// for Generic Polynomials Using PCLMULQDQ Instruction" (Intel, 2009).

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

int checksum_can_fold(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL) != 0;
}

__attribute__((target("pclmul"))) static inline __m128i
fold(__m128i value, __m128i factors, const __m128i *next) {
  __m128i low = _mm_clmulepi64_si128(value, factors, 0x00);
  __m128i high = _mm_clmulepi64_si128(value, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), _mm_loadu_si128(next));
}

__attribute__((target("pclmul"))) void
checksum_fold(const uint8_t *bytes, size_t count, uint32_t sum, uint8_t folded[16]) {
  // x^(n + 32) and x^(n - 32) mod P, reflected, for n = 512 and n = 128.
  const __m128i by64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  const __m128i *next = (const __m128i *)bytes;
  __m128i lanes[4];
  for (int lane = 0; lane < 4; lane++) lanes[lane] = _mm_loadu_si128(next++);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)sum));
  // Four at a time: one product takes longer than the next takes to begin.
  for (count -= 64; count >= 64; count -= 64) {
    for (int lane = 0; lane < 4; lane++) lanes[lane] = fold(lanes[lane], by64, next++);
  }
  __m128i all = lanes[0];
  for (int lane = 1; lane < 4; lane++) all = fold(all, by16, &lanes[lane]);
  for (; count >= 16; count -= 16) all = fold(all, by16, next++);
  _mm_storeu_si128((__m128i *)folded, all);
}

#else

int checksum_can_fold(void) { return 0; }

void checksum_fold(const uint8_t *bytes, size_t count, uint32_t sum, uint8_t folded[16]) {
  (void)bytes, (void)count, (void)sum, (void)folded;
}

#endif
