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

// What a summary of many findings tells of one: the parts of its report that others need first, and a line that runs it again.

// Brief is a part of report.md: what each program did, where outputs differ, the input, and where it was decided. Its headings are two
// levels lower. Whatever comes from programs and inputs is code in it.
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

// Alone is a line for a shell that runs the finding again without parallax; empty where there is none. It is given where the finding's
// folder is page.Folder: that of a fuzz test also in its module.
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
			reproducer.FuzzFile(f), strings.TrimSuffix(reproducer.FuzzCommand(f, ""), ".")+path)
	case strings.Contains(page.Reproducer, "func TestDiscrepancy("):
		return "cd " + shell.Word(folder) + " && " + reproducer.TestCommand
	}
	return ""
}

// Position takes a source position apart: file:line or file:line:column. The line is 0 when there is none.
func Position(position string) (file string, line int) {
	file, _, line = cutPosition(position)
	return file, line
}
