// Package reproductions owns the reproductions of numbers and pictures of trees and ensembles in
// textbooks and papers. They are computed again with Coppice's public packages. Each stands beside
// the published value or the result of a formula.
//
// A reproduction is a file and an entry of Table. It describes what it found as claims, which have
// a verdict, and as findings, tables and pictures; the command prints them, and docs/lab.md is made
// of them (TestPages writes it). Our numbers are always computed.
// Published numbers stand in the reproduction, with their source in the entry. Numbers that we
// computed by a formula are never called published.
package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"

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
	run  func(ctx context.Context, r *Env) *Result
}

// Run runs the reproduction.
func (r *Reproduction) Run(ctx context.Context, env *Env) (found *Result, err error) {
	defer failed(&err)
	return r.run(ctx, env), nil
}

// Env is what a reproduction runs in.
type Env struct {
	// folder with tables, such as iris/iris.csv, that is searched first; "" = none. See Read
	Data    string
	Workers int // as learn.Job's; the result is the same for any number
}

// Result is what a reproduction found.
type Result struct {
	Text     []string // paragraphs: what was done
	Claims   []Claim
	Findings []Finding
	Tables   []Numbers
	Pictures []Picture
}

// Finding is a statement that is no single number, such as the order of some methods.
type Finding struct {
	What  string // the statement
	Found string // what was found here, with its numbers
	Holds bool
	// the statement follows by a formula or is ours, and no source prints it
	Unpublished bool
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

// Takes is how long the reproduction takes on one core.
func (r *Reproduction) Takes() string {
	if r.Slow == "" {
		return "some seconds"
	}
	return r.Slow
}

// Sentence returns the statement with its verdict, in letters of the caller's, and what was found.
func (f *Finding) Sentence(verdict string) string {
	of := ""
	if f.Unpublished {
		of = "ours: "
	}
	return fmt.Sprintf("%s%s: %s (%s)", of, f.What, verdict, f.Found)
}

// Verdict returns what came of the finding.
func (f *Finding) Verdict() string {
	switch {
	case f.Holds:
		return "holds"
	case f.Open:
		return "undecided"
	}
	return "does not hold"
}
