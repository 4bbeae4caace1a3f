package catboost

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// learnerName is Spec.Learner of what the readers return, toolName its Origin.
const (
	learnerName = "catboost"
	toolName    = "CatBoost"
)

// model returns the model that predicts as the file does.
func (f *file) model(in *source) *model.Ensemble {
	in.section = "model"
	o := f.objective(in)
	b, inputs := newBuilding(f, in)
	e := &model.Ensemble{Link: o.link, Bias: f.bias, Inputs: inputs,
		Origin: &model.Origin{Tool: toolName, Version: f.info.version}}
	e.Meta = model.Spec{Schema: b.schema, Task: o.task, Learner: learnerName}
	if n := f.classes(o); n > 0 {
		e.Meta.Classes = f.info.classNames(n)
	}
	if o.task == data.Binary {
		e.Meta.Decision.Threshold = f.info.threshold
	}
	for i := range f.trees {
		t := &f.trees[i]
		if t.steps == nil {
			// an oblivious tree is short in the file: two numbers stand for a node of the model
			in.Need(16 * int64(len(t.values)))
		}
		grown, leaf, err := foreign.Grow(b.source(t), in.Budget)
		in.check(err)
		e.Trees, e.Origin.Leaf = append(e.Trees, grown), append(e.Origin.Leaf, leaf)
		if f.dims == 1 {
			e.Output = append(e.Output, 0)
		}
		if f.scale != 1 {
			e.Weights = append(e.Weights, f.scale)
		}
	}
	in.check(e.Validate())
	return e
}

// building is what makes the model's splits of a file's bins.
type building struct {
	*file
	in     *source
	schema data.Schema
	// the fields of the schema by place in floats and in cats, and the derived columns by place in
	// ctrs
	float, cat, ctr []int32
}

func newBuilding(f *file, in *source) (b *building, set input.Set) {
	columns := f.columns()
	b = &building{file: f, in: in, float: make([]int32, len(f.floats)),
		cat: make([]int32, len(f.cats))}
	b.schema = f.schema(in, columns)
	for field, c := range columns {
		if c.cat {
			b.cat[c.place] = int32(field)
		} else {
			b.float[c.place] = int32(field)
		}
	}
	set, b.ctr = b.statistics(in)
	return b, set
}

// source describes a tree to foreign.Grow.
func (b *building) source(t *fileTree) foreign.Source {
	s := foreign.Source{Nodes: len(t.splits), Kind: tree.Scalar, Width: b.dims,
		Covers: t.covers()}
	if b.dims > 1 {
		s.Kind = tree.Vector
	}
	if t.steps == nil {
		s.Nodes = 2<<len(t.splits) - 1
		s.Node = func(number int32, n *foreign.Node) error { return b.level(t, number, n) }
		return s
	}
	// A child that is none is a leaf of its own, behind all nodes: that of the node's left side and
	// that of its right side.
	s.Nodes = 3 * len(t.splits)
	s.Node = func(number int32, n *foreign.Node) error { return b.node(t, number, n) }
	return s
}

// covers reports whether some leaf has a weight.
func (t *fileTree) covers() bool {
	for _, w := range t.weights {
		if w > 0 {
			return true
		}
	}
	return false
}

// level describes a node of an oblivious tree. They are numbered level by level, and the last split
// is the root's, so that the leaves stand in the order of their numbers:
//
//	               0                split 1: bit 1 of the leaf
//	       1               2        split 0: bit 0
//	   3       4       5       6
//	leaf 0  leaf 1  leaf 2  leaf 3
func (b *building) level(t *fileTree, number int32, n *foreign.Node) error {
	depth := int32(len(t.splits))
	if inner := int32(1)<<depth - 1; number >= inner {
		b.leaf(t, number-inner, n)
		return nil
	}
	level := int32(0)
	for 2<<level-1 <= number {
		level++
	}
	n.Children = append(n.Children, 2*number+1, 2*number+2)
	b.split(t.splits[depth-1-level], n)
	return nil
}

// node describes a node of a tree that is not oblivious.
func (b *building) node(t *fileTree, number int32, n *foreign.Node) error {
	nodes := int32(len(t.splits))
	if number >= nodes {
		b.leaf(t, t.leaf[(number-nodes)/2], n)
		return nil
	}
	step := t.steps[number]
	if step == [2]int32{} {
		b.leaf(t, t.leaf[number], n)
		return nil
	}
	for side, to := range step {
		child := number + to
		if to == 0 {
			child = nodes + 2*number + int32(side)
		}
		n.Children = append(n.Children, child)
	}
	b.split(t.splits[number], n)
	return nil
}

// leaf describes a leaf.
func (b *building) leaf(t *fileTree, leaf int32, n *foreign.Node) {
	n.Number = leaf
	n.Value = append(n.Value, t.values[int(leaf)*b.dims:][:b.dims]...)
	if t.weights != nil {
		n.Cover = t.weights[leaf]
	}
}

// split describes a split: rows whose bit is 0 go to the first child.
func (b *building) split(number int32, n *foreign.Node) {
	switch bin := b.bins[number]; bin.kind {
	case oneHotBin:
		b.equal(&b.oneHots[bin.source], bin.at, n)
	case ctrBin:
		n.Split.Kind = tree.Numeric
		n.Split.Feature = int32(len(b.schema.Fields)) + b.ctr[bin.source]
		// of numbers that are float32
		n.Split.SplitPoint = float64(b.ctrs[bin.source].borders[bin.at])
	default:
		c := &b.floats[bin.source]
		border := c.borders[bin.at]
		n.Split.Kind, n.Split.Feature = tree.Numeric, b.float[bin.source]
		n.Split.SplitPoint, _ = tree.UpTo32(border)
		if c.high && !math.IsInf(float64(border), 1) {
			n.Split.Missing = tree.MissingLast
		}
	}
}

// equal describes the split of one category from all others.
func (b *building) equal(o *oneHot, at int32, n *foreign.Node) {
	place := b.catAt[o.cat]
	hash := uint32(o.values[at])
	code := b.dictionaries[place].code(hash)
	b.in.Need(16 * int64(code/64+1)) // the node's set and the tree's
	n.Split.Kind, n.Split.Feature = tree.SetLast, b.cat[place]
	n.Split.Set = append(n.Split.Set, make([]uint64, code/64+1)...)
	n.Split.Set[code/64] |= 1 << (code % 64)
	if hash == missingHash {
		n.Split.Missing = tree.MissingLast
	}
}
