package config

import (
	"maps"
	"slices"
)

// DefaultInherit lists the user's variables that programs get if the file does not say. It leaves
// out language, time zone and temporary folder, so that findings do not depend on the user.
var DefaultInherit = []string{"PATH", "HOME", "USER", "LOGNAME", "LD_LIBRARY_PATH", "JAVA_HOME"}

// defaultSet holds the variables that programs get unless the file inherits or sets them. Without
// the last one, Python writes __pycache__ next to its modules.
var defaultSet = map[string]string{"LANG": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}

// Environ returns the environment of a program as os/exec takes it, sorted by name. The program's
// own variables override [environment], which overrides inherited ones. lookup is os.LookupEnv.
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
