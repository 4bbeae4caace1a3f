package ydf

import (
	"errors"
	"fmt"
	"math"

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
	gain []float64 // by feature; nil: unknown
}

// model makes a model of a file.
func (f *file) model(b *foreign.Budget) (*model.Ensemble, error) {
	c := &conversion{Budget: b, file: f}
	if f.scored() {
		c.gain = make([]float64, len(f.features))
	}
	e := &model.Ensemble{Meta: f.spec(), Link: f.linkOf(),
		Origin: &model.Origin{Tool: "YDF", Version: f.writer, Gain: c.gain}}
	b.Need(int64(len(f.trees)) * bytesPerTree)
	for i := range f.trees {
		t, leaves, err := c.tree(f.trees[i])
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		e.Trees, e.Origin.Leaf = append(e.Trees, t), append(e.Origin.Leaf, leaves)
		if f.name == boostedTrees && f.width > 1 {
			e.Output = append(e.Output, int32(i)%f.width)
		}
	}
	if f.name == randomForest {
		e.Combine = model.Mean
	}
	for _, x := range f.start {
		e.Bias = append(e.Bias, float64(x))
	}
	if f.loss == poisson {
		if most := reach(e); most > poissonBound {
			return nil, unsupported("Poisson loss with scores up to %v in size: YDF limits them "+
				"to %v", most, poissonBound)
		}
	}
	return e, e.Validate()
}

// bytesPerTree bounds what a tree takes beside its nodes.
const bytesPerTree = 768

// poissonBound is where YDF limits the scores of Poisson loss.
const poissonBound = 19

// reach bounds the size of the scores of a boosted model of one score.
func reach(e *model.Ensemble) float64 {
	sum := math.Abs(e.Bias[0])
	for _, t := range e.Trees {
		most := 0.0
		for _, v := range t.Leaf.Value {
			most = max(most, math.Abs(v))
		}
		sum += most
	}
	return sum
}

// scored reports whether the splits of the model have scores.
func (f *file) scored() bool {
	for _, t := range f.trees {
		for i := range t {
			if t[i].gain != 0 {
				return true
			}
		}
	}
	return false
}

// spec describes what is predicted.
func (f *file) spec() model.Spec {
	s := model.Spec{Label: f.label, Learner: formatName}
	names := make([]string, len(f.features))
	for i := range f.features {
		names[i] = f.features[i].name
	}
	s.Schema = foreign.Schema(names, f.levels)
	switch f.task {
	case classification:
		s.Classes, s.Task = f.classes, data.Multiclass
		if len(f.classes) == 2 {
			s.Task = data.Binary
		}
	case ranking:
		s.Task = data.Ranking
	case survival:
		s.Task = data.Survival
	default:
		s.Task = data.Regression
	}
	return s
}

// linkOf returns the link from scores to responses, nil for none.
func (f *file) linkOf() link.Link {
	switch f.loss {
	case binomial, focal:
		return link.Logistic()
	case multinomial:
		return link.Softmax()
	case poisson:
		return link.Exp()
	}
	return nil
}

// tree makes a tree, and the number of the leaf of each of its nodes.
func (c *conversion) tree(nodes []node) (*tree.Tree, []int32, error) {
	s := foreign.Source{Nodes: len(nodes), Kind: tree.Scalar, Width: 1, Covers: covered(nodes),
		Gain: c.gain}
	if c.name == randomForest && c.classes != nil {
		s.Kind, s.Width = tree.Vector, len(c.classes)
	}
	c.Need(4 * int64(len(nodes)))
	number := make([]int32, len(nodes)) // by node: the number of leaves before
	for i := 1; i < len(nodes); i++ {
		if number[i] = number[i-1]; nodes[i-1].kind == leaf {
			number[i]++
		}
	}
	s.Node = func(i int32, n *foreign.Node) error {
		from := &nodes[i]
		if from.kind == leaf {
			n.Number, n.Cover = number[i], from.weight
			n.Value = c.value(n.Value, from)
			return nil
		}
		n.Children = append(n.Children, i+1, from.positive)
		n.Split.Feature = from.attribute
		n.Split.Gain = from.gain
		if n.Split.Missing = tree.MissingFirst; from.na {
			n.Split.Missing = tree.MissingLast
		}
		return c.split(n, from)
	}
	return foreign.Grow(s, c.Budget)
}

// covered reports whether all inner nodes have the weight of their rows.
func covered(nodes []node) bool {
	for i := range nodes {
		if n := &nodes[i]; n.kind != leaf && n.weight <= 0 {
			return false
		}
	}
	return len(nodes) > 1 || nodes[0].weight > 0
}

// value appends what a leaf adds to the scores.
func (c *conversion) value(dst []float64, n *node) []float64 {
	switch {
	case c.name == boostedTrees || c.classes == nil:
		return append(dst, float64(n.threshold))
	case c.votes:
		for class := range c.classes {
			vote := 0.0
			if int(n.number) == class+1 {
				vote = 1
			}
			dst = append(dst, vote)
		}
		return dst
	}
	for _, count := range c.counts[n.from+1 : n.to] {
		dst = append(dst, count/n.passed)
	}
	return dst
}

