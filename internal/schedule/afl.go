package schedule

// The published schedules on AFL's queue. Sets of blocks represent paths.
var (
	aflRow         = queueRow("afl", "AFL's score", constant, Clock)
	aflNoClockRow  = queueRow("afl-noclock", "AFL's score without its factor for speed", constant, 0)
	exploreRow     = queueRow("aflfast-explore", "AFLFast: AFL's energy, whatever was executed", constant, Clock|Sets) // afl, by AFLFast's definition
	exploitRow     = queueRow("aflfast-exploit", "AFLFast: the most energy for every seed", exploit, Clock|Sets)
	coeRow         = queueRow("aflfast-coe", "AFLFast: cut-off exponential", coe, Clock|Sets)
	fastRow        = queueRow("aflfast-fast", "AFLFast: exponential", fast, Clock|Sets)
	linRow         = queueRow("aflfast-lin", "AFLFast: linear", lin, Clock|Sets)
	quadRow        = queueRow("aflfast-quad", "AFLFast: quadratic", quad, Clock|Sets)
	fastNoClockRow = queueRow("aflfast-fast-noclock", "aflfast-fast without its factor for speed", fast, Sets)
)

func queueRow(name, text string, p power, needs Needs) Row {
	return Row{Name: name, Text: text, Needs: needs, New: func(Environment) Schedule { return newQueue(p) }}
}
