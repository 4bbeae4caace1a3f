package onnx

import (
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// encodeModel writes an ensemble of trees with the operators of ai.onnx.ml 3, in single precision.
// It writes the rounds that predictions use. What ONNX cannot hold is a *codec.UnsupportedError, as
// is a file that would predict otherwise.
func encodeModel(w io.Writer, m model.Model) error {
	return parity.EncodeTrees(w, m, Format(), encode)
}

// encode is Encode without the comparison of file and model.
func encode(w io.Writer, e *model.Ensemble) error {
	e = e.First(0)
	var o *writing
	err := foreign.All(func() error { return writable(e) },
		func() (err error) {
			o, err = newWriting(e)
			return err
		})
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

// writing is the graph that is written: an operator of trees and what follows it.
type writing struct {
	*model.Ensemble
	// single: one score of two classes, of which the operator makes both probabilities; mirrored:
	// the probability s of the second of two classes, written as the scores 1-s and s
	form    form
	post    string    // the operator's transform
	after   []string  // the operators after it
	factor  float64   // of all leaves and start values, beside the weights of trees
	average bool      // the operator averages the trees
	base    []float32 // by score that is written
	// by score of the model: what leaves are divided by, nil: they are not
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
	return foreign.CheckTraits(formatName, e, foreign.ClassCounts)
}

// posts are the transforms of the operator of trees by kinds of links, and after the operators that
// follow it for other kinds. With OneVsAll labels are those of the greatest sum, because sigmoids
// of large ones are all 1.
var (
	posts = map[link.Link]string{link.Identity(): "NONE", link.Logistic(): "LOGISTIC",
		link.Softmax(): "SOFTMAX", link.SoftmaxNonzero(): "SOFTMAX_ZERO",
		link.ApproximateProbit(): "PROBIT"}
	after = map[link.Link][]string{link.OneVsAll(): {"Sigmoid", "Normalizer"},
		link.Clipped(): {"Normalizer"}, link.Exp(): {"Exp"}}
)

// newWriting chooses form and transform by the link.
func newWriting(e *model.Ensemble) (*writing, error) {
	w := &writing{Ensemble: e, form: plain, post: "NONE", factor: 1}
	classes, one := e.Meta.Task.Classes(), e.Scores() == 1
	l := link.Of(e.Link, e.Scores())
	d := l.Describe()
	w.factor = d.Factor
	var operators, transforms bool
	w.after, operators = after[d.Kind]
	if post, ok := posts[d.Kind]; ok {
		w.post, transforms = post, true
	}
	switch {
	case !operators && !transforms:
		return nil, unsupported("the link %s", l.Name())
	case !classes && one && w.post == "LOGISTIC": // which is for several targets
		w.post, w.after = "NONE", []string{"Sigmoid"}
	case classes && one && w.post == "LOGISTIC":
		w.form = single
	case classes && one && w.post == "NONE" && w.after == nil:
		w.form = mirrored
	case one && (classes || w.post != "NONE" && w.post != "PROBIT" || w.normalises()),
		classes && slices.Contains(w.after, "Exp"):
		return nil, unsupported("the link %s of one score or of classes", l.Name())
	}
	w.average = w.form != single && w.averages()
	if !w.average {
		w.divisors = e.Divisors()
	}
	return w, nil
}

// averages reports whether scores are plain means of all trees. The operator averages them itself,
// so that probabilities which are equal stay equal in single precision.
func (w *writing) averages() bool {
	other := func(weight float64) bool { return weight != w.Weights[0] }
	return w.Combine == model.Mean && w.Output == nil &&
		(w.Weights == nil || w.Weights[0] != 0 && !slices.ContainsFunc(w.Weights, other))
}

func (w *writing) normalises() bool { return slices.Contains(w.after, "Normalizer") }

// scores returns the number of scores that are written.
func (w *writing) scores() int {
	if w.form == mirrored {
		return 2
	}
	return w.Scores()
}

// complete adds start values, and to a model without trees one of one leaf.
func (w *writing) complete() error {
	w.base = make([]float32, w.scores())
	for k := range w.base {
		start := 0.0
		if w.Bias != nil {
			start = w.Bias[k%w.Scores()] * w.factor
		}
		if w.form == mirrored && k == 0 {
			start = 1 - start
		}
		if w.base[k] = float32(start) + 0; math.IsInf(float64(w.base[k]), 0) {
			return unsupported("the start value %v, which is beyond single precision", start)
		}
	}
	if w.post == "NONE" && w.normalises() && !slices.Contains(w.after, "Sigmoid") {
		negative := func(b float32) bool { return b < 0 }
		less := func(e leafEntry) bool { return e.value < 0 }
		if slices.ContainsFunc(w.base, negative) || slices.ContainsFunc(w.weights, less) {
			return unsupported("scores of classes that may be negative, without a link")
		}
		if !w.divisible() {
			return unsupported("scores that may all be 0, and are divided by their sum")
		}
	}
	if len(w.nodes) == 0 {
		w.add(treeNode{mode: leaf}, 0)
		w.weights = append(w.weights, leafEntry{int32(w.trees), 0, 0, 0})
		w.trees++
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
