package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// checker finds mistakes in rules, and computes the properties of each node.
type checker struct {
	file   string
	rules  []*rule
	byName map[string]*rule
	// nodes whose characters are being computed; a node within itself has none
	within   map[*node]bool
	wrong    Problems
	warnings Problems
}

func (c *checker) fail(at place, format string, args ...any) {
	c.wrong = append(c.wrong, Problem{c.file, at.line, at.column, fmt.Sprintf(format, args...)})
}

func (c *checker) warn(at place, format string, args ...any) {
	c.warnings = append(c.warnings, Problem{c.file, at.line, at.column, fmt.Sprintf(format, args...)})
}

func (c *checker) check() {
	c.link()
	if len(c.wrong) > 0 {
		return
	}
	c.reach()
	c.characters()
	if len(c.wrong) > 0 {
		return
	}
	c.measure()
	left := c.leftRecursion()
	c.endless(left)
	for _, r := range c.rules {
		r.body.each(c.part)
	}
	if len(c.wrong) == 0 && c.rules[0].body.depth > maxDepth {
		c.fail(c.rules[0].at, "the shortest text of rule %s nests %d deep: %d is the limit", c.rules[0].name, c.rules[0].body.depth, maxDepth)
	}
}

// link resolves references to rules.
func (c *checker) link() {
	c.byName = map[string]*rule{}
	for _, r := range c.rules {
		if before := c.byName[r.name]; before != nil {
			c.fail(r.at, "there is another rule %s, at %d:%d: join them with |", r.name, before.at.line, before.at.column)
			continue
		}
		c.byName[r.name] = r
	}
	for _, r := range c.rules {
		r.body.each(func(n *node) {
			if n.kind != reference {
				return
			}
			if n.rule = c.byName[n.name]; n.rule == nil {
				c.fail(n.at, "there is no rule %s", n.name)
			}
		})
	}
}

// characters turns differences into classes.
func (c *checker) characters() {
	c.within = map[*node]bool{}
	for _, r := range c.rules {
		r.body.each(func(n *node) {
			if n.kind != difference {
				return
			}
			from, ok := c.set(n.subs[0])
			less, also := c.set(n.subs[1])
			switch {
			case !ok || !also:
				c.fail(n.at, "- takes characters away from characters, such as  [a-z] - [xyz]: a side here is more than one character")
				return
			case len(from.without(less)) == 0:
				c.fail(n.at, "- takes all characters away")
				return
			}
			n.kind, n.set, n.subs = class, from.without(less), nil
		})
	}
}

// set returns the characters of a node, if the node is always one character.
func (c *checker) set(n *node) (all set, ok bool) {
	switch {
	case n.kind == class:
		return n.set, true
	case n.kind == literal && utf8.RuneCountInString(n.text) == 1:
		char, _ := utf8.DecodeRuneInString(n.text)
		return set{char, char}, true
	case n.kind == literal, n.kind == sequence, n.kind == repeat, c.within[n]:
		return nil, false
	}
	c.within[n] = true
	defer delete(c.within, n)
	switch n.kind {
	case reference:
		return c.set(n.rule.body)
	case difference:
		from, ok := c.set(n.subs[0])
		if !ok {
			return nil, false
		}
		less, ok := c.set(n.subs[1])
		return from.without(less), ok
	}
	for _, sub := range n.subs {
		one, ok := c.set(sub)
		if !ok {
			return nil, false
		}
		all = append(all, one...)
	}
	return normal(all), true
}

// measure computes depth, size, nullability and first bytes of all nodes, each to its fixed point.
func (c *checker) measure() {
	for _, r := range c.rules {
		r.body.each(func(n *node) { n.depth, n.size = never, never })
	}
	for changed := true; changed; {
		changed = false
		for _, r := range c.rules {
			changed = r.body.update() || changed
		}
	}
}

// update computes a node's properties from its parts, and reports whether one changed.
func (n *node) update() (changed bool) {
	for _, sub := range n.subs {
		changed = sub.update() || changed
	}
	depth, size, nullable, first := 0, 0, true, bytes{}
	switch n.kind {
	case literal:
		if size, nullable = len(n.text), n.text == ""; !nullable {
			first.add(n.text[0])
		}
	case class:
		size, nullable, first = n.set.shortest(), false, n.set.leading()
	case sequence:
		for _, sub := range n.subs {
			if nullable {
				first.join(&sub.first)
			}
			depth, size, nullable = max(depth, sub.depth), min(never, size+sub.size), nullable && sub.nullable
		}
	case choice:
		depth, size, nullable = never, never, false
		for _, sub := range n.subs {
			first.join(&sub.first)
			depth, size, nullable = min(depth, sub.depth), min(size, sub.size), nullable || sub.nullable
		}
	case repeat:
		depth, first = 1, n.subs[0].first
		if n.min > 0 {
			depth = min(never, 2+n.subs[0].depth)
			size, nullable = min(never, n.min*n.subs[0].size), n.subs[0].nullable
		}
	case reference:
		b := n.rule.body
		depth, size, nullable, first = min(never, b.depth+1), b.size, b.nullable, b.first
	}
	changed = changed || depth != n.depth || size != n.size || nullable != n.nullable || first != n.first
	n.depth, n.size, n.nullable, n.first = depth, size, nullable, first
	return changed
}

