package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/coppice-ml/coppice/learn/internal/fitting"
)

// solution is the coefficients of all outputs.
type solution struct {
	bias, coef []float64
	rank       int
}

// solve brings the rows into a triangle and solves that. With the rows' vectors less their mean, X,
// and the outputs, Y, each row times the root of its weight, there is an orthogonal Q such that
//
//	Q' [X Y] = [R Z]      R triangular; no coefficients explain the rows of E
//	           [0 E]
//
// The best coefficients solve R c = Z. A penalty is a row more for each coefficient: the root of
// l2, and output 0.
func solve(ctx context.Context, table *fitting.VectorTable, p *leastSquares, l2 float64,
	workers int) (*solution, error) {
	mean, err := means(ctx, table, p, workers)
	if err != nil {
		return nil, err
	}
	width, outputs := len(mean), len(p.y)
	all := width + outputs
	r := &triangle{n: all}
	err = fitting.Chunks(ctx, table, p.pop.Rows, max(chunkRows, 4*all), workers,
		func(c fitting.Chunk) (blas64.General, error) {
			b := general(c.Hi-c.Lo, all)
			for i := range b.Rows {
				row, root := b.Data[i*all:(i+1)*all], math.Sqrt(p.pop.WeightAt(c.Lo+i))
				for k, x := range c.X[i*width : (i+1)*width] {
					row[k] = root * (x - mean[k])
				}
				for o := range outputs {
					row[width+o] = root * p.y[o][c.Lo+i]
				}
			}
			return reduce(b), nil
		}, func(b blas64.General) error { r.join(b); return nil })
	if err != nil {
		return nil, err
	}
	if l2 > 0 {
		b := general(width, all)
		for k := range width {
			b.Data[k*all+k] = math.Sqrt(l2)
		}
		r.join(b)
	}
	return p.coefficients(r, mean), nil
}

// chunkRows is the number of rows whose sums are added up at once, and the least that are brought
// into a triangle.
const chunkRows = 1024

// means returns the means of the vectors.
func means(ctx context.Context, table *fitting.VectorTable, p *leastSquares, workers int) ([]float64, error) {
	width := table.Encoding.Width()
	mean := make([]float64, width)
	err := fitting.Chunks(ctx, table, p.pop.Rows, chunkRows, workers,
		func(c fitting.Chunk) ([]float64, error) {
			sum := make([]float64, width)
			for i := c.Lo; i < c.Hi; i++ {
				w := p.pop.WeightAt(i) / p.total
				for k, x := range c.X[(i-c.Lo)*width : (i-c.Lo+1)*width] {
					sum[k] += float64(w * x)
				}
			}
			return sum, nil
		}, func(sum []float64) error {
			for k, x := range sum {
				mean[k] += x
			}
			return nil
		})
	return mean, err
}

// coefficients solves the triangle.
func (p *leastSquares) coefficients(r *triangle, mean []float64) *solution {
	width, outputs := len(mean), len(p.y)
	s := &solution{bias: make([]float64, outputs), coef: make([]float64, width*outputs)}
	c, rank := r.solve(width)
	s.rank = rank
	for o := range outputs {
		bias := p.mean[o]
		for k := range width {
			x := c.Data[k*c.Stride+o]
			bias -= float64(x * mean[k])
			s.coef[o*width+k] = finite(x * p.unit[o])
		}
		s.bias[o] = finite(bias * p.unit[o])
	}
	return s
}

// finite returns the number nearest to x that is finite.
func finite(x float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, x)) }

func general(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns,
		Data: make([]float64, rows*columns)}
}

// triangle is the rows so far, reduced to at most n rows of n numbers.
type triangle struct {
	n    int
	rows blas64.General
}

// join adds rows.
func (t *triangle) join(b blas64.General) {
	both := general(t.rows.Rows+b.Rows, t.n)
	copy(both.Data, t.rows.Data)
	copy(both.Data[t.rows.Rows*t.n:], b.Data)
	t.rows = reduce(both)
}

