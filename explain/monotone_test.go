package explain_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// stairs grows a tree of split points by f at the corners of its boxes: at random a leaf is split
// at a whole number.
func stairs(t *rapid.T, features, splits int, f func(corner []float64) float64) *tree.Tree {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	type box struct {
		node int32
		low  []float64
	}
	leaves := []box{{0, slices.Repeat([]float64{-9}, features)}}
	for range splits {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		l := leaves[at]
		j := rapid.IntRange(0, features-1).Draw(t, "feature")
		splitPoint := float64(rapid.IntRange(-4, 4).Draw(t, "split point"))
		first := b.Split(l.node, tree.Split{Kind: tree.Numeric, Feature: int32(j),
			SplitPoint: splitPoint,
			Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst,
				tree.MissingLast}).Draw(t, "missing")})
		high := slices.Clone(l.low)
		high[j] = max(high[j], splitPoint)
		leaves[at] = box{first, l.low}
		leaves = append(leaves, box{first + 1, high})
	}
	for _, l := range leaves {
		b.SetValue(l.node, []float64{f(l.low)})
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// numeric is a regression by trees on columns a, b, c, ...
func numeric(features int, trees ...*tree.Tree) *model.Ensemble {
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression}, Trees: trees}
	for j := range features {
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: string(rune('a' + j))})
	}
	return m
}

// bounded grows a tree that rises with the first feature, falls with the second and does anything
// with the third, times sign: a split point by the first or the second divides the limits of the
// values below it (Config.Monotone of the engine does the same).
func bounded(t *rapid.T, splits int, sign float64) *tree.Tree {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	type leaf struct {
		node      int32
		low, high float64
	}
	leaves := []leaf{{0, -8, 8}}
	for range splits {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		l := leaves[at]
		j := rapid.IntRange(0, 2).Draw(t, "feature")
		first := b.Split(l.node, tree.Split{Kind: tree.Numeric, Feature: int32(j),
			SplitPoint: float64(rapid.IntRange(-4, 4).Draw(t, "split point")),
			Missing: rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast}).Draw(t,
				"missing")})
		mid := rapid.Float64Range(l.low, l.high).Draw(t, "mid")
		x, y := leaf{first, l.low, l.high}, leaf{first + 1, l.low, l.high}
		switch j {
		case 0:
			x.high, y.low = mid, mid
		case 1:
			x.low, y.high = mid, mid
		}
		leaves[at] = x
		leaves = append(leaves, y)
	}
	for _, l := range leaves {
		b.SetValue(l.node, []float64{sign * rapid.Float64Range(l.low, l.high).Draw(t, "value")})
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestMonotoneSteps: sums of trees that rise with the first column and fall with the second are
// proven to, whatever the third does, and trees that count negatively the other way round.
func TestMonotoneSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := numeric(3)
		for range rapid.IntRange(1, 4).Draw(t, "trees") {
			sign := rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
			m.Weights = append(m.Weights, sign*rapid.Float64Range(0.5, 2).Draw(t, "weight"))
			m.Trees = append(m.Trees, bounded(t, rapid.IntRange(0, 12).Draw(t, "splits"), sign))
		}
		for feature, rising := range []bool{true, false} {
			found, err := explain.Monotone(context.Background(), m, feature, rising)
			if err != nil || !found.Proven || found.Counter != nil || found.Tree != -1 {
				t.Fatalf("column %d: %+v, %v", feature, found, err)
			}
		}
	})
}

// TestMonotoneIsExact: of one tree of split points, monotony is proven where no two points of a
// grid with a point between any two split points, and missing values, deny it; else the
// counterexample is one.
func TestMonotoneIsExact(t *testing.T) {
	const features = 3
	grid := []float64{math.NaN()}
	for x := -4.5; x < 5; x++ {
		grid = append(grid, x)
	}
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.Map(rapid.IntRange(-1, 3), func(i int) float64 { return float64(i) })
		tr := stairs(t, features, rapid.IntRange(0, 7).Draw(t, "splits"),
			func(x []float64) float64 { return x[0] + level.Draw(t, "value") })
		m := numeric(features, tr)
		rising := rapid.Bool().Draw(t, "rising")
		found, err := explain.Monotone(context.Background(), m, 0, rising)
		if err != nil {
			t.Fatal(err)
		}
		at := func(row []float64) float64 { return valueAt(tr, row) }
		want := true
		for _, b := range grid {
			for _, c := range grid {
				for i := 2; i < len(grid); i++ {
					low, high := at([]float64{grid[i-1], b, c}), at([]float64{grid[i], b, c})
					want = want && low == high || want && (low < high) == rising
				}
			}
		}
		if found.Proven != want {
			t.Fatalf("proven %v, want %v", found.Proven, want)
		}
		checkCounter(t, found, m, 0)
		if !want && found.Counter == nil {
			t.Fatal("no counterexample")
		}
	})
}

