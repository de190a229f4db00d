/* What the counters of a shared library announce themselves to: the program, if parallax linked it, and otherwise nobody, so that every
 * other program can load the library too. The program's functions are looked up by name: a library whose symbols are
 * hidden by a version script would not find them otherwise. */
__attribute__((weak)) void *dlsym(void *where, const char *name);

#define ANNOUNCE(function)                                                                  \
  __attribute__((visibility("hidden"))) void function(void *start, void *stop) {            \
    void (*announce)(void *, void *) = dlsym ? (void (*)(void *, void *))dlsym(0, #function) : 0; \
    if (announce && announce != function) announce(start, stop);                            \
  }

ANNOUNCE(__sanitizer_cov_8bit_counters_init)
ANNOUNCE(__sanitizer_cov_pcs_init)
ANNOUNCE(__sanitizer_cov_cfs_init)

/* The library's own count of blocks executed, see runtime/counters.c. */
__attribute__((visibility("hidden"))) unsigned long plx_path[8];
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) { plx_path[0]++; }

__attribute__((constructor)) static void announce_path(void) {
  void (*announce)(unsigned long *) = dlsym ? (void (*)(unsigned long *))dlsym(0, "plx_path_init") : 0;
  if (announce) announce(plx_path);
}
