package ensembles_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// stump is the tree: feature 1 <= 0.5 has the first value, else the second.
func stump(t testing.TB, kind tree.LeafKind, values ...[]float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(kind, len(values[0]), false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 0.5})
	b.SetValue(0, values[0])
	b.SetValue(first, values[0])
	b.SetValue(first+1, values[1])
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// streams gives each unit the stream of its number.
func streams(unit int) *rng.Stream { return rng.New(5, uint64(unit)) }

// order is the order in which streams gives n values to a unit.
func order(n, unit int) []int32 { return streams(unit).Perm(n) }

// TestTwoLeaves permutes by hand. Positions 0 ... 5 are the frame rows 1 ... 6, and 1 2 4 5 are out
// of the bag.
func TestTwoLeaves(t *testing.T) {
	columns := []data.Column{data.Numbers([]float64{9, 1, 2, 3, 4, 5, 6}), data.Numbers([]float64{9, 0, 0, 0, 1, 1, 1}), data.Numbers([]float64{9, 6, 5, 4, 3, 2, 1})}
	rows := []int32{1, 2, 3, 4, 5, 6}
	out := []int32{1, 2, 4, 5} // feature 1 is 0 0 1 1
	if got, want := order(4, 1), []int32{2, 0, 1, 3}; !slices.Equal(got, want) {
		// so the permuted values are 1 0 0 1
		t.Fatalf("the order of unit 1 is %v, want %v", got, want)
	}
	if got, want := order(4, 3), []int32{1, 3, 0, 2}; !slices.Equal(got, want) {
		t.Fatalf("the order of unit 3 is %v, want %v", got, want) // 0 1 0 1
	}
	groups := [][]int32{{1, 0, 1}, {2, 0}}
	classes := &ensembles.Truth{Task: data.Binary, Classes: 2, Class: []uint32{0, 0, 1, 1, 1, 0}}
	costly := *classes
	costly.Decision.Costs = data.Costs{{0, 4}, {1, 0}}
	three := *classes
	three.Classes, three.Decision.Costs = 3, data.Costs{{0, 9, 1}, {9, 0, 1}, {1, 1, 0}}
	weighted := *classes
	weighted.Weight = []float64{9, 1, 2, 9, 4, 8}
	numbers := &ensembles.Truth{Task: data.Regression, Y: []float64{9, 1, 2, 9, 5, 7}}
	for _, c := range []struct {
		name  string
		truth *ensembles.Truth
		tree  *tree.Tree
		want  []float64
	}{
		// predicted are 0 0 1 1 where 0 1 1 0 is true; permuted 1 0 0 1 and 0 1 0 1
		{"classes", classes, stump(t, tree.Counts, []float64{3, 1}, []float64{2, 5}), []float64{0, 2. / 4, 0, 0, 0}},
		// wrong weigh at first 2+8, then 1+2+4+8, and 4+8
		{"weights", &weighted, stump(t, tree.Vector, []float64{0.6, 0.4}, []float64{0.1, 0.9}), []float64{0, 5. / 15, 0, 2. / 15, 0}},
		// where it is dear to call a 0 a 1, both leaves are called 0
		{"costs", &costly, stump(t, tree.Counts, []float64{3, 1}, []float64{2, 5}), []float64{0, 0, 0, 0, 0}},
		// the second leaf is called 2, which nothing is: called are 0 0 2 2, permuted 2 0 0 2 and 0
		// 2 0 2, of which 3, 4 and 3 are wrong
		{"costs of three", &three, stump(t, tree.Vector, []float64{1, 0, 0}, []float64{0.4, 0.6, 0}), []float64{0, 1. / 4, 0, 0, 0}},
		// predicted are 1 1 6 6 where 1 2 5 7 is true; permuted 6 1 1 6 and 1 6 1 6.
		// Squared errors are 0+1+1+1, 25+1+16+1 and 0+16+16+1
		{"numbers", numbers, stump(t, tree.Scalar, []float64{1}, []float64{6}), []float64{0, 40. / 4, 0, 30. / 4, 0}},
	} {
		p := ensembles.NewPermuter(c.truth, columns, rows, groups)
		for range 2 { // the second time with used memory
			got := p.Tree(c.tree, out, streams)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		}
		if got := p.Tree(c.tree, nil, streams); got != nil {
			t.Errorf("%s: importances %v without any row", c.name, got)
		}
	}
}

