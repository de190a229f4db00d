/* What the counters of a shared library announce themselves to: the program, if parallax linked it, and otherwise nobody, so that every
 * other program can load the library too. The program's functions are looked up by name: a library whose symbols are
 * hidden by a version script would not find them otherwise. */
__attribute__((weak)) void *dlsym(void *where, const char *name);

static void *counters;

static void announce_to(const char *name, void *a, void *b, void *self) {
  void (*announce)(void *, void *) = dlsym ? (void (*)(void *, void *))dlsym(0, name) : 0;
  if (announce && (void *)announce != self) announce(a, b);
}

#define ANNOUNCE(function)                                                       \
  __attribute__((visibility("hidden"))) void function(void *start, void *stop) { \
    announce_to(#function, start, stop, (void *)function);                       \
  }

ANNOUNCE(__sanitizer_cov_pcs_init)
ANNOUNCE(__sanitizer_cov_cfs_init)

__attribute__((visibility("hidden"))) void __sanitizer_cov_8bit_counters_init(void *start, void *stop) {
  counters = start;
  announce_to("__sanitizer_cov_8bit_counters_init", start, stop, (void *)__sanitizer_cov_8bit_counters_init);
}

/* The library's own count of blocks executed, see runtime/counters.c. */
__attribute__((visibility("hidden"))) unsigned long plx_path[8];
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) { plx_path[0]++; }

__attribute__((constructor)) static void announce_path(void) { announce_to("plx_path_init", plx_path, 0, 0); }
__attribute__((destructor)) static void announce_end(void) { announce_to("plx_gone", counters, plx_path, 0); }
