package archive

import (
	"fmt"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/subject"
)

// Several commands build and execute the programs that a campaign's folder names: replay, minimize,
// bisect, report and export --vectors. Such programs are functions of any module, a configuration
// with its commands, a C harness, and variables of the go command. The folder of a stranger could
// make them execute anything, and make accept and export write into any folder. Therefore a
// campaign seals its folder for its user (state.Folder.Seal), and other folders need consent.

// Trust records that the user trusts the owner of the campaign's folder. A folder that nothing can
// execute keeps its seal.
func (p *Campaign) Trust() {
	p.trusted = true
	if _, err := p.fuzz(); err == nil {
		p.folder.Seal() // makes the consent permanent if the folder is writable
	}
}

// Trusted returns an error that lists the programs of an untrusted folder.
func (p *Campaign) Trusted() error {
	if p.trusted || p.folder.Sealed() {
		return nil
	}
	return exit.Usage("%s may come from somebody else: no campaign of yours made it. This command would build and execute, or change, what it names:\n  %s\n"+
		"If you trust who made the folder and what is named, give the command --trust once",
		escape.Text(p.Shown()), strings.Join(p.runs(), "\n  "))
}

// runs lists what commands would build and execute from the folder, a line each.
func (p *Campaign) runs() []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, escape.Text(fmt.Sprintf(format, args...))) }
	o := p.Config.Options
	for _, of := range []struct{ key, is string }{
		{"config", "the configuration"}, {"harness", "the program"}, {"harnesses", "the programs"}, {"repair", "the repair function"}, {"generator", "the generator"},
	} {
		if o[of.key] != "" {
			say("%s %s", of.is, o[of.key])
		}
	}
	if o["fuzz"] != "" {
		say("%s of the package in %s", o["fuzz"], p.Home())
	}
	for _, f := range subject.SplitWords(o["functions"]) {
		say("%s", f)
	}
	if o["config"]+o["fuzz"]+o["functions"] == "" {
		for _, program := range p.Config.Identity.Programs {
			say("%s", program)
		}
	}
	for _, key := range []string{"new_environ", "old_environ"} {
		if o[key] != "" {
			say("the go command with %s", strings.ReplaceAll(o[key], "\n", " "))
		}
	}
	say("in %s, with the accepted differences of %s", p.Options.Dir, p.Options.AcceptedFile())
	return lines
}

// fuzz returns the name of the campaign's FuzzXxx. Empty means none. The folder may contain any
// name, so fuzz checks it.
func (p *Campaign) fuzz() (string, error) {
	name := p.Config.Options["fuzz"]
	if name != "" && (!strings.HasPrefix(name, "Fuzz") || !token.IsIdentifier(name)) {
		return "", exit.Usage("%s is damaged: %q in its campaign.json is no name of a fuzz test", escape.Text(p.Shown()), name)
	}
	return name, nil
}
