// Package lab owns the reproductions of numbers and pictures of trees and ensembles in textbooks
// and papers. They are computed again with Coppice's public packages. Each stands beside the
// published value or the result of a formula.
//
// A reproduction is a file and an entry of Table. It describes what it found as claims, which have
// a verdict, and as findings, tables and pictures; the command prints them, and docs/lab.md is made
// of them (go run ./internal/lab/page). Our numbers are always computed. Published numbers stand in
// the reproduction, with their source in the entry. Numbers that we computed by a formula are never
// called published.
package lab

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/lab/trial"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/report/plot"
)

// Reproduction is an entry of the table.
type Reproduction struct {
	Name   string // on the command line, such as "voters"
	Title  string
	Source string // the publication
	// about how long it takes on one core, "" = at most some seconds; the tests run those only
	Slow string
	Run  func(ctx context.Context, r *Env) (*Result, error)
}

// Env is what a reproduction runs in.
type Env struct {
	// folder with the project's tables, such as iris/iris.csv; "" = the testdata of the checkout
	// around the working directory
	Data    string
	Workers int // as learn.Job's; the result is the same for any number
}

// Read reads a table of the folder Data, whose label is the column of that name, and which has a
// number of rows: what is published is of those, not of fewer.
func (r *Env) Read(ctx context.Context, file, label string, rows int) (*data.Dataset, error) {
	folder := r.Data
	if folder == "" {
		root, err := trial.Root()
		if err != nil {
			return nil, fmt.Errorf("table %s: %w: fetch it (git clone https://%s) and name its "+
				"folder with --data coppice/testdata", file, err, trial.Module)
		}
		folder = filepath.Join(root, "testdata")
	}
	ds, err := trial.ReadIn(ctx, folder, file, label)
	if err == nil && ds.Rows() != rows {
		return nil, fmt.Errorf("table %s: %d rows, want %d: take the one in the project's testdata",
			filepath.Join(folder, file), ds.Rows(), rows)
	}
	return ds, err
}

// Result is what a reproduction found.
type Result struct {
	Text     []string // paragraphs: what was done
	Claims   []Claim
	Findings []Finding
	Tables   []Numbers
	Pictures []Picture
}

// Finding is a published statement that is no single number, such as the order of some methods.
type Finding struct {
	What  string // the statement, as published
	Found string // what was found here, with its numbers
	Holds bool
	// neither it nor its contrary is shown, by two standard errors: it does not count as holding
	Open bool
}

// bySigns returns the finding that a difference, given with its standard error, is above 0.
func bySigns(what, found string, difference, bar float64) Finding {
	return Finding{What: what, Found: found, Holds: difference > 2*bar,
		Open: math.Abs(difference) <= 2*bar}
}

// Picture is drawn as SVG, and in characters for a terminal.
type Picture struct {
	Name string // piece of the file's name, "" for the first one
	SVG  func(w io.Writer) error
	Text func(w io.Writer) error
}

// Figure returns the picture of a figure.
func Figure(name string, f *plot.Figure) Picture { return Picture{name, f.Write, f.Text} }

// File returns the name of the file of the picture of a reproduction.
func (p *Picture) File(reproduction string) string {
	if p.Name != "" {
		reproduction += "-" + p.Name
	}
	return "lab-" + reproduction + ".svg"
}

// Kept reports whether nothing that was published is contradicted.
func (r *Result) Kept() bool { return r.Count().Lost() == 0 }

// ByName returns the row of a name. The error of an unknown name suggests the nearest.
func ByName(name string) (*Reproduction, error) {
	var names []string
	for _, entry := range Table() {
		if entry.Name == name {
			return &entry, nil
		}
		names = append(names, entry.Name)
	}
	if near := param.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("unknown reproduction %q: did you mean %q?", name, near)
	}
	return nil, fmt.Errorf("unknown reproduction %q: coppice lab lists them", name)
}
