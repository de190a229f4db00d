// Tables writes the tables of the pages of bench from the samples that are committed. It runs in
// the folder bench:
//
//	tables
//
// A page has a table between a line <!-- table: NAME --> and a line <!-- end -->. Text outside of
// these is left alone.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// table is a name in the pages, and the program of bench, with its arguments, that prints the
// table.
type table struct {
	name    string
	program string
	args    []string
}

var tables = []table{
	{"behaviour-b0", "internal/behaviour", []string{"-table", "b0", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"behaviour-b1", "internal/behaviour", []string{"-table", "b1", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"behaviour-b2", "internal/behaviour", []string{"-table", "b2", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"behaviour-inputs", "internal/behaviour", []string{"-table", "inputs", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"behaviour-lead", "internal/behaviour", []string{"-table", "lead", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"behaviour-valid-traces", "internal/behaviour", []string{"-table", "valid-traces", "behaviour/behaviour.samples.jsonl", "behaviour/default.samples.jsonl"}},
	{"blind", "blind", []string{"blind/before.samples.jsonl", "blind/after.samples.jsonl", "blind/covered.samples.jsonl"}},
	{"c-puzzles", "c", []string{"-table", "-puzzles", "c/puzzles.jsonl"}},
	{"c-throughput", "c", []string{"-table", "-samples", "c/samples.jsonl"}},
	{"causes", "causes", []string{"-table", "causes/samples.jsonl"}},
	{"cover", "cover", []string{"-table", "-samples", "cover/samples.jsonl"}},
	{"generate", "internal/generate", []string{"-table", "-samples", "generate/samples.jsonl"}},
	{"growth-json-valid", "growth", []string{"-table", "growth/json-valid.csv"}},
	{"growth-toml-decode", "growth", []string{"-table", "growth/toml-decode.csv"}},
	{"judging", "judging", []string{"-table", "-samples", "judging/samples.jsonl"}},
	{"programs", "programs", []string{"-table", "-samples", "programs/samples.jsonl"}},
	{"reach", "reach", []string{"-table", "reach/samples.jsonl"}},
	{"reach-geo", "reach", []string{"-table", "reach/geo.samples.jsonl"}},
	{"schedule", "schedule", []string{"-table", "schedule/samples.jsonl"}},
	{"schedule-pilot", "schedule", []string{"-table", "schedule/pilot.jsonl"}},
	{"soak-cheap", "soak", []string{"-table", "-only", "^cheap$", "-samples", "soak/samples.jsonl"}},
	{"soak-hashes", "soak", []string{"-table", "-only", "^hashes$", "-samples", "soak/samples.jsonl"}},
	{"soak-json", "soak", []string{"-table", "-only", "^json$", "-samples", "soak/samples.jsonl"}},
	{"throughput", "throughput", []string{"-table", "throughput/samples.jsonl"}},
	{"wavering", "wavering", []string{"-table", "-samples", "wavering/samples.jsonl"}},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run() error {
	texts, err := outputs(".")
	if err != nil {
		return err
	}
	files, err := pages(".")
	if err != nil {
		return err
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		present, _, err := replace(string(page), texts)
		if err != nil {
			return fmt.Errorf("%s:%w", file, err)
		}
		if present == string(page) {
			continue
		}
		if err := os.WriteFile(file, []byte(present), 0o666); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}

// pages are the files that may have tables.
func pages(bench string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(bench, "*.md"))
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob(filepath.Join(bench, "*", "README.md"))
	return append(files, more...), err
}

// outputs builds the programs and runs them in the folder bench. It returns what each table is, by
// name.
func outputs(bench string) (map[string]string, error) {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	build := []string{"build", "-o", dir + string(filepath.Separator)}
	for _, t := range tables {
		if p := "./" + t.program; !slices.Contains(build, p) {
			build = append(build, p)
		}
	}
	if _, err := output(bench, "go", build...); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, t := range tables {
		text, err := output(bench, filepath.Join(dir, filepath.Base(t.program)), t.args...)
		if err != nil {
			return nil, err
		}
		texts[t.name] = strings.TrimSpace(text)
	}
	return texts, nil
}

func output(dir, program string, args ...string) (string, error) {
	var out, said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, said.Bytes())
	}
	return out.String(), nil
}

const (
	begin = "<!-- table: "
	end   = "<!-- end -->"
)

// replace puts texts between the markers of a page. It returns the new page and the names of its
// tables. An error begins with the number of a line.
func replace(page string, texts map[string]string) (present string, names []string, err error) {
	var b strings.Builder
	inside := 0 // the line of the marker that has begun
	n := 0
	for line := range strings.Lines(page) {
		n++
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, begin):
			if inside > 0 {
				return "", nil, fmt.Errorf("%d: a table begins before the one of line %d has its %s", n, inside, end)
			}
			name := strings.TrimSuffix(strings.TrimPrefix(text, begin), " -->")
			table, ok := texts[name]
			if !ok {
				return "", nil, fmt.Errorf("%d: no program prints a table %q", n, name)
			}
			inside, names = n, append(names, name)
			fmt.Fprintf(&b, "%s\n%s\n\n", line, table) // line ends with a newline
		case text == end:
			if inside == 0 {
				return "", nil, fmt.Errorf("%d: %s without a table", n, end)
			}
			inside = 0
			b.WriteString(line)
		case inside == 0:
			b.WriteString(line)
		}
	}
	if inside > 0 {
		return "", nil, fmt.Errorf("%d: the table has no %s", inside, end)
	}
	return b.String(), names, nil
}
