package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/show/formats"
	"parallax/cmd/internal/show/page"
	"parallax/cmd/internal/show/text"
)

// hostile is a text that acts on terminals, ends the element around it, and leads out of folders.
const hostile = "../../\x1b[31mred\x9b1m\u202e\u009b<script>h()</script>|`](x)\x07\r\n::error::(\x00"

// filled writes a campaign whose files have values for all keys.
func filled(t testing.TB, dir string) {
	t.Helper()
	folder := findingstest.OpenFolder(t, dir)
	f, _, err := findings.Load(folder, findingstest.Target(), &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in")
	if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat, Parent: []byte("parent"), Inputs: 10}); err != nil {
		t.Fatal(err)
	}
	list, _, _, err := findings.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	bucket := list[0].Bucket
	fill(reflect.ValueOf(&bucket).Elem())
	bucket.ID = findingstest.FirstID
	if err := folder.WriteBucket(bucket); err != nil {
		t.Fatal(err)
	}
	var s finding.Summary
	fill(reflect.ValueOf(&s).Elem())
	s.Version = finding.Version
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.WriteSummary(data); err != nil {
		t.Fatal(err)
	}
	var line sample.Sample
	fill(reflect.ValueOf(&line).Elem())
	if err := folder.AppendStats(line); err != nil {
		t.Fatal(err)
	}
	store, err := corpus.Open(folder.FS(), folder.CorpusDir(), findingstest.Target().Shape)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Put([]byte("kept"), corpus.Meta{}); err != nil {
		t.Fatal(err)
	}
	folder.Close()
	outputs := filepath.Join(dir, "findings", findingstest.FirstID, list[0].BestHash, findings.OutputsFile)
	edit(t, outputs, func(doc map[string]any) {
		for _, key := range []string{"variant", "layer", "target", "location", "drawn", "replay"} {
			doc[key] = "x"
		}
		doc["odd"], doc["operators"] = []any{"a"}, []any{"x"}
		doc["holes"] = []any{map[string]any{"start": 0, "end": 1, "of": "byte"}}
		doc["fuzz"] = map[string]any{"package": "p", "import_path": "x", "name": "FuzzX", "constraint": "x", "tags": "x"}
		for _, p := range doc["programs"].([]any) {
			p := p.(map[string]any)
			for _, key := range []string{"value", "error", "error_type", "error_class", "sentinel", "message", "stack", "output", "deciding", "kind", "runs"} {
				p[key] = "x"
			}
			p["ranked"] = []any{map[string]any{"location": "x", "function": "x", "branch": "x", "score": 1}}
		}
	})
	edit(t, filepath.Join(dir, "campaign.json"), func(doc map[string]any) {
		for _, key := range []string{"schedule", "mutators", "dictionary", "go", "tool"} {
			doc[key] = "x"
		}
		doc["guidance"], doc["seed_paths"] = []any{"coverage"}, []any{"x"}
		options := map[string]any{}
		for _, key := range []string{"functions", "repair", "confirm", "without", "grammar", "drawn_by", "new_dir", "old_dir", "version_dirs"} {
			options[key] = "x"
		}
		options["fuzz"], options["package_dir"] = "FuzzX", filepath.Dir(dir)
		doc["options"] = options
		programs := doc["identity"].(map[string]any)["programs"].([]any)
		for _, p := range programs {
			for _, key := range []string{"function", "module", "version", "kind", "toolchain"} {
				p.(map[string]any)[key] = "x"
			}
		}
	})
}

