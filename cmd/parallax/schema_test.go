package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/bisect"
	"parallax/cmd/internal/command/gencheck"
	"parallax/cmd/internal/exchange"
	"parallax/cmd/internal/experiment/trial"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/serve"
	"parallax/cmd/internal/show/eventlog"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/schema"
)

var update = flag.Bool("update", false, "write the schemas anew")

// record is a type that parallax writes as JSON.
type record struct {
	name, title string
	of          reflect.Type
	least       func() ([]byte, error) // as it is written with nothing in it; nil: as encoding/json does
	key         string                 // that no other record has, by which a document on standard output is known; "": it is a file alone
}

var records = []record{
	{"bench", "The comparisons of parallax bench --json", reflect.TypeFor[trial.Analysis](), nil, "parts"},
	{"bench-sample", "A line of the file of samples of parallax bench", reflect.TypeFor[trial.Sample](), nil, "configuration"},
	{"bisect", "The result of parallax bisect --json", reflect.TypeFor[bisect.Report](), nil, "tried"},
	{"bucket", "bucket.json in the folder of a campaign's findings of one cause", reflect.TypeFor[finding.Bucket](), nil, ""},
	{"campaign", "campaign.json in a campaign's folder", reflect.TypeFor[state.Config](), nil, "identity"},
	{"clean", "The result of parallax clean --json", reflect.TypeFor[buildcache.Cleaned](), nil, "freed_bytes"},
	{"clock", "clock.json in a campaign's folder", reflect.TypeFor[state.ClockFile](), nil, ""},
	{"corpora", "The result of parallax corpus list --json", reflect.TypeFor[archive.Lists](), func() ([]byte, error) { return finding.JSON(archive.Lists{Version: 1, Corpora: []*archive.Inputs{}}) }, "corpora"},
	{"corpora-changed", "The result of parallax corpus merge, minimize and prune with --json", reflect.TypeFor[archive.Changes](), func() ([]byte, error) { return finding.JSON(archive.Changes{Version: 1, Changes: []*archive.Change{}}) }, "changes"},
	{"corpus", "The .json file beside an input of the corpus", reflect.TypeFor[corpus.Meta](), nil, "worker"},
	{"event", "A line of the file of --events", reflect.TypeFor[eventlog.Line](), nil, "event"},
	{"finding", "outputs.json in a finding's folder, and parallax show BUCKET --json", reflect.TypeFor[finding.Record](), (&finding.Finding{}).JSON, "bucket"},
	{"gen", "The result of parallax gen check --json", reflect.TypeFor[gencheck.Report](), nil, "mistakes"},
	{"history", "A line of history.jsonl in the folder of a campaign's findings of one cause", reflect.TypeFor[history.Entry](), nil, ""},
	{"live-campaign", "The twin of the view of a campaign of parallax serve", reflect.TypeFor[serve.Whole](), nil, "campaign"},
	{"live-coverage", "The twin of the coverage by line of parallax serve", reflect.TypeFor[serve.Covered](), nil, "tested_least"},
	{"live-file", "The twin of a source file of parallax serve", reflect.TypeFor[serve.File](), nil, "lines"},
	{"live-findings", "The twin of the list of findings of parallax serve", reflect.TypeFor[serve.List](), nil, "pages"},
	{"live-input", "The twin of an input of parallax serve", reflect.TypeFor[serve.Input](), nil, "ancestors"},
	{"live-overview", "The twin of the first view of parallax serve", reflect.TypeFor[serve.Overview](), nil, "campaigns"},
	{"peers", "peers/state.json in a campaign's folder", reflect.TypeFor[exchange.Memory](), nil, ""},
	{"pending", "A candidate that waits for triage, in the folder pending of a campaign", reflect.TypeFor[finding.Candidate](), nil, ""},
	{"scope", "scope.json in the folder of a model's campaign", reflect.TypeFor[scope.Scope](), nil, "threshold"},
	{"stats", "A line of stats.jsonl in a campaign's folder", reflect.TypeFor[sample.Sample](), nil, "covered"},
	{"summary", "summary.json in a campaign's folder, and the JSON of one target", reflect.TypeFor[finding.Summary](), (&finding.Summary{}).Encode, "mode"},
	{"targets", "The JSON of several targets", reflect.TypeFor[finding.Targets](), func() ([]byte, error) { return finding.EncodeAll(nil, nil) }, "targets"},
	{"vectors", "The test vectors of parallax export --vectors", reflect.TypeFor[archive.Vectors](), nil, "vectors"},
}

