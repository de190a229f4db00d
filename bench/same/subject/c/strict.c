/* Reads a number of at most four digits without leading zeros. */
#include <parallax.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  if (size == 0 || size > 4) return -1;
  for (size_t i = 0; i < size; i++) {
    if (data[i] < '0' || data[i] > '9') {
      parallax_reject("no digit");
      return 0;
    }
    if (i == 1 && data[0] == '0') {
      parallax_reject("leading zero");
      return 0;
    }
    sum = 10 * sum + data[i] - '0';
  }
  char text[16];
  parallax_output(text, (size_t)snprintf(text, sizeof text, "%u", sum));
  return 0;
}
