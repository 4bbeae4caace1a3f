package committee_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func TestScale(t *testing.T) {
	s := committee.NewScale([]float64{5, 3, math.NaN(), 8, 5}, 9)
	want := committee.Scale{Value: []float64{3, 5, 8}, Rank: []float64{0.125, 0.5, 0.875}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	for v, rank := range map[float64]float64{-1: 0.125, 3: 0.125, 4: 0.3125, 5: 0.5, 7: 0.75, 8: 0.875, 99: 0.875} {
		if got := s.Of(v); got != rank {
			t.Errorf("%g has rank %g, want %g", v, got, rank)
		}
	}
	for rank, v := range map[float64]float64{0: 3, 0.3125: 4, 0.5: 5, 1: 8} {
		if got := s.At(rank); got != v {
			t.Errorf("at rank %g is %g, want %g", rank, got, v)
		}
	}
	if few := committee.NewScale([]float64{1, 2, 3, 4, 5, 6}, 3); !slices.Equal(few.Value, []float64{1, 3, 6}) {
		t.Errorf("of six numbers %v are kept", few.Value)
	}
	for _, hard := range [][]float64{{-math.MaxFloat64, math.MaxFloat64}, {0, 5e-324}} {
		s := committee.NewScale(hard, 9)
		if a, b := s.Of(hard[0]), s.Of(hard[1]); a != 0.25 || b != 0.75 || math.IsNaN(s.At(0.5)) {
			t.Errorf("of %g: ranks %g, %g, middle %g", hard, a, b, s.At(0.5))
		}
	}
}

// A rank is the fraction of smaller numbers and half of that of equal ones, and a scale leads back
// from it.
func TestScaleOfItsNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 40).Draw(t, "numbers")
		if rapid.Bool().Draw(t, "ties") {
			for i := range numbers {
				numbers[i] = math.Round(numbers[i])
			}
		}
		s := committee.NewScale(numbers, 100)
		for _, v := range numbers {
			below, equal := 0.0, 0.0
			for _, o := range numbers {
				if o < v {
					below++
				} else if o == v {
					equal++
				}
			}
			n := float64(len(numbers))
			if rank := s.Of(v); math.Abs(rank-(below+equal/2)/n) > 1e-15 || s.At(rank) != v {
				t.Fatalf("%g: rank %g, back to %g; %g below and %g equal of %g", v, rank, s.At(rank), below, equal, n)
			}
		}
		x, y := rapid.Float64Range(-6, 6).Draw(t, "x"), rapid.Float64Range(-6, 6).Draw(t, "y")
		if x <= y && s.Of(x) > s.Of(y) {
			t.Fatalf("%g has rank %g, %g has %g", x, s.Of(x), y, s.Of(y))
		}
	})
}

// columnModel is a model whose response is columns of the table.
type columnModel struct {
	meta    model.Spec
	columns []int
}

func (m *columnModel) Spec() *model.Spec { return &m.meta }
func (m *columnModel) Outputs() int      { return len(m.columns) }

func (*columnModel) Describe() model.Description { return model.Description{} }

func (*columnModel) Children() []model.Child { return nil }

func (m *columnModel) Width() int                                                { return len(m.columns) }
func (m *columnModel) Bind(*data.Schema, model.Options) (model.Predictor, error) { return m, nil }

func (m *columnModel) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (m *columnModel) PredictRow(dst, row []float64) error {
	for k, c := range m.columns {
		dst[k] = row[c]
	}
	return nil
}

func (m *columnModel) Predict(dst []float64, f *data.Frame, rows []int32) error {
	for i, r := range rows {
		for k, c := range m.columns {
			dst[i*len(m.columns)+k] = f.Columns[c].Number(int(r))
		}
	}
	return nil
}

// rankCommittee has two members of numbers, which predict columns a and b, and their scales.
func rankCommittee(t testing.TB, a, b []float64, weights ...float64) (*committee.Committee, *data.Frame) {
	s := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}}}
	f, err := data.NewFrame(s, []data.Column{data.Numbers(a), data.Numbers(b)})
	if err != nil {
		t.Fatal(err)
	}
	meta := model.Spec{Schema: s, Task: data.Regression}
	return &committee.Committee{Meta: meta, Combine: committee.Ranks, Weights: weights,
		Members: []model.Model{&columnModel{meta, []int{0}}, &columnModel{meta, []int{1}}},
		Scales:  []committee.Scale{committee.NewScale(a, 100), committee.NewScale(b, 100)}}, f
}

func predict1(t testing.TB, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o, Workers: 1}, nil)
}

