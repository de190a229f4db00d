/* Calls a function of this machine's C library as standard input says. Package confirm compiles it, with invoke behind it, which knows the
   function's type.

   Arguments: the function, a library ("" is what is linked here), milliseconds of a processor for a call, and for each of the function's
   arguments "-" or the bytes before, in and behind what it points to.

   It first writes whether the function is there, the C library's name, and where each argument points. A question is its number, a number for
   each argument, which is 0 for null and 1 for another pointer, and the bytes that arguments point to, with those before and behind. Each is answered in a process of its own, so that whatever
   the function does is an answer: how the process ended; if the function returned, its result, the number of an argument around whose bytes it
   wrote, and the bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GUARD = 0xA5, ALIGN = 16, RESULTS = 3 };
enum { RETURNED, SIGNALED, EXITED, LATE };
enum { WALL = 20 }; /* how much longer a call may take than of a processor */

struct hello {
	uint32_t found;
	char library[28];
};

struct ended {
	uint32_t how, code;
};

struct result {
	uint64_t value, around;
};

struct object {
	unsigned char *from, *to; /* what may be accessed */
	unsigned char *whole;     /* with the bytes before and behind it */
	size_t size;              /* of that */
	unsigned char *at;
};

static uint64_t invoke(void *function, const uint64_t *v);

static struct object *objects;
static uint64_t *values;
static int arguments;

static void fail(const char *what) {
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static int put(int fd, const void *data, size_t size) {
	const char *p = data;
	while (size > 0) {
		ssize_t n = write(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return 0;
		p += n, size -= (size_t)n;
	}
	return 1;
}

static int get(int fd, void *data, size_t size) {
	char *p = data;
	while (size > 0) {
		ssize_t n = read(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return 0;
		p += n, size -= (size_t)n;
	}
	return 1;
}

/* make maps an object that ends as near to memory that is not there as its alignment permits, and begins behind such. */
static void make(struct object *o, size_t before, size_t size, size_t behind) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (before + size + behind + 2 * ALIGN + page - 1) / page * page;
	unsigned char *map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map + page, room, PROT_READ | PROT_WRITE))
		fail("memory for an argument");
	o->from = map + page, o->to = o->from + room;
	memset(o->from, GUARD, room);
	o->at = o->to - behind - size;
	o->at -= (uintptr_t)o->at % ALIGN;
	o->whole = o->at - before, o->size = before + size + behind;
}

/* around is the number of the first argument in whose neighborhood something was written, or 0. */
static uint64_t around(void) {
	for (int i = 0; i < arguments; i++) {
		const struct object *o = &objects[i];
		for (const unsigned char *p = o->from; o->at && p < o->to; p++) {
			if (p == o->whole)
				p += o->size;
			if (p < o->to && *p != GUARD)
				return (uint64_t)i + 1;
		}
	}
	return 0;
}

