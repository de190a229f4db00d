package golang

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A build with Options.CmpLog records the operands of comparisons instead of counting blocks. They
// serve input-to-state replacement (package internal/cmplog). Comparisons are found by type: the
// build type-checks each package against the export data that the compiler receives. A package that
// cannot be checked, or does not compile with the insertions, is compiled unchanged. The build
// never fails if the ordinary one succeeds.
//
// A package passes through cmplog_check.go (types), cmplog_sites.go and the files that it names
// (places of records), and cmplog_edit.go (text). Then cmplog_support.go has the contract with the
// reader.

// unrecorded lists the lowest-level packages, whose code may run without a growable stack.
var unrecorded = []string{"internal/abi", "internal/asan", "internal/bytealg", "internal/byteorder", "internal/chacha8rand",
	"internal/coverage/rtcov", "internal/cpu", "internal/goarch", "internal/godebugs", "internal/goexperiment", "internal/goos",
	"internal/msan", "internal/profilerecord", "internal/race", "internal/stringslite", "internal/trace/tracev2", "sync/atomic",
	"syscall", "unsafe"}

// bare reports whether a package may record integers only. The runtime calls it, or a later version
// may, where it must neither allocate nor write pointers. In Go 1.26, sysmon calls internal/strconv
// (most of strconv), and the collector calls sync.
func bare(pkg string) bool { return pkg == "sync" || strings.HasPrefix(pkg, "internal/") }

// notRecorded is called with the reason why a package is compiled unchanged. Tests set it; for the
// user, it is no error.
var notRecorded = func(pkg string, why error) {}

// runCmpLog compiles the package with recording comparisons, and returns the compiler's exit code.
func (c compilation) runCmpLog(sources []source) (code int, err error) {
	u, err := c.operands(sources)
	if err != nil || u.sites == 0 {
		if err != nil {
			notRecorded(c.pkg, err)
		}
		return c.compile(c.files)
	}
	temp, remove, err := c.tempDir()
	if err != nil {
		return 0, err
	}
	defer remove(&err)
	files, err := c.writeCmpLog(u, sources, temp)
	if err != nil {
		return 0, err
	}
	var out, errs bytes.Buffer
	if code, err = c.compileTo(&out, &errs, files); err != nil || code > 128 {
		return code, err
	}
	if code != 0 {
		notRecorded(c.pkg, fmt.Errorf("compiling: %s%s", &out, &errs))
		return c.compile(c.files)
	}
	_, _ = io.Copy(os.Stdout, &out)
	_, _ = io.Copy(os.Stderr, &errs)
	return 0, nil
}

// operands finds the comparisons of a package.
func (c compilation) operands(sources []source) (u *cmplogUnit, err error) {
	defer func() { // the reader of export data meets files of toolchains it does not know
		if r := recover(); r != nil {
			err = fmt.Errorf("finding comparisons: %v", r)
		}
	}()
	if slices.Contains(unrecorded, c.pkg) {
		return nil, errors.New("the runtime needs it")
	}
	u = newCmplogUnit(c.dialect)
	for _, s := range sources {
		f, err := u.parse(s)
		if err != nil {
			return nil, err
		}
		u.files = append(u.files, f)
	}
	slices.SortStableFunc(u.files, func(a, b *file) int {
		return strings.Compare(sortKey(a.path), sortKey(b.path))
	})
	if err := u.free(); err != nil {
		return nil, err
	}
	if err := u.check(c); err != nil {
		return nil, err
	}
	for _, f := range u.files {
		if !generated(f.path) && !Generates(f.text) {
			u.walk(f)
		}
	}
	return u, nil
}

// writeCmpLog writes the rewritten files and the support file into dir, and returns the compiler's
// file arguments.
func (c compilation) writeCmpLog(u *cmplogUnit, sources []source, dir string) ([]string, error) {
	out := slices.Clone(c.files)
	for _, f := range u.files {
		if len(u.edits[f]) == 0 {
			continue
		}
		i := slices.IndexFunc(sources, func(s source) bool { return s.path == f.path })
		out[i] = filepath.Join(dir, tempName(i, f.path))
		if err := os.WriteFile(out[i], u.rewrite(f), 0o600); err != nil {
			return nil, err
		}
	}
	support := filepath.Join(dir, "plx_ops.go")
	if err := os.WriteFile(support, u.support(), 0o600); err != nil {
		return nil, err
	}
	return append(out, support), nil
}
