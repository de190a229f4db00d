#!/bin/bash
# Builds the C programs of elf/parallax.toml and xz/parallax.toml: libelf and liblzma from Debian's source packages at the versions below,
# and the harness of each.
#
#     ./build.sh --out DIR [--jobs N] [elf|xz...]
#
# Without names, both. DIR/bin/NAME is the program, and the link build beside this script leads to DIR. What is there is not built again,
# and what was fetched is not fetched again. Environment: PARALLAX, the tool.
set -euo pipefail

# The versions of Debian 12. Others can be had by setting the variable, where Debian still serves them.
: "${ELF:=elfutils=0.188-2.1}"
: "${XZ:=xz-utils=5.4.1-1+deb12u2}"
: "${PARALLAX:=parallax}"

# elfutils asks for -Werror, and clang has warnings that gcc has not.
flags="-O1 -gline-tables-only -Wno-error"

all=(elf xz)
here=$(cd "$(dirname "$0")" && pwd)
out=
jobs=$(nproc)
names=()

fail() { echo "build.sh: $1" >&2; exit "${2:-2}"; }

while [ $# -gt 0 ]; do
	case $1 in
	--out) [ $# -gt 1 ] || fail "--out needs a folder"; out=$2; shift ;;
	--jobs) [ $# -gt 1 ] || fail "--jobs needs a number"; jobs=$2; shift ;;
	-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
	*)
		case " ${all[*]} " in
		*" $1 "*) names+=("$1") ;;
		*) fail "there is no $1: ./build.sh --out DIR [--jobs N] [${all[*]}]" ;;
		esac ;;
	esac
	shift
done
[ "$out" ] || fail "--out DIR is needed"
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")

# needs notes what is missing: pairs of a command or header and Debian's package for it.
missing=()
needs() {
	local pair what
	for pair; do
		what=${pair%%:*}
		case $what in
		*.h) [ -e "/usr/include/$what" ] ;;
		*) command -v "$what" >/dev/null ;;
		esac || missing+=("${pair#*:}")
	done
}

# Each program NAME has needs_NAME, library_NAME, which runs in a copy of the library's source, and link_NAME, what the harness is linked
# with. What configure tries out needs no more than one build of each program, which is what PARALLAX_BUILDS=fast says.

# Of elfutils only libelf, and lib, which it is linked with. zlib is the machine's.
needs_elf() { needs m4:m4 zlib.h:zlib1g-dev; }
library_elf() {
	PARALLAX_BUILDS=fast ./configure CC="$PARALLAX cc" CXX="$PARALLAX c++" CFLAGS="$flags" --disable-nls --disable-libdebuginfod \
		--disable-debuginfod --disable-symbol-versioning --without-bzlib --without-lzma --without-zstd
	make -C lib -j"$jobs" libeu.a
	make -C libelf -j"$jobs" libelf.a
}
link_elf() { echo "-I$1/libelf $1/libelf/libelf.a $1/lib/libeu.a -lz"; }

# All decoders, no encoder and no thread.
needs_xz() { :; }
library_xz() {
	PARALLAX_BUILDS=fast ./configure CC="$PARALLAX cc" CFLAGS="$flags" --disable-shared --enable-static --disable-encoders --disable-threads \
		--disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc --disable-nls
	make -C src/liblzma -j"$jobs" liblzma.la
}
link_xz() { echo "-I$1/src/liblzma/api $1/src/liblzma/.libs/liblzma.a"; }

# library NAME: the library, in a copy of its source.
library() {
	rm -rf "$out/work/$1"
	cp -a "$out/src/$1" "$out/work/$1"
	cd "$out/work/$1"
	library_"$1"
}

# harness NAME: the program.
harness() {
	# shellcheck disable=SC2046,SC2086 # Words of flags.
	"$PARALLAX" cc $flags "$here/harness/$1.c" $(link_"$1" "$out/work/$1") -o "$out/bin/$1"
}

# once STAMP COMMAND NAME: runs the command for the name unless it was run with the same stamp.
once() {
	local what="$2-$3" code=0
	[ "$(cat "$out/stamps/$what" 2>/dev/null)" != "$1" ] || return 0
	echo "building $3: $2" >&2
	# Not with ||, which would let the commands inside fail.
	set +e
	(set -e; "$2" "$3") >"$out/stamps/$what.log" 2>&1
	code=$?
	set -e
	[ $code -eq 0 ] || fail "the $2 of $3 does not build: the last lines of $out/stamps/$what.log are
$(tail -5 "$out/stamps/$what.log")" 3
	echo "$1" >"$out/stamps/$what"
}

# In a function, so that bash has read it all before it begins.
main() {
	local name version tool stamp
	needs apt-get:apt dpkg-source:dpkg-dev make:make ar:binutils
	for name in "${names[@]}"; do
		needs_"$name"
	done
	[ ${#missing[@]} -eq 0 ] || fail "missing: apt-get install ${missing[*]}"
	command -v "$PARALLAX" >/dev/null || fail "$PARALLAX: there is no such executable: set PARALLAX"
	# The command itself, which may be a link of any name.
	PARALLAX=$(realpath "$(command -v "$PARALLAX")")

	mkdir -p "$out"/{bin,src,work,stamps}
	out=$(cd "$out" && pwd)
	. "$here/../../examples/x509/debian.sh"
	tool=$(sha256sum "$PARALLAX" | cut -c1-12)
	for name in "${names[@]}"; do
		version=${name^^}
		version=${!version}
		fetch "$name" "$version"
		stamp="$version $tool $flags"
		once "$stamp" library "$name"
		once "$stamp $(sha256sum "$here/harness/$name.c" | cut -c1-12)" harness "$name"
	done
	ln -sfn "$out" "$here/build"
}

main
exit
