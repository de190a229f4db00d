// Four bytes at the beginning are one number, as the machine stores it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic;
  if (size < 8) return 0;
  memcpy(&magic, data, 4);
  if (magic == 0xcafed00d) abort();
  return 0;
}
