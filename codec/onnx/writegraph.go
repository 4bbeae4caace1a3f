package onnx

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
	"github.com/coppice-ml/coppice/data"
)

// write writes the file.
func (w *writing) write(file *protobuf.Writer) error {
	fields := w.Meta.Schema.Fields
	names, levels := make([]string, len(fields)), make([][]any, len(fields))
	some := false
	for i := range fields {
		if names[i] = fields[i].Name; fields[i].Kind == data.Categorical {
			levels[i], some = foreign.JSONLevels(&fields[i]), true
		}
	}
	if !some {
		levels = nil
	}
	file.Int64(modelIR, 8)
	file.String(modelProducer, "coppice")
	file.Message(modelGraph, w.graph)
	for _, opset := range []struct {
		domain  string
		version int64
	}{{classicalDomain, 13}, {treeDomain, 3}} {
		file.Message(modelOpset, func(m *protobuf.Writer) {
			m.String(opsetDomain, opset.domain)
			m.Int64(opsetNumber, opset.version)
		})
	}
	for _, entry := range []struct {
		key   string
		value any
		has   bool
	}{
		{namesEntry, names, true},
		{levelsEntry, levels, levels != nil},
		{labelEntry, w.Meta.Label, w.Meta.Label != ""},
	} {
		text, err := json.Marshal(entry.value)
		if err != nil {
			return err
		}
		if entry.has {
			file.Message(modelMetadata, func(m *protobuf.Writer) {
				m.String(keyField, entry.key)
				m.String(valueField, string(text))
			})
		}
	}
	return nil
}

// The keys of metadata that this project writes, with JSON as values.
const (
	namesEntry  = "feature_names"  // list of the columns' names
	levelsEntry = "feature_levels" // list of the columns' levels, null for numeric columns
	labelEntry  = "label"          // name of the label
)

// graph writes the graph: an input, the operator of trees with those that make responses of its
// sums, those that make labels, and outputs.
//
//	TreeEnsembleClassifier  one score of two classes   -> scores
//	TreeEnsembleRegressor   all else    [-> Sigmoid, Normalizer, Exp] -> scores
//	                                  -> ArgMax -> LabelEncoder -> label
//
// The label of TreeEnsembleClassifier is not used. Of two classes ONNX Runtime compares one score
// with 0, or with 0.5 if no leaf is negative, whatever the start values and the other score are.
func (w *writing) graph(g *protobuf.Writer) {
	classes := w.Meta.Task.Classes()
	raw := scoresName
	if w.after != nil {
		raw = "raw"
	}
	g.Message(graphNode, func(m *protobuf.Writer) {
		m.String(nodeInput, inputName)
		operator := treeOperators[1]
		if w.form == single {
			operator = treeOperators[0]
			m.String(nodeOutput, "unused")
		}
		m.String(nodeOutput, raw)
		m.String(nodeOp, operator)
		w.attributes(m)
		m.String(nodeDomain, treeDomain)
	})
	from := raw
	for i, op := range w.after {
		to := scoresName
		if i+1 < len(w.after) {
			to = strings.ToLower(op)
		}
		g.Message(graphNode, func(m *protobuf.Writer) {
			m.String(nodeInput, from)
			m.String(nodeOutput, to)
			m.String(nodeOp, op)
			if op == "Normalizer" {
				text(m, "norm", "L1")
				m.String(nodeDomain, treeDomain)
			}
		})
		from = to
	}
	width := w.scores()
	if classes {
		w.labels(g, raw)
		width = len(w.Meta.Classes)
	}
	g.String(graphName, "coppice")
	g.Message(graphInput, tensorOf(inputName, float32s, len(w.Meta.Schema.Fields)))
	if classes {
		kind := texts
		if _, ok := integers(w.Meta.Classes); ok {
			kind = int64s
		}
		g.Message(graphOutput, tensorOf(labelName, kind, 0))
	}
	g.Message(graphOutput, tensorOf(scoresName, float32s, width))
}

