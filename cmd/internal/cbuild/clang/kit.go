package clang

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// A kit holds all that the links of a program's variants need. These are the arguments of the link
// and, for its inputs, objects or recipes per variant. If variants are made at once, it stays in
// memory. Otherwise it is in the program's folder, and needs only shared libraries and system files
// from outside.
type kit struct {
	kitHead
	blobs [][]byte // objects, recipes and whole files
}

type kitHead struct {
	Version  int    `json:"version"`
	Compiler string `json:"compiler"`
	Clang    string `json:"clang"`
	Release  string `json:"release"`
	Dir      string `json:"dir"`
	Path     string `json:"path,omitempty"` // LIBRARY_PATH
	Product  string `json:"product"`        // as it was named
	// of the link, with names of inputs from method name
	Args    []string       `json:"args"`
	Harness bool           `json:"harness,omitempty"`
	Partial bool           `json:"partial,omitempty"`
	Static  bool           `json:"static,omitempty"`
	Points  int            `json:"points"` // bytes of the fast variant's table of counters
	Inputs  []kitInput     `json:"inputs"`
	Recipes map[string]int `json:"recipes"` // blobs, by digest
	Sizes   []int          `json:"sizes"`   // of the stored blobs
	Packed  []bool         `json:"packed"`  // whether each is compressed
}

// A kitInput is a file: its members, or one member if it is no archive.
type kitInput struct {
	Base    string      `json:"base"`
	Archive bool        `json:"archive,omitempty"`
	Members []kitMember `json:"members"`
}

type kitMember struct {
	Name string `json:"name"`
	// blob of the fast variant; -1 if all variants have parts
	Fast  int                   `json:"fast"`
	Parts map[Variant][]kitPart `json:"parts,omitempty"`
}

// A kitPart is an object, or the recipe of one.
type kitPart struct {
	Blob   int    `json:"blob,omitempty"`
	Recipe string `json:"recipe,omitempty"`
}

const (
	kitVersion = 1
	kitMagic   = "plxkit1\n"
	kitFile    = "later" // in the program's folder
)

// name returns the placeholder of an input in the arguments of the link. No path has this byte.
func (k *kit) name(i int) string { return fmt.Sprintf("\x01%d", i) }

func (k *kit) blob(data []byte) int {
	k.blobs = append(k.blobs, data)
	return len(k.blobs) - 1
}

func (k *kit) parts(objects [][]byte) (parts []kitPart) {
	for _, o := range objects {
		if digest, ok := ticketOf(o); ok {
			parts = append(parts, kitPart{Recipe: digest})
		} else {
			parts = append(parts, kitPart{Blob: k.blob(o)})
		}
	}
	return parts
}

func (k *kit) addRecipe(data []byte) {
	if digest := digestOf(data); data != nil {
		if _, ok := k.Recipes[digest]; !ok {
			k.Recipes[digest] = k.blob(data)
		}
	}
}

// kit builds the kit of the variants. With keep, it also holds the files that all variants share,
// since the build may remove them.
func (s *linkSet) kit(ctx context.Context, b *batch, want []Variant, keep bool) (*kit, error) {
	w := s.w
	dir, err := os.Getwd()
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	k := &kit{kitHead: kitHead{Version: kitVersion, Compiler: w.compiler, Clang: w.clang, Release: w.library.clang, Dir: dir, Path: os.Getenv("LIBRARY_PATH"), Product: w.product(),
		Harness: w.command.harness, Partial: w.command.partial, Static: w.command.static, Recipes: map[string]int{}}}
	names := map[string]string{}
	for _, path := range s.paths() {
		f := s.files[path]
		if !f.carries && (!keep || ofSystem(path)) {
			continue
		}
		in := kitInput{Base: filepath.Base(path), Archive: f.archive}
		for _, o := range f.objects {
			in.Members = append(in.Members, k.member(o.name, o.data, o.cargo.objects, want))
			for _, r := range o.cargo.recipes {
				k.addRecipe(r)
			}
		}
		names[path] = k.name(len(k.Inputs))
		k.Inputs = append(k.Inputs, in)
	}
	for _, a := range w.command.sources() {
		m := kitMember{Name: filepath.Base(a.value) + ".o", Fast: -1, Parts: map[Variant][]kitPart{}}
		plain := false
		for _, v := range want {
			if data, ok := b.built[a.value][v]; ok {
				m.Parts[v] = k.parts([][]byte{data})
			} else {
				plain = true
			}
		}
		if plain { // assembler, or a source without such a variant
			object, err := s.plainObject(ctx, a)
			if err != nil {
				return nil, err
			}
			m.Fast = k.blob(object)
		}
		k.addRecipe(b.recipes[a.value])
		names[a.value] = k.name(len(k.Inputs))
		k.Inputs = append(k.Inputs, kitInput{Base: m.Name, Members: []kitMember{m}})
	}
	k.Args = s.walk(func(path string) (string, bool) {
		name, ok := names[path]
		return name, ok
	})
	return k, nil
}

