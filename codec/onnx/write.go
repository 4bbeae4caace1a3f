package onnx

import (
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/capabilities"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Encode writes an ensemble of trees with the operators of ai.onnx.ml 3, in single precision. It
// writes the rounds that predictions use. What ONNX cannot hold is a *codec.UnsupportedError, as is
// a file that would predict otherwise.
func Encode(w io.Writer, m model.Model) error { return parity.Encode(w, m, Format(), encode) }

// encode is Encode without the comparison of file and model.
func encode(w io.Writer, m model.Model) error {
	e, ok := model.AsTrees(m)
	if !ok {
		return unsupported("a model that is no single ensemble of trees")
	}
	e = e.First(0)
	if err := writable(e); err != nil {
		return err
	}
	o, err := newWriting(e)
	if err != nil {
		return err
	}
	for i := range e.Trees {
		if err := o.tree(i); err != nil {
			return err
		}
	}
	if err := o.complete(); err != nil {
		return err
	}
	var file protobuf.Writer
	if err := o.write(&file); err != nil {
		return err
	}
	_, err = w.Write(file.Data())
	return err
}

// writing is the operator of trees that is written.
type writing struct {
	*model.Ensemble
	form   form
	post   string
	after  string    // the operator after the trees: "Exp", "Normalizer" or ""
	factor float64   // of all leaves and start values, beside the weights of trees
	base   []float32 // by score
	// by score of the model: what leaves are divided by if trees are averaged; nil: they are not
	divisors []float64
	trees    int
	nodes    []treeNode  // yes and no are numbers of nodes of the same tree
	place    []int32     // by node: its tree
	weights  []leafEntry // leaves in the order of the nodes
}

// leafEntry is what a leaf adds to a score.
type leafEntry struct {
	tree, node, target int32
	value              float32
}

// writable checks that the format can hold what a model uses.
func writable(e *model.Ensemble) error {
	switch {
	case len(e.Meta.Schema.Fields) == 0:
		return unsupported("a model without columns")
	case e.Meta.Task.Classes() && len(e.Meta.Classes) < 2:
		return unsupported("a classifier of one class")
	}
	return capabilities.Check(Name, e, capabilities.ClassCounts)
}

// newWriting chooses form and transform by the link.
func newWriting(e *model.Ensemble) (*writing, error) {
	w := &writing{Ensemble: e, post: "NONE", factor: 1}
	classes, one := e.Meta.Task.Classes(), e.Scores() == 1
	l := e.Link
	if l == nil {
		l = link.Identity{}
	}
	switch l := l.(type) {
	case link.Identity:
		w.form = plain
	case link.Logistic:
		w.post = "LOGISTIC"
	case link.ScaledLogistic:
		w.post, w.factor = "LOGISTIC", l.Factor
	case link.Softmax:
		w.post = "SOFTMAX"
	case link.SoftmaxNonzero:
		w.post = "SOFTMAX_ZERO"
	case link.ApproximateProbit:
		w.post = "PROBIT"
	case link.OneVsAll:
		w.post, w.after = "LOGISTIC", "Normalizer"
	case link.Clipped:
		w.after = "Normalizer"
	case link.Exp, link.Hazard:
		w.after = "Exp"
	default:
		return nil, unsupported("the link %s", l.Name())
	}
	switch {
	case !classes && one && w.post == "LOGISTIC" && w.after == "": // which is for several targets
		w.post, w.after = "NONE", "Sigmoid"
	case classes && one && w.after == "" && (w.post == "LOGISTIC" || w.post == "NONE"):
		w.form = single
	case classes && e.Scores() == 2 && w.countsOnly() && w.post == "NONE" && w.after == "" &&
		e.Bias == nil:
		w.form = single // the second of two class probabilities
	case one && (classes || w.post != "NONE" && w.post != "PROBIT" || w.after == "Normalizer"),
		classes && w.after == "Exp":
		return nil, unsupported("the link %s of one score or of classes", l.Name())
	}
	w.divisors = e.Divisors()
	return w, nil
}

func (w *writing) weight(i int) float64 {
	if w.Weights == nil {
		return 1
	}
	return w.Weights[i]
}

// countsOnly reports whether scores are the mean of class probabilities, and so add up to 1.
func (w *writing) countsOnly() bool {
	mean := w.Combine == model.Mean || len(w.Trees) == 1 && w.weight(0) == 1
	numbers := func(t *tree.Tree) bool { return t.Leaf.Kind != tree.Counts }
	return mean && len(w.Trees) > 0 && !slices.ContainsFunc(w.Trees, numbers)
}

// scores returns the number of scores that are written.
func (w *writing) scores() int {
	if w.form == single {
		return 1
	}
	return w.Scores()
}

// complete adds start values, and a tree of one leaf where ONNX Runtime needs it: in a model
// without trees, and for start values of two classes, which it does not add to their scores.
func (w *writing) complete() error {
	used, negative := make([]bool, w.scores()), false
	for _, e := range w.weights {
		used[e.target] = true
		negative = negative || e.value < 0
	}
	w.base = make([]float32, w.scores())
	for k := range w.base {
		if w.Bias == nil {
			break
		}
		if w.base[k] = float32(w.Bias[k]*w.factor) + 0; math.IsInf(float64(w.base[k]), 0) {
			return unsupported("the start value %v, which is beyond single precision", w.Bias[k])
		}
	}
	negative = negative || slices.ContainsFunc(w.base, func(b float32) bool { return b < 0 })
	if negative && w.post == "NONE" && (w.form == single || w.after == "Normalizer") {
		return unsupported("scores of classes that may be negative, without a link")
	}
	if w.post == "NONE" && w.after == "Normalizer" && !w.divisible() {
		return unsupported("scores that may all be 0, and are divided by their sum")
	}
	two := w.Meta.Task.Classes() && len(w.base) == 2
	if len(w.nodes) == 0 || two && (w.base[0] != 0 || w.base[1] != 0 || !used[0] || !used[1]) {
		w.add(treeNode{mode: leaf}, 0)
		for k, b := range w.base {
			if k > 0 && !two {
				break
			}
			if !two {
				b = 0
			}
			w.weights = append(w.weights, leafEntry{int32(w.trees), 0, int32(k), b})
		}
		w.trees++
		if two {
			clear(w.base)
		}
	}
	if !slices.ContainsFunc(w.base, func(b float32) bool { return b != 0 }) {
		w.base = nil
	}
	return nil
}

// divisible reports whether each row's scores, none of which is negative, have a sum above 0: by
// the start values, or by all leaves of some tree. ONNX Runtime leaves scores of 0 as they are.
func (w *writing) divisible() bool {
	if slices.ContainsFunc(w.base, func(b float32) bool { return b > 0 }) {
		return true
	}
	zero := make([]bool, w.trees) // by tree: whether some leaf adds nothing
	for at := 0; at < len(w.weights); {
		first, most := w.weights[at], float32(0)
		for at < len(w.weights) && w.weights[at].tree == first.tree &&
			w.weights[at].node == first.node {
			most = max(most, w.weights[at].value)
			at++
		}
		zero[first.tree] = zero[first.tree] || most == 0
	}
	return slices.Contains(zero, false)
}