// valueAt walks a tree of split points.
func valueAt(s *tree.Tree, row []float64) float64 {
	n := int32(0)
	for s.Kind(n) != tree.Leaf {
		next := s.NextNumeric(n, row[s.Feature(n)])
		if next < 0 {
			next = s.NextMissing(n)
		}
		n = next
	}
	return s.Value(n)[0]
}

// checkCounter checks that a counterexample is one.
func checkCounter(t *rapid.T, found *explain.Monotony, m *model.Ensemble, feature int) {
	c := found.Counter
	if c == nil {
		return
	}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw})
	if err != nil {
		t.Fatal(err)
	}
	low, high := make([]float64, p.Width()), make([]float64, p.Width())
	if p.PredictRow(low, c.Low) != nil || p.PredictRow(high, c.High) != nil || found.Proven ||
		found.Tree < 0 ||
		c.LowScore != low[c.Score] || c.HighScore != high[c.Score] ||
		(c.LowScore > c.HighScore) != found.Rising || c.LowScore == c.HighScore {
		t.Fatalf("no counterexample: %+v: %v and %v", c, low, high)
	}
	for f := range c.Low {
		if same := c.Low[f] == c.High[f] || math.IsNaN(c.Low[f]) &&
			math.IsNaN(c.High[f]); f == feature && !(c.Low[f] < c.High[f]) ||
			f != feature && !same {
			t.Fatalf("rows %v and %v differ otherwise than in column %d", c.Low, c.High, feature)
		}
	}
}

// TestMonotoneOfAnyTree: trees of every kind of node and every rule never have a proof that rows of
// a table deny.
func TestMonotoneOfAnyTree(t *testing.T) {
	proofs, counters := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression,
			Schema: treetest.Schema().Draw(t, "schema")}}
		fields := m.Meta.Schema.Fields
		feature := slices.IndexFunc(fields,
			func(f data.Field) bool { return f.Kind == data.Numeric })
		if feature < 0 {
			return
		}
		width := rapid.IntRange(1, 3).Draw(t, "outputs")
		shape := treetest.Shape{Fields: fields, Kind: tree.Vector, Width: width, Splits: 4}
		m.Trees = rapid.SliceOfN(treetest.Tree(shape), 1, 2).Draw(t, "trees")
		rising := rapid.Bool().Draw(t, "rising")
		found, err := explain.Monotone(context.Background(), m, feature, rising)
		if err != nil {
			t.Fatal(err)
		}
		checkCounter(t, found, m, feature)
		if found.Counter != nil {
			counters++
		}
		if !found.Proven {
			return
		}
		proofs++
		f := treetest.Frame(m.Meta.Schema, 6).Draw(t, "table")
		p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw})
		if err != nil {
			t.Fatal(err)
		}
		low, high := make([]float64, width), make([]float64, width)
		for r := range f.Rows() {
			row := rowOf(f, r)
			for _, x := range []float64{math.Inf(-1), -3, -1, 0, 0.5, 2, 3.5} {
				row[feature] = x
				a := p.PredictRow(low, row)
				row[feature] = x + 0.75
				if b := p.PredictRow(high, row); a != nil || b != nil {
					t.Fatal(a, b)
				}
				for k := range low {
					if rising && low[k] > high[k] || !rising && low[k] < high[k] {
						t.Fatalf("row %v: scores %v at %v, then %v", row, low, x, high)
					}
				}
			}
		}
	})
	if (proofs == 0 || counters == 0) && !testing.Short() { // a fifth need not have both
		t.Errorf("%d proofs, %d counterexamples", proofs, counters)
	}
}

// rowOf returns a row as PredictRow takes it.
func rowOf(f *data.Frame, r int) []float64 {
	row := make([]float64, len(f.Columns))
	for j, c := range f.Columns {
		switch {
		case c.Codes() == nil:
			row[j] = c.Number(r)
		case c.Code(r) == data.MissingCode:
			row[j] = math.NaN()
		case c.Code(r) == data.UnseenCode:
			row[j] = -1
		default:
			row[j] = float64(c.Code(r))
		}
	}
	return row
}

