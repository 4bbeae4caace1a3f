package dense_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

var nan, inf = math.NaN(), math.Inf(1)

const missing, unseen = data.MissingCode, data.UnseenCode

// table is a frame of a number, a constant, a category with missing values, one without, and one
// that carries no information.
func table(t testing.TB) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{
		{Name: "x"}, {Name: "constant"},
		{Name: "colour", Kind: data.Categorical, Levels: []string{"blue", "green", "red"}},
		{Name: "size", Kind: data.Categorical, Levels: []string{"big", "small"}},
		{Name: "one", Kind: data.Categorical, Levels: []string{"only", "never"}},
	}}, []data.Column{
		data.Numbers([]float64{1, 3, nan, inf, 5}), data.Numbers([]float64{7, 7, nan, 7, -inf}),
		data.Codes([]uint32{0, 2, missing, 2, 2}), data.Codes([]uint32{0, 1, 1, 1, 0}), data.Codes([]uint32{0, 0, 0, 0, 0}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFitByHand(t *testing.T) {
	f := table(t)
	e, report := dense.Fit(f, nil, nil)
	// Known values of x are 1, 3, 5 and 5 for the infinite one: mean 3.5, variance (6.25 + 0.25 +
	// 2.25 + 2.25) / 4.
	want := &dense.Encoding{Columns: []dense.Column{
		{Field: 0, Mean: 3.5, Scale: math.Sqrt(2.75), Low: 1, High: 5, Missing: -1, Unseen: -1},
		{Field: 2, Place: []int32{0, -1, 1}, Fraction: []float64{0.2, 0.6, 0.2}, Missing: 2, Unseen: -1},
		{Field: 3, Place: []int32{0, 1}, Fraction: []float64{0.4, 0.6}, Missing: -1, Unseen: -1},
	}}
	if d := cmp.Diff(want, e); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(&dense.Report{Width: 6, Standardised: 1, Coded: 2, LeftOut: []string{"constant", "one"},
		Imputed: []dense.Filled{{Column: "x", Number: 1}}, Clamped: []dense.Filled{{Column: "x", Number: 1}}}, report); d != "" {
		t.Error(d)
	}
	if err := e.Validate(&f.Schema); err != nil {
		t.Error(err)
	}
	names := []string{"x", "colour = blue", "colour = red", "colour = (missing)", "size = big", "size = small"}
	if got := e.Names(&f.Schema); !slices.Equal(got, names) {
		t.Errorf("names %q", got)
	}
	s := want.Columns[0].Scale
	for _, c := range []struct{ row, want []float64 }{
		{[]float64{1, 0, 1}, []float64{-2.5 / s, 1, 0, 0, 0, 1}},
		{[]float64{nan, nan, 0}, []float64{0, 0, 0, 1, 1, 0}},
		{[]float64{-inf, 2, nan}, []float64{-2.5 / s, 0, 1, 0, 0.4, 0.6}},
		{[]float64{inf, 1, -1}, []float64{1.5 / s, 0.2, 0.6, 0.2, 0.4, 0.6}},
		{[]float64{1e308, -1, 1}, []float64{dense.Limit, 0.2, 0.6, 0.2, 0, 1}},
	} {
		got := make([]float64, 6)
		e.Encode(got, c.row)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.row, got, c.want)
		}
	}
}

