package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// Users of go test, libFuzzer and AFL++ type the flags that they know. Flags of go test with one dash are accepted if the
// command has them; the others are answered with what to write.

// otherFlags are flags of other tools that have another name here, or none.
var otherFlags = map[string]string{
	"fork":             "for -fork of libFuzzer write --parallel N",
	"jobs":             "for -jobs of libFuzzer write --parallel N",
	"max_len":          "for -max_len of libFuzzer write --max-bytes N",
	"max_total_time":   "for -max_total_time of libFuzzer write --fuzztime 60s",
	"rss_limit_mb":     "for -rss_limit_mb of libFuzzer write --memory 2GiB",
	"runs":             "for -runs of libFuzzer write --fuzztime 10000x",
	"workers":          "for -workers of libFuzzer write --parallel N",
	"run":              "for -run of go test write --fuzz REGEXP",
	"race":             "for races set GOFLAGS=-race: the tests are built with the race detector",
	"fuzzminimizetime": "parallax minimizes in triage: write --triage-time 1m",
	"count":            "findings are run again in triage",
	"bench":            "parallax runs no benchmarks",
	"timeout_ms":       "for a time limit write --timeout 2s",
	"m":                "for -m of afl-fuzz write --memory 2GiB",
	"M":                "for -M and -S of afl-fuzz write --parallel N: workers share a corpus",
	"S":                "for -M and -S of afl-fuzz write --parallel N: workers share a corpus",
	"V":                "for -V of afl-fuzz write --fuzztime 60s",
	"E":                "for -E of afl-fuzz write --fuzztime 10000x",
	"Q":                "parallax instruments sources: build C with parallax cc",
	"n":                "for -n of afl-fuzz write --guidance random",
}

// accustomed rewrites flags of go test, which have one dash, to those of the command that the arguments name.
func accustomed(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil || c == root || c.DisableFlagParsing {
		return args
	}
	out := make([]string, 0, len(args))
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, value, given := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if len(name) > 1 && strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && c.Flags().Lookup(name) != nil {
			if arg = "--" + name; given {
				arg += "=" + value
			}
		}
		out = append(out, arg)
	}
	return out
}