// labels writes the operators that make labels of scores: the class of the greatest one, of equal
// ones the first.
func (w *writing) labels(g *protobuf.Writer, from string) {
	g.Message(graphNode, func(m *protobuf.Writer) {
		m.String(nodeInput, from)
		m.String(nodeOutput, placeName)
		m.String(nodeOp, "ArgMax")
		number(m, "axis", 1)
		number(m, "keepdims", 0)
	})
	g.Message(graphNode, func(m *protobuf.Writer) {
		m.String(nodeInput, placeName)
		m.String(nodeOutput, labelName)
		m.String(nodeOp, "LabelEncoder")
		classes := w.Meta.Classes
		ints(m, "keys_int64s", len(classes), func(i int) int64 { return int64(i) })
		if list, ok := integers(classes); ok {
			ints(m, "values_int64s", len(classes), func(i int) int64 { return list[i] })
		} else {
			names(m, "values_strings", len(classes), func(i int) string { return classes[i] })
		}
		m.String(nodeDomain, treeDomain)
	})
}

// The names of tensors.
const inputName, labelName, scoresName, placeName = "input", "label", "scores", "place"

// tensorOf describes a tensor of any number of rows; width 0: it has no columns.
func tensorOf(name string, e element, width int) func(*protobuf.Writer) {
	return func(m *protobuf.Writer) {
		m.String(valueName, name)
		m.Message(valueType, func(m *protobuf.Writer) {
			m.Message(typeTensor, func(m *protobuf.Writer) {
				m.Int64(tensorTypeElement, int64(e))
				m.Message(tensorTypeDims, func(m *protobuf.Writer) {
					m.Message(shapeDim, func(*protobuf.Writer) {})
					if width > 0 {
						m.Message(shapeDim, func(m *protobuf.Writer) {
							m.Int64(dimValue, int64(width))
						})
					}
				})
			})
		})
	}
}

// integers returns names as the integers that they are the texts of; ok is false if one is none.
func integers(names []string) (list []int64, ok bool) {
	for _, name := range names {
		v, err := strconv.ParseInt(name, 10, 64)
		if err != nil || fmt.Sprint(v) != name {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// attributes writes the lists of the operator of trees.
func (w *writing) attributes(m *protobuf.Writer) {
	prefix := "target_"
	if w.form == single {
		prefix = "class_"
		ints(m, "classlabels_int64s", 2, func(i int) int64 { return int64(i) })
	} else {
		number(m, "n_targets", int64(w.scores()))
	}
	if w.average {
		text(m, "aggregate_function", "AVERAGE")
	}
	if w.base != nil {
		floats(m, "base_values", len(w.base), func(i int) float32 { return w.base[i] })
	}
	text(m, "post_transform", w.post)
	n, k := len(w.nodes), len(w.weights)
	ints(m, "nodes_treeids", n, func(i int) int64 { return int64(w.place[i]) })
	ints(m, "nodes_nodeids", n, func(i int) int64 { return int64(w.nodes[i].number) })
	ints(m, "nodes_featureids", n, func(i int) int64 { return int64(w.nodes[i].feature) })
	names(m, "nodes_modes", n, func(i int) string { return modeNames[w.nodes[i].mode] })
	floats(m, "nodes_values", n, func(i int) float32 { return float32(w.nodes[i].value) })
	ints(m, "nodes_truenodeids", n, func(i int) int64 { return int64(w.nodes[i].yes) })
	ints(m, "nodes_falsenodeids", n, func(i int) int64 { return int64(w.nodes[i].no) })
	ints(m, "nodes_missing_value_tracks_true", n, func(i int) int64 {
		if w.nodes[i].tracks {
			return 1
		}
		return 0
	})
	ints(m, prefix+"ids", k, func(i int) int64 { return int64(w.weights[i].target) })
	ints(m, prefix+"nodeids", k, func(i int) int64 { return int64(w.weights[i].node) })
	ints(m, prefix+"treeids", k, func(i int) int64 { return int64(w.weights[i].tree) })
	floats(m, prefix+"weights", k, func(i int) float32 { return w.weights[i].value })
}
