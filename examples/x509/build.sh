#!/bin/bash
# Builds the C and C++ programs of the X.509 experiment: libraries from Debian's source packages at the versions below, and the harness
# of each.
#
#     ./build.sh [--out DIR] [--jobs N] [--dev] [LIBRARY...]
#
# LIBRARY is mbedtls, wolfssl, openssl, botan, gnutls, boringssl or nss; without any, all of them but nss, which parallax.toml does not
# have, the quick ones first. What is built is kept and not built again; so is what was fetched. Without --out it lies in ${XDG_CACHE_HOME:-~/.cache}/parallax-x509. build/NAME is a
# link to the program, build/NAME-replay to one that prints the verdict on files. Environment: CC and CXX, the compilers that
# instrument ("parallax cc" and "parallax c++"). With --dev the libraries are those of Debian's -dev packages, without coverage.
set -euo pipefail

# The versions of Debian 12. Others can be had by setting the variable, where Debian still serves them.
: "${MBEDTLS:=mbedtls=2.28.3-1}"
: "${WOLFSSL:=wolfssl=5.5.4-2+deb12u2}"
: "${OPENSSL:=openssl=3.0.20-1~deb12u2}"
: "${BOTAN:=botan=2.19.3+dfsg-1+deb12u1}"
: "${GNUTLS:=gnutls28=3.7.9-2+deb12u7}"
: "${BORINGSSL:=android-platform-external-boringssl=13.0.0+r24-2}"
: "${NSS:=nss=2:3.87.1-1+deb12u4}"

default=(mbedtls wolfssl openssl botan gnutls boringssl)
all=("${default[@]}" nss)
here=$(cd "$(dirname "$0")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/parallax-x509
jobs=$(nproc)
dev=
libraries=()

fail() { echo "build.sh: $1" >&2; exit "${2:-2}"; }

while [ $# -gt 0 ]; do
	case $1 in
	--out) [ $# -gt 1 ] || fail "--out needs a folder"; out=$2; shift ;;
	--jobs) [ $# -gt 1 ] || fail "--jobs needs a number"; jobs=$2; shift ;;
	--dev) dev=yes ;;
	-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit ;;
	-*) fail "there is no option $1: ./build.sh [--out DIR] [--jobs N] [--dev] [LIBRARY...]" ;;
	*)
		case " ${all[*]} " in
		*" $1 "*) libraries+=("$1") ;;
		*) fail "there is no library $1: choose of ${all[*]}" ;;
		esac ;;
	esac
	shift
done
if [ ${#libraries[@]} -eq 0 ]; then
	for name in "${default[@]}"; do
		[ "$dev" ] && [ "$name" = boringssl ] || libraries+=("$name")
	done
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)

cc=${CC:-parallax cc}
cxx=${CXX:-parallax c++}
# Arithmetic is not counted: see the file. Behind -Xclang, since parallax cc has its own flags for coverage in the place of a user's.
flags="-O1 -gline-tables-only -Xclang -fsanitize-coverage-ignorelist=$here/harness/uncounted.txt"

# needs notes what is missing: pairs of a command, header or file and Debian's package for it.
missing=()
needs() {
	local pair what
	for pair; do
		what=${pair%%:*}
		case $what in
		*.h | */*) [ -e "/usr/include/$what" ] || ls /usr/include/*/"$what" >/dev/null 2>&1 ;;
		*) command -v "$what" >/dev/null ;;
		esac || missing+=("${pair#*:}")
	done
}

. "$here/debian.sh"

# fresh NAME: a copy of the source, to build in.
fresh() {
	rm -rf "$out/work/$1"
	mkdir -p "$out/work"
	cp -a "$out/src/$1" "$out/work/$1"
	cd "$out/work/$1"
}

# What configure tries out needs no more than one build of each program, which is what PARALLAX_BUILDS=fast says.
#
# Each library NAME has needs_NAME, build_NAME, which runs in a copy of its source, and link_NAME, which says how a harness is linked.

needs_mbedtls() { needs make:make; }
build_mbedtls() {
	make -C library -j"$jobs" CC="$cc" CFLAGS="$flags" static
}
link_mbedtls() {
	echo "$cc" "-I$1/include" -- "$1/library/libmbedx509.a" "$1/library/libmbedcrypto.a"
}

needs_wolfssl() { needs make:make autoreconf:autoconf automake:automake libtoolize:libtool; }
build_wolfssl() {
	autoreconf -fi
	PARALLAX_BUILDS=fast ./configure CC="$cc" CFLAGS="$flags" --disable-shared --enable-static --disable-examples --disable-crypttests --disable-crl-monitor \
		--enable-opensslextra --enable-distro --disable-pkcs11
	make -j"$jobs" src/libwolfssl.la
}
link_wolfssl() {
	echo "$cc" "-I$1" -- "$1/src/.libs/libwolfssl.a" -lm -lpthread
}

