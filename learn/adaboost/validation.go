package adaboost

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// validation is the validation set of a job with the scores of the members so far. Nothing is
// chosen by it.
type validation struct {
	*job
	rows   []int32
	sample *metric.Sample
	curve  training.LearningCurve
	of     *committee.Committee // how the members are combined, without its members
	scores []float64            // rows x outputs
	votes  float64              // of a vote: the sum of all weights
}

// newValidation returns nil if the job has no validation set.
func (j *job) newValidation(b booster) *validation {
	if len(j.Valid) == 0 {
		return nil
	}
	v := &validation{job: j, rows: j.Valid, sample: metric.SampleOf(j.target, j.Valid),
		of: b.committee(), curve: training.LearningCurve{Set: training.ValidationSet}}
	if v.curve.Metric = "error"; !j.target.Task.Classes() {
		v.curve.Metric = "rmse"
	}
	return v
}

// add notes the error after a round, of which there may be more.
func (v *validation) add(r *round) error {
	if v == nil {
		return nil
	}
	for i := range r.members {
		if v.of.Combine == committee.Median {
			continue // which has no scores that add up
		}
		if err := v.addMember(&r.members[i]); err != nil {
			return err
		}
	}
	n := v.found.Rounds
	switch {
	case v.of.Combine != committee.Median:
		return v.note(n, v.responses())
	case figure.Listed(n):
		return v.noteMedian(n)
	}
	return nil
}

// addMember adds what a member predicts to the scores.
func (v *validation) addMember(m *member) error {
	predicted, err := predictions(v.of, m.model, v.frame, v.rows, v.Workers)
	if err != nil {
		return err
	}
	classes := v.pop.Classes
	outputs := classes
	if v.of.Combine == committee.Sum && classes == 2 {
		outputs = 1
	}
	if v.scores == nil {
		v.scores = make([]float64, len(v.rows)*outputs)
	}
	v.votes += m.weight
	for i := range v.rows {
		own := v.scores[i*outputs : (i+1)*outputs]
		switch v.of.Combine {
		case committee.Vote:
			own[int(predicted[i])] += m.weight
		case committee.Product:
			for c := range own {
				own[c] += float64(m.weight * predicted[i*classes+c])
			}
		default:
			own[m.output] += float64(m.weight * predicted[i])
		}
	}
	return nil
}

// responses returns the class probabilities of the scores.
func (v *validation) responses() []float64 {
	k := v.pop.Classes
	p := make([]float64, len(v.rows)*k)
	for i := range v.rows {
		own := p[i*k : (i+1)*k]
		if outputs := len(v.scores) / len(v.rows); outputs == 1 {
			own[0], own[1] = -v.scores[i], v.scores[i]
		} else {
			copy(own, v.scores[i*k:(i+1)*k])
		}
		switch v.of.Combine {
		case committee.Vote:
			for c := range own {
				own[c] /= v.votes
			}
		case committee.Product:
			link.Softmax().Apply(own)
		default:
			v.of.Link.Apply(own)
		}
	}
	return p
}

// noteMedian notes the error of the weighted median of all members so far.
func (v *validation) noteMedian(n int) error {
	all := *v.of
	all.Meta = model.NewSpec(v.learner.name(), v.frame.Schema, v.target)
	for _, m := range v.members {
		all.Members, all.Weights = append(all.Members, m.model), append(all.Weights, m.weight)
	}
	p, err := all.Bind(&v.frame.Schema, model.Options{Workers: v.Workers})
	if err != nil {
		return err
	}
	predicted := make([]float64, len(v.rows))
	if err := p.Predict(predicted, v.frame, v.rows); err != nil {
		return err
	}
	return v.note(n, predicted)
}

// note adds a point to the curve.
func (v *validation) note(n int, predicted []float64) error {
	v.sample.Pred, v.sample.Width = predicted, len(predicted)/len(v.rows)
	name := "error"
	if v.target.Task == data.Regression {
		name = "rmse"
	}
	value, err := metric.Of(name, v.sample)
	if err != nil {
		return err
	}
	v.curve.Rounds, v.curve.Values = append(v.curve.Rounds, n), append(v.curve.Values, value)
	return nil
}

// latest returns the error after a round, and whether it was evaluated.
func (v *validation) latest(n int) (float64, bool) {
	if v == nil {
		return 0, false
	}
	last := len(v.curve.Rounds) - 1
	if last < 0 || v.curve.Rounds[last] != n {
		return 0, false
	}
	return v.curve.Values[last], true
}

// end keeps the curve in the summary, with a point for the last round.
func (v *validation) end() error {
	if v == nil {
		return nil
	}
	if _, noted := v.latest(v.found.Rounds); !noted {
		if err := v.noteMedian(v.found.Rounds); err != nil {
			return err
		}
	}
	v.found.Valid, v.found.Curves = len(v.rows), []training.LearningCurve{v.curve}
	return nil
}
