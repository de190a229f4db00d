#!/bin/bash
# Makes the pairs of the experiment with C: for each a git repository with two commits, base and head, of which head is checked out.
#
#     ./build.sh --out DIR [PAIR...]       all pairs of subjects-c.toml without names
#     ./build.sh --out DIR --check [PAIR...]
#
# DIR/PAIR is the repository, DIR/files what was fetched, which is not fetched again. A repository is always made anew, with fixed dates, so
# that its commits keep their names; those of libxml2 hold what configure found on the machine. Each commit has what `[regress] build` runs
# and the `binary` that comes of it. --check builds both commits of each pair and runs the witness on both: see check below.
#
# The sources are Debian's, from the mirrors in /etc/apt; MIRRORS="URL URL..." names others (.../debian, .../debian-security, or the same
# on a snapshot of the archive where a mirror no longer has a version). Environment for --check: PARALLAX, the tool.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
all=(giflib-gcb giflib-slurp libxml2-schema libxml2-pattern libxml2-entity lrzip-zpaq cjson-object cjson-pointer cjson-number yajl-surrogate yajl-leak)
out=
check=
pairs=()

fail() { echo "build.sh: $1" >&2; exit "${2:-2}"; }

while [ $# -gt 0 ]; do
	case $1 in
	--out) [ $# -gt 1 ] || fail "--out needs a folder"; out=$2; shift ;;
	--check) check=yes ;;
	-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
	*)
		case " ${all[*]} " in
		*" $1 "*) pairs+=("$1") ;;
		*) fail "there is no pair $1: choose of ${all[*]}" ;;
		esac ;;
	esac
	shift
