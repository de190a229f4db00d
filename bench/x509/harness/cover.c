/* Tells which blocks inputs cover: reads four bytes of length, little-endian, and as many bytes, and answers with eight bytes, a hash of the set
 * of blocks. It belongs to no fuzzer: what it counts is clang's, and this file is compiled without counters. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct { char *start, *stop; } regions[64];
static int n_regions;

void __sanitizer_cov_bool_flag_init(char *start, char *stop) {
  for (int i = 0; i < n_regions; i++) if (regions[i].start == start) return;
  if (start != stop && n_regions < 64) regions[n_regions].start = start, regions[n_regions++].stop = stop;
}

int main(int argc, char **argv) {
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  uint32_t size;
  while (fread(&size, 1, 4, stdin) == 4) {
    if (size > 1 << 20) return 3;
    uint8_t *data = malloc(size ? size : 1);
    if (fread(data, 1, size, stdin) != size) return 3;
    for (int r = 0; r < n_regions; r++) memset(regions[r].start, 0, (size_t)(regions[r].stop - regions[r].start));
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    uint64_t hash = 14695981039346656037u;
    for (int r = 0; r < n_regions; r++)
      for (char *c = regions[r].start; c < regions[r].stop; c++) hash = (hash ^ (*c != 0)) * 1099511628211u;
    if (fwrite(&hash, 1, 8, stdout) != 8 || fflush(stdout)) return 3;
  }
  return 0;
}
