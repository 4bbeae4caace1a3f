package metric_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
)

// TestNDCGOfGroups compares NDCG with its definition, for groups whose rows stand anywhere, with
// ties, rows of weight 0 and grades of fractions. It does not depend on the number of workers.
func TestNDCGOfGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 150), rapid.IntRange(60, 150)).Draw(t, "rows")
		groups := rapid.SampledFrom([]int{1, 2, 8, 40}).Draw(t, "groups") // some have more rows than places
		k := rapid.SampledFrom([]int{1, 3, 10, 32, 33, 40, 1000}).Draw(t, "places")
		s := &metric.Sample{Width: 1}
		members, total := map[int64][]int{}, map[int64]float64{}
		for i := range n {
			group := rapid.Int64Range(1, int64(groups)).Draw(t, "group")
			s.Group = append(s.Group, group)
			s.Y = append(s.Y, float64(rapid.IntRange(0, 8).Draw(t, "grade"))/2)
			s.Pred = append(s.Pred, float64(rapid.IntRange(0, 60).Draw(t, "score"))/7)
			s.Weight = append(s.Weight, float64(rapid.IntRange(0, 2).Draw(t, "weight")))
			if s.Weight[i] > 0 {
				members[group] = append(members[group], i)
				total[group] += s.Weight[i]
			}
		}
		s.Compat = rapid.Bool().Draw(t, "as XGBoost")
		sum, weight := 0.0, 0.0
		for group, rows := range members {
			w := total[group] / float64(len(rows))
			v, counts := definedNDCG(s, rows, k)
			if !counts && s.Compat {
				v, counts = 1, true
			}
			if counts {
				sum += w * v
				weight += w
			}
		}
		if weight == 0 {
			return
		}
		evaluate, _ := metric.Lookup(fmt.Sprintf("ndcg@%d", k))
		got, err := evaluate.Func(s)
		if err != nil || math.Abs(got-sum/weight) > 1e-12 {
			t.Fatalf("%v, %v, want %v", got, err, sum/weight)
		}
		s.Workers = 3
		if again, _ := evaluate.Func(s); again != got {
			t.Fatalf("%v of three workers, %v of one", again, got)
		}
	})
}

// definedNDCG is the NDCG of the rows of a group, and whether one is relevant: a row gets the mean
// gain of those of its score.
func definedNDCG(s *metric.Sample, rows []int, k int) (value float64, counts bool) {
	sum := func(score []float64) float64 {
		order := slices.Clone(rows)
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		dcg := 0.0
		for place, row := range order[:min(k, len(order))] {
			gain, n := 0.0, 0.0
			for _, other := range rows {
				if score[other] == score[row] {
					gain += math.Exp2(s.Y[other]) - 1
					n++
				}
			}
			dcg += gain / n / math.Log2(float64(place+2))
		}
		return dcg
	}
	if best := sum(s.Y); best > 0 {
		return sum(s.Pred) / best, true
	}
	return 0, false
}

// ofOrder returns a metric of rankings of the first k places of a group in a given order, by its
// definition: stem names the metric.
func ofOrder(t rapid.TB, stem string, grade []float64, k int) float64 {
	relevant, sum := 0, 0.0
	for i, g := range grade {
		switch {
		case (stem == "ndcg" || stem == "gains") && i < k:
			sum += (math.Exp2(g) - 1) / math.Log2(float64(i+2))
		case stem == "map" && g > 0 && i < k:
			sum += float64(relevant+1) / float64(i+1)
		case stem == "mrr" && g > 0:
			return 1 / float64(i+1)
		}
		if g > 0 {
			relevant++
		}
	}
	switch stem {
	case "ndcg":
		best := slices.Clone(grade)
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		return sum / ofOrder(t, "gains", best, k)
	case "gains":
		return sum
	case "map":
		return sum / float64(min(relevant, k))
	}
	t.Fatalf("no definition of %s", stem)
	return 0
}

// eachOrder calls a function for all orders of rows, from the highest score to the lowest.
func eachOrder(rows []int, score []float64, f func(order []int)) {
	var order []int
	used := make([]bool, len(rows))
	var next func()
	next = func() {
		if len(order) == len(rows) {
			f(order)
			return
		}
		best := math.Inf(-1)
		for i, row := range rows {
			if !used[i] {
				best = max(best, score[row])
			}
		}
		for i, row := range rows {
			if !used[i] && score[row] == best {
				used[i], order = true, append(order, row)
				next()
				used[i], order = false, order[:len(order)-1]
			}
		}
	}
	next()
}