needs_openssl() { needs make:make perl:perl; }
build_openssl() {
	CC="$cc" CFLAGS="$flags" ./Configure linux-x86_64 no-shared no-tests no-module no-threads no-dso no-engine no-comp
	make -j"$jobs" build_generated
	make -j"$jobs" libcrypto.a
}
link_openssl() {
	echo "$cc" "-I$1/include" -- "$1/libcrypto.a" -ldl -lpthread
}

needs_botan() { needs make:make python3:python3; }
build_botan() {
	python3 configure.py --cc=clang --cc-bin="$cxx" --cxxflags="-std=c++17 $flags" --disable-shared-library --build-targets=static \
		--without-documentation --minimized-build --no-install-python-module \
		--enable-modules=x509,rsa,ecdsa,md5,sha1,sha2_32,sha2_64,emsa_pkcs1,emsa1,emsa_pssr,dsa,ed25519,system_rng,auto_rng
	make -j"$jobs"
}
link_botan() {
	echo "$cxx" -std=c++17 "-I$1/build/include" -- "$1/libbotan-2.a" -lpthread
}

# Nettle, GMP and libunistring are the machine's; libtasn1 is the copy in GnuTLS, so that reading DER is instrumented.
needs_gnutls() {
	needs make:make nettle/nettle-types.h:nettle-dev gmp.h:libgmp-dev unistring/version.h:libunistring-dev pkg-config:pkg-config
}
build_gnutls() {
	PARALLAX_BUILDS=fast ./configure CC="$cc" CXX="$cxx" CFLAGS="$flags" --disable-shared --enable-static --with-included-libtasn1 --without-p11-kit --without-idn \
		--without-brotli --without-zstd --without-zlib --without-tpm --without-tpm2 --disable-doc --disable-tools --disable-tests --disable-cxx \
		--disable-guile --disable-libdane --disable-nls --disable-hardware-acceleration --disable-full-test-suite \
		--with-default-trust-store-file=/nonexistent
	make -C gl -j"$jobs"
	make -C lib -j"$jobs"
}
link_gnutls() {
	echo "$cc" "-I$1/lib/includes" -- "$1/lib/.libs/libgnutls.a" -lhogweed -lnettle -lgmp -lunistring -lpthread
}

needs_boringssl() { needs make:make; }
build_boringssl() {
	{
		echo 'include sources.mk'
		echo 'sources = $(crypto_sources) $(linux_x86_64_sources)'
		echo 'objects = $(addsuffix .o,$(basename $(sources)))'
		echo 'libcrypto.a: $(objects)'
		echo '	rm -f $@ && ar crs $@ $^'
		echo '%.o: %.c'
		echo '	$(CC) -std=gnu11 $(CFLAGS) -Isrc/include -c $< -o $@'
		echo '%.o: %.S'
		echo '	$(CC) -Isrc/include -c $< -o $@'
	} >x509.mk
	make -f x509.mk -j"$jobs" CC="$cc" CFLAGS="$flags" libcrypto.a
}
link_boringssl() {
	echo "$cc" "-I$1/src/include" -- "$1/libcrypto.a" -lpthread
}

# Libraries, with softoken and freebl, to be linked; NSPR and SQLite are the machine's. libpkix is in Debian's NSS too. gyp adds CFLAGS
# behind NSS's own.
needs_nss() { needs gyp:gyp ninja:ninja-build nspr/nspr.h:libnspr4-dev sqlite3.h:libsqlite3-dev; }
build_nss() {
	local dist=$PWD/dist
	cd nss
	CC="$cc" CXX="$cxx" CFLAGS="$flags -Xclang -fsanitize-coverage-ignorelist=$here/harness/uncounted-nss.txt" \
		gyp -f ninja --depth=. --generator-output=. -Dpython=/usr/bin/python3 -Dtarget_arch=x64 -Dnss_dist_dir="$dist" -Dnss_dist_obj_dir="$dist/Release" \
		-Dnspr_include_dir=/usr/include/nspr -Dnspr_lib_dir=/usr/lib -Dstatic_libs=1 -Duse_system_sqlite=1 -Ddisable_tests=1 -Ddisable_werror=1 \
		-Ddisable_libpkix=0 -Denable_sslkeylogfile=0 nss.gyp
	ninja -C out/Release -j"$jobs" nss_static certhi cryptohi pk11wrap_static certdb nsspki nssdev nssb libpkix nssutil softokn_static freebl_static \
		hw-acc-crypto-avx hw-acc-crypto-avx2 gcm-aes-x86_c_lib sha-x86_c_lib
}
link_nss() {
	echo "$cc" -I/usr/include/nspr "-I$1/dist/public/nss" -- -Wl,--start-group "$1"/dist/Release/lib/lib*.a -Wl,--end-group \
		-lplds4 -lplc4 -lnspr4 -lsqlite3 -ldl -lpthread
}

