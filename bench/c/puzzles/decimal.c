// The input begins with a number in decimal digits.
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t number = 0;
  for (size_t i = 0; i < size && data[i] >= '0' && data[i] <= '9'; i++) number = number * 10 + (data[i] - '0');
  if (number == 271828) abort();
  return 0;
}
