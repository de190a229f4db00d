package main

import "strings"

// faults returns programs that harm their process (puzzles/faults), so that workers are replaced.
// It leaves out those whose harm is a matter of time or luck (Late, Flaky, MapWrites, Hog). It
// leaves out Loops, since the signal that ends it finds it in varying lines. It also leaves out
// Every, since fuzzing continues until triage has seen that the program fails on all seeds.
func faults() (all []campaign) {
	for _, f := range []struct {
		flags  string
		inputs int
	}{
		{".Harmless .Panics", 2000},
		{".Harmless .Exits", 400},
		{".Harmless .Deadlock", 400},
		{".Harmless .Overflow --timeout 30s", 100},
		{".Harmless .Goexit", 2000},
		{".Harmless .Message", 2000},
		{".Harmless .Prints", 2000},
		{".Sum .Mutates", 5000},
		{".Harmless .Retains", 5000},
	} {
		name := strings.ToLower(strings.TrimPrefix(strings.Fields(f.flags)[1], "."))
		all = append(all, one("faults-"+name, "puzzles/faults", "diff "+f.flags, f.inputs))
	}
	return append(all,
		one("faults-spins", "bench/same/subject", "diff ./spin.Ends ./spin.Spins --timeout 400ms", 3000),
		one("faults-start", "puzzles/faults", "diff ./start.A ./start.B", 100),
	)
}
