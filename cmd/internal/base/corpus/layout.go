package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Rules for the folders of other fuzzers and of parallax, which hold more than inputs. Layouts are
// recognized per folder. So a path may name any part of one: AFL's output folder, one fuzzer's
// folder, or its queue alone.

// aflKinds lists the input folders of one AFL fuzzer in reading order, with harmful inputs last. A
// resumed AFL renames crashes and hangs, such as to crashes.2026-01-31-12:00:00.
var aflKinds = []string{"queue", "crashes", "hangs"}

// choose returns the entries of a folder that may be inputs or contain inputs, in reading order.
func choose(dir string, entries []fs.DirEntry) []fs.DirEntry {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	switch {
	case isAFL(dir, entries):
		var chosen []fs.DirEntry
		for _, kind := range aflKinds {
			for _, e := range entries {
				if e.IsDir() && (e.Name() == kind || kind != "queue" && strings.HasPrefix(e.Name(), kind+".")) {
					chosen = append(chosen, e)
				}
			}
		}
		return chosen
	case has(entries, "campaign.json") && has(entries, "corpus"):
		return only(entries, "corpus", "findings")
	case has(entries, "outputs.json") && has(entries, "minimized"): // a finding of parallax
		return only(entries, "minimized", "input")
	}
	return slices.DeleteFunc(entries, bookkeeping(entries))
}

// bookkeeping returns a function that reports whether a file of an input folder is not an input.
func bookkeeping(entries []fs.DirEntry) func(fs.DirEntry) bool {
	ids := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isAFLID(e.Name()) })
	hashes := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isLibFuzzer(e.Name()) })
	return func(e fs.DirEntry) bool {
		name := e.Name()
		switch {
		case e.IsDir():
			return false
		case isMeta(name): // alone, it is a seed in JSON
			return has(entries, strings.TrimSuffix(name, metaSuffix))
		case name == "bucket.json":
			return slices.ContainsFunc(entries, fs.DirEntry.IsDir)
		case ids:
			return name == "README.txt"
		case hashes: // -jobs writes the output of its processes into the current folder
			n, ok := strings.CutPrefix(name, "fuzz-")
			n, log := strings.CutSuffix(n, ".log")
			return ok && log && isDigits(n)
		}
		return false
	}
}

// isAFL reports whether dir is the output folder of one AFL fuzzer. A folder named queue is not
// enough, since other folders have that name too.
func isAFL(dir string, entries []fs.DirEntry) bool {
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "queue" && e.IsDir() })
	if i < 0 {
		return false
	}
	for _, name := range []string{"fuzzer_stats", "fuzz_bitmap", "plot_data", "crashes", "hangs"} {
		if has(entries, name) {
			return true
		}
	}
	queue, _ := os.ReadDir(filepath.Join(dir, "queue"))
	return slices.ContainsFunc(queue, func(e fs.DirEntry) bool { return isAFLID(e.Name()) })
}

// isAFLID reports whether name is an input's name in AFL's folders: id:000012,src:... AFL for file
// systems without colons writes id_000012.
func isAFLID(name string) bool { _, ok := aflID(name); return ok }

// isLibFuzzer reports whether name has libFuzzer's form: the SHA-1 of the content, in an artifact
// after the kind of finding.
func isLibFuzzer(name string) bool {
	sum := name[strings.LastIndexByte(name, '-')+1:]
	return len(sum) == 40 && isHex(sum)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func has(entries []fs.DirEntry, name string) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
}

func only(entries []fs.DirEntry, names ...string) []fs.DirEntry {
	var chosen []fs.DirEntry
	for _, name := range names {
		for _, e := range entries {
			if e.Name() == name {
				chosen = append(chosen, e)
			}
		}
	}
	return chosen
}