# The same with -dev packages.
needs_dev_mbedtls() { needs mbedtls/ssl.h:libmbedtls-dev; }
dev_mbedtls() { echo "$cc" -- -lmbedx509 -lmbedcrypto; }
needs_dev_wolfssl() { needs wolfssl/ssl.h:libwolfssl-dev; }
dev_wolfssl() { echo "$cc" -- -lwolfssl; }
needs_dev_openssl() { needs openssl/x509.h:libssl-dev; }
dev_openssl() { echo "$cc" -- -lcrypto; }
needs_dev_botan() { needs botan-2/botan/x509path.h:libbotan-2-dev; }
dev_botan() { echo "$cxx" -std=c++17 -I/usr/include/botan-2 -- -lbotan-2; }
needs_dev_gnutls() { needs gnutls/x509.h:libgnutls28-dev; }
dev_gnutls() { echo "$cc" -- -lgnutls; }
needs_dev_boringssl() { fail "boringssl is only built from source: its -dev package does not go with libssl-dev"; }
needs_dev_nss() { fail "nss is only built from source: its harness empties tables that the library of its -dev package hides"; }

# harness NAME COMPILER FLAGS -- LIBRARIES: links the harness, and a program that prints verdicts.
harness() {
	local name=$1 before=() source
	shift
	while [ "$1" != -- ]; do before+=("$1"); shift; done
	shift
	source=$(ls "$here/harness/$name".c*)
	"${before[@]}" $flags "-I$here/harness" "$source" "$@" -o "$bin/$name"
	# A program with a main of its own; one build of it is enough.
	local replay=$bin/$name-replay.o
	PARALLAX_BUILDS=fast $cc $flags -c "$here/harness/replay.c" -o "$replay"
	PARALLAX_BUILDS=fast "${before[@]}" $flags "-I$here/harness" "$source" "$replay" "$@" -o "$bin/$name-replay"
	rm -f "$replay"
}

# In a function, so that bash has read it all before it begins.
main() {
	local name version link stamp start file bin
	for name in "${libraries[@]}"; do
		needs_"${dev:+dev_}$name"
	done
	[ "$dev" ] || needs apt-get:apt dpkg-source:dpkg-dev ar:binutils
	if [ ${#missing[@]} -gt 0 ]; then
		missing=($(printf '%s\n' "${missing[@]}" | sort -u))
		fail "these packages are needed and not there: ${missing[*]}. With Debian: apt-get install ${missing[*]}"
	fi
	command -v ${cc%% *} >/dev/null || fail "there is no ${cc%% *}: put parallax on the PATH, or set CC and CXX to other compilers"

	bin=$out/${dev:+dev-}bin
	mkdir -p "$bin" "$here/build"
	for name in "${libraries[@]}"; do
		version=${name^^}
		if [ "$dev" ]; then
			link=$(dev_"$name")
		else
			stamp="${!version} $cc ($($cc --version | head -1)) $flags $(sha256sum "$here/harness/uncounted.txt" | cut -c1-12)"
			if [ -e "$here/harness/uncounted-$name.txt" ]; then
				stamp+=" $(sha256sum "$here/harness/uncounted-$name.txt" | cut -c1-12)"
			fi
			if [ "$(cat "$out/work/$name.built" 2>/dev/null)" != "$stamp" ]; then
				fetch "$name" "${!version}"
				echo "building ${!version}" >&2
				start=$SECONDS
				# Not with ||, which would let the commands inside fail.
				local status=0
				set +e
				(
					set -e
					fresh "$name"
					build_"$name"
				) >"$out/$name.log" 2>&1
				status=$?
				set -e
				[ $status = 0 ] || fail "$name does not build: the last lines of $out/$name.log are
$(tail -5 "$out/$name.log")" 3
				echo "$stamp" >"$out/work/$name.built"
				echo "built ${!version} in $((SECONDS - start)) s" >&2
			fi
			link=$(link_"$name" "$out/work/$name")
		fi
		harness "$name" $link
		for file in "$bin/$name"*; do ln -sfn "$file" "$here/build/"; done
	done
}

main
exit
