package metric_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/metric"
)

// TestOnRequestByScikitLearn: testdata/freeze_further.py wrote what scikit-learn computes.
func TestOnRequestByScikitLearn(t *testing.T) {
	cases := reference.Read[[]struct {
		Metric              string
		Want                float64
		Truth, Pred, Weight []float64
		Group               []int64
	}](t, "testdata/further.json")
	for _, c := range *cases {
		m, ok := metric.Lookup(c.Metric)
		if !ok {
			t.Fatalf("no metric %s", c.Metric)
		}
		s := &metric.Sample{Y: c.Truth, Pred: c.Pred, Width: 1, Weight: c.Weight, Group: c.Group}
		if m.Tasks[0] == data.Binary {
			s = &metric.Sample{Width: 2, Weight: c.Weight}
			for i, p := range c.Pred {
				s.Class, s.Pred = append(s.Class, uint32(c.Truth[i])), append(s.Pred, 1-p, p)
			}
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if got, err := m.Func(s); err != nil ||
			math.Abs(got-c.Want) > 1e-13*max(1, math.Abs(c.Want)) {
			t.Errorf("%s is %v (%v), want %v", c.Metric, got, err, c.Want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range metric.Names() {
		stem, number, family := strings.Cut(name, "@")
		if _, ok := metric.Lookup(name); !ok && !family {
			t.Errorf("%s is not found", name)
		}
		for text, good := range map[string]bool{"1.5": stem == "tweedie_deviance",
			"0.5": stem == "pinball", "7": stem == "ndcg" || stem == "map" || stem == "top_k_accuracy", "-1": false,
			"NaN": false, "x": false, "": false} {
			if m, ok := metric.Lookup(stem + "@" + text); family && number != "10" &&
				(ok != good || ok && m.Name != stem+"@"+text) {
				t.Errorf("%s@%s: found %v", stem, text, ok)
			}
		}
	}
	if !slices.Contains(metric.Names(), "ndcg@K") {
		t.Errorf("no family in %v", metric.Names())
	}
}

// Exact predictions are the best ones, by the table.
func TestBetterOfOnRequest(t *testing.T) {
	samples := map[data.Task][2]*metric.Sample{ // exact, not exact
		data.Binary: {{Class: []uint32{0, 1}, Pred: []float64{1, 0, 0, 1}, Width: 2},
			{Class: []uint32{0, 1}, Pred: []float64{0.4, 0.6, 0.7, 0.3}, Width: 2}},
		data.Multiclass: {{Class: []uint32{0, 1, 2, 2}, Pred: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1}, Width: 3},
			{Class: []uint32{0, 1, 2, 2}, Pred: []float64{0.1, 0.5, 0.4, 0.3, 0.5, 0.2, 0.6, 0.3, 0.1, 0.2, 0.2, 0.6}, Width: 3}},
		data.Regression: {{Y: []float64{1, 3}, Pred: []float64{1, 3}, Width: 1},
			{Y: []float64{1, 3}, Pred: []float64{2, 5}, Width: 1}},
		data.Ranking: {{Y: []float64{0, 2, 1}, Pred: []float64{0, 2, 1}, Group: make([]int64, 3),
			Width: 1}, {Y: []float64{0, 2, 1}, Pred: []float64{2, 1, 1}, Group: make([]int64, 3),
			Width: 1}},
		data.Survival: {{Y: []float64{1, 3}, Pred: []float64{1, 3}, Width: 1},
			{Y: []float64{1, 3}, Pred: []float64{4, 3}, Width: 1}},
	}
	all := metric.OnRequest()
	for _, name := range []string{"ndcg@10", "map@10", "mrr", "concordance", "ndcg@2", "map@1",
		"pinball@0.4", "roc_auc_ovr", "top_k_accuracy@2", "tweedie_deviance@1.5"} {
		m, _ := metric.Lookup(name)
		all = append(all, m)
	}
	for _, m := range all {
		pair := samples[m.Tasks[0]]
		exact, err1 := m.Func(pair[0])
		other, err2 := m.Func(pair[1])
		if err1 != nil || err2 != nil || exact == other || (exact > other) != m.Higher {
			t.Errorf("%s: %v for exact predictions, %v for others, higher is better: %v (%v, %v)",
				m.Name, exact, other, m.Higher, err1, err2)
		}
	}
}

func TestPlacesOfRelevantRows(t *testing.T) {
	s := &metric.Sample{
		Y:      []float64{0, 1, 0, 3, 0, 0, 1, 1, 1},
		Pred:   []float64{5, 4, 3, 2, 7, 7, 7, 1, 9},
		Group:  []int64{1, 1, 1, 1, 2, 2, 2, 2, 2},
		Weight: []float64{1, 1, 1, 1, 2, 2, 2, 2, 0}, // the last row is left out
		Width:  1,
	}
	tied := func(first, second, third float64) float64 { return (first + second + third) / 3 }
	for name, want := range map[string][2]float64{ // by expectation; as in XGBoost
		"mrr": {(1.0/2 + 2*tied(1, 1.0/2, 1.0/3)) / 3, (1.0/2 + 2*1.0/3) / 3},
		"map@9": {((1.0/2+2.0/4)/2 + 2*(tied(1, 1.0/2, 1.0/3)+2.0/4)/2) / 3,
			((1.0/2+2.0/4)/2 + 2*(1.0/3+2.0/4)/2) / 3},
		"map@3": {(1.0/2/2 + 2*tied(1, 1.0/2, 1.0/3)/2) / 3, (1.0/2/2 + 2*(1.0/3)/2) / 3},
		"map@1": {2 * tied(1, 0, 0) / 3, 0},
	} {
		m, _ := metric.Lookup(name)
		for i, compat := range []bool{false, true} {
			s.Compat = compat
			if got, err := m.Func(s); err != nil || math.Abs(got-want[i]) > 1e-15 {
				t.Errorf("%s is %v, %v, want %v", name, got, err, want[i])
			}
		}
	}
	none := &metric.Sample{Y: make([]float64, 3), Pred: make([]float64, 3), Group: make([]int64, 3),
		Width: 1, Compat: true}
	for _, name := range []string{"ndcg@3", "map@3", "mrr"} {
		m, _ := metric.Lookup(name)
		if v, err := m.Func(none); v != 1 || err != nil {
			t.Errorf("%s of a query without relevant rows is %v, %v as in XGBoost", name, v, err)
		}
	}
}

// concordanceOfPairs is the definition: all pairs of rows.
func concordanceOfPairs(s *metric.Sample, upper func(i int) float64) float64 {
	right, all := 0.0, 0.0
	for i := range s.Y {
		for j := range s.Y {
			end := upper(i)
			if !(end < s.Y[j] || end == s.Y[j] && upper(j) > s.Y[j]) {
				continue
			}
			w := s.Weight[i] * s.Weight[j]
			all += w
			x, y := s.Pred[i], s.Pred[j]
			if s.Risk {
				x, y = y, x
			}
			switch {
			case x < y:
				right += w
			case x == y:
				right += w / 2
			}
		}
	}
	return right / all
}

func TestConcordanceIsTheFractionOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &metric.Sample{Width: 1, Risk: rapid.Bool().Draw(t, "hazards")}
		intervals := rapid.Bool().Draw(t, "intervals")
		for range rapid.IntRange(1, 30).Draw(t, "rows") {
			y := float64(rapid.IntRange(0, 6).Draw(t, "time"))
			s.Y = append(s.Y, y)
			s.Pred = append(s.Pred, float64(rapid.IntRange(0, 6).Draw(t, "prediction")))
			s.Weight = append(s.Weight, float64(rapid.IntRange(0, 3).Draw(t, "weight")))
			if more := rapid.IntRange(0, 4).Draw(t, "more"); !intervals {
				s.Event = append(s.Event, uint8(more%2))
			} else if more == 4 {
				s.Upper = append(s.Upper, math.Inf(1))
			} else {
				s.Upper = append(s.Upper, y+float64(more))
			}
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		got, err := metric.Of("concordance", s)
		want := concordanceOfPairs(s, func(i int) float64 {
			switch {
			case intervals:
				return s.Upper[i]
			case s.Event[i] == 0:
				return math.Inf(1)
			}
			return s.Y[i]
		})
		if err == nil != !math.IsNaN(want) || err == nil && math.Abs(got-want) > 1e-12 {
			t.Fatalf("got %v (%v), want %v", got, err, want)
		}
	})
}

func TestUndefinedOnRequest(t *testing.T) {
	for name, c := range map[string]struct {
		s    metric.Sample
		want string
	}{
		"ndcg@10":              {metric.Sample{Y: []float64{1}, Pred: []float64{1}, Width: 1}, "ndcg@10 is undefined: it needs groups"},
		"ndcg@3":               {metric.Sample{Y: []float64{-1}, Pred: []float64{1}, Group: []int64{1}, Width: 1}, "ndcg@3 is undefined: it needs grades from 0 to 1000"},
		"concordance":          {metric.Sample{Y: []float64{1, 2}, Pred: []float64{1, 1}, Event: []uint8{0, 1}, Width: 1}, "concordance is undefined: of no two rows it is certain which had its event first"},
		"poisson_deviance":     {metric.Sample{Y: []float64{1}, Pred: []float64{0}, Width: 1}, "poisson_deviance is undefined: it needs predictions above 0"},
		"gamma_deviance":       {metric.Sample{Y: []float64{0}, Pred: []float64{1}, Width: 1}, "gamma_deviance is undefined: there are labels outside its domain"},
		"tweedie_deviance@1.5": {metric.Sample{Y: []float64{-1}, Pred: []float64{1}, Width: 1}, "tweedie_deviance is undefined: there are labels outside its domain"},
		"rmsle":                {metric.Sample{Y: []float64{1}, Pred: []float64{-1}, Width: 1}, "rmsle is undefined: it needs labels and predictions above -1"},
		"average_precision":    {metric.Sample{Class: []uint32{0}, Pred: []float64{1, 0}, Width: 2}, "average_precision is undefined: no row is of the positive class"},
	} {
		m, _ := metric.Lookup(name)
		v, err := m.Func(&c.s)
		if undefined := (*metric.Undefined)(nil); !errors.As(err, &undefined) ||
			err.Error() != c.want || v != 0 {
			t.Errorf("%s: %v, %v, want 0 and %s", name, v, err, c.want)
		}
	}
	for grade, good := range map[float64]bool{0: true, -0.5: false, 1000: true, 1000.5: false} {
		s := &metric.Sample{Y: []float64{1, grade}, Pred: []float64{2, 1}, Group: []int64{1, 1}, Width: 1}
		if v, err := metric.Of("ndcg@3", s); (err == nil) != good || good && !(v > 0 && v <= 1) {
			t.Errorf("grade %v: %v, %v", grade, v, err)
		}
	}
	for want, s := range map[string]metric.Sample{
		"2 groups for 1 rows":            {Y: []float64{1}, Pred: []float64{1}, Width: 1, Group: []int64{1, 2}},
		"2 events for 1 rows":            {Y: []float64{1}, Pred: []float64{1}, Width: 1, Event: []uint8{1, 1}},
		"row 1 has a time from 1 to 0":   {Y: []float64{1}, Pred: []float64{1}, Width: 1, Upper: []float64{0}},
		"row 1 has a time from 1 to NaN": {Y: []float64{1}, Pred: []float64{1}, Width: 1, Upper: []float64{math.NaN()}},
	} {
		if err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Metrics are defined up to the ends of the labels and predictions that they are for, and no
// further.
func TestEndsOfDomains(t *testing.T) {
	for _, c := range []struct {
		metric string
		y, x   float64
		want   float64 // NaN: undefined
	}{
		{"rmsle", -0.5, -0.5, 0}, {"rmsle", 0, -0.5, math.Ln2}, {"rmsle", -0.5, 0, math.Ln2}, {"rmsle", -1, 0, math.NaN()},
		{"rmsle", 0, -1, math.NaN()}, {"poisson_deviance", 0, 0.5, 1}, {"poisson_deviance", -0.5, 0.5, math.NaN()},
		{"poisson_deviance", 1, 0, math.NaN()}, {"gamma_deviance", 0.5, 0.5, 0}, {"gamma_deviance", 0, 0.5, math.NaN()},
		{"gamma_deviance", 1, 0, math.NaN()}, {"tweedie_deviance@1.5", 0, 0.25, 2}, {"tweedie_deviance@1.5", 1, 0, math.NaN()},
		{"mape", 0, 0x1p-52, 1}, {"mape", -0.5, 0.5, 2},
	} {
		got, err := metric.Of(c.metric, &metric.Sample{Y: []float64{c.y}, Pred: []float64{c.x}, Width: 1})
		if math.IsNaN(c.want) != (err != nil) || err == nil && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %v, predicted %v: %v, %v, want %v", c.metric, c.y, c.x, got, err, c.want)
		}
	}
}
