package catalog_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tune"
)

// spy wraps a learner, and records which rows its models are trained on and which they predict.
type spy struct {
	learn.Learner
	seen *record
}

// record is what all models of a spy did.
type record struct {
	mutex  sync.Mutex
	models []*spied
}

// spied is a model with the rows that it was trained on, those of its validation set, and those
// that it predicted.
type spied struct {
	model.Model
	record                  *record
	train, valid, predicted []int32
}

type spyFitter struct {
	learn.Fitter
	prepared []int32
	seen     *record
}

func (s spy) Prepare(ctx context.Context, f data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	fitter, err := s.Learner.Prepare(ctx, f, rows, weight, env)
	return spyFitter{fitter, f.Outline().Chosen(rows), s.seen}, err
}

func (s spyFitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	m, err := s.Fitter.Fit(ctx, t, job)
	if m == nil || err != nil {
		return m, err
	}
	own := &spied{Model: m, record: s.seen, train: job.RowsOf(s.prepared), valid: job.Valid}
	s.seen.mutex.Lock()
	defer s.seen.mutex.Unlock()
	s.seen.models = append(s.seen.models, own)
	return own, nil
}

func (s *spied) Bind(schema *data.Schema, o model.Options) (model.Predictor, error) {
	p, err := s.Model.Bind(schema, o)
	return spiedPredictor{p, s}, err
}

type spiedPredictor struct {
	model.Predictor
	of *spied
}

func (p spiedPredictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	p.of.record.mutex.Lock()
	p.of.predicted = append(p.of.predicted, f.Chosen(rows)...)
	p.of.record.mutex.Unlock()
	return p.Predictor.Predict(dst, f, rows)
}

// rolesTable has 96 rows of two classes: groups of four rows that follow each other in time, and a
// row in six of weight 0.
func rolesTable(groups, times bool) *data.Dataset {
	n := 96
	x, t := make([]float64, n), data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"no", "yes"}}
	for i := range n {
		x[i] = float64(i * 37 % n)
		t.Class = append(t.Class, uint32(i*7/3%2))
		t.Weight = append(t.Weight, float64(min(1, i*5%6)))
		if groups {
			t.Group = append(t.Group, int64(i/4))
		}
		if times {
			t.Time = append(t.Time, int64(i/3))
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(x)})
	if err != nil {
		panic(err)
	}
	return &data.Dataset{Frame: f, Target: t}
}

// fault returns what a model saw that it should not have; "" = nothing. Rows that it predicts are
// held out of its training unless all of them are among those trained on.
func (s *spied) fault(t *data.Target) string {
	tested := slices.Concat(s.predicted, s.valid)
	tested = slices.DeleteFunc(tested, func(r int32) bool { return slices.Contains(s.train, r) })
	for _, train := range s.train {
		if t.Weight[train] == 0 {
			return fmt.Sprintf("trains on row %d of weight 0", train)
		}
		for _, test := range tested {
			switch {
			case t.Group != nil && t.Group[train] == t.Group[test]:
				return fmt.Sprintf("group %d is on both sides", t.Group[train])
			case t.Time != nil && t.Time[train] >= t.Time[test]:
				return fmt.Sprintf("trains on time %d, tests time %d", t.Time[train], t.Time[test])
			}
		}
	}
	return ""
}

// caller does something that holds rows out.
type caller struct {
	name  string
	outer bool // its plan has a number of folds
	run   func(seen *record, ds *data.Dataset, plan *split.Plan) error
}

