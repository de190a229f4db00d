#!/bin/bash
# Writes the seeds of xz/parallax.toml with xz 5.4.1, which decides what their bytes are:
#
#     xz/mkseeds.sh seeds/xz
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: mkseeds.sh FOLDER" >&2; exit 2; }
cd "$1"

words() { printf 'the quick brown fox jumps over the lazy dog, '; }
lines() { for i in 1 2 3 4 5 6; do echo "line $i: $(words)"; done; }
# The smallest dictionary: a larger one takes time to allocate, in each run.
small() { xz --format=xz --threads=1 --lzma2=preset=6e,dict=4KiB"${OPTIONS:-}" "$@"; }

words | small --check=none >none.xz
words | small --check=crc32 >crc32.xz
words | small --check=crc64 >crc64.xz
words | small --check=sha256 >sha256.xz
lines | small --check=crc32 >lines.xz
printf '' | small --check=crc64 >empty.xz
lines | small --check=crc32 --block-size=90 >blocks.xz
# With threads a block's header has the sizes of the block.
lines | small --check=none --threads=2 --block-size=150 >sizes.xz
lines | OPTIONS=,lc=0,lp=2,pb=0 small --check=none >properties.xz
# Bytes that do not get smaller are stored as they are.
seq 1 400 | sha256sum | xxd -r -p | small --check=none >stored.xz
head -c 3000 /dev/zero | small --check=crc32 >zeros.xz
# Several streams, and zeros between them.
{ cat crc32.xz && printf '\0\0\0\0' && cat none.xz; } >streams.xz
