package loss_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/loss"
)

func bind(
	t *testing.T, name string, settings []string, target *data.Target,
) (loss.Objective, error) {
	t.Helper()
	row, ok := loss.Find(name)
	if !ok {
		t.Fatalf("no loss %s", name)
	}
	l := row.New()
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	n := len(target.Class)
	if target.Y != nil {
		n = len(target.Y[0])
	}
	return l.Bind(target, data.AllRows(n))
}

// labels makes a target of numbers, or of classes where the loss needs them.
func labels(name string, y []float64) *data.Target {
	t := &data.Target{Y: [][]float64{y}}
	switch name {
	case "logistic", "exponential", "hinge", "focal":
		t.Classes = []string{"a", "b"}
	case "softmax":
		t.Classes = []string{"a", "b", "c"}
	default:
		return t
	}
	t.Y = nil
	for _, v := range y {
		t.Class = append(t.Class, uint32(v))
	}
	return t
}

// TestScikitLearn: testdata/freeze.py wrote what scikit-learn computes.
func TestScikitLearn(t *testing.T) {
	cases := reference.Read[[]struct {
		Name             string
		Settings         []string
		Y, Raw, Gradient []float64
		Value            float64
	}](t, "testdata/sklearn.json")
	for _, c := range *cases {
		o, err := bind(t, c.Name, c.Settings, labels(c.Name, c.Y))
		if err != nil {
			t.Fatal(err)
		}
		if v := o.Value(c.Raw, 1); math.Abs(v-c.Value) > 1e-12*(1+c.Value) {
			t.Errorf("%s %v: loss %v, want %v", c.Name, c.Settings, v, c.Value)
		}
		g, h := make([]float64, len(c.Raw)), make([]float64, len(c.Raw))
		o.Gradients(g, h, c.Raw, 1)
		for i, want := range c.Gradient {
			if math.Abs(g[i]-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s %v: g[%d] = %v, want %v", c.Name, c.Settings, i, g[i], want)
			}
		}
	}
}

func TestStartOfExtremeLabels(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []string
		y        []float64
		want     []float64
	}{
		{"squared", nil, []float64{1, 2, 6}, []float64{3}},
		{"squared", nil, []float64{0.1, 0.1, 0.1}, []float64{0.1}},
		{"absolute", nil, []float64{5, 1, 9, 2}, []float64{2}},
		{"quantile", []string{"quantiles=0.25,0.75"}, []float64{4, 3, 2, 1}, []float64{1, 3}},
		{"mape", nil, []float64{1, 10, 12}, []float64{1}},
		{"mape", []string{"least=20"}, []float64{0, 10, 12}, []float64{10}},
		{"expectile", []string{"level=0.75"}, []float64{0, 4}, []float64{3}},
		{"huber", nil, []float64{-1, 0, 100}, []float64{0}},
		{"poisson", nil, []float64{0, 0}, []float64{-36}},
		{"tweedie", nil, []float64{0, 0}, []float64{-36}},
		{"poisson", nil, []float64{0, 2}, []float64{0}},
		{"gamma", nil, []float64{0.5, 1.5}, []float64{0}},
		{"logistic", nil, []float64{1, 1}, []float64{36}},
		{"logistic", nil, []float64{0, 0}, []float64{-36}},
		{"exponential", nil, []float64{0, 1}, []float64{0}},
		{"cross_entropy", nil, []float64{0, 0}, []float64{-36}},
		{"squared_log", nil, []float64{0, 8}, []float64{2}},
		{"squared_log", nil, []float64{0.1, 0.1}, []float64{0.1}},
		{"hinge", nil, []float64{1, 1, 0}, []float64{1}},
		{"hinge", nil, []float64{0, 0, 1}, []float64{-1}},
		{"hinge", nil, []float64{0, 1}, []float64{0}},
		{"focal", []string{"alpha=0.5"}, []float64{0, 1}, []float64{0}},
		{"focal", nil, []float64{1, 1}, []float64{36}},
		{"focal", []string{"gamma=0", "alpha=0.5"}, []float64{1, 1, 1, 0}, []float64{math.Log(3)}},
		{"softmax", nil, []float64{1, 1}, []float64{-36, 0, -36}},
	} {
		o, err := bind(t, c.name, c.settings, labels(c.name, c.y))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, o.Outputs())
		o.Init(got)
		for k := range got {
			if math.Abs(got[k]-c.want[k]) > 1e-15*max(1, math.Abs(c.want[k])) {
				t.Errorf("%s of %v starts at %v, want %v", c.name, c.y, got, c.want)
			}
		}
	}
}

