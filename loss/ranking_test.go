package loss_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// ndcg evaluates grades in an order, by the gain of a grade.
func ndcg(gain func(y float64) float64) func(grades []float64) float64 {
	sum := func(grades []float64) float64 {
		s := 0.0
		for i, y := range grades {
			s += gain(y) / math.Log2(float64(i+2))
		}
		return s
	}
	return func(grades []float64) float64 {
		best := slices.Sorted(slices.Values(grades))
		slices.Reverse(best)
		return sum(grades) / sum(best)
	}
}

// meanPrecision evaluates grades in an order: those above 0 are relevant.
func meanPrecision(grades []float64) float64 {
	hits, sum := 0.0, 0.0
	for i, y := range grades {
		if y > 0 {
			hits++
			sum += hits / float64(i+1)
		}
	}
	return sum / hits
}

// TestPairsCountWhatTheySwap: the loss is the sum over pairs of what exchanging them does to the
// metric, groups may stand in any order, and scores in descending order of grades are least.
func TestPairsCountWhatTheySwap(t *testing.T) {
	gains := map[string]func(float64) float64{"linear": func(y float64) float64 { return y },
		"exponential": func(y float64) float64 { return math.Exp2(y) - 1 }}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ndcg", "map", "pairwise"}).Draw(t, "metric")
		gain := rapid.SampledFrom([]string{"exponential", "linear"}).Draw(t, "gain")
		sigmoid := rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(t, "sigmoid")
		metrics := map[string]func([]float64) float64{"ndcg": ndcg(gains[gain]), "map": meanPrecision}
		n := rapid.IntRange(2, 24).Draw(t, "rows")
		target := &data.Target{Task: data.Ranking, Y: [][]float64{make([]float64, n)}}
		raw, members := make([]float64, n), map[int64][]int{}
		for i := range n {
			target.Y[0][i] = float64(rapid.IntRange(0, 4).Draw(t, "grade"))
			raw[i] = float64(rapid.IntRange(-6, 6).Draw(t, "score")) / 2 // many are equal
			group := int64(rapid.IntRange(0, 3).Draw(t, "group"))
			target.Group = append(target.Group, group)
			members[group] = append(members[group], i)
		}
		l := losstest.New("lambdamart", "metric="+name, "truncation=0", "gain="+gain,
			fmt.Sprint("sigmoid=", sigmoid))
		o, err := l.Bind(target, data.AllRows(n))
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, rows := range members {
			slices.SortStableFunc(rows, func(a, b int) int { return int(2 * (raw[b] - raw[a])) })
			want += pairSum(rows, target.Y[0], raw, name, sigmoid, metrics[name])
		}
		want /= float64(n)
		if got := o.Value(raw, 1); math.Abs(got-want) > 1e-12*max(1, want) {
			t.Fatalf("loss %v, want %v", got, want)
		}
	})
}

// pairSum is the loss of one query, whose rows are in order, by exchanging each pair.
func pairSum(rows []int, y, raw []float64, name string, sigmoid float64,
	metric func([]float64) float64) float64 {
	var grades []float64
	for _, r := range rows {
		grades = append(grades, y[r])
	}
	sum := 0.0
	for a := range rows {
		for b := a + 1; b < len(rows); b++ {
			if grades[a] == grades[b] || name == "map" && (grades[a] > 0) == (grades[b] > 0) {
				continue
			}
			count := 1.0
			if metric != nil {
				swapped := slices.Clone(grades)
				swapped[a], swapped[b] = grades[b], grades[a]
				count = math.Abs(metric(swapped) - metric(grades))
			}
			d := raw[rows[b]] - raw[rows[a]]
			if grades[a] < grades[b] {
				d = -d
			}
			sum += count * math.Log1p(math.Exp(sigmoid*d))
		}
	}
	return sum
}

// TestLambdasOfFarScores: where the odds of scores underflow, derivatives keep their digits.
func TestLambdasOfFarScores(t *testing.T) {
	target := &data.Target{Y: [][]float64{{0, 1, 2}}, Group: []int64{5, 5, 5}}
	l := losstest.New("lambdamart", "metric=pairwise", "truncation=0")
	o, err := l.Bind(target, data.AllRows(3))
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, 3), make([]float64, 3)
	o.Gradients(g, h, []float64{-1000, -1001, 0}, 1)
	p := 1 / (1 + math.Exp(-1))
	for i, want := range []float64{p, -p, 0} {
		if math.Abs(g[i]-want) > 1e-15 {
			t.Errorf("g = %v", g)
		}
	}
}

// TestCrossEntropyOfRanks against the definition.
func TestCrossEntropyOfRanks(t *testing.T) {
	target := &data.Target{Y: [][]float64{{0, 3, 1, 0}}, Group: []int64{1, 2, 1, 2},
		Weight: []float64{2, 1, 2, 1}}
	l := losstest.New("xe_ndcg", "gamma=0.5")
	o, err := l.Bind(target, data.AllRows(4))
	if err != nil {
		t.Fatal(err)
	}
	first := -(0.5*math.Log(1/(1+math.E)) + 1.5*math.Log(math.E/(1+math.E))) / 2
	second := -(7.5*math.Log(0.25) + 0.5*math.Log(0.75)) / 8
	if got, want := o.Value([]float64{4, 0, 5, math.Log(3)}, 1),
		(2*first+second)/6; math.Abs(got-want) > 1e-15 {
		t.Errorf("loss %v, want %v", got, want)
	}
}
