package lockstep

import (
	"bytes"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// The output of a program without blocks and features guides it. Cells of the output
// (feature.Cells) are features. Its own words enter the dictionary, and so do the differences
// between outputs of a disagreement.

// listen computes the cells of answers just observed, and learns words from those with a new
// structure.
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

// fillOutputs fills the parts of joint behaviors that depend on outputs.
func (l *lockstep) fillOutputs(flats [][]byte, joints []feature.Joint) {
	for i := range flats {
		j := &joints[i]
		j.OutputDiff = l.outputDiff(i, flats[i], j.Obs)
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

// outputDiff returns the feature.Joint.OutputDiff of an input of the current batch: how the outputs
// of accepting programs differ from the first one's. If some programs do not accept, it is the
// structure of the accepted output. It is 0 if all programs concerned have coverage.
func (l *lockstep) outputDiff(i int, flat []byte, obs []oracle.Observation) uint64 {
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

// vocabulary holds a program's own words: those in its outputs and messages, but not in the inputs.
type vocabulary struct {
	heard [feature.CellSpace]bool // structures whose words were learned
	known map[string]bool
	words []string
	fresh bool // there are words that were not reported
}

const (
	mostWords  = 64   // per program
	wordsText  = 8    // per text
	wordsBytes = 1024 // of a text that are searched
	longest    = 32   // bytes of a word
)

// learn adds the words of a text, and short chunks between spaces, quotes and brackets, such as
// &amp; and about:blank.
func (v *vocabulary) learn(text, input []byte) {
	text = text[:min(len(text), wordsBytes)]
	room := wordsText
	for i := 0; i < len(text) && room > 0 && len(v.words) < mostWords; {
		if separates(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && !separates(text[end]) {
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

// add adds a new word that is not in the input. It returns 1 if it did.
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

// separates reports whether a byte separates chunks of text.
func separates(c byte) bool {
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
