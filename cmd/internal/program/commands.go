package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/tomldoc"
)

// Functions shared by kinds that run commands, for places of inputs and for environments.

// Place matches a part of a command that differs per input: a file with the input, the input
// itself, or a file to write. Files may have an extension, for programs that need it.
var Place = lazyregexp.New(`\{(?:arg|(input|output)(?:\.[A-Za-z0-9._+-]+)?)\}`)

// NoPlace reports a place in a command that is not started per input.
func NoPlace(t *tomldoc.Table, name string, command []string, because string) {
	for _, arg := range command {
		if found := Place().FindString(arg); found != "" {
			t.Reportf(t.ValuePosition(name), "%s has no %s: %s", name, found, because)
			return
		}
	}
}

// VariableForm matches names of variables that shells and programs accept; exec itself restricts
// only the first character.
var VariableForm = lazyregexp.New(`^[^=\x00\s]+$`)

// Variables reads a table of environment variables.
func Variables(t *tomldoc.Table, name string) map[string]string {
	var all map[string]string
	for _, p := range t.Pairs(name) {
		switch {
		case !VariableForm().MatchString(p.Key.Text):
			t.Reportf(p.Key.At, "%s: %q is no name of a variable", name, p.Key.Text)
		case strings.ContainsRune(p.Value.Text, 0):
			t.Reportf(p.Value.At, "%s.%s has a NUL character, which no variable can have", name, p.Key.Text)
		default:
			if all == nil {
				all = map[string]string{}
			}
			all[p.Key.Text] = p.Value.Text
		}
	}
	return all
}

// Absolute returns a command that means the same in any folder: arguments that name regular files
// in dir become absolute. The executable does only if it has a slash, because otherwise it is
// searched in PATH.
func Absolute(dir string, command []string) []string {
	all := slices.Clone(command)
	for i, arg := range all {
		if arg == "" || filepath.IsAbs(arg) || i == 0 && !strings.Contains(arg, "/") {
			continue
		}
		path := filepath.Join(dir, arg)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			all[i] = path
		}
	}
	return all
}

// Listed joins pairs of a name and a text, and skips empty texts.
func Listed(pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, pairs[i]+" "+pairs[i+1])
		}
	}
	return strings.Join(all, ", ")
}

// Line returns a command as a user would type it. Places stay as written in parallax.toml.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if !strings.HasPrefix(w, "{") {
			quoted[i] = shell.Word(w)
		}
	}
	return strings.Join(quoted, " ")
}
