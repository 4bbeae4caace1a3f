package xgboost

import (
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// learnerName is Spec.Learner of what the readers return, toolName its Origin.
const (
	learnerName = "xgboost"
	toolName    = "XGBoost"
)

// model returns a *model.Ensemble, of gblinear a *dense.Linear.
func (f *file) model(in *input) model.Model {
	o := f.meaning(in)
	meta := f.spec(o, f.schema(in))
	if f.booster == "gblinear" {
		return f.linear(in, o, meta)
	}
	e := &model.Ensemble{Meta: meta, Link: o.link}
	for _, b := range f.bias(o) {
		e.Bias = append(e.Bias, float64(b))
	}
	f.fill(e, in)
	in.check(e.Validate())
	return e
}

// spec returns the description of the model. Several levels of quantiles that ascend are outputs by
// name.
func (f *file) spec(o objective, schema data.Schema) model.Spec {
	spec := model.Spec{Schema: schema, Task: o.task, Learner: learnerName,
		Label: f.attributes[labelAttribute]}
	switch o.task {
	case data.Binary:
		spec.Classes = f.classNames(2)
	case data.Multiclass:
		spec.Classes = f.classNames(int(f.classes))
	}
	if f.objective == "reg:quantileerror" && len(f.alpha) == f.scores() {
		last := float32(0)
		for _, a := range f.alpha {
			if !(a > last && a < 1) {
				return spec
			}
			last = a
		}
		for _, a := range f.alpha {
			spec.Quantiles = append(spec.Quantiles, float64(a))
		}
	}
	return spec
}

// usage is how trees split a column.
type usage struct {
	numeric, categorical bool
	top                  int32 // the largest category of a split, -1 for none
}

// usages returns the usage of each column by the nodes of all trees.
func (o *forest) usages(features int) []usage {
	use := make([]usage, features)
	for i := range use {
		use[i].top = -1
	}
	for _, t := range o.trees {
		for n := range int32(len(t.left)) {
			f := t.feature[n]
			if t.left[n] == -1 || f < 0 || int(f) >= features {
				continue // a leaf, or deleted
			}
			if !t.categorical(n) {
				_, never := tree.Below32(t.cond[n])
				use[f].numeric = use[f].numeric || !never
				continue
			}
			use[f].categorical = true
			if t.set[n] >= 0 {
				for _, c := range t.goRight(n) {
					use[f].top = max(use[f].top, c)
				}
			}
		}
	}
	return use
}

// schema returns the columns. Those that some node splits by category, or that have the type "c",
// are categorical. Without texts of categories the levels are the codes "0" to the largest that a
// split has; others go with those that no split has, to the left.
func (f *file) schema(in *input) data.Schema {
	n := int(f.features)
	levels := make([][]string, n)
	var bare foreign.Bare
	for i, use := range f.forest.usages(n) {
		c := &f.columns
		if !use.categorical && (len(c.types) == 0 || c.types[i] != "c") {
			continue
		}
		if use.numeric {
			in.unsupported("column %d is split by number and by category", i)
		}
		if len(c.categories) > 0 && len(c.categories[i]) > 0 {
			levels[i] = c.categories[i]
			if int(use.top) >= len(levels[i]) {
				in.corrupt("category %d of %d of column %d", use.top,
					len(levels[i]), i)
			}
			continue
		}
		n := max(1, use.top+1) // one level that no split has, so that codes are known to be meant
		levels[i] = foreign.Must(bare.Codes(int(n), in.Take))
	}
	s := foreign.Schema(foreign.Names(f.columns.names, n, "f"), levels)
	s.AbsentValues = data.AbsentMissing // as XGBoost reads sparse rows
	return s
}

// fill makes the trees and what belongs to them.
func (f *file) fill(e *model.Ensemble, in *input) {
	o := &f.forest
	if len(o.drop) > 0 {
		e.Weights = make([]float64, len(o.trees))
		for i := range e.Weights {
			e.Weights[i] = 1 // of trees that were added after dart
			if i < len(o.drop) {
				e.Weights[i] = float64(o.drop[i])
			}
		}
	}
	e.Origin = &model.Origin{Tool: toolName, Version: f.versionText(), Objective: f.objective,
		Categories: f.columns.stored(e.Meta.Schema.Fields), Settings: f.kept()}
	gain := make([]float64, len(e.Meta.Schema.Fields))
	for i, t := range o.trees {
		in.section = element("trees", i)
		g := growing{t, in, e.Meta.Schema.Fields}
		grown, leaf, err := foreign.Grow(g.source(gain), in.Budget)
		in.check(err)
		e.Trees, e.Origin.Leaf = append(e.Trees, grown), append(e.Origin.Leaf, leaf)
		output := o.group[i]
		if t.vector() {
			output = -1
		}
		e.Output = append(e.Output, output)
	}
	in.section = "file"
	if slices.ContainsFunc(gain, func(g float64) bool { return g != 0 }) {
		e.Origin.Gain = gain
	}
	e.Rounds = o.starts(f.scores())
	e.Best = f.best(max(1, len(e.Rounds)))
}

// starts returns the first tree of each round. Files before 2.1 have none: there a round is as many
// trees for each score as num_parallel_tree.
func (o *forest) starts(scores int) []int32 {
	if len(o.rounds) > 0 {
		return o.rounds[:len(o.rounds)-1]
	}
	size := int64(scores)
	if len(o.trees) > 0 && o.trees[0].vector() {
		size = 1
	}
	size *= o.parallel
	if size < 1 || int64(len(o.trees))%size != 0 {
		return nil
	}
	var starts []int32
	for at := int64(0); at < int64(len(o.trees)); at += size {
		starts = append(starts, int32(at))
	}
	return starts
}

// growing makes a tree of the model from one of the file.
type growing struct {
	*fileTree
	*input
	fields []data.Field
}

// source describes the tree; gain gets the gains of its splits.
func (g *growing) source(gain []float64) foreign.Source {
	s := foreign.Source{Nodes: len(g.left), Kind: tree.Scalar, Width: 1, Node: func(number int32, n *foreign.Node) error {
		g.node(number, n)
		return nil
	},
		Covers: g.covers(), Gain: gain}
	if g.vector() {
		s.Kind, s.Width = tree.Vector, int(g.width)
	}
	return s
}

// covers reports whether there are covers: some programs leave them out or write zeros.
func (g *growing) covers() bool {
	some := false
	for i, x := range g.hessian {
		if g.left[i] != -1 {
			continue
		}
		if !finite(x) || x < 0 {
			return false
		}
		some = some || x != 0
	}
	return some
}

// node describes a node. Its first child is the left one.
func (g *growing) node(number int32, n *foreign.Node) {
	if g.left[number] == -1 {
		for _, x := range g.value(number) {
			n.Value = append(n.Value, float64(x))
		}
		n.Number = number
		if g.hessian != nil {
			n.Cover = float64(g.hessian[number])
		}
		return
	}
	n.Children = append(n.Children, g.left[number], g.right[number])
	n.Split.Feature = g.feature[number]
	n.Split.Missing = tree.MissingLast
	if g.defaultLeft[number] == 1 {
		n.Split.Missing = tree.MissingFirst
	}
	if g.gain != nil && finite(g.gain[number]) {
		n.Split.Gain = float64(g.gain[number])
	}
	if g.categorical(number) {
		g.set32(number, n)
		return
	}
	c, never := tree.Below32(g.cond[number])
	switch {
	case !never:
		n.Split.Kind, n.Split.SplitPoint = tree.Numeric, c
	case g.fields[n.Split.Feature].Kind == data.Categorical:
		n.Split.Kind = tree.SetFirst // of no category: all that are known go right
	default:
		n.Never()
	}
}

// set32 makes a split by category: those of the set go last, all others first.
func (g *growing) set32(number int32, n *foreign.Node) {
	top := int32(-1)
	for _, c := range g.goRight(number) {
		top = max(top, c)
	}
	words := int(top)/64 + 1
	g.Need(16 * int64(words)) // the node's and the tree's
	n.Split.Kind = tree.SetLast
	n.Split.Set = append(n.Split.Set, make([]uint64, words)...)
	for _, c := range g.goRight(number) {
		n.Split.Set[c/64] |= 1 << (c % 64)
	}
}
