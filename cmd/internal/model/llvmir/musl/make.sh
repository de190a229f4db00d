#!/bin/sh
# Makes the .ll files beside this script from musl's source, as Debian has it (apt-get source musl=1.2.3-1), with clang 19:
#   sh make.sh musl-1.2.3
# Without __GNUC__, musl's functions of strings read bytes, and not words that may reach behind the end of an object.
set -e
out=$(cd "$(dirname "$0")" && pwd)
cd "${1:?the folder of musl}"
mkdir -p obj/include/bits
sed -f tools/mkalltypes.sed arch/x86_64/bits/alltypes.h.in include/alltypes.h.in > obj/include/bits/alltypes.h
cp arch/x86_64/bits/syscall.h.in obj/include/bits/syscall.h
sed -n -e s/__NR_/SYS_/p < arch/x86_64/bits/syscall.h.in >> obj/include/bits/syscall.h
make_ll() {
	name=$1
	shift
	for f; do echo "#include \"src/$f.c\""; done | clang-19 -std=c99 -nostdinc -ffreestanding -D_XOPEN_SOURCE=700 -U__GNUC__ -w \
		-Iarch/x86_64 -Iarch/generic -Isrc/include -Isrc/internal -Iobj/include -Iinclude -I. \
		-O0 -Xclang -disable-O0-optnone -gline-tables-only -gno-column-info -fdebug-compilation-dir=. \
		-S -emit-llvm -x c -o "$out/$name.ll" -
}
make_ll memory string/bcmp string/bcopy string/bzero string/memccpy string/memchr string/memcmp string/memcpy string/memmove \
	string/mempcpy string/memrchr string/memset string/swab string/memmem
make_ll string string/index string/rindex string/stpcpy string/stpncpy string/strcasecmp string/strcat string/strchr string/strchrnul \
	string/strcmp string/strcpy string/strcspn string/strlcat string/strlcpy string/strlen string/strncasecmp string/strncat \
	string/strncmp string/strncpy string/strnlen string/strpbrk string/strrchr string/strsep string/strspn string/strstr \
	string/strtok_r string/strtok string/strdup string/strndup
make_ll ctype ctype/isalnum ctype/isalpha ctype/isascii ctype/isblank ctype/iscntrl ctype/isdigit ctype/isgraph ctype/islower \
	ctype/isprint ctype/ispunct ctype/isspace ctype/isupper ctype/isxdigit ctype/toascii ctype/tolower ctype/toupper
make_ll stdlib stdlib/abs stdlib/labs stdlib/llabs stdlib/atoi stdlib/atol stdlib/atoll stdlib/div stdlib/ldiv stdlib/strtol \
	internal/intscan internal/shgetc misc/ffs misc/ffsl misc/ffsll network/htonl network/htons network/ntohl network/ntohs
