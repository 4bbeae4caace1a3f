package bag

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// columnSamples are the samples of columns that members are trained on. Members with the same
// columns use one prepared table, which is made for the first of them and released after the last.
type columnSamples struct {
	mutex sync.Mutex
	of    []*columnSample // of each member
}

// columnSample is one sample of columns.
type columnSample struct {
	columns  []int // ascending
	once     sync.Once
	prepared learn.Fitter
	err      error
	members  int // that still need it
}

// sampleColumns returns the columns of all members.
func (j *job) sampleColumns() *columnSamples {
	p := &columnSamples{of: make([]*columnSample, j.learner.Members)}
	known := map[string]*columnSample{}
	for i := range p.of {
		columns := choose(len(j.frame.Columns), j.columns(), rng.New(j.Seed, forColumns, uint64(i)))
		key := fmt.Sprint(columns)
		if known[key] == nil {
			known[key] = &columnSample{columns: columns}
		}
		p.of[i] = known[key]
		p.of[i].members++
	}
	return p
}

// choose samples k of the numbers 0 ... n-1, every set with the same probability, and returns them
// in order.
func choose(n, k int, random *rng.Stream) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for i := range k {
		o := i + random.Intn(n-i)
		all[i], all[o] = all[o], all[i]
	}
	slices.Sort(all[:k])
	return all[:k:k]
}

// take returns the base prepared on a member's columns, and these.
func (p *columnSamples) take(ctx context.Context, j *job, member,
	workers int) (learn.Fitter, []int, error) {
	own := p.of[member]
	own.once.Do(func() {
		env := j.env
		env.Workers = workers
		own.prepared, own.err = j.base.Prepare(ctx, j.frame.Select(own.columns), j.fitter.rows,
			j.weight, env)
	})
	return own.prepared, own.columns, own.err
}

// drop releases the columns of a member.
func (p *columnSamples) drop(member int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	own := p.of[member]
	if own.members--; own.members == 0 {
		own.prepared = nil
	}
}
