package main

import "strings"

// commands returns commands that work on a folder after a campaign, and mistakes with their
// messages.
func commands() []campaign {
	const (
		subject = "bench/same/subject"
		pair    = "diff ./pair.Strict ./pair.Loose"
		record  = "fuzz ./fuzzed --fuzz Record"
		bucket  = "out/findings/*"
	)
	fuzz := func(command string) step { return run(command, "out", 5000) }
	each := func(command string) step { return step{args: strings.Fields(command), each: bucket} }
	after := func(name string, first step, steps ...step) campaign {
		return campaign{name: "commands-" + name, dir: subject, own: true, steps: append([]step{first}, steps...)}
	}
	show := []step{
		words("show --campaign {left}/out"), words("show --json --campaign {left}/out"), words("show --all --campaign {left}/out"),
		each("show --campaign {left}/out"), each("show --json --campaign {left}/out"),
	}
	made := append([]step{
		{settle: "out"},
		words("export --campaign {left}/out --format libfuzzer --to {left}/libfuzzer --corpus"),
		words("export --campaign {left}/out --format afl --to {left}/afl"),
		words("export --campaign {left}/out --to {left}/go"),
		words("export --campaign {left}/out --vectors --to {left}/vectors.json"),
		words("export --campaign {left}/out --vectors --all-agreeing --to {left}/agreeing.json"),
		words("report --campaign {left}/out --to {left}/report.html"),
		words("report --campaign {left}/out --to {left}/short.html --no-coverage"),
		words("replay --campaign {left}/out"),
		each("replay --campaign {left}/out"),
	}, show...)
	accepted := step{args: strings.Fields("accept --campaign {left}/out --reason meant"), each: bucket, keep: []string{"parallax-accepted.toml"}}
	return []campaign{
		quickly(after("show", fuzz(pair), show...)),
		after("made-of-diff", fuzz(pair), made...),
		after("made-of-fuzz", fuzz(record), made...),
		after("made-of-drivers", run("diff kinds/drivers.toml", "out", 1000), made...),
		after("made-of-c", words("cc -g -O1 c/bugs.c -o bugs"), append([]step{fuzz("fuzz ./bugs")}, made...)...),
		after("accept", fuzz(pair), accepted, fuzz(pair), words("show --campaign {left}/out"), words("replay --campaign {left}/out")),
		after("minimize", fuzz(pair+" --no-triage"), words("show --campaign {left}/out"), fuzz(pair), each("minimize --fuzztime 2000x --campaign {left}/out"), words("show --campaign {left}/out")),
		after("resume", fuzz(pair), fuzz(pair), run(pair, "whole", 10000)),
		after("resume-fuzz", fuzz(record), fuzz(record)),
		after("resume-lockstep", run("diff kinds/drivers.toml", "out", 1000), run("diff kinds/drivers.toml", "out", 1000)),
		quickly(mistakes()),
	}
}

// mistakes are texts: help of all commands, and what is said to wrong ones.
func mistakes() campaign {
	c := campaign{name: "commands-texts", dir: "bench/same/subject", own: true}
	for _, name := range []string{"", "accept", "bench", "bisect", "c++", "cc", "diff", "doctor", "export", "fuzz", "init", "minimize", "replay", "report", "show", "version"} {
		c.steps = append(c.steps, words("help "+name))
	}
	for _, wrong := range []string{
		"diff", "diff ./pair.Strict", "diff ./pair.Strict ./pair.None", "diff ./nothing.A ./pair.Loose", "diff ./pair.Strict ./number.Parse --guidance none",
		"diff ./pair.Strict strings.Repeat", "diff ./pair.Strict ./pair.Loose --schedule none", "diff ./pair.Strict ./pair.Loose --fuzztime 1y",
		"diff nothing.toml", "diff kinds/number.py", "fuzz ./pair", "fuzz ./fuzzed --fuzz None", "fuzz nothing",
		"show", "show --campaign nothing", "replay --campaign nothing", "report --campaign nothing", "export --campaign nothing", "minimize", "accept", "bisect", "bench nothing.toml", "nothing",
		"init pair.Strict", "init", "diff ./pair.Strict ./pair.Loose --mutators none", "diff ./pair.Strict ./pair.Loose --compare none", "cc", "cc nothing.c",
	} {
		c.steps = append(c.steps, words(wrong))
	}
	return c
}
