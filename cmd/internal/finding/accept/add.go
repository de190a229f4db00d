package accept

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/internal/atomicfile"
)

// header begins a new file.
const header = `# Differences that are known and intended: parallax lists them, and they fail no run. Written by "parallax accept"; edit freely.
version = 1
`

// Add appends an entry to the file at path, and creates a missing file. added is false if the file
// already has the entry (Same); then the file stays unchanged. While another process changes files
// of the folder, Add waits until ctx ends, and passes the name of the process to say.
func Add(ctx context.Context, fsys atomicfile.FS, path string, e Entry, say func(string)) (added bool, err error) {
	return change(ctx, fsys, path, say, func(data []byte, before []Entry) ([]byte, error) {
		if slices.ContainsFunc(before, e.Same) {
			return nil, nil
		}
		if data == nil {
			data = []byte(header)
		}
		return extend(data, before, e)
	})
}

// Widen adds the variants of now to the entry e in the file at path, and returns the number of new
// ones. Beyond MaxVariants, they replace the oldest. A count of now other than 0 replaces the
// entry's, and so does a seed. Widen waits like Add.
func Widen(ctx context.Context, fsys atomicfile.FS, path string, e, now Entry, say func(string)) (fresh int, changed bool, err error) {
	changed, err = change(ctx, fsys, path, say, func(data []byte, before []Entry) ([]byte, error) {
		at := slices.IndexFunc(before, e.Same)
		if at < 0 {
			return nil, nil
		}
		wide := before[at]
		fresh = len(wide.Unlisted(now.Variants))
		if fresh > 0 || wide.Variants == nil && len(now.Variants) > 0 {
			wide.Variants = Bounded(append(slices.Clone(now.Variants), wide.Variants...))
		}
		wide.Count, wide.Seed = cmp.Or(now.Count, wide.Count), wide.Seed || now.Seed
		if wide.text() == before[at].text() {
			return nil, nil
		}
		return rewrite(data, before, at, wide)
	})
	return fresh, changed, err
}

// Unlisted returns the variants that the entry does not list.
func (e Entry) Unlisted(variants []string) (list []string) {
	for _, v := range variants {
		if !slices.Contains(e.Variants, v) && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// Bounded returns the first MaxVariants of a list, without duplicates.
func Bounded(variants []string) (list []string) {
	list = Entry{}.Unlisted(variants)
	return list[:min(len(list), MaxVariants)]
}

// change replaces the file at path by the result of edit. Nil leaves it unchanged. data is nil for
// a missing file.
func change(ctx context.Context, fsys atomicfile.FS, path string, say func(string), edit func(data []byte, before []Entry) ([]byte, error)) (changed bool, err error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved // rename would replace the link, not the file
	}
	// The lock is on the folder, which so gets no file of ours. It prevents two commands that read,
	// extend and replace the file from losing an entry. On a file system without locks the risk
	// remains.
	l, _ := filelock.Acquire(ctx, filepath.Dir(path), filelock.Exclusive, say)
	defer l.Release()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	data, err := read(path)
	if err != nil {
		return false, err
	}
	before, err := parse(data)
	if err != nil {
		return false, describe(path, err)
	}
	if data, err = edit(data, before); err != nil {
		return false, describe(path, err)
	}
	if data == nil {
		return false, nil
	}
	if err := atomicfile.Write(fsys, path, data); err != nil {
		return false, exit.Infra("%w", err)
	}
	return true, nil
}

// extend returns data with the entry appended.
func extend(data []byte, before []Entry, e Entry) ([]byte, error) {
	text := e.text()
	if bytes.Contains(data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	out := slices.Clone(data)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, text...)
	// The appended text must mean one more entry and nothing else, which fails in a file with
	// `accepted = [...]`.
	after, err := parse(out)
	if err != nil {
		return nil, fmt.Errorf("cannot append to it (%w): write its entries as [[accepted]] tables", err)
	}
	if len(after) != len(before)+1 || after[len(before)].text() != e.text() {
		return nil, fmt.Errorf("cannot append to it: write its entries as [[accepted]] tables")
	}
	return out, nil
}

// rewrite returns data with other variants and another count and seed of an entry.
func rewrite(data []byte, before []Entry, at int, wide Entry) ([]byte, error) {
	out := data
	if slices.Compare(wide.Variants, before[at].Variants) != 0 {
		out = setKey(out, at, "variants", list(wide.Variants))
	}
	if wide.Count != before[at].Count {
		out = setKey(out, at, "count", strconv.FormatUint(wide.Count, 10))
	}
	if wide.Seed != before[at].Seed {
		out = setKey(out, at, "seed", strconv.FormatBool(wide.Seed))
	}
	// The change must mean other values of these keys of that entry and nothing else.
	want := slices.Clone(before)
	want[at] = wide
	after, err := parse(out)
	if err != nil || !slices.EqualFunc(after, want, func(a, b Entry) bool { return a.text() == b.text() }) {
		return nil, lineError{before[at].Line, "cannot widen this entry: write it as an [[accepted]] table, its variants and count without comments"}
	}
	return out, nil
}

// setKey returns data with a new value for a key of an entry. A missing key is added below the
// entry's last one. The old value is an array, a number or a Boolean, as the new one is.
func setKey(data []byte, at int, name, value string) []byte {
	all := tables(data)
	if at >= len(all) {
		return data
	}
	line := name + " = " + value
	if from, has := all[at].keys[name]; has {
		to := from + len(name)
		if value[0] == '[' {
			to += bytes.IndexByte(data[to:], ']') + 1
		} else {
			const word = "0123456789_truefals"
			to += bytes.IndexAny(data[to:], word)
			to += len(data[to:]) - len(bytes.TrimLeft(data[to:], word))
		}
		return slices.Concat(data[:from], []byte(line), data[to:])
	}
	newline := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		newline = "\r\n"
	}
	end := bytes.IndexByte(data[all[at].last:], '\n')
	if end < 0 {
		return slices.Concat(data, []byte(newline+line+newline))
	}
	to := all[at].last + end + 1
	return slices.Concat(data[:to], []byte(line+newline), data[to:])
}

