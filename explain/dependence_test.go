package explain_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// TestPartialDependenceOfScikitLearn compares with sklearn.inspection on the same forests.
func TestPartialDependenceOfScikitLearn(t *testing.T) {
	for _, name := range []string{"regression", "classes"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "dependence", name)
			m, _, err := formats.Open(file+".onnx", codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				Rows  [][]float64
				Cases []struct {
					Columns    []int
					Values     [][]float64
					Average    json.RawMessage
					Individual json.RawMessage
				}
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			var names []string
			for i := range m.Spec().Schema.Fields {
				names = append(names, m.Spec().Schema.Fields[i].Name)
			}
			f, err := data.FromRows(want.Rows, names)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range want.Cases {
				o := explain.EffectOptions{Values: c.Values, Individual: true, Workers: 2}
				var columns []string
				for _, i := range c.Columns {
					columns = append(columns, names[i])
				}
				d, err := explain.PartialDependence(t.Context(), m, f, nil, columns, o)
				if err != nil {
					t.Fatal(err)
				}
				// theirs have the output first
				cells := len(d.Mean) / d.Outputs
				sameByOutput(t, flat(t, c.Average), func(k, cell int) float64 {
					return d.Mean[cell*d.Outputs+k]
				}, d.Outputs, cells)
				sameByOutput(t, flat(t, c.Individual), func(k, rest int) float64 {
					row, cell := rest/cells, rest%cells
					return d.Individual[row*len(d.Mean)+cell*d.Outputs+k]
				}, d.Outputs, 3*cells)
			}
		})
	}
}

// flat returns the numbers of nested arrays in their order.
func flat(t *testing.T, b json.RawMessage) []float64 {
	t.Helper()
	var nested []json.RawMessage
	if json.Unmarshal(b, &nested) != nil {
		x, err := strconv.ParseFloat(string(b), 64)
		if err != nil {
			t.Fatal(err)
		}
		return []float64{x}
	}
	var all []float64
	for _, each := range nested {
		all = append(all, flat(t, each)...)
	}
	return all
}

func sameByOutput(t *testing.T, want []float64, got func(k, i int) float64, outputs, n int) {
	t.Helper()
	if len(want) != outputs*n {
		t.Fatalf("%d numbers, want %d x %d", len(want), outputs, n)
	}
	for k := range outputs {
		for i := range n {
			if x := got(k, i); !(math.Abs(x-want[k*n+i]) <= 1e-6) {
				t.Errorf("output %d, number %d: %v, want %v", k, i, x, want[k*n+i])
			}
		}
	}
}

// formula is a model that computes a number from the columns of a row.
type formula struct {
	spec  model.Spec
	value func(row []float64) float64
}

func (m *formula) Spec() *model.Spec           { return &m.spec }
func (m *formula) Outputs() int                { return 1 }
func (m *formula) Describe() model.Description { return model.Description{} }
func (m *formula) Children() []model.Child     { return nil }

func (m *formula) Bind(*data.Schema, model.Options) (model.Predictor, error) { return m, nil }
func (m *formula) Width() int                                                { return 1 }

func (m *formula) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (m *formula) PredictRow(dst, row []float64) error {
	dst[0] = m.value(row)
	return nil
}

func (m *formula) Predict(dst []float64, f *data.Frame, rows []int32) error {
	row := make([]float64, len(f.Columns))
	for i, r := range f.Chosen(rows) {
		for c := range row {
			if col := &f.Columns[c]; col.Codes() != nil {
				row[c] = float64(col.Code(int(r)))
			} else {
				row[c] = col.Number(int(r))
			}
		}
		dst[i] = m.value(row)
	}
	return nil
}

