package config

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// disk is what the reader asks of the file system.
type disk interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
}

// problem is something wrong with the file.
type problem struct {
	at   Position
	text string
}

// reader takes a configuration out of a tree, and collects what is wrong with it on the way.
type reader struct {
	dir      string
	disk     disk
	problems []problem
}

func (r *reader) bad(at Position, format string, args ...any) {
	r.problems = append(r.problems, problem{at, fmt.Sprintf(format, args...)})
}

// sorted are the problems in the order of the file.
func (r *reader) sorted() []problem {
	sort.SliceStable(r.problems, func(i, j int) bool {
		a, b := r.problems[i].at, r.problems[j].at
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return slices.Compact(r.problems)
}

// table is a table of the file that is being read. Its methods return the zero value for what is not there and for what is
// wrong, which is then told.
type table struct {
	*reader
	node  *node  // nil: it is not in the file
	name  string // as in a message: [input]
	known []string
}

// open opens a table that may be missing.
func (t *table) open(name, shown string) *table {
	inner := &table{reader: t.reader, name: shown}
	if k := t.take(name, tableForm); k != nil {
		inner.node = k.value
	}
	return inner
}

// each opens the tables of a list.
func (t *table) each(name, shown string) []*table {
	k := t.take(name, arrayForm)
	if k == nil {
		return nil
	}
	var all []*table
	for _, n := range k.value.elems {
		if n.form != tableForm {
			t.bad(n.at, "%s is a list of tables, and here is %s: write %s and its keys below", shown, n.form, shown)
			continue
		}
		all = append(all, &table{reader: t.reader, node: n, name: shown})
	}
	return all
}

// at is where the table is, for what it lacks.
func (t *table) at() Position {
	if t.node == nil {
		return Position{1, 1}
	}
	return t.node.at
}

// find returns the key, nil if it is not there, and remembers that it is known.
func (t *table) find(name string) *key {
	t.known = append(t.known, name)
	if t.node == nil {
		return nil
	}
	return t.node.get(name)
}

// has reports whether the key is there.
func (t *table) has(name string) bool { return t.node != nil && t.node.get(name) != nil }

// hollow reports whether the key has an empty list.
func (t *table) hollow(name string) bool {
	return t.has(name) && t.node.get(name).value.form == arrayForm && len(t.node.get(name).value.elems) == 0
}

// where is the place of a key's value, or of the table.
func (t *table) where(name string) Position {
	if t.has(name) {
		return t.node.get(name).value.at
	}
	return t.at()
}

// examples show how values look.
var examples = map[form]string{
	textForm:    `"..."`,
	integerForm: "1",
	boolForm:    "true or false",
	arrayForm:   `["...", "..."]`,
	tableForm:   "{ ... }",
	timeForm:    "2024-01-01T00:00:00Z",
}

// take is find for a key with a value of one form.
func (t *table) take(name string, want form) *key {
	k := t.find(name)
	if k == nil {
		return nil
	}
	if k.value.form != want {
		example := examples[want]
		if want == arrayForm && k.value.form == integerForm {
			example = "[" + k.value.text + "]"
		}
		t.bad(k.value.at, "%s is %s, and here is %s: write %s = %s", name, want, k.value.form, name, example)
		return nil
	}
	return k
}

// text reads a text. An empty one is told, since no key takes it; so is one with a NUL byte, which nothing can be called.
func (t *table) text(name string) string {
	k := t.take(name, textForm)
	if k == nil || !t.plain(name, k.value) {
		return ""
	}
	return k.value.text
}

func (t *table) plain(name string, n *node) bool {
	switch {
	case strings.TrimSpace(n.text) == "":
		t.bad(n.at, "%s is empty: leave it away or say what it is", name)
	case strings.ContainsRune(n.text, 0):
		t.bad(n.at, "%s has a NUL character, which nothing can be called or given", name)
	default:
		return true
	}
	return false
}

// word reads a text that is one of some.
func (t *table) word(name string, words ...string) string {
	k := t.take(name, textForm)
	if k == nil {
		return ""
	}
	if !slices.Contains(words, k.value.text) {
		t.bad(k.value.at, "%s = %q: choose %s%s", name, k.value.text, alternatives(words), meant(k.value.text, words))
		return ""
	}
	return k.value.text
}

// alternatives lists words for a message.
func alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func (t *table) flag(name string) bool {
	k := t.take(name, boolForm)
	return k != nil && k.value.text == "true"
}

// whole reads a number from least to most.
func (t *table) whole(name string, least, most int64) (int64, bool) {
	k := t.take(name, integerForm)
	if k == nil {
		return 0, false
	}
	v, err := integer(k.value.text)
	if err != nil || v < least || v > most {
		t.bad(k.value.at, "%s = %s: choose %d to %d", name, k.value.text, least, most)
		return 0, false
	}
	return v, true
}

func integer(written string) (int64, error) {
	return strconv.ParseInt(strings.ReplaceAll(written, "_", ""), 0, 64)
}

// size reads bytes: a number, or a text with a unit. Zero is no limit where it is allowed.
func (t *table) size(name string, least, most int64, zero bool) (int64, bool) {
	k := t.find(name)
	if k == nil {
		return 0, false
	}
	var v int64
	var ok bool
	switch k.value.form {
	case textForm:
		v, ok = parseSize(k.value.text)
	case integerForm:
		n, err := integer(k.value.text)
		v, ok = n, err == nil && n >= 0
	default:
		t.bad(k.value.at, `%s is a size, and here is %s: write %s = "64MiB"`, name, k.value.form, name)
		return 0, false
	}
	switch {
	case !ok:
		t.bad(k.value.at, `%s = %q is no size: write a number and B, KiB, MiB or GiB, as in "64MiB"`, name, k.value.text)
	case v == 0 && zero:
		return 0, true
	case v < least:
		t.bad(k.value.at, "%s = %q is too little: choose %s or more%s", name, k.value.text, bytesText(least), orNone(zero))
	case v > most:
		t.bad(k.value.at, "%s = %q is too much: choose %s or less%s", name, k.value.text, bytesText(most), orNone(zero))
	default:
		return v, true
	}
	return 0, false
}

func orNone(zero bool) string {
	if zero {
		return ", or 0 for no limit"
	}
	return ""
}

var units = []struct {
	name  string
	shift uint
}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"G", 30}, {"M", 20}, {"K", 10}, {"B", 0}, {"", 0}}

