package recipe

import (
	"strconv"

	"github.com/coppice-ml/coppice/data"
)

// Matrix returns rows from, from+1, ..., row after row, and their labels.
func (t *Table) Matrix(from, rows int) (x, y []float32) {
	x, y = make([]float32, rows*t.Features), make([]float32, rows)
	wide := make([]float64, t.Features)
	for i := range y {
		y[i] = t.Row(from+i, x[i*t.Features:][:t.Features], wide)
	}
	return x, y
}

// Dataset returns rows from, from+1, ... with so many columns; 0 = all. Columns after the last are
// the columns again, their values those of other rows.
func (t *Table) Dataset(from, rows, width int) (*data.Dataset, error) {
	if width == 0 {
		width = t.Features
	}
	schema, columns := data.Schema{Fields: make([]data.Field, width)}, make([]data.Column, width)
	for j := range columns {
		schema.Fields[j].Name = "f" + strconv.Itoa(j)
		if j < len(t.levels) {
			schema.Fields[j].Kind, schema.Fields[j].Levels = data.Categorical, texts(t.levels[j])
			columns[j] = data.Codes(make([]uint32, rows))
			continue
		}
		columns[j] = data.Numbers(make([]float64, rows))
	}
	ds := &data.Dataset{Target: t.target(rows)}
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	for i := range rows {
		for first := 0; first < width; first += t.Features {
			y := t.Row(from+i+first*rows, x, wide)
			switch {
			case first > 0:
			case t.Classes > 0:
				ds.Target.Class[i] = uint32(y)
			default:
				ds.Target.Y[0][i] = float64(y)
			}
			for j, v := range x[:min(t.Features, width-first)] {
				if c := &columns[first+j]; c.Codes() != nil {
					c.Codes()[i] = uint32(v)
				} else {
					c.Numbers()[i] = float64(v)
				}
			}
		}
	}
	var err error
	ds.Frame, err = data.NewFrame(schema, columns)
	return ds, err
}

// target returns labels with room for so many rows.
func (t *Table) target(rows int) data.Target {
	if t.Classes == 0 {
		return data.Target{Name: "y", Task: data.Regression, Y: [][]float64{make([]float64, rows)}}
	}
	task := data.Multiclass
	if t.Classes == 2 {
		task = data.Binary
	}
	return data.Target{Name: "y", Task: task, Classes: texts(t.Classes), Class: make([]uint32, rows)}
}

// texts are "0", "1", ..., n of them.
func texts(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}