// rankingMetrics are those of the table and of families, with some numbers of places.
func rankingMetrics(t testing.TB) map[string][]int {
	all := map[string][]int{}
	for _, m := range metric.ForTask(data.Ranking) {
		stem, text, _ := strings.Cut(m.Name, "@")
		k, _ := strconv.Atoi(text)
		all[stem] = append(all[stem], k)
	}
	for _, name := range metric.Names() {
		stem, number, _ := strings.Cut(name, "@")
		if m, _ := metric.Lookup(stem + "@2"); number == "K" && m.Fits(data.Ranking) {
			all[stem] = append(all[stem], 1, 2, 3, 4, 100)
		}
	}
	return all
}

// TestTiesByExpectation holds all metrics of rankings against their definition: the mean over the
// groups with a relevant row of the mean over all orders of rows of equal predictions. Rows in
// memory, in blocks and of several workers have the same value, and the same groups count.
func TestTiesByExpectation(t *testing.T) {
	all := rankingMetrics(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "rows")
		s := &metric.Sample{Width: 1}
		members := map[int64][]int{}
		relevant := map[int64]bool{}
		for i := range n {
			group := rapid.Int64Range(1, 3).Draw(t, "group")
			s.Group = append(s.Group, group)
			s.Y = append(s.Y, float64(max(0, rapid.IntRange(-3, 3).Draw(t, "grade"))))
			s.Pred = append(s.Pred, float64(rapid.IntRange(0, 2).Draw(t, "score")))
			if len(members[group]) == 6 {
				s.Group[i] = int64(10 + i)
			}
			group = s.Group[i]
			members[group] = append(members[group], i)
			relevant[group] = relevant[group] || s.Y[i] > 0
		}
		for stem, places := range all {
			for _, k := range places {
				name := stem
				if k > 0 {
					name = fmt.Sprintf("%s@%d", stem, k)
				}
				sum, groups := 0.0, 0
				for group, rows := range members {
					if !relevant[group] {
						continue
					}
					mean, orders := 0.0, 0
					eachOrder(rows, s.Pred, func(order []int) {
						grade := make([]float64, len(order))
						for i, row := range order {
							grade[i] = s.Y[row]
						}
						mean += ofOrder(t, stem, grade, k)
						orders++
					})
					sum += mean / float64(orders)
					groups++
				}
				m, ok := metric.Lookup(name)
				if !ok {
					t.Fatalf("no metric %s", name)
				}
				got, err := m.Func(s)
				if groups == 0 {
					want := name + " is undefined: no query has a row of a grade above 0"
					if err == nil || err.Error() != want {
						t.Fatalf("%v, %v, want %s", got, err, want)
					}
					continue
				}
				if err != nil || math.Abs(got-sum/float64(groups)) > 1e-12 {
					t.Fatalf("%s is %v, %v, want %v", name, got, err, sum/float64(groups))
				}
			}
		}
		counted := 0
		for _, is := range relevant {
			if is {
				counted++
			}
		}
		stream := metric.NewStream(data.Ranking, n, metric.Storage{Bytes: 1, Folder: ""})
		defer stream.Close()
		whole, _ := metric.StreamOf(data.Ranking, s)
		for i := range n {
			block := &metric.Sample{Width: 1, Y: s.Y[i : i+1], Pred: s.Pred[i : i+1],
				Group: s.Group[i : i+1]}
			if err := stream.Add(block); err != nil {
				t.Fatal(err)
			}
		}
		want := metric.Queries{Counted: counted, All: len(members)}
		if got := metric.CountQueries(s); got != want {
			t.Fatalf("%+v are counted, want %+v", got, want)
		}
		for _, one := range []*metric.Stream{stream, whole} {
			if _, _, err := one.Values(); err != nil || *one.Queries() != want {
				t.Fatalf("%+v, %v, want %+v", one.Queries(), err, want)
			}
		}
	})
}

// As in XGBoost, rows of equal scores have the worst of their orders: that of rising grades.
// Queries without a relevant row count as 1.
func TestWorstOrderOfTies(t *testing.T) {
	s := rng.New(3)
	for range 300 {
		tied, apart := &metric.Sample{Width: 1, Compat: true}, &metric.Sample{Width: 1, Compat: true}
		for i := range 2 + s.Intn(12) {
			grade, score := float64(s.Intn(3)), float64(s.Intn(4))
			for _, of := range []*metric.Sample{tied, apart} {
				of.Y, of.Group = append(of.Y, grade), append(of.Group, int64(i/6))
			}
			tied.Pred, apart.Pred = append(tied.Pred, score), append(apart.Pred, score-grade/8)
		}
		for _, name := range []string{"map@1", "map@3", "map@10", "mrr"} {
			got, err := metric.Of(name, tied)
			want, other := metric.Of(name, apart)
			if err != nil || other != nil || math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s of %+v: %v, %v, want %v, %v", name, tied, got, err, want, other)
			}
		}
	}
}
