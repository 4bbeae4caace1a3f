package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/ranks"
)

// Options are the choices of Run. One of Trials and Time is above 0.
type Options struct {
	Trials int           // of the study, whichever process tests them
	Time   time.Duration // after which this process begins no trial
	// Metric is what trials are compared by; "" = eval.MainMetric of the task.
	Metric  string
	Sampler Sampler // "" = TPE
	// Study is a file that is made, or goes on; "" = none. Several processes may work at one: they
	// divide the folds of a trial, and each returns when no trial is left.
	Study   string
	Rows    []int32 // frame rows to search by; nil = all
	Seed    uint64
	Workers int          // 0 = one per processor
	Memory  memory.Limit // of each training; 0 = memory.Default
	Env     learn.Env    // passed on to Prepare, with Memory as above, and no Ranks
	// Ranks is the processes that work at the study together; they need a file. nil = this process
	// alone, and those that have the same file.
	Ranks ranks.Group
	// Observe is called after each trial, and after each promotion of one, with the study so far;
	// an error ends the search and is returned, unless it is learn.Stop.
	Observe func(*Study) error
}

// Study is the trials of a search.
type Study struct {
	Metric string `json:"metric"`
	Higher bool   `json:"higher"` // whether higher is better
	Folds  int    `json:"folds"`
	// LeftOut is as in eval.CrossValidation.
	LeftOut int     `json:"left_out,omitempty"`
	Trials  []Trial `json:"trials"` // in the order of their numbers
	// Rows is how many rows are tested, and Plan how they are assigned to the folds.
	Rows int        `json:"rows"`
	Plan split.Kind `json:"plan"`
	Best int        `json:"best"` // place in Trials; -1 = none was tested on all folds
	// Chosen is the place in Trials of the settings for a model: Best, or the first trial where
	// Comparison is lost; -1 = none.
	Chosen     int         `json:"chosen"`
	Comparison *Comparison `json:"comparison,omitempty"` // nil: one fold, or one trial
	// Damaged is how many lines of the file were damaged. What they said was tested again.
	Damaged int `json:"damaged_lines,omitempty"`
}

// Run searches for settings by which a learner does best on the folds of a plan, the same for all
// trials. A learner that chooses its number of rounds does so by the rows of the test.
//
// Errors: no limit, an unknown sampler, a *eval.MetricError, a *StudyError, the error of the first
// trial, which has the defaults, and ctx.Err(). Later trials that fail are recorded with their
// errors. On a cancelled context the study so far is returned too.
func Run(ctx context.Context, all []Candidate, ds *data.Dataset, plan *split.Plan, o Options) (*Study,
	error) {
	s, err := newSearch(ctx, all, ds, plan, o)
	if err != nil {
		return nil, err
	}
	defer s.study.leave()
	start, worked := outside.Now(), false
	for {
		if err := s.study.refresh(); err != nil {
			return nil, err
		}
		j := s.next()
		if j == nil {
			return s.all(ctx)
		}
		if s.enter(j) {
			if !worked || o.Observe == nil {
				continue
			}
			if err := o.Observe(s.result()); errors.Is(err, learn.Stop) {
				return s.all(ctx)
			} else if err != nil {
				return s.result(), err
			}
			continue
		}
		over := o.Time > 0 && outside.Since(start) >= o.Time && len(s.trials) > 0
		if _, begun := s.study.state(j); over && !begun {
			return s.all(ctx)
		}
		worked = true
		if err := s.work(ctx, j, over); ctx.Err() != nil {
			return s.result(), ctx.Err()
		} else if err != nil {
			return nil, err
		}
	}
}

// all returns the study when no rank has a trial to test any more.
func (s *search) all(ctx context.Context) (*Study, error) {
	if ranks.Of(s.o.Ranks).Size() == 1 {
		return s.result(), nil
	}
	if err := s.o.Ranks.Barrier(ctx); err != nil {
		return s.result(), err
	}
	if err := s.study.refresh(); err != nil {
		return nil, err
	}
	for j := s.next(); j != nil && s.enter(j); {
		j = s.next()
	}
	return s.result(), nil
}

