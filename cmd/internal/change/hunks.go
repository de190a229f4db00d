package change

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// hunk is a run of atoms that differ between two versions of a function.
type hunk struct {
	old, new []int // atoms
	blocks   []int // of the new version that contain the change, ascending
	at       token.Pos
	oldAt    token.Pos
	// for people: lines of the old version with minus, of the new one with plus signs
	text        string
	key         string // text with numbers for locals
	deletion    bool
	decides     bool // the change includes a condition
	declaration bool // the change includes the signature
}

// compare finds the differences of two versions of code. ok is false if they have so little in
// common that the whole is one change.
func compare(a, b *code) (hunks []hunk, ok bool) {
	if same(a, b) {
		return nil, true
	}
	plain := func(c *code) (list []string) {
		for _, at := range c.atoms {
			list = append(list, spelled(at.words, func(w word) string { return "§" }))
		}
		return list
	}
	pairs, ok := common(plain(a), plain(b))
	if !ok {
		return nil, false
	}
	names := matchLocals(a, b, pairs)
	pairs, ok = common(named(a, names), named(b, nil))
	if !ok {
		return nil, false
	}
	return hunksOf(a, b, pairs, names), true
}

// hunksOf returns the runs of atoms outside of a common subsequence. Runs separated only by marks
// are one hunk, unless a statement that both versions have ends there. Changes inside of that
// statement and after it are separate.
func hunksOf(a, b *code, pairs [][2]int, names map[int]int) (hunks []hunk) {
	to := map[int]int{} // atoms of b by those of a
	for _, p := range pairs {
		to[p[0]] = p[1]
	}
	i, k := 0, 0
	joined := false
	for _, p := range append(slices.Clone(pairs), [2]int{len(a.atoms), len(b.atoms)}) {
		if p[0] > i || p[1] > k {
			if !joined {
				hunks = append(hunks, hunk{})
			}
			h := &hunks[len(hunks)-1]
			for ; i < p[0]; i++ {
				h.old = append(h.old, i)
			}
			for ; k < p[1]; k++ {
				h.new = append(h.new, k)
			}
			joined = true
		}
		if p[1] < len(b.atoms) && (b.atoms[p[1]].role != mark || b.atoms[p[1]].words[0].text == "end") {
			joined = false
		}
		i, k = p[0]+1, p[1]+1
	}
	hunks = slices.DeleteFunc(moved(a, b, hunks, to, names), func(h hunk) bool { return len(h.old)+len(h.new) == 0 })
	for i := range hunks {
		hunks[i].fill(a, b, to, names)
	}
	hunks = slices.DeleteFunc(hunks, func(h hunk) bool { return h.text == "" })
	return append(hunks, nested(a, b, pairs, to, names)...)
}

// moved joins a hunk that only removes statements with the next one, if that adds the same
// statements and only marks are between them. These statements moved across the end of a branch.
func moved(a, b *code, hunks []hunk, to, names map[int]int) []hunk {
	was, is := named(a, names), named(b, nil)
	for i := range max(0, len(hunks)-1) {
		h, next := &hunks[i], &hunks[i+1]
		if len(h.new) > 0 || len(next.old) > 0 || len(h.old) == 0 || len(h.old) != len(next.new) {
			continue
		}
		same := true
		for at, old := range h.old {
			same = same && was[old] == is[next.new[at]]
		}
		for i := h.old[len(h.old)-1] + 1; same && i < len(a.atoms); i++ {
			if k, both := to[i]; both && k > next.new[0] {
				break
			}
			same = a.atoms[i].role == mark
		}
		if same {
			next.old, h.old = h.old, nil
		}
	}
	return hunks
}

