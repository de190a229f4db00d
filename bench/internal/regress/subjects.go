package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// subject is a pair of versions.
type subject struct {
	Name              string
	Module, Good, Bad string // of Go
	Fuzz              string
	Kind              string // crash, output, hang or control
	Control           string // of a control: "both fail" or "no difference"
	C                 bool
	Development       bool // defaults may be chosen on it
}

// The lists of pairs, from bench/regress on.
const (
	goPairs  = "subjects.toml"
	cPairs   = "c/subjects-c.toml"
	analysis = "analysis/subjects.toml"
)

// versions returns the compared versions.
func (s subject) versions() string {
	if s.C {
		return "base head"
	}
	return s.Good + " " + s.Bad
}

// witness is the path of the inputs that show what the change broke, as --seeds takes it, "" if the
// versions do not differ.
func (s subject) witness(root string) string {
	switch {
	case s.C:
		return filepath.Join(root, "c", "pairs", s.Name, "witness")
	case s.Control == noDifference:
		return ""
	}
	return filepath.Join(root, "testdata", s.Name, "input")
}

// harness is the folder of the FuzzXxx of a pair of Go.
func (s subject) harness(root string) string {
	if s.Kind == analysisOnly {
		return filepath.Join(root, "analysis", s.Name)
	}
	return filepath.Join(root, "go", s.Name)
}

const (
	// analysisOnly is the kind of a pair for which only the cost of its analysis is measured.
	analysisOnly = "analysis"

	control      = "control"
	bothFail     = "both fail"
	noDifference = "no difference"
)

// readSubjects reads the lists of pairs. only chooses among the names.
func readSubjects(root, only string, lists ...string) (chosen []subject, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	for _, file := range lists {
		data, err := os.ReadFile(filepath.Join(root, file))
		if errors.Is(err, fs.ErrNotExist) && file != goPairs {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("-root: %w", err)
		}
		list, err := parseSubjects(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s:%w", file, err)
		}
		for _, s := range list {
			if pattern.MatchString(s.Name) {
				chosen = append(chosen, s)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only: %q is no subject", only)
	}
	return chosen, nil
}

// parseSubjects reads the part of TOML that the lists need: tables [[subject]] of strings, numbers,
// bools and lists of strings, each value on a line.
func parseSubjects(text string) (list []subject, err error) {
	var development []string
	table := map[string]any{}
	var tables []map[string]any
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch key, value, assigned := strings.Cut(line, "="); {
		case line == "" || line[0] == '#':
		case line == "[[subject]]":
			table = map[string]any{}
			tables = append(tables, table)
		case assigned:
			v, rest, err := parseValue(strings.TrimSpace(value))
			if rest = strings.TrimSpace(rest); err == nil && rest != "" && rest[0] != '#' {
				err = fmt.Errorf("%q follows the value", rest)
			}
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i+1, err)
			}
			key = strings.TrimSpace(key)
			if len(tables) == 0 && key == "development" {
				development, _ = v.([]string)
			}
			if table[key] != nil {
				return nil, fmt.Errorf("%d: %s is there twice", i+1, key)
			}
			table[key] = v
		default:
			return nil, fmt.Errorf("%d: %q is not understood", i+1, line)
		}
	}
	for _, t := range tables {
		s, err := subjectOf(t)
		if err != nil {
			return nil, fmt.Errorf(" %w", err)
		}
		s.Development = slices.Contains(development, s.Name)
		list = append(list, s)
	}
	return list, nil
}

func subjectOf(t map[string]any) (subject, error) {
	text := func(key string) string {
		s, _ := t[key].(string)
		return s
	}
	s := subject{
		Name: text("name"), Module: text("module"), Good: text("good"), Bad: text("bad"), Fuzz: text("fuzz"), Kind: text("kind"), Control: text("control"),
	}
	if s.Module == "" { // of C, where the list says what the witness does
		s.C = true
		if s.Kind = text("witness"); s.Kind == "value" || s.Kind == "verdict" {
			s.Kind = "output"
		}
	}
	if s.Name == "" || s.Kind == "" || !s.C && (s.Good == "" || s.Bad == "" || s.Fuzz == "") {
		return s, fmt.Errorf("subject %q is not complete", s.Name)
	}
	return s, nil
}

// parseValue reads the value that a text begins with.
func parseValue(text string) (v any, rest string, err error) {
	switch {
	case text == "":
		return nil, "", errors.New("there is no value")
	case text[0] == '"':
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, "", fmt.Errorf("%s is no string", text)
		}
		s, err := strconv.Unquote(quoted)
		return s, text[len(quoted):], err
	case text[0] == '[':
		list := []string{}
		for text = strings.TrimSpace(text[1:]); !strings.HasPrefix(text, "]"); text = strings.TrimSpace(text) {
			v, rest, err := parseValue(text)
			s, ok := v.(string)
			if err != nil || !ok {
				return nil, "", errors.New("only lists of strings are understood")
			}
			list = append(list, s)
			text = strings.TrimPrefix(strings.TrimSpace(rest), ",")
		}
		return list, text[1:], nil
	}
	word := text
	if i := strings.IndexAny(text, " \t#,]"); i >= 0 {
		word = text[:i]
	}
	if b, err := strconv.ParseBool(word); err == nil {
		return b, text[len(word):], nil
	}
	n, err := strconv.Atoi(word)
	return n, text[len(word):], err
}