var callers = []caller{
	{"cross-validate", true, func(seen *record, ds *data.Dataset, plan *split.Plan) error {
		_, err := eval.CrossValidate(context.Background(), spy{cart.New(), seen}, ds, plan,
			eval.Options{})
		return err
	}},
	{"compare", true, func(seen *record, ds *data.Dataset, plan *split.Plan) error {
		l := spy{cart.New(), seen}
		_, err := eval.Compare(context.Background(), []eval.Entrant{{Name: "a", Learner: l},
			{Name: "b", Learner: l}}, ds, plan, eval.CompareOptions{})
		return err
	}},
	{"leakage check", true, func(seen *record, ds *data.Dataset, plan *split.Plan) error {
		_, err := eval.CheckLeakage(context.Background(), spy{cart.New(), seen}, ds, plan, 3,
			eval.Options{})
		return err
	}},
	{"tune", true, func(seen *record, ds *data.Dataset, plan *split.Plan) error {
		candidate := tune.Candidate{Name: "a",
			New: func() (learn.Learner, error) { return spy{cart.New(), seen}, nil }}
		_, err := tune.Run(context.Background(), []tune.Candidate{candidate}, ds, plan,
			tune.Options{Trials: 1})
		return err
	}},
	fitted("calibrate", func(r learn.Resolve) learn.Learner { return calibrate.New(r) },
		"base=cart", "folds=3"),
	fitted("stack", func(r learn.Resolve) learn.Learner { return stack.New(r) },
		"members=cart", "folds=3"),
	fitted("blend", func(r learn.Resolve) learn.Learner { return stack.New(r) },
		"members=cart", "plan=blend"),
	fitted("vote by ranks", func(r learn.Resolve) learn.Learner { return vote.New(r) },
		"members=cart", "vote=ranks", "folds=3"),
	fitted("portfolio", func(r learn.Resolve) learn.Learner { return portfolio.New(r) },
		"members=cart", "budget=2", "folds=3"),
}

// fitted trains a learner around spies by a plan.
func fitted(name string, make func(learn.Resolve) learn.Learner, settings ...string) caller {
	return caller{name, false, func(seen *record, ds *data.Dataset, plan *split.Plan) error {
		l := make(func(string) (string, learn.Learner, error) {
			return "cart", spy{cart.New(), seen}, nil
		})
		if err := l.Params().Set(settings); err != nil {
			return err
		}
		ctx := context.Background()
		f, err := l.Prepare(ctx, ds.Frame, nil, ds.Target.Weight, learn.Env{})
		if err != nil {
			return err
		}
		_, err = f.Fit(ctx, &ds.Target, learn.Job{Plan: plan})
		return err
	}}
}

// TestHoldOutKeepsRoles: whatever the plan and the roles, no caller trains on rows of a group that
// it tests, on rows that are as late as those it tests, or on rows of weight 0.
func TestHoldOutKeepsRoles(t *testing.T) {
	kinds := []split.Kind{split.Auto, split.Random, split.Stratified, split.Grouped,
		split.ByTime, split.LeaveOneOut}
	for _, c := range callers {
		for roles := range 4 {
			ds := rolesTable(roles&1 > 0, roles&2 > 0)
			for k, kind := range kinds {
				if testing.Short() && (k+roles)%2 > 0 {
					continue
				}
				if kind == split.LeaveOneOut && roles == 0 {
					continue // it trains 80 models
				}
				plan := &split.Plan{Kind: kind}
				if c.outer && kind != split.LeaveOneOut {
					plan.K = 3
				}
				name := fmt.Sprintf("%s, %s, roles %d", c.name, kind, roles)
				seen := &record{}
				err := c.run(seen, ds, plan)
				if refused := contradicts(kind, &ds.Target); refused != (err != nil) {
					t.Errorf("%s: refused %v, error %v", name, refused, err)
					continue
				}
				if err == nil && len(seen.models) == 0 {
					t.Errorf("%s: no model was seen", name)
				}
				for _, m := range seen.models {
					if fault := m.fault(&ds.Target); fault != "" {
						t.Errorf("%s: a model %s", name, fault)
						break
					}
				}
			}
		}
	}
}

// contradicts reports whether a kind of plan cannot be combined with the roles of a target.
func contradicts(kind split.Kind, t *data.Target) bool {
	switch kind {
	case split.Random, split.Stratified, split.LeaveOneOut:
		return t.Time != nil
	case split.Grouped:
		return t.Group == nil
	case split.ByTime:
		return t.Time == nil
	}
	return false
}
