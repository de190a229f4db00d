package clang

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"io"
	"slices"
	"sync"
)

// Frame is a source place of an address.
type Frame struct {
	Func string // demangled, like flow.Func.Name; empty if unknown
	File string // absolute, as passed to the compiler; empty without debug information
	Line int
}

// Symbolizer turns addresses of one program or shared library into places. It opens in milliseconds
// and reads only the compilation units that it is asked about. Its methods may be called at once.
type Symbolizer struct {
	// Relocated reports that the loader chooses the file's address, which must be subtracted from
	// addresses of processes.
	Relocated bool

	mu    sync.Mutex
	file  *elf.File
	image *image
	data  *dwarf.Data
	units []unitRange
	known map[uint64][]Frame
	lines map[dwarf.Offset][]dwarf.LineEntry
}

// unitRange is a code range of a compilation unit.
type unitRange struct {
	from, to uint64
	unit     dwarf.Offset
}

// OpenSymbolizer opens a program of any variant. Close it.
func OpenSymbolizer(path string) (*Symbolizer, error) {
	f, err := openProgram(path)
	if err != nil {
		return nil, fmt.Errorf("reading the symbols of %s: %w", path, err)
	}
	s := &Symbolizer{Relocated: f.Type == elf.ET_DYN, file: f, image: &image{elf: f}, known: map[uint64][]Frame{}, lines: map[dwarf.Offset][]dwarf.LineEntry{}}
	if err := s.image.readSymbols(); err != nil {
		f.Close()
		return nil, fmt.Errorf("reading the symbols of %s: %w", path, err)
	}
	return s, nil
}

// Close releases the file.
func (s *Symbolizer) Close() error { return s.file.Close() }

// Frames returns the source places of an address. The last is the function that contains the
// machine code. The functions inlined there precede it, innermost first. For a caller's frame on a
// stack, pass its return address minus one. Unknown addresses have no frames.
func (s *Symbolizer) Frames(pc uint64) []Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	if frames, ok := s.known[pc]; ok {
		return frames
	}
	frames := s.frames(pc)
	s.known[pc] = frames
	return frames
}

func (s *Symbolizer) frames(pc uint64) []Frame {
	symbol, named := s.image.function(pc)
	if named && pc == symbol.end && symbol.end > symbol.start {
		named = false
	}
	outer := Frame{}
	if named {
		outer.Func = demangled(symbol.name)
	}
	unit := s.unit(pc)
	if unit == nil {
		if !named {
			return nil
		}
		return []Frame{outer}
	}
	files, at := s.line(unit, pc)
	chain := s.inlined(unit, pc) // outermost first
	if len(chain) > 0 && outer.Func == "" {
		outer.Func = s.entryName(chain[0], 0)
	}
	frames := []Frame{outer}
	for _, e := range chain[min(1, len(chain)):] {
		caller := &frames[len(frames)-1]
		if n, ok := e.Val(dwarf.AttrCallFile).(int64); ok && n >= 0 && int(n) < len(files) {
			caller.File = sourcePath(unit, files[n])
		}
		caller.Line = number(e, dwarf.AttrCallLine)
		frames = append(frames, Frame{Func: s.entryName(e, 0)})
	}
	innermost := &frames[len(frames)-1]
	if at.File != nil {
		innermost.File, innermost.Line = sourcePath(unit, at.File), at.Line
	}
	slices.Reverse(frames)
	return frames
}

func number(e *dwarf.Entry, a dwarf.Attr) int {
	n, _ := e.Val(a).(int64)
	return int(n)
}

// unit returns the compilation unit of an address, and nil where there is none.
func (s *Symbolizer) unit(pc uint64) *dwarf.Entry {
	if s.data == nil && s.readUnits() != nil {
		s.data, s.units = &dwarf.Data{}, nil // the debug information is damaged; use symbols only
	}
	i, _ := slices.BinarySearchFunc(s.units, pc, func(u unitRange, pc uint64) int { return cmp.Compare(u.from, pc+1) })
	if i == 0 || pc >= s.units[i-1].to {
		return nil
	}
	r := s.data.Reader()
	r.Seek(s.units[i-1].unit)
	unit, err := r.Next()
	if err != nil {
		return nil
	}
	return unit
}

