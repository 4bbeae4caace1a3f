package fit

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// While the number of rounds is chosen a state has a head with one for each fold, and then the
// folds' scores. It holds none of their trees, which the final model does not contain. Only
// rounds with dropout read those before them, and so leave no state then. The model beside it is
// the one that training continues, or has trees that predict 0.

// searchHead is the head of a state before the final training begins.
type searchHead struct {
	boost.Head
	// while candidates are compared: of each candidate and fold
	Trials []rounds.Known `json:"trials,omitempty"`

	// While the rounds are chosen: of each fold Data, Stub and Log, and the mean after each round.
	Folds             []boost.Head `json:"folds,omitempty"`
	Means             []float64    `json:"means,omitempty"`
	report.Correction              // by the best round so far
}

// checkpoint returns what the choice can be resumed from.
func (r *roundSearch) checkpoint() (*learn.Checkpoint, error) {
	h := searchHead{Head: boost.Head{Seed: r.job.Seed, Rehearsal: r.rehearsal}, Means: r.Means}
	for _, b := range r.trainings {
		h.Folds = append(h.Folds, b.Head())
	}
	m, err := r.before(&h.Head)
	if err != nil {
		return nil, err
	}
	r.hold()
	if h.Correction, err = r.corrections(); err != nil {
		return nil, err
	}
	state, err := boost.AppendHead(nil, &h)
	for _, b := range r.trainings {
		state = b.AppendState(state)
	}
	return &learn.Checkpoint{Model: m, State: state}, err
}

// before returns the model of before the first round.
func (r *roundSearch) before(h *boost.Head) (*model.Ensemble, error) {
	if r.job.Start == nil {
		return r.trainings[0].BlankModel()
	}
	params, err := json.Marshal(r.config.User.Params())
	m := *r.job.Start.Model.(*model.Ensemble) // as continued has checked
	h.First = len(m.Trees)
	m.Meta.Params, m.Meta.Learner = params, r.config.Learner
	return &m, err
}

// reopen finds out whether a job resumes a choice or a rehearsal. If so it returns the state, and
// the job as it was at first.
func reopen(c *boost.Config, job learn.Job) (learn.Job, []byte, error) {
	if job.Start == nil || job.Start.State == nil {
		return job, nil, nil
	}
	h := &searchHead{}
	_, err := boost.ReadHead(job.Start.State, h)
	if err != nil || h.Folds == nil && h.Trials == nil {
		return job, nil, err
	}
	m, ok := job.Start.Model.(*model.Ensemble)
	if !ok || h.First < 0 || h.First > len(m.Trees) {
		return job, nil, boost.ErrState
	}
	if err := c.User.Same(m); err != nil {
		return job, nil, err
	}
	if h.Seed != job.Seed {
		return job, nil, boost.OtherSeed(h.Seed, job.Seed)
	}
	state := job.Start.State
	job.Start = nil
	if h.First > 0 {
		job.Start = &learn.Checkpoint{Model: m}
	}
	return job, state, nil
}

// resume returns to a state. All folds are ready for their first round.
func (r *roundSearch) resume(state []byte) error {
	h := &searchHead{}
	rest, err := boost.ReadHead(state, h)
	if err != nil {
		return err
	}
	if len(h.Folds) != len(r.trainings) {
		return boost.ErrOtherData
	}
	if len(h.Means) == 0 || len(h.Means) > rounds.MostRounds {
		return boost.ErrState
	}
	for i, b := range r.trainings {
		if rest, err = b.Resume(&h.Folds[i], len(h.Means), rest); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return boost.ErrState
	}
	for _, mean := range h.Means {
		r.Enter(mean)
	}
	r.resumed, r.known = true, h.Correction
	return nil
}
