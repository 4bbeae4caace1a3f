package committee_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// numbers are models of numbers: low up to a split point of x, high above it. A constant has a
// split point beyond all x.
func numbers(t *testing.T, splitPoint, low, high float64) *model.Ensemble {
	return stump(t, spec(data.Regression, fieldX), splitPoint, []float64{low}, []float64{high})
}

// TestSum: bias + weighted sum, through the link; of two classes with one score, of three with a
// score each.
func TestSum(t *testing.T) {
	f := frame(t) // x = 0 1 2 3
	a, b := numbers(t, 0.5, 1, -1), numbers(t, 2.5, 0.75, 4.25)
	one := &committee.Committee{Meta: spec(data.Binary, fieldX), Members: []model.Model{a, b}, Combine: committee.Sum,
		Weights: []float64{-2, 1}, Bias: []float64{0.5}, Link: link.Logistic()}
	three := &committee.Committee{Meta: spec(data.Multiclass, fieldX), Members: []model.Model{a, b, a, a}, Combine: committee.Sum,
		Output: []int32{0, 2, 2, 0}, Bias: []float64{0, 1, 0}, Link: link.Softmax()}
	three.Meta.Classes = []string{"a", "b", "c"}
	plain := &committee.Committee{Meta: spec(data.Regression, fieldX), Members: []model.Model{a, b}, Combine: committee.Sum}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, c := range []struct {
		m    *committee.Committee
		o    model.Options
		want []float64
	}{
		{one, model.Options{Output: model.Raw}, []float64{-0.75, 3.25, 3.25, 6.75}},
		{one, model.Options{}, []float64{sigmoid(0.75), sigmoid(-0.75), sigmoid(-3.25), sigmoid(3.25), sigmoid(-3.25), sigmoid(3.25), sigmoid(-6.75), sigmoid(6.75)}},
		{one, model.Options{Output: model.Label}, []float64{0, 1, 1, 1}},
		{one, model.Options{Output: model.Raw, Rounds: 1}, []float64{-1.5, 2.5, 2.5, 2.5}},
		{three, model.Options{Output: model.Raw}, []float64{2, 1, 1.75, -2, 1, -0.25, -2, 1, -0.25, -2, 1, 3.25}},
		{three, model.Options{Output: model.Raw, Rounds: 1}, []float64{1, 1, 0.75, -1, 1, 0.75, -1, 1, 0.75, -1, 1, 4.25}},
		{three, model.Options{Output: model.Label}, []float64{0, 1, 1, 2}},
		{plain, model.Options{}, []float64{1.75, -0.25, -0.25, 3.25}},
		{plain, model.Options{Output: model.Leaf}, []float64{1, 1, 2, 1, 2, 1, 2, 2}},
	} {
		if err := c.m.Validate(); err != nil {
			t.Fatal(err)
		}
		got := predict(t, c.m, f, c.o, nil)
		if len(got) != len(c.want) {
			t.Fatalf("%+v: %v, want %v", c.o, got, c.want)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-15 {
				t.Errorf("%+v: %v, want %v", c.o, got, c.want)
				break
			}
		}
		sameFlat(t, fmt.Sprint(c.o), c.m, f, c.o)
	}
	b.Bias = []float64{1} // would be there before its round
	if _, ok := one.Flatten(); ok {
		t.Error("start values of members are flattened")
	}
}

// sameFlat checks that the ensemble which a committee is predicts the same bits.
func sameFlat(t *testing.T, name string, m *committee.Committee, f *data.Frame, o model.Options) {
	t.Helper()
	flat, ok := m.Flatten()
	if !ok {
		t.Errorf("%s: is not flattened", name)
		return
	}
	if got, want := predict(t, flat, f, o, nil), predict(t, m, f, o, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: flat %v, want %v", name, got, want)
	}
}

