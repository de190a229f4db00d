package worker

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"syscall"
	"unsafe"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// findCounters locates the counters of every instrumented package through the executable's symbol
// table. Instrumented packages import nothing for their counters, so there is no other link to
// them.
//
// Contract relied on: the instrumentation gives each package the variables plxCov [N]uint8, plxLen
// [8]uint64 and, if first-hit order is recorded, plxOrd [N]uint32. Instead of plxCov there may be
// plxMap, with a page before and one behind the counters. The linker lists them under the package's
// path, escaped as in object files, unless it strips symbols.
func findCounters() (*feature.Counters, error) {
	symbols, base, err := ownSymbols(".plxCov", ".plxMap", ".plxLen", ".plxOrd", ".plxSeq")
	if err != nil {
		return nil, err
	}
	found := map[string]symbol{}
	var packages []string
	for _, s := range symbols {
		switch {
		case strings.HasSuffix(s.Name, ".plxCov"):
			packages = append(packages, strings.TrimSuffix(s.Name, ".plxCov"))
			found[s.Name] = s
		case strings.HasSuffix(s.Name, ".plxMap") && s.Size > 2*page:
			packages = append(packages, strings.TrimSuffix(s.Name, ".plxMap"))
			found[s.Name] = s
		case strings.HasSuffix(s.Name, ".plxLen"), strings.HasSuffix(s.Name, ".plxOrd"), s.Name == "main.plxSeq":
			found[s.Name] = s
		}
	}
	sort.Slice(packages, func(i, j int) bool { return oracle.Unescape(packages[i]) < oracle.Unescape(packages[j]) })
	c := &feature.Counters{}
	for _, p := range packages {
		cov, length := found[p+".plxCov"], found[p+".plxLen"]
		if whole, ok := found[p+".plxMap"]; ok {
			cov = whole
			cov.Value, cov.Size = whole.Value+page, whole.Size-2*page
		}
		if length.Size != 64 || cov.Size == 0 {
			return nil, fmt.Errorf("package %s has counters of an unknown layout", oracle.Unescape(p))
		}
		r := feature.Region{
			Package: oracle.Unescape(p),
			First:   c.Blocks,
			Cov:     unsafe.Slice((*byte)(pointer(base+cov.Value)), int(cov.Size)),
			Len:     (*[8]uint64)(pointer(base + length.Value)),
		}
		_, r.OwnPages = found[p+".plxMap"]
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

// page is the size of the padding before and behind counters that may move to shared memory.
const page = 4096

// shareCounters moves the counters with their own pages into the memory shared with the supervisor.
// The supervisor then sees the blocks of a run that ended the process.
//
// Contract relied on: nothing else is in the pages of the counters, since they have a page before
// and one behind them. A package that counts during the move loses only counts.
func shareCounters(c *feature.Counters, mem *wire.Memory) {
	if os.Getpagesize() != page {
		return
	}
	room := mem.Survivors(len(c.Regions))
	for i := range c.Regions {
		if cov := c.Regions[i].Cov; c.Regions[i].OwnPages {
			first := uintptr(unsafe.Pointer(&cov[0]))
			start := first &^ (page - 1)
			n := int((first+uintptr(len(cov))+page-1)&^(page-1) - start)
			to, at := room.Alloc(n)
			if to == nil {
				return
			}
			copy(to, unsafe.Slice((*byte)(pointer(uint64(start))), n))
			_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, start, uintptr(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, memoryFile, uintptr(at))
			if errno == 0 {
				room.Put(i, at+int(first-start))
			}
		}
	}
}

// pointer converts the address of a package-level variable to a pointer. Such variables never move
// and are never freed.
func pointer(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}