// TestSchemas compares the schemas with the types that they are made from.
func TestSchemas(t *testing.T) {
	var names []string
	for _, r := range records {
		names = append(names, r.name)
		text, err := r.schema()
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		path := filepath.Join("..", "..", "schema", r.name+".json")
		if *update {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Error(err)
			}
			continue
		}
		if have, _ := schema.Find(r.name); !bytes.Equal(have, text) {
			t.Errorf("schema/%s.json is not the schema of %v: go -C cmd test ./parallax -run TestSchemas -update", r.name, r.of)
		}
	}
	if !*update && !slices.Equal(schema.Names(), names) {
		t.Errorf("schemas %q, records %q", schema.Names(), names)
	}
}

// TestSchemasDescribe checks that the comments of fields describe each key of a summary and of a
// bucket.
func TestSchemasDescribe(t *testing.T) {
	var walk func(at string, s *jsonschema.Schema)
	walk = func(at string, s *jsonschema.Schema) {
		if s == nil {
			return
		}
		for name, one := range s.Properties {
			if one.Description == "" {
				t.Errorf("%s.%s has no description", at, name)
			}
			walk(at+"."+name, one)
		}
		walk(at+"[]", s.Items)
		walk(at+"{}", s.AdditionalProperties)
	}
	for _, name := range []string{"bucket", "summary"} {
		text, _ := schema.Find(name)
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		walk(name, &s)
	}
}

// TestRecordOf checks that a document is detected if no record has its keys.
func TestRecordOf(t *testing.T) {
	if name := recordOf(map[string]any{"version": 1, "mode": "diff"}); name != "summary" {
		t.Errorf("a summary is taken for %q", name)
	}
	if name := recordOf(map[string]any{"version": 1, "renamed": "diff"}); name != "" {
		t.Errorf("a summary with another key is taken for %q", name)
	}
}

// TestSchemasAreStrict checks that empty documents match their schema, and that documents with
// another key, or without a required one, do not.
func TestSchemasAreStrict(t *testing.T) {
	for _, r := range records {
		doc, err := r.empty()
		if err != nil {
			t.Fatal(err)
		}
		if err := conforms(r.name, doc); err != nil && r.least != nil {
			t.Errorf("%s: what is written with nothing in it: %v", r.name, err)
		}
		var all map[string]any
		if err := json.Unmarshal(doc, &all); err != nil {
			t.Fatal(err)
		}
		all["Unknown"] = 1
		more, _ := json.Marshal(all)
		if conforms(r.name, more) == nil {
			t.Errorf("%s: an unknown key conforms", r.name)
		}
		if conforms(r.name, []byte("{}")) == nil {
			t.Errorf("%s: an empty object conforms", r.name)
		}
	}
}

func (r record) empty() ([]byte, error) {
	if r.least != nil {
		return r.least()
	}
	return json.Marshal(reflect.New(r.of).Interface())
}

func (r record) schema() ([]byte, error) {
	domains := func(one *jsonschema.Schema) *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
		for _, d := range feature.Table {
			if d.Key != "" && d.Measure != nil && d.Number != feature.Unstored {
				s.Properties[d.Key] = one.CloneSchemas()
				s.Properties[d.Key].Description = "distinct features of the domain " + d.Name
				s.PropertyOrder = append(s.PropertyOrder, d.Key)
			}
		}
		return s
	}
	count := &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0)}
	s, err := jsonschema.ForType(r.of, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[sample.Diversity](): domains(count),
		reflect.TypeFor[sample.Series]():    domains(&jsonschema.Schema{Type: "array", Items: count}),
		reflect.TypeFor[scope.Key]():        {Type: "string", Pattern: "^[0-9a-f]{16}$"},
		reflect.TypeFor[call.Comparator]():  enum(call.Comparators...),
		reflect.TypeFor[[]byte]():           {Types: []string{"null", "string"}, ContentEncoding: "base64"},
	}})
	if err != nil {
		return nil, err
	}
	least, err := r.empty()
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(least, &value); err != nil {
		return nil, err
	}
	tighten(s, r.of, value)
	if s.Properties["version"] != nil {
		s.Properties["version"] = &jsonschema.Schema{Type: "integer", Const: jsonschema.Ptr(any(1)), Description: "of the format"}
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", r.title
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(s)
	return b.Bytes(), err
}

func enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// tighten adds to a schema the facts that the library does not infer from the type. Only required
// keys may be null, and only if the document without content has no other value. Members of domains
// replace their object. Outcomes are words.
func tighten(s *jsonschema.Schema, t reflect.Type, least any) {
	if s == nil {
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	members, _ := least.(map[string]any)
	if inline := s.Properties["@domains"]; inline != nil {
		delete(s.Properties, "@domains")
		at := slices.Index(s.PropertyOrder, "@domains")
		s.PropertyOrder = slices.Concat(s.PropertyOrder[:at], inline.PropertyOrder, s.PropertyOrder[at+1:])
		s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return name == "@domains" })
		for name, one := range inline.Properties {
			s.Properties[name] = one
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			of := s.Properties[name]
			if of == nil || f.Anonymous {
				continue
			}
			describe(of, t, f)
			if absent(t, f) {
				s.Required = slices.DeleteFunc(s.Required, func(r string) bool { return r == name })
			}
			if value, is := members[name]; value != nil || !is || !slices.Contains(s.Required, name) {
				notNull(of)
			}
			switch name {
			case "outcome":
				said := of.Description
				*of = *outcomes()
				of.Description = said
				if strings.HasSuffix(t.PkgPath(), "/bisect") { // which says what a FuzzXxx did
					of.Enum = append(of.Enum, "failed")
				}
			case "outcomes":
				of.AdditionalProperties = outcomes()
			}
			tighten(of, f.Type, members[name])
		}
	case reflect.Slice, reflect.Array:
		if s.Items != nil && t.Elem().Kind() == reflect.Pointer {
			notNull(s.Items)
		}
		tighten(s.Items, t.Elem(), nil)
	case reflect.Map:
		tighten(s.AdditionalProperties, t.Elem(), nil)
	}
}

// absent reports whether a field is one of an embedded pointer, which may be nil.
func absent(t reflect.Type, f reflect.StructField) bool {
	for i := range f.Index[:len(f.Index)-1] {
		if t.FieldByIndex(f.Index[:i+1]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

func notNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

func outcomes() *jsonschema.Schema {
	var names []string
	for o := oracle.Accepted; o <= oracle.OOM; o++ {
		names = append(names, o.String())
	}
	return enum(names...)
}

var resolved = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	all := map[string]*jsonschema.Resolved{}
	for _, r := range records {
		text, _ := schema.Find(r.name)
		var s jsonschema.Schema
		err := json.Unmarshal(text, &s)
		if err == nil {
			all[r.name], err = s.Resolve(nil)
		}
		if err != nil {
			panic(fmt.Sprintf("schema %s: %v", r.name, err))
		}
	}
	return all
})

// conforms is an error if a document is not as a schema says.
func conforms(name string, doc []byte) error {
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		return err
	}
	return resolved()[name].Validate(value)
}

// written checks a document that a script reads. With a campaign's summary.json it checks the other
// files of the campaign. It leaves alone a document that names a schema of its own, as SARIF does.
// All others have the key of a record.
func written(ts *testscript.TestScript, file string, value any) {
	name := recordOf(value)
	switch {
	case name != "":
		if err := conforms(name, []byte(ts.ReadFile(file))); err != nil {
			ts.Fatalf("%s is not as schema/%s.json says: %v", file, name, err)
		}
	case !namesSchema(value):
		ts.Fatalf("%s has the key of no schema: the keys are those of the records in schema_test.go", file)
	}
	if filepath.Base(file) == "summary.json" {
		if err := campaignConforms(filepath.Dir(ts.MkAbs(file))); err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

func namesSchema(value any) bool {
	members, _ := value.(map[string]any)
	return members["$schema"] != nil
}

// recordOf returns the name of the record that a document is, "" if it is none. Vectors and targets
// come first: they have keys of others.
func recordOf(value any) string {
	members, _ := value.(map[string]any)
	for _, r := range slices.Backward(records) {
		if _, is := members[r.key]; is && r.key != "" && !(r.name == "targets" && members["mistakes"] != nil || r.name == "stats" && members["configuration"] != nil || r.name == "finding" && members["event"] != nil) {
			return r.name
		}
	}
	return ""
}

// campaignConforms is an error if a file of a campaign is not as its schema says.
func campaignConforms(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		name := ""
		switch {
		case rel == "campaign.json", rel == "clock.json", rel == "summary.json", filepath.Base(rel) == "bucket.json", filepath.Base(rel) == "scope.json":
			name = strings.TrimSuffix(filepath.Base(rel), ".json")
		case rel == "peers/state.json":
			name = "peers"
		case rel == "stats.jsonl":
			name = "stats"
		case filepath.Base(rel) == "outputs.json":
			name = "finding"
		case filepath.Dir(rel) == "corpus" && filepath.Ext(rel) == ".json":
			name = "corpus"
		case filepath.Dir(rel) == "pending":
			name = "pending"
		case filepath.Ext(rel) != ".json" || strings.HasPrefix(rel, "model/") || strings.Count(rel, "/") > strings.Count("findings/BUCKET/HASH/outputs.json", "/"):
			return nil // what an engine or a reproducer is given
		default:
			return fmt.Errorf("%s has no schema", rel)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		docs := [][]byte{data}
		if name == "stats" {
			docs = bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		}
		for _, doc := range docs {
			if len(doc) == 0 {
				continue
			}
			if err := conforms(name, doc); err != nil {
				return fmt.Errorf("%s is not as schema/%s.json says: %w", rel, name, err)
			}
		}
		return nil
	})
}
