package flow

import (
	"errors"
	"path/filepath"

	"parallax/cmd/internal/base/packed"
)

// An Outline is a space without its graphs: the places of all blocks, and the build that they
// belong to. A campaign keeps it in its folder. Readers then know the lines of the coverage without
// a build.
type Outline struct {
	Build string
	Space *Space
	Own   map[string]bool // packages of the code under test; set by DecodeOutline
}

const (
	outlineMagic   = "plxlines"
	outlineVersion = 1
)

var errOutline = errors.New("not an outline of this version, or damaged")

// Encode writes an outline for DecodeOutline. Paths of files in dir are relative to it.
func (o *Outline) Encode(dir string) []byte {
	var w packed.Writer
	w.Text(o.Build)
	tables := 0
	o.Space.All(func(*Table, int, []int) { tables++ })
	w.Number(tables)
	o.Space.All(func(t *Table, first int, owners []int) {
		w.Text(t.Package)
		w.Flags(len(t.Blocks) > 0 && o.Space.OwnBlock(first))
		w.Numbers(owners, 0)
		index := map[string]int{}
		var files []string
		for i := range t.Blocks {
			if file := t.Blocks[i].File; index[file] == 0 {
				files = append(files, file)
				index[file] = len(files)
			}
		}
		w.Number(len(files))
		for _, file := range files {
			if rel, err := filepath.Rel(dir, file); err == nil && file != "" && filepath.IsLocal(rel) {
				file = rel
			}
			w.Text(file)
		}
		w.Number(len(t.Blocks))
		line := 0
		for _, b := range t.Blocks {
			w.Number(index[b.File] - 1)
			w.Number(int(b.Kind))
			w.Number(b.Line - line)
			w.Number(b.EndLine - b.Line)
			line = b.Line
		}
	})
	return packed.Seal(append(append([]byte(outlineMagic), outlineVersion), w.Out...))
}

// DecodeOutline decodes the output of Encode. The owners are less than programs. Blocks without a
// place have no file.
func DecodeOutline(data []byte, programs int) (*Outline, error) {
	r, ok := packed.Open(data, outlineMagic+string(rune(outlineVersion)))
	if !ok {
		return nil, errOutline
	}
	o := &Outline{Build: r.Text(), Space: &Space{}, Own: map[string]bool{}}
	for n := r.Length(); n > 0; n-- {
		t := &Table{Package: r.Text()}
		if r.Number() != 0 {
			o.Own[t.Package] = true
		}
		owners := r.Numbers(0, programs)
		files := make([]string, r.Length())
		for i := range files {
			files[i] = r.Text()
		}
		t.Blocks = make([]Block, r.Length())
		line := 0
		for i := range t.Blocks {
			b := &t.Blocks[i]
			b.ID = i
			if k := r.Below(len(files)); !r.Bad {
				b.File = files[k]
			}
			b.Kind = Kind(r.Below(int(numKinds)))
			line += r.Number()
			b.Line, b.EndLine = line, line+r.Number()
		}
		o.Space.Add(t, owners...)
	}
	if !r.Ended() {
		return nil, errOutline
	}
	return o, nil
}
