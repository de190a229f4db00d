#!/bin/bash
# Builds what bench/c measures: harnesses and libraries from Debian's source packages, each for every tool, and the puzzles.
#
#     ./build.sh --out DIR [--jobs N] [trivial|expat|libxml2|puzzles...]
#
# Without names, all of them. DIR/bin/NAME.TOOL is the harness for the tool: parallax (all three builds), fast (one), libfuzzer,
# afl, and replay, which says what inputs cover; DIR/seeds/NAME are the inputs to begin with; DIR/bin/PUZZLE.TOOL are the puzzles. What
# is there is not built again, and what was fetched is not fetched again. Environment: PARALLAX, the tool; CLANG, for the others.
set -euo pipefail

# The versions of Debian 12. Others can be had by setting the variable, where Debian still serves them.
: "${EXPAT:=expat=2.5.0-1+deb12u2}"
: "${LIBXML2:=libxml2=2.9.14+dfsg-1.3~deb12u6}"
: "${PARALLAX:=parallax}"
: "${CLANG:=clang-19}"
: "${AFL:=afl-clang-fast}"

# The same for all tools. Each adds what it needs for coverage.
flags="-O2 -gline-tables-only"
# What libFuzzer's manual says for libraries, and the same counters without anybody's runtime.
nolink=-fsanitize=fuzzer-no-link
counted=-fsanitize-coverage=inline-8bit-counters,pc-table

all=(trivial expat libxml2 puzzles)
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
mkdir -p "$out"/{bin,seeds,src,work,stamps}
out=$(cd "$out" && pwd)
bin=$out/bin

# needs says what is missing, all at once: pairs of a command and Debian's package for it.
needs() {
	local missing=() pair
	for pair; do
		command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
	done
	[ ${#missing[@]} -eq 0 ] || fail "missing: apt-get install ${missing[*]}"
}
needs "$CLANG:clang-19" apt-get:apt dpkg-source:dpkg-dev make:make autoreconf:autoconf automake:automake libtoolize:libtool "$AFL:afl++"
command -v "$PARALLAX" >/dev/null || fail "$PARALLAX: there is no such executable: set PARALLAX"
PARALLAX=$(realpath "$(command -v "$PARALLAX")")

. "$here/../../examples/x509/debian.sh"

# library_NAME TOOL CC FLAGS builds the library in work/NAME.TOOL. What configure tries out needs no more than one build of each program, which
# is what PARALLAX_BUILDS=fast says.
library_trivial() { :; }
# Debian's patches of expat do not compile as its CMake files configure it.
library_expat() {
	cp -a "$out/src/expat/expat" "$out/work/expat.$1"
	cd "$out/work/expat.$1"
	./buildconf.sh
	PARALLAX_BUILDS=fast ./configure CC="$2" CFLAGS="$3" --disable-shared --enable-static --without-xmlwf --without-examples --without-tests --without-docbook
	make -j"$jobs" -C lib
}
library_libxml2() {
	cp -a "$out/src/libxml2" "$out/work/libxml2.$1"
	cd "$out/work/libxml2.$1"
	autoreconf -fi
	PARALLAX_BUILDS=fast ./configure CC="$2" CFLAGS="$3" --disable-shared --enable-static --without-python --without-zlib --without-lzma --without-http --without-ftp --without-debug
	make -j"$jobs" libxml2.la
}

# link_NAME TOOL: what a harness is compiled and linked with.
link_trivial() { echo "$here/harness/trivial.c"; }
link_expat() {
	local lib=$out/src/expat/expat
	echo "-DENCODING_FOR_FUZZING=UTF-8 -I$lib/lib $lib/fuzz/xml_parse_fuzzer.c $out/work/expat.$1/lib/.libs/libexpat.a"
}
link_libxml2() {
	local lib=$out/work/libxml2.$1
	echo "-I$lib/include $here/harness/libxml2.c $lib/.libs/libxml2.a -lm -lpthread"
}

# seeds NAME FOLDER...: documents of XML among the sources' own test and example files, the small ones.
seeds() {
	rm -rf "$out/seeds/$1"
	mkdir -p "$out/seeds/$1"
	local file
	(cd "$out/src" && find "${@:2}" -type f -size -4096c '(' -name '*.xml' -o -name '*.xsd' -o -name '*.rng' -o -name '*.sct' ')' -not -path '*/.pc/*' | LC_ALL=C sort) |
		while read -r file; do cp "$out/src/$file" "$out/seeds/$1/$(tr / _ <<<"$file")"; done
}

# once STAMP NAME COMMAND...: runs the command unless it was run with the same stamp.
once() {
	local stamp=$1 name=$2
	shift 2
	[ "$(cat "$out/stamps/$name" 2>/dev/null)" != "$stamp" ] || return 0
	echo "building $name" >&2
	local code=0
	set +e
	(set -e; "$@") >"$out/stamps/$name.log" 2>&1
	code=$?
	set -e
	[ $code -eq 0 ] || fail "$name does not build: the last lines of $out/stamps/$name.log are
$(tail -5 "$out/stamps/$name.log")" 3
	echo "$stamp" >"$out/stamps/$name"
}

# harness NAME TOOL: the library and the harness for one tool.
harness() {
	local name=$1 tool=$2
	rm -rf "$out/work/$name.$tool"
	case $tool in
	parallax)
		library_"$name" parallax "$PARALLAX cc" "$flags"
		"$PARALLAX" cc $flags $(link_"$name" parallax) -o "$bin/$name.parallax"
		# The same objects: at the link the other builds are left out.
		PARALLAX_BUILDS=fast "$PARALLAX" cc $flags $(link_"$name" parallax) -o "$bin/$name.fast" ;;
	libfuzzer)
		library_"$name" libfuzzer "$CLANG" "$flags $nolink"
		"$CLANG" $flags -fsanitize=fuzzer $(link_"$name" libfuzzer) -o "$bin/$name.libfuzzer" ;;
	afl)
		library_"$name" afl "$AFL" "$flags"
		"$AFL" $flags -fsanitize=fuzzer $(link_"$name" afl) -o "$bin/$name.afl" ;;
	replay)
		library_"$name" replay "$CLANG" "$flags $counted"
		"$CLANG" $flags -c "$here/harness/replay.c" -o "$out/work/$name.replay.o"
		"$CLANG" $flags $counted $(link_"$name" replay) "$out/work/$name.replay.o" -o "$bin/$name.replay" ;;
	esac
}

