package coppice

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// drawnRows are the golden rows that are drawn from the training table: those with the least hashes
// of their positions among the training rows.
type drawnRows struct {
	at   []int32 // positions that were not seen yet, ascending
	seen int
	rows []*data.Frame
}

// add takes the next training rows, which are rows of a frame.
func (d *drawnRows) add(f *data.Frame, rows []int32) {
	var own []int32
	for len(d.at) > 0 && int(d.at[0]) < d.seen+len(rows) {
		own, d.at = append(own, rows[int(d.at[0])-d.seen]), d.at[1:]
	}
	if d.seen += len(rows); own != nil {
		d.rows = append(d.rows, f.Subset(own))
	}
}

// values returns the rows in the form of model.Golden, for the schema of a model.
func (d *drawnRows) values(s *data.Schema) []float64 {
	var all []float64
	for _, f := range d.rows {
		columns := make([]int, len(s.Fields))
		for i := range s.Fields {
			columns[i] = f.Schema.Index(s.Fields[i].Name)
		}
		for row := range f.Rows() {
			for i, c := range columns {
				all = append(all, valueOf(f, c, row, &s.Fields[i]))
			}
		}
	}
	return all
}

// valueOf returns the value of a column in a row: of a category its code in a field's dictionary,
// NaN where it has none.
func valueOf(f *data.Frame, column, row int, as *data.Field) float64 {
	if column < 0 {
		return math.NaN()
	}
	if as.Kind != data.Categorical {
		return f.Columns[column].Number(row)
	}
	code := f.Columns[column].Code(row)
	if code >= data.UnseenCode {
		return math.NaN()
	}
	at := slices.Index(as.Levels, f.Schema.Fields[column].Levels[code])
	if at < 0 {
		return math.NaN()
	}
	return float64(at)
}

// golden returns the golden rows of a model with a profile; nil: it has none. values are those of
// rows that were drawn.
func (r *record) golden(m model.Model, values []float64) *model.Golden {
	fields := len(m.Spec().Schema.Fields)
	switch {
	case r.stored.noGolden:
		return nil
	case !r.stored.drawn:
		return profile.Golden(m, m.Spec().Profile, r.job.Seed)
	case fields == 0 || len(values) == 0:
		return nil
	}
	rows := min(len(values)/fields, model.GoldenCount(m))
	if rows == 0 {
		return nil
	}
	g := &model.Golden{Drawn: true, Rows: rows, Values: values[:rows*fields]}
	return g.Predicted(m)
}

// sentValues writes numbers as a text, for ranks that have not read the rows.
func sentValues(values []float64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, b)
}

func receivedValues(text []byte) ([]float64, error) {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	var values []float64
	for ; len(b) >= 8; b = b[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return values, err
}
