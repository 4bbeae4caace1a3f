package modeltest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// OtherTables checks that a predictor which is bound to one table predicts every other that has the
// columns of the model: of other order and number, with other dictionaries, in one call or many,
// also while other goroutines predict. It also checks that the predictor refuses tables where a
// column is missing or of another kind. f has all columns of the model, and values that the model
// predicts. All outputs that the model has are tried.
func OtherTables(t TB, m model.Model, f *data.Frame) {
	t.Helper()
	for _, output := range []model.Output{model.Response, model.Raw, model.Label, model.Leaf,
		model.Quantiles} {
		o := model.Options{Output: output, Workers: 2}
		p, err := m.Bind(&f.Schema, o)
		if errors.Is(err, model.ErrNoLeaves) || errors.Is(err, model.ErrNoQuantiles) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		others := forms(t, f)
		if numbers := inNumbers(t, m, f); numbers != nil {
			others = append(others, numbers)
		}
		want := make([][]float64, len(others))
		for i, g := range others {
			want[i] = predictWith(t, m, &g.Schema, g, o)
		}
		samePredictions(t, others, want, predictWith(t, m, &f.Schema, f, o))
		for i, bound := range others {
			q, err := m.Bind(&bound.Schema, o)
			if err != nil {
				t.Fatal(err)
			}
			for k, g := range others {
				checkPredictor(t, fmt.Sprintf("%s: bound to form %d, table of form %d", output, i,
					k), q, g, want[k])
			}
		}
		atOnce(t, p, others, want)
		keepsNothing(t, m, f, o)
		refusesTables(t, m, p, f)
		refusesRows(t, p, f)
		refusesCodes(t, m, p, f)
	}
}

// unknown is a category that no model has.
const unknown = "(a category that no model has)"

// forms returns tables with the same rows in other forms; the last one has fewer rows.
func forms(t TB, f *data.Frame) []*data.Frame {
	t.Helper()
	backwards := make([]int, len(f.Columns))
	for i := range backwards {
		backwards[i] = len(f.Columns) - 1 - i
	}
	more := f.Select(backwards)
	more.Schema.Fields = slices.Insert(more.Schema.Fields, 0,
		data.Field{Name: "(a column that no model has)"})
	more.Columns = slices.Insert(more.Columns, 0, data.Numbers(make([]float64, f.Rows())))
	turned := redone(t, f, func(levels []string) []string {
		levels = slices.Clone(levels)
		slices.Reverse(levels)
		return levels
	})
	larger := redone(t, f, func(levels []string) []string {
		return slices.Insert(slices.Clone(levels), len(levels)/2, unknown, unknown+" either")
	})
	few := f.Subset(data.AllRows((f.Rows() + 1) / 2))
	return []*data.Frame{f, more, turned, larger, redone(t, larger.Select(backwards), slices.Clone),
		occurring(t, few)}
}

// redone returns a table with other dictionaries, which have at least the texts of those of f.
func redone(t TB, f *data.Frame, levels func([]string) []string) *data.Frame {
	t.Helper()
	s := f.Schema.Clone()
	columns := slices.Clone(f.Columns)
	for i := range s.Fields {
		if s.Fields[i].Kind != data.Categorical {
			continue
		}
		now := levels(s.Fields[i].Levels)
		columns[i] = data.Codes(slices.Clone(columns[i].Codes()))
		for r, code := range columns[i].Codes() {
			if code < data.UnseenCode {
				columns[i].Codes()[r] = uint32(slices.Index(now, s.Fields[i].Levels[code]))
			}
		}
		s.Fields[i].Levels = now
	}
	return newFrame(t, s, columns)
}

// occurring returns a table with dictionaries of the categories that its rows have, in the order of
// the last rows first.
func occurring(t TB, f *data.Frame) *data.Frame {
	t.Helper()
	s := f.Schema.Clone()
	columns := slices.Clone(f.Columns)
	for i := range s.Fields {
		if s.Fields[i].Kind != data.Categorical {
			continue
		}
		var now []string
		codes := slices.Clone(columns[i].Codes())
		for r, code := range slices.Backward(codes) {
			if code >= data.UnseenCode {
				continue
			}
			text := s.Fields[i].Levels[code]
			if !slices.Contains(now, text) {
				now = append(now, text)
			}
			codes[r] = uint32(slices.Index(now, text))
		}
		s.Fields[i].Levels, columns[i] = now, data.Codes(codes)
	}
	return newFrame(t, s, columns)
}

