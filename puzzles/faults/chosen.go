package faults

import "os"

// Choice is the environment variable that names the function that Chosen is.
const Choice = "PARALLAX_PUZZLE_FAULT"

var byName = map[string]func([]byte) error{
	"NilPointer": NilPointer, "MapWrites": MapWrites, "Overflow": Overflow, "Exits": Exits, "Deadlock": Deadlock,
	"Loops": Loops, "Hog": Hog, "Late": Late, "Message": Message, "Closes": Closes, "Scribbles": Scribbles,
	"NumberExits": NumberExits, "CountExits": CountExits, "ZeroExits": ZeroExits, "CountHangs": CountHangs, "StateHangs": StateHangs,
	"IdleHangs": IdleHangs, "ZeroHangs": ZeroHangs, "Answers": Answers, "Floods": Floods, "Shuts": Shuts, "Truncates": Truncates,
	"Starves": Starves, "Signals": Signals, "Prints": Prints, "Retains": Retains, "Flaky": Flaky,
}

var chosen func([]byte) error

func init() { chosen = byName[os.Getenv(Choice)] }

// Chosen does what the function does that the environment names, so that campaigns on many of them
// need one build.
func Chosen(data []byte) error {
	if chosen == nil {
		panic(Choice + " names no function of this package")
	}
	return chosen(data)
}
