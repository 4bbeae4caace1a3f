package metric_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/metric"
)

// TestNDCGOfGroups compares NDCG with its definition, for groups whose rows stand anywhere, with
// ties, rows of weight 0 and grades of fractions. It does not depend on the number of workers.
func TestNDCGOfGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 150).Draw(t, "rows")
		groups := rapid.IntRange(1, 40).Draw(t, "groups")
		k := rapid.SampledFrom([]int{1, 3, 10, 40, 1000}).Draw(t, "places")
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
		sum, weight := 0.0, 0.0
		for group, rows := range members {
			w := total[group] / float64(len(rows))
			sum += w * definedNDCG(s, rows, k)
			weight += w
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

// definedNDCG is the NDCG of the rows of a group: a row gets the mean gain of those of its score.
func definedNDCG(s *metric.Sample, rows []int, k int) float64 {
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
		return sum(s.Pred) / best
	}
	return 1
}