// inNumbers returns a table that has numbers for the categories of columns where the model has bare
// codes, nil if there are no such columns. The numbers are codes with a fraction behind.
func inNumbers(t TB, m model.Model, f *data.Frame) *data.Frame {
	t.Helper()
	s, columns := f.Schema.Clone(), slices.Clone(f.Columns)
	found := false
	for _, field := range m.Spec().Schema.Fields {
		if !field.BareCodes() {
			continue
		}
		found = true
		at := f.Schema.Index(field.Name)
		numbers := make([]float64, f.Rows())
		for r, code := range f.Columns[at].Codes() {
			switch {
			case code == data.MissingCode:
				numbers[r] = math.NaN()
			case code == data.UnseenCode ||
				slices.Index(field.Levels, f.Schema.Fields[at].Levels[code]) < 0:
				numbers[r] = []float64{-1, math.Inf(1), float64(len(field.Levels)), -1e300}[r%4]
			default:
				own := slices.Index(field.Levels, f.Schema.Fields[at].Levels[code])
				numbers[r] = float64(own) + float64(r%4)/4
			}
		}
		s.Fields[at].Kind, s.Fields[at].Levels, s.Fields[at].Format = data.Numeric, nil, ""
		columns[at] = data.Numbers(numbers)
	}
	if !found {
		return nil
	}
	return newFrame(t, s, columns)
}

