// Command replay prints what crypto/x509 says about files, as build/NAME-replay does for the
// libraries in C: replay FILE...
package main

import (
	"fmt"
	"os"

	"examples/x509/goverify"
)

func main() {
	for _, name := range os.Args[1:] {
		input, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := goverify.Verify(input); err != nil {
			fmt.Printf("%s\trejected\t%v\n", name, err)
		} else {
			fmt.Printf("%s\taccepted\t\n", name)
		}
	}
}
