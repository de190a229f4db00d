/* Does not end on some inputs. */
#include <stddef.h>
#include <stdint.h>

static volatile int sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 2 && data[0] == '9' && data[1] == '8') for (;;) sink++;
  return 0;
}
