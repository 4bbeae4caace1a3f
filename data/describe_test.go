package data_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

func TestDescribe(t *testing.T) {
	f := must(data.FromColumns(
		data.NamedColumn{Name: "x", Values: []float64{3, nan, 1, 3, math.Inf(-1), 2}},
		data.NamedColumn{Name: "none", Values: []float64{nan, nan, nan, nan, nan, math.Inf(1)}},
		data.NamedColumn{Name: "c", Values: []string{"b", "a", "", "b", "c", "a"}},
	))(t)
	f.Columns[2].Codes()[4] = data.UnseenCode
	got, err := json.Marshal(data.Describe(f, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"x","kind":"numeric","rows":6,"missing":1,"infinite":1,"distinct":4,"min":1,"max":3,"mean":2.25},` +
		`{"name":"none","kind":"numeric","rows":6,"missing":5,"infinite":1,"distinct":1},` +
		`{"name":"c","kind":"categorical","rows":6,"missing":1,"unseen":1,"distinct":2,"top":[{"level":"a","rows":2},{"level":"b","rows":2}]}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestDescribeListsFewLevels(t *testing.T) {
	var texts []string
	for i := range 20 {
		for range i + 1 {
			texts = append(texts, string(rune('a'+i)))
		}
	}
	s := data.Describe(must(data.FromColumns(data.NamedColumn{Name: "c", Values: texts}))(t), 0)[0]
	if s.Distinct != 20 || len(s.Top) != 10 ||
		s.Top[0] != (data.LevelCount{Level: "t", Rows: 20}) {
		t.Errorf("%d levels, top %v", s.Distinct, s.Top)
	}
}

// Whatever finite numbers a column holds, its mean is between them and the summary can be written.
func TestDescribeAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.OneOf(rapid.Float64(),
			rapid.SampledFrom([]float64{math.MaxFloat64, -math.MaxFloat64, nan,
				math.Inf(1)}))).Draw(t, "values")
		f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: values})
		if err != nil {
			t.Fatal(err)
		}
		s := data.Describe(f, 1)[0]
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		if s.Mean != nil && !(*s.Min <= *s.Mean && *s.Mean <= *s.Max) {
			t.Fatalf("mean %v is outside [%v, %v]", *s.Mean, *s.Min, *s.Max)
		}
	})
}
