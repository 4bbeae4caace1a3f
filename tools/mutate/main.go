// Command mutate finds out what tests would not notice. It changes the source of packages at random
// places, one change at a time, and runs their tests with it: a mutant that fails a test is killed,
// one that passes all has survived, and shows what no test guards, unless it means the same as the
// original.
//
//	go run -C tools ./mutate -n 20 -seed 1 ./eval ./model/internal/engine
//
// Nothing in the tree is changed: the compiler reads mutants by an overlay, all of a package at
// once. The same seed and the same sources give the same mutants.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	n       int
	seed    uint64
	root    string
	with    []string
	limit   time.Duration
	short   bool
	at      []string // FILE:LINE of mutants; nil: any
	asJSON  bool
	folders []string
}

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.IntVar(&o.n, "n", 20, "mutants of each package")
	f.Uint64Var(&o.seed, "seed", 1, "which mutants")
	f.StringVar(&o.root, "root", "..", "the folder of the module, which packages are relative to")
	f.DurationVar(&o.limit, "limit", 5*time.Minute,
		"time that tests of a mutant may take; one that takes longer is killed, and so is one that "+
			"takes 10 s and ten times what the tests take without it")
	f.BoolVar(&o.short, "short", false, "run the short tests alone")
	at := f.String("at", "", "FILE:LINE, with commas between them: the lines of mutants, instead of all")
	f.BoolVar(&o.asJSON, "json", false, "write a JSON array of all mutants")
	with := f.String("with", "", "further packages, with commas between them, whose tests run too")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if o.folders = f.Args(); len(o.folders) == 0 || o.n < 1 {
		return nil, fmt.Errorf("want packages, such as ./eval, and -n from 1 up")
	}
	if *with != "" {
		o.with = strings.Split(*with, ",")
	}
	if *at != "" {
		o.at = strings.Split(*at, ",")
	}
	var err error
	o.root, err = filepath.Abs(o.root)
	return o, err
}

// run tries the mutants of each package in turn.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	all := []result{}
	for _, folder := range o.folders {
		found, err := o.try(ctx, folder, func(r *result) {
			if !o.asJSON {
				r.print(out)
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		killed := 0
		for _, r := range found {
			if r.Killed {
				killed++
			}
		}
		if !o.asJSON {
			fmt.Fprintf(out, "%s: %d of %d killed\n\n", folder, killed, len(found))
		}
		all = append(all, found...)
	}
	if o.asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	return nil
}

// print writes one line, and of a survivor the lines before and after.
func (r *result) print(out io.Writer) {
	if r.Killed {
		fmt.Fprintf(out, "killed    %s:%d: %s\n", r.File, r.Line, r.What)
		return
	}
	fmt.Fprintf(out, "survived  %s:%d: %s\n", r.File, r.Line, r.What)
	for _, line := range strings.Split(r.Before, "\n") {
		fmt.Fprintf(out, "  - %s\n", line)
	}
	for _, line := range strings.Split(r.After, "\n") {
		fmt.Fprintf(out, "  + %s\n", line)
	}
}
