package serve

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/memory"
)

// reasonBudget is what the tables of reasons of all models take together. taken never exceeds most.
type reasonBudget struct {
	most     int64
	building sync.Mutex // one model at a time finds out what is left
	taken    atomic.Int64
}

// reasonTables is the budget of the process: a small part of the memory of the machine or the
// container, since requests, models and the collector need the rest.
var reasonTables = sync.OnceValue(func() *reasonBudget {
	return &reasonBudget{most: min(256<<20, memory.Default().Bytes()/8)}
})

// reasons are those of a model, made by the first request for them.
type reasons struct {
	budget  *reasonBudget
	made    atomic.Pointer[madeReasons] // nil: not yet, or dropped
	retired atomic.Bool                 // the model is in no set any more, or waits for a Rollback
}

// madeReasons are reasons or why there are none, and the bytes of their tables.
type madeReasons struct {
	*explain.Reasons
	err   error
	bytes int64
}

// explainer returns the reasons of a model. Its tables have the memory that those of other models
// leave: without tables rows take longer. A retired model has none.
func (m *Model) explainer() (*explain.Reasons, error) {
	if r := m.reasons.made.Load(); r != nil {
		return r.Reasons, r.err
	}
	b := m.reasons.budget
	b.building.Lock()
	defer b.building.Unlock()
	if r := m.reasons.made.Load(); r != nil {
		return r.Reasons, r.err
	}
	left := int64(1) // of 0 the default is meant
	if !m.reasons.retired.Load() {
		left = max(left, b.most-b.taken.Load())
	}
	r := &madeReasons{}
	r.Reasons, r.err = explain.NewReasons(context.Background(), m.model, m.schema, explain.ReasonOptions{
		ShapleyOptions: explain.ShapleyOptions{Memory: left}, Score: m.spec.Median()})
	if r.err == nil {
		r.bytes = r.Shapley.Tables
	}
	b.taken.Add(r.bytes)
	m.reasons.made.Store(r)
	if m.reasons.retired.Load() { // since it was asked, perhaps
		m.reasons.drop()
	}
	return r.Reasons, r.err
}

// drop gives the memory of the tables back. Requests that have the reasons go on with them.
func (r *reasons) drop() {
	if made := r.made.Swap(nil); made != nil {
		r.budget.taken.Add(-made.bytes)
	}
}

// retire drops the reasons of the models of a name that serve no longer.
func retire(before, now *versions) {
	if now != nil {
		for _, m := range now.all {
			m.reasons.retired.Store(false)
		}
	}
	if before == nil {
		return
	}
	for _, m := range before.all {
		if now == nil || !slices.Contains(now.all, m) {
			m.reasons.retired.Store(true)
			m.reasons.drop()
		}
	}
}
