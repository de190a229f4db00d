package doctor

import "strings"

// models checks the needs of parallax model: an interpreter that installs engines, and the programs
// that confirm findings. Models in C also need the C compiler and clang, which have their own
// checks.
func models(h Host) []Check {
	return []Check{
		python(h),
		tool(h, "z3", "parallax model", "apt-get install z3"),
		tool(h, "cvc5", "parallax model", "apt-get install cvc5"),
		tool(h, "php", "parallax model of PHP's functions", "apt-get install php-cli"),
	}
}

const getPython = "apt-get install python3 python3-venv python3-pip"

// python checks for an interpreter that makes environments, with which parallax model installs
// engines.
func python(h Host) Check {
	c := tool(h, "python3", "the engines of parallax model", getPython)
	if !c.OK {
		return c
	}
	where, err := h.LookPath("python3")
	if err != nil {
		return c
	}
	// Debian's python3 has venv without ensurepip, and then makes environments without pip.
	if _, err := h.Output(where, "-c", "import venv, ensurepip"); err != nil {
		c.OK = false
		c.Detail = strings.TrimSpace(c.Detail) + ", without venv and pip; used for the engines of parallax model"
		c.Fix = getPython
	}
	return c
}