func (s *Symbolizer) readUnits() error {
	if s.file.Section(".debug_info") == nil {
		s.data = &dwarf.Data{}
		return nil
	}
	data, err := s.file.DWARF()
	if err != nil {
		return err
	}
	offsets, err := unitOffsets(s.file)
	if err != nil {
		return err
	}
	r := data.Reader()
	for _, at := range offsets {
		r.Seek(at)
		unit, err := r.Next()
		if err != nil {
			return err
		}
		if unit == nil || unit.Tag != dwarf.TagCompileUnit {
			continue
		}
		ranges, err := data.Ranges(unit)
		if err != nil {
			return err
		}
		for _, p := range ranges {
			if p[0] < p[1] && p[0] != 0 { // dropped code is at 0
				s.units = append(s.units, unitRange{p[0], p[1], at})
			}
		}
	}
	slices.SortStableFunc(s.units, func(a, b unitRange) int { return cmp.Compare(a.from, b.from) })
	s.data = data
	return nil
}

// line returns the files of a unit and the row of an address; where the compiler made the code
// itself, the row before it.
func (s *Symbolizer) line(unit *dwarf.Entry, pc uint64) (files []*dwarf.LineFile, at dwarf.LineEntry) {
	r, err := s.data.LineReader(unit)
	if err != nil || r == nil {
		return nil, at
	}
	rows, ok := s.lines[unit.Offset]
	for !ok {
		var e dwarf.LineEntry
		if err := r.Next(&e); err != nil {
			if err == io.EOF {
				s.lines[unit.Offset] = rows
			}
			break
		}
		rows = append(rows, e)
	}
	last := dwarf.LineEntry{}
	for i, e := range rows {
		if e.EndSequence {
			last = dwarf.LineEntry{}
			continue
		}
		if e.Line > 0 {
			last = e
		}
		if i+1 < len(rows) && e.Address <= pc && pc < rows[i+1].Address {
			at = last
			break
		}
	}
	return r.Files(), at
}

// inlined returns the entries of an address's function and of the functions inlined there, from the
// outside in.
func (s *Symbolizer) inlined(unit *dwarf.Entry, pc uint64) (chain []*dwarf.Entry) {
	r := s.data.Reader()
	r.Seek(unit.Offset)
	if _, err := r.Next(); err != nil {
		return nil
	}
	for namespaces := 0; ; {
		e, err := r.Next()
		if err != nil || e == nil {
			return chain
		}
		if e.Tag == 0 { // the end of a list of children
			if len(chain) > 0 || namespaces == 0 {
				return chain
			}
			namespaces--
			continue
		}
		into := false
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			if into = s.covers(e, pc); into {
				chain = append(chain, e)
			}
		case dwarf.TagLexDwarfBlock:
			into = s.covers(e, pc)
		case dwarf.TagNamespace:
			into = true
			if e.Children {
				namespaces++
			}
		}
		if into && !e.Children && e.Tag != dwarf.TagNamespace {
			return chain
		}
		if !into && e.Children {
			r.SkipChildren()
		}
	}
}

func (s *Symbolizer) covers(e *dwarf.Entry, pc uint64) bool {
	ranges, err := s.data.Ranges(e)
	if err != nil {
		return false
	}
	for _, p := range ranges {
		if p[0] <= pc && pc < p[1] {
			return true
		}
	}
	return false
}

// entryName finds the name of a function, which may be at the entry that it is an instance of.
func (s *Symbolizer) entryName(e *dwarf.Entry, depth int) string {
	for _, a := range []dwarf.Attr{dwarf.AttrLinkageName, dwarf.AttrName} {
		if name, ok := e.Val(a).(string); ok {
			return demangled(name)
		}
	}
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if at, ok := e.Val(a).(dwarf.Offset); ok && depth < 8 {
			r := s.data.Reader()
			r.Seek(at)
			if origin, err := r.Next(); err == nil && origin != nil {
				return s.entryName(origin, depth+1)
			}
		}
	}
	return ""
}
