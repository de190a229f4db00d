// Says which blocks inputs cover: replay MAP FILE... runs each file and writes MAP, a byte for each counter, 1 if any input has executed it,
// after 8 bytes: how many files were begun. The map is shared memory, so that it is there when an input ends the process; the
// caller goes on with the next. It belongs to no fuzzer: what it counts is clang's, and this file is compiled without counters.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static char *counters;
static size_t size;

// Called once, since everything is linked statically into one program. It is weak in clang's runtime.
void __sanitizer_cov_8bit_counters_init(char *start, char *stop) {
  if (counters == NULL) counters = start, size = (size_t)(stop - start);
}

static void fail(const char *what) {
  perror(what);
  exit(3);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: replay MAP FILE...\n");
    return 2;
  }
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  int fd = open(argv[1], O_RDWR | O_CREAT, 0666);
  if (fd < 0 || ftruncate(fd, (off_t)(8 + size)) != 0) fail(argv[1]);
  char *map = mmap(NULL, 8 + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) fail(argv[1]);
  for (int i = 2; i < argc; i++) {
    *(uint64_t *)map += 1;
    FILE *f = fopen(argv[i], "rb");
    if (f == NULL) fail(argv[i]);
    static uint8_t buffer[1 << 20];
    size_t n = fread(buffer, 1, sizeof buffer, f);
    fclose(f);
    uint8_t *copy = malloc(n ? n : 1); // a block of its own size, as fuzzers have it
    memcpy(copy, buffer, n);
    memset(counters, 0, size);
    LLVMFuzzerTestOneInput(copy, n);
    for (size_t k = 0; k < size; k++) map[8 + k] |= counters[k] != 0;
    free(copy);
  }
  return 0;
}
