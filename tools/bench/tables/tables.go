//go:build linux

// Package tables is the case that writes the made tables as CSV files.
package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Case writes each table as NAME_train.csv and NAME_test.csv. For every file it prints rows,
// columns and the first eight bytes of the SHA-256 of features and labels as float32.
var Case = pairs.Case{Name: "tables", About: "write the made tables as CSV files",
	Example: "-dir FOLDER higgs mslr", Takes: "dir rows quick",
	Set: func(r *pairs.Run) func(context.Context) error {
		return func(context.Context) error {
			var names []string
			for _, t := range recipe.Tables() {
				names = append(names, t.Name)
			}
			chosen, err := r.Chosen(names...)
			if err != nil {
				return err
			}
			if r.Quick {
				r.Rows = 100
			}
			for _, name := range chosen {
				if err := both(recipe.ByName(name), r.Dir, r.Rows); err != nil {
					return err
				}
			}
			return nil
		}
	}}

// both writes both files of a table; rows are those to train on, a fifth as many to test on.
func both(t *recipe.Table, dir string, rows int) error {
	if rows > 0 {
		t.Train, t.Test = rows, rows/5
	}
	return errors.Join(write(t, filepath.Join(dir, t.Name+"_train.csv"), 0, t.Train),
		write(t, filepath.Join(dir, t.Name+"_test.csv"), t.Train, t.Test))
}

func write(t *recipe.Table, path string, from, rows int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	digest, err := t.WriteCSV(f, from, rows)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	fmt.Printf("%s: %d x %d, sha256 X %s y %s\n", path, rows, t.Features, digest.Features,
		digest.Labels)
	return nil
}
