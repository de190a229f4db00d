package wavering

import (
	"os"
	"strings"
)

// Choice is the environment variable that names the functions that First and Second are, with a
// comma between them.
const Choice = "PARALLAX_PUZZLE_WAVERING"

var byName = map[string]func([]byte) (int, error){
	"Steady": Steady, "Half": Half, "Fifth": Fifth, "Fiftieth": Fiftieth, "Some": Some, "Map": Map, "MapToo": MapToo, "Milliseconds": Milliseconds,
	"Seconds": Seconds, "Goroutines": Goroutines, "GoroutinesToo": GoroutinesToo, "Address": Address, "AddressToo": AddressToo, "Carried": Carried,
	"Worn": Worn, "Seventh": Seventh, "Dying": Dying, "Mostly": Mostly,
}

var chosen = func() (pair [2]func([]byte) (int, error)) {
	first, second, _ := strings.Cut(os.Getenv(Choice), ",")
	pair[0], pair[1] = byName[first], byName[second]
	return pair
}()

// First and Second do what the functions do that the environment names, so that campaigns on many
// of them need one build.
func First(b []byte) (int, error) { return choose(0)(b) }

// Second is explained at First.
func Second(b []byte) (int, error) { return choose(1)(b) }

func choose(i int) func([]byte) (int, error) {
	if chosen[i] == nil {
		panic(Choice + " does not name two functions of this package")
	}
	return chosen[i]
}
