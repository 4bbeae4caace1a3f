package boost

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/loss"
)

// orderedTable is rows of two columns with a label of numbers and weights from 1 to 3.
func orderedTable(t *testing.T, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(5)
	x, z, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	weight := make([]float64, rows)
	for i := range rows {
		x[i], z[i] = float64(s.Intn(6)), s.Float64()
		y[i] = math.Sin(x[i]) + z[i]*z[i] + s.Float64()
		weight[i] = float64(i%3 + 1)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "z", Values: z})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{y}, Weight: weight}}
}

// TestSupportingModels: the score of a row before a round is what the trees so far give it, if
// their leaves are fitted to the rows before it alone: round by round, to the residuals of these
// rows' own model. That is algorithm 2 of Prokhorenkova et al. (2018), written again without
// shared sums.
func TestSupportingModels(t *testing.T) {
	const rows, rounds, rate, l2 = 45, 6, 0.5, 1.0
	ds := orderedTable(t, rows)
	y, weight := ds.Target.Y[0], ds.Target.Weight
	b := begun(t, ds, learn.Job{Seed: 2}, func(c *Config) {
		c.Permutations, c.Trees, c.Engine.Leaves, c.LearningRate = 2, 6, 5, rate
		c.BaseScore, c.Fraction, c.Engine.L2 = "0.3", 0.7, l2
	})
	for round := range rounds {
		at := slices.Clone(b.supports.before(round))
		if _, err := b.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		for r, g := range b.derivatives.(*storedDerivatives).g {
			if want := weight[r] * (at[r] - y[r]); math.Abs(g-want) > 1e-9 {
				t.Fatalf("round %d: row %d has the derivative %v, want %v at the score of rows before it", round+1, r, g, want)
			}
		}
		for n := range 2 {
			places := b.supports.orders[n].places
			got := slices.Clone(b.supports.before(n))
			for place, at := range places {
				score := slices.Repeat([]float64{0.3}, rows)
				body := places[:0]
				if place > 0 {
					body = places[:1<<(bits.Len(uint(place))-1)]
				}
				for _, tree := range b.ensemble.model.Trees[:round+1] {
					g, h := map[int32]float64{}, map[int32]float64{}
					for _, r := range body {
						leaf := tree.Over(ds.Columns).LeafOf(r)
						g[leaf] += weight[r] * (score[r] - y[r])
						h[leaf] += weight[r]
					}
					for _, r := range append(slices.Clone(body), at) {
						leaf := tree.Over(ds.Columns).LeafOf(r)
						score[r] -= rate * g[leaf] / (h[leaf] + l2)
					}
				}
				if slices.Contains(body, at) || math.Abs(got[at]-score[at]) > 1e-9 {
					t.Fatalf("order %d, place %d, after round %d: score %v, want %v", n, place,
						round+1, got[at], score[at])
				}
			}
		}
	}
}

// Where the loss computes the values of leaves, supporting models have those of their own rows: of
// absolute errors the medians, and 0 of a leaf without rows.
func TestSupportingModelsOfMedians(t *testing.T) {
	const rows, rate = 40, 0.5
	ds := orderedTable(t, rows)
	b := begun(t, ds, learn.Job{Seed: 2}, func(c *Config) {
		c.Permutations, c.Trees, c.Engine.Leaves, c.LearningRate, c.BaseScore, c.Loss.Name = 2, 3, 5, rate, "0.3", "absolute"
	})
	for round := range 3 {
		if _, err := b.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			places := b.supports.orders[n].places
			got := slices.Clone(b.supports.before(n))
			for place := 1; place < rows; place++ {
				at, body := places[place], places[:1<<(bits.Len(uint(place))-1)]
				score := slices.Repeat([]float64{0.3}, rows)
				for _, tree := range b.ensemble.model.Trees[:round+1] {
					in := map[int32][]int32{}
					for _, r := range body {
						leaf := tree.Over(ds.Columns).LeafOf(r)
						in[leaf] = append(in[leaf], r)
					}
					before := slices.Clone(score)
					for _, r := range append(slices.Clone(body), at) {
						if own := in[tree.Over(ds.Columns).LeafOf(r)]; len(own) > 0 {
							score[r] += rate * b.scores.train.Objective.(loss.LeafRefiner).RefineLeaf(before, 0, own)
						}
					}
				}
				if math.Abs(got[at]-score[at]) > 1e-9 {
					t.Fatalf("order %d, place %d, after round %d: score %v, want %v", n, place, round+1, got[at], score[at])
				}
			}
		}
	}
}

