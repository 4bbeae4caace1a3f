package onnx

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// conversion makes a model of a file.
type conversion struct {
	*foreign.Budget
	*file
	levels  [][]string // of each field; nil: numeric
	numbers []int      // the fields whose levels the file has as numbers
	found   []bool     // by node: whether a tree has it
	plan    []planned  // of the current tree
	tests   []test     // likewise
	target  int32      // of the current tree: the score that it feeds; -1: all
	certain            // what each row gets
}

// model makes a model of a file.
func (f *file) model(b *foreign.Budget) *model.Ensemble {
	c := &conversion{Budget: b, file: f}
	c.findLevels()
	e := &model.Ensemble{Meta: f.spec(), Link: f.linkOf()}
	e.Meta.Schema = foreign.Schema(f.fields, c.levels)
	for _, i := range c.numbers {
		foreign.MarkNumbers(&e.Meta.Schema.Fields[i])
	}
	e.Origin = &model.Origin{Tool: "ONNX", Version: f.writer()}
	b.Need(int64(len(f.roots))*bytesPerTree + int64(len(f.nodes)))
	c.found = make([]bool, len(f.nodes))
	feeds := false
	for i, root := range f.roots {
		t, leaves, err := c.tree(root)
		if err != nil {
			f.damaged("tree %d: %w", i, err)
		}
		e.Trees, e.Origin.Leaf = append(e.Trees, t), append(e.Origin.Leaf, leaves)
		e.Output = append(e.Output, c.target)
		feeds = feeds || c.target >= 0
	}
	c.checkCertain()
	if !feeds || f.scores() == 1 {
		e.Output = nil
	}
	f.combine(e)
	foreign.Check(wrap(e.Validate(), "model"))
	return e
}

// bytesPerTree bounds what a tree takes beside its nodes.
const bytesPerTree = 512

// writer returns the program that wrote the file, with its version.
func (f *file) writer() string {
	if f.version == "" {
		return safe(f.producer)
	}
	return safe(f.producer) + " " + safe(f.version)
}

// spec describes what is predicted.
func (f *file) spec() model.Spec {
	s := model.Spec{Task: data.Regression, Learner: formatName, Label: f.label}
	if f.labels != nil {
		s.Task, s.Classes = data.Multiclass, f.labels
		if len(f.labels) == 2 {
			s.Task, s.Decision.Threshold = data.Binary, f.threshold
		}
	}
	return s
}

// linkOf returns the link from scores to responses, nil for none.
func (f *file) linkOf() link.Link {
	switch f.transform {
	case "LOGISTIC":
		return link.Logistic()
	case "SOFTMAX":
		return link.Softmax()
	case "SOFTMAX_ZERO":
		return link.SoftmaxNonzero()
	case "PROBIT":
		return link.ApproximateProbit()
	case exponential:
		return link.Exp()
	case oneVsAll:
		return link.OneVsAll()
	case normalised:
		return link.Clipped()
	}
	return nil
}

// scores returns the number of raw scores.
func (f *file) scores() int {
	if f.form == single {
		return 1
	}
	return f.targets
}

// combine sets how trees make scores.
func (f *file) combine(e *model.Ensemble) {
	factor := f.factor
	switch {
	case f.average && e.Output == nil && factor == 1:
		e.Combine = model.Mean
	case f.average:
		factor /= float64(len(f.roots))
	}
	if factor != 1 {
		e.Weights = slices.Repeat([]float64{factor}, len(e.Trees))
	}
	if len(f.base) == 0 && f.shift == nil {
		return
	}
	e.Bias = make([]float64, f.scores())
	for i := range e.Bias {
		if len(f.base) > 0 {
			e.Bias[i] = float64(f.factor * f.base[i%len(f.base)])
		}
		if f.shift != nil {
			e.Bias[i] += f.shift[i]
		}
	}
	if f.form == mirrored {
		e.Bias[0] = -e.Bias[0]
	}
}

