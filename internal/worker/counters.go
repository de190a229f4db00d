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
	symbols, base, err := ownSymbols()
	if err != nil {
		return nil, err
	}
	found := map[string]elf.Symbol{}
	var packages []string
	for _, s := range symbols {
		switch {
		case strings.HasSuffix(s.Name, ".plxCov"):
			packages = append(packages, strings.TrimSuffix(s.Name, ".plxCov"))
			found[s.Name] = s
		case strings.HasSuffix(s.Name, ".plxLen"), strings.HasSuffix(s.Name, ".plxOrd"), s.Name == "main.plxSeq":
			found[s.Name] = s
		}
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
			Cov:     unsafe.Slice((*byte)(pointer(base+cov.Value)), int(cov.Size)),
			Len:     (*[8]uint64)(pointer(base + length.Value)),
		}
		if ord, ok := found[p+".plxOrd"]; ok && ord.Size == 4*cov.Size {
			r.Ord = unsafe.Slice((*uint32)(pointer(base+ord.Value)), int(cov.Size))
		}
		c.Regions = append(c.Regions, r)
		c.Blocks += int(cov.Size)
	}
	if seq, ok := found["main.plxSeq"]; ok && seq.Size == 4 {
		c.Seq = (*uint32)(pointer(base + seq.Value))
	}
	return c, nil
}

// ownSymbols reads the executable's symbol table, and how far from the addresses there it is loaded.
func ownSymbols() (symbols []elf.Symbol, base uint64, err error) {
	f, err := elf.Open("/proc/self/exe")
	if err != nil {
		return nil, 0, fmt.Errorf("reading the worker's symbol table: %w", err)
	}
	defer f.Close()
	symbols, err = f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, 0, errors.New("the worker was linked without symbols (-ldflags=-s): build it with them")
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the worker's symbol table: %w", err)
	}
	anchor := reflect.ValueOf(ownSymbols).Pointer()
	anchorName := unescape(runtime.FuncForPC(anchor).Name())
	for _, s := range symbols {
		if strings.HasSuffix(s.Name, ".ownSymbols") && unescape(s.Name) == anchorName {
			return symbols, uint64(anchor) - s.Value, nil
		}
	}
	return nil, 0, errors.New("the worker's own code is missing from its symbol table")
}

// pointer turns the address of a package-level variable into a pointer. Such variables never move and are never freed.
func pointer(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

func unescape(name string) string {
	if s, err := url.PathUnescape(name); err == nil {
		return s
	}
	return name
}