done
[ "$out" ] || fail "--out DIR is needed"
[ ${#pairs[@]} -gt 0 ] || pairs=("${all[@]}")
mkdir -p "$out"/{files,src}
out=$(cd "$out" && pwd)

missing=()
for pair in git:git patch:patch make:make xz:xz-utils bzip2:bzip2 /usr/lib/apt/apt-helper:apt; do
	command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
done
case " ${pairs[*]}" in *" libxml2-"*)
	for pair in cc:gcc autoreconf:autoconf automake:automake libtoolize:libtool pkg-config:pkg-config; do
		command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
	done ;;
esac
[ ${#missing[@]} -eq 0 ] || fail "missing: apt-get install ${missing[*]}"

if [ -z "${MIRRORS-}" ]; then
	MIRRORS=$({
		sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null || true
		sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
	} | tr ' ' '\n' | grep -E '/debian(-security)?/?$' | sort -u | tr '\n' ' ')
	[ "$MIRRORS" ] || fail "no archive of Debian is named in /etc/apt: set MIRRORS"
fi

# The files of Debian's source packages. The hashes are those of the packages' signed .dsc files or of the archive's list of sources.
files="
31da5562f44c5f15d63340a09a4fd62b48c45620cd302f77a6d9acf0077879bd g/giflib/giflib_5.2.1.orig.tar.gz
efa4369de943f7918c2b0b049a125268937ab12039ea6ed01d34ab2125def0df g/giflib/giflib_5.2.1-2.5+deb12u1.debian.tar.xz
292b10b86a87cb05f9dcbe1b6c7b99f3187a106132dd14f1ba79c90f561c3295 g/giflib/giflib_5.1.9.orig.tar.bz2
4fe913dec8b1ab89d13b489b419a8203176ea39e931eaa0d25b17eafb9c279e9 libx/libxml2/libxml2_2.9.14+dfsg.orig.tar.xz
f33a99a0018cbb94aadc3bf26661e401cb90dff856aa170faf7239151ee9b9ac libx/libxml2/libxml2_2.9.14+dfsg-1.3~deb12u6.debian.tar.xz
f4c84de778a059123040681fd47c17565fcc4fec0ccc68fcf32d97fad16cd892 l/lrzip/lrzip_0.651.orig.tar.gz
a1e025ff35bbec280b01f9c97147b29092063e1be9cde70f3e83d5d26ef4cdcf l/lrzip/lrzip_0.660-1.debian.tar.xz
5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2 c/cjson/cjson_1.7.15.orig.tar.gz
afd19a970966cf534ff1e9ec077d710a5e7e78eb4ec9b499c8bdc32e55da12cb c/cjson/cjson_1.7.15-1+deb12u4.debian.tar.xz
3fb73364a5a30efe615046d07e6db9d09fd2b41c763c5f7d3bfb121cd5c5ac5a y/yajl/yajl_2.1.0.orig.tar.gz
31ebb5b6e0b76908d9631ce9c94ba1d7a34bbba05ea9ed42ee72422e141cbe48 y/yajl/yajl_2.1.0-3+deb12u2.debian.tar.xz
"

# unpack FILE FOLDER: fetches a file of the list unless it is there, checks it, and unpacks it into the folder, without its first folder.
unpack() {
	local hash path mirror to=$out/files/$1
	read -r hash path < <(grep -F "/$1" <<<"$files")
	if ! sha256sum --check --status <<<"$hash  $to" 2>/dev/null; then
		echo "fetching $1" >&2
		for mirror in $MIRRORS; do
			case $mirror in *-security*) mirror=${mirror%/}/pool/updates/main ;; *) mirror=${mirror%/}/pool/main ;; esac
			/usr/lib/apt/apt-helper -qq download-file "$mirror/${path//+/%2b}" "$to" "SHA256:$hash" >/dev/null 2>&1 && break
		done
		sha256sum --check --status <<<"$hash  $to" 2>/dev/null || fail "no mirror has $1 with the hash $hash: set MIRRORS, see --help" 4
	fi
	mkdir -p "$2"
	tar -C "$2" --strip-components=1 -xf "$to"
}

# configure NAME OPTION...: libxml2's configuration.
configure() {
	echo "configuring $1" >&2
	(
		cd "$out/src/$1"
		autoreconf -fi
		./configure --disable-shared --with-minimum --without-lzma --without-zlib "${@:2}" CC=cc
	) >"$out/src/$1.log" 2>&1 || fail "$1 cannot be configured: see $out/src/$1.log" 3
}

# library NAME: the source in $out/src/NAME, with all of Debian's patches, and Debian's folder in $out/src/NAME.debian.
library() {
	local to=$out/src/$1 patch
	[ ! -e "$to.done" ] || return 0
	rm -rf "$to" "$to.debian"
	case $1 in
	giflib-5.1.9) unpack giflib_5.1.9.orig.tar.bz2 "$to" ;;
	giflib-5.2.1) unpack giflib_5.2.1.orig.tar.gz "$to" ;; # as upstream has it
	giflib)
		unpack giflib_5.2.1.orig.tar.gz "$to"
		unpack giflib_5.2.1-2.5+deb12u1.debian.tar.xz "$to.debian" ;;
	libxml2 | libxml2-small)
		unpack libxml2_2.9.14+dfsg.orig.tar.xz "$to"
		unpack libxml2_2.9.14+dfsg-1.3~deb12u6.debian.tar.xz "$to.debian" ;;
	lrzip) # the patch was made for 0.651, and is still in this package of 0.660
		unpack lrzip_0.651.orig.tar.gz "$to"
		unpack lrzip_0.660-1.debian.tar.xz "$to.debian" ;;
	cjson)
		unpack cjson_1.7.15.orig.tar.gz "$to"
		unpack cjson_1.7.15-1+deb12u4.debian.tar.xz "$to.debian" ;;
	yajl)
		unpack yajl_2.1.0.orig.tar.gz "$to"
		unpack yajl_2.1.0-3+deb12u2.debian.tar.xz "$to.debian" ;;
	esac
	if [ -e "$to.debian/patches/series" ]; then
		for patch in $(grep -v '^#' "$to.debian/patches/series"); do
			patch -s -d "$to" -p1 --no-backup-if-mismatch <"$to.debian/patches/$patch"
		done
	fi
	case $1 in
	libxml2) configure "$1" --with-schemas --with-sax1 ;;
	libxml2-small) configure "$1" --with-output --with-pattern ;;
	esac
	touch "$to.done"
}

