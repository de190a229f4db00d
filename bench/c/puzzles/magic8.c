// Eight bytes in the middle are one number, as the machine stores it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t magic;
  if (size < 16) return 0;
  memcpy(&magic, data + 4, 8);
  if (magic == 0x91a4b3c2d5e6f708) abort();
  return 0;
}