func newFrame(t TB, s data.Schema, columns []data.Column) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// predictWith binds to a schema and predicts all rows of a table.
func predictWith(t TB, m model.Model, s *data.Schema, f *data.Frame, o model.Options) []float64 {
	t.Helper()
	p, err := m.Bind(s, o)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

// samePredictions: each form of the table, bound by itself, has the predictions of the first.
func samePredictions(t TB, others []*data.Frame, got [][]float64, want []float64) {
	t.Helper()
	for i := range others {
		if !alike(got[i], want[:len(got[i])]) {
			t.Fatalf("form %d of the table, bound to its own schema, is predicted %v, want %v", i,
				got[i], want[:len(got[i])])
		}
	}
}

// checkPredictor predicts a table in one call, in another order, and row by row: few rows and many
// take different ways.
func checkPredictor(t TB, what string, p model.Predictor, f *data.Frame, want []float64) {
	t.Helper()
	w := p.Width()
	dst := make([]float64, len(want))
	if err := p.Predict(dst, f, nil); err != nil || !alike(dst, want) {
		t.Fatalf("%s: %v, %v, want %v", what, dst, err, want)
	}
	for r := range min(f.Rows(), 8) {
		if err := p.Predict(dst[:w], f, []int32{int32(r)}); err != nil ||
			!alike(dst[:w], want[r*w:(r+1)*w]) {
			t.Fatalf("%s: row %d alone is %v, %v, want %v", what, r, dst[:w], err,
				want[r*w:(r+1)*w])
		}
	}
}

// atOnce predicts many tables with one predictor at the same time.
func atOnce(t TB, p model.Predictor, others []*data.Frame, want [][]float64) {
	t.Helper()
	faults := make([]string, len(others))
	var wg sync.WaitGroup
	for i, f := range others {
		wg.Go(func() {
			dst := make([]float64, len(want[i]))
			for range 3 {
				if err := p.Predict(dst, f, nil); err != nil || !alike(dst, want[i]) {
					faults[i] = fmt.Sprintf("form %d of the table beside others: %v, %v, want %v",
						i, dst, err, want[i])
				}
			}
		})
	}
	wg.Wait()
	for _, fault := range faults {
		if fault != "" {
			t.Fatal(fault)
		}
	}
}

// keepsNothing: changes to the bound schema, or to a table after its prediction, change no
// prediction.
func keepsNothing(t TB, m model.Model, f *data.Frame, o model.Options) {
	t.Helper()
	want := predictWith(t, m, &f.Schema, f, o)
	turned := forms(t, f)[2]
	s := turned.Schema.Clone()
	p, err := m.Bind(&s, o)
	if err != nil {
		t.Fatal(err)
	}
	spoil(&s)
	checkPredictor(t, "after the bound schema was changed", p, f, want)
	row := make([]float64, len(turned.Columns))
	dst := make([]float64, p.Width())
	for i := range row {
		row[i] = value(&turned.Columns[i], 0)
	}
	if err := p.PredictRow(dst, row); err != nil || !alike(dst, want[:len(dst)]) {
		t.Fatalf("a row, after the bound schema was changed: %v, %v, want %v", dst, err,
			want[:len(dst)])
	}
	other := newFrame(t, f.Schema.Clone(), f.Columns)
	if err := p.Predict(make([]float64, len(want)), other, nil); err != nil {
		t.Fatal(err)
	}
	for i := range other.Schema.Fields { // the same slices hold other texts
		slices.Reverse(other.Schema.Fields[i].Levels)
	}
	checkPredictor(t, "after a predicted table's dictionaries were changed", p, other,
		predictWith(t, m, &other.Schema, other, o))
	checkPredictor(t, "after another table's dictionaries were changed", p, f, want)
}

// spoil changes all memory of a schema.
func spoil(s *data.Schema) {
	for i := range s.Fields {
		for k := range s.Fields[i].Levels {
			s.Fields[i].Levels[k] = fmt.Sprint("spoilt ", k)
		}
		s.Fields[i] = data.Field{Name: fmt.Sprint("spoilt ", i), Kind: 1 - s.Fields[i].Kind}
	}
}

// refusesTables: a column of the model that is missing in a table, or of another kind, is named.
func refusesTables(t TB, m model.Model, p model.Predictor, f *data.Frame) {
	t.Helper()
	dst := make([]float64, f.Rows()*p.Width())
	for _, field := range m.Spec().Schema.Fields {
		if field.BareCodes() { // numbers are right too, see inNumbers
			continue
		}
		at := f.Schema.Index(field.Name)
		var others []int
		for i := range f.Columns {
			// parts of one date determine each other
			if f.Schema.Fields[i].Source() != field.Source() {
				others = append(others, i)
			}
		}
		var missing *model.MissingColumnError
		if err := p.Predict(dst, f.Select(others), nil); !errors.As(err, &missing) ||
			missing.Column != field.Source() {
			t.Fatalf("a table without column %q: error %v, want a MissingColumnError",
				field.Source(), err)
		}
		s, columns := f.Schema.Clone(), slices.Clone(f.Columns)
		s.Fields[at].From, s.Fields[at].Text, s.Fields[at].Format = nil, nil, ""
		if field.Kind == data.Numeric {
			s.Fields[at].Kind, s.Fields[at].Levels, columns[at] = data.Categorical, []string{"a"},
				data.Codes(make([]uint32, f.Rows()))
		} else {
			s.Fields[at].Kind, s.Fields[at].Levels, columns[at] = data.Numeric, nil,
				data.Numbers(make([]float64, f.Rows()))
		}
		var kind *model.KindError
		for _, rows := range [][]int32{nil, {}} {
			if err := p.Predict(dst, newFrame(t, s, columns), rows); !errors.As(err, &kind) ||
				kind.Column != field.Name {
				t.Fatalf("a table whose column %q is of another kind: error %v, want a KindError",
					field.Name, err)
			}
		}
	}
}

// refusesRows: rows that the table does not have are an error.
func refusesRows(t TB, p model.Predictor, f *data.Frame) {
	t.Helper()
	dst := make([]float64, 2*p.Width())
	for _, row := range []int32{-1, int32(f.Rows()), math.MaxInt32, math.MinInt32} {
		var fault *data.RowError
		if err := p.Predict(dst, f, []int32{0, row}); !errors.As(err, &fault) || fault.Row != row {
			t.Fatalf("row %d of a table of %d rows: error %v, want a RowError", row, f.Rows(), err)
		}
	}
}

// refusesCodes: what is no code of the bound dictionary is an error of PredictRow that names the
// column.
func refusesCodes(t TB, m model.Model, p model.Predictor, f *data.Frame) {
	t.Helper()
	dst := make([]float64, p.Width())
	row := make([]float64, len(f.Columns))
	for i := range row {
		row[i] = value(&f.Columns[i], 0)
	}
	if err := p.PredictRow(dst, row); err != nil {
		t.Fatal(err)
	}
	for _, field := range m.Spec().Schema.Fields {
		if field.Kind != data.Categorical {
			continue
		}
		at := f.Schema.Index(field.Name)
		sound := row[at]
		for _, x := range []float64{0.5, float64(len(f.Schema.Fields[at].Levels)), 1e300,
			math.Inf(1), math.Inf(-1), -2, -0.5, float64(data.MissingCode),
			float64(data.UnseenCode)} {
			row[at] = x
			var fault *model.ValueError
			if err := p.PredictRow(dst, row); !errors.As(err, &fault) ||
				fault.Column != field.Name || fault.Row != -1 {
				t.Fatalf("PredictRow of %v in the categorical column %q: error %v, want a "+
					"ValueError", x, field.Name, err)
			}
		}
		row[at] = sound
	}
}

// alike compares predictions; NaN is equal to NaN.
func alike(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y)
	})
}
