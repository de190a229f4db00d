// Package worker is a small stand-in for the library's own: it runs every program on its argument
// and prints what came.
package worker

import (
	"fmt"
	"os"

	"parallax/internal/input"
	"parallax/internal/oracle"
)

type Program struct {
	Name string
	Run  func(*input.Args, *oracle.Result)
}

type Target struct {
	Shape         input.Shape
	CompareValues bool
	Programs      []Program
}

func Main(t Target) {
	fmt.Println(t.Shape, t.CompareValues)
	for _, p := range t.Programs {
		var r oracle.Result
		p.Run(&input.Args{Text: os.Args[1], N: 7}, &r)
		fmt.Println(p.Name, r.Text())
	}
}