func TestRareCategoriesHaveOnePlace(t *testing.T) {
	field := data.Field{Name: "id", Kind: data.Categorical}
	var codes []uint32
	for i := range uint32(300) {
		field.Levels = append(field.Levels, fmt.Sprintf("c%03d", i))
		codes = append(codes, i)
		if i >= 100 { // the first hundred are rarer
			codes = append(codes, i)
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{data.Codes(codes)})
	if err != nil {
		t.Fatal(err)
	}
	e, report := dense.Fit(f, nil, nil)
	c := &e.Columns[0]
	if len(c.Fraction) != 257 || c.Unseen != 256 || c.Missing != -1 || c.Place[55] != 55 || c.Place[56] != -1 || c.Place[100] != 56 || c.Place[299] != 255 {
		t.Errorf("%d places, unseen %d, places %v", len(c.Fraction), c.Unseen, c.Place)
	}
	if c.Fraction[256] != 44.0/500 || report.Pooled[0] != (dense.Filled{Column: "id", Number: 44}) {
		t.Errorf("fraction %g, report %+v", c.Fraction[256], report)
	}
	if err := e.Validate(&f.Schema); err != nil {
		t.Error(err)
	}
	x := make([]float64, 257)
	for _, code := range []float64{56, -1} {
		if e.Encode(x, []float64{code}); x[256] != 1 || slices.Max(x[:256]) != 0 {
			t.Errorf("code %g is %v", code, x)
		}
	}
	if name := e.Names(&f.Schema)[256]; name != "id = (other)" {
		t.Errorf("the shared place is called %q", name)
	}
}

// Numbers at the ends of what a float64 holds are standardised as others are.
func TestExtremeNumbers(t *testing.T) {
	for _, x := range [][]float64{{1e308, -1e308, 5e307}, {5e-324, 1e-323, 0}, {1e300, 1e-300, 0}, {1e15, 1e15 + 2}, {math.MaxFloat64, -math.MaxFloat64}} {
		f, err := data.FromRows(column(x), []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		e, _ := dense.Fit(f, nil, nil)
		if len(e.Columns) != 1 {
			t.Errorf("%v is left out", x)
			continue
		}
		z := e.Matrix(f, nil, 1)
		sum, squares := 0.0, 0.0
		for _, v := range z {
			sum += v
			squares += v * v
		}
		// Deviations below 1e-323 have hardly a digit.
		if n := float64(len(x)); x[0] != 5e-324 && (math.Abs(sum) > 1e-9 || math.Abs(squares/n-1) > 1e-9) || math.IsNaN(sum) {
			t.Errorf("%v is standardised to %v", x, z)
		}
	}
}

func column(x []float64) [][]float64 {
	rows := make([][]float64, len(x))
	for i := range x {
		rows[i] = x[i : i+1]
	}
	return rows
}

// frame samples a table of two numbers and two categories, with holes.
func frame(t *rapid.T) (*data.Frame, []float64) {
	n := rapid.IntRange(1, 30).Draw(t, "rows")
	number := rapid.OneOf(rapid.Float64Range(-1e3, 1e3), rapid.SampledFrom([]float64{nan, inf, -inf, 0, 1}))
	s := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}, {Name: "c"},
		{Name: "d", Kind: data.Categorical, Levels: []string{"u"}}}}
	columns := make([]data.Column, 4)
	for i := range columns {
		if s.Fields[i].Kind == data.Numeric {
			columns[i] = data.Numbers(rapid.SliceOfN(number, n, n).Draw(t, "numbers"))
			continue
		}
		codes := []uint32{missing, unseen}
		for k := range s.Fields[i].Levels {
			codes = append(codes, uint32(k))
		}
		columns[i] = data.Codes(rapid.SliceOfN(rapid.SampledFrom(codes), n, n).Draw(t, "codes"))
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 2}), n, n).Draw(t, "weight")
}

// The training rows' vectors have mean 0 and variance at most 1 (1 without missing values) where
// columns are numeric, and the fractions as their mean where they are categorical; all ways to
// compute them agree for any number of workers; and encodings are valid.
func TestEncodingOfTrainingRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, weight := frame(t)
		e, report := dense.Fit(f, nil, weight)
		if err := e.Validate(&f.Schema); err != nil {
			t.Fatal(err)
		}
		width := e.Width()
		if report.Width != width || len(e.Names(&f.Schema)) != width || len(report.LeftOut)+len(e.Columns) != 4 {
			t.Fatalf("width %d, %+v", width, report)
		}
		m := e.Matrix(f, nil, 1)
		if !slices.Equal(m, e.Matrix(f, nil, 3)) {
			t.Fatal("workers change the vectors")
		}
		p, err := bound(e, f, f, false)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(m))
		if err := p.Predict(got, f, nil); err != nil || !slices.Equal(got, m) {
			t.Fatalf("%v: %v, want %v", err, got, m)
		}
		total := 0.0
		mean := make([]float64, width)
		square := make([]float64, width)
		for r, w := range weight {
			total += w
			for k, x := range m[r*width : (r+1)*width] {
				mean[k] += w * x
				square[k] += w * x * x
			}
		}
		at := 0
		for _, c := range e.Columns {
			if c.Numeric() && (math.Abs(mean[at]/total) > 1e-9 || square[at]/total > 1+1e-9) {
				t.Fatalf("field %d: mean %g, mean square %g", c.Field, mean[at]/total, square[at]/total)
			}
			for k, fraction := range c.Fraction {
				if math.Abs(mean[at+k]/total-fraction) > 1e-9 {
					t.Fatalf("field %d, place %d: mean %g, fraction %g", c.Field, k, mean[at+k]/total, fraction)
				}
			}
			at += c.Width()
		}
	})
}

