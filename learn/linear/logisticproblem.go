package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// logisticProblem is a sum over rows to be minimised. Its unknowns are, for each score, a
// coefficient for each place of the vectors and the constant:
//
//	c c ... c b   c c ... c b   ...
//	score 0       score 1
//
// There is one score, of the second class, if two classes have rows and the task is binary; else
// one for each class that has rows.
type logisticProblem struct {
	*fitting.VectorTable
	pop     *grow.Population
	l2      float64
	workers int
	total   float64 // weight of all rows
	present []int   // classes that have rows
	place   []int   // by class: its place in present
	outputs int
	offset  []float64 // by frame row, of the one score of two classes; nil = 0
	width   int       // unknowns of a score
}

func newLogisticProblem(e *fitting.VectorTable, pop *grow.Population, t *data.Target, l2 float64,
	workers int) *logisticProblem {
	p := &logisticProblem{VectorTable: e, pop: pop, l2: l2, workers: workers, width: e.Encoding.Width() +
		1, place: make([]int, len(t.Classes))}
	weight := make([]float64, len(t.Classes))
	for i, c := range pop.Class {
		weight[c] += pop.WeightAt(i)
		p.total += pop.WeightAt(i)
	}
	for c, w := range weight {
		if w > 0 {
			p.place[c] = len(p.present)
			p.present = append(p.present, c)
		}
	}
	p.outputs = len(p.present)
	if len(p.present) == 2 && len(t.Classes) == 2 {
		p.outputs, p.offset = 1, t.Offset
	}
	return p
}

// unknowns is the number of unknowns.
func (p *logisticProblem) unknowns() int { return p.outputs * p.width }

// absent is the score of a class without training rows: so low that its probability is 0.
const absent = -1000

// scores makes the constants and coefficients of a linear model of what was found.
func (p *logisticProblem) scores(at []float64, classes int) (bias, coef []float64) {
	width := p.width - 1
	if classes == 2 { // one score: the second class's
		if len(p.present) == 1 {
			bias = []float64{absent}
			if p.present[0] == 1 {
				bias[0] = -absent
			}
			return bias, make([]float64, width)
		}
		return []float64{at[width]}, at[:width:width]
	}
	bias, coef = make([]float64, classes), make([]float64, classes*width)
	for c := range bias {
		bias[c] = absent
	}
	for k, c := range p.present {
		if len(p.present) == 1 {
			bias[c] = 0
			break
		}
		own := at[k*p.width : (k+1)*p.width]
		bias[c] = own[width]
		copy(coef[c*width:], own[:width])
	}
	return bias, coef
}

// logisticSums are the loss of rows and its derivatives.
type logisticSums struct {
	derivatives     // Hessian nil: not requested
	certain     int // rows whose class has a probability within 1e-9 of 1
}

func (p *logisticProblem) newSums(second bool) *logisticSums {
	n := p.unknowns()
	s := &logisticSums{derivatives: derivatives{Gradient: make([]float64, n)}}
	if second {
		s.Hessian = make([]float64, n*n)
	}
	return s
}

