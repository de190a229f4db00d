// A harness that does next to nothing, so that what is measured is the tool.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static volatile int reached;
  if (size < 4) return 0;
  if (data[0] == 'F') {
    reached = 1;
    if (data[1] == 'U') {
      reached = 2;
      if (data[2] == 'Z') {
        reached = 3;
        if (data[3] == 'Z') reached = 4;
      }
    }
  }
  return 0;
}
