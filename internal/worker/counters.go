package worker

import (
	"debug/elf"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"unsafe"

	"parallax/internal/feature"
)

// findCounters locates the counters of every instrumented package through the executable's symbol table. Nothing is
// imported by instrumented packages, so there is no other link between them and this one.
//
// Contract relied on: the instrumentation gives each package the variables plxCov [N]uint8, plxLen [8]uint64 and, when
// first-hit order is recorded, plxOrd [N]uint32; the linker lists them under the package's path, escaped as in object
// files, unless told to strip symbols.
func findCounters() (*feature.Counters, error) {
	f, err := elf.Open("/proc/self/exe")
	if err != nil {
		return nil, fmt.Errorf("reading the worker's symbol table: %w", err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, errors.New("the worker was linked without symbols (-ldflags=-s): build it with them")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the worker's symbol table: %w", err)
	}
	anchor := reflect.ValueOf(findCounters).Pointer()
	anchorName := runtime.FuncForPC(anchor).Name()
	found := map[string]elf.Symbol{}
	var packages []string
	base, anchored := uint64(0), false
	for _, s := range symbols {
		switch {
		case strings.HasSuffix(s.Name, ".plxCov"):
			packages = append(packages, strings.TrimSuffix(s.Name, ".plxCov"))
			found[s.Name] = s
		case strings.HasSuffix(s.Name, ".plxLen"), strings.HasSuffix(s.Name, ".plxOrd"), s.Name == "main.plxSeq":
			found[s.Name] = s
		case strings.HasSuffix(s.Name, ".findCounters"):
			if name, err := url.PathUnescape(s.Name); err == nil && name == unescape(anchorName) {
				base, anchored = uint64(anchor)-s.Value, true
			}
		}
	}
	if !anchored {
		return nil, errors.New("the worker's own code is missing from its symbol table")
	}
	sort.Slice(packages, func(i, j int) bool { return unescape(packages[i]) < unescape(packages[j]) })
	c := &feature.Counters{}
	for _, p := range packages {
		cov, length := found[p+".plxCov"], found[p+".plxLen"]
		if length.Size != 64 || cov.Size == 0 {
			return nil, fmt.Errorf("package %s has counters of an unknown layout", unescape(p))
		}
		r := feature.Region{
			Package: unescape(p),
			First:   c.Blocks,
			Cov:     unsafe.Slice((*byte)(at(base+cov.Value)), int(cov.Size)),
			Len:     (*[8]uint64)(at(base + length.Value)),
		}
		if ord, ok := found[p+".plxOrd"]; ok && ord.Size == 4*cov.Size {
			r.Ord = unsafe.Slice((*uint32)(at(base+ord.Value)), int(cov.Size))
		}
		c.Regions = append(c.Regions, r)
		c.Blocks += int(cov.Size)
	}
	if seq, ok := found["main.plxSeq"]; ok && seq.Size == 4 {
		c.Seq = (*uint32)(at(base + seq.Value))
	}
	return c, nil
}

// at turns the address of a package-level variable into a pointer. Such variables never move and are never freed.
func at(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

func unescape(name string) string {
	if s, err := url.PathUnescape(name); err == nil {
		return s
	}
	return name
}
