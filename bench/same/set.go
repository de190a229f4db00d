package main

import "slices"

// campaigns is the whole set, by families whose names begin alike.
func campaigns() []campaign {
	return slices.Concat(functions(), guidances(), schedules(), tests(), faults(), lockstep(), harnesses(), commands())
}

const (
	parse = "diff ./semver/parse.Mod ./semver/parse.Masterminds ./semver/parse.Blang --max-bytes 64"
	valid = "diff encoding/json.Valid github.com/valyala/fastjson.ValidateBytes@v1.6.10"
)

// functions are Go functions in one process: shapes, operators, operands, repair, numbers of
// programs.
func functions() []campaign {
	return []campaign{
		quickly(one("go-semver-order", "examples", "diff ./semver/order.Mod ./semver/order.Masterminds ./semver/order.Blang ./semver/order.Hashicorp --max-bytes 16", 20000)),
		one("go-json-valid", "examples", valid, 40000),
		one("go-json-three", "examples", valid+" github.com/segmentio/encoding/json.Valid@v0.5.4", 20000),
		one("go-json-values", "examples", "diff ./json.Std ./json.Fastjson --max-bytes 32", 20000),
		one("go-classes", "examples", "diff ./ip/cidr.Net ./ip/cidr.Netip --max-bytes 32 --compare verdict,value,class", 10000),
		one("go-json-no-cmplog", "examples", valid+" --no-cmplog", 40000),
		one("go-json-nezha", "examples", valid+" --mutators nezha", 40000),
		one("go-json-no-triage", "examples", valid+" --no-triage", 40000),
		one("go-instrument", "examples", parse+" --instrument regexp", 10000),
		one("go-two-arguments", "examples", "diff ./ip/contains.Net ./ip/contains.Netip ./ip/contains.Netipx --dict ip/ip.dict --max-bytes 64", 20000),
		quickly(one("go-repair", "examples", "diff ./xz.Ulikunitz ./xz.TheRoot --seeds xz/seeds --max-bytes 128 --repair ./xz.Repair", 8000)),
		one("go-typed-arguments", "puzzles/arguments", "diff .A .B", 30000),
		one("go-typed-int32", "puzzles/version", "diff .A .B", 20000),
		one("go-typed-float64", "puzzles/rounding", "diff .A .B", 20000),
		one("go-method", "puzzles/method", "diff .(*Clock).UnmarshalText .(*Clock).ParseText", 20000),
		one("go-minority", "puzzles/minority", "diff .A .B .C", 20000),
		one("go-panic", "bench/same/subject", "diff ./pair.Strict ./pair.Loose", 20000),
	}
}

// guidances are those of docs/reference/guidance.md, and two unions.
func guidances() (all []campaign) {
	for _, name := range []string{
		"coverage", "path-coarse", "path-fine", "output", "reference", "nezha-coarse", "nezha-fine", "ensemble", "random",
		"output,path-coarse", "nezha-coarse,coverage", "coverage,path-coarse,path-fine,output,reference,nezha-coarse,nezha-fine",
	} {
		short := name
		if len(name) > 30 {
			short = "all"
		}
		c := one("go-guidance-"+short, "examples", parse+" --guidance "+name, 20000)
		c.quick = name == "nezha-fine"
		all = append(all, c)
	}
	return append(all,
		one("go-guidance-reference-2", "examples", parse+" --guidance reference --reference parse.Blang", 20000),
		one("go-guidance-free", "examples", parse+" --free 16", 20000),
	)
}

// schedules are those that read no clock. Those that do make campaigns that do not repeat.
func schedules() (all []campaign) {
	for _, name := range []string{"uniform", "stratified", "cheap", "rarity", "afl-noclock", "aflfast-fast-noclock"} {
		all = append(all, one("go-schedule-"+name, "examples", parse+" --schedule "+name, 20000))
	}
	return append(all, one("tests-schedule-afl-noclock", "bench/same/subject", "fuzz ./fuzzed --fuzz Record --schedule afl-noclock", 20000))
}

// tests are FuzzXxx.
func tests() []campaign {
	return []campaign{
		one("tests-range", "examples", "fuzz ./fuzz --fuzz Range --max-bytes 64", 20000),
		one("tests-order", "examples", "fuzz ./fuzz --fuzz Order --max-bytes 64", 20000),
		one("tests-diff", "examples", "diff ./fuzz --max-bytes 64", 20000),
		quickly(one("tests-record", "bench/same/subject", "fuzz ./fuzzed --fuzz Record", 40000)),
		one("tests-no-trim", "bench/same/subject", "fuzz ./fuzzed --fuzz Record --no-trim", 40000),
		one("tests-random", "bench/same/subject", "fuzz ./fuzzed --fuzz Record --guidance random", 40000),
		one("tests-reverse", "bench/same/subject", "fuzz ./fuzzed --fuzz Reverse", 20000),
		one("tests-typed", "bench/same/subject", "fuzz ./fuzzed --fuzz Typed", 40000),
		one("tests-all-targets", "bench/same/subject", "fuzz ./...", 10000),
	}
}