func TestRefusedLabels(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  float64
		want string
	}{
		{"mape", 0, "loss=mape needs labels other than 0 unless least is set, this is 0"},
		{"poisson", -1, "loss=poisson needs labels of 0 or more, this is -1"},
		{"tweedie", -0.5, "loss=tweedie needs labels of 0 or more, this is -0.5"},
		{"squared_log", -1, "loss=squared_log needs labels above -1, this is -1"},
		{"gamma", 0, "loss=gamma needs labels above 0, this is 0"},
		{"cross_entropy", 1.5, "loss=cross_entropy needs labels from 0 to 1, this is 1.5"},
		{"cross_entropy", -0.25, "loss=cross_entropy needs labels from 0 to 1, this is -0.25"},
	} {
		_, err := bind(t, c.name, nil, labels(c.name, []float64{0.5, 1, c.bad}))
		var fault *loss.LabelError
		if !errors.As(err, &fault) || fault.Row != 2 || err.Error() != c.want {
			t.Errorf("%s of %v: %v, want %q of row 2", c.name, c.bad, err, c.want)
		}
	}
	three := &data.Target{Class: []uint32{0, 1, 2}, Classes: []string{"a", "b", "c"}}
	if _, err := bind(t, "logistic", nil, three); err == nil ||
		err.Error() != "loss=logistic needs labels of two classes" {
		t.Errorf("three classes: %v", err)
	}
	two := &data.Target{Y: [][]float64{{1}, {2}}}
	if _, err := bind(t, "quantile", nil, two); err == nil ||
		err.Error() != "loss=quantile needs one label, there are 2" {
		t.Errorf("two labels: %v", err)
	}
}

func TestRefusedLevels(t *testing.T) {
	for levels, want := range map[string]string{
		"": "is no number", "0.5,x": "is no number", "0": "not between", "1": "not between", "NaN": "not between", "0.5,0.5": "do not ascend", "0.9,0.1": "do not ascend",
	} {
		if _, err := loss.New("quantile", "quantiles="+levels); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", levels, err, want)
		}
	}
	if _, err := loss.Unset.Bind(labels("huber", []float64{1}), []int32{0}); err == nil {
		t.Error("a distance of 0 is taken")
	}
}

// TestQuantilesDoNotCross: the response ascends, and its loss is no greater than that of the
// scores.
func TestQuantilesDoNotCross(t *testing.T) {
	o, err := bind(t, "quantile", []string{"quantiles=0.1,0.5,0.9"},
		labels("quantile", []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	raw := []float64{3, 2, 0.5}
	before := o.Value(raw, 1)
	o.Link().Apply(raw)
	if raw[0] != 0.5 || raw[1] != 2 || raw[2] != 3 || o.Value(raw, 1) > before {
		t.Errorf("%v with loss %v, before %v", raw, o.Value(raw, 1), before)
	}
}

// TestLogisticTail: far from even odds derivatives keep their digits.
func TestLogisticTail(t *testing.T) {
	o, err := bind(t, "logistic", nil, labels("logistic", []float64{1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, 2), make([]float64, 2)
	o.Gradients(g, h, []float64{100, -100}, 1)
	if want := math.Exp(-100); math.Abs(g[0]+want) > 1e-14*want ||
		math.Abs(g[1]-want) > 1e-14*want || math.Abs(h[0]-want) > 1e-14*want {
		t.Errorf("g = %v, h = %v, want %v", g, h, want)
	}
}

// TestSoftmaxOfTwoClassesIsLogistic: the Newton step of one class's score against the other is that
// of the log odds.
func TestSoftmaxOfTwoClassesIsLogistic(t *testing.T) {
	target := labels("logistic", []float64{1, 0})
	one, err := bind(t, "logistic", nil, target)
	if err != nil {
		t.Fatal(err)
	}
	both, err := bind(t, "softmax", nil, target)
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, 2), make([]float64, 2)
	one.Gradients(g, h, []float64{1.5, -0.5}, 1)
	gg, hh := make([]float64, 4), make([]float64, 4)
	both.Gradients(gg, hh, []float64{0, 0, 1.5, -0.5}, 1)
	for i := range g {
		if step, want := gg[i+2]/hh[i+2]-gg[i]/hh[i],
			g[i]/h[i]; math.Abs(step-want) > 1e-14*math.Abs(want) {
			t.Errorf("row %d: step %v, want %v", i, step, want)
		}
	}
}

// An alias is no name of a loss, and stands for one.
func TestFind(t *testing.T) {
	for _, name := range []string{"rmse", "mae", "binary", "multiclass", "lambdarank", "pinball"} {
		found, ok := loss.Find(name)
		if named := slices.Contains(loss.Names(), name); named || !ok {
			t.Errorf("%s: a loss of that name: %v, found: %v", name, named, ok)
		}
		if own, ok := loss.Find(found.Name); !ok || own.Name != found.Name {
			t.Errorf("%s stands for %q, which is found as %q", name, found.Name, own.Name)
		}
	}
	if _, ok := loss.Find("least_squares_of_something"); ok {
		t.Error("a loss of any name is found")
	}
}
