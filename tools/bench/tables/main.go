// Command tables writes the benchmark tables as CSV files:
//
//	go run ./bench/tables -out DIR [higgs mslr airline small]
//
// Each table becomes NAME_train.csv and NAME_test.csv. For every file it prints rows, columns and
// the first eight bytes of the SHA-256 of features and labels as float32.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

func main() {
	out := flag.String("out", ".", "folder to write to")
	rows := flag.Int("rows", 0, "training rows, a fifth as many test rows; 0 = the table's own")
	flag.Parse()
	if err := run(*out, *rows, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func run(out string, rows int, names []string) error {
	tables := recipe.Tables()
	for _, n := range names {
		if !slices.ContainsFunc(tables, func(t recipe.Table) bool { return t.Name == n }) {
			return fmt.Errorf("there is no table %q", n)
		}
	}
	for _, t := range tables {
		if len(names) > 0 && !slices.Contains(names, t.Name) {
			continue
		}
		if rows > 0 {
			t.Train, t.Test = rows, rows/5
		}
		if err := write(&t, filepath.Join(out, t.Name+"_train.csv"), 0, t.Train); err != nil {
			return err
		}
		if err := write(&t, filepath.Join(out, t.Name+"_test.csv"), t.Train, t.Test); err != nil {
			return err
		}
	}
	return nil
}

func write(t *recipe.Table, path string, from, rows int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	digest, err := t.WriteCSV(f, from, rows)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		fmt.Printf("%s: %d x %d, sha256 X %s y %s\n", path, rows, t.Features, digest.Features,
			digest.Labels)
	}
	return err
}