// A row that is repeated counts as one of twice the weight.
func TestRepeatedRowsAreWeights(t *testing.T) {
	f := table(t)
	repeated, _ := dense.Fit(f, []int32{0, 1, 1, 3, 3, 3, 4}, nil)
	weighted, _ := dense.Fit(f, nil, []float64{1, 2, 0, 3, 1})
	if len(repeated.Columns) != len(weighted.Columns) {
		t.Fatalf("%+v and %+v", repeated, weighted)
	}
	for i := range repeated.Columns {
		a, b := repeated.Columns[i], weighted.Columns[i]
		if math.Abs(a.Mean-b.Mean) > 1e-12 || math.Abs(a.Scale-b.Scale) > 1e-12 || !slices.Equal(a.Fraction, b.Fraction) {
			t.Errorf("%+v and %+v", a, b)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	f := table(t)
	for _, c := range []struct {
		edit func(*dense.Encoding)
		want string
	}{
		{func(e *dense.Encoding) { e.Columns[0].Field = 9 }, "field 9 of 5"},
		{func(e *dense.Encoding) { e.Columns[1].Field = 0 }, "after field 0"},
		{func(e *dense.Encoding) { e.Columns[0].Scale = nan }, "deviation NaN"},
		{func(e *dense.Encoding) { e.Columns[0].Scale = 0 }, "deviation 0"},
		{func(e *dense.Encoding) { e.Columns[0].High = inf }, "to +Inf"},
		{func(e *dense.Encoding) { e.Columns[0].Mean = 99 }, "mean 99"},
		{func(e *dense.Encoding) { e.Columns[0].Unseen = 0 }, "with places of categories"},
		{func(e *dense.Encoding) { e.Columns[1].Mean = 1 }, "with a mean"},
		{func(e *dense.Encoding) { e.Columns[1].Place = e.Columns[1].Place[1:] }, "places of 2 categories for a dictionary of 3"},
		{func(e *dense.Encoding) { e.Columns[1].Fraction = e.Columns[1].Fraction[:1] }, "1 places"},
		{func(e *dense.Encoding) { e.Columns[1].Missing = 3 }, "places 3 and -1 of 3"},
		{func(e *dense.Encoding) { e.Columns[1].Place[1] = 3 }, "category 1 has place 3 of 3"},
		{func(e *dense.Encoding) { e.Columns[1].Fraction[0] = nan }, "a fraction of NaN"},
	} {
		e, _ := dense.Fit(f, nil, nil)
		c.edit(e)
		if err := e.Validate(&f.Schema); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestReportInWords(t *testing.T) {
	_, report := dense.Fit(table(t), nil, nil)
	got := report.Words(strings.ToUpper)
	want := []string{"1 numeric column standardised, 2 categorical columns one-hot coded as 5", "missing numbers are the mean: X (1)",
		"infinite numbers are the greatest or least finite one: X (1)", "left out, as all rows have the same: CONSTANT, ONE"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	many := dense.Report{Pooled: []dense.Filled{{Column: "id", Number: 9}}, LeftOut: []string{"a", "b", "c", "d", "e", "f", "g"}}
	if d := cmp.Diff([]string{"no column varies", "rare categories share an indicator: id (9)",
		"left out, as all rows have the same: a, b, c, d, e and 2 more"}, many.Words(nil)); d != "" {
		t.Error(d)
	}
}
