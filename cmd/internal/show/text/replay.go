package text

import (
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/internal/oracle"
)

// replay shows how to run the finding again.
func replay(f *finding.Finding, d *document, page paper) {
	d.add(headingBlock{2, []span{say("How to replay")}})
	switch {
	case page.Replay != "":
		d.add(command(page.Replay))
	case f.Replay != "":
		d.add(paragraphBlock{say("In the finding's folder:")}, command(f.Replay))
	}
	if f.Kind == oracle.KindOOM {
		d.add(paragraphBlock{say("parallax ends such a process from outside, so no stack is known. After "), named(reproducer.MemoryLimit), say(", a Go program without parallax prints the stack of the allocation instead.")})
	}
	if page.Script != "" {
		script(f, d, page)
		return
	}
	if page.Reproducer == "" {
		return
	}
	if f.Fuzz != nil {
		copied := []span{named(reproducer.FuzzFile(f)), say(", a new file in the folder of package "), named(f.Fuzz.ImportPath),
			say(", and run "), named(reproducer.FuzzCommand(f, "")), say(" there")}
		if !page.markdown && page.Folder != "" {
			d.add(append(append(paragraphBlock{say("Without parallax: copy "), named(filepath.Join(page.Folder, reproducer.TestFile)), say(" to ")}, copied...), say(".")))
			return
		}
		d.add(append(append(paragraphBlock{say("Without parallax: put this into ")}, copied...), say(".")), codeText("go", page.Reproducer))
		return
	}
	if !page.markdown && page.Folder != "" {
		if strings.Contains(page.Reproducer, "func TestDiscrepancy(") {
			d.add(paragraphBlock{say("Without parallax:")}, command("cd "+shell.Word(page.Folder)+" && "+reproducer.Command(f)))
		} else {
			d.add(paragraphBlock{say("Without parallax: "), named(filepath.Join(page.Folder, reproducer.TestFile)), say(": its first lines say how to run it.")})
		}
		return
	}
	p := paragraphBlock{say("Without parallax: put this into "), named(reproducer.TestFile)}
	if !strings.Contains(page.Reproducer, "func TestDiscrepancy(") {
		d.add(append(p, say(": its first lines say how to run it.")), codeText("go", page.Reproducer))
		return
	}
	if page.GoMod != "" {
		p = append(p, say(" beside this "), named("go.mod"))
	}
	d.add(append(p, say(" and run "), named(reproducer.Command(f)), say(".")))
	if page.GoMod != "" {
		d.add(codeText("", page.GoMod))
	}
	d.add(codeText("go", page.Reproducer))
}

// script shows how to run the script. The script needs the files next to it, so a page does not
// include its text.
func script(f *finding.Finding, d *document, page paper) {
	if !page.markdown && page.Folder != "" {
		d.add(paragraphBlock{say("Without parallax:")}, command("sh "+shell.Word(filepath.Join(page.Folder, reproducer.ScriptFile))))
		return
	}
	d.add(paragraphBlock{say("Without parallax, with the programs alone: "), named("sh " + reproducer.ScriptFile), say(" in the finding's folder, or in a copy of it. The first lines of the script list the other files and folders that it needs.")})
}

// command returns a line for a shell.
func command(s string) codeBlock {
	c := codeText("sh", s)
	c.whole = true
	return c
}
