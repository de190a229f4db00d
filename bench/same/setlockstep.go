package main

// lockstep are programs that cannot share a process: versions of one module, and programs of
// several kinds.
func lockstep() []campaign {
	const kinds = "bench/same/subject/kinds"
	withC := one("lockstep-all-kinds", kinds, "diff all.toml", 400)
	withC.steps = append([]step{words("cc -g -O1 ../c/strict.c -o ../c/strict")}, withC.steps...)
	return []campaign{
		one("lockstep-versions", "examples", "diff gopkg.in/yaml.v3.Unmarshal@v3.0.0 gopkg.in/yaml.v3.Unmarshal@v3.0.1 --max-bytes 64", 10000),
		one("lockstep-own-and-version", "examples", "diff ./semver/parse.Mod golang.org/x/mod/semver.Canonical@v0.20.0 --max-bytes 32", 10000),
		quickly(one("lockstep-drivers", kinds, "diff drivers.toml", 4000)),
		one("lockstep-no-cmplog", kinds, "diff drivers.toml --no-cmplog --guidance output", 4000),
		one("lockstep-repair", kinds, "diff repair.toml", 3000),
		one("lockstep-toolchains", kinds, "diff toolchains.toml", 5000),
		one("lockstep-url", "examples/languages/url", "diff parallax.toml", 1000),
		one("lockstep-command", kinds, "diff command.toml", 600),
		one("lockstep-http", kinds, "diff http.toml", 300),
		alone(withC),
	}
}