// nested finds statements of both versions that moved to another branch, if both versions have both
// branches. A branch that only one version has is a hunk already.
func nested(a, b *code, pairs [][2]int, to, names map[int]int) (hunks []hunk) {
	// heads that both versions have; the function itself is always one
	kept := map[int]bool{0: true}
	for _, k := range to {
		kept[k] = true
	}
	to[0] = 0
	for _, p := range pairs {
		x, y := a.atoms[p[0]], b.atoms[p[1]]
		if x.role == mark || x.list < 0 || y.list < 0 {
			continue
		}
		was, is := a.lists[x.list], b.lists[y.list]
		head, ok := to[was.head]
		if !ok || !kept[is.head] || head == is.head && was.ordinal == is.ordinal {
			continue
		}
		h := hunk{old: []int{p[0]}, new: []int{p[1]}, at: y.pos, oldAt: x.pos}
		h.describe(a, b, names)
		h.key = "nested " + h.key
		h.addBlocks(y.block)
		hunks = append(hunks, h)
	}
	return hunks
}

// fill sets the blocks, the kind and the texts of a hunk.
func (h *hunk) fill(a, b *code, to map[int]int, names map[int]int) {
	h.describe(a, b, names)
	paired := map[int]int{} // atoms of a that correspond to those of b
	plainOld, plainNew := statements(a, h.old), statements(b, h.new)
	if len(plainOld) == len(plainNew) {
		for i := range plainOld {
			if a.atoms[plainOld[i]].role == b.atoms[plainNew[i]].role {
				paired[plainNew[i]] = plainOld[i]
			}
		}
	}
	for _, k := range h.new {
		at := b.atoms[k]
		switch at.role {
		case condition, clause:
			h.decides = true
		case signature:
			h.declaration = h.declaration || k == 0 // of the function itself, not of a closure
		}
		if at.role == mark && at.words[0].text != "else" {
			continue
		}
		if !h.at.IsValid() {
			h.at = at.pos
		}
		old, ok := paired[k]
		if !ok {
			h.addBlocks(at.block, at.body)
			for _, w := range at.words {
				h.addBlocks(w.block)
			}
			continue
		}
		h.within(a.atoms[old], at, names)
	}
	for _, k := range h.old {
		if role := a.atoms[k].role; role == condition || role == clause {
			h.decides = true
		}
		if !h.oldAt.IsValid() {
			h.oldAt = a.atoms[k].pos
		}
	}
	if len(plainNew) == 0 && len(plainOld) > 0 {
		h.deletion = true
		if at, ok := survivor(a, b, h.old[0], h.old[len(h.old)-1], to); ok {
			h.blocks = nil
			h.addBlocks(at.block)
			if !h.at.IsValid() {
				h.at = at.pos
			}
		}
	}
	slices.Sort(h.blocks)
	h.blocks = slices.Compact(h.blocks)
}

// statements returns those atoms that are not marks.
func statements(c *code, atoms []int) (list []int) {
	for _, i := range atoms {
		if c.atoms[i].role != mark {
			list = append(list, i)
		}
	}
	return list
}

func (h *hunk) addBlocks(blocks ...int) {
	for _, b := range blocks {
		if b != flow.None {
			h.blocks = append(h.blocks, b)
		}
	}
}

// within finds the blocks of words that the old version of the atom lacks. For removed words, the
// block of the next word counts, else that of the atom.
func (h *hunk) within(old, new atom, names map[int]int) {
	spell := func(words []word, names map[int]int) (list []string) {
		for _, w := range words {
			if w.local > 0 {
				list = append(list, number(w.local, names))
			} else {
				list = append(list, w.text)
			}
		}
		return list
	}
	before := len(h.blocks)
	pairs, _ := common(spell(old.words, names), spell(new.words, nil))
	var added []word
	i, k := 0, 0
	for _, p := range append(pairs, [2]int{len(old.words), len(new.words)}) {
		switch {
		case p[1] > k:
			added = append(added, new.words[k:p[1]]...)
		case p[0] > i:
			if p[1] < len(new.words) {
				h.addBlocks(new.words[p[1]].block)
			} else {
				h.addBlocks(new.block)
			}
		}
		i, k = p[0]+1, p[1]+1
	}
	bracket := func(w word) bool { return w.text == "(" || w.text == ")" }
	if slices.ContainsFunc(added, func(w word) bool { return !bracket(w) }) {
		// parentheses of an operator around words that both versions have
		added = slices.DeleteFunc(added, bracket)
	}
	for _, w := range added {
		h.addBlocks(w.block)
	}
	if new.role == clause {
		h.addBlocks(new.body)
	}
	if len(h.blocks) == before {
		h.addBlocks(new.block)
	}
}

