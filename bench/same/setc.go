package main

// harnesses returns C and C++ programs that parallax cc and c++ of the same build have made, in
// folders of their own. The output of the compilers differs from build to build of parallax. So
// only the behavior of the programs is compared.
func harnesses() (all []campaign) {
	const folder = "bench/same/subject/c"
	made := func(name, command string, inputs int, builds ...string) campaign {
		c := one(name, folder, command, inputs)
		var steps []step
		for _, b := range builds {
			steps = append(steps, words(b))
		}
		c.steps = append(steps, c.steps...)
		return alone(c)
	}
	const (
		bugs   = "cc -g -O1 bugs.c -o bugs"
		strict = "cc -g -O1 strict.c -o strict"
		loose  = "c++ -g -O1 loose.cc -o loose"
	)
	all = []campaign{
		quickly(made("c-crashes", "fuzz ./bugs", 20000, bugs)),
		made("c-random", "fuzz ./bugs --guidance random --no-cmplog", 20000, bugs),
		made("c-no-trim", "fuzz ./bugs --no-trim --schedule stratified", 20000, bugs),
		made("c-mutator", "fuzz ./sum", 20000, "cc -g -O1 sum.c -o sum"),
		made("c-timeout", "fuzz ./loop --timeout 100ms", 150, "cc -g -O1 loop.c -o loop"),
		made("c-diff", "diff ./strict ./loose --seeds seeds", 10000, strict, loose),
		made("c-diff-go", "diff compare.toml", 4000, strict, loose),
	}
	// These puzzles need comparisons in C.
	for _, puzzle := range []string{"magic8", "strcmp", "checksum", "switch"} {
		c := one("c-puzzle-"+puzzle, "bench/c/puzzles", "fuzz ./"+puzzle, 20000)
		c.steps = append([]step{words("cc -g -O1 " + puzzle + ".c -o " + puzzle)}, c.steps...)
		all = append(all, alone(c))
	}
	return all
}
