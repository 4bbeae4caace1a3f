package data_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// methods hides all of a matrix but its methods.
type methods struct{ m data.Matrix }

func (m methods) Dims() (r, c int)    { return m.m.Dims() }
func (m methods) At(i, j int) float64 { return m.m.At(i, j) }

// TestFromEveryMatrix: tables of every type of matrix have its values, whatever its size.
func TestFromEveryMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom([]int{1, 7, 8, 9, 16, 100, 8191, 8192, 20001}).Draw(t, "rows")
		c := rapid.IntRange(1, 9).Draw(t, "columns")
		single, double := make([]float32, r*c), make([]float64, r*c)
		rows := make([][]float64, r)
		for i := range double {
			single[i] = float32(i) / 7
			if i%11 == 3 {
				single[i] = float32(math.NaN())
			}
			double[i] = float64(single[i])
			rows[i/c] = append(rows[i/c], double[i])
		}
		of := data.RowMajor[float64]{Values: double, Columns: c}
		for name, from := range map[string]func() (*data.Frame, error){
			"rows": func() (*data.Frame, error) { return data.FromRows(rows, nil) },
			"float32": func() (*data.Frame, error) {
				return data.FromMatrix(data.RowMajor[float32]{Values: single, Columns: c}, nil)
			},
			"float64": func() (*data.Frame, error) { return data.FromMatrix(of, nil) },
			"gonum":   func() (*data.Frame, error) { return data.FromMatrix(mat.NewDense(r, c, double), nil) },
			"methods": func() (*data.Frame, error) { return data.FromMatrix(methods{of}, nil) },
		} {
			f, err := from()
			if err != nil || f.Rows() != r || len(f.Columns) != c {
				t.Fatalf("%s: %v", name, err)
			}
			for j := range f.Columns {
				for i, x := range f.Columns[j].Numbers() {
					if want := of.At(i, j); math.Float64bits(x) != math.Float64bits(want) {
						t.Fatalf("%s: row %d of column %d is %v, want %v", name, i, j, x, want)
					}
				}
			}
		}
	})
}

// CopyTo writes as many rows as columns have, from the first one on.
func TestCopyTo(t *testing.T) {
	m := data.RowMajor[float32]{Values: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Columns: 2}
	columns := [][]float64{{0, 0}, {0, 0}}
	m.CopyTo(columns, 1)
	if columns[0][0] != 3 || columns[0][1] != 5 || columns[1][0] != 4 || columns[1][1] != 6 {
		t.Errorf("columns %v", columns)
	}
	m.CopyTo(nil, 0)
}

func TestRowMajorRefuses(t *testing.T) {
	for _, columns := range []int{0, -1, 3} {
		m := data.RowMajor[float64]{Values: make([]float64, 8), Columns: columns}
		if f, err := data.FromMatrix(m, nil); err == nil {
			t.Errorf("%d columns: %d rows", columns, f.Rows())
		}
	}
	f := must(data.FromMatrix(data.RowMajor[float32]{Columns: 2}, []string{"a", "b"}))(t)
	wantColumns(t, f, column{Name: "a"}, column{Name: "b"})
}
