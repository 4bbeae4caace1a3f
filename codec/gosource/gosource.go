// Package gosource owns the translation of tree models into Go source: a package without imports
// but math, whose predictions have the bits of the model's own. It is for programs that hold one
// model for good; others load a model file, which the engine predicts with faster where trees are
// many. Generated packages and their tests need Go 1.13.
package gosource

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// Options are the choices of Write.
type Options struct {
	// Package is the name of the package; "" = model.
	Package string
	// Nodes is the number of nodes up to which trees become functions of nested ifs, which are for
	// reading and predict fastest while they are small. Larger models become tables, because a
	// compiler takes long for functions; 0 = DefaultNodes, below 0 = always tables. Trees that
	// tables cannot express become functions whatever their size: with surrogate, oblique and
	// spherical splits, a child for each category, and rows that stop or are divided.
	Nodes int
}

// DefaultNodes is Options.Nodes where it is 0.
const DefaultNodes = 20000

// name is that of the format in errors.
const name = "Go source"

func unsupported(what string, args ...any) error {
	return &codec.UnsupportedError{Format: name, What: fmt.Sprintf(what, args...)}
}

// generator writes the source of one model.
type generator struct {
	bytes.Buffer
	names
	model    *model.Ensemble
	options  Options
	refusals refusals
	scores   int
	form     form
}

// form is how trees become source: functions or tables.
type form interface {
	// start is the statement of Raw before its first tree, "" for none.
	start() string
	// call is the expression for the leaf of a row in a tree; "" if it wrote the statement that
	// adds the tree, with its weight, to one of several scores.
	call(tree int, weight float64, output int) string
	// write writes what the calls need.
	write()
}

// Write writes m as a Go file, formatted. Its package has
//
//	Row       a struct with a field for each column that predictions depend on: float64, NaN for a
//	          missing value, or a type of its own for categories, whose zero value is a missing one
//	Parse...  a function for each of these types: from a text to its category
//	Raw       the raw score, or scores, of a row
//	Predict   the response: a number, or the probabilities of all classes
//	Label     of a classifier: the index of the predicted class, and Classes its names
//	Check     of a model that refuses missing or unseen values, or has no prediction for some rows:
//	          the error for such a row, of which Raw and Predict are NaN and Label is -1
//
// No function allocates memory. A *codec.UnsupportedError names what the translation cannot
// express: pooled quantiles, and statistics that are found by hashes of categories.
func Write(w io.Writer, m *model.Ensemble, o Options) error {
	g, err := newGenerator(m, o)
	if err != nil {
		return err
	}
	g.head()
	g.rowType()
	for i := range g.columns {
		g.categoryType(&g.columns[i])
	}
	g.check()
	g.derive()
	if err := g.predict(); err != nil {
		return err
	}
	if g.wide() {
		g.printf("// add adds the weighted values of a leaf to the scores.\n"+
			"func add(s *%s, weight float64, v *%s) {\n\tfor k := range s {\n"+
			"\t\ts[k] += float64(weight * v[k])\n\t}\n}\n\n", g.scoreType(), g.scoreType())
	}
	g.form.write()
	g.helpers()
	source, err := withoutUnused(g.Bytes())
	if err == nil {
		source, err = format.Source(source)
	}
	if err != nil {
		return fmt.Errorf("generated Go does not parse: %w", err)
	}
	_, err = w.Write(source)
	return err
}

func newGenerator(m *model.Ensemble, o Options) (*generator, error) {
	if o.Package == "" {
		o.Package = "model"
	}
	if !token.IsIdentifier(o.Package) || o.Package == "_" {
		return nil, fmt.Errorf("%q is no name of a Go package", o.Package)
	}
	switch {
	case o.Nodes == 0:
		o.Nodes = DefaultNodes
	case o.Nodes < 0:
		o.Nodes = 0
	}
	m = m.First(0)
	if err := foreign.CheckTraits(name, m, foreign.Threshold, foreign.LabelBytes, foreign.ColumnBytes,
		foreign.Dates, foreign.Refusals, foreign.NoPrediction, foreign.ClassCounts, foreign.ByCode, foreign.Equations,
		foreign.ZeroMissing, foreign.Derived, foreign.Costs, foreign.AnomalyScores, foreign.Directions, foreign.Surrogates,
		foreign.Stops, foreign.Divided); err != nil {
		return nil, err
	}
	if n := len(m.Inputs.Combinations); n > 0 {
		return nil, unsupported("statistics by hashes of categories: %d combinations have them", n)
	}
	g := &generator{names: namesOf(m), model: m, options: o, scores: m.Scores()}
	g.refusals = refusalsOf(m, &g.names)
	nodes := 0
	for _, t := range m.Trees {
		nodes += t.Len()
	}
	tree, what := beyondTables(m)
	switch {
	case nodes <= o.Nodes || tree >= 0 && o.Nodes > 0:
		g.form = &functions{generator: g}
	case tree >= 0:
		return nil, unsupported("tables of nodes with %s: tree %d has some", what, tree)
	default:
		g.form = newTables(g)
	}
	return g, nil
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(g, format, args...) }

// head writes the package clause.
func (g *generator) head() {
	m := g.model
	g.printf("// Code generated by coppice generate; DO NOT EDIT.\n\n")
	what := "a number"
	if len(m.Meta.Classes) > 0 {
		what = "the probabilities of classes"
	}
	of := ""
	if m.Meta.Label != "" {
		of = " of " + quoted(m.Meta.Label)
	}
	g.printf("// Package %s predicts %s%s, with a model of %d trees.\npackage %s\n\n",
		g.options.Package, what, of, len(m.Trees), g.options.Package)
	g.WriteString(importMath)
}

// importMath is in every file until withoutUnused.
const importMath = "import \"math\"\n\n"

// withoutUnused returns source without the import of math if nothing uses it.
func withoutUnused(source []byte) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil, err
	}
	used := false
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			used = used || ok && x.Name == "math"
		}
		return !used
	})
	if used {
		return source, nil
	}
	return bytes.Replace(source, []byte(importMath), nil, 1), nil
}

// rowType writes the struct of a row.
func (g *generator) rowType() {
	g.printf("// Row holds the values of one row. A number is missing if it is NaN, a category " +
		"if it is\n// the zero value of its type.\ntype Row struct {\n")
	for i := range g.columns {
		if c := &g.columns[i]; !c.nonzero && !c.derived {
			g.printf("\t%s %s // %s\n", c.field, c.kind(), comment(c.source.Name))
		}
	}
	g.printf("}\n\n")
}

// quoted returns a text for a comment, in quotes and on one line.
func quoted(text string) string { return fmt.Sprintf("%q", text) }

func comment(text string) string { return strings.TrimSpace(quoted(text)) }
