/* The main function of a harness that has none. Started by parallax it runs batches from shared memory; started by hand it runs the
 * files that it is given, each once, and says what came of them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int run_file(const char *name) {
  FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
  if (!f) {
    perror(name);
    return 2;
  }
  size_t n = 0, room = 1 << 16;
  uint8_t *data = malloc(room);
  for (size_t got; data && (got = fread(data + n, 1, room - n, f)) > 0;)
    if ((n += got) == room) data = realloc(data, room *= 2);
  if (ferror(f)) { /* a folder, for example */
    perror(name);
    return 2;
  }
  if (f != stdin) fclose(f);
  if (!data) {
    fprintf(stderr, "%s: no memory\n", name);
    return 2;
  }
  uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees what is read behind the end */
  memcpy(exact, data, n);
  free(data);
  plx_why[0] = 0;
  int code = LLVMFuzzerTestOneInput(exact, n);
  free(exact);
  fflush(stdout);
  if (plx_why[0]) {
    fprintf(stderr, "%s: rejected: %s\n", name, plx_why);
    return 1;
  }
  if (code == 0) {
    fprintf(stderr, "%s: accepted\n", name);
  } else if (code == -1) {
    fprintf(stderr, "%s: declined\n", name);
  } else {
    fprintf(stderr, "%s: rejected (%d)\n", name, code);
  }
  return code == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (getenv("PARALLAX_NATIVE")) return plx_serve(argc, argv);
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE...\nIt runs each file once. To fuzz: parallax fuzz %s\n", argv[0], argv[0]);
    return 2;
  }
  int worst = 0;
  for (int i = 1; i < argc; i++) {
    int code = run_file(argv[i]);
    if (code > worst) worst = code;
  }
  return worst;
}