// TestExpectedDecrease: the feature that a right tree splits by is worth on average the fraction of
// rows that get the other class's value, here one half.
func TestExpectedDecrease(t *testing.T) {
	columns := []data.Column{data.Numbers([]float64{0, 0, 0, 0}), data.Numbers([]float64{0, 1, 0, 1})}
	truth := &ensembles.Truth{Task: data.Binary, Classes: 2, Class: []uint32{0, 1, 0, 1}}
	all := []int32{0, 1, 2, 3}
	p := ensembles.NewPermuter(truth, columns, all, nil)
	s := stump(t, tree.Vector, []float64{1, 0}, []float64{0, 1})
	var members [][]float64
	const n = 3000
	for m := range uint64(n) {
		members = append(members, p.Tree(s, all, func(unit int) *rng.Stream { return rng.New(8, m, uint64(unit)) }))
	}
	fold := ensembles.Fold(members)
	// of 6 ways to place two ones 1 loses nothing, 4 lose two rows, 1 all four: variance (1 * 1/4 +
	// 1 * 1/4) / 6
	if d := fold[1].Mean - 0.5; math.Abs(d) > 4*math.Sqrt(1./12/n) {
		t.Errorf("mean decrease %v, want 0.5", fold[1].Mean)
	}
	if want := math.Sqrt(1. / 12 / n); math.Abs(fold[1].Error-want) > 0.05*want {
		t.Errorf("standard error %v, want about %v", fold[1].Error, want)
	}
	if fold[0] != (ensembles.Importance{}) {
		t.Errorf("an unused feature has %v", fold[0])
	}
}