// TestOrderedLeavesAreThoseOfAllRows: the model itself has leaves of Newton steps at its own
// scores, of all rows.
func TestOrderedLeavesAreThoseOfAllRows(t *testing.T) {
	ds := orderedTable(t, 60)
	b := begun(t, ds, learn.Job{Seed: 2}, func(c *Config) {
		c.Permutations, c.Trees, c.Engine.Leaves, c.LearningRate = 4, 4, 5, 1
		c.BaseScore, c.Engine.L2 = "0", 0
	})
	score := make([]float64, 60)
	for range 4 {
		if _, err := b.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		tree := b.ensemble.model.Trees[len(b.ensemble.model.Trees)-1]
		sum, weight := map[int32]float64{}, map[int32]float64{}
		for r := range int32(60) {
			leaf := tree.Over(ds.Columns).LeafOf(r)
			sum[leaf] += ds.Target.Weight[r] * (ds.Target.Y[0][r] - score[r])
			weight[leaf] += ds.Target.Weight[r]
		}
		for r := range int32(60) {
			leaf := tree.Over(ds.Columns).LeafOf(r)
			want := sum[leaf] / weight[leaf]
			if got := tree.Value(leaf)[0]; math.Abs(got-want) > 1e-9 {
				t.Fatalf("leaf %d has the value %v, want %v", leaf, got, want)
			}
			score[r] += want
		}
	}
}

// TestOrderOfPlaces: times come first, and the orders differ. Where rows without weight count, as
// with compat, they are last.
func TestOrderOfPlaces(t *testing.T) {
	ds := orderedTable(t, 40)
	for i := range ds.Target.Weight {
		ds.Target.Weight[i] = float64(i % 4)
	}
	ordered := func(c *Config) {
		c.Permutations, c.Trees, c.Engine.Conventions = 4, 1, hist.CatBoost
	}
	a := begun(t, ds, learn.Job{Seed: 2}, ordered)
	b := begun(t, ds, learn.Job{Seed: 2}, func(c *Config) { c.Trees = 1 })
	if b.supports != nil {
		t.Error("plain boosting has supporting models")
	}
	orders := a.supports.orders
	if len(orders) != 4 || slices.Equal(orders[0].places, orders[1].places) {
		t.Fatalf("%d orders", len(orders))
	}
	for _, o := range orders {
		for place, at := range o.places {
			if weighs := ds.Target.Weight[at] > 0; weighs != (place < 30) {
				t.Errorf("row %d of weight %v is at place %d", at, ds.Target.Weight[at], place)
			}
		}
		if sorted := slices.Sorted(slices.Values(o.places)); !slices.Equal(sorted,
			data.AllRows(40)) {
			t.Errorf("places %v", o.places)
		}
	}
	ds.Target.Time = make([]int64, 40)
	for i := range ds.Target.Time {
		ds.Target.Time[i] = int64(i * 7 % 40 / 5)
	}
	for _, o := range begun(t, ds, learn.Job{Seed: 2}, ordered).supports.orders {
		for i := 1; i < 30; i++ {
			if ds.Target.Time[o.places[i]] < ds.Target.Time[o.places[i-1]] {
				t.Fatalf("place %d is of an earlier time than the one before", i)
			}
		}
	}
}

// Before the first round every model has the start scores, of each output.
func TestSupportingModelsStart(t *testing.T) {
	b := begun(t, classesTable(t, 50), learn.Job{Seed: 2}, func(c *Config) { c.Permutations, c.Trees = 2, 1 })
	for i := range b.scores.train.Raw {
		b.scores.train.Raw[i] = float64(i + 1)
	}
	b.supports.start()
	for n := range 2 {
		if got := b.supports.before(n); !slices.Equal(got, b.scores.train.Raw) {
			t.Errorf("order %d: %v", n, got)
		}
		for _, m := range b.supports.orders[n].models {
			body := len(m.body) / 5
			for i, x := range m.body {
				if want := b.scores.train.Raw[i/body*50+int(m.places[i%body])]; x != want {
					t.Errorf("order %d: the body has %v at %d, want %v", n, x, i, want)
				}
			}
		}
	}
}
