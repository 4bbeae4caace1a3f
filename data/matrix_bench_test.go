package data_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/coppice-ml/coppice/data"
)

const (
	benchRows    = 200_000
	benchColumns = 28
)

// cells is a matrix of which only its methods are known.
type cells []float32

func (m cells) Dims() (r, c int)    { return len(m) / benchColumns, benchColumns }
func (m cells) At(i, j int) float64 { return float64(m[i*benchColumns+j]) }

// BenchmarkFromMatrix makes columns of rows of numbers, of every type that tables are made of.
func BenchmarkFromMatrix(b *testing.B) {
	single := make([]float32, benchRows*benchColumns)
	double := make([]float64, benchRows*benchColumns)
	for i := range single {
		single[i], double[i] = float32(i%1000), float64(i%1000)
	}
	rows := make([][]float64, benchRows)
	for i := range rows {
		rows[i] = double[i*benchColumns:][:benchColumns]
	}
	for _, c := range []struct {
		name string
		make func() (*data.Frame, error)
	}{
		{"matrix", func() (*data.Frame, error) { return data.FromMatrix(cells(single), nil) }},
		{"float32", func() (*data.Frame, error) {
			return data.FromMatrix(data.RowMajor[float32]{single, benchColumns}, nil)
		}},
		{"float64", func() (*data.Frame, error) {
			return data.FromMatrix(data.RowMajor[float64]{double, benchColumns}, nil)
		}},
		{"gonum", func() (*data.Frame, error) {
			return data.FromMatrix(mat.NewDense(benchRows, benchColumns, double), nil)
		}},
		{"rows", func() (*data.Frame, error) { return data.FromRows(rows, nil) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.make(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
		})
	}
}

// BenchmarkCopyTo fills the columns of a table of 2,048 rows, as a service does block by block.
func BenchmarkCopyTo(b *testing.B) {
	const rows = 2048
	m := data.RowMajor[float32]{make([]float32, 64*rows*benchColumns), benchColumns}
	columns := make([][]float64, benchColumns)
	for j := range columns {
		columns[j] = make([]float64, rows)
	}
	block := 0
	for b.Loop() {
		m.CopyTo(columns, block%64*rows)
		block++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}
