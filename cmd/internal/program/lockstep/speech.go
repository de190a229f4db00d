package lockstep

import (
	"bytes"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// Of a program of which no blocks and no features are known, what it says is all there is: its
// cells guide (feature.Cells), words of its own go into the dictionary, and how outputs differ
// tells disagreements apart.

// listen computes the cells of answers, which were observed just before, and learns from those
// whose structure is new.
func (d *digest) listen(flats [][]byte, answers []program.Observation) {
	for i := range answers {
		a := &answers[i]
		a.Cells = a.Cells[:0]
		if a.Outcome >= oracle.Crashed {
			continue
		}
		said := d.buf[i]
		if a.Outcome != oracle.Accepted {
			d.message = append(d.message[:0], a.Message...)
			said = d.message
		}
		a.Cells = feature.AppendCells(a.Cells, a.Outcome == oracle.Accepted, said, flats[i])
		if structure := a.Cells[0]; !d.words.heard[structure] {
			d.words.heard[structure] = true
			d.words.learn(said, flats[i])
		}
	}
}

// say fills in what joint behaviors have of what was said.
func (l *lockstep) say(flats [][]byte, joints []feature.Joint) {
	for i := range flats {
		j := &joints[i]
		j.OutputDiff = l.apart(i, flats[i], j.Obs)
		for p, m := range l.running {
			if len(j.Cells) == p {
				j.Cells = append(j.Cells, nil)
			}
			if a := &l.answers[p][i]; m.silent {
				j.Cells[p], a.Cells = a.Cells, j.Cells[p]
			}
		}
	}
}

// apart is feature.Joint.OutputDiff of an input of the batch that has just run: how the outputs of
// those that accept it differ from the first one's, or the structure of what is accepted, if others
// do not accept it. It is 0 where blocks are known of all that it would be about.
func (l *lockstep) apart(i int, flat []byte, obs []oracle.Observation) uint64 {
	h, first, all := uint64(0), -1, true
	for p := range obs {
		switch {
		case obs[p].Outcome != oracle.Accepted:
			all = false
		case first < 0:
			first = p
		case obs[p].Value != obs[first].Value && (l.running[p].silent || l.running[first].silent):
			h = feature.Chain(h, feature.OutputDiff(l.digests[first].buf[i], l.digests[p].buf[i], flat))
		}
	}
	if h == 0 && !all && first >= 0 && l.running[first].silent {
		h = feature.Mix(uint64(l.answers[first][i].Cells[0]) + 1)
	}
	return h
}

// Words implements worker.Remote.
func (l *lockstep) Words() [][]byte {
	fresh := false
	for _, d := range l.digests {
		fresh, d.words.fresh = fresh || d.words.fresh, false
	}
	if !fresh {
		return nil
	}
	var all [][]byte
	seen := map[string]bool{}
	for _, d := range l.digests {
		for _, w := range d.words.words {
			if !seen[w] {
				seen[w] = true
				all = append(all, []byte(w))
			}
		}
	}
	return all
}

// vocabulary is the words of a program's own: those in its outputs and messages that the inputs had
// not.
type vocabulary struct {
	heard [feature.CellSpace]bool // structures of which words were learnt
	known map[string]bool
	words []string
	fresh bool // there are words that were not told
}

const (
	mostWords  = 64   // of a program
	wordsText  = 8    // of one text
	wordsBytes = 1024 // of a text that are looked at
	longest    = 32   // bytes of a word
)

// learn takes the words of a text, and what stands between spaces, quotes and brackets if that is
// short: &amp; and about:blank.
func (v *vocabulary) learn(text, input []byte) {
	text = text[:min(len(text), wordsBytes)]
	room := wordsText
	for i := 0; i < len(text) && room > 0 && len(v.words) < mostWords; {
		if parts(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && !parts(text[end]) {
			end++
		}
		chunk := text[i:end]
		for from := 0; from < len(chunk); {
			to := from
			for to < len(chunk) && inWord(chunk[to]) {
				to++
			}
			if to > from {
				room -= v.add(chunk[from:to], input)
			}
			from = to + 1
		}
		room -= v.add(chunk, input)
		i = end
	}
}

// add adds a word that is new and none of the input's, and returns 1 if it did.
func (v *vocabulary) add(word, input []byte) int {
	if len(word) < 2 || len(word) > longest || len(v.words) >= mostWords || v.known[string(word)] || bytes.Contains(input, word) {
		return 0
	}
	if v.known == nil {
		v.known = map[string]bool{}
	}
	v.known[string(word)] = true
	v.words = append(v.words, string(word))
	v.fresh = true
	return 1
}

// parts reports whether a byte stands between chunks of text.
func parts(c byte) bool {
	switch c {
	case '"', '\'', '`', '{', '}', '[', ']', '(', ')', ',':
		return true
	}
	return c <= ' ' || c == 0x7f
}

// inWord reports whether a byte can be part of a word.
func inWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
