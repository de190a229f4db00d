package text

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/show/sources"
)

// Brief returns the parts of report.md that a summary of many findings shows. It shows the result
// of each program, where outputs differ, the input, and the places that decide. Its headings are
// two levels lower. Texts of programs and inputs are code in it.
func Brief(f *finding.Finding, page finding.Page) []byte {
	if page.Source == nil {
		page.Source = sources.Of(append([]string{page.Dir}, page.Built...)...)
	}
	at := paper{page, true, rowWidth}
	d := &document{}
	did(f, d, at)
	differ(f, d, at)
	inputs(f, d, at)
	decided(f, d, at)
	var b bytes.Buffer
	for i, bl := range d.blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		if h, ok := bl.(headingBlock); ok {
			bl = headingBlock{h.level + 2, h.spans}
		}
		bl.markdown(&b)
	}
	return b.Bytes()
}

// Alone returns a line for a shell that runs the finding again without parallax, or "". It works
// where page.Folder, the finding's folder, is valid, for a fuzz test only in the module of its
// package.
func Alone(f *finding.Finding, page finding.Page) string {
	switch folder := page.Folder; {
	case folder == "":
		return ""
	case page.Script != "":
		return "sh " + shell.Word(filepath.Join(folder, reproducer.ScriptFile))
	case page.Reproducer == "":
		return ""
	case f.Fuzz != nil:
		path := shell.Word(f.Fuzz.ImportPath)
		return fmt.Sprintf("cp %s \"$(go list -f '{{.Dir}}' %s)\"/%s && %s", shell.Word(filepath.Join(folder, reproducer.TestFile)), path,
			reproducer.FuzzFile(f), reproducer.FuzzCommandIn(f, path))
	case strings.Contains(page.Reproducer, "func TestDiscrepancy("):
		return "cd " + shell.Word(folder) + " && " + reproducer.Command(f)
	}
	return ""
}

// Position splits a source position, file:line or file:line:column. The line is 0 if there is none.
func Position(position string) (file string, line int) {
	file, _, line = cutPosition(position)
	return file, line
}
