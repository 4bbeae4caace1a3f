package eval

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// Learners are in the order of their means. Those behind the best are so by the mean of differences
// in its favour, ranks are mean places among the learners, and those without the metric come last.
func TestComparisonRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		learners, n := rapid.IntRange(2, 4).Draw(t, "learners"), rapid.IntRange(1, 4).Draw(t, "tests")
		c := Comparison{Metric: "accuracy", Higher: true, Task: data.Binary}
		if rapid.Bool().Draw(t, "lower") {
			c = Comparison{Metric: "error", Task: data.Binary}
		}
		to := &tester{number: n, ratio: float64(n) * 0.25, tests: make([]tests, learners)}
		var entrants []Entrant
		values := map[string][]float64{} // of those that have the metric
		var without []string
		for k := range to.tests {
			name := fmt.Sprint("learner ", k)
			entrants = append(entrants, Entrant{Name: name})
			seconds := time.Duration(k+1) * time.Second
			to.tests[k].train, to.tests[k].predict = seconds, 2*seconds
			missing := rapid.IntRange(-6, n-1).Draw(t, "without the metric")
			for test := range n {
				v := float64(rapid.IntRange(0, 4).Draw(t, "value")) / 4
				if test == missing {
					v = math.NaN()
				}
				values[name] = append(values[name], v)
				to.tests[k].reports = append(to.tests[k].reports, Report{Metrics: Metrics{{Name: c.Metric, Value: v}}})
			}
			if missing >= 0 {
				delete(values, name)
				without = append(without, name)
			}
		}
		c.rank(entrants, to)
		mean := func(v []float64) (m float64) {
			for _, x := range v {
				m += x / float64(len(v))
			}
			return m
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
		worse := func(a, b float64) float64 { // how much worse a is
			if c.Higher {
				return b - a
			}
			return a - b
		}
		var last []string
		for i, got := range c.Learners {
			var number int
			if _, err := fmt.Sscanf(got.Name, "learner %d", &number); err != nil {
				t.Fatal(err)
			}
			if s := float64(number+1) / float64(n); !near(got.TrainSeconds, s) || !near(got.PredictSeconds, 2*s) {
				t.Errorf("%s takes %v s and %v s, want %v and %v", got.Name, got.TrainSeconds, got.PredictSeconds, s, 2*s)
			}
			own, has := values[got.Name]
			if !has {
				last = append(last, got.Name)
				if got.Tests != nil || got.Value != nil || got.Rank != nil || got.Behind != nil {
					t.Errorf("without the metric: %+v", got)
				}
				continue
			}
			if len(last) > 0 || !slices.Equal(got.Tests, own) || !near(got.Value.Mean, mean(own)) {
				t.Fatalf("%+v, want %v, and those without the metric last: %v", got, own, last)
			}
			if half := got.Value.High - got.Value.Mean; got.Value.Low < 0 || c.Higher && got.Value.High > 1 || half < 0 {
				t.Errorf("interval %+v", got.Value)
			}
			place := 0.0
			for test := range n {
				better, same := 0.0, 0.0
				for _, other := range values {
					if w := worse(own[test], other[test]); w > 0 {
						better++
					} else if w == 0 {
						same++
					}
				}
				place += (better + (same+1)/2) / float64(n)
			}
			if !near(*got.Rank, place) {
				t.Errorf("%s has the rank %v, want %v", got.Name, *got.Rank, place)
			}
			best := c.Learners[0]
			if i == 0 {
				if got.Behind != nil {
					t.Errorf("the best is behind: %+v", got.Behind)
				}
				continue
			}
			if w := worse(got.Value.Mean, c.Learners[i-1].Value.Mean); w < -1e-12 {
				t.Errorf("%s is better than the one before", got.Name)
			}
			var behind []float64
			for test := range n {
				behind = append(behind, worse(own[test], best.Tests[test]))
			}
			want := correct(behind, 0.25)
			if b := got.Behind; !near(b.Mean, want.Mean) || !near(b.Low, want.Low) || !near(b.High, want.High) || !near(b.P, want.P) {
				t.Errorf("%s is behind by %+v, want %+v", got.Name, b, want)
			}
		}
		if !slices.Equal(last, without) || len(c.Learners) != learners {
			t.Errorf("without the metric are %v, want %v", last, without)
		}
	})
}