puzzles() {
	local file name
	rm -rf "$out/puzzles"
	cp -r "$here/puzzles" "$out/puzzles"
	for file in "$here"/puzzles/*.c; do
		name=$(basename "$file" .c)
		"$PARALLAX" cc $flags "$file" -o "$bin/$name.parallax"
		"$CLANG" $flags -fsanitize=fuzzer "$file" -o "$bin/$name.libfuzzer"
	done
	rm -rf "$out/seeds/puzzles"
	mkdir -p "$out/seeds/puzzles"
	printf 'The quick brown fox jumps over!!' >"$out/seeds/puzzles/text"
}

ours=$(sha256sum "$PARALLAX" | cut -c1-12)
theirs=$("$CLANG" --version | head -1)
for name in "${names[@]}"; do
	case $name in
	puzzles)
		once "$ours $theirs $flags $(cat "$here"/puzzles/*.c | sha256sum)" puzzles puzzles
		continue ;;
	trivial)
		version=
		rm -rf "$out/seeds/trivial"
		mkdir -p "$out/seeds/trivial"
		printf 'The quick brown fox jumps over!!' >"$out/seeds/trivial/text" ;;
	*)
		version=${name^^}
		version=${!version}
		fetch "$name" "$version"
	esac
	source=$(cat "$here"/harness/*.c | sha256sum | cut -c1-12)
	for tool in parallax libfuzzer replay afl; do
		[ $tool != afl ] || [ "$name" = trivial ] || continue
		case $tool in parallax) by=$ours ;; *) by=$theirs ;; esac
		once "$version $by $flags $source" "$name.$tool" harness "$name" $tool
	done
done
for name in "${names[@]}"; do
	case $name in
	expat | libxml2)
		fetch expat "$EXPAT"
		fetch libxml2 "$LIBXML2"
		seeds "$name" expat libxml2 ;;
	esac
done
