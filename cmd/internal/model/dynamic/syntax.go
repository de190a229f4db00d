package dynamic

// syntax describes how the values of a language are written and classified.
type syntax struct {
	quote func(Value) string // as source
	class func(Value) string // for cells
	words bool               // integers have 64 bits

	numbers bool // many functions treat strings of digits as numbers
}

// syntaxes maps Function.Language to its syntax.
var syntaxes = map[string]syntax{
	"":    {quote: quotePython, class: classPython},
	"php": {quote: quotePHP, class: classPHP, words: true, numbers: true},
}

func (f *Function) syntax() syntax { return syntaxes[f.Language] }

// Write renders a value as source of a language.
func Write(language string, v Value) string { return syntaxes[language].quote(v) }
