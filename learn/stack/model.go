package stack

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/stack"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	learn.Trained
	Folds   int       `json:"folds,omitempty"`       // parts of the rows that were held back in turn
	Asked   int       `json:"folds_asked,omitempty"` // where there are rows, groups or times for fewer: how many it were to be
	Held    int       `json:"held_back"`             // rows that the combiner learned from; 0: there were too few rows, groups or times, and members count alike
	Metric  string    `json:"metric,omitempty"`      // of Member.Loss: logloss or rmse
	Members []Member  `json:"members"`
	Power   *float64  `json:"power,omitempty"` // of a tempered pool: that the mean of its members' shares is raised to
	Bias    []float64 `json:"bias,omitempty"`  // of a tempered pool, class by class: what is then added to the logarithm of a share
}

// Check implements learn.Summary. All members have a weight, or none; of a tempered pool all have a power.
func (s *Summary) Check(m model.Model) error {
	var c learn.Checks
	c.Rows(s.Trained)
	c.Count("folds", s.Folds)
	c.Count("folds_asked", s.Asked)
	c.Count("held_back", s.Held)
	c.Name("metric", s.Metric)
	c.Require(len(s.Members) > 0, "members", "there are none")
	for i := range s.Members {
		member := &s.Members[i]
		c.Name("learner", member.Learner)
		c.Require((member.Weight != nil) == (s.Members[0].Weight != nil), "members", "member %d has no weight as others have", i)
		c.Require((member.Power != nil) == (s.Power != nil), "members", "member %d has a power, or none, unlike all together", i)
	}
	c.Require(s.Bias == nil || len(s.Bias) == len(m.Spec().Classes), "bias", "%d values for %d classes", len(s.Bias), len(m.Spec().Classes))
	return c.Err()
}

// Member is what was found of one member.
type Member struct {
	Name    string   `json:"name"`
	Learner string   `json:"learner"`
	Weight  *float64 `json:"weight,omitempty"` // that the ridge gives it; members of weight 0 are left out of the model
	Power   *float64 `json:"power,omitempty"`  // that a tempered pool raises its shares to
	Loss    *float64 `json:"loss,omitempty"`   // on the rows that the combiner learned from
}

// model joins members and combiner.
func (j *job) model(ctx context.Context) (model.Model, error) {
	found := &Summary{Trained: learn.TrainedOn(j.target, j.Rows), Held: len(data.Distinct(j.held))}
	if j.refit && j.held != nil {
		found.Folds, found.Asked = len(j.folds), j.asked
	}
	for i := range j.members {
		found.Members = append(found.Members, Member{Name: j.members[i].Name, Learner: j.members[i].Learned})
	}
	j.measure(found)
	meta := learn.NewSpec(Name, j.frame.Schema, j.target)
	meta.Params = j.params
	if j.combiner == nil || j.held == nil {
		return j.weighed(meta, found)
	}
	s := &stack.Stack{Meta: meta, Members: j.models, Says: j.says, Pass: j.learner.Pass}
	for i := range j.members {
		s.Names = append(s.Names, j.members[i].Name)
	}
	var err error
	if s.Combiner, err = j.combine(ctx); err != nil {
		return nil, err
	}
	if s.Meta.Summary, err = json.Marshal(found); err != nil {
		return nil, err
	}
	return s, s.Validate()
}

// weighed makes the committee of the members that have a weight by the ridge; of all, where there was nothing to learn from.
func (j *job) weighed(meta model.Spec, found *Summary) (model.Model, error) {
	pool := linearPool
	if j.held != nil && meta.Task.Classes() && j.says == model.Response && j.several() {
		pool = j.ridge.ofShares()
	}
	if pool == temperedPool {
		return j.tempered(meta, found)
	}
	c := &committee.Committee{Meta: meta}
	if j.says == model.Label && meta.Task.Classes() {
		c.Combine = committee.Vote
	}
	var weights []float64
	switch l2 := j.ridge.L2; {
	case j.held == nil:
	case pool == logPool:
		c.Combine, c.Floor = committee.Product, j.ridge.Floor
		p := j.product(c, j.said)
		p.l2, p.towards = l2, 1/float64(len(j.said))
		weights = p.solve()
	case meta.Task.Classes():
		l, outputs := j.level(j.said)
		weights = l.plain(l2, 0, outputs)
	default:
		l, _ := j.level(j.said)
		c.Combine, c.Bias = committee.Sum, make([]float64, 1)
		weights, c.Bias[0] = l.centred(l2)
	}
	if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) && c.Combine != committee.Sum && c.Combine != committee.Product {
		weights = slices.Repeat([]float64{1}, len(j.models))
	}
	for i, m := range j.models {
		found.Members[i].Weight = &weights[i]
		if weights[i] > 0 {
			c.Members, c.Weights = append(c.Members, m), append(c.Weights, weights[i])
		}
	}
	if len(c.Members) == 0 { // a constant, which members add nothing to: a number, or equal shares
		c.Members, c.Weights = j.models[:1], []float64{0}
	}
	return joined(c, found)
}

// joined tells a committee what training found, checks it, and makes it an ensemble of trees where it is one.
func joined(c *committee.Committee, found *Summary) (model.Model, error) {
	var err error
	if c.Meta.Summary, err = json.Marshal(found); err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if flat, ok := c.Flatten(); ok {
		return flat, nil
	}
	return c, nil
}

