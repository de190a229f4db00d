package grammar

// Parts are the parts of a text that rules stand for. They tell of texts that differ from it in one place whether they are of the language: where a
// small part around the difference still is what its rule says, the whole is. To read all of each such text would take long.
type Parts struct {
	form *Form
	text []byte
	list []part // those within another one come before it
}

// part is what a rule stands for in a text.
type part struct {
	rule       *rule
	begin, end int
}

const (
	maxPart    = 256 // bytes of a part that is read anew
	maxReading = 8   // parts
)

// Parts reads a text. The error says where it leaves the grammar.
func (f *Form) Parts(text []byte) (*Parts, error) {
	p := &Parts{form: f, text: append([]byte(nil), text...)}
	f.parts = &p.list
	defer func() { f.parts = nil }()
	if _, err := f.Tape(text); err != nil {
		return nil, err
	}
	return p, nil
}

// Clone is another Form of the same grammar and limit.
func (f *Form) Clone() *Form { return f.g.Form(f.limit) }

// Fit reports whether a text is known to be of the language, too. If only a large part shows it, it is not known.
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

// differ is where another text differs: what stands before and behind that is the same.
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
