package doctor

import "strings"

// models is what parallax model needs: an interpreter that engines are installed with, and what confirms findings. The C compiler and clang, which
// models in C need too, have checks of their own.
func models(h Host) []Check {
	return []Check{
		python(h),
		tool(h, "z3", "parallax model", "apt-get install z3"),
		tool(h, "cvc5", "parallax model", "apt-get install cvc5"),
		tool(h, "php", "parallax model of PHP's functions", "apt-get install php-cli"),
	}
}

const getPython = "apt-get install python3 python3-venv python3-pip"

// python is an interpreter with what makes environments: engines of parallax model are installed by it.
func python(h Host) Check {
	c := tool(h, "python3", "the engines of parallax model", getPython)
	if !c.OK {
		return c
	}
	where, err := h.LookPath("python3")
	if err != nil {
		return c
	}
	// venv is there without ensurepip in Debian's python3, and then makes environments that have no pip.
	if _, err := h.Output(where, "-c", "import venv, ensurepip"); err != nil {
		c.OK = false
		c.Detail = strings.TrimSpace(c.Detail) + ", without venv and pip; used for the engines of parallax model"
		c.Fix = getPython
	}
	return c
}