// list writes a TOML array of strings.
func list(values []string) string {
	var quoted []string
	for _, v := range values {
		quoted = append(quoted, quote(v))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// text returns the entry in TOML.
func (e Entry) text() string {
	var b strings.Builder
	b.WriteString("\n[[accepted]]\n")
	fmt.Fprintf(&b, "bucket = %s\n", quote(e.Bucket))
	if len(e.Programs) > 0 {
		fmt.Fprintf(&b, "programs = %s\n", list(e.Programs))
	}
	if len(e.Outcomes) > 0 {
		var pairs []string
		for _, p := range e.ordered() {
			pairs = append(pairs, key(p)+" = "+quote(e.Outcomes[p]))
		}
		fmt.Fprintf(&b, "outcomes = { %s }\n", strings.Join(pairs, ", "))
	}
	for _, line := range []struct{ key, value string }{
		{"reason", e.Reason},
		{"input", base64.StdEncoding.EncodeToString(e.Input)},
		{"location", e.Location},
		{"target", e.Target},
		{"change", e.Change},
		{"kind", e.Kind},
		{"program", e.Program},
		{"layer", e.Layer},
	} {
		// An empty input is an input.
		if line.value != "" || line.key == "input" {
			fmt.Fprintf(&b, "%s = %s\n", line.key, quote(line.value))
		}
	}
	if len(e.Variants) > 0 {
		fmt.Fprintf(&b, "variants = %s\n", list(e.Variants))
	}
	if e.Count > 0 {
		fmt.Fprintf(&b, "count = %d\n", e.Count)
	}
	if e.Seed {
		b.WriteString("seed = true\n")
	}
	return b.String()
}

// ordered returns the programs with an outcome, in the order of Programs, then the others by name.
func (e Entry) ordered() []string {
	var names []string
	for _, p := range append(slices.Clone(e.Programs), slices.Sorted(maps.Keys(e.Outcomes))...) {
		if _, ok := e.Outcomes[p]; ok && !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	return names
}

// key writes a TOML key, bare if possible.
func key(s string) string {
	bare := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-'
	})
	if bare {
		return s
	}
	return quote(s)
}

// quote writes a TOML basic string. Bytes that are no UTF-8 become U+FFFD, since TOML cannot hold
// them.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
