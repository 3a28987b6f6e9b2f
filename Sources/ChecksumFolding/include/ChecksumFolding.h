#ifndef CHECKSUM_FOLDING_H
#define CHECKSUM_FOLDING_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor multiplies without carries, which `checksum_fold` needs.
int checksum_can_fold(void);

/// Folds bytes into sixteen that have the same CRC-32 (polynomial 0x04C11DB7, reflected).
///
/// `count` is a multiple of 16 and at least 64. `sum` is the sum before, not inverted; the sum of the
/// sixteen bytes in `folded`, begun with 0, is the one after. Must not be called where
/// `checksum_can_fold` is 0.
void checksum_fold(const uint8_t *bytes, size_t count, uint32_t sum, uint8_t folded[16]);

#endif