# without LIBRARY PATCH...: the source of a library without some of the patches, in $out/src/without. The patches are taken in the order
# in which they are to be undone.
without() {
	local patch
	rm -rf "$out/src/without"
	cp -a "$out/src/$1" "$out/src/without"
	for patch in "${@:2}"; do
		patch -s -R -d "$out/src/without" -p1 --no-backup-if-mismatch <"$out/src/$1.debian/patches/$patch"
	done
}

# sources LIBRARY FROM: what the harness of a pair is built of.
sources() {
	case $1 in
	giflib) cp "$2"/{dgif_lib,egif_lib,gifalloc,gif_err,gif_hash}.c "$2"/{gif_lib,gif_lib_private,gif_hash}.h src/ ;;
	libxml2*)
		local file
		cp "$2"/*.h src/
		for file in $(sed -n '/^NAMES/,/^SOURCES/{/^SOURCES/d;s/^NAMES = //;s/\\$//;p}' "$here/make/$1.mk"); do cp "$2/$file.c" src/; done
		mkdir -p src/include
		cp -r "$2"/include/{libxml,wsockcompat.h} src/include/
		rm -f src/include/libxml/Makefile* src/include/libxml/*.in ;;
	lrzip)
		mkdir -p src/libzpaq
		cp "$2"/libzpaq/libzpaq.{cpp,h} src/libzpaq/ ;;
	cjson) cp "$2"/cJSON{,_Utils}.{c,h} src/ ;;
	yajl)
		cp "$2"/src/*.[ch] src/
		rm src/yajl_version.c
		cp -r "$2/src/api" src/api
		mkdir -p include/yajl
		cp "$2"/src/api/*.h include/yajl/ ;;
	esac
	[ ! -e "$2/COPYING" ] || cp "$2/COPYING" src/
}

# commit NAME LIBRARY FROM MESSAGE: one side of the pair, tagged NAME.
commit() {
	rm -rf src include
	mkdir src
	sources "$2" "$3"
	git add -A
	git commit -q -m "$4"
	git tag "$1"
}

# pair NAME LIBRARY BASE HEAD: the repository. BASE and HEAD are folder and message of each side, with : between.
pair() {
	local repo=$out/$1 file
	rm -rf "$repo"
	mkdir -p "$repo"
	cd "$repo"
	export GIT_AUTHOR_NAME=pairs GIT_AUTHOR_EMAIL=pairs@example.com GIT_AUTHOR_DATE='2024-01-01T00:00:00Z'
	export GIT_COMMITTER_NAME=pairs GIT_COMMITTER_EMAIL=pairs@example.com GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	git init -q -b main .
	cp "$here/pairs/$1"/harness.c* "$here/pairs/$1/parallax.toml" .
	cp -r "$here/pairs/$1/seeds" seeds
	cp "$here/make/common.mk" .
	cp "$here/make/$2.mk" Makefile
	printf '%s\n' /build/ /harness /harness.parallax/ /.parallax/ >.gitignore
	commit base "$2" "${3%%:*}" "${3#*:}"
	commit head "$2" "${4%%:*}" "${4#*:}"
	cd "$here"
	echo "$1: $repo" >&2
}

# reversed NAME LIBRARY PATCH...: base has the patches, head has not.
reversed() {
	library "$2"
	without "$2" "${@:3}"
	pair "$1" "$2" "$out/src/$2:with Debian's patches" "$out/src/without:without ${*:3}"
}

# forward NAME LIBRARY PATCH UNDONE...: base has the patch not yet, head has it. Patches that were made after it are undone for both.
forward() {
	library "$2"
	without "$2" "${@:4}"
	rm -rf "$out/src/with"
	mv "$out/src/without" "$out/src/with"
	without "$2" "${@:4}" "$3"
	pair "$1" "$2" "$out/src/without:without $3" "$out/src/with:with $3"
}

make_pair() {
	case $1 in
	giflib-gcb) reversed "$1" giflib CVE-2026-26740.patch ;;
	giflib-slurp)
		library giflib-5.1.9
		library giflib-5.2.1
		pair "$1" giflib "$out/src/giflib-5.1.9:giflib 5.1.9" "$out/src/giflib-5.2.1:giflib 5.2.1" ;;
	libxml2-schema) reversed "$1" libxml2 CVE-2023-28484-Fix-null-deref-in-xmlSchemaFixupCompl.patch ;;
	libxml2-pattern) reversed "$1" libxml2-small CVE-2025-27113.patch ;;
	libxml2-entity) reversed "$1" libxml2-small CVE-2022-40304-Fix-dict-corruption-caused-by-entity-.patch ;;
	lrzip-zpaq) reversed "$1" lrzip CVE-2023-39741.patch ;;
	cjson-object) reversed "$1" cjson 0002-Fix-heap-buffer-overflow.patch ;;
	cjson-pointer) reversed "$1" cjson CVE-2025-57052.patch ;;
	cjson-number) forward "$1" cjson 0001-allocate-memory-for-the-temporary-buffer.patch ;;
	yajl-surrogate) reversed "$1" yajl CVE-2017-16516.patch ;;
	yajl-leak) reversed "$1" yajl CVE-2023-33460.patch ;;
	esac
}

# outcome HARNESS INPUT: its verdict, with a hash of its value if it has one, or how it crashed.
outcome() {
	local code=0 value
	value=$("$1" "$2" 2>"$out/check/stderr" | sha256sum | cut -c1-12; exit "${PIPESTATUS[0]}") || code=$?
	if grep -qE '^==[0-9]+==ERROR|: runtime error: |Assertion' "$out/check/stderr"; then
		grep -m1 -oE '(Address|Leak)Sanitizer: [a-zA-Z-]+( [a-z]+)*|runtime error: .*|Assertion.*failed' "$out/check/stderr" | head -1
	elif [ "$code" -gt 1 ]; then
		echo "exit code $code"
	else
		[ "$value" != e3b0c44298fc ] || value=
		echo "$(sed -n 's/.*: \(accepted\|rejected.*\|declined\)$/\1/p' "$out/check/stderr" | tail -1)${value:+, value $value}"
	fi
}

# check: both commits are built as regress would, but for the build that records operands, and each witness runs in the build with sanitizers of both. What came of it is printed,
# and the exit code is 1 if a witness does the same on both sides, or a seed crashes.
check() {
	local bad=0 name side tree file said base head
	: "${PARALLAX:=parallax}"
	command -v "$PARALLAX" >/dev/null || fail "$PARALLAX: there is no such executable: set PARALLAX"
	PARALLAX=$(realpath "$(command -v "$PARALLAX")")
	export PARALLAX
	for name in "${pairs[@]}"; do
		for side in base head; do
			tree=$out/check/$name.$side
			rm -rf "$tree"
			mkdir -p "$tree"
			git -C "$out/$name" archive "$side" | tar -C "$tree" -xf -
			(cd "$tree" && PARALLAX_BUILDS=fast,sanitize make) >"$tree.log" 2>&1 || fail "$name $side does not build: see $tree.log" 3
			[ -x "$tree/harness.parallax/sanitize" ] || fail "$name $side has no sanitize build: see $tree.log" 3
			for file in "$here/pairs/$name"/seeds/*; do
				said=$(outcome "$tree/harness.parallax/sanitize" "$file")
				case $said in accepted* | rejected*) ;; *) echo "$name $side $(basename "$file"): $said"; bad=1 ;; esac
			done
		done
		for file in "$here/pairs/$name"/witness/*; do
			base=$(outcome "$out/check/$name.base/harness.parallax/sanitize" "$file")
			head=$(outcome "$out/check/$name.head/harness.parallax/sanitize" "$file")
			if [ "$base" = "$head" ]; then
				bad=1
				echo "$name $(basename "$file"): THE SAME: $base"
			else
				echo "$name $(basename "$file"): base: $base; head: $head"
			fi
		done
	done
	return $bad
}

# In a function, so that bash has read it all before it begins.
main() {
	local name
	for name in "${pairs[@]}"; do make_pair "$name"; done
	[ -z "$check" ] || check
}

main
exit
