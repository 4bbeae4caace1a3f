package onnx

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// graphOf is a file made by hand: operators around one tree, x <= 0.5.
type graphOf struct {
	before, after []string // operators, in a chain
	operator      string
	attributes    func(m *protobuf.Writer) // beside those of the nodes and leaves
	modes         []string
	yes           []int64
	input         element
	trees         int
}

func (g *graphOf) bytes() []byte {
	var w protobuf.Writer
	w.Int64(modelIR, 8)
	w.Message(modelGraph, func(m *protobuf.Writer) {
		m.Message(graphInput, tensorOf("0", g.input, 2))
		name := "0"
		chain := func(operators []string) {
			for _, op := range operators {
				m.Message(graphNode, func(m *protobuf.Writer) {
					m.String(nodeInput, name)
					name += "'"
					m.String(nodeOutput, name)
					m.String(nodeOp, op)
				})
			}
		}
		chain(g.before)
		for range g.trees {
			m.Message(graphNode, func(m *protobuf.Writer) {
				m.String(nodeInput, name)
				m.String(nodeOutput, "trees")
				m.String(nodeOp, g.operator)
				m.String(nodeDomain, treeDomain)
				g.tree(m)
			})
		}
		name = "trees"
		chain(g.after)
		m.Message(graphOutput, tensorOf(name, float32s, 1))
	})
	return w.Data()
}

func (g *graphOf) tree(m *protobuf.Writer) {
	list := func(name string, v ...int64) { ints(m, name, len(v), func(i int) int64 { return v[i] }) }
	values := func(name string, v ...float32) {
		floats(m, name, len(v), func(i int) float32 { return v[i] })
	}
	list("nodes_treeids", 0, 0, 0)
	list("nodes_nodeids", 0, 1, 2)
	list("nodes_featureids", 0, 0, 0)
	list("nodes_truenodeids", g.yes...)
	list("nodes_falsenodeids", 2, 0, 0)
	values("nodes_values", 0.5, 0, 0)
	names(m, "nodes_modes", len(g.modes), func(i int) string { return g.modes[i] })
	list("target_treeids", 0, 0)
	list("target_nodeids", 1, 2)
	list("target_ids", 0, 0)
	values("target_weights", 1, 2)
	number(m, "n_targets", 1)
	if g.attributes != nil {
		g.attributes(m)
	}
}

// noWeight gives the first leaf a number in nodes_values, and its weight to the root, where it
// counts for nothing.
func noWeight(value float32) func(m *protobuf.Writer) {
	return func(m *protobuf.Writer) {
		floats(m, "nodes_values", 3, func(i int) float32 { return []float32{0.5, value, 0}[i] })
		ints(m, "target_nodeids", 2, func(i int) int64 { return int64(2 * i) })
	}
}

// What cannot be read is an error that names it.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		want   string // "" for a file that is read
		damage bool   // a *codec.CorruptError, else an *codec.UnsupportedError
		change func(g *graphOf)
	}{
		{"", false, func(g *graphOf) {}},
		{"", false, func(g *graphOf) { g.before, g.after = []string{"Identity"}, []string{"Exp"} }},
		{"MIN", false, func(g *graphOf) {
			g.attributes = func(m *protobuf.Writer) { text(m, "aggregate_function", "MIN") }
		}},
		{"SQUARE", false, func(g *graphOf) {
			g.attributes = func(m *protobuf.Writer) { text(m, "post_transform", "SQUARE") }
		}},
		{"nodes_colours", false, func(g *graphOf) {
			g.attributes = func(m *protobuf.Writer) { text(m, "nodes_colours", "red") }
		}},
		{"a leaf without a weight, and 7 in nodes_values", false, func(g *graphOf) { g.attributes = noWeight(7) }},
		{"", false, func(g *graphOf) { g.attributes = noWeight(0) }},
		{"BRANCH_NEAR", false, func(g *graphOf) { g.modes[0] = "BRANCH_NEAR" }},
		{"two operators of trees", false, func(g *graphOf) { g.trees = 2 }},
		{"a graph without TreeEnsembleClassifier, TreeEnsembleRegressor or TreeEnsemble: it has Gather", false,
			func(g *graphOf) { g.trees, g.before = 0, []string{"Gather"} }},
		{`"Binarizer" before the trees`, false, func(g *graphOf) { g.before = []string{"Binarizer"} }},
		{`"Tanh" after the trees`, false, func(g *graphOf) { g.after = []string{"Tanh"} }},
		{`"Exp" after the trees`, false, func(g *graphOf) { g.after = []string{"Exp", "Exp"} }},
		{"type 8", false, func(g *graphOf) { g.input = texts }},
		{"below two nodes", true, func(g *graphOf) { g.yes[0] = 0 }},
		{"below two nodes", true, func(g *graphOf) { g.yes[0] = 2 }},
		{"no child 3", true, func(g *graphOf) { g.yes[0] = 3 }},
		{"lists of", true, func(g *graphOf) { g.yes = g.yes[:2] }},
		{"two classes", false, func(g *graphOf) {
			g.operator = "TreeEnsembleClassifier"
			g.attributes = func(m *protobuf.Writer) {
				names(m, "classlabels_strings", 2, func(i int) string { return []string{"a", "b"}[i] })
				floats(m, "base_values", 2, func(int) float32 { return 1 })
			}
		}},
		{"a classifier of 1 classes", false, func(g *graphOf) {
			g.operator = "TreeEnsembleClassifier"
			g.attributes = func(m *protobuf.Writer) {
				names(m, "classlabels_strings", 1, func(int) string { return "a" })
			}
		}},
	} {
		g := &graphOf{operator: "TreeEnsembleRegressor", modes: []string{"BRANCH_LEQ", "LEAF", "LEAF"},
			yes: []int64{1, 0, 0}, input: float32s, trees: 1}
		c.change(g)
		file := g.bytes()
		_, err := decodeModel(bytes.NewReader(file), int64(len(file)), codec.Limits{})
		var corrupt *codec.CorruptError
		var feature *codec.UnsupportedError
		switch {
		case c.want == "" && err == nil:
		case c.want == "" || err == nil || !strings.Contains(err.Error(), c.want),
			c.damage && !errors.As(err, &corrupt), !c.damage && !errors.As(err, &feature):
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A wide input that a graph joins with itself again and again costs no more than the limit.
func TestJoinedInputs(t *testing.T) {
	var w protobuf.Writer
	w.Int64(modelIR, 8)
	w.Message(modelGraph, func(m *protobuf.Writer) {
		m.Message(graphInput, tensorOf("0", float32s, 100_000))
		m.Message(graphNode, func(m *protobuf.Writer) {
			for range 10_000 {
				m.String(nodeInput, "0")
			}
			m.String(nodeOutput, "1")
			m.String(nodeOp, "Concat")
		})
		m.Message(graphNode, func(m *protobuf.Writer) {
			m.String(nodeInput, "1")
			m.String(nodeOutput, "2")
			m.String(nodeOp, "TreeEnsembleRegressor")
			m.String(nodeDomain, treeDomain)
			(&graphOf{modes: []string{"BRANCH_LEQ", "LEAF", "LEAF"}, yes: []int64{1, 0, 0}}).tree(m)
		})
	})
	file := w.Data()
	_, err := decodeModel(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if limit := (*codec.LimitError)(nil); !errors.As(err, &limit) {
		t.Errorf("error %v, want the limit of memory", err)
	}
}
