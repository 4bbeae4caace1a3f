package codectest_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// Models of every type predict tables of other forms than the one that they were bound to.
func TestModelsPredictOtherTables(t *testing.T) {
	for i, m := range codectest.Models() {
		t.Run(fmt.Sprintf("%d %T", i, m), func(t *testing.T) {
			for _, gaps := range []bool{true, false} {
				f := tableFor(t, m, 20, gaps)
				p, err := m.Bind(&f.Schema, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if p.Predict(make([]float64, 20*p.Width()), f, nil) == nil {
					modeltest.OtherTables(t, m, f)
					return
				}
			}
			t.Skip("this random model refuses every value of a column without categories")
		})
	}
}

// tableFor returns a table of a model's columns, with missing values and unseen categories if there
// may be gaps and the model takes them.
func tableFor(t *testing.T, m model.Model, rows int, gaps bool) *data.Frame {
	t.Helper()
	r := rng.New(3, uint64(rows))
	s := m.Spec().Schema.Clone()
	if len(s.Fields) == 0 { // which a table cannot be
		s.Fields = []data.Field{{Name: "any"}}
	}
	columns := make([]data.Column, len(s.Fields))
	for i, f := range s.Fields {
		if f.Kind == data.Numeric {
			columns[i] = data.Numbers(make([]float64, rows))
		} else {
			columns[i] = data.Codes(make([]uint32, rows))
		}
		for row := range rows {
			missing := gaps && f.Missing != data.Refuse && r.Intn(8) == 0
			switch {
			case f.Kind == data.Numeric && missing:
				columns[i].Numbers()[row] = math.NaN()
			case f.Kind == data.Numeric:
				columns[i].Numbers()[row] = 4*r.Float64() - 2
			case missing || len(f.Levels) == 0:
				columns[i].Codes()[row] = data.MissingCode
			case gaps && f.Unseen != data.Refuse && r.Intn(8) == 0:
				columns[i].Codes()[row] = data.UnseenCode
			default:
				columns[i].Codes()[row] = uint32(r.Intn(len(f.Levels)))
			}
		}
	}
	frame, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
