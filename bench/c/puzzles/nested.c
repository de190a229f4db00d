// A magic number, and behind it another.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t first, second;
  if (size < 12) return 0;
  memcpy(&first, data, 4);
  if (first != 0x464c457f) return 0;
  memcpy(&second, data + 8, 4);
  if (second == 0x3ec1a9d5) abort();
  return 0;
}