// The scores are the mean ranks, and responses stand in their order.
func TestRanks(t *testing.T) {
	c, f := rankCommittee(t, []float64{1, 2, 3, 4}, []float64{40, 10, 30, 20}, 3, 1)
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	raw, response := predict1(t, c, f, model.Raw), predict1(t, c, f, model.Response)
	// ranks 1/8 3/8 5/8 7/8 and 7/8 1/8 5/8 3/8
	if diff := cmp.Diff([]float64{5. / 16, 5. / 16, 5. / 8, 3. / 4}, raw); diff != "" {
		t.Error(diff)
	}
	// at rank 5/8 the scales have 3 and 30; members that agree on the rank predict their weighted
	// mean
	if math.Abs(response[2]-(3*3+30)/4.) > 1e-12 || response[0] != response[1] || response[2] <= response[0] || response[3] <= response[2] {
		t.Errorf("responses %v", response)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		column := func(name string) []float64 { return rapid.SliceOfN(rapid.Float64Range(0, 9), n, n).Draw(t, name) }
		a := column("a")
		s := committee.NewScale(a, 100)
		b := column("b")
		c, f := rankCommittee(&testing.T{}, a, b)
		raw, response := predict1(&testing.T{}, c, f, model.Raw), predict1(&testing.T{}, c, f, model.Response)
		scale := committee.NewScale(b, 100)
		for i := range raw {
			if math.Abs(raw[i]-(s.Of(a[i])+scale.Of(b[i]))/2) > 1e-15 {
				t.Fatalf("row %d: mean rank %g", i, raw[i])
			}
			for j := range raw {
				if raw[i] < raw[j] && response[i] > response[j]+1e-12 {
					t.Fatalf("rows %d and %d: ranks %g < %g, responses %g > %g", i, j, raw[i], raw[j], response[i], response[j])
				}
			}
		}
	})
}

func TestRanksOfClasses(t *testing.T) {
	s := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	f, err := data.NewFrame(s, []data.Column{data.Numbers([]float64{0.2, 0.6}), data.Numbers([]float64{0.3, 0.4}), data.Numbers([]float64{0.5, 0})})
	if err != nil {
		t.Fatal(err)
	}
	meta := model.Spec{Schema: s, Task: data.Multiclass, Classes: []string{"p", "q", "r"}}
	c := &committee.Committee{Meta: meta, Combine: committee.Ranks, Members: []model.Model{&columnModel{meta, []int{0, 1, 2}}}}
	for _, column := range f.Columns {
		c.Scales = append(c.Scales, committee.NewScale(column.Numbers(), 9))
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{0.2, 0.3, 0.5, 0.6, 0.4, 0}, predict1(t, c, f, model.Response)); diff != "" {
		t.Error(diff)
	}
	meta.Task, meta.Classes = data.Binary, []string{"no", "yes"}
	two := &committee.Committee{Meta: meta, Combine: committee.Ranks, Members: []model.Model{&columnModel{meta, []int{0, 1}}},
		Scales: []committee.Scale{committee.NewScale([]float64{0.1, 0.3, 0.4}, 9)}}
	if err := two.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{0.7, 0.3, 0.6, 0.4}, predict1(t, two, f, model.Response)); diff != "" {
		t.Error(diff)
	}
	if got := predict1(t, two, f, model.Raw); got[1] != 0.5 || math.Abs(got[2]-1./6) > 1e-15 {
		t.Errorf("ranks %v", got)
	}
	if _, ok := two.Flatten(); ok {
		t.Error("ranks are flattened")
	}
}

func TestRanksAreChecked(t *testing.T) {
	for want, change := range map[string]func(*committee.Committee){
		"1 scales, want 2 for 2 members":         func(c *committee.Committee) { c.Scales = c.Scales[:1] },
		"scale 1: 0 numbers with 0 ranks":        func(c *committee.Committee) { c.Scales[1] = committee.Scale{} },
		"scale 0: 2 numbers with 1 ranks":        func(c *committee.Committee) { c.Scales[0].Rank = c.Scales[0].Rank[:1] },
		"scale 0: rank 0.25 of NaN":              func(c *committee.Committee) { c.Scales[0].Value[0] = math.NaN() },
		"scale 0: rank 2 of 2":                   func(c *committee.Committee) { c.Scales[0].Rank[1] = 2 },
		"scale 0: rank 0.75 of 1 after":          func(c *committee.Committee) { c.Scales[0].Value[1] = 1 },
		"scales of a mean: only ranks have them": func(c *committee.Committee) { c.Combine = committee.Mean },
		"member 0 has weight 0":                  func(c *committee.Committee) { c.Weights = []float64{0, 1} },
	} {
		c, _ := rankCommittee(t, []float64{1, 2}, []float64{3, 4})
		change(c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
