package pmml

import (
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// links are the links by the names of normalizationMethod.
var links = map[string]link.Link{"": nil, "logit": link.Logistic(), "exp": link.Exp(),
	"softmax": link.Softmax(), "probit": link.Probit(), "simplemax": link.OneVsAll()}

// ensemble makes a model of a file.
func (f *file) ensemble(b *foreign.Budget) (e *model.Ensemble, err error) {
	defer func() {
		if err != nil && !foreign.Typed(err) {
			err = &codec.CorruptError{Format: formatName, Section: "model", Err: err}
		}
	}()
	defer foreign.Ended(&err)
	e = f.build(b)
	return e, e.Validate()
}

func (f *file) build(b *foreign.Budget) *model.Ensemble {
	e := &model.Ensemble{Bias: f.bias, Link: links[f.link],
		Meta: model.Spec{Task: f.task, Classes: f.classes, Learner: formatName}}
	if f.target != nil {
		e.Meta.Label = f.target.name
	}
	b.Need(int64(len(f.columns))*1024 + int64(len(f.trees))*2048)
	names := make([]string, len(f.columns))
	levels := make([][]string, len(f.columns))
	for i, c := range f.columns {
		names[i] = c.name
		if !c.texts {
			continue
		}
		b.Need(128 * int64(len(c.levels)))
		levels[i] = append([]string{}, c.levels...)
	}
	e.Meta.Schema = foreign.Schema(names, levels)
	for i, c := range f.columns {
		if c.texts && c.numbers() {
			foreign.MarkNumbers(&e.Meta.Schema.Fields[i])
		}
	}
	f.setTokens(&e.Meta.Schema)
	tool, version, _ := splitLast(f.application)
	if tool == "" {
		tool = "PMML" // the header names none
	}
	e.Origin = &model.Origin{Tool: tool, Version: version}
	if f.mean {
		e.Combine = model.Mean
	}
	f.addTrees(e, b)
	for i, c := range f.columns {
		field := &e.Meta.Schema.Fields[i]
		if c.refuseMissing {
			field.Missing = data.Refuse
		}
		if c.refuseUnseen {
			field.Unseen = data.Refuse
		}
	}
	return e
}

// setTokens sets the texts of missing values, which are the same for all columns of a table.
func (f *file) setTokens(s *data.Schema) {
	for i, c := range f.columns {
		if i == 0 {
			s.Tokens = c.tokens
		} else if !slices.Equal(c.tokens, s.Tokens) {
			refuse("the texts of missing values of column %.50q, which differ from "+
				"those of column %.50q", c.name, f.columns[0].name)
		}
	}
}

// splitLast splits a text at its last space.
func splitLast(text string) (before, after string, found bool) {
	if i := strings.LastIndexByte(text, ' '); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

// addTrees makes the trees.
func (f *file) addTrees(e *model.Ensemble, b *foreign.Budget) {
	sum, plain := 0.0, true
	for _, t := range f.trees {
		sum += t.weight
		plain = plain && t.weight == 1
		if f.mean && t.weight < 0 {
			fail("a mean with a negative weight")
		}
	}
	if f.mean && !(sum > 0 && sum <= math.MaxFloat64) {
		fail("a mean without trees or weights")
	}
	g := f.newGrower(b)
	for i, t := range f.trees {
		g.first = i == 0
		grown, numbers, err := g.grow(t)
		foreign.Check(err)
		addRefused(e, numbers, b)
		e.Trees, e.Origin.Leaf = append(e.Trees, grown), append(e.Origin.Leaf, numbers)
		if !plain {
			e.Weights = append(e.Weights, t.weight)
		}
		if f.scores > 1 && !f.vector {
			e.Output = append(e.Output, t.output)
		}
	}
}

// addRefused adds the leaves of the next tree that have no prediction. They get the number 0.
func addRefused(e *model.Ensemble, numbers []int32, b *foreign.Budget) {
	for n, number := range numbers {
		if number != refusedNumber {
			continue
		}
		if len(numbers) == 1 {
			refuse("a tree without a prediction for any row: null")
		}
		b.Need(32)
		numbers[n] = 0
		e.Refused = append(e.Refused, model.Refused{Tree: int32(len(e.Trees)), Leaf: int32(n)})
	}
}

// newGrower returns a grower of a file's trees.
func (f *file) newGrower(b *foreign.Budget) *grower {
	b.Need(72 * int64(len(f.columns)))
	g := &grower{file: f, budget: b, facts: make([]fact, len(f.columns))}
	for i, c := range f.columns {
		g.facts[i] = fact{low: math.Inf(-1), high: math.Inf(1), known: true, missing: true,
			unseen: !c.asMissing && !c.refuseUnseen}
		if c.texts {
			words := (len(c.levels) + 63) / 64
			b.Need(24 * int64(words))
			g.facts[i].codes = all(len(c.levels))
		}
	}
	return g
}

// grow makes a tree, and the number of the leaf of each of its nodes.
func (g *grower) grow(t *treeModel) (*tree.Tree, []int32, error) {
	f := g.file
	g.tree, g.nodes = t, g.nodes[:0]
	g.budget.Need(int64(len(t.nodes)) + 256)
	root := g.root()
	s := foreign.Source{Nodes: len(g.nodes), Root: root, Kind: tree.Scalar, Width: 1, Covers: t.covered()}
	if f.vector {
		s.Kind, s.Width = tree.Vector, f.scores
		if t.fraction {
			s.Kind = tree.Counts
		}
	}
	used := make([]bool, len(t.nodes))
	s.Node = func(number int32, n *foreign.Node) error {
		d := &g.nodes[number]
		if !d.leaf {
			n.Children = append(n.Children, d.first, d.last)
			n.Split = d.split
			return nil
		}
		n.Value = n.Value[:0]
		for range s.Width {
			n.Value = append(n.Value, 0)
		}
		if d.refused {
			n.Number = refusedNumber
		}
		if d.node < 0 {
			if f.vector { // a value that writers take for one of classes, and no row gets
				n.Value[0] = 1
			}
			return nil
		}
		from := &t.nodes[d.node]
		n.Number = from.number
		if s.Covers && from.first < 0 && !used[d.node] {
			n.Cover, used[d.node] = from.count, true
		}
		f.value(n.Value, t, from)
		return nil
	}
	return foreign.Grow(s, g.budget)
}

// covered reports whether all leaves have a number of rows.
func (t *treeModel) covered() bool {
	sum := 0.0
	for i := range t.nodes {
		if n := &t.nodes[i]; n.first < 0 {
			if n.count < 0 {
				return false
			}
			sum += n.count
		}
	}
	return sum > 0 && sum <= math.MaxFloat64
}

// all returns a set of n codes.
func all(n int) []uint64 {
	set := make([]uint64, (n+63)/64)
	for i := range n {
		set[i/64] |= 1 << (i % 64)
	}
	return set
}

// value writes the value of a node: a number, or one for each class, of which probabilities are
// fractions where they are not votes.
func (f *file) value(dst []float64, t *treeModel, n *fileNode) {
	switch {
	case !f.vector:
		dst[0] = n.value
	case t.fraction && n.counts != nil:
		copy(dst, n.counts)
		if len(f.trees) == 1 && dst[n.class]/n.rows < slices.Max(dst)/n.rows {
			refuse("a node whose class is not the most probable one")
		}
	default:
		dst[n.class] = 1
	}
}