// formulaTable has two numeric columns that depend on each other, a third one, and one of four
// levels; "a" and "c" occur with low numbers, "b" and "d" with high ones.
func formulaTable(t *testing.T, value func(row []float64) float64) (*formula, *data.Frame) {
	t.Helper()
	s := rng.New(3)
	var x, y, z []float64
	var level []uint32
	for range 300 {
		code := uint32(s.Intn(4))
		level = append(level, code)
		x = append(x, s.Float64()+float64(code%2))
		y = append(y, x[len(x)-1]+s.Float64())
		z = append(z, float64(s.Intn(5)))
	}
	fields := []data.Field{{Name: "x"}, {Name: "y"}, {Name: "z"},
		{Name: "level", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}
	schema := data.Schema{Fields: fields}
	f, err := data.NewFrame(schema, []data.Column{data.Numbers(x), data.Numbers(y),
		data.Numbers(z), data.Codes(level)})
	if err != nil {
		t.Fatal(err)
	}
	return &formula{model.Spec{Schema: schema, Task: data.Regression}, value}, f
}

func within(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestAccumulatedNumbers: with f = 3x + 5y the effect of x rises by 3 a unit although x and y
// depend on each other, and its mean is 0.
func TestAccumulatedNumbers(t *testing.T) {
	m, f := formulaTable(t, func(r []float64) float64 { return 3*r[0] + 5*r[1] })
	e, err := explain.AccumulatedEffects(t.Context(), m, f, nil, []string{"x"},
		explain.EffectOptions{Points: 10})
	if err != nil {
		t.Fatal(err)
	}
	ends := e.Axes[0].Values
	if len(ends) != 11 {
		t.Fatalf("ends %v", ends)
	}
	for i := range ends[1:] {
		within(t, "rise", e.Values[i+1]-e.Values[i], 3*(ends[i+1]-ends[i]))
	}
	mean := 0.0
	for _, x := range f.Columns[0].Numbers() {
		for i := range ends[1:] {
			if x <= ends[i+1] {
				mean += (e.Values[i] + e.Values[i+1]) / 2 / 300
				break
			}
		}
	}
	within(t, "mean", mean, 0)
}

// TestAccumulatedLevels: levels with similar rows are neighbours, and an additive effect is found.
func TestAccumulatedLevels(t *testing.T) {
	of := []float64{1, 10, 100, 1000}
	m, f := formulaTable(t, func(r []float64) float64 { return of[int(r[3])] + 7*r[0] })
	e, err := explain.AccumulatedEffects(t.Context(), m, f, nil, []string{"level"},
		explain.EffectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{}
	for i, level := range e.Axes[0].Levels {
		place[level] = i
	}
	if place["a"]/2 != place["c"]/2 || place["b"]/2 != place["d"]/2 {
		t.Errorf("order %v", e.Axes[0].Levels)
	}
	count := make([]float64, 4)
	for _, code := range f.Columns[3].Codes() {
		count[code]++
	}
	mean := 0.0
	for code, level := range []string{"a", "b", "c", "d"} {
		mean += count[code] * e.Values[place[level]] / 300
		within(t, level, e.Values[place[level]]-e.Values[place["a"]], of[code]-of[0])
	}
	within(t, "mean", mean, 0)
}

// TestAccumulatedPairs: with f = xz + 4x the mixed differences of the effects are those of xz, and
// each column alone has no effect left.
func TestAccumulatedPairs(t *testing.T) {
	m, f := formulaTable(t, func(r []float64) float64 { return r[0]*r[2] + 4*r[0] })
	e, err := explain.AccumulatedEffects(t.Context(), m, f, nil, []string{"x", "z"},
		explain.EffectOptions{Points: 6})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Axes) != 2 || e.Axes[0].Column != "x" || e.Axes[1].Column != "z" || e.Rows != f.Rows() {
		t.Fatalf("axes %+v of %d rows", e.Axes, e.Rows)
	}
	x, z := e.Axes[0].Values, e.Axes[1].Values
	if len(e.Values) != len(x)*len(z) || len(x) == len(z) {
		t.Fatalf("%d values of %d x %d", len(e.Values), len(x), len(z))
	}
	at := func(i, j int) float64 { return e.Values[i*len(z)+j] }
	count := map[[2]int]float64{}
	interval := func(ends []float64, v float64) int {
		i := 0
		for i < len(ends)-2 && v > ends[i+1] {
			i++
		}
		return i
	}
	for row, v := range f.Columns[0].Numbers() {
		count[[2]int{interval(x, v), interval(z, f.Columns[2].Number(row))}]++
	}
	mean := 0.0
	for i := range x[1:] {
		alone := 0.0
		for j := range z[1:] {
			within(t, "mixed difference", at(i+1, j+1)-at(i+1, j)-at(i, j+1)+at(i, j),
				(x[i+1]-x[i])*(z[j+1]-z[j]))
			n := count[[2]int{i, j}]
			alone += n * (at(i+1, j) - at(i, j) + at(i+1, j+1) - at(i, j+1)) / 2
			mean += n * (at(i+1, j) + at(i, j) + at(i+1, j+1) + at(i, j+1)) / 4
		}
		within(t, "x alone", alone, 0)
	}
	within(t, "mean", mean, 0)
}

// TestInteraction computes H by its definition, row by row.
func TestInteraction(t *testing.T) {
	value := func(r []float64) float64 { return r[0]*r[2] + 4*r[1] }
	m, f := formulaTable(t, value)
	rows := []int32{0, 5, 7, 20, 33, 80, 120, 121, 240, 299}
	got, err := explain.Interaction(t.Context(), m, f, rows, []string{"x", "y", "z"},
		explain.EffectOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	// the mean of value over rows with some columns from one of them, minus its mean
	dependence := func(columns ...int) []float64 {
		d, all := make([]float64, len(rows)), 0.0
		for i, from := range rows {
			for _, row := range rows {
				values := make([]float64, 3)
				for c := range values {
					values[c] = f.Columns[c].Number(int(row))
				}
				for _, c := range columns {
					values[c] = f.Columns[c].Number(int(from))
				}
				d[i] += value(values) / 10
			}
			all += d[i] / 10
		}
		for i := range d {
			d[i] -= all
		}
		return d
	}
	h := func(whole, one, other []float64) float64 {
		left, squares := 0.0, 0.0
		for i, x := range whole {
			left += (x - one[i] - other[i]) * (x - one[i] - other[i])
			squares += x * x
		}
		return math.Sqrt(left / squares)
	}
	want := []float64{
		h(dependence(0, 1, 2), dependence(0), dependence(1, 2)), 0,
		h(dependence(0, 1, 2), dependence(2), dependence(0, 1)), 0,
		h(dependence(0, 2), dependence(0), dependence(2)), 0,
	}
	for i, s := range got {
		within(t, "H of "+s.Columns[0], s.H[0], want[i])
	}
	if len(got) != 6 || got[4].Columns[1] != "z" {
		t.Errorf("entries %v", got)
	}
}

// TestEffectsRefuse: faults of the request have errors that name the column or the number.
func TestEffectsRefuse(t *testing.T) {
	m, f := formulaTable(t, func([]float64) float64 { return 0 })
	for what, c := range map[string]struct {
		columns []string
		o       explain.EffectOptions
		want    string
	}{
		"unknown":   {[]string{"w"}, explain.EffectOptions{}, `the model has no feature "w"`},
		"twice":     {[]string{"x", "x"}, explain.EffectOptions{}, `column "x" is named twice`},
		"three":     {[]string{"x", "y", "z"}, explain.EffectOptions{}, "effects of 3 columns: want one column or two"},
		"points":    {[]string{"x"}, explain.EffectOptions{Points: 1}, "1 points of a column: want 2 or more"},
		"label":     {[]string{"x"}, explain.EffectOptions{Output: model.Label}, "effects of columns are on proba or raw, not on the output label"},
		"of levels": {[]string{"level"}, explain.EffectOptions{Values: [][]float64{{1}}}, `column "level" has levels, not numbers`},
	} {
		_, err := explain.PartialDependence(t.Context(), m, f, nil, c.columns, c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	var column *explain.ColumnError
	_, err := explain.PartialDependence(t.Context(), m, f, nil, []string{"w"}, explain.EffectOptions{})
	if !errors.As(err, &column) || column.Column != "w" {
		t.Errorf("error %v", err)
	}
	column = nil
	_, err = explain.AccumulatedEffects(t.Context(), m, f, nil, []string{"w"}, explain.EffectOptions{})
	if !errors.As(err, &column) {
		t.Errorf("error %v", err)
	}
	if _, err = explain.AccumulatedEffects(t.Context(), m, f, nil, []string{"x", "level"}, explain.EffectOptions{}); err == nil {
		t.Error("effects of a pair with levels")
	}
}

// Rows and columns of which nothing can be shown have errors that name the column, of either kind
// of effects; tables without rows, or without a feature, are refused.
func TestEffectsOfNothing(t *testing.T) {
	m, f := formulaTable(t, func([]float64) float64 { return 0 })
	with := func(column string, c data.Column) *data.Frame {
		own := *f
		own.Columns = slices.Clone(f.Columns)
		own.Columns[f.Schema.Index(column)] = c
		return &own
	}
	n := f.Rows()
	gone := data.Numbers(slices.Repeat([]float64{math.NaN()}, n))
	noLevel := data.Codes(slices.Repeat([]uint32{data.MissingCode}, n))
	level := f.Schema.Fields[f.Schema.Index("level")].Levels[0]
	for what, c := range map[string]struct {
		f               *data.Frame
		columns         []string
		o               explain.EffectOptions
		partial, summed string
		none            bool // it is ErrNoValues
	}{
		"no numbers": {f: with("x", gone), columns: []string{"x"}, partial: `column "x" has no value in these rows`,
			summed: `column "x" has no value in these rows`, none: true},
		"no levels": {f: with("level", noLevel), columns: []string{"level"}, partial: `column "level" has no value in these rows`,
			summed: `column "level" has no value in these rows`, none: true},
		"a pair": {f: with("y", gone), columns: []string{"x", "y"}, partial: `column "y" has no value in these rows`,
			summed: `column "y" has no value in these rows`, none: true},
		"one number": {f: with("x", data.Numbers(make([]float64, n))), columns: []string{"x"},
			summed: `column "x" has one value only, 0, in these rows`},
		"one level": {f: with("level", data.Codes(make([]uint32, n))), columns: []string{"level"},
			summed: `column "level" has one level only, "` + level + `", in these rows`},
		"a pair of one": {f: with("y", data.Numbers(make([]float64, n))), columns: []string{"x", "y"},
			summed: `column "y" has one value only, 0, in these rows`},
		"no columns": {f: f, partial: "effects of 0 columns: want one column or two", summed: "effects of 0 columns: want one column or two"},
		"two lists": {f: f, columns: []string{"x"}, o: explain.EffectOptions{Values: [][]float64{{1}, {2}}},
			partial: "values of 2 columns, want 1"},
		"no rows":    {f: f.Subset(nil), columns: []string{"x"}, partial: "the table has no rows", summed: "the table has no rows"},
		"no feature": {f: f.Select([]int{1, 2}), columns: []string{"x"}, partial: "the table has no column", summed: "the table has no column"},
	} {
		_, err := explain.PartialDependence(t.Context(), m, c.f, nil, c.columns, c.o)
		_, other := explain.AccumulatedEffects(t.Context(), m, c.f, nil, c.columns, c.o)
		for i, want := range []string{c.partial, c.summed} {
			got := []error{err, other}[i]
			if (got != nil) != (want != "") || got != nil && (!strings.Contains(got.Error(), want) || errors.Is(got, explain.ErrNoValues) != c.none) {
				t.Errorf("%s: %v, want %q", what, got, want)
			}
		}
	}
	if _, err := explain.Interaction(t.Context(), m, f, nil, nil, explain.EffectOptions{}); err == nil {
		t.Error("interactions of no columns")
	}
	var column *model.MissingColumnError
	if _, err := explain.Features(m, f.Select([]int{1, 2})); !errors.As(err, &column) {
		t.Errorf("features of a table without one: %v", err)
	}
	if own, err := explain.Features(m, f); err != nil || own.Rows() != n || !slices.Equal(own.Schema.Names(), m.Spec().Schema.Names()) {
		t.Errorf("features %v, %v", own.Schema.Names(), err)
	}
}

// Places of an axis are written as people write them.
func TestTextsOfAxes(t *testing.T) {
	a := explain.Axis{Values: []float64{0.1, 1e21, -3}}
	if got := []string{a.Text(0), a.Text(1), a.Text(2)}; got[0] != "0.1" || got[2] != "-3" || a.Len() != 3 {
		t.Errorf("numbers %v", got)
	}
	a.Dates = []string{"2020-01-01", "2020-01-02", "2020-01-03"}
	if a.Text(1) != "2020-01-02" {
		t.Errorf("date %s", a.Text(1))
	}
	levels := explain.Axis{Levels: []string{"red", "blue"}}
	if levels.Text(1) != "blue" || levels.Len() != 2 {
		t.Errorf("level %s", levels.Text(1))
	}
	e := &explain.PartsError{Column: "day", Kind: data.Date, Parts: []string{"a", "b", "c", "d", "e", "f"}}
	if got := e.Error(); !strings.HasPrefix(got, `column "day" is a date, of which the model has parts: name one of a, b, c, d and 2 more`) {
		t.Errorf("error %s", got)
	}
	e.Parts = e.Parts[:4]
	if got := e.Error(); !strings.HasSuffix(got, "name one of a, b, c, d") {
		t.Errorf("error %s", got)
	}
}