// step is a tree of one split point.
func step(t *testing.T, feature int32, splitPoint, low, high float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: feature, SplitPoint: splitPoint})
	b.SetValue(1, []float64{low})
	b.SetValue(2, []float64{high})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// A sum may rise although one of its trees falls: that is neither proven nor denied. A tree that
// falls farther than the others rise is a counterexample, near the split point.
func TestMonotoneSums(t *testing.T) {
	m := numeric(2, step(t, 0, 1, 0, 3), step(t, 0, 1, 0, -2))
	found, err := explain.Monotone(context.Background(), m, 0, true)
	if err != nil || found.Proven || found.Counter != nil || found.Tree != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	m = numeric(2, step(t, 0, 1, 0, 3), step(t, 0, 2.5, 0, -2))
	found, err = explain.Monotone(context.Background(), m, 0, true)
	if err != nil || found.Counter == nil || found.Counter.Low[0] != 2 ||
		found.Counter.High[0] != 3 || found.Counter.LowScore != 3 || found.Counter.HighScore != 1 {
		t.Errorf("%+v, %+v, %v", found, found.Counter, err)
	}
	m.Weights = []float64{1, 0}
	if found, err = explain.Monotone(context.Background(), m, 0, true); err != nil ||
		!found.Proven {
		t.Errorf("a tree of weight 0: %+v, %v", found, err)
	}
	m = numeric(2, step(t, 0, 1, 0, 3), step(t, 0, 1, 5, 1))
	m.Output = []int32{0, 1}
	if found, err = explain.Monotone(context.Background(), m, 0, true); err != nil ||
		found.Counter == nil || found.Counter.Score != 1 || found.Tree != 1 {
		t.Errorf("two outputs: %+v, %v", found, err)
	}
}

// Of classes that two fractions stand for, the second's counts.
func TestMonotoneClasses(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 1})
	b.SetValue(1, []float64{8, 2})
	b.SetValue(2, []float64{1, 1})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, rising := range []bool{true, false} {
		found, err := explain.Monotone(context.Background(), ensemble(built), 1, rising)
		if err != nil || found.Proven != rising {
			t.Errorf("rising %v: %+v, %v", rising, found, err)
		}
	}
}

func TestMonotoneRefuses(t *testing.T) {
	m := numeric(2, step(t, 0, 1, 0, 3))
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.SetLinear(0, 0, []tree.Term{{Feature: 0, Coef: 1}})
	sloped, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m.Meta.Schema.Fields[1].Kind = data.Categorical
	for feature, want := range map[int]string{-1: "feature -1 of 2", 2: "feature 2 of 2",
		1: `column "b" is categorical`} {
		if _, err := explain.Monotone(context.Background(), m, feature, true); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := explain.Monotone(context.Background(), numeric(1, sloped), 0, true); err == nil ||
		!strings.Contains(err.Error(), "equations") {
		t.Errorf("equations: %v", err)
	}
}

// Derived columns stay where a numeric column rises: splits on them separate leaves, as those on
// other columns do.
func TestMonotoneBesideDerivedColumns(t *testing.T) {
	for _, c := range []struct {
		low    float64
		proven bool
	}{{1, true}, {3, false}} {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 0.5})
		b.SetValue(1, []float64{9})
		at := b.Split(2, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 4})
		b.SetValue(at, []float64{c.low})
		b.SetValue(at+1, []float64{2})
		built, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m := &model.Ensemble{
			Meta: model.Spec{Task: data.Regression,
				Schema: data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical,
					Levels: []string{"p", "q"}}, {Name: "x"}}}},
			Inputs: input.Set{
				Tables:  []input.Table{{Source: []int32{0}, Key: []uint64{1}, Count: []float64{1}}},
				Columns: []input.Column{{Kind: input.Count}},
			},
			Trees: []*tree.Tree{built},
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		found, err := explain.Monotone(context.Background(), m, 1, true)
		if err != nil || found.Proven != c.proven {
			t.Errorf("value %v below 4, 2 above: %+v, %v", c.low, found, err)
		}
	}
}

// A number that a derived column is made of is refused: the column does not rise with it.
func TestMonotoneOfDerivedNumbers(t *testing.T) {
	_, err := explain.Monotone(context.Background(), codectest.Nonzero(), 1, true)
	if err == nil || !strings.Contains(err.Error(), "derived column nonzero(x)") {
		t.Errorf("error %v", err)
	}
	if found, err := explain.Monotone(context.Background(), codectest.Nonzero(), 0, true); err != nil || !found.Proven {
		t.Errorf("of another column: %+v, %v", found, err)
	}
}
