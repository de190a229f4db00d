package clang

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	tests := map[string][]string{
		"":                             nil,
		" \n\t":                        nil,
		"a b\nc":                       {"a", "b", "c"},
		`"a b" 'c d' e\ f`:             {"a b", "c d", "e f"},
		`-DX=\"s\" '' ""`:              {`-DX="s"`, "", ""},
		`a"b c"d`:                      {"ab cd"},
		`"unfinished`:                  {"unfinished"},
		`"back\\slash" "quo\"te" end\`: {`back\slash`, `quo"te`, `end\`},
	}
	for text, want := range tests {
		if got := splitWords(text); !slices.Equal(got, want) {
			t.Errorf("splitWords(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzResponseFile checks that arguments written into a response file are read back unchanged.
func FuzzResponseFile(f *testing.F) {
	f.Add("a", `b "c" \d`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, a, b string) {
		want := []string{"x" + a, "x" + strings.Repeat(b, 2+longest/max(1, len(b)))}
		args, err := inFile(dir, want)
		if err != nil {
			t.Fatal(err)
		}
		if len(args) != 1 {
			t.Skip("nothing to repeat")
		}
		defer os.Remove(strings.TrimPrefix(args[0], "@"))
		if got := expand(args); !slices.Equal(got, want) {
			t.Errorf("%q comes back as %q", want, got)
		}
	})
}

func TestParse(t *testing.T) {
	tests := []struct {
		line    string
		inputs  []string
		output  string
		stage   string
		clang   string // the rest for clang, if it differs from the line
		shared  bool
		harness bool
	}{
		{line: "-c a.c -o a.o", inputs: []string{"a.c"}, output: "a.o", stage: "-c"},
		{line: "-oa.o -c -xc a -x none b.c", inputs: []string{"a", "b.c"}, output: "a.o", stage: "-c"},
		{line: "-I dir -include a.h -D X -MF a.d -Xclang -load -Xlinker a.o -isystem s -L l -l m a.c", inputs: []string{"a.c"}},
		{line: "-Idir -DX=a.c -Wl,a.o,-z,now -lm -Ll --sysroot=/x --param max=3 -", inputs: []string{"-"}},
		{line: "-T script.ld -u main -e start -z now a.o -rpath /lib", inputs: []string{"a.o"}},
		{line: "-shared -fPIC a.c -o liba.so", inputs: []string{"a.c"}, output: "liba.so", shared: true},
		{line: "-fsanitize=fuzzer a.c", inputs: []string{"a.c"}, clang: "a.c", harness: true},
		{line: "-fsanitize=fuzzer,undefined a.c", inputs: []string{"a.c"}, clang: "-fsanitize=undefined a.c", harness: true},
		{line: "-fsanitize=fuzzer-no-link -fsanitize-coverage=trace-cmp -flto=thin a.c", inputs: []string{"a.c"}, clang: "a.c"},
		{line: "-S a.c", inputs: []string{"a.c"}, stage: "-S"},
		{line: "-o", output: ""},
	}
	for _, test := range tests {
		c := parse(strings.Fields(test.line))
		var inputs []string
		for _, a := range c.inputs() {
			inputs = append(inputs, a.value)
		}
		if test.clang == "" {
			test.clang = test.line
		}
		if got := strings.Join(argLine(c.args), " "); got != test.clang {
			t.Errorf("%s: clang gets %q, want %q", test.line, got, test.clang)
		}
		if !slices.Equal(inputs, test.inputs) || c.output != test.output || c.stage != test.stage || c.shared != test.shared || c.harness != test.harness {
			t.Errorf("%s: inputs %q, output %q, stage %q, shared %v, harness %v", test.line, inputs, c.output, c.stage, c.shared, c.harness)
		}
	}
}

func TestVariantArguments(t *testing.T) {
	tests := map[string]string{
		"-c a.c -o a.o -MD -MP -MF a.d -MT a.o -O2 -Idir":                        "-O2 -Idir",
		"-c -x c a -Wp,-MD,a.d -Wp,-DX,-MMD,b.d -v -gsplit-dwarf":                "-Wp,-DX",
		"-Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.h -c a.c": "-Xclang -include -Xclang a.h",
		"a.c -lm -Ll -Wl,-rpath,x -o p -std=c11":                                 "-Ll -std=c11",
	}
	for line, want := range tests {
		if got := strings.Join(compileOnly(parse(strings.Fields(line)).args), " "); got != want {
			t.Errorf("%s: variants get %q, want %q", line, got, want)
		}
	}
}

// anObject returns a real object file.
func anObject(t testing.TB, source string, flags ...string) []byte {
	t.Helper()
	clang, err := find()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.c"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := child(t.Context(), clang, append(flags, "-c", "a.c", "-o", "a.o"))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.o"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCarriedObjects(t *testing.T) {
	object := anObject(t, "int f(void) { return 1; }")
	carried := map[Variant][]byte{CmpLog: []byte("an object"), Sanitize: {}}
	once, err := carrying(object, carried, map[Variant]string{Sanitize: "why"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	carried[CmpLog] = []byte("another, which is longer")
	twice, err := carrying(once, carried, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, data := range [][]byte{once, twice} {
		c, err := readCargo(data)
		if err != nil || !c.instrumented || c.counted {
			t.Fatalf("%d: %+v %v", i, c, err)
		}
		if got := c.objects[Sanitize]; len(got) != 1 || len(got[0]) != 0 {
			t.Errorf("%d: %q", i, got)
		}
		want := []string{"an object", "another, which is longer"}[i]
		if got := c.objects[CmpLog]; len(got) != 1 || string(got[0]) != want {
			t.Errorf("%d: %q", i, got)
		}
	}
	if c, _ := readCargo(once); c.missing[Sanitize] != "why" {
		t.Errorf("missing: %v", c.missing)
	}
	if !slices.Equal(defined(twice), []string{"f"}) {
		t.Errorf("symbols of the object: %q", defined(twice))
	}
}

// TestManySections checks an object with more sections than the header can count.
func TestManySections(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 70000 functions")
	}
	var source strings.Builder
	for i := range 66000 {
		source.WriteString("char a")
		source.WriteString(strings.Repeat("b", i%3))
		source.WriteByte('_')
		for n := i; ; n /= 10 {
			source.WriteByte(byte('0' + n%10))
			if n < 10 {
				break
			}
		}
		source.WriteString("_ = 1;\n")
	}
	object := anObject(t, source.String(), "-fdata-sections")
	if f, err := parseELF(object); err != nil || f.count() < elfFirstReserved {
		t.Fatalf("%v", err)
	}
	data, err := carrying(object, map[Variant][]byte{CmpLog: []byte("x")}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := readCargo(data); err != nil || string(c.objects[CmpLog][0]) != "x" || len(defined(data)) != 66000 {
		t.Errorf("%v", err)
	}
}

func TestArchives(t *testing.T) {
	object := anObject(t, "int first; int second(void) { return first; }")
	members := []member{{"a.o", object}, {"a-very-long-name-of-a-member.o", append(object, 0)}, {"a.o", []byte("text")}, {"empty", nil}}
	data, err := writeArchive(members)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readArchive("x.a", data)
	if err != nil || len(got) != len(members) {
		t.Fatalf("%v %v", got, err)
	}
	for i, m := range members {
		if got[i].name != m.name || !bytes.Equal(got[i].data, m.data) {
			t.Errorf("member %d is %s of %d bytes, want %s of %d", i, got[i].name, len(got[i].data), m.name, len(m.data))
		}
	}
	bsd := appendMember([]byte(archiveMagic), "#1/8", append([]byte("name.o\x00\x00"), "data"...))
	if got, err := readArchive("x.a", bsd); err != nil || !reflect.DeepEqual(got, []member{{"name.o", []byte("data")}}) {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzArchive(f *testing.F) {
	data, err := writeArchive([]member{{"a.o", []byte("x")}, {"a-very-long-name-of-a-member.o", []byte("yy")}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(append([]byte(thinMagic), data[len(archiveMagic):]...))
	f.Add(appendMember([]byte(archiveMagic), "#1/8", []byte("name.o\x00\x00data")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !isArchive(data) {
			return
		}
		members, err := readArchive("x.a", data)
		if err != nil {
			return
		}
		again, err := writeArchive(members)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readArchive("x.a", again); err != nil || len(got) != len(members) {
			t.Errorf("%d members come back as %d (%v)", len(members), len(got), err)
		}
	})
}

// FuzzSections checks that no file makes the code panic, and that added sections can be read.
func FuzzSections(f *testing.F) {
	header := make([]byte, elfHeaderSize+2*elfSectionSize)
	copy(header, "\x7fELF\x02\x01\x01")
	binary.LittleEndian.PutUint16(header[16:], elfRelocatable)
	binary.LittleEndian.PutUint64(header[0x28:], elfHeaderSize)
	binary.LittleEndian.PutUint16(header[0x3a:], elfSectionSize)
	binary.LittleEndian.PutUint16(header[0x3c:], 2)
	binary.LittleEndian.PutUint16(header[0x3e:], 1)
	f.Add(header)
	f.Add(anObject(f, "int f(void) { return 1; }"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readCargo(data); err != nil {
			return
		}
		_, _ = readNote(data)
		out, err := carrying(data, map[Variant][]byte{CmpLog: []byte("x")}, nil, nil)
		if err != nil {
			return
		}
		p, err := parseELF(out)
		if err != nil {
			t.Fatal(err)
		}
		if p.find(objectSection) == 0 {
			t.Error("the section is not there")
		}
	})
}

func aRecipe(t testing.TB) []byte {
	r := &recipe{recipeHead: recipeHead{Source: "a.c", Language: "cpp-output", Texts: map[Variant]int{CmpLog: 0, Sanitize: 1}}, text: [][]byte{[]byte("one"), {}}}
	data, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// FuzzRecipe checks that no file makes the code panic, and that recipes are read as written.
func FuzzRecipe(f *testing.F) {
	f.Add(aRecipe(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecipe(data)
		if err != nil {
			return
		}
		again, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		other, err := decodeRecipe(again)
		if err != nil || !reflect.DeepEqual(r.Texts, other.Texts) || len(r.text) != len(other.text) {
			t.Errorf("%+v comes back as %+v (%v)", r, other, err)
		}
	})
}

func FuzzKit(f *testing.F) {
	k := &kit{kitHead: kitHead{Version: kitVersion, Args: []string{"-O1", "\x010"}, Recipes: map[string]int{}}}
	data := aRecipe(f)
	k.addRecipe(data)
	m := k.member("a.o", []byte("an object"), map[Variant][][]byte{CmpLog: {ticket(data), []byte("another")}}, Variants[1:])
	k.Inputs = []kitInput{{Base: "a.o", Members: []kitMember{m}}}
	text, err := k.encode()
	if err != nil {
		f.Fatal(err)
	}
	if got, err := decodeKit(text); err != nil || !reflect.DeepEqual(got, k) {
		f.Fatalf("%+v comes back as %+v (%v)", k, got, err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		if k, err := decodeKit(data); err == nil {
			if _, err := k.encode(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestPostponed checks which sources are compiled later, and with which words.
func TestPostponed(t *testing.T) {
	for line, want := range map[string]bool{"-c -O2 -DX a.c": true, "-c -fprofile-use=x a.c": false, "-c -Xclang -fmodules-x a.c": false, "-c -Xclang -disable-x a.c": true, "-c --coverage a.c": false, "-c -fplugin=x.so a.c": false} {
		if got := parse(strings.Fields(line)).defers(); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for line, want := range map[string]string{
		"-c -O2 -DX -D Y -Idir -I dir -include a.h -isystem s -std=c11 a.c -o a.o":    "-O2 -std=c11",
		"-Xclang -include -Xclang a.h -Wp,-MD,x -march=native -Xclang -disable-x a.c": "-march=native -Xclang -disable-x",
		"-Xclang -include-pch -Xclang a.pch -Wall -Werror -MD -MF d a.c":              "-Wall -Werror",
	} {
		if got := strings.Join(withoutPreprocessor(parse(strings.Fields(line)).args), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for name, want := range map[string]string{"a.c": "cpp-output", "a.cc": "c++-cpp-output", "a.i": "cpp-output", "a.ii": "c++-cpp-output", "a.cppm": "", "a.m": "", "a.S": ""} {
		if got, _ := (argument{value: name}).cppOutput("cc"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got, _ := (argument{value: "a.c"}).cppOutput("c++"); got != "c++-cpp-output" {
		t.Errorf("a.c for the compiler of C++: %q", got)
	}
}
