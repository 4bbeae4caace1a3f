package adaboost

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
)

// TestTenPoints holds the textbook's example of ten points to every number that is printed: three
// stumps suffice. Those of the textbook have the least weighted error; those by Gini have the same
// errors, but other splits among equally good ones.
func TestTenPoints(t *testing.T) {
	ds := table(t, "lectures/adaboost_ten_points.csv", "y", []string{"x1", "x2"}, 1)
	l := stumps("discrete", 3)
	_, gini := fit(t, l, ds, learn.Job{})
	if err := l.Params().Set([]string{"base.criterion=misclassification"}); err != nil {
		t.Fatal(err)
	}
	m, s := fit(t, l, ds, learn.Job{})
	near(t, "errors by Gini", gini.Error, s.Error)
	gamma, edges := 0.0, []float64{0.4, 0.571, 0.727}
	for i, want := range []struct{ error, alpha float64 }{{0.3, 0.424}, {0.2143, 0.650},
		{0.1364, 0.923}} {
		if math.Abs(s.Error[i]-want.error) > 5e-5 || math.Abs(s.Weight[i]-want.alpha) > 6e-4 ||
			math.Abs(1-2*s.Error[i]-edges[i]) > 5e-4 {
			t.Errorf("round %d: error %g, weight %g, want %+v", i+1, s.Error[i], s.Weight[i], want)
		}
		gamma += (0.5 - s.Error[i]) * (0.5 - s.Error[i])
	}
	if !reflect.DeepEqual(s.Training, []float64{s.Training[0], s.Training[1], 0}) ||
		math.Abs(s.Training[0]-0.3) > 1e-15 {
		t.Errorf("training errors %v", s.Training)
	}
	if math.Abs(s.EdgeBound[2]-math.Exp(-2*gamma)) > 1e-12 || s.Bound[2] > s.EdgeBound[2] {
		t.Errorf("bounds %v and %v", s.Bound, s.EdgeBound)
	}
	e := m.(*model.Ensemble)
	for i, want := range []struct {
		feature    int32
		splitPoint float64
	}{{0, 2.5}, {0, 8.5}, {1, 4.5}} {
		if n := &e.Trees[i].Nodes[0]; n.Feature() != want.feature ||
			n.SplitPoint() != want.splitPoint {
			t.Errorf("stump %d splits column %d at %g, want %+v", i, n.Feature(), n.SplitPoint(),
				want)
		}
	}
	if len(s.RowWeights) != 3 || math.Abs(s.RowWeights[1][4]-1.0/6) > 1e-12 ||
		math.Abs(s.RowWeights[1][0]-1.0/14) > 1e-12 {
		t.Errorf("weights %v", s.RowWeights)
	}
}

