package cox

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/newton"
)

// chunkRows is the number of rows whose sums are added up at once.
const chunkRows = 1024

// scores returns the scores of all rows, by place.
func (p *problem) scores(ctx context.Context, at []float64) ([]float64, error) {
	scores := make([]float64, 0, len(p.rows))
	err := fitting.Chunks(ctx, p.VectorTable, p.rows, chunkRows, p.workers,
		func(c fitting.Chunk) ([]float64, error) {
			own := make([]float64, c.Hi-c.Lo)
			for i := range own {
				for k, b := range at {
					own[i] += float64(b * c.X[i*len(at)+k])
				}
			}
			return own, nil
		}, func(own []float64) error {
			scores = append(scores, own...)
			return nil
		})
	return scores, err
}

// steepest is the size of a score whose hazard e^score is still a number. Where a column orders the
// events, steps without a penalty lead beyond it.
const steepest = 700

// eval returns the loss at a place with its derivatives, including the penalty. With a the part
// that a row has of the events it was at risk at, e the weight of its own event, m the mean vector
// of the rows at risk at a time by their hazards, and d the weight of that time's events,
//
//	gradient  sum over rows of (a - e) x
//	Hessian   sum over rows of a x x' - sum over times of d m m'
//
// Where a score is beyond steepest, the loss is infinite, so that the search takes a shorter step.
func (p *problem) eval(ctx context.Context, at []float64) (*newton.Derivatives, error) {
	n := len(at)
	scores, err := p.scores(ctx, at)
	if err != nil {
		return nil, err
	}
	for _, score := range scores {
		if math.Abs(score) > steepest {
			return &newton.Derivatives{Loss: math.Inf(1)}, nil
		}
	}
	g, h := make([]float64, len(scores)), make([]float64, len(scores))
	p.likelihood.Gradients(g, h, scores, 1)
	total := &newton.Derivatives{Loss: p.likelihood.Value(scores, 1) * p.likelihood.Weight(),
		Gradient: make([]float64, n), Hessian: make([]float64, n*n)}
	risk := &riskMean{mean: make([]float64, n), log: math.Inf(-1)}
	err = fitting.Chunks(ctx, p.VectorTable, p.rows, chunkRows, p.workers,
		func(c fitting.Chunk) (*chunk, error) {
			return p.chunk(c, g, n), nil
		}, func(c *chunk) error {
			for k, v := range c.Gradient {
				total.Gradient[k] += v
			}
			for k, v := range c.Hessian {
				total.Hessian[k] += v
			}
			p.subtractMeans(total.Hessian, risk, c, scores)
			return nil
		})
	if err != nil {
		return nil, err
	}
	for k, c := range at {
		total.Loss += float64(p.l2 / 2 * c * c)
		total.Gradient[k] += float64(p.l2 * c)
		total.Hessian[k*n+k] += p.l2
	}
	return total, nil
}

// chunk has the vectors of some rows from a place on, and their sums.
type chunk struct {
	newton.Derivatives
	from int
	x    blas64.General
}

// chunk adds up some rows, given the derivatives by their scores.
func (p *problem) chunk(c fitting.Chunk, g []float64, n int) *chunk {
	own := &chunk{from: c.Lo, x: general(c.Hi-c.Lo, n),
		Derivatives: newton.Derivatives{Gradient: make([]float64, n), Hessian: make([]float64, n*n)}}
	copy(own.x.Data, c.X)
	blas64.Gemv(blas.Trans, 1, own.x, blas64.Vector{N: own.x.Rows, Inc: 1, Data: g[c.Lo:c.Hi]}, 0,
		blas64.Vector{N: n, Inc: 1, Data: own.Gradient})
	scaled := general(own.x.Rows, n)
	for i := range scaled.Rows {
		root := math.Sqrt(max(0, g[c.Lo+i]+p.seen[c.Lo+i]))
		for k := range n {
			scaled.Data[i*n+k] = root * own.x.Data[i*n+k]
		}
	}
	blas64.Syrk(blas.Trans, 1, scaled, 0, symmetric(n, own.Hessian))
	return own
}

// riskMean is the mean vector of the rows at risk, weighed by their hazards.
type riskMean struct {
	mean []float64
	log  float64 // of the sum of hazards
}

// add adds a row, given the log of its weight times its hazard.
func (r *riskMean) add(x []float64, log float64) {
	top, low := max(r.log, log), min(r.log, log)
	r.log = top + kernel.Log(1+kernel.Exp(low-top))
	part := kernel.Exp(log - r.log)
	for k, v := range x {
		r.mean[k] += float64(part * (v - r.mean[k]))
	}
}

// subtractMeans adds the rows of a chunk to those at risk, and subtracts d m m' of the times that
// end in it.
func (p *problem) subtractMeans(hessian []float64, risk *riskMean, c *chunk, scores []float64) {
	n := c.x.Cols
	ended := general(0, n)
	for i := range c.x.Rows {
		at := c.from + i
		risk.add(c.x.Data[i*n:(i+1)*n], kernel.Log(p.weight[at])+scores[at])
		if p.ending[at] > 0 {
			root := math.Sqrt(p.ending[at])
			for _, m := range risk.mean {
				ended.Data = append(ended.Data, root*m)
			}
			ended.Rows++
		}
	}
	if ended.Rows > 0 {
		blas64.Syrk(blas.Trans, -1, ended, 1, symmetric(n, hessian))
	}
}

func general(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns,
		Data: make([]float64, rows*columns)}
}

func symmetric(n int, elements []float64) blas64.Symmetric {
	return blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: elements}
}