// member returns one object, with the parts of the wanted variants. Without parts for one of them,
// the object itself is kept.
func (k *kit) member(name string, object []byte, parts map[Variant][][]byte, want []Variant) kitMember {
	m := kitMember{Name: name, Fast: -1, Parts: map[Variant][]kitPart{}}
	for _, v := range want {
		if len(parts[v]) > 0 {
			m.Parts[v] = k.parts(parts[v])
		} else if m.Fast < 0 {
			m.Fast = k.blob(object)
		}
	}
	return m
}

// plainObject compiles one source as the fast variant does.
func (s *linkSet) plainObject(ctx context.Context, a argument) ([]byte, error) {
	name := s.temp(Fast, filepath.Base(a.value)+".o")
	why, err := s.w.quietly(ctx, s.w.plainArgs(a, name))
	if err == nil && why != "" {
		err = fmt.Errorf("%s: %s", a.value, why)
	}
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	return os.ReadFile(name)
}

// encode makes the kit's file. Recipes are compressed already.
func (k *kit) encode() ([]byte, error) {
	recipe := map[int]bool{}
	for _, i := range k.Recipes {
		recipe[i] = true
	}
	var body bytes.Buffer
	k.Sizes, k.Packed = nil, nil
	for i, blob := range k.blobs {
		at := body.Len()
		if recipe[i] {
			body.Write(blob)
		} else if err := deflate(&body, blob); err != nil {
			return nil, err
		}
		k.Sizes, k.Packed = append(k.Sizes, body.Len()-at), append(k.Packed, !recipe[i])
	}
	head, err := json.Marshal(&k.kitHead)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(kitMagic)+8+len(head)+body.Len()), kitMagic...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(head)))
	return append(append(out, head...), body.Bytes()...), nil
}

func decodeKit(data []byte) (*kit, error) {
	rest, ok := bytes.CutPrefix(data, []byte(kitMagic))
	if !ok || len(rest) < 8 {
		return nil, errPacked
	}
	n := binary.LittleEndian.Uint64(rest)
	if rest = rest[8:]; n > uint64(len(rest)) {
		return nil, errPacked
	}
	k := &kit{}
	if err := json.Unmarshal(rest[:n], &k.kitHead); err != nil || k.Version != kitVersion || len(k.Packed) != len(k.Sizes) {
		return nil, errPacked
	}
	rest = rest[n:]
	for i, size := range k.Sizes {
		if size < 0 || size > len(rest) {
			return nil, errPacked
		}
		blob := rest[:size]
		if rest = rest[size:]; k.Packed[i] {
			var err error
			if blob, err = inflate(blob); err != nil {
				return nil, errPacked
			}
		}
		k.blobs = append(k.blobs, blob)
	}
	if !k.sound() {
		return nil, errPacked
	}
	return k, nil
}

// sound reports whether all blobs that the head names exist.
func (k *kit) sound() bool {
	there := func(i int) bool { return i >= 0 && i < len(k.blobs) }
	for _, i := range k.Recipes {
		if !there(i) {
			return false
		}
	}
	for _, in := range k.Inputs {
		if len(in.Members) == 0 || strings.ContainsRune(in.Base, '/') {
			return false
		}
		for _, m := range in.Members {
			if m.Fast != -1 && !there(m.Fast) {
				return false
			}
			for _, parts := range m.Parts {
				for _, p := range parts {
					if _, ok := k.Recipes[p.Recipe]; p.Recipe != "" && !ok || p.Recipe == "" && !there(p.Blob) {
						return false
					}
				}
			}
		}
	}
	return true
}
