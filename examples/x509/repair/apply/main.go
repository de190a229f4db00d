// Command apply repairs files: what other fuzzers have kept becomes what package repair would have
// made of it.
//
//	go run ./x509/repair/apply -from FOLDER -to FOLDER
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"examples/x509/repair"
)

func main() {
	from := flag.String("from", "", "folder of inputs")
	to := flag.String("to", "", "folder for the repaired ones, under the same names")
	flag.Parse()
	if *from == "" || *to == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := apply(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "apply:", err)
		os.Exit(1)
	}
}

func apply(from, to string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		input, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), repair.Repair(input), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
