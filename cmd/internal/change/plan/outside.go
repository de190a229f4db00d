package plan

import "slices"

// outside lists the functions of the standard library that affect the world outside of the process,
// with their effects.
var outside = []struct{ does, function string }{
	{"start processes", "os.StartProcess"},
	{"start processes", "syscall.Exec"},
	{"signal processes", "os.(*Process).Signal"},
	{"reach the network", "net.(*Dialer).DialContext"},
	{"reach the network", "net.(*ListenConfig).Listen"},
	{"reach the network", "net.(*ListenConfig).ListenPacket"},
	{"remove files", "os.Remove"},
	{"remove files", "os.RemoveAll"},
	{"change files", "os.Rename"},
	{"change files", "os.Mkdir"},
	{"change files", "os.Truncate"},
	{"change files", "os.Chmod"},
	{"change files", "os.Symlink"},
	{"change files", "os.Link"},
	{"open files", "os.OpenFile"},
	{"open files", "os.OpenRoot"},
}

// Opens reports whether a function, by full name, may open files through visible calls.
func (p *Plan) Opens(function string) bool {
	if p.graph == nil {
		return false
	}
	reached, _ := p.graph.Reaches(function)
	return slices.ContainsFunc([]string{"os.Open", "os.OpenFile", "os.ReadFile", "os.ReadDir", "io/ioutil.ReadFile"}, func(name string) bool {
		_, ok := slices.BinarySearch(reached, name)
		return ok
	})
}

// Outside returns how a function, by full name, may affect the world outside of the process through
// visible calls: starting processes or opening files. It returns "" for no effect.
func (p *Plan) Outside(function string) string {
	if p.graph == nil {
		return ""
	}
	reached, _ := p.graph.Reaches(function)
	for _, o := range outside {
		if _, ok := slices.BinarySearch(reached, o.function); ok {
			return o.does
		}
	}
	return ""
}
