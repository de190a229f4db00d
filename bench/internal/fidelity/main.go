// Fidelity compares trials of parallax's Zest, SIMPLE and STRUCTURE with those of the published
// tools. It prints medians over executions, and for each measure which of two configurations is
// ahead on either side. Numbers of branches of different programs cannot be compared, but signs of
// differences can.
//
//	go run ./internal/fidelity behaviour/fidelity.samples.jsonl behaviour/fidelity.published.jsonl
//	go run ./internal/fidelity -plots FOLDER >behaviour/fidelity.published.jsonl
//
// The second command makes the file of the published tools' plot_data, which are
// FOLDER/CONFIGURATION-TRIAL/plot_data.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	plots := flag.String("plots", "", "a `folder` with the plot_data of the published tools")
	flag.Parse()
	var err error
	switch {
	case *plots != "" && flag.NArg() == 0:
		err = convert(os.Stdout, *plots)
	case *plots == "" && flag.NArg() == 2:
		var ours, published []*trial
		if ours, err = read(flag.Arg(0)); err == nil {
			published, err = read(flag.Arg(1))
		}
		if err == nil {
			tables(os.Stdout, ours, published)
		}
	default:
		fmt.Fprintln(os.Stderr, "fidelity: which trials? go run ./internal/fidelity OURS.samples.jsonl PUBLISHED.jsonl")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}
