package boost

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// sameScores compares the scores of a set with what the model so far predicts for its rows.
func sameScores(t *testing.T, b *Training, ds *data.Dataset, set *boosting.Set) {
	t.Helper()
	m := b.ensemble.model
	p, err := m.Bind(&ds.Frame.Schema, model.Options{Output: model.Raw, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	k := len(m.Bias)
	want := make([]float64, k*len(set.Rows))
	if err := p.Predict(want, ds.Frame, set.Rows); err != nil {
		t.Fatal(err)
	}
	for i := range set.Rows {
		for o := range k {
			if got := set.Raw[o*len(set.Rows)+i]; math.Abs(got-want[i*k+o]) > 1e-9 {
				t.Fatalf("after round %d, output %d of row %d: score %v, the model has %v",
					b.watch.Rounds, o, set.Rows[i], got, want[i*k+o])
			}
		}
	}
}

// TestScoresAreThoseOfTheModel: after each round the scores of both sets are what the trees so far
// predict, whatever adds trees to them, drops some of them, or changes their leaves.
func TestScoresAreThoseOfTheModel(t *testing.T) {
	classes, numbers := classesTable(t, 200), orderedTable(t, 200)
	var train, valid []int32
	for i := range int32(200) {
		if i%4 == 1 {
			valid = append(valid, i)
		} else {
			train = append(train, i)
		}
	}
	for what, change := range map[string]func(c *Config){
		"plain":          func(*Config) {},
		"dropout":        func(c *Config) { c.Dropout = &Dropout{Drop: 0.5} },
		"dropout of one": func(c *Config) { c.Dropout = &Dropout{Drop: 0.9, Most: 1, Skip: 0.3} },
		"some rows":      func(c *Config) { c.Fraction = 0.6 },
		"multi-output":   func(c *Config) { c.MultiOutput = true },
		"dropped output": func(c *Config) { c.MultiOutput, c.Dropout = true, &Dropout{Drop: 0.7} },
		"dropped steps":  func(c *Config) { c.Steps, c.Dropout, c.Fraction = 2, &Dropout{Drop: 0.7}, 0.8 },
		"dropped lines":  func(c *Config) { c.Linear, c.LinearL2, c.Dropout = true, 0.1, &Dropout{Drop: 0.7} },
		"linear":         func(c *Config) { c.Linear, c.LinearL2 = true, 0.1 },
		"ordered":        func(c *Config) { c.Permutations = 2 },
		"three steps":    func(c *Config) { c.Steps = 3 },
		"other rates":    func(c *Config) { c.Decay, c.Starts = 0.9, []RateFrom{{Round: 2, Rate: 0.5}} },
	} {
		for _, ds := range []*data.Dataset{classes, numbers} {
			for _, job := range []learn.Job{{Seed: 3, Workers: 1}, {Seed: 4, Workers: 2, Rows: train, Valid: valid}} {
				if what == "ordered" && ds == classes || (what == "linear" || what == "dropped lines") && ds == classes {
					continue // these are for one output
				}
				b := begun(t, ds, job, func(c *Config) {
					c.Trees, c.Engine.Leaves = 6, 6
					if change(c); job.Valid == nil {
						c.ValidFraction = 0.25
					}
				})
				for range 6 {
					if _, err := b.round(t.Context()); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					sameScores(t, b, ds, b.scores.train)
					sameScores(t, b, ds, b.scores.valid)
				}
			}
		}
	}
}

// TestScoresOfDerivedColumns: the validation set has the scores of the model where it derives
// columns of categories, by one order of the rows or by several. The training set has those of its
// own statistics, which know no row of its own label.
func TestScoresOfDerivedColumns(t *testing.T) {
	ds := withCategories(t, 300, false)
	for i, code := range ds.Columns[2].Codes() {
		ds.Target.Y[0][i] += float64(code % 4)
	}
	for _, permutations := range []int{0, 1, 3} {
		b := begun(t, ds, learn.Job{Seed: 3, Workers: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.ValidFraction, c.Permutations, c.User = 5, 6, 0.25, permutations, anyone{}
			c.Categories = table.TargetEncoding
			c.Statistics = encode.Options{Levels: 3, Combine: 1, PriorWeight: 1, Permutations: max(1, permutations), Classes: 1}
		})
		if len(b.table.Inputs.Columns) != 1 || len(b.table.Matrices) != max(1, permutations) {
			t.Fatalf("%d derived columns, %d orders", len(b.table.Inputs.Columns), len(b.table.Matrices))
		}
		if _, inBins := b.scores.follow.(*validInBins); inBins != (permutations == 0) {
			t.Errorf("%d permutations: the validation set is updated by %T", permutations, b.scores.follow)
		}
		for range 5 {
			if _, err := b.round(t.Context()); err != nil {
				t.Fatal(err)
			}
			own := *b.ensemble
			described := *own.model
			if own.model = &described; b.describe(&described) != nil {
				t.Fatal("a model that cannot be described")
			}
			as := *b
			as.ensemble = &own
			sameScores(t, &as, ds, b.scores.valid)
		}
	}
}

// TestDropoutOfAll: with all rounds dropped each tree is the first one again, and has its fraction
// of the weights: 1/(n+rate) of the new tree, n/(n+rate) times theirs of the n others.
func TestDropoutOfAll(t *testing.T) {
	b := begun(t, orderedTable(t, 100), learn.Job{Seed: 1}, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.LearningRate, c.Dropout = 5, 4, 0.5, &Dropout{Drop: 1}
	})
	var want []float64
	for n := range 5 {
		if _, err := b.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		d := float64(n)
		for i := range want {
			want[i] *= d / (d + 0.5)
		}
		if weight := 1 / (d + 0.5); n > 0 {
			want = append(want, weight)
		} else {
			want = append(want, 1)
		}
		m := b.ensemble.model
		for i, w := range m.Weights {
			if math.Abs(w-want[i]) > 1e-12 {
				t.Errorf("round %d: weights %v, want %v", n, m.Weights, want)
			}
		}
		if len(m.Weights) != n+1 || !reflect.DeepEqual(m.Trees[n].Leaf, m.Trees[0].Leaf) {
			t.Errorf("round %d has another tree: %v, want %v", n, m.Trees[n].Leaf, m.Trees[0].Leaf)
		}
	}
}

// TestDroppedRounds: rounds are dropped with their probability, at most so many, in their order.
func TestDroppedRounds(t *testing.T) {
	counts := func(d Dropout) (rounds, none float64, most int) {
		s := rng.New(8)
		const draws = 4000
		for range draws {
			all := d.sample(5, s)
			if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) ||
				len(all) > 0 && (all[0] < 0 || all[len(all)-1] > 4) {
				t.Fatalf("%+v drops %v", d, all)
			}
			rounds += float64(len(all)) / draws
			most = max(most, len(all))
			if len(all) == 0 {
				none += 1. / draws
			}
		}
		return rounds, none, most
	}
	for _, c := range []struct {
		Dropout
		rounds, none float64
		most         int
	}{
		{Dropout{Drop: 1}, 5, 0, 5}, {Dropout{}, 0, 1, 0}, {Dropout{Drop: 1, Skip: 1}, 0, 1, 0},
		{Dropout{Drop: 1, Most: 2}, 2, 0, 2}, {Dropout{Drop: 1, Most: 5}, 5, 0, 5},
		{Dropout{Drop: 0.4}, 2, math.Pow(0.6, 5), 5},
		{Dropout{Drop: 1, Most: 3, Skip: 0.25}, 2.25, 0.25, 3},
	} {
		rounds, none, most := counts(c.Dropout)
		if math.Abs(rounds-c.rounds) > 0.1 || math.Abs(none-c.none) > 0.03 || most != c.most {
			t.Errorf("%+v: %v rounds, none in %v, at most %d; want %v, %v, %d", c.Dropout, rounds, none,
				most, c.rounds, c.none, c.most)
		}
	}
	seen := map[int]int{}
	s := rng.New(2)
	for range 1000 {
		for _, n := range (&Dropout{Drop: 1, Most: 1}).sample(4, s) {
			seen[n]++
		}
	}
	for n := range 4 {
		if seen[n] < 200 || seen[n] > 300 {
			t.Errorf("of four rounds, round %d is dropped %d times in 1000", n, seen[n])
		}
	}
}