// level makes the rows that the ridge learns from, of what members say.
func (j *job) level(all []*learn.HeldBack) (l *level, outputs int) {
	t := j.target
	first, outputs := 0, 1
	if t.Task.Classes() {
		outputs = len(t.Classes)
		if outputs == 2 {
			first, outputs = 1, 1 // the other's errors are the same
		}
	}
	l = &level{members: len(all)}
	for _, row := range j.held {
		at, _ := slices.BinarySearch(all[0].Rows, row)
		for k := first; k < first+outputs; k++ {
			for _, said := range all {
				v := said.Values[at*said.Width : (at+1)*said.Width]
				switch {
				case !t.Task.Classes():
					l.x = append(l.x, v[0])
				case j.says == model.Label:
					l.x = append(l.x, is(int(v[0]) == k))
				default:
					l.x = append(l.x, v[k])
				}
			}
			y := 0.0
			if t.Task.Classes() {
				y = is(int(t.Class[row]) == k)
			} else {
				y = t.Y[0][row]
			}
			l.y, l.weight = append(l.y, y), append(l.weight, t.WeightAt(row))
		}
	}
	return l, outputs
}

// several reports whether the rows held back are of several classes: of one, likelihood would only say that shares of 0 are right,
// and the floor that they are not.
func (j *job) several() bool {
	return slices.ContainsFunc(j.held, func(row int32) bool { return j.target.Class[row] != j.target.Class[j.held[0]] })
}

// product makes what powers are learned from, of what members say, by the floor of the committee that they are for. The penalty is the
// caller's to set.
func (j *job) product(c *committee.Committee, all []*learn.HeldBack) *product {
	p := &product{members: len(all), classes: len(j.target.Classes)}
	for _, row := range j.held {
		at, _ := slices.BinarySearch(all[0].Rows, row)
		for _, said := range all {
			from := len(p.x)
			p.x = append(p.x, said.Values[at*said.Width:(at+1)*said.Width]...)
			c.Centre(p.x[from:])
		}
		p.class, p.weight = append(p.class, j.target.Class[row]), append(p.weight, j.target.WeightAt(row))
	}
	return p
}

// is is 1 where it is so, else 0.
func is(so bool) float64 {
	if so {
		return 1
	}
	return 0
}

// combine trains a combiner that is a learner on what the members say of the rows held back.
func (j *job) combine(ctx context.Context) (model.Model, error) {
	frame, err := j.columns()
	if err != nil {
		return nil, err
	}
	env := j.env
	env.Workers = j.workers
	rows := slices.Clone(j.held)
	slices.Sort(rows)
	own := learn.Job{Rows: rows, Plan: j.plan.Within(-1), Seed: rng.New(j.Seed, forCombiner).Uint64(), Workers: j.workers}
	if j.looks() {
		own.Valid = j.Valid
	}
	if j.HeldBack != nil {
		own.HeldBack = func(what string, h *learn.HeldBack) error { return j.HeldBack("combiner, "+what, h) }
	}
	fitter, err := j.combiner.Prepare(ctx, frame, data.Distinct(rows), j.target.Weight, env)
	if err != nil {
		return nil, fmt.Errorf("combiner: %w", err)
	}
	m, err := fitter.Fit(ctx, j.target, own)
	if err != nil {
		return nil, fmt.Errorf("combiner: %w", err)
	}
	return m, nil
}

// looks reports whether the combiner looks at the validation part.
func (j *job) looks() bool {
	return len(j.Valid) > 0 && j.learner.Plan != blend && learn.UsesValid(j.combiner)
}

// columns makes the frame that the combiner sees: as many rows as the table has, with values where they were held back or, for
// a combiner that looks at it, in the validation part.
func (j *job) columns() (*data.Frame, error) {
	s := data.Schema{}
	var columns []data.Column
	for i, said := range j.said {
		values := slices.Repeat([]float64{math.NaN()}, j.frame.Rows()*said.Width)
		place := func(rows []int32, from []float64) {
			for at, row := range rows {
				copy(values[int(row)*said.Width:], from[at*said.Width:(at+1)*said.Width])
			}
		}
		place(said.Rows, said.Values)
		if j.looks() {
			rows := data.Distinct(j.Valid)
			_, own, err := learn.Predictions(j.models[i], j.members[i].frame, rows, j.says, j.workers)
			if err != nil {
				return nil, j.members[i].failed(err)
			}
			place(rows, own)
		}
		fields := stack.Fields(j.members[i].Name, j.models[i].Spec(), j.says, said.Width)
		s.Fields = append(s.Fields, fields...)
		columns = append(columns, stack.Columns(fields, said.Width, values)...)
	}
	if j.learner.Pass {
		s.Fields = append(s.Fields, j.frame.Schema.Fields...)
		columns = append(columns, j.frame.Columns...)
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		return nil, fmt.Errorf("columns for the combiner: %w: give the member another name, as in NAME:LEARNER", err)
	}
	return f, nil
}

// measure tells the losses of the members on the rows held back.
func (j *job) measure(found *Summary) {
	for i, said := range j.responses {
		s := &metric.Sample{Width: said.Width, Pred: said.Values}
		for _, row := range said.Rows {
			s.Weight = append(s.Weight, j.target.WeightAt(row))
			if j.target.Task.Classes() {
				s.Class = append(s.Class, j.target.Class[row])
			} else {
				s.Y = append(s.Y, j.target.Y[0][row])
			}
		}
		measured, name := metric.LogLoss, "logloss"
		if !j.target.Task.Classes() {
			measured, name = metric.RMSE, "rmse"
		}
		if v, err := measured(s); err == nil && !math.IsInf(v, 0) {
			found.Metric, found.Members[i].Loss = name, &v
		}
	}
}