// search is a search that runs.
type search struct {
	o       Options
	ds      *data.Dataset
	plan    *split.Plan
	folds   []split.Fold
	spaces  []space
	study   *study
	rungs   rungs
	sampler proposer
	metric  string
	worse   float64 // 1 if less of the metric is better, -1 if more is
	trials  []Trial // that have ended, in the order of their numbers, which are 0, 1, ...
	job     *job    // the next one, once it is known
}

// What random streams are for.
const (
	forTrial = 0x74756e65 // "tune"
	forFold  = 0x666f6c64 // "fold"
)

func newSearch(ctx context.Context, all []Candidate, ds *data.Dataset, plan *split.Plan, o Options) (
	*search, error) {
	if o.Trials <= 0 && o.Time <= 0 {
		return nil, errors.New("a search needs a limit: a number of trials, or a time")
	}
	if o.Study == "" && ranks.Of(o.Ranks).Size() > 1 {
		return nil, errors.New("ranks work at one study by its file: name one")
	}
	o.Sampler = cmp.Or(o.Sampler, TPE)
	s := &search{o: o, plan: plan}
	eta := -1
	for _, row := range samplers {
		if row.name == o.Sampler {
			s.sampler, eta = row.new(), row.eta
		}
	}
	if eta < 0 {
		return nil, fmt.Errorf("unknown sampler %q", o.Sampler)
	}
	h := header{Version: studyVersion, Sampler: o.Sampler, Seed: o.Seed}
	for i := range all {
		space, err := newSpace(&all[i])
		if err != nil {
			return nil, err
		}
		s.spaces = append(s.spaces, space)
		h.Learners = append(h.Learners, learnerFixed{all[i].Name, all[i].Fixed})
	}
	if err := s.prepare(ds); err != nil {
		return nil, err
	}
	h.Table, h.Metric, h.Folds = s.ds.Hash(o.Rows, o.Workers), s.metric, len(s.folds)
	h.Plan = plan.KindFor(&s.ds.Target)
	s.rungs = newRungs(eta, len(s.folds))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var err error
	s.study, err = openStudy(o.Study, h, s.spaces)
	return s, err
}

// metrics returns those of the learners.
func (s *search) metrics() []string {
	names := make([]string, len(s.spaces))
	for i := range s.spaces {
		names[i] = s.spaces[i].metric
	}
	return names
}

// prepare sets the table, the metric and the folds.
func (s *search) prepare(ds *data.Dataset) error {
	ds, err := ds.Expanded(nil)
	if err != nil {
		return err
	}
	if ds.Target.Class == nil && ds.Target.Y == nil {
		return errors.New("a search needs a label")
	}
	rows := ds.Chosen(s.o.Rows)
	own := *ds
	own.Target.ChoosePositive(rows)
	s.ds = &own
	higher := false
	if s.metric, higher, err = eval.ChooseMetric(s.o.Metric, own.Target.Task, s.metrics()...); err != nil {
		return err
	}
	if s.worse = 1; higher {
		s.worse = -1
	}
	if s.folds, err = s.plan.Folds(&own.Target, rows); err != nil {
		return err
	}
	s.folds = slices.DeleteFunc(s.folds, func(f split.Fold) bool {
		return !own.Target.Relevant(f.Test) // the metric has no value there
	})
	if len(s.folds) == 0 {
		return errors.New("no query has a row of a grade above 0: there is nothing to evaluate")
	}
	return nil
}

// result returns the study so far.
func (s *search) result() *Study {
	r := &Study{Metric: s.metric, Higher: s.worse < 0, Folds: len(s.folds),
		LeftOut: split.LeftOut(s.folds), Best: -1, Trials: slices.Clone(s.trials),
		Damaged: s.study.damaged, Plan: s.plan.KindFor(&s.ds.Target)}
	for i := range s.folds {
		r.Rows += len(s.folds[i].Test)
	}
	for i := range r.Trials {
		t := &r.Trials[i]
		if !t.whole(r.Folds) {
			continue
		}
		if b := r.Best; b < 0 || s.worse*t.Mean() < s.worse*r.Trials[b].Mean() {
			r.Best = i
		}
	}
	r.compare()
	return r
}
