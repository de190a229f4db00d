// Victim is a worker whose programs misbehave on instructions in their input. See package
// workertest.
package main

import (
	"parallax/cmd/internal/process/execute/workertest/subject"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/worker"
)

func main() {
	program := func(name string, f func([]byte) ([]byte, error)) worker.Program {
		return worker.Program{Name: name, Run: func(args *input.Args, r *oracle.Result) {
			v, err := f(args.Bytes(0))
			r.Bytes(v)
			r.Error(err)
		}}
	}
	worker.Main(worker.Target{
		Shape: input.Shape{input.Bytes}, CompareValues: true,
		Programs: []worker.Program{program("a", subject.A), program("b", subject.B)},
	})
}
