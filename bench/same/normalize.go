package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// places are the paths that are this recording's own, and the words that replace them.
type places [][2]string

func (p places) replace(data []byte) []byte {
	for _, one := range p {
		if one[0] != "" {
			data = bytes.ReplaceAll(data, []byte(one[0]), []byte(one[1]))
		}
	}
	return data
}

// normalize replaces in a file what depends on time, place or build, and nothing else. Where a file
// holds nothing besides, whole is false.
func normalize(name string, data []byte, here places) (_ []byte, whole bool) {
	base := path.Base(name)
	folder := path.Base(path.Dir(name))
	switch {
	case base == "lock", base == "clock.json", base == "blocks.bin": // a process number; the time; the build
		return nil, false
	case base == "tuples.log":
		return tuples(data), true
	case folder == "corpus" && !strings.Contains(base, "."), base == "input", base == "minimized", base == "parent":
		return data, true // inputs: bytes
	}
	if base == "coverage.bin" {
		data = snapshot(data)
	}
	data = here.replace(data)
	switch {
	case base == "stats.jsonl":
		data = lastLine(data)
	case base == "log.txt":
		data = ended(stamp.ReplaceAll(data, []byte("STAMP ")))
	}
	for _, r := range rules {
		data = r.pattern.ReplaceAll(data, []byte(r.with))
	}
	return data, true
}

// lastLine returns the last line of stats.jsonl, which belongs to the end of the campaign. The
// clock decides which lines precede it.
func lastLine(data []byte) []byte {
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	return lines[len(lines)-1]
}

// ended moves the lines about workers that have ended behind all others of log.txt. Fuzzing and
// triage run side by side, so the order of a finding and the end of the next worker varies.
func ended(data []byte) []byte {
	var others, ends []byte
	for _, line := range bytes.SplitAfter(data, []byte("\n")) {
		if bytes.Contains(line, []byte(`msg="worker ended"`)) {
			ends = append(ends, line...)
		} else {
			others = append(others, line...)
		}
	}
	return append(others, ends...)
}

// stamp begins each line of log.txt.
var stamp = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\dT[0-9:.]+Z `)

// rules are of texts of all kinds: JSON, what commands print, reports.
var rules = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`"(elapsed_seconds|cpu_seconds|executions_per_second)": ?[0-9.e+-]+`), `"$1": "TIME"`},
	{regexp.MustCompile(`"(first_seen_time|last_seen_time)": ?"[^"]*"`), `"$1": "TIME"`},
	// The versions of Go and of the tool itself, in campaign.json.
	{regexp.MustCompile(`(?m)^  "(go|tool)": "[^"]*"`), `  "$1": "BUILD"`},
	// The identity of the programs' code, in a bucket and in the name of a counter.
	{regexp.MustCompile(`("code": ?"|seeds/)[0-9a-f]{16}`), `${1}CODE`},
	// inputs    20,000 in 0.2s, 260,094 executions a second
	{regexp.MustCompile(`(?m)^(inputs +[0-9,]+) in [0-9a-zµ.]+, [0-9,.]+ executions a second`), `$1 in TIME`},
	// 5 inputs, first 12s ago, last just now
	{regexp.MustCompile(`\bfirst (just now|[0-9]+[dhms] ago)(, last (just now|[0-9]+[dhms] ago))?`), `first TIME ago`},
	// Frames that are left out of a deep recursion: the runtime prints a hundred, and the outermost
	// are the worker's.
	{regexp.MustCompile(`(\\n|\n *)\.\.\. [0-9]+ more`), `${1}... N more`},
	// The last line of a report.
	{regexp.MustCompile(`Written by parallax [^<]* on <time [^>]*>[^<]*</time>`), `Written TIME`},
	// Folders of builds, which are named by a hash of all sources, those of the tool too.
	{regexp.MustCompile(`parallax/build/[0-9a-f]+`), `parallax/build/HASH`},
}
