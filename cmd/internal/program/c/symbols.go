package c

import (
	"debug/elf"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/internal/oracle"
)

// symbols turns addresses of call stacks into functions and lines.
type symbols struct {
	files map[string]*symbolFile
}

// symbolFile is an executable or a library. Both fields are nil if it cannot be read.
type symbolFile struct {
	names *clang.Symbolizer
	loads []*elf.Prog
}

func newSymbols() *symbols { return &symbols{files: map[string]*symbolFile{}} }

func (s *symbols) close() {
	for _, f := range s.files {
		if f.names != nil {
			f.names.Close()
		}
	}
}

func (s *symbols) file(path string) *symbolFile {
	f := s.files[path]
	if f == nil {
		f = &symbolFile{}
		s.files[path] = f
		if names, err := clang.OpenSymbolizer(path); err == nil {
			f.names = names
		}
		if e, err := elf.Open(path); err == nil {
			for _, p := range e.Progs {
				if p.Type == elf.PT_LOAD {
					f.loads = append(f.loads, p)
				}
			}
			e.Close()
		}
	}
	return f
}

// frames returns the functions at an address, inlined ones first.
func (s *symbols) frames(at Frame) []clang.Frame {
	f := s.file(at.File)
	if f.names == nil {
		return nil
	}
	if at.Linked {
		return f.names.Frames(at.Offset)
	}
	for _, p := range f.loads {
		if at.Offset >= p.Off && at.Offset < p.Off+p.Filesz {
			return f.names.Frames(at.Offset - p.Off + p.Vaddr)
		}
	}
	return nil
}

// runtimeFiles is the folder of the runtime's sources in debug information. Its frames surround
// those of a program: handlers of signals and exits, and the caller of the harness.
const runtimeFiles = "/parallax/runtime/"

// stack returns the call stack of an ended process and its output, with symbolized addresses.
func (s *symbols) stack(e *End) string {
	var lines []string
	placed := false // a frame has a source line
	add := func(text string) { lines = append(lines, fmt.Sprintf("    #%d %s", len(lines), text)) }
	for _, at := range e.Frames {
		all := s.frames(at)
		if len(all) == 0 {
			add("?? (" + filepath.Base(at.File) + ")")
		}
		for _, f := range all {
			switch {
			case strings.HasPrefix(f.File, runtimeFiles) && (f.Func == "run" || f.Func == "keeps") && placed:
				goto done // the harness ended in a call, and is not among the frames
			case strings.HasPrefix(f.File, runtimeFiles):
				lines, placed = lines[:0], false // frames before it belong to the runtime
				continue
			case f.File == "":
				add(f.Func + " (" + filepath.Base(at.File) + ")")
			default:
				add(f.Func + " " + f.File + ":" + strconv.Itoa(f.Line))
				placed = true
			}
			if f.Func == oracle.CHarness {
				goto done
			}
		}
	}
done:
	if len(lines) > 0 && strings.HasPrefix(lines[0], "    #0 ?? (libc") { // the return from the handler
		lines = lines[1:]
		for i := range lines {
			_, rest, _ := strings.Cut(lines[i], "#")
			_, rest, _ = strings.Cut(rest, " ")
			lines[i] = fmt.Sprintf("    #%d %s", i, rest)
		}
	}
	text := oracle.CStack
	for _, l := range lines {
		text += "\n" + l
	}
	if said := strings.Trim(s.named(e.Text), "\n"); said != "" {
		text += "\n\n" + said
	}
	return text
}

// named symbolizes the frames of a sanitizer's report.
func (s *symbols) named(report string) string {
	lines := strings.Split(report, "\n")
	for i, line := range lines {
		m := ReportFrame().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		off, err := strconv.ParseUint(m[3], 16, 64)
		if err != nil {
			continue
		}
		if m[1] != "0" && off > 0 {
			off--
		}
		all := s.frames(Frame{File: m[2], Offset: off, Linked: true})
		if len(all) == 0 {
			continue
		}
		var names []string
		for _, f := range all {
			name := f.Func
			if f.File != "" {
				name += " " + f.File + ":" + strconv.Itoa(f.Line)
			}
			names = append(names, name)
		}
		lines[i] = "    #" + m[1] + " " + strings.Join(names, ", inlined in ")
	}
	return strings.Join(lines, "\n")
}