// mostCodes is the number of levels that a column may have whose values are tested for equality.
const mostCodes = 1 << 16

// bytesPerLevel bounds what the text of a code takes.
const bytesPerLevel = 32

// findLevels finds the fields that are categorical: their values are compared for equality alone,
// with codes from 0 on.
func (c *conversion) findLevels() {
	c.Need(32 * int64(len(c.fields)))
	top := make([]int, len(c.fields)) // greatest code; numeric: -1
	used := make([]bool, len(c.fields))
	for i := range c.nodes {
		d := &c.nodes[i]
		if d.mode == leaf {
			continue
		}
		col := &c.columns[d.feature]
		used[col.field] = true
		if _, ok := col.plain(); !ok || d.mode < equal {
			top[col.field] = -1
			continue
		}
		for _, v := range c.operands(d) {
			switch {
			case math.IsNaN(v): // no value is equal to it
			case v != float64(int(v)) || v < 0 || v >= mostCodes:
				top[col.field] = -1
			case top[col.field] >= 0:
				top[col.field] = max(top[col.field], int(v))
			}
		}
	}
	c.levels = make([][]string, len(c.fields))
	for i, code := range top {
		if c.given(i, code) {
			given := &c.file.levels[i]
			if c.levels[i] = given.texts; given.numbers {
				c.numbers = append(c.numbers, i)
			}
			continue
		}
		if !used[i] || code < 0 {
			continue
		}
		c.Need(int64(code+1) * bytesPerLevel)
		c.levels[i] = foreign.Codes(code + 1)
	}
}

// given reports whether the file has levels of a field, and they are enough for a greatest code.
func (c *conversion) given(field, code int) bool {
	return c.file.levels != nil && c.file.levels[field].texts != nil && code >= 0 &&
		code < max(1, len(c.file.levels[field].texts))
}

// operands returns the values that a node of equality compares with.
func (e *ensemble) operands(d *treeNode) []float64 {
	if d.mode == member {
		return e.sets[int(d.value)]
	}
	return []float64{d.value}
}

// categorical reports whether a node's column is a field with levels.
func (c *conversion) categorical(d *treeNode) bool {
	return c.levels[c.columns[d.feature].field] != nil
}

// tree makes a tree, and the file's number of each of its leaves.
func (c *conversion) tree(root int32) (*tree.Tree, []int32, error) {
	if err := c.check(root); err != nil {
		return nil, nil, err
	}
	c.layOut(root)
	s := foreign.Source{Nodes: len(c.plan), Kind: tree.Scalar, Width: 1}
	c.certain.add(c)
	if c.target = c.targetOf(); c.target < 0 {
		s.Kind, s.Width = tree.Vector, c.scores()
	}
	s.Node = c.node
	return foreign.Grow(s, c.Budget)
}

// targetOf returns the one score that the current tree's leaves feed, -1 if there are several.
func (c *conversion) targetOf() int32 {
	if c.form == mirrored {
		return -1
	}
	target := int32(-1)
	for i := range c.plan {
		d := &c.nodes[c.plan[i].place]
		if d.mode != leaf {
			continue
		}
		for _, w := range c.weights[d.yes:d.no] {
			if target >= 0 && w.target != target {
				return -1
			}
			target = w.target
		}
	}
	return max(target, 0)
}

// value appends what a leaf adds to the scores of the current tree.
func (c *conversion) value(dst []float64, d *treeNode) []float64 {
	if c.target >= 0 {
		sum := 0.0
		for _, w := range c.weights[d.yes:d.no] {
			sum += w.value
		}
		return append(dst, sum)
	}
	dst = append(dst, make([]float64, c.scores())...)
	for _, w := range c.weights[d.yes:d.no] {
		if c.form == mirrored {
			dst[0], dst[1] = dst[0]-w.value, dst[1]+w.value
			continue
		}
		dst[w.target] += w.value
	}
	return dst
}
