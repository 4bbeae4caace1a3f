package boosting

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
)

// The names of parts.
const (
	Training   = "training"
	Validation = "validation"
)

// Part is some rows with their labels and scores.
type Part struct {
	Name      string // Training or Validation
	Rows      []int32
	Objective loss.Objective // of the labels of these rows, at their positions
	// output-major, by position: score k of row i stands at k*len(Rows) + i
	Raw []float64
}

// NewPart binds a loss to the labels of some rows. Their scores are yet to be made.
func NewPart(name string, l loss.Loss, t *data.Target, rows []int32) (*Part, error) {
	o, err := l.Bind(t, rows)
	switch {
	case err != nil && name == Validation:
		return nil, fmt.Errorf("validation part: %w", err)
	case err != nil:
		return nil, err
	}
	return &Part{Name: name, Rows: rows, Objective: o}, nil
}

// AddStart adds the user's start scores (data.Target.Offset) of a table of some rows, if there are
// any, to those of the part; loss is its loss's name. A number of scores other than one for each
// output of each row is an error.
func (p *Part) AddStart(offset []float64, tableRows int, loss string) error {
	if offset == nil {
		return nil
	}
	n, k := len(p.Rows), p.Objective.Outputs()
	if want := tableRows * k; len(offset) != want {
		return fmt.Errorf("%d start scores for %d rows of loss=%s, want %d: one for each output of each row", len(offset), tableRows, loss, want)
	}
	for i, r := range p.Rows {
		for o := range k {
			p.Raw[o*n+i] += offset[int(r)*k+o]
		}
	}
	return nil
}

// Hold returns the rows to train on, with repetitions, and those to measure by, nil for none: the
// job's, or a share of the rows to train on, drawn by the seed in the way of the job's plan, else
// in that which fits the target.
func Hold(job *learn.Job, t *data.Target, prepared []int32, share float64, seed uint64) (rows, valid []int32, err error) {
	rows = job.RowsOf(prepared)
	switch {
	case len(rows) == 0:
		return nil, nil, errNoRows
	case len(job.Valid) > 0:
		return rows, data.Distinct(job.Valid), nil
	case share == 0 || len(data.Distinct(rows)) < 2:
		return rows, nil, nil
	}
	split := data.Split{Kind: job.Plan.KindFor(t), Seed: seed, Valid: share}
	rows, valid, _, err = split.Sets(t, rows)
	if err != nil {
		return nil, nil, fmt.Errorf("valid_fraction: %w", err)
	}
	return rows, data.Distinct(valid), nil
}
