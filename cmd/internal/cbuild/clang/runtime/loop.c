/* Runs inputs for parallax: the batches, and what is told when the process ends in the middle of one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <unwind.h>

#include "internal.h"

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const u8 *a, size_t an, const u8 *b, size_t bn, u8 *out, size_t max, unsigned seed);
__attribute__((weak)) void __sanitizer_set_death_callback(void (*)(void));
__attribute__((weak)) void __sanitizer_set_report_fd(void *);
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);
__attribute__((weak)) void __lsan_enable(void);
__attribute__((weak)) void __lsan_disable(void);

__attribute__((weak)) void plx_seed(uint64_t seed);

static struct plx_slot *slots;
static u64 out_used;
static volatile u8 *alive; /* 1, and 0 in a process that was forked off */
static u8 *input_end;      /* inputs end here, before a page that cannot be read */
static size_t input_room;
static u64 in_off, in_size; /* where inputs are in the memory */
static int sanitized;

/* Not every process with this memory is the one that is watched. */
static int watched(void) { return plx_memory && *alive; }

static void wake(u32 *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0); }

static void await(u32 *word, u32 value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value) syscall(SYS_futex, word, FUTEX_WAIT, value, 0, 0, 0);
}

/* ---- the end in the middle of an input ---- */

static _Unwind_Reason_Code frame(struct _Unwind_Context *c, void *arg) {
  (void)arg;
  int before = 0;
  u64 pc = _Unwind_GetIPInfo(c, &before);
  struct plx_header *h = plx_memory;
  if (!pc || h->frames >= PLX_FRAMES) return _URC_END_OF_STACK;
  h->frame[h->frames] = pc - (before ? 0 : 1); /* the call, not what follows it */
  h->frames++;
  return _URC_NO_REASON;
}

static void last_words(u32 outcome) {
  struct plx_header *h = plx_memory;
  if (h->phase != PLX_RUNNING || plx_now->outcome != PLX_NONE) return;
  plx_now->outcome = outcome;
  plx_digest(plx_now);
}

static void on_signal(int sig, siginfo_t *info, void *context) {
  (void)context;
  signal(sig, SIG_DFL);
  if (watched()) {
    struct plx_header *h = plx_memory;
    h->signal = (u32)sig;
    h->fault = (u64)(uintptr_t)info->si_addr;
    last_words(sig == SIGXCPU ? PLX_HUNG : PLX_CRASHED);
    h->frames = 0;
    _Unwind_Backtrace(frame, NULL); /* last: a stack that is spoiled may end the process here */
  }
  if (sig == SIGXCPU) _exit(1);
  raise(sig);
}

/* A tick of processor time. An input that is under way for four of them has had its time. */
static u32 ticking_request, ticking_input, ticks;

static void on_tick(int sig, siginfo_t *info, void *context) {
  if (!watched()) return;
  struct plx_header *h = plx_memory;
  if (h->phase != PLX_RUNNING || h->request != ticking_request || h->current != ticking_input) {
    ticking_request = h->request, ticking_input = h->current, ticks = 0;
    return;
  }
  if (++ticks >= 4) on_signal(SIGXCPU, info, context);
  (void)sig;
}

static void on_death(void) { /* of a sanitizer, after its report */
  if (watched()) last_words(PLX_CRASHED);
}

static void on_exit_call(void) {
  if (!watched() || plx_memory->phase != PLX_RUNNING) return; /* between inputs: what an earlier one left behind */
  plx_memory->frames = 0;
  _Unwind_Backtrace(frame, NULL);
  last_words(PLX_CRASHED);
  plx_memory->phase = PLX_EXITED;
}

static void on_thread_end(void *arg) { /* pthread_exit: the process would stay, and do nothing */
  (void)arg;
  if (!watched()) return;
  static const char why[] = "parallax: the input has ended the main thread\n";
  plx_memory->frames = 0;
  ssize_t wrote = write(2, why, sizeof why - 1);
  (void)wrote;
  last_words(PLX_CRASHED);
  plx_memory->phase = PLX_EXITED;
  _exit(1);
}