// eval returns the loss at a place with its derivatives, the second on request, including the
// penalty.
func (p *logisticProblem) eval(ctx context.Context, at []float64, second bool) (*logisticSums, error) {
	total := p.newSums(second)
	err := fitting.Chunks(ctx, p.VectorTable, p.pop.Rows, chunkRows, p.workers,
		func(c fitting.Chunk) (*logisticSums, error) {
			return p.chunk(c, at, second), nil
		}, func(s *logisticSums) error {
			total.Loss += s.Loss
			total.certain += s.certain
			for k, g := range s.Gradient {
				total.Gradient[k] += g
			}
			for k, h := range s.Hessian {
				total.Hessian[k] += h
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	n := p.unknowns()
	for k, c := range at {
		if k%p.width == p.width-1 {
			continue // a constant
		}
		total.Loss += float64(p.l2 / 2 * c * c)
		total.Gradient[k] += float64(p.l2 * c)
		if second {
			total.Hessian[k*n+k] += p.l2
		}
	}
	return total, nil
}

// chunk adds up some rows.
func (p *logisticProblem) chunk(c fitting.Chunk, at []float64, second bool) *logisticSums {
	s, rows := p.newSums(second), c.Hi-c.Lo
	x := p.extended(c)
	scores := general(rows, p.outputs)
	where := blas64.General{Rows: p.outputs, Cols: p.width, Stride: p.width, Data: at}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, where, 0, scores)
	if p.offset != nil {
		for i := range rows {
			scores.Data[i] += p.offset[p.pop.Rows[c.Lo+i]]
		}
	}
	residual := general(rows, p.outputs)
	for i := range rows {
		own, w, class := scores.Data[i*p.outputs:(i+1)*p.outputs], p.pop.WeightAt(c.Lo+i),
			p.place[p.pop.Class[c.Lo+i]]
		loss := probabilities(own, class)
		s.Loss += float64(w * loss)
		if loss < 1e-9 {
			s.certain++
		}
		for k, probability := range own {
			if p.outputs == 1 && class == 1 || p.outputs > 1 && class == k {
				probability--
			}
			residual.Data[i*p.outputs+k] = w * probability
		}
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, residual, x, 0,
		blas64.General{Rows: p.outputs, Cols: p.width, Stride: p.width, Data: s.Gradient})
	if second {
		p.curvature(s.Hessian, x, scores, c.Lo)
	}
	return s
}

// extended returns the vectors of a chunk, each with a 1 for the constant.
func (p *logisticProblem) extended(c fitting.Chunk) blas64.General {
	x := general(c.Hi-c.Lo, p.width)
	for i := range x.Rows {
		row := x.Data[i*p.width : (i+1)*p.width]
		copy(row, c.X[i*(p.width-1):(i+1)*(p.width-1)])
		row[p.width-1] = 1
	}
	return x
}

// curvature adds the second derivatives: of scores k and l, the sum of weight (p_k [k = l] - p_k
// p_l) x x'.
func (p *logisticProblem) curvature(hessian []float64, x, probability blas64.General, lo int) {
	n := p.unknowns()
	scaled := general(x.Rows, p.width)
	for k := range p.outputs {
		for l := k; l < p.outputs; l++ {
			for i := range x.Rows {
				a, b := probability.Data[i*p.outputs+k], probability.Data[i*p.outputs+l]
				f := -a * b
				if k == l {
					f = a * (1 - a)
				}
				f *= p.pop.WeightAt(lo + i)
				row, to := x.Data[i*p.width:(i+1)*p.width], scaled.Data[i*p.width:(i+1)*p.width]
				for j, v := range row {
					to[j] = f * v
				}
			}
			block := blas64.General{Rows: p.width, Cols: p.width, Stride: n,
				Data: hessian[k*p.width*n+l*p.width:]}
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, scaled, x, 1, block)
		}
	}
}

// probabilities overwrites the scores of a row by class probabilities, one score by that of the
// second of two classes, and returns the loss of a class.
func probabilities(s []float64, class int) (loss float64) {
	if len(s) == 1 {
		z := s[0]
		e := kernel.Exp(-math.Abs(z))
		if loss = kernel.Log(1 + e); (z > 0) != (class == 1) {
			loss += math.Abs(z)
		}
		s[0] = 1 / (1 + e)
		if z < 0 {
			s[0] = e / (1 + e)
		}
		return loss
	}
	top := s[0]
	for _, z := range s {
		top = max(top, z)
	}
	own, sum := s[class]-top, 0.0
	for k, z := range s {
		s[k] = kernel.Exp(z - top)
		sum += s[k]
	}
	for k := range s {
		s[k] /= sum
	}
	return kernel.Log(sum) - own
}