// fill sets every field.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// edit changes a file of JSON.
func edit(t testing.TB, path string, change func(map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	change(doc)
	if data, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// texts visits the texts of a document, including keys of maps, with a function that replaces each
// one.
func texts(at string, v any, put func(any), visit func(at string, put func(string))) {
	switch v := v.(type) {
	case string:
		visit(at, func(s string) { put(s) })
	case []any:
		for i := range v {
			texts(fmt.Sprintf("%s[%d]", at, i), v[i], func(x any) { v[i] = x }, visit)
		}
	case map[string]any:
		for key := range v {
			value := v[key]
			visit(at+"."+key+" (key)", func(s string) {
				delete(v, key)
				v[s] = value
			})
			texts(at+"."+key, value, func(x any) { v[key] = x }, visit)
		}
	}
}

// TestHostileTexts replaces each text in a campaign's files. The output of all commands does not
// act on terminals or end the element around a text. No command panics or writes outside of the
// folder.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("exports and runs tests")
	}
	dir := inFolder(t)
	model := filepath.Join(dir, "model")
	filled(t, model)
	if said := everything(t, model, filepath.Join(dir, "to")); len(said) < 9 {
		t.Fatalf("only %d of what commands print: %v", len(said), reflect.ValueOf(said).MapKeys())
	}
	outputs, err := filepath.Glob(filepath.Join(model, "findings", "*", "*", findings.OutputsFile))
	if err != nil || len(outputs) != 1 {
		t.Fatal(outputs, err)
	}
	bad := map[string]bool{}
	for _, path := range []string{filepath.Join(model, "campaign.json"), filepath.Join(model, "summary.json"), filepath.Join(model, "stats.jsonl"),
		outputs[0], filepath.Join(filepath.Dir(filepath.Dir(outputs[0])), "bucket.json")} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var count int
		for n := 0; n == 0 || n < count; n++ {
			var doc any
			if err := json.Unmarshal(whole, &doc); err != nil {
				t.Fatal(path, err)
			}
			count = 0
			where := ""
			var changes []func()
			var names []string
			texts("", doc, func(any) {}, func(at string, put func(string)) {
				names = append(names, at)
				changes = append(changes, func() { put(hostile) })
			})
			// Maps have no order, so the index is that of the sorted names.
			order := sortedIndex(names)
			count = len(names)
			where = filepath.Base(path) + names[order[n]]
			changes[order[n]]()
			data, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
			for what, text := range everything(t, model, filepath.Join(dir, "to")) {
				if why := acts(what, text); why != "" && !bad[where+what] {
					bad[where+what] = true
					t.Errorf("%s: %s: %s", where, what, why)
				}
			}
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

// FuzzFolder checks that any bytes in a campaign's files cause no panic, and no output that acts on
// a terminal.
func FuzzFolder(f *testing.F) {
	dir := f.TempDir()
	model := filepath.Join(dir, "model")
	filled(f, model)
	var files []string
	err := filepath.WalkDir(model, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	for i, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
		f.Add(uint8(i), bytes.ReplaceAll(data, []byte(`"x"`), []byte(`"\u001b[31m"`)))
		f.Add(uint8(i), []byte("null"))
		f.Add(uint8(i), []byte("{}"))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		path := files[int(which)%len(files)]
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer os.WriteFile(path, whole, 0o644)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		for what, text := range everything(t, model, filepath.Join(dir, "to")) {
			if why := acts(what, text); why != "" {
				t.Errorf("%s: %s: %s", path, what, why)
			}
		}
	})
}

func sortedIndex(names []string) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	for i := range order {
		for k := i; k > 0 && names[order[k]] < names[order[k-1]]; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	return order
}

// acts describes the parts of a text that act on a terminal.
func acts(what, text string) string {
	for i, r := range text {
		if r == '\n' || r == '\t' {
			continue
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return fmt.Sprintf("%q in %q", r, text[max(0, i-60):min(len(text), i+60)])
		}
	}
	if i := strings.Index(text, "<script>h"); i >= 0 && (what == "page" || what == "junit") {
		return "a tag in " + text[max(0, i-60):i]
	}
	if strings.Contains(text, "\n::error::(") && what == "annotations" {
		return "a command of GitHub"
	}
	return ""
}

// everything returns the output of all commands on a campaign, by command.
func everything(t testing.TB, out, to string) map[string]string {
	t.Helper()
	said := map[string]string{}
	pasts, problems, err := Open(out)
	if err != nil {
		said["error"] = escape.Lines(err.Error()) // as package main does
		return said
	}
	said["problems"] = escape.Lines(strings.Join(problems, "\n"))
	put := func(what string, data []byte, err error) {
		if err != nil {
			said[what+"'s error"] = escape.Lines(err.Error())
		} else {
			said[what] += string(data)
		}
	}
	for _, p := range pasts {
		if err := p.Trusted(); err != nil {
			put("trust", nil, err)
		}
		s, err := p.Summary()
		if err != nil {
			put("summary", nil, err)
			continue
		}
		var b bytes.Buffer
		err = text.End(&b, s, text.EndOptions{Limit: -1, Folder: p.Shown(), Now: time.Unix(1e9, 0)})
		put("list", b.Bytes(), err)
		data, err := s.Encode()
		put("json", data, err)
		for _, item := range p.All() {
			for _, terminal := range []bool{false, true} {
				var b bytes.Buffer
				err := p.Show(&b, item.Name, ShowOptions{Terminal: terminal, Now: time.Unix(1e9, 0)})
				put(map[bool]string{false: "markdown of one", true: "text of one"}[terminal], b.Bytes(), err)
			}
			var b bytes.Buffer
			err := p.ShowJSON(&b, item.Name, "")
			put("json of one", b.Bytes(), err)
		}
		target, err := p.Formatted(nil)
		put("formats", nil, err)
		r := &formats.Report{Command: "report", Targets: []formats.Target{target}}
		data, err = r.Sarif()
		put("sarif", data, err)
		data, err = r.JUnit()
		put("junit", data, err)
		put("markdown", r.Markdown(formats.SummaryLimit), nil)
		put("annotations", r.Annotations(), nil)
		c, err := p.Page(s)
		put("page", nil, err)
		if err == nil {
			b.Reset()
			err = page.Write(&b, &page.Document{Made: time.Unix(1e9, 0), Campaigns: []*page.Campaign{c}})
			put("page", b.Bytes(), err)
		}
		for _, dir := range []string{to, ""} {
			b.Reset()
			_, err = (&Export{Out: out, All: true, Corpus: true, Format: corpus.Go, To: dir}).Write(&b)
			put("export", b.Bytes(), err)
		}
	}
	return said
}
