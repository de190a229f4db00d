// Four bytes in the middle are one number, the most significant byte first.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 12) return 0;
  uint32_t magic = (uint32_t)data[4] << 24 | (uint32_t)data[5] << 16 | (uint32_t)data[6] << 8 | data[7];
  if (magic == 0x7f1b03e9) abort();
  return 0;
}
