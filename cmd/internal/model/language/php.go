package language

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
)

// phpFlags suppress PHP's own messages in answers, and fix the format of numbers whatever this
// machine's php.ini says.
var phpFlags = []string{"-d", "display_errors=0", "-d", "log_errors=0", "-d", "precision=14", "-d", "serialize_precision=-1", "-d", "memory_limit=16M", "-d", "default_charset=UTF-8"}

var php = &Language{
	Name: "php", Shown: "PHP", Command: "php", Install: "apt-get install php-cli",
	Signature: signaturePHP, read: readPHP, convert: convertPHP, result: resultPHP, flags: phpFlags,
	files: []string{"shown.php", "call.php", "describe.php"},
	call: func(dir string, f *dynamic.Function) []string {
		return append(append([]string{"php"}, phpFlags...), filepath.Join(dir, "call.php"), f.Function)
	},
	alone: func(f *dynamic.Function, c dynamic.Call) (name, text string) {
		quoted := f.Quote(c)
		return "original.php", source("shown.php") + fmt.Sprintf(`
error_reporting(0);
try {
    echo 'returns ', shown(%s), "\n";
} catch (Throwable $e) {
    echo 'raises ', get_class($e), "\n";
}
`, quoted)
	},
}

// kindsPHP maps PHP types of arguments to kinds of values.
var kindsPHP = map[string][]string{
	"string": {"bytes"}, "int": {"int"}, "float": {"float"}, "bool": {"bool"}, "null": {"none"},
	"mixed": {"bytes", "int", "float", "bool", "none"},
}

const typesPHP = "string, int, float, bool, null, mixed, or several as in string|int"

var (
	functionPHP  = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*(?::\s*([\w|?]+))?\s*;?\s*$`)
	parameterPHP = lazyregexp.New(`^\s*(\??[\w|\\]+)\s+(&|\.\.\.)?\$(\w+)\s*(?:=\s*(.+?))?\s*$`)
)

// signaturePHP parses a function as PHP's manual writes it: strpos(string $haystack, string
// $needle, int $offset = 0): int|false.
func signaturePHP(text string) (*dynamic.Function, error) {
	w := functionPHP().FindStringSubmatch(text)
	if w == nil {
		return nil, errors.New("it is no signature: write it as PHP's manual does, like strrev(string $string): string")
	}
	f := &dynamic.Function{Language: "php", Function: w[1], Form: w[1] + "({...})"}
	for _, part := range splitPHP(w[2]) {
		p := parameterPHP().FindStringSubmatch(part)
		switch {
		case p == nil:
			return nil, fmt.Errorf("the parameter %q is not written like int $offset = 0", strings.TrimSpace(part))
		case p[2] == "&":
			return nil, fmt.Errorf("$%s is a variable that the function changes, which is not supported", p[3])
		case p[2] != "":
			return nil, fmt.Errorf("$%s is any number of parameters: write those that are given in calls", p[3])
		}
		one := extract.Parameter{Name: p[3], Default: p[4], Optional: p[4] != ""}
		types := p[1]
		if strings.HasPrefix(types, "?") {
			types = types[1:] + "|null"
		}
		for _, t := range strings.Split(types, "|") {
			kinds := kindsPHP[t]
			if kinds == nil {
				return nil, fmt.Errorf("there is no type %q for $%s: choose %s", t, p[3], typesPHP)
			}
			one.Kinds = append(one.Kinds, kinds...)
		}
		if one.Optional {
			if _, err := readPHP(one.Default); err != nil {
				return nil, fmt.Errorf("the default of $%s: %w", p[3], err)
			}
		} else if n := len(f.Parameters); n > 0 && f.Parameters[n-1].Optional {
			return nil, fmt.Errorf("$%s has no default, and the parameter before it has one", p[3])
		}
		f.Parameters = append(f.Parameters, one)
	}
	if len(f.Parameters) == 0 {
		return nil, fmt.Errorf("%s takes no parameters, and so has nothing to be compared on", f.Function)
	}
	return f, nil
}

// splitPHP splits parameters at commas outside of strings.
func splitPHP(text string) (parts []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	from, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == ',':
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

// readPHP parses a value as written by quotePHP of package dynamic and by shown.php.
func readPHP(source string) (dynamic.Value, error) {
	switch strings.ToLower(source) {
	case "null":
		return dynamic.Value{Kind: "none"}, nil
	case "true", "false":
		return dynamic.Value{Kind: "bool", Bool: strings.EqualFold(source, "true")}, nil
	case "php_int_min":
		return dynamic.Value{Kind: "int", Int: big.NewInt(math.MinInt64)}, nil
	}
	if n, ok := new(big.Int).SetString(source, 10); ok {
		return dynamic.Value{Kind: "int", Int: n}, nil
	}
	if len(source) >= 2 && source[0] == '\'' && source[len(source)-1] == '\'' && !strings.ContainsAny(source[1:len(source)-1], `'\`) {
		return dynamic.Value{Kind: "bytes", Text: source[1 : len(source)-1]}, nil
	}
	if len(source) >= 2 && source[0] == '"' && source[len(source)-1] == '"' {
		text, err := unquotePHP(source[1 : len(source)-1])
		return dynamic.Value{Kind: "bytes", Text: text}, err
	}
	if x, err := strconv.ParseFloat(source, 64); err == nil {
		return dynamic.Value{Kind: "float", Float: x}, nil
	}
	return dynamic.Value{}, fmt.Errorf("%q is no value: write a number, a string in quotes, true, false or null", source)
}