// reduce multiplies b by the orthogonal matrix that makes it an upper triangle, which has no more
// rows than columns.
func reduce(b blas64.General) blas64.General {
	if b.Rows == 0 {
		return b
	}
	least := min(b.Rows, b.Cols)
	tau, size := make([]float64, least), make([]float64, 1)
	lapack64.Geqrf(b, tau, size, -1)
	lapack64.Geqrf(b, tau, make([]float64, int(size[0])), int(size[0]))
	b.Rows, b.Data = least, b.Data[:least*b.Stride]
	for i := range b.Rows {
		clear(b.Data[i*b.Stride : i*b.Stride+i])
	}
	return b
}

// least is the diagonal element of a pivoted triangle, relative to the first, below which a column
// follows from those before it.
const least = 1e-11

// solve returns the shortest coefficients of the first width columns that explain the others best,
// width rows of a number for each output, and the rank of the columns.
//
// Columns are taken in the order in which each explains most that those before do not (pivoting);
// those that explain nothing more are left out:
//
//	R P = Q [T S]     T triangular, as large as the rank
//	        [0 0]
//
// The shortest solution of [T S] c = b is V (T')^-1 b, with [T S]' = V [T'; 0], another reduction
// to a triangle (the complete orthogonal decomposition: Golub & Van Loan, Matrix Computations,
// section 5.5).
func (t *triangle) solve(width int) (c blas64.General, rank int) {
	outputs := t.n - width
	c = general(width, outputs)
	rows := min(width, t.rows.Rows)
	if rows == 0 {
		return c, 0
	}
	a, z := general(rows, width), general(rows, outputs)
	for i := range rows {
		copy(a.Data[i*width:(i+1)*width], t.rows.Data[i*t.n:])
		copy(z.Data[i*outputs:(i+1)*outputs], t.rows.Data[i*t.n+width:])
	}
	order := pivot(a, z)
	for rank < rows && math.Abs(a.Data[rank*width+rank]) > least*math.Abs(a.Data[0]) {
		rank++
	}
	if rank == 0 {
		return c, 0
	}
	across := general(width, rank) // [T S]'
	for i := range rank {
		for k := i; k < width; k++ {
			across.Data[k*rank+i] = a.Data[i*width+k]
		}
	}
	tau, size := make([]float64, rank), make([]float64, 1)
	lapack64.Geqrf(across, tau, size, -1)
	lapack64.Geqrf(across, tau, make([]float64, int(size[0])), int(size[0]))
	x := general(width, outputs)
	copy(x.Data, z.Data[:rank*outputs])
	upper := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: rank, Stride: rank,
		Data: across.Data}
	blas64.Trsm(blas.Left, blas.Trans, 1, upper,
		blas64.General{Rows: rank, Cols: outputs, Stride: outputs, Data: x.Data})
	lapack64.Ormqr(blas.Left, blas.NoTrans, across, tau, x, size, -1)
	lapack64.Ormqr(blas.Left, blas.NoTrans, across, tau, x, make([]float64, int(size[0])),
		int(size[0]))
	for k, column := range order {
		copy(c.Data[column*outputs:(column+1)*outputs], x.Data[k*outputs:(k+1)*outputs])
	}
	return c, rank
}

// pivot makes a a triangle of columns in another order, which it returns, and multiplies z by the
// same orthogonal matrix.
func pivot(a, z blas64.General) (order []int) {
	order = make([]int, a.Cols)
	for i := range order {
		order[i] = -1 // free to go anywhere
	}
	tau, size := make([]float64, min(a.Rows, a.Cols)), make([]float64, 1)
	lapack64.Geqp3(a, order, tau, size, -1)
	lapack64.Geqp3(a, order, tau, make([]float64, int(size[0])), int(size[0]))
	reflections := a
	reflections.Cols = len(tau)
	lapack64.Ormqr(blas.Left, blas.Trans, reflections, tau, z, size, -1)
	lapack64.Ormqr(blas.Left, blas.Trans, reflections, tau, z, make([]float64, int(size[0])),
		int(size[0]))
	return order
}