// lefts calls f with the references with which a node may begin.
func (n *node) lefts(f func(*node)) {
	switch n.kind {
	case sequence:
		for _, sub := range n.subs {
			if sub.lefts(f); !sub.nullable {
				return
			}
		}
	case choice, repeat:
		for _, sub := range n.subs {
			sub.lefts(f)
		}
	case reference:
		f(n)
	}
}

// leftRecursion reports each cycle of rules that begin with each other once, and returns their
// rules.
func (c *checker) leftRecursion() map[*rule]bool {
	within := map[*rule]bool{}
	for _, start := range c.rules {
		if within[start] {
			continue
		}
		// Find the shortest way back to the start, by breadth-first search.
		from := map[*rule]*node{} // first reference that reached a rule
		owner := map[*node]*rule{}
		queue := []*rule{start}
		for len(queue) > 0 && from[start] == nil {
			r := queue[0]
			queue = queue[1:]
			r.body.lefts(func(n *node) {
				if from[n.rule] == nil {
					from[n.rule], owner[n] = n, r
					queue = append(queue, n.rule)
				}
			})
		}
		if from[start] == nil {
			continue
		}
		names, at := []string{start.name}, place{}
		for r := start; ; {
			n := from[r]
			r, at = owner[n], n.at
			within[r] = true
			names = append([]string{r.name}, names...)
			if r == start {
				break
			}
		}
		c.fail(at, "rule %s is left-recursive, it may begin with itself: %s. Write what repeats behind what it begins with, as in  sum ::= term (\"+\" term)*",
			start.name, strings.Join(names, " → "))
	}
	return within
}

// endless reports rules without finite texts.
func (c *checker) endless(left map[*rule]bool) {
	for _, r := range c.rules {
		if r.body.depth >= never && !left[r] {
			c.fail(r.at, "rule %s makes no text: each way through it needs a rule that never ends", r.name)
		}
	}
}

// part reports mistakes in one node.
func (c *checker) part(n *node) {
	switch n.kind {
	case repeat:
		if n.max == endless && n.subs[0].nullable {
			c.fail(n.at, "what is repeated without bound may be empty: then it could be repeated for ever. Take the ? or * or \"\" out of it")
		} else if n.min < n.max && n.subs[0].nullable {
			c.warn(n.at, "what is repeated may be empty, and so may be none of it: the grammar is ambiguous. Take the ? or * or \"\" out of it")
		}
	case choice:
		seen := map[string]place{}
		for _, sub := range n.subs {
			text := sub.String()
			if before, ok := seen[text]; ok {
				c.fail(sub.at, "the alternative %s is at %d:%d too: the grammar is ambiguous", text, before.line, before.column)
			}
			seen[text] = sub.at
		}
		c.empties(n)
	}
}

// empties warns of two alternatives that may be empty.
func (c *checker) empties(n *node) {
	var first *node
	for _, sub := range n.subs {
		switch {
		case !sub.nullable:
		case first == nil:
			first = sub
		default:
			c.warn(sub.at, "this alternative may be empty, and that at %d:%d too: the grammar is ambiguous", first.at.line, first.at.column)
			return
		}
	}
}

// reach warns of rules that are not reachable from the start.
func (c *checker) reach() {
	seen := map[*rule]bool{}
	var visit func(*rule)
	visit = func(r *rule) {
		if seen[r] {
			return
		}
		seen[r] = true
		r.body.each(func(n *node) {
			if n.kind == reference {
				visit(n.rule)
			}
		})
	}
	visit(c.rules[0])
	for _, r := range c.rules {
		if !seen[r] {
			c.warn(r.at, "rule %s is not used: the start is %s, the first rule", r.name, c.rules[0].name)
		}
	}
}

// String returns a node in the notation.
func (n *node) String() string {
	list := func(between string) string {
		parts := make([]string, len(n.subs))
		for i, sub := range n.subs {
			parts[i] = sub.String()
		}
		return "(" + strings.Join(parts, between) + ")"
	}
	switch n.kind {
	case literal:
		if strings.Contains(n.text, `"`) {
			return "'" + n.text + "'"
		}
		for _, c := range n.text {
			if c < ' ' {
				return fmt.Sprintf("#x%X", c) // a literal with such a character has no other
			}
		}
		return `"` + n.text + `"`
	case class:
		var b strings.Builder
		b.WriteByte('[')
		for i := 0; i < len(n.set); i += 2 {
			if b.WriteString(shown(n.set[i])); n.set[i] != n.set[i+1] {
				b.WriteString("-" + shown(n.set[i+1]))
			}
		}
		return b.String() + "]"
	case sequence:
		return list(" ")
	case choice:
		return list(" | ")
	case repeat:
		s := n.subs[0].String()
		switch {
		case n.min == 0 && n.max == 1:
			return s + "?"
		case n.min == 0 && n.max == endless:
			return s + "*"
		case n.min == 1 && n.max == endless:
			return s + "+"
		case n.max == endless:
			return fmt.Sprintf("%s{%d,}", s, n.min)
		}
		return fmt.Sprintf("%s{%d,%d}", s, n.min, n.max)
	}
	return n.name
}

// shown returns a character in the notation of a class.
func shown(c rune) string {
	if c > ' ' && c < 0x7f && !strings.ContainsRune("]-^#", c) {
		return string(c)
	}
	return fmt.Sprintf("#x%X", c)
}
