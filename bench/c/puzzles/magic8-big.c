// Eight bytes at the beginning are one number, the most significant byte first.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t magic;
  if (size < 8) return 0;
  memcpy(&magic, data, 8);
  if (__builtin_bswap64(magic) == 0x89504e470d0a1a0b) abort();
  return 0;
}
