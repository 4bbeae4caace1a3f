package gbm

import (
	"encoding/json"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/input"
	"github.com/coppice-ml/coppice/tree"
)

// While the number of rounds is chosen a state has a head with one for each fold, and then the
// folds' scores. It holds none of their trees, which are thrown away in the end: only rounds with
// dropout look at those before them, and so leave no state then. The model beside it is the one
// that training starts from, or trees that say nothing.

// checkpoint returns what the choice can go on from.
func (r *rehearsal) checkpoint() (*learn.Checkpoint, error) {
	h := head{Version: stateVersion, Seed: r.job.Seed, Means: r.means}
	for _, b := range r.folds {
		h.Folds = append(h.Folds, head{Data: b.checksum(), Stub: b.stub, Course: b.history.Course})
	}
	m, err := r.start(&h)
	if err != nil {
		return nil, err
	}
	state, err := h.append(nil)
	for _, b := range r.folds {
		for _, raw := range b.rawScores() {
			state = appendFloats(state, raw)
		}
	}
	return &learn.Checkpoint{Model: m, State: state}, err
}

// start returns the model of before the first round.
func (r *rehearsal) start(h *head) (*model.Ensemble, error) {
	b := r.folds[0]
	params, err := json.Marshal(r.given.Params())
	if err != nil {
		return nil, err
	}
	if r.job.Start != nil {
		m := *r.job.Start.Model.(*model.Ensemble) // as goOn has found
		h.First = len(m.Trees)
		m.Meta.Params, m.Meta.Learner = params, Name
		return &m, nil
	}
	m := *b.model
	m.Trees, m.Output = nil, nil
	for o := range m.Bias {
		leaf := tree.NewBuilder(tree.Scalar, 1, true)
		leaf.SetStats(0, len(b.train.Rows), 0, 0)
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
	m.Inputs, m.Meta.Params = input.Set{}, params
	return &m, nil
}

// reopen finds out whether a job goes on from a choice under way. If so it returns the state, and
// the job as it was at first.
func (f *fitter) reopen(job learn.Job) (learn.Job, []byte, error) {
	if job.Start == nil || job.Start.State == nil {
		return job, nil, nil
	}
	h, _, err := readHead(job.Start.State)
	if err != nil || h.Folds == nil {
		return job, nil, err
	}
	m, ok := job.Start.Model.(*model.Ensemble)
	if !ok || h.First < 0 || h.First > len(m.Trees) {
		return job, nil, errState
	}
	if err := sameParameters(&f.learner, m); err != nil {
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

// restore goes on from a state. All folds are ready for their first round.
func (r *rehearsal) restore(state []byte) error {
	h, rest, err := readHead(state)
	if err != nil {
		return err
	}
	if len(h.Folds) != len(r.folds) {
		return errOtherData
	}
	if len(h.Means) == 0 || len(h.Means) > mostRounds {
		return errState
	}
	for i, b := range r.folds {
		f := &h.Folds[i]
		if f.Data != b.checksum() {
			return errOtherData
		}
		if f.Rounds > len(h.Means) || f.Stub < 0 || f.Stub > f.Rounds || !sameCurves(b.history.Curves, f.Curves) {
			return errState
		}
		if rest, err = b.readScores(rest); err != nil {
			return err
		}
		b.collect()
		b.history.Course, b.stub = f.Course, f.Stub
		// that nobody looks at
		b.model.Trees = append(slices.Clip(b.model.Trees), make([]*tree.Tree, f.Rounds*b.width())...)
		b.model.Output = append(slices.Clip(b.model.Output), make([]int32, f.Rounds*b.width())...)
	}
	if len(rest) > 0 {
		return errState
	}
	for _, mean := range h.Means {
		r.enter(mean)
	}
	r.resumed = true
	return nil
}
