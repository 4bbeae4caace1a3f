package model_test

import (
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// The values of single trees, weighted and added up, are the raw scores, in tables and row by row.
func TestBindTrees(t *testing.T) {
	bound := 0
	for seed := range 600 {
		m := codectest.Ensemble().Example(seed)
		if len(m.Meta.Schema.Fields) == 0 || divides(m) {
			continue // no rows; and parts of rows are weighted before they are added up
		}
		f := treetest.Frame(m.Meta.Schema, 9).Example(seed)
		p, err := model.BindTrees(m, &f.Schema, model.Options{Rounds: model.AllRounds, Workers: 1})
		if errors.Is(err, model.ErrNoTreeValues) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Rounds: model.AllRounds})
		if err != nil {
			t.Fatal(err)
		}
		values, scores := make([]float64, f.Rows()*p.Width()), make([]float64, f.Rows()*raw.Width())
		if p.Predict(values, f, nil) != nil || raw.Predict(scores, f, nil) != nil {
			continue // values that the schema refuses
		}
		bound++
		for r := range f.Rows() {
			want := sums(m, values[r*p.Width():][:p.Width()], raw.Width())
			for k, got := range scores[r*raw.Width():][:raw.Width()] {
				if got != want[k] && !(math.IsNaN(got) && math.IsNaN(want[k])) {
					t.Fatalf("model %d, row %d, score %d: %v, of single trees %v", seed, r, k, got, want[k])
				}
			}
		}
	}
	if bound < 50 {
		t.Errorf("%d models had values of trees", bound)
	}
}

// divides reports whether a tree divides rows among children.
func divides(m *model.Ensemble) bool {
	for _, t := range m.Trees {
		for n := range t.Nodes {
			if t.Nodes[n].Missing() == tree.MissingFractional {
				return true
			}
		}
	}
	return false
}

// sums adds up the values of trees as Bind does.
func sums(m *model.Ensemble, values []float64, scores int) []float64 {
	sum, divisors := make([]float64, scores), make([]float64, scores)
	if m.Combine == model.Sum && m.Bias != nil {
		copy(sum, m.Bias)
	}
	for i, t := range m.Trees {
		w := 1.0
		if m.Weights != nil {
			w = m.Weights[i]
		}
		for k := range t.Leaf.Width {
			at := k
			if m.Output != nil && m.Output[i] >= 0 {
				at = int(m.Output[i])
			}
			sum[at] += float64(w * values[0])
			divisors[at] += w
			values = values[1:]
		}
	}
	for k := range sum {
		if m.Combine == model.Sum {
			break
		}
		if divisors[k] != 0 {
			sum[k] /= divisors[k]
		}
		if m.Bias != nil {
			sum[k] += m.Bias[k]
		}
	}
	return sum
}

func TestBindTreesOfDifferentWidths(t *testing.T) {
	wide, narrow := tree.NewLeafBuilder(tree.Vector, 2), tree.NewLeafBuilder(tree.Scalar, 1)
	wide.SetValue(0, []float64{1, 2})
	narrow.SetValue(0, []float64{1})
	m := codectest.Covered()
	m.Trees = nil
	for _, b := range []*tree.Builder{wide, narrow} {
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees = append(m.Trees, made)
	}
	if _, err := model.BindTrees(m, &m.Meta.Schema, model.Options{}); !errors.Is(err, model.ErrNoTreeValues) {
		t.Errorf("%v", err)
	}
}