static void handle(int sig, void (*f)(int, siginfo_t *, void *), int flags) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = f;
  a.sa_flags = SA_SIGINFO | flags;
  sigaction(sig, &a, NULL);
}

static void handlers(void) {
  stack_t s;
  memset(&s, 0, sizeof s);
  s.ss_size = 256 << 10;
  s.ss_sp = mmap(NULL, s.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (s.ss_sp != MAP_FAILED) sigaltstack(&s, NULL);
  static const int always[] = {SIGABRT, SIGXCPU, SIGILL, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++) handle(always[i], on_signal, SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
  for (size_t i = 0; !sanitized && i < sizeof faults / sizeof *faults; i++) { /* sanitizers say more about these */
    struct sigaction a; /* runtimes such as Go's make something else of faults than a crash */
    if (!sigaction(faults[i], NULL, &a) && a.sa_handler == SIG_DFL) handle(faults[i], on_signal, SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
  }
  handle(SIGPROF, on_tick, SA_ONSTACK | SA_RESTART);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(on_death);
  atexit(on_exit_call);
}

/* ---- leaks ---- */

/* As libFuzzer does it: an input that allocates more often than it frees is run again, since the first time a library may allocate what
 * it keeps; only if it does so again is looked for what nobody points at any more, and not for ever where nothing is found. A look stops
 * all threads and reads all memory, so that a batch has one, at its end. If it finds something, the driver has the inputs that may have
 * leaked run again, in ever smaller parts, each in another process. */
enum { MOST_FRUITLESS = 1000 };

static u64 mallocs, frees;
static u32 fruitless;
static void on_malloc(const volatile void *p, size_t n) { (void)p, (void)n, mallocs++; }
static void on_free(const volatile void *p) { if (p) frees++; }

/* ---- what a harness tells ---- */

char plx_why[4096]; /* of a program that runs by hand */

void plx_output(const void *data, size_t size) {
  if (!plx_memory) fwrite(data, 1, size, stdout);
  if (!watched() || !plx_now || plx_now->why_len) return;
  struct plx_header *h = plx_memory;
  size_t room = h->out_size - out_used - plx_now->out_len;
  size_t n = size < room ? size : room;
  if (data || !n) memcpy((char *)h + h->out_off + out_used + plx_now->out_len, data, n);
  plx_now->out_len += (u32)n;
  plx_now->lost += (u32)(size - n);
}

void plx_reject(const char *why) {
  if (!why || !*why) why = "rejected";
  if (!plx_memory && !plx_why[0]) snprintf(plx_why, sizeof plx_why, "%s", why);
  if (!watched() || !plx_now || plx_now->why_len) return;
  struct plx_header *h = plx_memory;
  size_t at = out_used + plx_now->out_len, room = h->out_size - at, n = strnlen(why, 4096);
  while (n > 1 && (why[n - 1] == '\n' || why[n - 1] == '\r' || why[n - 1] == ' ')) n--;
  if (n > room) n = room;
  memcpy((char *)h + h->out_off + at, why, n);
  plx_now->why_len = (u32)n;
}

/* ---- inputs ---- */

/* keeps runs the input under way again and tells whether it keeps memory this time too. */
static int keeps(const u8 *data, struct plx_slot *s) {
  if (!__lsan_do_recoverable_leak_check || fruitless >= MOST_FRUITLESS) return 0;
  u64 m = mallocs, f = frees;
  u32 out = s->out_len, why = s->why_len, lost = s->lost;
  s->why_len = 1; /* nothing more is taken down */
  LLVMFuzzerTestOneInput(data, s->in_len);
  s->out_len = out, s->why_len = why, s->lost = lost;
  return mallocs - m > frees - f;
}

/* leaks looks for memory that nobody points at. */
static int leaks(void) {
  plx_memory->looks++;
  if (__lsan_do_recoverable_leak_check()) return 1;
  fruitless++;
  return 0;
}

/* input is where one lies. Where an earlier input of the batch has written over that, none can be run any more. */
static const u8 *input(const struct plx_slot *s) {
  u64 off = s->in_off, len = s->in_len;
  if (off > in_size || len > in_size - off) _exit(1);
  return (u8 *)plx_memory + in_off + off;
}

static void run(u32 i) {
  struct plx_header *h = plx_memory;
  struct plx_slot *s = plx_now = &slots[i];
  const u8 *in = input(s);
  s->outcome = PLX_NONE;
  s->out_off = out_used, s->out_len = s->why_len = s->lost = 0;
  s->words = 0;
  u8 *data = sanitized ? malloc(s->in_len ? s->in_len : 1) : input_end - s->in_len;
  memcpy(data, in, s->in_len);
  u64 m = mallocs, f = frees;
  if (h->flags & PLX_WANT_OPERANDS) plx_operands(1);
  __atomic_store_n(&h->phase, PLX_RUNNING, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  int code = LLVMFuzzerTestOneInput(data, s->in_len);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (!*alive) _exit(0); /* a child of the harness that came back */
  plx_operands(0);
  if (h->flags & PLX_WANT_LEAKS && mallocs - m > frees - f && keeps(data, s)) {
    if (h->count > 1) {
      h->suspect[i] = 1;
    } else if (leaks()) {
      last_words(PLX_LEAKED);
      _exit(1);
    }
  }
  __atomic_store_n(&h->phase, PLX_READY, __ATOMIC_RELAXED);
  if (sanitized) free(data);
  s->code = code;
  plx_digest(s);
  s->outcome = s->why_len ? PLX_REJECTED : code == 0 ? PLX_ACCEPTED : code == -1 ? PLX_DECLINED : PLX_REJECTED;
  out_used += s->out_len + s->why_len;
}

static void change(u32 i, u32 count, int cross) {
  struct plx_header *h = plx_memory;
  struct plx_slot *s = plx_now = &slots[i];
  const u8 *in = input(s);
  unsigned seed = (unsigned)((h->seed + i) * 0x9e3779b97f4a7c15ull >> 32);
  u8 *out = (u8 *)h + h->out_off + out_used;
  s->out_off = out_used, s->out_len = s->why_len = s->lost = 0;
  s->outcome = PLX_NONE;
  if (plx_seed) plx_seed(h->seed + i);
  u64 room = h->out_size - out_used;
  if (room < s->in_max || s->in_max < s->in_len) return;
  __atomic_store_n(&h->phase, PLX_RUNNING, __ATOMIC_RELAXED);
  size_t n;
  if (cross) { /* pairs: this one with the next */
    struct plx_slot *o = &slots[i + 1 < count ? i + 1 : 0];
    n = LLVMFuzzerCustomCrossOver(in, s->in_len, input(o), o->in_len, out, s->in_max, seed);
  } else {
    memcpy(out, in, s->in_len);
    n = LLVMFuzzerCustomMutator(out, s->in_len, s->in_max, seed);
  }
  __atomic_store_n(&h->phase, PLX_READY, __ATOMIC_RELAXED);
  s->out_len = (u32)(n < s->in_max ? n : s->in_max);
  s->outcome = PLX_ACCEPTED;
  out_used += s->out_len;
}

static void batch(void) {
  struct plx_header *h = plx_memory;
  out_used = 0;
  h->leaked = 0;
  memset(h->suspect, 0, sizeof h->suspect);
  plx_begin_hits();
  u32 count = h->count < PLX_SLOTS ? h->count : PLX_SLOTS, kind = h->kind; /* inputs may write over the memory */
  for (u32 i = 0; i < count; i++) {
    __atomic_store_n(&h->current, i, __ATOMIC_RELAXED);
    if (kind == PLX_RUN) {
      run(i);
    } else {
      change(i, count, kind == PLX_CROSS);
    }
  }
  if (kind != PLX_RUN) plx_clear(); /* mutators may be instrumented */
  h->current = count;
  if (memchr(h->suspect, 1, count)) h->leaked = (u32)leaks();
}

/* attach maps what the driver handed over as standard input, and puts nothing in its place. */
static int attach(void) {
  struct stat st;
  if (fstat(0, &st) || (size_t)st.st_size < PLX_HEADER) return 0;
  void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
  if (p == MAP_FAILED) return 0;
  int null = open("/dev/null", O_RDONLY);
  if (null > 0) {
    dup2(null, 0);
    close(null);
  }
  struct plx_header *h = p;
  if (h->magic != PLX_MAGIC || h->version != PLX_VERSION) {
    fprintf(stderr, "parallax: this program was built by another version of parallax cc: build it again\n");
    _exit(120);
  }
  /* Programs run arbitrary code, which may write anywhere: not here by accident, a page away from everything. */
  plx_memory = h;
  slots = (struct plx_slot *)((char *)p + PLX_HEADER);
  plx_now = &slots[0];
  long page = sysconf(_SC_PAGESIZE);
  alive = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alive == MAP_FAILED) return 0;
  *alive = 1;
  madvise((void *)alive, (size_t)page, MADV_WIPEONFORK);
  in_off = h->in_off, in_size = h->in_size;
  input_room = (in_size + (size_t)page - 1) & ~((size_t)page - 1);
  u8 *in = mmap(NULL, input_room + (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (in == MAP_FAILED) return 0;
  mprotect(in + input_room, (size_t)page, PROT_NONE);
  input_end = in + input_room;
  return 1;
}

/* Where what lies, so that addresses of frames and tables can be told apart. */
static void tell_maps(void) {
  struct plx_header *h = plx_memory;
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char *at = (char *)h + PLX_MAPS;
  h->maps_len = 0;
  for (ssize_t n; h->maps_len < PLX_MAPS_SIZE && (n = read(fd, at + h->maps_len, PLX_MAPS_SIZE - h->maps_len)) > 0;) h->maps_len += (u64)n;
  close(fd);
}

int plx_serve(int argc, char **argv) {
  if (!attach()) {
    fprintf(stderr, "parallax: no shared memory\n");
    return 121;
  }
  unsetenv("PARALLAX_NATIVE");
  struct plx_header *h = plx_memory;
  sanitized = __sanitizer_set_death_callback != NULL;
  if (sanitized) h->can |= PLX_SANITIZED;
  if (__lsan_do_recoverable_leak_check) h->can |= PLX_CAN_LEAKS;
  if (LLVMFuzzerCustomMutator) h->can |= PLX_CAN_MUTATE;
  if (LLVMFuzzerCustomCrossOver) h->can |= PLX_CAN_CROSS;
#ifdef PLX_GUARDS
  h->can |= PLX_CAN_ORDER | PLX_CAN_OPERANDS;
#endif
  if (__sanitizer_set_report_fd) { /* reports are told even if the harness closes its standard error */
    int fd = fcntl(2, F_DUPFD_CLOEXEC, 100);
    if (fd >= 0) __sanitizer_set_report_fd((void *)(intptr_t)fd);
  }
  if (h->flags & PLX_WANT_LEAKS && __sanitizer_install_malloc_and_free_hooks) __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  handlers();
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  plx_freeze();
  plx_clear();
  tell_maps();
  if (h->tick) {
    struct itimerval t;
    t.it_interval.tv_sec = (time_t)(h->tick / 4 / 1000000000u);
    t.it_interval.tv_usec = (suseconds_t)(h->tick / 4 / 1000 % 1000000);
    t.it_value = t.it_interval;
    setitimer(ITIMER_PROF, &t, NULL);
  }
  u32 done = h->request;
  __atomic_store_n(&h->phase, PLX_READY, __ATOMIC_RELAXED);
  __atomic_store_n(&h->response, done + 1, __ATOMIC_RELEASE); /* the greeting: the driver's first request is done + 2 */
  wake(&h->response);
  done++;
  pthread_cleanup_push(on_thread_end, NULL);
  for (;;) {
    while (1) {
      u32 now = __atomic_load_n(&h->request, __ATOMIC_ACQUIRE);
      if ((int32_t)(now - done) > 0) {
        done = now;
        break;
      }
      await(&h->request, now);
    }
    batch();
    __atomic_store_n(&h->response, done, __ATOMIC_RELEASE);
    wake(&h->response);
  }
  pthread_cleanup_pop(0);
  return 0;
}
