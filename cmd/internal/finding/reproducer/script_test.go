package reproducer

import (
	"strings"
	"testing"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// wordRunner writes a word of a command.
type wordRunner string

func (r wordRunner) WriteScript(w *Writer) error {
	w.Printf("word %s\n", w.Word(string(r)))
	return nil
}

// TestScriptWord checks that paths in the configuration's folder are relative to PROJECT, also
// inside a word, and that other paths stay. The script says that it takes PROJECT if a path needs
// it.
func TestScriptWord(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"/home/p", `"$project"`},
		{"/home/p/a b", `"$project"'/a b'`},
		{"-L/home/p/lib", `-L"$project"/lib`},
		{"-isystem/home/p", `-isystem"$project"`},
		{"-Wl,-rpath,/home/p/lib", `-Wl,-rpath,"$project"/lib`},
		{"--path=/home/p/a:/home/p/b:/usr", `--path="$project"/a:"$project"/b:/usr`},
		{"cd /home/p && ./x", `'cd '"$project"' && ./x'`},
		{"@/home/p/arguments", `@"$project"/arguments`},
		{"/home/pp", "/home/pp"},
		{"/srv/home/p/a", "/srv/home/p/a"},
		{"x-L/home/p", "x-L/home/p"},
		{"/home/p/../other", "/home/p/../other"},
		{"-lz", "-lz"},
		{"", "''"},
	} {
		for _, home := range []string{"/home/p", "/", ""} {
			want := tt.want
			if home != "/home/p" {
				want = shell.Text(tt.word)
			}
			f := &finding.Finding{Bucket: "b", Kind: "discrepancy", Layer: "verdict", Shape: input.Shape{input.Bytes},
				Reproducer: &Script{Home: home, Programs: []Program{{Name: "p", Runner: wordRunner(tt.word)}}}}
			files, err := f.Reproducer.Files(f)
			if err != nil {
				t.Fatal(err)
			}
			text := string(files[ScriptFile])
			if !strings.Contains(text, "\nword "+want+"\n") {
				t.Errorf("%q below %q: no %s in\n%s", tt.word, home, want, text[strings.Index(text, "\nword "):])
			}
			if moves := strings.Contains(want, "$project"); moves != strings.Contains(text, "project=${PROJECT:-") {
				t.Errorf("%q below %q: the script takes PROJECT: %v", tt.word, home, !moves)
			}
		}
	}
}