// TestProduct: probabilities are multiplied; one of 0 does not decide alone. The vote, too, is the
// same bits as its ensemble.
func TestProduct(t *testing.T) {
	s := spec(data.Binary, fieldC, fieldX)
	a := stump(t, s, 0.5, []float64{0.5, 0.5}, []float64{0.25, 0.75})
	b := stump(t, s, 2.5, []float64{0.9, 0.1}, []float64{1, 0})
	m := &committee.Committee{Meta: s, Members: []model.Model{a, b}, Weights: []float64{1, 2}, Combine: committee.Product}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	got := predict(t, m, frame(t), model.Options{}, nil)
	for i, odds := range []float64{81, 27, 27, math.Exp2(104) / 3} { // of the first class
		if want := odds / (1 + odds); math.Abs(got[2*i]-want) > 1e-14 || math.Abs(got[2*i]+got[2*i+1]-1) > 1e-15 {
			t.Errorf("row %d: %v, want %v", i, got[2*i:2*i+2], want)
		}
	}
	raw := predict(t, m, frame(t), model.Options{Output: model.Raw}, nil)
	if want := math.Log(81) / 2; math.Abs(raw[0]-want) > 1e-14 || math.Abs(raw[1]+want) > 1e-14 {
		t.Errorf("scores %v, want -+%g", raw[:2], want)
	}
	sameFlat(t, "product", m, frame(t), model.Options{})
	sameFlat(t, "scores", m, frame(t), model.Options{Output: model.Raw, Rounds: 1})
	m.Floor = 0.125 // counts instead of b's probability of the second class
	odds := (0.9 / 0.125) * (0.9 / 0.125)
	if got := predict(t, m, frame(t), model.Options{}, nil); math.Abs(got[0]-odds/(1+odds)) > 1e-14 || m.Validate() != nil {
		t.Errorf("above a floor: %v, want odds %g", got[:2], odds)
	}
	sameFlat(t, "floor", m, frame(t), model.Options{})
	m.Bias = []float64{-1, 0.5}
	odds *= math.Exp(-1.5)
	if got := predict(t, m, frame(t), model.Options{}, nil); math.Abs(got[0]-odds/(1+odds)) > 1e-14 || m.Validate() != nil {
		t.Errorf("from start values: %v, want odds %g", got[:2], odds)
	}
	sameFlat(t, "start values", m, frame(t), model.Options{})
	sameFlat(t, "scores from start values", m, frame(t), model.Options{Output: model.Raw})
	for _, bias := range [][]float64{{1}, {1, 2, 3}, {0, math.NaN()}, {math.Inf(1), 0}} {
		if m.Bias = bias; m.Validate() == nil {
			t.Errorf("start values %v", bias)
		}
	}
	m.Bias = nil
	m.Weights = []float64{0, 0}
	if got := predict(t, m, frame(t), model.Options{}, nil); got[0] != 0.5 || m.Validate() != nil {
		t.Errorf("without weights: %v", got)
	}
	for _, floor := range []float64{-1, 0.75, math.NaN()} {
		if m.Floor = floor; m.Validate() == nil {
			t.Errorf("a floor of %g", floor)
		}
	}
	m.Combine, m.Floor, m.Weights = committee.Vote, 0.125, nil
	if err := m.Validate(); err == nil || err.Error() != "a smallest probability of a vote: only a product has one" {
		t.Errorf("error %v", err)
	}
	m.Floor = 0
	sameFlat(t, "vote", m, frame(t), model.Options{})
}

// TestMedian: half of the weight, counted from below.
func TestMedian(t *testing.T) {
	m := &committee.Committee{Meta: spec(data.Regression, fieldX), Combine: committee.Median, Weights: []float64{1, 2, 1},
		Members: []model.Model{numbers(t, 0.5, 5, 1), numbers(t, 1.5, 3, 2), numbers(t, 2.5, 4, -8)}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := predict(t, m, frame(t), model.Options{}, nil); !reflect.DeepEqual(got, []float64{3, 3, 2, 1}) {
		t.Errorf("%v", got)
	}
	if got := predict(t, m, frame(t), model.Options{Rounds: 1}, nil); !reflect.DeepEqual(got, []float64{5, 1, 1, 1}) {
		t.Errorf("of one: %v", got)
	}
	if _, ok := m.Flatten(); ok {
		t.Error("a median is flattened")
	}
}

func TestSumRefused(t *testing.T) {
	a := numbers(t, 0.5, 1, -1)
	two := stump(t, spec(data.Regression, fieldX), 1, []float64{2, 3}, []float64{-6, 1})
	for want, change := range map[string]func(*committee.Committee){
		"scores of 1 members, there are 2":                      func(m *committee.Committee) { m.Output = []int32{0} },
		"member 1 feeds score -2 in a sum of 2 members":         func(m *committee.Committee) { m.Output = []int32{0, -2} },
		"member 0 feeds score 2147483647 in a sum of 2 members": func(m *committee.Committee) { m.Output = []int32{math.MaxInt32, 0} },
		"3 scores of 2 classes":                                 func(m *committee.Committee) { m.Bias = []float64{1, 2, 3} },
		"start value +Inf":                                      func(m *committee.Committee) { m.Bias = []float64{math.Inf(1)} },
		"member 1: has 2 outputs for score 1 of 2":              func(m *committee.Committee) { m.Members[1], m.Output = two, []int32{0, 1} },
		"member 0: has 1 outputs for score -1 of 2":             func(m *committee.Committee) { m.Members[1] = two },
		"the members have weight +Inf":                          func(m *committee.Committee) { m.Weights = []float64{math.Inf(-1), 1} },
		"member 1 has weight NaN":                               func(m *committee.Committee) { m.Weights = []float64{-1, math.NaN()} },
	} {
		m := &committee.Committee{Meta: spec(data.Binary, fieldX), Members: []model.Model{a, a}, Combine: committee.Sum, Link: link.Logistic()}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		change(m)
		if err := m.Validate(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	m := &committee.Committee{Meta: spec(data.Regression, fieldX), Members: []model.Model{a}, Combine: committee.Product}
	if err := m.Validate(); err == nil || err.Error() != "members multiply probabilities for classes, the task is regression" {
		t.Errorf("error %v", err)
	}
}
