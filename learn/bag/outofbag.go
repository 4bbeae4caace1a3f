package bag

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
)

// startOutOfBag starts the out-of-bag accumulators, if any rows are out of the bag.
func (j *job) startOutOfBag(t *data.Target) error {
	l := &j.learner
	var err error
	if j.groups, err = j.frame.Schema.ColumnGroups("importance_groups", l.ImportanceGroups); err != nil {
		return err
	}
	if err := ensembles.CheckImportanceGroups(l.ImportanceGroups,
		l.Importance == ImportancePermutation); err != nil {
		return err
	}
	if !j.bags.LeavesOut() {
		if what := j.needsOutOfBag(); what != "" {
			return fmt.Errorf("%s needs out-of-bag rows, and %w", what, ensembles.ErrNoneOut)
		}
		return nil
	}
	p := j.pop
	j.truth = ensembles.Truth{Task: t.Task, Classes: p.Classes, Class: p.Class, Y: p.Y}
	if t.Weight != nil || p.Count != nil {
		j.truth.Weight = make([]float64, len(p.Rows))
		for i := range p.Rows {
			j.truth.Weight[i] = p.WeightAt(i)
		}
	}
	j.accumulator = ensembles.NewAccumulator(j.truth)
	j.pool.New = func() any { return ensembles.NewPermuter(&j.truth, j.frame.Columns, p.Rows, j.groups) }
	return nil
}

// needsOutOfBag names what needs out-of-bag predictions, "" = nothing does.
func (j *job) needsOutOfBag() string {
	switch l := &j.learner; {
	case l.Settle.Members > 0:
		return "early_stopping"
	case l.Importance == ImportancePermutation:
		return "importance=permutation"
	case j.OutOfBag != nil:
		return "an out-of-bag prediction"
	}
	return ""
}

// estimates reports whether a member predicts the label, so that the error of out-of-bag
// predictions is one of the model. Quantiles are no such predictions, nor are hazards, and times of
// events may be censored.
func estimates(m model.Model) bool {
	return m.Spec().Quantiles == nil && m.Spec().Task != data.Survival
}

// checkEstimates reports what would need a member's out-of-bag predictions to be of the label.
func (j *job) checkEstimates(m model.Model) error {
	what := j.needsOutOfBag()
	if what == "" || estimates(m) {
		return nil
	}
	return fmt.Errorf("%s compares predictions with labels, and those of %s are quantiles, or of "+
		"times of events: leave it out", what, m.Spec().Learner)
}

// outOf returns the positions that are out of a bag.
func outOf(count []uint32) []int32 {
	var out []int32
	for i, c := range count {
		if c == 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// options are those of predictions by members: class probabilities or numbers, or the class that
// they vote for.
func (j *job) options(workers int) model.Options {
	o := model.Options{Workers: workers}
	if j.votes() {
		o.Output = model.Label
	}
	return o
}

// decision is how a class is chosen by a member's prediction: a vote is the member's own choice.
func (j *job) decision(m model.Model) model.Decision {
	if j.votes() {
		return model.Decision{}
	}
	return m.Spec().Decision
}

// predict returns a member's predictions for positions, as oob.Accumulator.Add takes them.
func (j *job) predict(m model.Model, out []int32, workers int) ([]float64, error) {
	if len(out) == 0 {
		return nil, nil
	}
	p, err := m.Bind(&j.frame.Schema, j.options(workers))
	if err != nil {
		return nil, err
	}
	rows := make([]int32, len(out))
	for i, position := range out {
		rows[i] = j.pop.Rows[position]
	}
	values := make([]float64, len(out)*m.Outputs())
	return values, j.predictInto(values, p, j.frame, rows, m.Outputs())
}

// predictInto writes a member's predictions for rows: class probabilities, or a one for the class
// that it votes for; or numbers.
func (j *job) predictInto(dst []float64, p model.Predictor, f *data.Frame, rows []int32,
	outputs int) error {
	if !j.votes() {
		return p.Predict(dst, f, rows)
	}
	classes := make([]float64, len(rows))
	if err := p.Predict(classes, f, rows); err != nil {
		return err
	}
	clear(dst)
	for i, class := range classes {
		dst[i*outputs+int(class)] = 1
	}
	return nil
}