static void limit(int resource, rlim_t most) {
	struct rlimit r = {most, most};
	setrlimit(resource, &r);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* confine leaves of the kernel what memory and the results take. Where the kernel has no filters nothing is lost: only functions that ask it for
   nothing are called. */
static void confine(void) {
#ifdef ARCHITECTURE
#define FIELD(f) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, f))
#define UNLESS(k, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, skip)
#define ALLOW(n) UNLESS(n, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter rules[] = {
		FIELD(arch), UNLESS(ARCHITECTURE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		FIELD(nr),
		ALLOW(__NR_exit), ALLOW(__NR_exit_group), ALLOW(__NR_brk), ALLOW(__NR_mmap), ALLOW(__NR_munmap), ALLOW(__NR_mremap), ALLOW(__NR_mprotect),
		ALLOW(__NR_madvise), ALLOW(__NR_futex), ALLOW(__NR_rt_sigreturn), ALLOW(__NR_getrandom), ALLOW(__NR_clock_gettime),
		UNLESS(__NR_write, 3), FIELD(args[0]), UNLESS(RESULTS, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#endif
}

static void answer(void *function, int results, pid_t parent, long milliseconds) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	struct itimerval t = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
	setitimer(ITIMER_PROF, &t, NULL); /* it ends the process */
	if (dup2(results, RESULTS) < 0)
		_exit(1);
	close(0), close(1), close(2);
	if (results != RESULTS)
		close(results);
	for (int fd = RESULTS + 1; fd < 32; fd++)
		close(fd);
	confine();
	struct result r = {.value = invoke(function, values)};
	r.around = around();
	put(RESULTS, &r, sizeof r);
	for (int i = 0; i < arguments; i++)
		put(RESULTS, objects[i].whole, objects[i].size);
	_exit(0);
}

static long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* await reads results until they are whole, end, or are late. A function that takes no processor and does not return is late too. */
static struct ended await(pid_t child, int results, unsigned char *data, size_t size, long milliseconds) {
	struct ended e = {RETURNED, 0};
	size_t got = 0;
	long until = now() + WALL * milliseconds;
	while (got < size) {
		struct pollfd p = {results, POLLIN, 0};
		long rest = until - now();
		int ready = poll(&p, 1, rest > 0 ? (int)rest : 0);
		if (ready == 0) {
			e.how = LATE;
			break;
		}
		ssize_t n = ready < 0 ? -1 : read(results, data + got, size - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	if (e.how == LATE)
		kill(child, SIGKILL);
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (e.how == LATE || got == size)
		return e;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		e.how = LATE;
	else if (WIFSIGNALED(status))
		e.how = SIGNALED, e.code = (uint32_t)WTERMSIG(status);
	else
		e.how = EXITED, e.code = (uint32_t)WEXITSTATUS(status);
	return e;
}

int main(int argc, char **argv) {
	if (argc < 4)
		return 1;
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_AS, 1 << 30);
	signal(SIGPIPE, SIG_IGN);
	long milliseconds = atol(argv[3]);
	arguments = argc - 4;
	objects = calloc((size_t)arguments + 1, sizeof *objects);
	values = calloc((size_t)arguments + 1, sizeof *values);
	if (!objects || !values)
		fail("memory");
	size_t size = sizeof(struct result);
	for (int i = 0; i < arguments; i++) {
		size_t before, bytes, behind;
		if (sscanf(argv[4 + i], "%zu,%zu,%zu", &before, &bytes, &behind) == 3) {
			make(&objects[i], before, bytes, behind);
			size += objects[i].size;
		}
	}
	unsigned char *data = malloc(size);
	if (!data)
		fail("memory");

	void *library = dlopen(*argv[2] ? argv[2] : NULL, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	void *function = dlsym(library, argv[1]);
	struct hello h = {.found = function != NULL};
	const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	snprintf(h.library, sizeof h.library, "%s%s", version ? "glibc " : "this machine's C library", version ? version() : "");
	put(1, &h, sizeof h);
	for (int i = 0; i < arguments; i++) {
		uint64_t at = (uintptr_t)objects[i].at;
		put(1, &at, sizeof at);
	}
	if (!function)
		return 0;

	uint64_t question;
	while (get(0, &question, sizeof question) && get(0, values, (size_t)arguments * sizeof *values)) {
		for (int i = 0; i < arguments; i++) {
			if (!get(0, objects[i].whole, objects[i].size))
				return 0;
			if (objects[i].at && values[i])
				values[i] = (uintptr_t)objects[i].at;
		}
		int results[2];
		pid_t parent = getpid();
		if (pipe(results))
			fail("a pipe");
		pid_t child = fork();
		if (child < 0)
			fail("a process");
		if (child == 0)
			answer(function, results[1], parent, milliseconds);
		close(results[1]);
		struct ended e = await(child, results[0], data, size, milliseconds);
		close(results[0]);
		if (!put(1, &question, sizeof question) || !put(1, &e, sizeof e) || (e.how == RETURNED && !put(1, data, size)))
			return 0;
	}
	return 0;
}
