package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Comparison is the search against its first trial, which has the defaults. The tests of the best
// trial chose it, so its mean is too good. Each fold is therefore given the trial that the other
// folds choose:
//
//	trial     0     1     2    by the other folds   gain
//	fold 1  .30   .29   .31    trial 2              .30 - .31
//	fold 2  .30   .27   .28    trial 2              .30 - .28
//	fold 3  .28   .29   .22    trial 1              .28 - .29
type Comparison struct {
	// Gain is the mean over the folds by how much the metric is better, in its units.
	Gain  float64 `json:"gain"`
	Error float64 `json:"standard_error"` // of Gain, over the folds
	// Lost is whether the gain does not exceed one standard error. Then the settings of the first
	// trial are chosen.
	Lost bool `json:"lost,omitempty"`
}

// compare compares the search with the first trial, and sets which trial is chosen. Of fewer than
// two folds or trials there is no comparison, and the best trial is chosen.
func (s *Study) compare() {
	s.Chosen, s.Comparison = s.Best, nil
	if s.Best < 0 {
		return
	}
	sign := 1.0 // of a metric of which less is better
	if s.Higher {
		sign = -1
	}
	var whole []*Trial
	for i := range s.Trials {
		if t := &s.Trials[i]; t.whole(s.Folds) {
			whole = append(whole, t)
		}
	}
	first := whole[0]
	if first.Number != 0 || len(whole) < 2 || s.Folds < 2 {
		return
	}
	gains := make([]float64, s.Folds)
	for f := range gains {
		best, least := first, math.Inf(1)
		for _, t := range whole {
			if rest := sign * (mean(t.Tests)*float64(s.Folds) - t.Tests[f]); rest < least {
				best, least = t, rest
			}
		}
		gains[f] = sign * (first.Tests[f] - best.Tests[f])
	}
	c := &Comparison{Gain: mean(gains)}
	squares := 0.0
	for _, g := range gains {
		squares += float64((g - c.Gain) * (g - c.Gain))
	}
	n := float64(s.Folds)
	c.Error = math.Sqrt(squares / (n - 1) / n)
	if c.Gain-c.Gain != 0 || c.Error-c.Error != 0 {
		return // a metric without a value, or an infinite one
	}
	c.Lost = !(c.Gain > c.Error)
	if s.Comparison = c; c.Lost {
		s.Chosen = slices.IndexFunc(s.Trials, func(t Trial) bool { return t.Number == 0 })
	}
}

// Learner returns the learner of the chosen trial with its settings, to be trained on all rows. all
// are the candidates of Run.
//
// Errors: no trial was tested on all folds, or no candidate has the name of the chosen one.
func (s *Study) Learner(all []Candidate) (learn.Learner, error) {
	if s.Chosen < 0 {
		return nil, errors.New("no trial was tested on all folds")
	}
	chosen := &s.Trials[s.Chosen]
	at := slices.IndexFunc(all, func(c Candidate) bool { return c.Name == chosen.Learner })
	if at < 0 {
		return nil, fmt.Errorf("the chosen trial is of %q, which is no candidate", chosen.Learner)
	}
	return all[at].learner(chosen.Settings)
}

// Evaluation returns what a model of the chosen trial stores of its tests: the mean of the metric
// over the folds, with an interval as eval.Corrected has it; nil if no trial was chosen. l is its
// learner.
func (s *Study) Evaluation(l learn.Learner) *model.Evaluation {
	if s.Chosen < 0 || s.Trials[s.Chosen].Mean()-s.Trials[s.Chosen].Mean() != 0 {
		return nil
	}
	e := &model.Evaluation{Origin: model.OfFolds, Rows: s.Rows,
		Plan: fmt.Sprintf("%d folds, %s, the mean over the folds", s.Folds, s.Plan)}
	var uses []string
	if len(s.Trials) > 1 && s.Chosen == s.Best {
		uses = append(uses, "choosing settings")
	}
	if l.Capabilities().ChoosesRounds {
		uses = append(uses, learn.Validation{EarlyStopping: true}.String())
	}
	e.UsedFor = strings.Join(uses, " and ")
	m := eval.Correct(s.Metric, s.Trials[s.Chosen].Tests, 1/float64(max(1, s.Folds-1)))
	e.Metrics = []model.Evaluated{{Name: s.Metric, Value: m.Mean}}
	if s.Folds > 1 {
		e.Metrics[0].Low, e.Metrics[0].High = &m.Low, &m.High
	}
	return e
}

// recorded is the number of trials whose settings a model stores.
const recorded = 10

// Record returns what a model stores of the study, in its Spec: the means of all trials that were
// tested on all folds, and the settings of the best ten.
func (s *Study) Record() *model.Study {
	r := &model.Study{Metric: s.Metric, Higher: s.Higher, Folds: s.Folds, Trials: len(s.Trials),
		Defaults: s.Comparison != nil && s.Comparison.Lost}
	worse := 1.0
	if s.Higher {
		worse = -1
	}
	whole := slices.DeleteFunc(slices.Clone(s.Trials),
		func(t Trial) bool { return !t.whole(s.Folds) })
	for _, t := range whole {
		r.Means = append(r.Means, model.StudyMean{Trial: t.Number, Mean: t.Mean()})
	}
	slices.SortStableFunc(whole, func(a, b Trial) int {
		return cmp.Compare(worse*a.Mean(), worse*b.Mean())
	})
	for _, t := range whole[:min(recorded, len(whole))] {
		r.Best = append(r.Best, model.StudyTrial{Trial: t.Number, Learner: t.Learner,
			Settings: t.Settings, Mean: t.Mean()})
	}
	return r
}
