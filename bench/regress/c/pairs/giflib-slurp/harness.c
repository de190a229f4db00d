/* Reads a GIF. Its value is the size and the pixels of each image. */
#include <gif_lib.h>
#include <parallax.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct input {
  const uint8_t *data;
  size_t size;
};

/* In the place of giflib's, since an image of a few bytes may say that it is 65535 x 65535. */
void *openbsd_reallocarray(void *old, size_t count, size_t size) {
  if (count == 0 || size == 0 || count > (4 << 20) / size) return NULL;
  return realloc(old, count * size);
}

static int next(GifFileType *gif, GifByteType *to, int count) {
  struct input *input = gif->UserData;
  size_t n = (size_t)count < input->size ? (size_t)count : input->size;
  memcpy(to, input->data, n);
  input->data += n;
  input->size -= n;
  return (int)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {data, size};
  int error = 0, rejected = 0;
  GifFileType *gif = DGifOpen(&input, next, &error);
  if (gif == NULL) {
    parallax_reject(GifErrorString(error));
    return 1;
  }
  if (DGifSlurp(gif) != GIF_OK) {
    const char *why = GifErrorString(gif->Error);
    parallax_reject(why ? why : "unknown");
    rejected = 2;
  } else {
    for (int i = 0; i < gif->ImageCount; i++) {
      SavedImage *image = &gif->SavedImages[i];
      GifImageDesc *d = &image->ImageDesc;
      int place[4] = {d->Left, d->Top, d->Width, d->Height};
      parallax_output(place, sizeof place);
      parallax_output(image->RasterBits, (size_t)d->Width * d->Height);
    }
  }
  DGifCloseFile(gif, &error);
  return rejected;
}
