package boosting

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model/training"
)

// Names of sets.
const (
	Training   = training.TrainingSet
	Validation = training.ValidationSet
)

// Set is the training set or the validation set: rows with their labels and scores. A position is
// an index into Rows. Raw scores are output-major, by position:
//
//	Rows    3         7         8
//	Raw     output 0  output 0  output 0  output 1  output 1  output 1
type Set struct {
	Name      string         // Training or Validation
	Rows      []int32        // of the frame; the training set may hold a row twice
	Objective loss.Objective // the loss of the labels of these rows, by position
	Raw       []float64
	Divided   *Divided // nil: one process evaluates the set
}

// NewSet binds a loss to the labels of rows. The set has no scores yet.
func NewSet(name string, l loss.Loss, t *data.Target, rows []int32) (*Set, error) {
	o, err := l.Bind(t, rows)
	switch {
	case err != nil && name == Validation:
		return nil, fmt.Errorf("validation set: %w", err)
	case err != nil:
		return nil, err
	}
	return &Set{Name: name, Rows: rows, Objective: o}, nil
}

// AddStart adds the user's initial scores (data.Target.Offset) to the scores of the set; nil =
// there are none. tableRows is the number of rows of the table, loss the name of the loss. A number
// of scores other than one for each output of each row is an error.
func (p *Set) AddStart(offset []float64, tableRows int, loss string) error {
	if offset == nil {
		return nil
	}
	n, k := len(p.Rows), p.Objective.Outputs()
	if want := tableRows * k; len(offset) != want {
		return fmt.Errorf("%d initial scores for %d rows, want %d: loss=%s takes %d for each row, one "+
			"for each output", len(offset), tableRows, want, loss, k)
	}
	for i, r := range p.Rows {
		for o := range k {
			p.Raw[o*n+i] += offset[int(r)*k+o]
		}
	}
	return nil
}

// SplitValidation returns the rows to train on, with repetitions, and the validation set, nil for
// none. The validation set is the job's; without one it is a fraction of the rows to train on,
// sampled by the seed. The split follows the job's plan, or else the target (groups, time, strata).
// Rows of weight 0 are in neither.
func SplitValidation(job *learn.Job, t *data.Target, prepared []int32, fraction float64,
	seed uint64) (rows, valid []int32, err error) {
	rows = job.Weighty(t, prepared)
	switch {
	case len(rows) == 0:
		return nil, nil, errNoRows
	case len(job.Valid) > 0:
		return rows, data.Distinct(t.WithWeight(job.Valid)), nil
	case fraction == 0 || len(data.Distinct(rows)) < 2:
		return rows, nil, nil
	}
	split := job.Plan.HoldOutFor(t, seed, fraction)
	rows, valid, _, err = split.Sets(t, rows)
	if err != nil {
		return nil, nil, fmt.Errorf("valid_fraction: %w", err)
	}
	return rows, data.Distinct(valid), nil
}
