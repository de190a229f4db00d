// Calls functions as standard input says, and writes what they give and leave behind: the other side is native_test.go.
#include <stdint.h>
#include <unistd.h>

typedef struct { uint64_t a, b; } pair; // in the registers in which numbers, pointers and small structs are returned
typedef pair (*function)(uint64_t, uint64_t, uint64_t, uint64_t);

#define FUNCTION(name) extern void call_##name(void) __asm__(#name); // headers may know the name
#include "functions.h"
#undef FUNCTION
#define FUNCTION(name) (function)call_##name,
static function functions[] = {
#include "functions.h"
};

static int error;
int *___errno_location(void) { return &error; }
int uflow(void *f) __asm__("__uflow");
int uflow(void *f) { (void)f; return -1; }

// Not by stdio, whose functions may be among those that are tested.
static char in[4096], out[4096];
static long in_at, in_end, out_end;

static void flush(void) {
	for (long at = 0, n; at < out_end; at += n)
		if ((n = write(1, out + at, out_end - at)) <= 0) _exit(1);
	out_end = 0;
}

static void get(void *to, unsigned long n) {
	for (unsigned long i = 0; i < n; i++) {
		if (in_at == in_end) {
			in_at = 0;
			flush(); // the other side may wait before it sends more
			if ((in_end = read(0, in, sizeof in)) <= 0) _exit(0);
		}
		((volatile char *)to)[i] = in[in_at++];
	}
}

static void put(const void *from, unsigned long n) {
	for (unsigned long i = 0; i < n; i++) {
		if (out_end == sizeof out) flush();
		out[out_end++] = ((volatile const char *)from)[i];
	}
}

// Buffers stand 16 bytes apart, each behind a multiple of 16 by what the request says.
static _Alignas(16) unsigned char space[8][512];

int main(void) {
	for (;;) {
		unsigned char head[2];
		get(head, 2);
		uint64_t args[4] = {0};
		unsigned char *buffers[4];
		unsigned sizes[4], count = 0;
		for (int i = 0; i < head[1]; i++) {
			unsigned char kind[4];
			get(kind, 4);
			if (kind[0] == 'b') { // a buffer: size, alignment
				buffers[count] = space[count] + kind[2];
				sizes[count] = kind[1];
				get(buffers[count], sizes[count]);
				args[i] = (uint64_t)buffers[count++];
			} else if (kind[0] == 'o') { // a pointer into a buffer: which, offset
				args[i] = (uint64_t)buffers[kind[1]] + kind[2];
			} else {
				get(&args[i], 8);
			}
			if (kind[0] == 'b' && kind[3]) // it holds a pointer to the beginning of a buffer
				*(uint64_t *)buffers[count - 1] = (uint64_t)buffers[kind[3] - 1];
		}
		error = 0;
		pair got = functions[head[0]](args[0], args[1], args[2], args[3]);
		put(&got, 16);
		put(&error, 4);
		for (unsigned i = 0; i < count; i++) {
			uint64_t at = (uint64_t)buffers[i];
			put(&at, 8);
			put(buffers[i], sizes[i]);
		}
	}
}
