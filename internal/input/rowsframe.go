package input

import "github.com/coppice-ml/coppice/data"

// RowsFrame returns n rows of numbers, as model.Predictor.PredictRow takes them, as a table of
// their schema. The error is that of data.NewFrame.
func RowsFrame(s *data.Schema, n int, row func(i int) []float64) (*data.Frame, error) {
	columns := make([]data.Column, len(s.Fields))
	for k := range s.Fields {
		if s.Fields[k].Kind.HasLevels() {
			codes := make([]uint32, n)
			for i := range codes {
				codes[i] = data.CodeOf(row(i)[k])
			}
			columns[k] = data.Codes(codes)
			continue
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = row(i)[k]
		}
		columns[k] = data.Numbers(values)
	}
	return data.NewFrame(*s, columns)
}