func unquotePHP(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(text) {
			return "", errors.New("a string ends in a backslash")
		}
		switch c = text[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case '\\', '"', '$':
			b.WriteByte(c)
		case 'x':
			n, err := strconv.ParseUint(text[i+1:min(i+3, len(text))], 16, 8)
			if err != nil {
				return "", fmt.Errorf(`\x in a string precedes two digits: %w`, err)
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			return "", fmt.Errorf(`\%c in a string is not supported`, c)
		}
	}
	return b.String(), nil
}

// runes converts bytes to code points: PHP's strings are bytes, and those of formulas code points.
func runes(text string) []rune {
	list := make([]rune, len(text))
	for i := range len(text) {
		list[i] = rune(text[i])
	}
	return list
}

// resultPHP converts a formula's value to PHP. Integers beyond 64 bits are kept, and so never equal
// one of PHP's.
func resultPHP(v smt.Value) (dynamic.Value, error) {
	switch v.Sort() {
	case smt.Int:
		return dynamic.Value{Kind: "int", Int: v.Big()}, nil
	case smt.Bool:
		return dynamic.Value{Kind: "bool", Bool: v.Bool()}, nil
	}
	var b []byte
	for _, r := range v.Text() {
		if r > 0xff {
			return dynamic.Value{}, fmt.Errorf("the model's result has the character U+%04X, and PHP's strings are bytes", r)
		}
		b = append(b, byte(r))
	}
	return dynamic.Value{Kind: "bytes", Text: string(b)}, nil
}

// convertPHP casts a value as PHP does: (int), (string), (bool). An engine that gives a variable
// one sort reads all values that way.
func convertPHP(v dynamic.Value, to *smt.Sort) (smt.Value, error) {
	switch to {
	case smt.Int:
		n, err := intPHP(v)
		if err != nil {
			return smt.Value{}, err
		}
		return smt.IntValue(n), nil
	case smt.String:
		return smt.TextValue(runes(stringPHP(v))), nil
	}
	return smt.BoolValue(boolPHP(v)), nil
}

// prefixPHP matches the number at the start of a string.
var prefixPHP = lazyregexp.New(`^[ \t\n\r\v\f]*([+-]?(?:\d+(\.\d*)?|(\.\d+))([eE][+-]?\d+)?)`)

func intPHP(v dynamic.Value) (*big.Int, error) {
	switch v.Kind {
	case "int":
		return v.Int, nil
	case "bool":
		if v.Bool {
			return big.NewInt(1), nil
		}
	case "float":
		return truncated(v.Float)
	case "bytes":
		w := prefixPHP().FindStringSubmatch(v.Text)
		if w == nil {
			break
		}
		if n, ok := new(big.Int).SetString(strings.TrimPrefix(w[1], "+"), 10); ok && n.IsInt64() {
			return n, nil
		}
		x, err := strconv.ParseFloat(w[1], 64)
		if err != nil && math.IsInf(x, 0) {
			return nil, errors.New("the number in the string has no place in 64 bits")
		}
		return truncated(x)
	}
	return new(big.Int), nil
}

// truncated returns a float without its fraction.
func truncated(x float64) (*big.Int, error) {
	if math.IsNaN(x) || math.Abs(x) >= 1<<63 {
		return nil, fmt.Errorf("the number %g has no place in 64 bits", x)
	}
	return big.NewInt(int64(x)), nil
}

func stringPHP(v dynamic.Value) string {
	switch v.Kind {
	case "bytes":
		return v.Text
	case "int":
		return v.Int.String()
	case "bool":
		if v.Bool {
			return "1"
		}
	case "float":
		return floatPHP(v.Float)
	}
	return ""
}

// floatPHP renders a float as echo does, with 14 digits.
func floatPHP(x float64) string {
	const digits = 14
	switch {
	case math.IsNaN(x):
		return "NAN"
	case math.IsInf(x, 1):
		return "INF"
	case math.IsInf(x, -1):
		return "-INF"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	e, _ := strconv.Atoi(exponent) // FormatFloat writes a number
	if e < -4 || e >= digits {
		mantissa = strings.TrimRight(mantissa, "0")
		if strings.HasSuffix(mantissa, ".") {
			mantissa += "0"
		}
		return fmt.Sprintf("%sE%+d", mantissa, e)
	}
	text := strconv.FormatFloat(x, 'f', max(digits-1-e, 0), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func boolPHP(v dynamic.Value) bool {
	switch v.Kind {
	case "bytes":
		return v.Text != "" && v.Text != "0"
	case "int":
		return v.Int.Sign() != 0
	case "float":
		return v.Float != 0
	case "bool":
		return v.Bool
	}
	return false
}