// The rounds behind the best one go, and trees have the weights again that they had then.
func TestBestRounds(t *testing.T) {
	for _, weights := range [][]float64{nil, {9}} {
		e := &ensemble{width: 2, first: 1, model: &model.Ensemble{Bias: []float64{0, 0}, Trees: []*tree.Tree{{}},
			Output: []int32{-1}, Weights: slices.Clone(weights)}}
		var want []float64
		for n := range 4 {
			e.append([]*tree.Tree{{}, {}}, float64(n))
			if e.model.Weights != nil {
				e.model.Weights[0] += 1
			}
			if n == 1 {
				e.markBest()
				want = slices.Clone(e.model.Weights)
			}
		}
		all := len(e.model.Trees)
		e.keep(3)
		if all != 9 || len(e.model.Trees) != 7 || len(e.model.Output) != 7 || weights != nil && len(e.model.Weights) != 7 {
			t.Errorf("%d trees of outputs %v, of %d", len(e.model.Trees), e.model.Output, all)
		}
		e.keepBest(2)
		if len(e.model.Trees) != 5 || !slices.Equal(e.model.Output, []int32{-1, 0, 1, 0, 1}) || !slices.Equal(e.model.Weights, want) ||
			weights != nil && want[0] != 11 {
			t.Errorf("%d trees of outputs %v, weights %v, want %v", len(e.model.Trees), e.model.Output, e.model.Weights, want)
		}
	}
}