// survivor returns the statement that represents a deletion. It is the next one that both versions
// have, else the one before, else the owner of the list of statements.
func survivor(a, b *code, first, last int, to map[int]int) (atom, bool) {
	where := a.atoms[first].list
	for i := last + 1; i < len(a.atoms); i++ {
		at := a.atoms[i]
		if at.role == mark {
			if at.words[0].text == "next" { // the statement after a loop's body, if there is one
				continue
			}
			break
		}
		if k, ok := to[i]; ok && at.role != clause {
			return b.atoms[k], true
		}
		break
	}
	for i := first - 1; i >= 0; i-- {
		at := a.atoms[i]
		k, ok := to[i]
		if at.list == where && ok && at.role != mark && at.role != clause && at.role != signature {
			return b.atoms[k], true
		}
		if where >= 0 && i == a.lists[where].head {
			break
		}
	}
	if where >= 0 && a.lists[where].head >= 0 {
		if k, ok := to[a.lists[where].head]; ok {
			for _, l := range b.lists {
				if l.head == k && l.ordinal == a.lists[where].ordinal {
					at := b.atoms[k]
					at.block = l.block
					return at, true
				}
			}
			return b.atoms[k], true
		}
	}
	// The rest of the list is removed or moved too: take any next atom, else any previous one.
	for i := last + 1; i < len(a.atoms); i++ {
		if k, ok := to[i]; ok && b.atoms[k].block != flow.None {
			return b.atoms[k], true
		}
	}
	for i := first - 1; i >= 0; i-- {
		if k, ok := to[i]; ok && b.atoms[k].block != flow.None {
			return b.atoms[k], true
		}
	}
	return atom{}, false
}

// describe writes the text and the key of a hunk.
func (h *hunk) describe(a, b *code, names map[int]int) {
	var text, key strings.Builder
	numbers := map[string]int{}
	line := func(sign string, at atom, names map[int]int) {
		text.WriteString(sign + tidy(at.words) + "\n")
		key.WriteString(sign + spelled(at.words, func(w word) string {
			id := number(w.local, names)
			if _, ok := numbers[id]; !ok {
				numbers[id] = len(numbers)
			}
			return fmt.Sprint("§", numbers[id])
		}) + "\n")
	}
	for _, i := range h.old {
		if a.atoms[i].role != mark || a.atoms[i].words[0].text == "else" {
			line("-", a.atoms[i], names)
		}
	}
	for _, k := range h.new {
		if b.atoms[k].role != mark || b.atoms[k].words[0].text == "else" {
			line("+", b.atoms[k], nil)
		}
	}
	h.text, h.key = text.String(), key.String()
}

// tidy renders words for people.
func tidy(words []word) string {
	var s strings.Builder
	last := ""
	for _, w := range words {
		text := w.text
		if w.ref != "" { // with the last element of the path, or without it
			text = text[strings.LastIndex(text, "/")+1:]
			text = strings.TrimLeft(text, ".")
		}
		if text == "" {
			continue
		}
		tight := last == "" || strings.Contains(",);]:", text[:1]) || text[0] == '.' || strings.Contains("([!&*", last[len(last)-1:]) ||
			(text == "(" || text == "[" || text == "{") && wordlike(last) && !token.IsKeyword(last)
		if !tight {
			s.WriteByte(' ')
		}
		s.WriteString(text)
		last = text
	}
	return s.String()
}

func wordlike(text string) bool {
	last := text[len(text)-1]
	return strings.IndexByte("_])", last) >= 0 || '0' <= last && last <= '9' || 'a' <= last && last <= 'z' || 'A' <= last && last <= 'Z'
}

func compareTexts(a, b []word) int {
	return slices.CompareFunc(a, b, func(x, y word) int { return strings.Compare(x.text, y.text) })
}