func TestFold(t *testing.T) {
	// unit 0: mean 2, squared deviations 1 0 1, so an error of sqrt(2/3)/sqrt(3)
	got := ensembles.Fold([][]float64{{1, -1, 0}, nil, {2, -1, 0}, {3, -1, 0}})
	want := []ensembles.Importance{{Mean: 2, Error: math.Sqrt(2./3) / math.Sqrt(3), Z: 2 / (math.Sqrt(2./3) / math.Sqrt(3))}, {Mean: -1}, {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := ensembles.Fold([][]float64{nil, nil}); got != nil {
		t.Errorf("no member gives %v", got)
	}
}

// predictor predicts by walking the whole tree for every row.
func predictor(t *tree.Tree, truth *ensembles.Truth) ensembles.Predict {
	return func(dst []float64, columns []data.Column, rows []int32) error {
		w := truth.Width()
		value := make([]float64, w)
		for i, row := range rows {
			sum := dst[i*w : (i+1)*w]
			clear(sum)
			t.Over(columns).Visit(row, func(n int32, fraction float64, end bool) {
				if !end || t.Value(n) == nil {
					return
				}
				copy(value, t.Value(n))
				if t.Leaf.Kind == tree.Counts {
					tree.Probabilities(value, value)
				}
				for k, v := range value {
					sum[k] += fraction * v
				}
			})
		}
		return nil
	}
}

// labeller predicts a one for the class that the truth's decision chooses.
func labeller(t *tree.Tree, truth *ensembles.Truth) ensembles.Predict {
	probabilities := predictor(t, truth)
	return func(dst []float64, columns []data.Column, rows []int32) error {
		if err := probabilities(dst, columns, rows); err != nil {
			return err
		}
		for w := truth.Width(); len(dst) > 0; dst = dst[w:] {
			label := truth.Decision.Label(dst[:w])
			clear(dst[:w])
			dst[label] = 1
		}
		return nil
	}
}

// TestTreeAsFunction: walking only what has to be walked gives, to the last bit, what predicting
// everything gives, for trees of all kinds of nodes and missing rules.
func TestTreeAsFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		shape := treetest.Shape{Fields: schema.Fields, Splits: 6, Number: rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) })}
		truth := &ensembles.Truth{Task: data.Regression}
		const n = 12
		if rapid.Bool().Draw(t, "classes") {
			*truth = ensembles.Truth{Task: data.Multiclass, Classes: 3, Class: rapid.SliceOfN(rapid.Uint32Range(0, 2), n, n).Draw(t, "class")}
			shape.Kind, shape.Width = rapid.SampledFrom([]tree.LeafKind{tree.Counts, tree.Vector}).Draw(t, "leaves"), 3
			if rapid.Bool().Draw(t, "costs") {
				truth.Decision.Costs = data.Costs{{0, 1, 5}, {2, 0, 1}, {1, 7, 0}}
			}
		} else {
			truth.Y = rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "y")
			shape.Kind, shape.Width = tree.Scalar, 1
		}
		if rapid.Bool().Draw(t, "weighted") {
			truth.Weight = rapid.SliceOfN(rapid.Float64Range(0, 3), n, n).Draw(t, "weight")
		}
		frame := treetest.Frame(schema, n+3).Draw(t, "frame")
		rows := rapid.Permutation(rng.New(1).Perm(n+3)).Draw(t, "rows")[:n]
		slices.Sort(rows)
		var groups [][]int32
		for range rapid.IntRange(0, 2).Draw(t, "groups") {
			groups = append(groups, rapid.SliceOf(rapid.Int32Range(0, int32(len(schema.Fields)-1))).Draw(t, "group"))
		}
		p := ensembles.NewPermuter(truth, frame.Columns, rows, groups)
		if p.Units() != len(schema.Fields)+len(groups) {
			t.Fatalf("%d units", p.Units())
		}
		if rapid.Bool().Draw(t, "little memory") {
			p.KeepValues(rapid.IntRange(0, 4*n).Draw(t, "values"))
		}
		for range 2 {
			made := treetest.Tree(shape).Draw(t, "tree")
			out := rapid.Permutation(rng.New(1).Perm(n)).Draw(t, "out")[:rapid.IntRange(0, n).Draw(t, "size")]
			slices.Sort(out)
			got := p.Tree(made, out, streams)
			var used []int32
			if rapid.Bool().Draw(t, "used") {
				used = tested(made)
			}
			want, err := p.Member(predictor(made, truth), used, out, streams)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("tree and function (-function +tree):\n%s", diff)
			}
			// So does a function that returns which class is chosen, of which there is nothing left
			// to choose.
			if truth.Class != nil {
				undecided := *truth
				undecided.Decision = model.Decision{}
				labels := ensembles.NewPermuter(&undecided, frame.Columns, rows, groups)
				if want, err = labels.Member(labeller(made, truth), nil, out, streams); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("tree and labels (-labels +tree):\n%s", diff)
				}
			}
			for u, x := range got {
				if u < len(schema.Fields) && x != 0 && !slices.Contains(tested(made), int32(u)) {
					t.Fatalf("feature %d is not used and has %v", u, x)
				}
			}
		}
	})
}

// tested returns the features that a tree tests, surrogates included.
func tested(t *tree.Tree) []int32 {
	used := []int32{}
	for n := range int32(t.Len()) {
		used = append(used, t.Looks(n)...)
	}
	if t.Surrogates != nil {
		used = append(used, t.Surrogates.Feature...)
	}
	return used
}

func TestMemberFails(t *testing.T) {
	truth := &ensembles.Truth{Task: data.Regression, Y: []float64{1, 2}}
	p := ensembles.NewPermuter(truth, []data.Column{data.Numbers([]float64{3, 4})}, []int32{0, 1}, nil)
	wrong := errors.New("wrong")
	for at := range 2 {
		calls := 0
		_, err := p.Member(func([]float64, []data.Column, []int32) error {
			calls++
			if calls > at {
				return wrong
			}
			return nil
		}, nil, []int32{0, 1}, streams)
		if !errors.Is(err, wrong) || calls != at+1 {
			t.Errorf("call %d: error %v", calls, err)
		}
	}
	// A failed permutation leaves the columns as they were.
	got, err := p.Member(func(dst []float64, c []data.Column, rows []int32) error {
		for i, r := range rows {
			dst[i] = c[0].Number(int(r)) - 2
		}
		return nil
	}, []int32{}, []int32{0, 1}, streams)
	if err != nil || !slices.Equal(got, []float64{0}) {
		t.Errorf("%v, %v", got, err)
	}
}
