package model_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// stump is a tree x <= 0 ? first : second, whose leaves keep samples, and predict their mean.
func stump(t *testing.T, targets []float64, first, second []uint32) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 0})
	for n, rank := range [][]uint32{first, second} {
		mean := 0.0
		for _, r := range rank {
			mean += targets[r] / float64(len(rank))
		}
		b.SetValue(int32(n+1), []float64{mean})
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	built.Leaf.Samples = &tree.Samples{At: []int32{0, 0, int32(len(first)), int32(len(first) + len(second))}, Rank: slices.Concat(first, second)}
	return built
}

// pool is a forest of two stumps over x. For x <= 0 their leaves hold 1 2 2 10 and 2 5:
//
//	value    1     2              5    10
//	weight   1/8   1/8+1/8+1/4    1/4  1/8
//	sum      0.125 0.625          0.875 1
func pool(t *testing.T) *model.Ensemble {
	t.Helper()
	targets := []float64{1, 2, 5, 10}
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}, Combine: model.Pool, Targets: targets,
		Trees: []*tree.Tree{stump(t, targets, []uint32{0, 1, 1, 3}, []uint32{3}), stump(t, targets, []uint32{1, 2}, []uint32{0, 0, 3})}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestQuantilesByHand(t *testing.T) {
	f, err := data.FromRows([][]float64{{-1}, {1}}, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	m := pool(t)
	for _, c := range []struct {
		at []float64
		// of the row x = -1 and of x = 1, where 1 and 10 have a third and two thirds of the weight
		want []float64
	}{
		{nil, []float64{1, 2, 10, 1, 10, 10}},
		{[]float64{0.125, 0.126, 0.625, 0.626, 0.875, 0.876}, []float64{1, 2, 2, 5, 5, 10, 1, 1, 10, 10, 10, 10}},
		{[]float64{1, 0.7, 0, 0.7}, []float64{10, 5, 1, 5, 10, 10, 1, 10}},
		{[]float64{1. / 3, math.Nextafter(1./3, 0), 0.3334}, []float64{2, 2, 2, 1, 1, 10}},
		{[]float64{}, nil},
	} {
		if got := predict(t, m, f, model.Options{Output: model.Quantiles, Quantiles: c.at}); !slices.Equal(got, c.want) {
			t.Errorf("quantiles %v: %v, want %v", c.at, got, c.want)
		}
	}
	// 15/4/2 + 7/2/2 and 10/2 + 12/3/2: the means of the pooled values, whatever else is requested.
	if got := predict(t, m, f, model.Options{}); !slices.Equal(got, []float64{3.625, 7}) {
		t.Errorf("means %v", got)
	}
	if got := predict(t, m, f, model.Options{Output: model.Quantiles, Rounds: 1, Quantiles: []float64{0.25, 0.8}}); !slices.Equal(got, []float64{1, 10, 10, 10}) {
		t.Errorf("quantiles of the first tree %v", got)
	}
	m.Weights = []float64{3, 1} // sums up to 3/16, 3/16+6/16+2/16, ...
	if got := predict(t, m, f, model.Options{Output: model.Quantiles, Quantiles: []float64{0.1875, 0.6875, 0.69, 0.8125, 0.82}}); !slices.Equal(got[:5], []float64{1, 2, 5, 5, 10}) {
		t.Errorf("quantiles of weighted trees %v", got)
	}
}

// A leaf's weight is divided among its samples by their weights.
func TestQuantilesOfWeightedSamples(t *testing.T) {
	m := pool(t)
	m.Trees = m.Trees[:1]
	m.Trees[0].Leaf.Samples.Weight = []float64{1, 0.5, 0.5, 6, 1}
	f, err := data.FromRows([][]float64{{-1}}, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := predict(t, m, f, model.Options{Output: model.Quantiles, Quantiles: []float64{0.125, 0.25, 0.251}}); !slices.Equal(got, []float64{1, 2, 10}) {
		t.Errorf("quantiles %v", got)
	}
}

func TestQuantilesRefused(t *testing.T) {
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := pool(t).Bind(&pool(t).Meta.Schema, model.Options{Output: model.Quantiles, Quantiles: []float64{0.5, q}}); err == nil || !strings.Contains(err.Error(), "from 0 to 1") {
			t.Errorf("quantile %v: %v", q, err)
		}
	}
	m := classifier(t)
	if _, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Quantiles}); !errors.Is(err, model.ErrNoQuantiles) {
		t.Errorf("error %v, want ErrNoQuantiles", err)
	}
}

// directly are quantiles by the definition: all samples of all leaves with their weights, sorted,
// and added up.
func directly(m *model.Ensemble, f *data.Frame, row int32, at []float64) []float64 {
	type sample struct{ y, w float64 }
	var all []sample
	total := 0.0
	for i, t := range m.Trees {
		part := 1.0
		if m.Weights != nil {
			part = m.Weights[i]
		}
		total += part
		rank, weight := t.Leaf.Samples.Of(t.Slot(t.Over(f.Columns).LeafOf(row)))
		sum := float64(len(rank))
		if weight != nil {
			sum = 0
			for _, w := range weight {
				sum += w
			}
		}
		for k, r := range rank {
			w := 1.0
			if weight != nil {
				w = weight[k]
			}
			all = append(all, sample{m.Targets[r], part * w / sum})
		}
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.y, b.y) })
	var found []float64
	for _, q := range at {
		sum, y := 0.0, all[len(all)-1].y
		for _, s := range all {
			if sum += s.w; sum >= q*total*(1-1e-11) {
				y = s.y
				break
			}
		}
		found = append(found, y)
	}
	return found
}

// Quantiles of any forest are those of the definition, for any number of workers, and ascend.
func TestQuantilesByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: treetest.Schema().Draw(t, "schema")}, Combine: model.Pool}
		for i := range rapid.SampledFrom([]int{1, 3, 64, 65, 200}).Draw(t, "targets") {
			m.Targets = append(m.Targets, float64(i*i)/4-7)
		}
		shape := treetest.Shape{Fields: m.Meta.Schema.Fields, Kind: tree.Scalar, Width: 1, Splits: 5, Targets: len(m.Targets)}
		m.Trees = rapid.SliceOfN(treetest.Tree(shape), 1, 6).Draw(t, "trees")
		if rapid.Bool().Draw(t, "weighted") {
			m.Weights = rapid.SliceOfN(rapid.Float64Range(0x1p-10, 4), len(m.Trees), len(m.Trees)).Draw(t, "weights")
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		f := treetest.Frame(m.Meta.Schema, 5).Draw(t, "table")
		at := []float64{0, 0.1, 0.25, 0.5, 0.75, 0.9, 1}
		p, err := m.Bind(&f.Schema, model.Options{Output: model.Quantiles, Quantiles: at, Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, f.Rows()*len(at))
		if err := p.Predict(got, f, nil); err != nil {
			t.Fatal(err)
		}
		for row := range f.Rows() {
			mine := got[row*len(at) : (row+1)*len(at)]
			if want := directly(m, f, int32(row), at); !slices.Equal(mine, want) || !slices.IsSorted(mine) {
				t.Fatalf("row %d: %v, want %v", row, mine, want)
			}
		}
	})
}
