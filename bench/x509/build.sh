#!/bin/bash
# Builds what parallax is compared with on X.509: mbedTLS and its harness for libFuzzer, for AFL++ and for Mucerts.
#
#     ./build.sh --out DIR [--jobs N] [HARNESS...]
#
# HARNESS is libfuzzer, cover (for Mucerts) or afl; without any, all of them. DIR/mbedtls.HARNESS are the harnesses. Version, flags and what is
# not counted are those of examples/x509/build.sh.
# What is there is not built again. Environment: CLANG, AFL.
set -euo pipefail

: "${CLANG:=clang-19}"
: "${AFL:=afl-clang-fast}"
here=$(cd "$(dirname "$0")" && pwd)
example=$here/../../examples/x509
out=
jobs=$(nproc)
wanted=()

fail() { echo "build.sh: $1" >&2; exit "${2:-2}"; }

while [ $# -gt 0 ]; do
	case $1 in
	--out) [ $# -gt 1 ] || fail "--out needs a folder"; out=$2; shift ;;
	--jobs) [ $# -gt 1 ] || fail "--jobs needs a number"; jobs=$2; shift ;;
	-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
	libfuzzer | cover | afl) wanted+=("$1") ;;
	*) fail "there is no $1: ./build.sh --out DIR [--jobs N] [libfuzzer] [cover] [afl]" ;;
	esac
	shift
done
[ "$out" ] || fail "--out DIR is needed"
command -v "$CLANG" >/dev/null || fail "there is no $CLANG: apt-get install clang-19"
[ ${#wanted[@]} -gt 0 ] || wanted=(libfuzzer cover afl)
[[ " ${wanted[*]} " != *" afl "* ]] || command -v "$AFL" >/dev/null || fail "there is no $AFL: apt-get install afl++"
mkdir -p "$out"
out=$(cd "$out" && pwd)

. "$example/debian.sh"

# What examples/x509/build.sh builds, so that both are the same.
version=$(sed -n 's/^: "${MBEDTLS:=\(.*\)}"$/\1/p' "$example/build.sh")
[ "$version" ] || fail "examples/x509/build.sh names no version of mbedTLS" 4
flags="-O1 -gline-tables-only"
uncounted=$example/harness/uncounted.txt

# library COMPILER FLAGS: mbedTLS in $out/work.
library() {
	rm -rf "$out/work"
	cp -a "$out/src/mbedtls" "$out/work"
	make -C "$out/work/library" -j"$jobs" CC="$1" CFLAGS="$2" static
}

# harness COMPILER FLAGS NAME
harness() {
	"$1" $2 "-I$example/harness" "-I$out/work/include" "$example/harness/mbedtls.c" \
		"$out/work/library/libmbedx509.a" "$out/work/library/libmbedcrypto.a" -o "$out/$3"
}

ignored="$flags -fsanitize-coverage-ignorelist=$uncounted"

build_libfuzzer() {
	library "$CLANG" "$ignored -fsanitize=fuzzer-no-link"
	harness "$CLANG" "$ignored -fsanitize=fuzzer" mbedtls.libfuzzer
}

# The same, with flags of blocks, which cover.c reads.
build_cover() {
	local counted=-fsanitize-coverage=inline-bool-flag
	library "$CLANG" "$ignored $counted"
	"$CLANG" $flags -c "$here/harness/cover.c" -o "$out/cover.o"
	harness "$CLANG" "$ignored $counted $out/cover.o" mbedtls.cover
}

# AFL++ has a list of its own for what is not instrumented.
build_afl() {
	export AFL_LLVM_DENYLIST=$out/denied.txt
	sed '/^#/d;/^$/d' "$uncounted" >"$AFL_LLVM_DENYLIST"
	library "$AFL" "$flags"
	harness "$AFL" "$flags -fsanitize=fuzzer" mbedtls.afl
}

stamp="$version $("$CLANG" --version | head -1) $AFL $flags $(cat "$example"/harness/{uncounted.txt,mbedtls.c,chain.h,roots.h} "$here/harness/cover.c" | sha256sum)"
for name in "${wanted[@]}"; do
	[ "$(cat "$out/$name.built" 2>/dev/null)" != "$stamp" ] || continue
	fetch mbedtls "$version"
	echo "building $version for $name" >&2
	status=0
	set +e
	(set -e; "build_$name") >"$out/$name.log" 2>&1
	status=$?
	set -e
	[ $status -eq 0 ] || fail "mbedtls does not build: the last lines of $out/$name.log are
$(tail -5 "$out/$name.log")" 3
	echo "$stamp" >"$out/$name.built"
done
