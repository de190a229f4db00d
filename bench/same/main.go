// Same shows whether two builds of parallax do the same, byte for byte. It runs a set of campaigns
// with one build and records all that they left behind. Then it compares two recordings. It is for
// changes that must not change what a campaign does.
//
//	same -parallax BIN -record A.json [-work FOLDER] [-root REPOSITORY] [-only REGEXP] [-quick] [-jobs N]
//	same -compare [-except REGEXP] A.json B.json
//
// Flags have names that both builds take: the earlier one where a flag was renamed.
//
// Each campaign has one worker, a seed and a budget of inputs, so that it repeats. Some parts
// cannot repeat: times, rates, process numbers and paths. These are replaced in the files, and
// nothing else. The files so normalized stay in FOLDER, for diff -r.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

func main() {
	var r recorder
	flag.StringVar(&r.tool, "parallax", "", "the parallax executable")
	file := flag.String("record", "", "run the campaigns and write what they did to this file")
	flag.StringVar(&r.work, "work", "", "folder for the files that campaigns left, normalized (default beside the recording, .work in place of .json)")
	flag.StringVar(&r.root, "root", ".", "the repository with the programs that are fuzzed: the same for both recordings")
	flag.IntVar(&r.jobs, "jobs", 2, "campaigns at a time")
	only := flag.String("only", "", "regular expression: campaigns to run or to compare")
	quick := flag.Bool("quick", false, "a small set, of everything a little")
	list := flag.Bool("list", false, "print the names of the campaigns")
	except := flag.String("except", "", "with -compare, regular expression: files that are left out, such as those with texts that were changed on purpose")
	compare := flag.Bool("compare", false, "compare two recordings, the arguments: exit code 1 if they differ")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	same := true
	switch chosen, bad := choose(campaigns(), *only, *quick); {
	case bad != nil:
		err = bad
	case *list:
		for _, c := range chosen {
			fmt.Println(c.name)
		}
	case *compare && flag.NArg() == 2:
		same, err = compareFiles(os.Stdout, flag.Arg(0), flag.Arg(1), chosen, *except)
	case *file != "" && flag.NArg() == 0:
		if r.work == "" {
			r.work = strings.TrimSuffix(*file, filepath.Ext(*file)) + ".work"
		}
		err = r.record(ctx, chosen, *file)
	default:
		err = errors.New("either -parallax BIN -record FILE, or -compare FILE FILE")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

// choose returns the campaigns that are asked for.
func choose(all []campaign, only string, quick bool) (chosen []campaign, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	for _, c := range all {
		if pattern.MatchString(c.name) && (c.quick || !quick) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no campaign has such a name: -list prints them")
	}
	return chosen, nil
}