// split makes the condition of an inner node, whose children are the negative and the positive. The
// first child of a numeric split has the lower numbers.
func (c *conversion) split(n *foreign.Node, from *node) error {
	n.Split.Kind = tree.Numeric
	switch from.kind {
	case higher:
		from32(n, from.threshold)
	case isTrue:
		from32(n, 0.5)
	case higherBin:
		c.bins(n, from)
	case missing:
		n.Split.SplitPoint, n.Split.Missing = math.Inf(1), tree.MissingLast
		if c.levels[from.attribute] != nil { // no category is in the empty set
			n.Split.Kind, n.Split.Missing = tree.SetLast, tree.MissingLast
		}
	case oblique:
		return c.oblique(n, from)
	default:
		return c.categories(n, from)
	}
	return nil
}

// from32 sends the numbers from t on, in single precision, to the last child.
func from32(n *foreign.Node, t float32) {
	at, never := tree.Below32(t)
	if never {
		n.Never()
		return
	}
	n.Split.SplitPoint = at
}

// bins sends the numbers of some bin and those above it to the last child. Bin i begins with
// boundary i-1.
func (c *conversion) bins(n *foreign.Node, from *node) {
	boundaries := c.features[from.attribute].boundaries
	switch {
	case from.number <= 0:
		n.Never()
	case int(from.number) > len(boundaries):
		n.Split.SplitPoint = math.Inf(1)
	default:
		from32(n, boundaries[from.number-1])
	}
}

// categories sends the categories of a list or bitmap to the last child. The set of the split never
// has index 0: what the schema does not have goes the same way, opposite to the set.
func (c *conversion) categories(n *foreign.Node, from *node) error {
	levels := len(c.levels[from.attribute])
	words := (levels + 63) / 64
	c.Need(16 * int64(words))
	if cap(n.Split.Set) < words {
		n.Split.Set = make([]uint64, words)
	}
	set := n.Split.Set[:words]
	clear(set)
	if from.kind == inList {
		for _, code := range c.list[from.from:from.to] {
			set[code/64] |= 1 << (code % 64)
		}
	} else {
		for i, b := range c.bitmap[from.from:min(from.to, from.from+int32(levels+7)/8)] {
			set[i/8] |= uint64(b) << (8 * (i % 8))
		}
	}
	n.Split.Kind, n.Split.Set = tree.SetLast, set
	if set[0]&1 == 1 {
		n.Split.Kind = tree.SetFirst
		for i := range set {
			set[i] = ^set[i]
		}
	}
	if extra := levels % 64; extra > 0 {
		set[words-1] &= 1<<extra - 1
	}
	return nil
}

var errWeight = errors.New("an oblique condition whose weight is 0 or not finite")

// oblique makes an oblique condition of one column a numeric split. The product with the weight, as
// single precision rounds it, ascends or descends with the number.
func (c *conversion) oblique(n *foreign.Node, from *node) error {
	if from.to-from.from > 1 {
		return unsupported("an oblique condition of %d columns", from.to-from.from)
	}
	t := c.terms[from.from]
	if t.weight == 0 || isNotFinite(t.weight) {
		return errWeight
	}
	holds := func(x float32) bool { return x*t.weight >= from.threshold }
	if n.Split.Feature = t.feature; t.replaced {
		if n.Split.Missing = tree.MissingFirst; holds(t.missing) {
			n.Split.Missing = tree.MissingLast
		}
	}
	if t.weight > 0 {
		if at, ok := least(holds); ok {
			from32(n, at)
		} else {
			n.Split.SplitPoint = math.Inf(1)
		}
		return nil
	}
	// it holds below some number: from there on it does not
	at, ok := least(func(x float32) bool { return !holds(x) })
	if !ok {
		n.Never()
		return nil
	}
	n.Children[0], n.Children[1] = n.Children[1], n.Children[0]
	if n.Split.Missing == tree.MissingFirst {
		n.Split.Missing = tree.MissingLast
	} else {
		n.Split.Missing = tree.MissingFirst
	}
	from32(n, at)
	return nil
}

// least returns the least number for which an ascending condition holds, infinities included.
func least(holds func(float32) bool) (x float32, ok bool) {
	low, high := ordinal(float32(math.Inf(-1))), ordinal(float32(math.Inf(1)))
	if !holds(float32(math.Inf(1))) {
		return 0, false
	}
	for low < high {
		middle := low + (high-low)/2
		if holds(byOrdinal(middle)) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return byOrdinal(low), true
}

// ordinal numbers the values of single precision: greater ones have greater numbers.
func ordinal(x float32) int64 {
	if b := int64(math.Float32bits(x)); b < 1<<31 {
		return b
	} else {
		return 1<<31 - 1 - b
	}
}

// byOrdinal is the way back from ordinal.
func byOrdinal(i int64) float32 {
	if i < 0 {
		i = 1<<31 - 1 - i
	}
	return math.Float32frombits(uint32(i))
}
