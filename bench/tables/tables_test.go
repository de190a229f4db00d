package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages: the tables in the pages are those of the committed samples, and each is in one page.
func TestPages(t *testing.T) {
	texts, err := outputs("..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := pages("..")
	if err != nil {
		t.Fatal(err)
	}
	note(t)
	where := map[string]string{}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		present, names, err := replace(string(page), texts)
		if err != nil {
			t.Errorf("%s:%v", file, err)
			continue
		}
		for _, name := range names {
			if other, ok := where[name]; ok {
				t.Errorf("%s: the table %s is in %s too", file, name, other)
			}
			where[name] = file
		}
		a, b := strings.Split(string(page), "\n"), strings.Split(present, "\n")
		for i := range b {
			if i >= len(a) || a[i] != b[i] {
				t.Errorf("%s:%d: a table is not that of the samples (make -C bench tables writes it); want\n%s", filepath.Clean(file), i+1, b[i])
				break
			}
		}
	}
	for _, table := range tables {
		if where[table.name] == "" {
			t.Errorf("no page has the table %s", table.name)
		}
	}
}

// note has the go command see the files that the programs are made of and read, which decide
// whether a result in its cache holds.
func note(t *testing.T) {
	files, err := filepath.Glob("../internal/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		sources, err := filepath.Glob("../" + table.program + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, sources...)
		for _, arg := range table.args {
			files = append(files, "../"+arg)
		}
	}
	for _, file := range files {
		os.Stat(file)
	}
}

func TestReplace(t *testing.T) {
	texts := map[string]string{"x": "| new |"}
	for _, test := range []struct{ page, want, problem string }{
		{page: "a\n<!-- table: x -->\nold\nold\n<!-- end -->\nb\n", want: "a\n<!-- table: x -->\n\n| new |\n\n<!-- end -->\nb\n"},
		{page: "no table\n", want: "no table\n"},
		{page: "a\n<!-- table: y -->\n<!-- end -->\n", problem: `2: no program prints a table "y"`},
		{page: "<!-- table: x -->\n", problem: "1: the table has no <!-- end -->"},
		{page: "<!-- end -->\n", problem: "1: <!-- end --> without a table"},
		{page: "<!-- table: x -->\n<!-- table: x -->\n", problem: "2: a table begins before the one of line 1 has its <!-- end -->"},
	} {
		got, _, err := replace(test.page, texts)
		switch {
		case test.problem != "":
			if err == nil || err.Error() != test.problem {
				t.Errorf("%q: error %v, want %s", test.page, err, test.problem)
			}
		case err != nil || got != test.want:
			t.Errorf("%q became %q, %v; want %q", test.page, got, err, test.want)
		}
	}
}
