package onnx

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// weightOf is what a leaf of stumps adds to a class or target.
type weightOf struct {
	tree, leaf, target int64
	value              float32
}

// stumps makes a file of trees x <= 0.5 with the leaves 1 and 2; without classes it is a regressor.
func stumps(trees, targets int, classes []string, weights []weightOf, post, after string,
	more func(*protobuf.Writer)) []byte {
	var w protobuf.Writer
	w.Int64(modelIR, 8)
	w.Message(modelGraph, func(m *protobuf.Writer) {
		m.Message(graphInput, tensorOf("x", float32s, 1))
		m.Message(graphNode, func(m *protobuf.Writer) {
			m.String(nodeInput, "x")
			prefix, operator := "target", "TreeEnsembleRegressor"
			if classes != nil {
				m.String(nodeOutput, "label")
				prefix, operator = "class", "TreeEnsembleClassifier"
				names(m, "classlabels_strings", len(classes), func(i int) string { return classes[i] })
			} else {
				number(m, "n_targets", int64(targets))
			}
			m.String(nodeOutput, "trees")
			m.String(nodeOp, operator)
			m.String(nodeDomain, treeDomain)
			each := func(name string, of [3]int64) {
				ints(m, name, 3*trees, func(i int) int64 { return of[i%3] })
			}
			ints(m, "nodes_treeids", 3*trees, func(i int) int64 { return int64(i / 3) })
			each("nodes_nodeids", [3]int64{0, 1, 2})
			each("nodes_featureids", [3]int64{})
			each("nodes_truenodeids", [3]int64{1})
			each("nodes_falsenodeids", [3]int64{2})
			floats(m, "nodes_values", 3*trees, func(int) float32 { return 0.5 })
			names(m, "nodes_modes", 3*trees, func(i int) string {
				return []string{"BRANCH_LEQ", "LEAF", "LEAF"}[i%3]
			})
			n := len(weights)
			ints(m, prefix+"_treeids", n, func(i int) int64 { return weights[i].tree })
			ints(m, prefix+"_nodeids", n, func(i int) int64 { return weights[i].leaf })
			ints(m, prefix+"_ids", n, func(i int) int64 { return weights[i].target })
			floats(m, prefix+"_weights", n, func(i int) float32 { return weights[i].value })
			text(m, "post_transform", post)
			if more != nil {
				more(m)
			}
		})
		output := "trees"
		if after != "" {
			output = "after"
			m.Message(graphNode, func(m *protobuf.Writer) {
				m.String(nodeInput, "trees")
				m.String(nodeOutput, output)
				m.String(nodeOp, after)
				m.String(nodeDomain, treeDomain)
				text(m, "norm", "L1")
			})
		}
		m.Message(graphOutput, tensorOf(output, float32s, 0))
	})
	return w.Data()
}

// Files for some of whose rows ONNX Runtime has no prediction, or one of its own kind, are refused.
// The comment of each case is what ONNX Runtime 1.30 makes of such a row.
func TestNoPrediction(t *testing.T) {
	two, three := []string{"a", "b"}, []string{"a", "b", "c"}
	base := func(list ...float32) func(*protobuf.Writer) {
		return func(m *protobuf.Writer) {
			floats(m, "base_values", len(list), func(i int) float32 { return list[i] })
		}
	}
	average := func(m *protobuf.Writer) { text(m, "aggregate_function", "AVERAGE") }
	some := []weightOf{{0, 2, 0, .5}, {0, 2, 1, .25}}
	full := []weightOf{{0, 1, 0, .75}, {0, 1, 1, .25}, {0, 2, 0, .125}, {0, 2, 1, .875}}
	zeros := []weightOf{{0, 1, 0, 0}, {0, 1, 1, 0}, {0, 2, 0, .5}, {0, 2, 1, .25}}
	for _, c := range []struct {
		what string
		want string // "" for a file that is read
		file []byte
	}{
		// "narrowing_error"
		{"three classes, a leaf without", "without the weight of a class", stumps(1, 0, three, some, "NONE", "", nil)},
		{"and base values", "", stumps(1, 0, three, some, "NONE", "", base(.1, .2, .3))},
		{"and a full tree", "", stumps(2, 0, three, append(full, weightOf{1, 2, 0, 1}), "NONE", "", nil)},
		// the scores -0.75 and 0.75 where the first class has 0.75
		{"two classes, a leaf of the first", "the second may have no weight",
			stumps(1, 0, two, []weightOf{{0, 1, 0, .75}, {0, 2, 1, .5}}, "NONE", "", nil)},
		{"and a full tree", "", stumps(2, 0, two, append(full, weightOf{1, 2, 0, 1}), "NONE", "", nil)},
		{"two classes without weights", "two classes without weights", stumps(1, 0, two, nil, "NONE", "", nil)},
		// the first of the two
		{"two weights for the one target", "2 weights of a leaf",
			stumps(1, 1, nil, []weightOf{{0, 1, 0, .25}, {0, 2, 0, .5}, {0, 2, 0, .125}}, "NONE", "", nil)},
		// no such attribute
		{"a mean of a classifier", "aggregate_function", stumps(1, 0, three, full, "NONE", "", average)},
		{"a mean of no trees", "no trees", stumps(0, 1, nil, nil, "NONE", "", average)},
		// zeros
		{"zeros that are divided by their sum", "may all be 0", stumps(1, 3, nil, zeros, "NONE", "Normalizer", nil)},
		{"no weights, divided by their sum", "may all be 0", stumps(1, 3, nil, some, "NONE", "Normalizer", nil)},
		{"and a positive base value", "", stumps(1, 3, nil, zeros, "NONE", "Normalizer", base(0, 0, .5))},
		{"and a positive tree", "", stumps(1, 2, nil, full, "NONE", "Normalizer", nil)},
	} {
		_, err := decodeModel(bytes.NewReader(c.file), int64(len(c.file)), codec.Limits{})
		if c.want == "" && err == nil {
			continue
		}
		var feature *codec.UnsupportedError
		var damage *codec.CorruptError
		if c.want == "" || err == nil || !strings.Contains(err.Error(), c.want) ||
			!errors.As(err, &feature) && !errors.As(err, &damage) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}
