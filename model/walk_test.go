package model_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// randomEnsemble samples a regression by trees of every kind of node and every missing rule.
func randomEnsemble(t *rapid.T) *model.Ensemble {
	number := rapid.Float64Range(-10, 10)
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: treetest.Schema().Draw(t, "schema")},
		Combine: rapid.SampledFrom([]model.Combine{model.Sum, model.Mean}).Draw(t, "combine")}
	m.Inputs = inputtest.Set(m.Meta.Schema.Fields).Draw(t, "inputs")
	outputs := rapid.IntRange(1, 3).Draw(t, "outputs")
	shape := treetest.Shape{Fields: m.Features().Fields, Width: outputs, Splits: 8, Number: number,
		Kind: rapid.SampledFrom([]tree.LeafKind{tree.Vector, tree.Counts}).Draw(t, "leaf kind")}
	trees := rapid.IntRange(1, 3).Draw(t, "trees")
	if rapid.Bool().Draw(t, "a tree per output") {
		shape.Kind, shape.Width, trees = tree.Scalar, 1, max(trees, outputs)
	}
	for i := range trees {
		m.Trees = append(m.Trees, treetest.Tree(shape).Draw(t, "tree"))
		if shape.Kind == tree.Scalar {
			m.Output = append(m.Output, int32(i%outputs))
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		m.Weights = rapid.SliceOfN(rapid.Float64Range(0.25, 4), trees, trees).Draw(t, "weights")
	}
	if rapid.Bool().Draw(t, "biased") {
		m.Bias = rapid.SliceOfN(number, outputs, outputs).Draw(t, "bias")
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// walked is what the model predicts of a row by a walk through each of its trees, and whether some
// node divided the row.
func walked(m *model.Ensemble, columns []data.Column, row int32) (sums []float64, divided bool) {
	sums = make([]float64, m.Outputs())
	if m.Combine == model.Sum {
		copy(sums, m.Bias)
	}
	scale, total := slices.Repeat([]float64{1}, len(m.Trees)), make([]float64, len(sums))
	copy(scale, m.Weights)
	for i, t := range m.Trees {
		for k := range total {
			if m.Output == nil || int(m.Output[i]) == k {
				total[k] += scale[i]
			}
		}
		t.Over(columns).Visit(row, func(n int32, part float64, end bool) {
			if !end {
				return
			}
			divided = divided || part != 1
			for k, x := range leafValue(t, n, columns, row) {
				if m.Output != nil {
					k = int(m.Output[i])
				}
				sums[k] += float64(float64(scale[i]*part) * x)
			}
		})
	}
	if m.Combine == model.Sum {
		return sums, divided
	}
	for k := range sums {
		sums[k] /= total[k]
		if m.Bias != nil {
			sums[k] += m.Bias[k]
		}
	}
	return sums, divided
}

// leafValue returns the value of a node, class weights as probabilities.
func leafValue(t *tree.Tree, n int32, columns []data.Column, row int32) []float64 {
	if t.Leaf.Kind == tree.Scalar {
		return []float64{t.Estimate(n, func(f int32) float64 { return columns[f].Number(int(row)) })}
	}
	v := slices.Clone(t.Value(n))
	if t.Leaf.Kind != tree.Counts {
		return v
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for k := range v {
		if v[k] /= sum; !(sum > 0) {
			v[k] = 1 / float64(len(v))
		}
	}
	return v
}

// withDerived returns the columns that the trees of a model look at: a table's, and those derived.
func withDerived(m *model.Ensemble, f *data.Frame) []data.Column {
	columns := slices.Clone(f.Columns)
	for range m.Inputs.Len() {
		columns = append(columns, data.Numbers(make([]float64, f.Rows())))
	}
	for row := range f.Rows() {
		of := func(field int32) uint32 { return f.Columns[field].Code(row) }
		number := func(field int32) float64 { return f.Columns[field].Number(row) }
		for i, x := range inputtest.Values(&m.Inputs, m.Meta.Schema.Fields, of, number) {
			columns[len(f.Columns)+i].Numbers()[row] = x
		}
	}
	return columns
}

// TestPredictionsAreWalks: compiled prediction of random trees of every kind gives what a walk
// through each of them gives, to the bit where no node divides a row; and so does Leaf.
func TestPredictionsAreWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomEnsemble(t)
		f := treetest.Frame(m.Meta.Schema, 4).Draw(t, "table")
		values, leaves := modeltest.PredictBoth(t, m, f, model.Options{Output: model.Raw, Workers: 2}, nil), modeltest.PredictBoth(t, m, f, model.Options{Output: model.Leaf, Workers: 2}, nil)
		columns := withDerived(m, f)
		for row := range int32(f.Rows()) {
			want, divided := walked(m, columns, row)
			got := values[int(row)*len(want) : (int(row)+1)*len(want)]
			for k := range want {
				if slack := 1e-12 * (1 + math.Abs(want[k])); !divided && got[k] != want[k] || math.Abs(got[k]-want[k]) > slack {
					t.Fatalf("row %d, output %d: %v, a walk gives %v", row, k, got[k], want[k])
				}
			}
			for i, s := range m.Trees {
				want := s.Over(columns).LeafOf(row)
				if got := leaves[int(row)*len(m.Trees)+i]; got != float64(want) {
					t.Fatalf("row %d, tree %d: leaf %v, a walk ends at %d", row, i, got, want)
				}
			}
		}
	})
}

