package dynamic

// tongue is how values of a language are written, and told apart.
type tongue struct {
	quote func(Value) string // as source
	class func(Value) string // in cells
	words bool               // integers have 64 bits

	numbers bool // strings of digits are numbers to many functions
}

// tongues are those of Function.Language.
var tongues = map[string]tongue{
	"":    {quote: quotePython, class: classPython},
	"php": {quote: quotePHP, class: classPHP, words: true, numbers: true},
}

func (f *Function) tongue() tongue { return tongues[f.Language] }

// Write is a value as source of a language.
func Write(language string, v Value) string { return tongues[language].quote(v) }