// TestRules: what ends the training, and what is left then.
func TestRules(t *testing.T) {
	x := [][]float64{{1}, {2}, {3}, {4}}
	for _, c := range []struct {
		name, variant string
		class         []uint32
		y             []float64
		rounds        int
		stopped       string
		labels        []float64
	}{
		{"no error", "discrete", []uint32{0, 0, 1, 1}, nil, 1, stopPerfect, []float64{0, 0, 1, 1}},
		{"no error of SAMME", "samme", []uint32{0, 0, 1, 1}, nil, 1, stopPerfect,
			[]float64{0, 0, 1, 1}},
		{"no error of probabilities", "real", []uint32{0, 0, 1, 1}, nil, 1, stopPerfect,
			[]float64{0, 0, 1, 1}},
		{"chance", "discrete", []uint32{0, 1, 0, 1}, nil, 3, stopChance, nil},
		{"no error of regression", "r2", nil, []float64{1, 1, 5, 5}, 1, stopPerfect,
			[]float64{1, 1, 5, 5}},
	} {
		frame, err := data.FromRows(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.name == "chance" { // a column without information
			if frame, err = data.FromRows([][]float64{{1}, {1}, {1}, {1}}, nil); err != nil {
				t.Fatal(err)
			}
			c.rounds = 1
		}
		ds := &data.Dataset{Frame: frame, Target: data.Target{Name: "y", Task: data.Binary,
			Classes: []string{"a", "b"}, Class: c.class}}
		if c.y != nil {
			ds.Target = data.Target{Name: "y", Task: data.Regression, Y: [][]float64{c.y}}
		}
		m, s := fit(t, stumps(c.variant, 20), ds, learn.Job{})
		if s.Rounds != c.rounds || s.Stopped != c.stopped || len(s.Error) != s.Rounds {
			t.Errorf("%s: %d rounds, stopped because %q", c.name, s.Rounds, s.Stopped)
		}
		if got, _ := predict(t, m, frame, model.Options{Output: model.Label}); c.labels != nil &&
			!reflect.DeepEqual(got, c.labels) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// plain is cart as a learner that ignores weights.
type plain struct{ *cart.Learner }

func (p plain) Capabilities() learn.Capabilities {
	c := p.Learner.Capabilities()
	c.Unweighted = true
	return c
}

// TestResample: a base that ignores weights is trained on sampled rows, others are by parameter.
func TestResample(t *testing.T) {
	ds := table(t, "spambase/spambase.csv", "spam",
		[]string{"char_freq_!", "word_freq_remove", "capital_run_length_average"}, 20)
	base := cart.New()
	base.Depth, base.Prune = 1, "none"
	for _, way := range []Resample{ResampleAuto, ResampleTrue, ResampleFalse} {
		l := stumps("discrete", 10)
		l.Resample = way
		l.Base = learn.Choice{Name: "mine", Learner: plain{base}}
		m, s := fit(t, l, ds, learn.Job{Seed: 4})
		if s.Resampled != (way != ResampleFalse) || s.Base != "mine" {
			t.Errorf("resample=%s: %+v", way, s)
		}
		again, _ := fit(t, l, ds, learn.Job{Seed: 4, Workers: 1})
		if !reflect.DeepEqual(m, again) {
			t.Errorf("resample=%s: two fits differ", way)
		}
		other, _ := fit(t, l, ds, learn.Job{Seed: 5})
		if reflect.DeepEqual(m, other) != (way == ResampleFalse) {
			t.Errorf("resample=%s: the seed matters", way)
		}
		if last := s.Training[s.Rounds-1]; !(last < 0.2) {
			t.Errorf("resample=%s: training error %g", way, last)
		}
	}
}

// TestSampled: rows are sampled in proportion to their weights, those without weight never.
func TestSampled(t *testing.T) {
	ds := table(t, "iris/iris.csv", "species", []string{"petal_length"}, 1)
	prepared, err := stumps("samme", 1).Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	j, _, err := prepared.(*fitter).begin(&ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, 150)
	weight[3], weight[100] = 0.25, 0.75
	counts := map[int32]int{}
	for n := range 20 {
		for _, r := range j.sampleRows(weight, n, 0) {
			counts[r]++
		}
	}
	if len(counts) != 2 || math.Abs(float64(counts[100])-2250) > 120 {
		t.Errorf("sampled %v", counts)
	}
}

// TestMembersOfAnyKind: members that are no single trees make a committee, with the same summary.
func TestMembersOfAnyKind(t *testing.T) {
	ds := table(t, "iris/iris.csv", "species", []string{"sepal_length", "sepal_width"}, 1)
	for _, variant := range []string{"samme", "real"} {
		l := stumps(variant, 4)
		base := New(nil) // boosting of boosting
		base.Base.Learner, base.Rounds, base.Variant = stumps("samme", 3).Base.Learner, 3, l.Variant
		l.Base = learn.Choice{Name: Name, Learner: base}
		m, s := fit(t, l, ds, learn.Job{})
		c, ok := m.(*committee.Committee)
		if !ok || len(c.Members) != s.Rounds || s.Rounds < 2 || s.Importances != nil {
			t.Fatalf("%s: a %T of %d rounds", variant, m, s.Rounds)
		}
		labels, _ := predict(t, m, ds.Frame, model.Options{Output: model.Label})
		wrong := 0.0
		for i, label := range labels {
			if uint32(label) != ds.Target.Class[i] {
				wrong += 1.0 / 150
			}
		}
		if math.Abs(wrong-s.Training[s.Rounds-1]) > 1e-9 {
			t.Errorf("%s: training error %g, by the summary %v", variant, wrong, s.Training)
		}
	}
}

// TestChance: a base that finds nothing, or next to nothing by rounding, is trained once. Its
// member is the model, since a model has a member.
func TestChance(t *testing.T) {
	for _, columns := range [][]data.NamedColumn{
		{{Name: "x", Values: make([]float64, 20)}},
		// of an exclusive or
		{{Name: "x", Values: slices.Repeat([]float64{0, 0, 1, 1}, 5)},
			{Name: "z", Values: slices.Repeat([]float64{0, 1, 0, 1}, 5)}},
	} {
		frame, err := data.FromColumns(columns...)
		if err != nil {
			t.Fatal(err)
		}
		ds := &data.Dataset{Frame: frame, Target: data.Target{Name: "y", Task: data.Binary,
			Classes: []string{"a", "b"}, Class: slices.Repeat([]uint32{0, 1, 1, 0}, 5)}}
		for _, variant := range []string{"discrete", "samme"} {
			if _, s := fit(t, stumps(variant, 50), ds, learn.Job{}); s.Rounds != 1 ||
				s.Stopped != stopChance {
				t.Errorf("%s of %d columns: %d rounds, stopped by %q", variant, len(columns),
					s.Rounds, s.Stopped)
			}
		}
		logits := NewLogitBoost(stumps("auto", 3).Base.Resolve)
		if err := logits.Params().Set([]string{"base=cart"}); err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Learner{stumps("real", 50), stumps("gentle", 50), logits} {
			if _, s := fit(t, l, ds, learn.Job{}); s.Rounds != 1 || s.Stopped != stopSilent {
				t.Errorf("%s of %d columns: %d rounds, stopped by %q", s.Variant, len(columns),
					s.Rounds, s.Stopped)
			}
		}
	}
}

// TestLargeLearningRate: votes so large that weights are not finite any more end the training. The
// summary stays finite, as JSON requires.
func TestLargeLearningRate(t *testing.T) {
	for _, classes := range []int{2, 3} {
		r := rng.New(5)
		x, class := make([][]float64, 40), make([]uint32, 40)
		for i := range x {
			x[i] = []float64{r.Float64(), r.Float64()}
			class[i] = uint32(min(classes-1,
				int(float64(float64(classes)*(x[i][0]+float64(0.4*r.Float64()))))))
		}
		frame, err := data.FromRows(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		ds := &data.Dataset{Frame: frame, Target: data.Target{Name: "y", Task: data.Multiclass,
			Classes: []string{"a", "b", "c"}[:classes], Class: class}}
		for _, variant := range []string{"discrete", "samme", "real", "gentle"} {
			l := stumps(variant, 200)
			l.LearningRate = 10
			m, s := fit(t, l, ds, learn.Job{})
			if votes := variant == "discrete" ||
				variant == "samme"; s.Stopped == stopBeyond != votes && classes == 2 {
				t.Errorf("%s of %d classes ended after %d rounds: %q", variant, classes, s.Rounds,
					s.Stopped)
			}
			if n := len(s.Bound); n > 0 && n != s.Rounds {
				t.Errorf("%s of %d classes: %d bounds of %d rounds", variant, classes, n, s.Rounds)
			}
			probabilities, _ := predict(t, m, ds.Frame, model.Options{})
			for _, p := range probabilities {
				if !(p >= 0 && p <= 1) {
					t.Fatalf("%s of %d classes: probability %g", variant, classes, p)
				}
			}
		}
	}
}

// TestRefused: parameters and labels that do not fit together are errors.
func TestRefused(t *testing.T) {
	classes := table(t, "iris/iris.csv", "species", []string{"petal_length"}, 1)
	numbers := &data.Dataset{Frame: classes.Frame,
		Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{make([]float64, 150)}}}
	logistics := NewLogitBoost(func(name string) (string, learn.Learner, error) {
		return name, linear.NewLogistic(), nil
	})
	if err := logistics.Params().Set([]string{"base=logistic"}); err != nil {
		t.Fatal(err)
	}
	r2 := New(logistics.Base.Resolve)
	if err := r2.Params().Set([]string{"base=logistic"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		l    *Learner
		ds   *data.Dataset
		want string
	}{
		{r2, numbers, "base=logistic: logistic cannot do regression, and members are regressions"},
		{stumps("r2", 3), classes, "variant=r2 does not fit a multiclass label: use variant=auto"},
		{stumps("gentle", 3), numbers, "variant=gentle does not fit a regression label"},
		{NewLogitBoost(stumps("auto", 3).Base.Resolve), numbers, "logitboost cannot do regression"},
		{logistics, classes, "base=logistic: logistic cannot do regression, and members are " +
			"regressions: use a base such as cart"},
		{New(nil), classes, `there is no catalog to find the learner "cart" in`},
	} {
		f, err := c.l.Prepare(t.Context(), c.ds.Frame, nil, nil, learn.Env{})
		if err == nil {
			_, err = f.Fit(t.Context(), &c.ds.Target, learn.Job{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	for set, want := range map[string]string{"variant=gentel": "variant", "rounds=0": "rounds",
		"learning_rate=0": "learning_rate", "resample=maybe": "resample"} {
		if err := stumps("auto", 3).Params().Set([]string{set}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", set, err)
		}
	}
}

// TestObserver: it is called for each round, and its error ends the training with the rounds so
// far.
func TestObserver(t *testing.T) {
	ds := table(t, "iris/iris.csv", "species", []string{"sepal_length", "sepal_width"}, 1)
	enough := errors.New("enough")
	f, err := stumps("samme", 20).Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	rounds := []string{}
	m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Observe: func(r learn.Round) error {
		rounds = append(rounds, fmt.Sprint(r.Stage, r.N, "/", r.Of, r.Metrics[1].Set))
		if r.N == 4 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || len(rounds) != 4 || rounds[3] != "boost4/20training" ||
		summary(t, m).Rounds != 4 {
		t.Errorf("rounds %q, error %v", rounds, err)
	}
}

// TestOneAgainstTheRest: gentle boosting of three classes has a score for each.
func TestOneAgainstTheRest(t *testing.T) {
	ds := table(t, "iris/iris.csv", "species",
		[]string{"sepal_length", "sepal_width", "petal_length", "petal_width"}, 1)
	m, s := fit(t, stumps("gentle", 10), ds, learn.Job{})
	e, ok := m.(*model.Ensemble)
	if !ok || len(e.Trees) != 30 || s.Rounds != 10 || s.Bound != nil || s.Training[9] > 0.04 {
		t.Errorf("a %T, summary %+v", m, s)
	}
}
