/* liblzma: lzma_stream_decoder, for all streams of the file. The same question as in package xz. */
#include <lzma.h>
#include <parallax.h>
#include <stddef.h>
#include <stdint.h>

/* Who delivers as much has accepted the file. */
#define MAX_OUTPUT (1 << 20)
/* The largest dictionary that a file may ask for. */
#define MAX_DICT (1 << 20)

static uint8_t output[MAX_OUTPUT];

/* The size of the largest dictionary that the properties of an LZMA2 filter in the file can mean. liblzma has a limit of its own, which
 * is for all of its memory; ulikunitz/xz has none, so both look for the same bytes. */
static uint64_t dict(const uint8_t *file, size_t size) {
	uint64_t largest = 0;
	for (size_t i = 0; i + 2 < size; i++) {
		uint64_t n = file[i + 2] & 63, d;
		if (file[i] != 0x21 || file[i + 1] != 1 || n > 40) {
			continue;
		}
		d = (2 | (n & 1)) << (n / 2 + 11);
		if (d > largest) {
			largest = d;
		}
	}
	return largest;
}

static const char *why(lzma_ret ret) {
	switch (ret) {
	case LZMA_MEM_ERROR:
		return "no memory";
	case LZMA_MEMLIMIT_ERROR:
		return "memory limit";
	case LZMA_FORMAT_ERROR:
		return "format not recognised";
	case LZMA_OPTIONS_ERROR:
		return "unsupported options";
	case LZMA_DATA_ERROR:
		return "data are corrupt";
	case LZMA_BUF_ERROR:
		return "unexpected end of input";
	default:
		return "another error";
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret ret;
	if (dict(data, size) > MAX_DICT) {
		parallax_reject("a larger dictionary than this harness allows");
		return 1;
	}
	ret = lzma_stream_decoder(&stream, 8 * MAX_DICT, LZMA_CONCATENATED);
	stream.next_in = data;
	stream.avail_in = size;
	stream.next_out = output;
	stream.avail_out = MAX_OUTPUT;
	while (ret == LZMA_OK && stream.avail_out > 0) {
		ret = lzma_code(&stream, LZMA_FINISH);
	}
	lzma_end(&stream);
	if (ret != LZMA_STREAM_END && stream.avail_out > 0) {
		parallax_reject(why(ret));
		return 1;
	}
	parallax_output(output, MAX_OUTPUT - stream.avail_out);
	return 0;
}
