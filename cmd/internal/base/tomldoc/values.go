package tomldoc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Text reads a text. It reports an empty text, which no key accepts, and a text with a NUL byte,
// which no name can have.
func (t *Table) Text(name string) string {
	k := t.FindForm(name, TextForm)
	if k == nil || !t.CheckText(name, Item{k.Value.Text, k.Value.At}) {
		return ""
	}
	return k.Value.Text
}

// CheckText reports whether a text can be a name: it is not empty, and has no NUL byte.
func (t *Table) CheckText(name string, n Item) bool {
	switch {
	case strings.TrimSpace(n.Text) == "":
		t.Reportf(n.At, "%s is empty: give a value, or remove the key", name)
	case strings.ContainsRune(n.Text, 0):
		t.Reportf(n.At, "%s has a NUL character, which no name or argument can have", name)
	default:
		return true
	}
	return false
}

// OneOf reads a text that must be one of words.
func (t *Table) OneOf(name string, words ...string) string {
	k := t.FindForm(name, TextForm)
	if k == nil {
		return ""
	}
	if !slices.Contains(words, k.Value.Text) {
		t.Reportf(k.Value.At, "%s = %q: choose %s%s", name, k.Value.Text, Alternatives(words), DidYouMean(k.Value.Text, words))
		return ""
	}
	return k.Value.Text
}

// Bool reads true or false.
func (t *Table) Bool(name string) bool {
	k := t.FindForm(name, BoolForm)
	return k != nil && k.Value.Text == "true"
}

// Int reads an integer from least to most.
func (t *Table) Int(name string, least, most int64) (int64, bool) {
	k := t.FindForm(name, IntegerForm)
	if k == nil {
		return 0, false
	}
	v, err := Integer(k.Value.Text)
	if err != nil || v < least || v > most {
		t.Reportf(k.Value.At, "%s = %s: choose %d to %d", name, k.Value.Text, least, most)
		return 0, false
	}
	return v, true
}

// Integer parses an integer as written in TOML.
func Integer(written string) (int64, error) {
	return strconv.ParseInt(strings.ReplaceAll(written, "_", ""), 0, 64)
}

// Size reads a number of bytes: an integer, or a text with a unit. If zero is set, 0 is valid and
// means no limit.
func (t *Table) Size(name string, least, most int64, zero bool) (int64, bool) {
	k := t.Find(name)
	if k == nil {
		return 0, false
	}
	var v int64
	var ok bool
	switch k.Value.Form {
	case TextForm:
		v, ok = ParseSize(k.Value.Text)
	case IntegerForm:
		n, err := Integer(k.Value.Text)
		v, ok = n, err == nil && n >= 0
	default:
		t.Reportf(k.Value.At, `%s is a size, and here is %s: write %s = "64MiB"`, name, k.Value.Form, name)
		return 0, false
	}
	switch {
	case !ok:
		t.Reportf(k.Value.At, `%s = %q is not a size: write a number and B, KiB, MiB or GiB, as in "64MiB"`, name, k.Value.Text)
	case v == 0 && zero:
		return 0, true
	case v < least:
		t.Reportf(k.Value.At, "%s = %q is too little: choose %s or more%s", name, k.Value.Text, BytesText(least), orNone(zero))
	case v > most:
		t.Reportf(k.Value.At, "%s = %q is too much: choose %s or less%s", name, k.Value.Text, BytesText(most), orNone(zero))
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

// ParseSize parses a size such as "64MiB". One letter is a valid unit, as for --memory. KB and the
// like are not, because they are ambiguous.
func ParseSize(s string) (int64, bool) {
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

// BytesText writes a size in its shortest form.
func BytesText(v int64) string {
	for _, u := range units[:3] {
		if v > 0 && v%(1<<u.shift) == 0 {
			return fmt.Sprintf("%d%s", v>>u.shift, u.name)
		}
	}
	return fmt.Sprintf("%dB", v)
}

// Duration reads a duration.
func (t *Table) Duration(name string, least, most time.Duration) (time.Duration, bool) {
	k := t.Find(name)
	if k == nil {
		return 0, false
	}
	switch k.Value.Form {
	case TextForm:
	case IntegerForm, FloatForm:
		t.Reportf(k.Value.At, `%s = %s has no unit: write %s = "%ss" if these are seconds`, name, k.Value.Text, name, k.Value.Text)
		return 0, false
	default:
		t.Reportf(k.Value.At, `%s is a duration, and here is %s: write %s = "2s"`, name, k.Value.Form, name)
		return 0, false
	}
	v, err := time.ParseDuration(k.Value.Text)
	switch {
	case err != nil:
		t.Reportf(k.Value.At, `%s = %q is not a duration: write one like "500ms", "2s" or "1m"`, name, k.Value.Text)
	case v < least || v > most:
		t.Reportf(k.Value.At, "%s = %q: choose %v to %v", name, k.Value.Text, least, most)
	default:
		return v, true
	}
	return 0, false
}

// Item is a text with its position.
type Item struct {
	Text string
	At   Position
}

// Items reads a list of texts. With lone, a single text is read as a list of one.
func (t *Table) Items(name string, lone bool) []Item {
	k := t.Find(name)
	if k == nil {
		return nil
	}
	var all []Item
	elems := k.Value.Elems
	switch {
	case k.Value.Form == TextForm && lone:
		elems = []*Node{k.Value}
	case k.Value.Form == TextForm:
		t.Reportf(k.Value.At, "%s is a list, and here is text: write %s = [%q]", name, name, k.Value.Text)
		return nil
	case k.Value.Form != ArrayForm:
		t.Reportf(k.Value.At, "%s is a list, and here is %s: write %s = %s", name, k.Value.Form, name, Examples[ArrayForm])
		return nil
	}
	for _, n := range elems {
		if n.Form != TextForm {
			t.Reportf(n.At, "%s is a list of texts, and here is %s: put it in quotes", name, n.Form)
			continue
		}
		all = append(all, Item{n.Text, n.At})
	}
	return all
}

// Texts reads a list of texts that are not empty.
func (t *Table) Texts(name string, lone bool) []string {
	var all []string
	for _, i := range t.Items(name, lone) {
		if t.CheckText(name, i) {
			all = append(all, i.Text)
		}
	}
	return all
}

// Command reads a command and its arguments. Only arguments may be empty.
func (t *Table) Command(name string) []string {
	var all []string
	for i, one := range t.Items(name, false) {
		if (i == 0 || one.Text != "") && !t.CheckText(name, one) {
			return nil
		}
		all = append(all, one.Text)
	}
	if t.IsEmptyList(name) {
		t.Reportf(t.ValuePosition(name), "%s is an empty list: name an executable and its arguments", name)
	}
	return all
}

// Pairs reads a table of texts.
func (t *Table) Pairs(name string) []Pair {
	k := t.FindForm(name, TableForm)
	if k == nil {
		return nil
	}
	var all []Pair
	for _, one := range k.Value.Keys {
		if one.Value.Form != TextForm {
			t.Reportf(one.Value.At, "%s.%s is text, and here is %s: put it in quotes", name, one.Name, one.Value.Form)
			continue
		}
		all = append(all, Pair{Item{one.Name, one.At}, Item{one.Value.Text, one.Value.At}})
	}
	return all
}

// Pair is a key with its text.
type Pair struct{ Key, Value Item }
