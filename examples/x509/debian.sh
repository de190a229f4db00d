# Source packages of Debian. To be sourced by scripts that build libraries: examples/x509/build.sh, bench/c/build.sh. They set out, the folder
# that everything goes to, and have fail MESSAGE [EXIT CODE].

# fetch NAME PACKAGE=VERSION: the source package, unpacked and with Debian's patches, in $out/src/NAME, unless it is there. apt gets lists
# of its own, since most machines have no deb-src entries.
fetch() {
	local name=$1 package=$2 apt=$out/apt file have
	[ -d "$out/src/$name" ] && return
	rm -rf "$out/src/.$name"
	mkdir -p "$apt"/{sources,lists/partial,cache/archives/partial} "$out/src/.$name"
	cat >"$apt/apt.conf" <<-END
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$apt/sources";
		Dir::State::lists "$apt/lists";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "root";
	END
	if ! ls "$apt"/lists/*Sources* >/dev/null 2>&1; then
		for file in /etc/apt/sources.list.d/*.sources; do
			if grep -qs debian.org "$file"; then
				sed -E 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources/$(basename "$file")"
			fi
		done
		for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
			grep -hsE '^deb .*debian' "$file" || true
		done | sed 's/^deb /deb-src /' >"$apt/sources/lists.list"
		[ -s "$apt/sources/lists.list" ] || ls "$apt"/sources/*.sources >/dev/null 2>&1 ||
			fail "no archive of Debian is named in /etc/apt: the sources are those of Debian 12, so add an entry for it"
		APT_CONFIG=$apt/apt.conf apt-get update -qq || fail "the lists of Debian's source packages cannot be read" 4
	fi
	echo "fetching $package" >&2
	if ! (cd "$out/src/.$name" && APT_CONFIG=$apt/apt.conf apt-get source -qq "$package" >"$out/src/$name.log" 2>&1); then
		tail -3 "$out/src/$name.log" >&2
		have=$(APT_CONFIG=$apt/apt.conf apt-cache madison "${package%%=*}" | awk '/Sources/{print $3}' | sort -u | tr '\n' ' ')
		fail "$package cannot be fetched. Debian has versions ${have:-none}; ${name^^}=${package%%=*}=VERSION $0 takes another" 4
	fi
	mv "$out/src/.$name"/*/ "$out/src/$name"
	rm -r "$out/src/.$name"
}
