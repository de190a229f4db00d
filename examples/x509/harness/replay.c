/* Prints what a harness says about files: replay FILE... */
#include <stdio.h>
#include <stdlib.h>

#include "chain.h"

int main(int argc, char **argv) {
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		uint8_t *data;
		size_t size;
		if (!f) {
			perror(argv[i]);
			return 2;
		}
		fseek(f, 0, SEEK_END);
		size = (size_t)ftell(f);
		rewind(f);
		/* Of its exact size, so that sanitizers see what reads past it. */
		data = malloc(size ? size : 1);
		if (!data || fread(data, 1, size, f) != size) {
			perror(argv[i]);
			return 2;
		}
		fclose(f);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
		printf("%s\t%s\t%s\n", argv[i], verdict[0] ? "rejected" : "accepted", verdict);
	}
	return 0;
}
