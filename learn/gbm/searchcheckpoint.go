package gbm

import (
	"encoding/json"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/input"
	"github.com/coppice-ml/coppice/tree"
)

// While the number of rounds is chosen a state has a head with one for each fold, and then the
// folds' scores. It holds none of their trees, which the final model does not contain. Only
// rounds with dropout read those before them, and so leave no state then. The model beside it is
// the one that training continues, or has trees that predict 0.

// checkpoint returns what the choice can be resumed from.
func (r *roundSearch) checkpoint() (*learn.Checkpoint, error) {
	h := head{Version: stateVersion, Seed: r.job.Seed, Means: r.Means, Rehearsal: r.rehearsal}
	for _, b := range r.trainings {
		h.Folds = append(h.Folds,
			head{Data: b.checksum(), Stub: b.watch.stubs, Log: b.watch.Log})
	}
	m, err := r.before(&h)
	if err != nil {
		return nil, err
	}
	state, err := h.append(nil)
	for _, b := range r.trainings {
		state = b.appendState(state)
	}
	return &learn.Checkpoint{Model: m, State: state}, err
}

// before returns the model of before the first round.
func (r *roundSearch) before(h *head) (*model.Ensemble, error) {
	b := r.trainings[0]
	if r.job.Start == nil {
		return b.blank()
	}
	params, err := json.Marshal(b.config.User.Params())
	m := *r.job.Start.Model.(*model.Ensemble) // as continued has checked
	h.First = len(m.Trees)
	m.Meta.Params, m.Meta.Learner = params, Name
	return &m, err
}

// blank returns a model with a tree for each output that predicts 0.
func (b *training) blank() (*model.Ensemble, error) {
	m := *b.ensemble.model
	m.Trees, m.Output = nil, nil
	for o := range m.Bias {
		leaf := tree.NewBuilder(tree.Scalar, 1, true)
		leaf.SetStats(0, len(b.rows), 0, 0)
		leaf.SetValue(0, []float64{0})
		t, err := leaf.Build()
		if err != nil {
			return nil, err
		}
		m.Trees, m.Output = append(m.Trees, t), append(m.Output, int32(o))
	}
	if err := b.describe(&m); err != nil {
		return nil, err
	}
	m.Inputs = input.Set{}
	return &m, nil
}

// reopen finds out whether a job resumes a choice or a rehearsal. If so it returns the state, and
// the job as it was at first.
func reopen(c *Config, job learn.Job) (learn.Job, []byte, error) {
	if job.Start == nil || job.Start.State == nil {
		return job, nil, nil
	}
	h, _, err := readHead(job.Start.State)
	if err != nil || h.Folds == nil && h.Trials == nil {
		return job, nil, err
	}
	m, ok := job.Start.Model.(*model.Ensemble)
	if !ok || h.First < 0 || h.First > len(m.Trees) {
		return job, nil, errState
	}
	if err := c.User.Same(m); err != nil {
		return job, nil, err
	}
	if h.Seed != job.Seed {
		return job, nil, otherSeed(h.Seed, job.Seed)
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
	h, rest, err := readHead(state)
	if err != nil {
		return err
	}
	if len(h.Folds) != len(r.trainings) {
		return errOtherData
	}
	if len(h.Means) == 0 || len(h.Means) > rounds.MostRounds {
		return errState
	}
	for i, b := range r.trainings {
		if rest, err = b.resumeFold(&h.Folds[i], len(h.Means), rest); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return errState
	}
	for _, mean := range h.Means {
		r.Enter(mean)
	}
	r.resumed = true
	return nil
}

// resumeFold returns a fold to its head, of so many rounds at most, and to the scores that a state
// begins with. It returns what follows these.
func (b *training) resumeFold(h *head, rounds int, state []byte) ([]byte, error) {
	if h.Data != b.checksum() {
		return nil, errOtherData
	}
	if h.Rounds > rounds || h.Stub < 0 || h.Stub > h.Rounds ||
		!sameCurves(b.watch.Curves, h.Curves) {
		return nil, errState
	}
	rest, err := b.readState(state)
	if err != nil {
		return nil, err
	}
	b.scores.collect()
	b.watch.Log, b.watch.stubs = h.Log, h.Stub
	m, trees := b.ensemble.model, h.Rounds*b.ensemble.width
	m.Trees = append(slices.Clip(m.Trees), make([]*tree.Tree, trees)...) // which nothing reads
	m.Output = append(slices.Clip(m.Output), make([]int32, trees)...)
	return rest, nil
}
