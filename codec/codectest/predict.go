package codectest

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// predictedRows is the number of rows that Predicts makes.
const predictedRows = 9

// Predicts binds a model to a small table of its own columns, with missing, unseen and infinite
// values, and predicts all outputs that it has. Rows by themselves must give what they give in the
// table; an error must be one in both.
func Predicts(t *testing.T, m model.Model) {
	t.Helper()
	if len(m.Spec().Schema.Fields) == 0 {
		return // a table without columns has no rows
	}
	f := strangeRows(&m.Spec().Schema)
	for _, output := range []model.Output{model.Response, model.Raw, model.Label, model.Leaf,
		model.Quantiles} {
		p, err := m.Bind(&f.Schema,
			model.Options{Output: output, Workers: 1, Quantiles: []float64{0.5}})
		if err != nil {
			continue
		}
		all, one, row := make([]float64, p.Width()), make([]float64, p.Width()),
			make([]float64, len(f.Columns))
		for i := range int32(predictedRows) {
			for k := range f.Columns {
				row[k] = strange(&f.Schema.Fields[k], int(i))
			}
			inTable, alone := p.Predict(all, f, []int32{i}), p.PredictRow(one, row)
			if (inTable == nil) != (alone == nil) {
				t.Fatalf("%v of row %d: %v in the table, %v alone", output, i, inTable, alone)
			}
			if inTable == nil && bits(all) != bits(one) {
				t.Fatalf("%v of row %d: %v in the table, %v alone", output, i, all, one)
			}
		}
	}
}

// bits distinguishes numbers as no comparison does: NaN is equal to itself.
func bits(v []float64) string {
	b := make([]uint64, len(v))
	for i := range v {
		b[i] = math.Float64bits(v[i])
		if math.IsNaN(v[i]) {
			b[i] = math.Float64bits(math.NaN())
		}
	}
	return fmt.Sprint(b)
}

// strangeRows makes a table with the columns of a schema.
func strangeRows(s *data.Schema) *data.Frame {
	columns := make([]data.Column, len(s.Fields))
	for k := range s.Fields {
		for i := range predictedRows {
			v := strange(&s.Fields[k], i)
			switch {
			case s.Fields[k].Kind != data.Categorical:
				columns[k] = data.Numbers(append(columns[k].Numbers(), v))
			case math.IsNaN(v):
				columns[k] = data.Codes(append(columns[k].Codes(), data.MissingCode))
			case v < 0:
				columns[k] = data.Codes(append(columns[k].Codes(), data.UnseenCode))
			default:
				columns[k] = data.Codes(append(columns[k].Codes(), uint32(v)))
			}
		}
	}
	f, err := data.NewFrame(*s, columns)
	if err != nil {
		panic(err) // the columns are of their kinds and lengths
	}
	return f
}

// strange returns the value of a column in a row, as PredictRow takes it.
func strange(f *data.Field, row int) float64 {
	if f.Kind == data.Categorical {
		codes := []float64{math.NaN(), -1, 0, float64(len(f.Levels) / 2),
			float64(len(f.Levels) - 1)}
		if code := codes[row%len(codes)]; code < float64(len(f.Levels)) {
			return max(code, -1)
		}
		return math.NaN()
	}
	if f.Kind == data.Date || f.Derived() { // no reader makes infinite dates or counts
		return []float64{math.NaN(), 0, 1.5, -7, 1e9}[row%5]
	}
	return []float64{math.NaN(), 0, math.Copysign(0, -1), 1.5, -7, 1e300, -1e300, math.Inf(1),
		math.Inf(-1)}[row%9]
}
