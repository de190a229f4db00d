package config

import (
	"maps"
	"slices"
)

// DefaultInherit are the variables that programs get of the user's when the file does not say. Language, time zone and
// temporary folder are not among them: a finding must not depend on who looks for it.
var DefaultInherit = []string{"PATH", "HOME", "USER", "LOGNAME", "LD_LIBRARY_PATH", "JAVA_HOME"}

// defaultSet are the variables that programs get unless the file inherits or sets them. Python leaves no __pycache__ beside its modules.
var defaultSet = map[string]string{"LANG": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}

// Environ is the environment of a program as os/exec takes it, by name: what is inherited, then [environment], then the
// program's own. lookup is os.LookupEnv.
func (f *File) Environ(p *Program, lookup func(string) (string, bool)) []string {
	all := map[string]string{}
	for name, value := range defaultSet {
		if !slices.Contains(f.Environment.Inherit, name) {
			all[name] = value
		}
	}
	for _, name := range f.Environment.Inherit {
		if value, ok := lookup(name); ok {
			all[name] = value
		}
	}
	maps.Copy(all, f.Environment.Set)
	maps.Copy(all, p.Env)
	list := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, name+"="+all[name])
	}
	return list
}