// parseSize reads "64MiB". As for --memory one letter will do; KB and the like do not, since they are 1000 to some.
func parseSize(s string) (int64, bool) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 63)
		if err != nil || v > math.MaxInt64>>u.shift {
			return 0, false
		}
		return int64(v << u.shift), true
	}
	return 0, false
}

// bytesText is the shortest way to write a size.
func bytesText(v int64) string {
	for _, u := range units[:3] {
		if v > 0 && v%(1<<u.shift) == 0 {
			return fmt.Sprintf("%d%s", v>>u.shift, u.name)
		}
	}
	return fmt.Sprintf("%dB", v)
}

// span reads a duration.
func (t *table) span(name string, least, most time.Duration) (time.Duration, bool) {
	k := t.find(name)
	if k == nil {
		return 0, false
	}
	switch k.value.form {
	case textForm:
	case integerForm, floatForm:
		t.bad(k.value.at, `%s = %s has no unit: write %s = "%ss" if these are seconds`, name, k.value.text, name, k.value.text)
		return 0, false
	default:
		t.bad(k.value.at, `%s is a duration, and here is %s: write %s = "2s"`, name, k.value.form, name)
		return 0, false
	}
	v, err := time.ParseDuration(k.value.text)
	switch {
	case err != nil:
		t.bad(k.value.at, `%s = %q is no duration: write one like "500ms", "2s" or "1m"`, name, k.value.text)
	case v < least || v > most:
		t.bad(k.value.at, "%s = %q: choose %v to %v", name, k.value.text, least, most)
	default:
		return v, true
	}
	return 0, false
}