// TestValidateUses: what nodes, directions and surrogates look at must be of the kind that they
// split.
func TestValidateUses(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"p", "q"}}}}
	surrogate := func(s tree.Surrogate) tree.Split {
		return tree.Split{Kind: tree.Numeric, Missing: tree.MissingSurrogate, Surrogates: []tree.Surrogate{s}}
	}
	for _, c := range []struct {
		split tree.Split
		want  string
	}{
		{tree.Split{Kind: tree.Numeric}, ""},
		{tree.Split{Kind: tree.ByCode, Feature: 1, Arity: 2}, ""},
		{surrogate(tree.Surrogate{Kind: tree.SetLast, Feature: 1, Set: []uint64{3}}), ""},
		{tree.Split{Kind: tree.Numeric, Feature: 1}, `tree 0: node 0: the categorical column "c" is split as numeric`},
		{tree.Split{Kind: tree.ByCode, Feature: 0}, `tree 0: node 0: the numeric column "x" is split as categorical`},
		{tree.Split{Kind: tree.ByCode, Feature: 1, Arity: 3}, "tree 0: node 0: 3 children for a dictionary of 2"},
		{tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{5}}, "tree 0: node 0: code 2 in the set of a dictionary of 2"},
		{tree.Split{Kind: tree.Oblique, Direction: []tree.Term{{Feature: 0, Coef: 1}, {Feature: 1, Coef: 1}}}, `tree 0: the categorical column "c" is split as numeric`},
		{surrogate(tree.Surrogate{Kind: tree.SetFirst}), `tree 0: surrogate 0: the numeric column "x" is split as categorical`},
		{surrogate(tree.Surrogate{Kind: tree.Numeric, Feature: 1}), `tree 0: surrogate 0: the categorical column "c" is split as numeric`},
		{surrogate(tree.Surrogate{Kind: tree.SetFirst, Feature: 1, Set: []uint64{0, 1}}), "tree 0: surrogate 0: code 64 in the set of a dictionary of 2"},
		{tree.Split{Kind: tree.Numeric, Feature: 2}, "tree 0: node 0: feature 2 of 2"},
	} {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.Split(0, c.split)
		built, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: schema}, Trees: []*tree.Tree{built}}
		got := ""
		if err := m.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("error %q, want %q", got, c.want)
		}
	}
}
