package grammar

// Parts holds the parts of a text that rules derive. It decides quickly whether a text that differs
// in one place is in the language. If a small part around the difference still fits its rule, the
// whole text does. Parsing each such text as a whole would be slow.
type Parts struct {
	form *Form
	text []byte
	list []part // inner parts come before outer ones
}

// part is a piece of a text with the rule that derives it.
type part struct {
	rule       *rule
	begin, end int
}

const (
	maxPart    = 256 // bytes of a part that is parsed again
	maxReading = 8   // parts per text
)

// Parts parses a text. An error says where the text leaves the grammar.
func (f *Form) Parts(text []byte) (*Parts, error) {
	p := &Parts{form: f, text: append([]byte(nil), text...)}
	f.parts = &p.list
	defer func() { f.parts = nil }()
	if _, err := f.Tape(text); err != nil {
		return nil, err
	}
	return p, nil
}

// Clone returns another Form of the same grammar and limit.
func (f *Form) Clone() *Form { return f.g.Form(f.limit) }

// Fit reports whether a text is known to be in the language. Texts for which only a large part
// decides are unknown.
func (p *Parts) Fit(text []byte) bool {
	if len(text) > p.form.limit {
		return false
	}
	from, to := p.differ(text)
	more := len(text) - len(p.text)
	tries := 0
	for _, one := range p.list {
		if one.begin > from || one.end < to || one.end-one.begin+more > maxPart {
			continue
		}
		if p.form.match.whole(text[one.begin:one.end+more], one.rule.root) != none {
			return true
		}
		if tries++; tries == maxReading {
			break
		}
	}
	return false
}

// differ returns the range where a text differs: the parts before and behind it are the same.
func (p *Parts) differ(text []byte) (from, to int) {
	least := len(p.text)
	if len(text) < least {
		least = len(text)
	}
	for from < least && p.text[from] == text[from] {
		from++
	}
	same := 0
	for same < least-from && p.text[len(p.text)-1-same] == text[len(text)-1-same] {
		same++
	}
	return from, len(p.text) - same
}