// item is a text with its place.
type item struct {
	text string
	at   Position
}

// items reads a list of texts. With lone, a text alone stands for a list of it.
func (t *table) items(name string, lone bool) []item {
	k := t.find(name)
	if k == nil {
		return nil
	}
	var all []item
	elems := k.value.elems
	switch {
	case k.value.form == textForm && lone:
		elems = []*node{k.value}
	case k.value.form == textForm:
		t.bad(k.value.at, "%s is a list, and here is text: write %s = [%q]", name, name, k.value.text)
		return nil
	case k.value.form != arrayForm:
		t.bad(k.value.at, "%s is a list, and here is %s: write %s = %s", name, k.value.form, name, examples[arrayForm])
		return nil
	}
	for _, n := range elems {
		if n.form != textForm {
			t.bad(n.at, "%s is a list of texts, and here is %s: put it in quotes", name, n.form)
			continue
		}
		all = append(all, item{n.text, n.at})
	}
	return all
}

// texts reads a list of texts that are not empty.
func (t *table) texts(name string, lone bool) []string {
	var all []string
	for _, i := range t.items(name, lone) {
		if t.plain(name, &node{text: i.text, at: i.at}) {
			all = append(all, i.text)
		}
	}
	return all
}

// command reads a command and its arguments, of which all but the first may be empty.
func (t *table) command(name string) []string {
	var all []string
	for i, one := range t.items(name, false) {
		if (i == 0 || one.text != "") && !t.plain(name, &node{text: one.text, at: one.at}) {
			return nil
		}
		all = append(all, one.text)
	}
	if t.hollow(name) {
		t.bad(t.where(name), "%s is an empty list: name an executable and its arguments", name)
	}
	return all
}

// pairs reads a table of texts.
func (t *table) pairs(name string) []pair {
	k := t.take(name, tableForm)
	if k == nil {
		return nil
	}
	var all []pair
	for _, one := range k.value.keys {
		if one.value.form != textForm {
			t.bad(one.value.at, "%s.%s is text, and here is %s: put it in quotes", name, one.name, one.value.form)
			continue
		}
		all = append(all, pair{item{one.name, one.at}, item{one.value.text, one.value.at}})
	}
	return all
}

type pair struct{ key, value item }

// path makes a path of the file absolute.
func (r *reader) path(written string) string {
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(r.dir, written)
}

// exists tells of a path that leads nowhere, and returns what is there.
func (r *reader) exists(name string, written string, at Position) fs.FileInfo {
	info, err := r.disk.Stat(r.path(written))
	if err != nil {
		r.bad(at, "%s: %s%s", name, reason(err, written), beside(written, r.dir))
		return nil
	}
	return info
}

// reason is what the file system says, without its own words around it.
func reason(err error, written string) string {
	if e, ok := err.(*fs.PathError); ok {
		err = e.Err
	}
	return fmt.Sprintf("%s: %v", written, err)
}

func beside(written, dir string) string {
	if filepath.IsAbs(written) {
		return ""
	}
	return ": paths are relative to " + dir
}

// finish tells of keys that nobody asked for.
func (t *table) finish() {
	if t.node == nil {
		return
	}
	for _, k := range t.node.keys {
		if !slices.Contains(t.known, k.name) {
			t.bad(k.at, "unknown key %q in %s%s", k.name, t.name, hint(k.name, t.known))
		}
	}
}

// hint is what may have been meant, or all that could be.
func hint(word string, words []string) string {
	if m := meant(word, words); m != "" {
		return m
	}
	words = slices.Clone(words)
	slices.Sort(words)
	return ": known are " + strings.Join(slices.Compact(words), ", ")
}
