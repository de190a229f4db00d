package synthesis

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Find finds the function that the user names by import path, or by a path from the module's root,
// such as LoadBytes, jws.Parse or encoding/yaml.(*T).Unmarshal.
func (p *Pair) Find(name string) (*Function, error) {
	folder, f, err := p.parse(name)
	if err != nil {
		return nil, err
	}
	pkg := p.new.packages[folder]
	if pkg == nil {
		return nil, p.noPackage(name, folder, f)
	}
	if _, why := p.new.uncallable(folder); why != "" {
		return nil, exit.Usage("--func %s: %s", name, why)
	}
	c, missing := p.new.index.Find(pkg, f)
	if missing != "" {
		meant := p.elsewhere(folder, f)
		if meant == "" && !strings.Contains(missing, "did you mean") {
			meant = p.method(folder, f)
		}
		return nil, exit.Usage("--func %s: in %s %s%s", name, p.request.New.Short, missing, meant)
	}
	fn, misfit := p.both(folder, c)
	if misfit != nil {
		return nil, exit.Usage("--func %w", misfit.err)
	}
	return fn, nil
}

// parse splits a name into the package's folder below the module and the function.
func (p *Pair) parse(name string) (folder string, f funcname.Func, err error) {
	if path, version, ok := strings.Cut(name, "@"); ok {
		return "", f, exit.Usage("--func %s: the versions are those that regress compares: leave @%s out, as in --func %s", name, version, path)
	}
	rest := name
	for _, module := range []string{p.new.module, p.old.module} {
		if below, ok := strings.CutPrefix(name, module); ok && below != "" && (below[0] == '/' || below[0] == '.') {
			rest = strings.TrimPrefix(below, "/")
			break
		}
	}
	first, _, dotted := strings.Cut(rest, ".")
	switch {
	case strings.HasPrefix(rest, "./"):
	case strings.HasPrefix(rest, "."):
		rest = "./" + rest
	case strings.Contains(rest, "/"), dotted && first != "" && first[0] != '(' && !p.declares(first):
		rest = "./" + rest
	default: // in the module's root package
		rest = "./." + rest
	}
	f, err = funcname.Parse(rest)
	if err != nil {
		if p.unexported(rest) {
			return "", f, exit.Usage("--func %s is not exported, so that no harness can call it: name an exported function that calls it, or write a FuzzXxx", name)
		}
		return "", f, exit.Usage("--func %s is not a function: write its path from the module's root, as in LoadBytes, jws.Parse or encoding/yaml.(*T).Unmarshal", name)
	}
	return folderOf(f), f, nil
}

// folderOf returns the folder below the module for a path from there.
func folderOf(f funcname.Func) string {
	folder := strings.TrimPrefix(strings.TrimPrefix(f.Package, "."), "/")
	if folder == "" {
		folder = "."
	}
	return folder
}

// unexported reports whether the new version has an unexported function of that name.
func (p *Pair) unexported(written string) bool {
	f, err := funcname.ParseInside(written)
	if err != nil {
		return false
	}
	pkg := p.new.packages[folderOf(f)]
	if pkg == nil {
		return false
	}
	_, missing := p.new.index.Find(pkg, f)
	return missing == ""
}

// declares reports whether a name before a dot is a declaration of the root package, rather than a
// folder.
func (p *Pair) declares(name string) bool {
	if p.new.packages[name] != nil {
		return false
	}
	return name[0] >= 'A' && name[0] <= 'Z'
}

// noPackage returns an error that lists similar folders, or reports that only the old version has
// the package.
func (p *Pair) noPackage(name, folder string, f funcname.Func) error {
	if folder == "." {
		if at := p.elsewhere(folder, f); at != "" {
			return exit.Usage("--func %s: the module's own folder has no package%s", name, at)
		}
		return exit.Usage("--func %s: the module's own folder has no package: write the folder too, as in %s", name, p.written(p.new.folders[0], f.Name))
	}
	if p.old.packages[folder] != nil {
		return exit.Usage("--func %s: %s has no package %s any more: name a function that both versions have", name, p.request.New.Short, p.old.importPath(folder))
	}
	meant := tomldoc.DidYouMean(folder, p.new.folders)
	if root := p.new.packages["."]; root != nil && root.Name == folder {
		meant = " (package " + folder + " is in the module's own folder: write --func " + strings.TrimPrefix(f.Written, f.Package+".") + ")"
	}
	if meant == "" {
		for _, other := range p.new.folders { // a folder of that name further down
			if gocommand.Within(other, "internal") || !strings.HasSuffix(other, "/"+folder) {
				continue
			}
			meant = " (did you mean \"" + p.written(other, strings.TrimPrefix(f.Written, f.Package+".")) + "\"?)"
			break
		}
	}
	return exit.Usage("--func %s: module %s has no package %s%s", name, p.new.module, p.new.importPath(folder), meant)
}

// method suggests a method whose name is that of a function, or similar.
func (p *Pair) method(folder string, f funcname.Func) string {
	var similar string
	for _, c := range p.new.exported(folder) {
		switch {
		case c.Func.Receiver == "" || tomldoc.DidYouMean(f.Name, []string{c.Func.Name}) == "":
		case c.Func.Name == f.Name:
			return tomldoc.DidYouMean(p.written(folder, c.Declared()), []string{p.written(folder, c.Declared())})
		case similar == "":
			similar = p.written(folder, c.Declared())
		}
	}
	if similar == "" {
		return ""
	}
	return tomldoc.DidYouMean(similar, []string{similar})
}

// maxElsewhere limits the functions of other packages in a message.
const maxElsewhere = 3

// elsewhere lists functions of the same name in other packages.
func (p *Pair) elsewhere(folder string, f funcname.Func) string {
	var found []string
	for _, other := range p.new.folders {
		if _, why := p.new.uncallable(other); other == folder || why != "" {
			continue
		}
		for _, c := range p.new.exported(other) {
			if c.Func.Name == f.Name && c.Func.Receiver == f.Receiver && c.Problem == nil {
				found = append(found, p.written(other, c.Declared()))
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return "; there is " + strings.Join(found[:min(len(found), maxElsewhere)], ", ")
}
