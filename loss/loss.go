// Package loss owns what boosting minimises: one file per loss with its start value and
// derivatives, and the table of them. Metrics, which are reported and not minimised, are in package
// metric.
//
// Conventions that hold for every loss:
//
//   - raw, g and h are output-major: output k of the row at position i stands at k*rows + i.
//   - A row's loss depends on the labels and weights that were given to Bind. Position i is frame
//     row rows[i]; a row that stands there twice counts twice.
//   - g and h carry the weights. A row of weight 0 has g = h = 0.
//   - The same labels, weights and raw scores give the same bits for any number of workers, on
//     every architecture: rows are summed in blocks of fixed size, blocks in their order.
//   - Initial scores of a user (data.Target.Offset) belong to the caller: they replace Init.
package loss

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// Loss is a loss with its parameters, not yet bound to labels.
type Loss interface {
	// Params declares the parameters, bound to the receiver.
	Params() param.Set
	// Bind checks the parameters and the labels of some frame rows, and copies what it needs of
	// them. The error is a *LabelError where labels are outside the domain, ErrNoWeight where no
	// row weighs anything.
	Bind(t *data.Target, rows []int32) (Objective, error)
}

// fixed is a loss without parameters.
type fixed struct{}

// Params declares nothing.
func (fixed) Params() param.Set { return nil }

// Objective is a loss of the labels of some rows. Its methods may be called concurrently.
type Objective interface {
	// Outputs returns the number of raw scores per row.
	Outputs() int
	// Link returns the function from a row's raw scores to its response.
	Link() link.Link
	// Weight returns the total weight of the rows, by which Value divides.
	Weight() float64
	// Init writes the finite score of each output that, given to all rows, makes the loss least:
	// len(start) = Outputs.
	Init(start []float64)
	// Gradients writes the first derivatives of Weight times Value by each raw score, and the
	// second ones or those that the table's Curvature documents. They may overflow where e^raw
	// does.
	Gradients(g, h, raw []float64, workers int)
	// Value returns the mean loss by weight; of several outputs the sum of their means.
	Value(raw []float64, workers int) float64
}

// Rowwise is an Objective whose derivatives by an output's scores depend, row by row, on that score
// alone.
type Rowwise interface {
	Objective
	// Derive writes what Gradients does for one output and the rows at positions from ... to-1: to
	// g and h, which are as long. raw holds the scores of all rows and outputs.
	Derive(g, h, raw []float64, output, from, to int)
}

// Summed is an Objective whose Value is a mean over the rows. Each of several processes may add up
// the losses of some blocks of SumRows rows; Value is Mean of the sums of all blocks.
type Summed interface {
	Objective
	// Sums returns the sums of the blocks of the rows at positions from ... to-1, each of as many
	// numbers. from is a multiple of SumRows, and to is one or the number of rows. raw holds the
	// scores of all rows and outputs, of which those of these rows are read.
	Sums(raw []float64, from, to, workers int) []float64
	// Mean returns the mean, given the sums of all blocks in their order.
	Mean(sums []float64) float64
}

// valueOf returns the Value of an objective on so many scores.
func valueOf(o Summed, raw []float64, workers int) float64 {
	return o.Mean(o.Sums(raw, 0, len(raw)/o.Outputs(), workers))
}

// LeafRefiner is an Objective whose best value of a leaf is not reached by Newton steps: medians,
// quantiles, line search.
type LeafRefiner interface {
	// RefineLeaf returns what to add to one output's scores of the rows at some positions, at least
	// one, so that their loss is least. raw holds the scores of all rows before.
	RefineLeaf(raw []float64, output int, positions []int32) float64
}

// LeafSizer is a Loss whose value of a leaf says nothing of other rows if the leaf is small.
type LeafSizer interface {
	// LeafRows returns the least number of rows.
	LeafRows() int
}

// Quantiler is an Objective whose outputs are quantiles of the labels.
type Quantiler interface {
	// Quantiles returns the level of each output, ascending, between 0 and 1.
	Quantiles() []float64
}

// ErrNoWeight is returned by Bind where no row has a positive weight.
var ErrNoWeight = errors.New("no rows of positive weight")

// LabelError reports that a loss is not defined for the labels.
type LabelError struct {
	Row    int // frame row of the first label at fault; -1: all together
	Reason string
}

func (e *LabelError) Error() string { return e.Reason }
