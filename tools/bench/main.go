//go:build linux

// Command bench compares Coppice with other programs, and ways of its own with each other:
//
//	go run -C tools ./bench                         lists the cases
//	go run -C tools ./bench CASE -h                 describes a case, with its flags and an example
//	go run -C tools ./bench CASE [flags] [NAME...]  runs it, or only the named parts of it
//
// A report in Markdown goes to the standard output, a line for each round to the standard error. A
// new case is a package with a pairs.Case, and a line of the table below. It runs on Linux.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/coppice-ml/coppice/tools/bench/accuracy"
	"github.com/coppice-ml/coppice/tools/bench/adaboost"
	"github.com/coppice-ml/coppice/tools/bench/beyond"
	"github.com/coppice-ml/coppice/tools/bench/boosting"
	"github.com/coppice-ml/coppice/tools/bench/csv"
	"github.com/coppice-ml/coppice/tools/bench/defaults"
	"github.com/coppice-ml/coppice/tools/bench/forests"
	"github.com/coppice-ml/coppice/tools/bench/newcategories"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/predict"
	"github.com/coppice-ml/coppice/tools/bench/quantiles"
	"github.com/coppice-ml/coppice/tools/bench/ranking"
	"github.com/coppice-ml/coppice/tools/bench/ranks"
	"github.com/coppice-ml/coppice/tools/bench/reading"
	"github.com/coppice-ml/coppice/tools/bench/serving"
	"github.com/coppice-ml/coppice/tools/bench/shapley"
	"github.com/coppice-ml/coppice/tools/bench/tables"
	"github.com/coppice-ml/coppice/tools/bench/trees"
)

// cases are all of them, by name.
var cases = []*pairs.Case{&accuracy.Case, &adaboost.Case, &beyond.Case, &boosting.Case, &csv.Case,
	&defaults.Case, &forests.Case, &newcategories.Case, &predict.Case, &quantiles.Case, &ranking.Case,
	&ranks.Case, &reading.Case, &serving.Case, &shapley.Case, &tables.Case, &trees.Case}

func main() { os.Exit(bench(os.Args[1:], os.Stderr)) }

// bench does what the arguments say, and returns the status.
func bench(arguments []string, errs io.Writer) int {
	if len(arguments) == 0 {
		for _, c := range cases {
			fmt.Printf("%-14s %s\n", c.Name, c.About)
		}
		return 0
	}
	name := arguments[0]
	c := caseOf(name)
	if c == nil {
		fmt.Fprintf(errs, "bench: there is no case %q; without arguments, bench lists them\n", name)
		return 2
	}
	switch err := c.Main(context.Background(), arguments[1:], errs); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(errs, "bench: %s: %v\n", name, err)
		return 1
	}
	return 0
}

// caseOf returns a case by its name; nil: there is none.
func caseOf(name string) *pairs.Case {
	for _, c := range cases {
		if c.Name == name {
			return c
		}
	}
	return nil
}
