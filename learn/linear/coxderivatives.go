package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
)

// scores returns the scores of all rows, by place.
func (p *coxProblem) scores(ctx context.Context, at []float64) ([]float64, error) {
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
// of the rows at risk at a term by their hazards, and w the weight of that term,
//
//	gradient  sum over rows of (a - e) x
//	Hessian   sum over rows of a x x' - sum over terms of w m m'
//
// Where a score is beyond steepest, the loss is infinite, so that the search takes a shorter step.
func (p *coxProblem) eval(ctx context.Context, at []float64) (*derivatives, error) {
	n := len(at)
	scores, err := p.scores(ctx, at)
	if err != nil {
		return nil, err
	}
	for _, score := range scores {
		if math.Abs(score) > steepest {
			return &derivatives{Loss: math.Inf(1)}, nil
		}
	}
	parts := p.fractions(scores)
	total := &derivatives{Loss: p.value(scores),
		Gradient: make([]float64, n), Hessian: make([]float64, n*n)}
	means := &riskMeans{all: newRiskMean(n), events: newRiskMean(n)}
	err = fitting.Chunks(ctx, p.VectorTable, p.rows, chunkRows, p.workers,
		func(c fitting.Chunk) (*coxChunk, error) {
			return p.chunk(c, parts, n), nil
		}, func(c *coxChunk) error {
			for k, v := range c.Gradient {
				total.Gradient[k] += v
			}
			for k, v := range c.Hessian {
				total.Hessian[k] += v
			}
			p.subtractMeans(total.Hessian, means, c, scores)
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

// coxChunk has the vectors of some rows from a place on, and their sums.
type coxChunk struct {
	derivatives
	from int
	x    blas64.General
}

// chunk adds up some rows, given their parts of the events.
func (p *coxProblem) chunk(c fitting.Chunk, parts []float64, n int) *coxChunk {
	own := &coxChunk{from: c.Lo, x: general(c.Hi-c.Lo, n),
		derivatives: derivatives{Gradient: make([]float64, n), Hessian: make([]float64, n*n)}}
	copy(own.x.Data, c.X)
	scaled, slope := general(own.x.Rows, n), make([]float64, own.x.Rows)
	for i := range scaled.Rows {
		slope[i] = parts[c.Lo+i] - p.seen[c.Lo+i]
		root := math.Sqrt(parts[c.Lo+i])
		for k := range n {
			scaled.Data[i*n+k] = root * own.x.Data[i*n+k]
		}
	}
	blas64.Gemv(blas.Trans, 1, own.x, blas64.Vector{N: len(slope), Inc: 1, Data: slope}, 0,
		blas64.Vector{N: n, Inc: 1, Data: own.Gradient})
	blas64.Syrk(blas.Trans, 1, scaled, 0, symmetric(n, own.Hessian))
	return own
}

// riskMean is the mean vector of rows, weighed by their hazards.
type riskMean struct {
	mean []float64
	log  float64 // of the sum of hazards
}

func newRiskMean(n int) *riskMean { return &riskMean{mean: make([]float64, n), log: math.Inf(-1)} }

// add adds a row, given the log of its weight times its hazard.
func (r *riskMean) add(x []float64, log float64) {
	top, low := max(r.log, log), min(r.log, log)
	r.log = top + kernel.Log(1+kernel.Exp(low-top))
	part := kernel.Exp(log - r.log)
	for k, v := range x {
		r.mean[k] += float64(part * (v - r.mean[k]))
	}
}

// riskMeans are the means of all rows at risk, and of those whose events were seen at the time that
// has not ended.
type riskMeans struct{ all, events *riskMean }

// subtractMeans adds the rows of a chunk to those at risk, and subtracts w m m' of the terms of
// times that end in it.
func (p *coxProblem) subtractMeans(hessian []float64, means *riskMeans, c *coxChunk, scores []float64) {
	n := c.x.Cols
	ended := general(0, n)
	for i := range c.x.Rows {
		at, x := c.from+i, c.x.Data[i*n:(i+1)*n]
		log := p.logWeight[at] + scores[at]
		means.all.add(x, log)
		if p.seen[at] > 0 {
			means.events.add(x, log)
		}
		if p.tied[at].terms > 0 {
			for _, v := range p.tied[at].outer(means.all, means.events) {
				ended.Data = append(ended.Data, v...)
				ended.Rows++
			}
			means.events.log = math.Inf(-1) // the next row replaces the mean
		}
	}
	if ended.Rows > 0 {
		blas64.Syrk(blas.Trans, -1, ended, 1, symmetric(n, hessian))
	}
}

func symmetric(n int, elements []float64) blas64.Symmetric {
	return blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: elements}
}
