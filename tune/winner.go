package tune

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Learner returns the learner of the best trial with its settings, to be trained on all rows. all
// are the candidates of Run.
//
// Errors: no trial was tested on all folds, or no candidate has the name of the best one.
func (s *Study) Learner(all []Candidate) (learn.Learner, error) {
	if s.Best < 0 {
		return nil, errors.New("no trial was tested on all folds")
	}
	best := &s.Trials[s.Best]
	at := slices.IndexFunc(all, func(c Candidate) bool { return c.Name == best.Learner })
	if at < 0 {
		return nil, fmt.Errorf("the best trial is of %q, which is no candidate", best.Learner)
	}
	return all[at].learner(best.Settings)
}

// recorded is the number of trials whose settings a model stores.
const recorded = 10

// Record returns what a model stores of the study, in its Spec: the means of all trials that were
// tested on all folds, and the settings of the best ten.
func (s *Study) Record() *model.Study {
	r := &model.Study{Metric: s.Metric, Higher: s.Higher, Folds: s.Folds, Trials: len(s.Trials)}
	worse := 1.0
	if s.Higher {
		worse = -1
	}
	whole := slices.DeleteFunc(slices.Clone(s.Trials),
		func(t Trial) bool { return t.Error != "" || len(t.Tests) < s.Folds })
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
