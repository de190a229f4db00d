package help

import (
	"strings"

	"github.com/spf13/cobra"
)

// Users of go test, libFuzzer and AFL++ type the flags that they know. Flags of go test with one
// dash are accepted if the command has them; the others are answered with what to write.

// otherFlags are flags of other tools that have another name here, or none.
var otherFlags = map[string]string{
	"fork":             "for -fork of libFuzzer write --parallel N",
	"jobs":             "for -jobs of libFuzzer write --parallel N",
	"j":                "for a number of workers write --parallel N",
	"max-len":          "for -max_len of libFuzzer write --max-bytes N",
	"max_len":          "for -max_len of libFuzzer write --max-bytes N",
	"max_total_time":   "for -max_total_time of libFuzzer write --fuzztime 60s",
	"rss_limit_mb":     "for -rss_limit_mb of libFuzzer write --memory 2GiB",
	"runs":             "for -runs of libFuzzer write --fuzztime 10000x",
	"workers":          "for -workers of libFuzzer write --parallel N",
	"run":              "for -run of go test write --fuzz REGEXP",
	"race":             "for -race of go test set GOFLAGS=-race: the tests are built with the race detector",
	"fuzzminimizetime": "for -fuzzminimizetime of go test write --triage-time 1m: parallax minimizes in triage",
	"count":            "-count of go test is not needed: findings are run again in triage",
	"bench":            "-bench of go test: parallax runs no benchmarks",
	"cover":            "-cover of go test is not needed: coverage is always measured, and parallax report shows it by line",
	"coverprofile":     "-coverprofile of go test: coverage is always measured, and parallax report shows it by line",
	"output":           "for the campaign's folder write --out DIR",
	"short":            "-short of go test is for tests: bound the run by --fuzztime 10s or --fuzztime 10000x",
	"timeout_ms":       "for a time limit write --timeout 2s",
	"m":                "for -m of afl-fuzz write --memory 2GiB",
	"M":                "for -M and -S of afl-fuzz write --parallel N: workers share a corpus",
	"S":                "for -M and -S of afl-fuzz write --parallel N: workers share a corpus",
	"V":                "for -V of afl-fuzz write --fuzztime 60s",
	"E":                "for -E of afl-fuzz write --fuzztime 10000x",
	"Q":                "-Q of afl-fuzz: parallax instruments sources, so build C with parallax cc",
	"n":                "for -n of afl-fuzz write --guidance random",
}

// otherCommands are words that other tools have for commands.
var otherCommands = map[string]string{
	"run":  "parallax fuzz runs FuzzXxx, and parallax diff compares functions",
	"test": "parallax fuzz runs FuzzXxx, and parallax diff compares functions",
	"ls":   "parallax show lists findings",
	"list": "parallax show lists findings",
}

// Accustomed rewrites flags of go test, which have one dash, to those of the command that the
// arguments name.
func Accustomed(root *cobra.Command, args []string) []string {
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
