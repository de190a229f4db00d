package clang

import (
	"os"
	"strings"
)

// expand replaces @FILE by the arguments in the file, as clang does: separated by white space, with
// quotes and backslashes. It keeps unreadable ones, for which clang reports the error.
func expand(args []string) []string { return expandWithin(args, maxNested) }

// maxNested limits nested response files. One that names itself is kept beyond this depth, and
// clang reports the error.
const maxNested = 16

func expandWithin(args []string, depth int) []string {
	var out []string
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "@"); ok && depth > 0 {
			if text, err := os.ReadFile(name); err == nil {
				out = append(out, expandWithin(splitWords(string(text)), depth-1)...)
				continue
			}
		}
		out = append(out, arg)
	}
	return out
}

func splitWords(text string) []string {
	var words []string
	var word strings.Builder
	started := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			started = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, started = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words
}

// longest limits the bytes of arguments on the command line. Linux allows 2 MB including the
// environment, by default.
const longest = 256 << 10

// inFile puts arguments into a file in dir if they are too many for a command line.
func inFile(dir string, args []string) ([]string, error) {
	n := 0
	for _, a := range args {
		n += len(a) + 9
	}
	if n <= longest {
		return args, nil
	}
	f, err := os.CreateTemp(dir, "arguments")
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, a := range args {
		text.WriteByte('"')
		text.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a))
		text.WriteString("\"\n")
	}
	_, err = f.WriteString(text.String())
	if e := f.Close(); err == nil {
		err = e
	}
	return []string{"@" + f.Name()}, err
}
