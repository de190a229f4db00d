// A keyword, and then a number in decimal digits.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 9 || memcmp(data, "version=", 8) != 0) return 0;
  uint32_t number = 0;
  for (size_t i = 8; i < size && data[i] >= '0' && data[i] <= '9'; i++) number = number * 10 + (data[i] - '0');
  if (number == 47110) abort();
  return 0;
}
