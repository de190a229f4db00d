#!/bin/bash
# Chooses the seeds on which all seven verifiers agree, as the seeds of the NEZHA paper do: all accept, or all reject. They are copied to
# agreeing/, the seeds of agreeing.toml. build.sh has to have built the libraries, and mkseeds the seeds of others.
#
#     ./agreeing.sh
#
# The verdicts are those of build/NAME-replay and goverify/replay, so the same files give the same choice.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "$0")"
libraries=(openssl gnutls mbedtls wolfssl botan boringssl)

fail() { echo "agreeing.sh: $1" >&2; exit "${2:-2}"; }

for name in "${libraries[@]}"; do
	[ -x "build/$name-replay" ] || fail "there is no build/$name-replay: ./build.sh $name makes it"
done
[ -d seeds-others ] || fail "there is no folder seeds-others: mkseeds makes it, as README.md says"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=({control,seeds,seeds-others}/*.der)
for name in "${libraries[@]}"; do
	"build/$name-replay" "${files[@]}" >"$work/$name" || fail "build/$name-replay failed with code $?" 4
done
(cd .. && go run ./x509/goverify/replay "${files[@]/#/x509/}") | sed 's|^x509/||' >"$work/go" || fail "goverify/replay failed" 4

# A name that all have with the same verdict.
cut -f1,2 "$work"/* | sort | uniq -c | awk -v programs=$((${#libraries[@]} + 1)) '$1 == programs { print $2 }' >"$work/.names"
rm -rf agreeing
mkdir agreeing
while read -r name; do
	cp "$name" "agreeing/$(dirname "$name")-$(basename "$name")"
done <"$work/.names"
echo "agreeing.sh: $(wc -l <"$work/.names") of ${#files[@]} chains, $(cat agreeing/* | sha256sum | cut -c1-12)" >&2
