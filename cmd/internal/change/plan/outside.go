package plan

import "slices"

// outside are the functions of the standard library by which a program reaches what is not its own, and how.
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

// Outside says how a function, by its full name, may reach what is outside of the process, by the calls that are seen: start processes, or open
// files. It is "" if it reaches nothing.
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
