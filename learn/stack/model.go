package stack

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	training.Trained
	// folds of the cross-validation
	Folds int `json:"folds,omitempty"`
	// where there are rows, groups or times for fewer: how many it were to be
	Requested int `json:"folds_requested,omitempty"`
	// rows that the meta-learner learned from; 0: there were too few rows, groups or times, and
	// members count alike
	HoldOut int      `json:"hold_out"`
	Metric  string   `json:"metric,omitempty"` // of Member.Loss: logloss or rmse
	Members []Member `json:"members"`
	// of a tempered pool: the power that the mean of its members' probabilities is raised to
	Power *float64 `json:"power,omitempty"`
	// of a tempered pool, class by class: what is then added to the logarithm of a probability
	Bias []float64 `json:"bias,omitempty"`
}

// Check implements learn.Summary. All members have a weight, or none; of a tempered pool all have a
// power.
func (s *Summary) Check(m model.Model) error {
	var c training.Checks
	c.Require(len(s.Members) > 0, "members", "there are none")
	for i := range s.Members {
		member := &s.Members[i]
		c.Name("learner", member.Learner)
		c.Require((member.Weight != nil) == (s.Members[0].Weight != nil), "members",
			"member %d has no weight as others have", i)
		c.Require((member.Power != nil) == (s.Power != nil), "members",
			"member %d has a power, or none, unlike all together", i)
	}
	c.Require(s.Bias == nil || len(s.Bias) == len(m.Spec().Classes), "bias",
		"%d values for %d classes", len(s.Bias), len(m.Spec().Classes))
	return c.Err()
}

// Member is what was found of one member.
type Member struct {
	Name    string `json:"name"`
	Learner string `json:"learner"`
	// that the ridge gives it; members of weight 0 are left out of the model
	Weight *float64 `json:"weight,omitempty"`
	Power  *float64 `json:"power,omitempty"` // that a tempered pool raises the probabilities to
	Loss   *float64 `json:"loss,omitempty"`  // on the rows that the meta-learner learned from
}

// model joins members and meta-learner.
func (j *job) model(ctx context.Context) (model.Model, error) {
	found := &Summary{Trained: j.counted,
		HoldOut: len(data.Distinct(j.holdOutRows))}
	if j.refit && j.holdOutRows != nil {
		found.Folds, found.Requested = len(j.folds), j.requested
	}
	for i := range j.members {
		found.Members = append(found.Members,
			Member{Name: j.members[i].Name, Learner: j.members[i].Learned})
	}
	j.evaluate(found)
	meta := model.NewSpec(Name, j.frame.Schema, j.target)
	meta.Params = j.params
	if j.metaLearner == nil || j.holdOutRows == nil {
		return j.weighed(meta, found)
	}
	s := &committee.Stack{Meta: meta, Members: j.models, MemberOutput: j.learner.Outputs,
		Passthrough: j.learner.Passthrough}
	for i := range j.members {
		s.Names = append(s.Names, j.members[i].Name)
	}
	var err error
	if s.MetaModel, err = j.combine(ctx); err != nil {
		return nil, err
	}
	if s.Meta.Summary, err = json.Marshal(found); err != nil {
		return nil, err
	}
	return s, s.Validate()
}

// weighed makes the committee of the members that have a weight by the ridge; of all, where there
// was nothing to learn from.
func (j *job) weighed(meta model.Spec, found *Summary) (model.Model, error) {
	pool := PoolLinear
	if j.holdOutRows != nil && meta.Task.Classes() && j.learner.Outputs == model.Response &&
		j.several() {
		pool = j.ridge.ofProbabilities()
	}
	if pool == PoolTempered {
		return j.tempered(meta, found)
	}
	c := &committee.Committee{Meta: meta}
	if j.learner.Outputs == model.Label && meta.Task.Classes() {
		c.Combine = committee.Vote
	}
	var weights []float64
	switch l2 := j.ridge.L2; {
	case j.holdOutRows == nil:
	case pool == PoolLog:
		c.Combine, c.Floor = committee.Product, j.ridge.Floor
		p := j.product(c, j.predicted)
		p.l2, p.towards = l2, 1/float64(len(j.predicted))
		weights = p.solve()
	case meta.Task.Classes():
		l, outputs := j.level(j.predicted)
		weights = l.plain(l2, 0, outputs)
	default:
		l, _ := j.level(j.predicted)
		c.Combine, c.Bias = committee.Sum, make([]float64, 1)
		weights, c.Bias[0] = l.centred(l2)
	}
	if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) &&
		c.Combine != committee.Sum && c.Combine != committee.Product {
		weights = slices.Repeat([]float64{1}, len(j.models))
	}
	for i, m := range j.models {
		found.Members[i].Weight = &weights[i]
		if weights[i] > 0 {
			c.Members, c.Weights = append(c.Members, m), append(c.Weights, weights[i])
		}
	}
	// a constant, which members add nothing to: a number, or equal probabilities
	if len(c.Members) == 0 {
		c.Members, c.Weights = j.models[:1], []float64{0}
	}
	return joined(c, found)
}

// joined stores the summary in a committee, validates it, and makes it an ensemble of trees where
// it is one.
func joined(c *committee.Committee, found *Summary) (model.Model, error) {
	var err error
	if c.Meta.Summary, err = json.Marshal(found); err != nil {
		return nil, err
	}
	return ensembles.Joined(c)
}

// level makes the rows that the ridge is trained on, of the members' predictions.
func (j *job) level(all []*learn.HoldOut) (l *level, outputs int) {
	t := j.target
	first, outputs := 0, 1
	if t.Task.Classes() {
		outputs = len(t.Classes)
		if outputs == 2 {
			first, outputs = 1, 1 // the other's errors are the same
		}
	}
	l = &level{members: len(all)}
	for _, row := range j.holdOutRows {
		at, _ := slices.BinarySearch(all[0].Rows, row)
		for k := first; k < first+outputs; k++ {
			for _, predicted := range all {
				v := predicted.Values[at*predicted.Width : (at+1)*predicted.Width]
				switch {
				case !t.Task.Classes():
					l.x = append(l.x, v[0])
				case j.learner.Outputs == model.Label:
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

// several reports whether the hold-out rows have several classes. With one, the likelihood would
// favour probabilities of 0, and the floor would not allow them.
func (j *job) several() bool {
	return slices.ContainsFunc(j.holdOutRows,
		func(row int32) bool { return j.target.Class[row] != j.target.Class[j.holdOutRows[0]] })
}

// product makes the problem of which powers are the solution, of the members' predictions and the
// floor of the committee. The caller sets the penalty.
func (j *job) product(c *committee.Committee, all []*learn.HoldOut) *product {
	p := &product{members: len(all), classes: len(j.target.Classes)}
	for _, row := range j.holdOutRows {
		at, _ := slices.BinarySearch(all[0].Rows, row)
		for _, predicted := range all {
			from := len(p.x)
			p.x = append(p.x, predicted.Values[at*predicted.Width:(at+1)*predicted.Width]...)
			c.Centre(p.x[from:])
		}
		p.class, p.weight = append(p.class, j.target.Class[row]),
			append(p.weight, j.target.WeightAt(row))
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

// combine trains a meta-learner other than the ridge on the members' out-of-fold predictions.
func (j *job) combine(ctx context.Context) (model.Model, error) {
	frame, err := j.columns()
	if err != nil {
		return nil, err
	}
	env := j.env
	env.Workers = j.workers
	rows := slices.Clone(j.holdOutRows)
	slices.Sort(rows)
	own := learn.Job{Rows: rows, Plan: j.plan.Within(-1),
		Seed: rng.New(j.Seed, forMetaLearner).Uint64(), Workers: j.workers}
	if j.looks() {
		own.Valid = j.Valid
	}
	if j.HoldOut != nil {
		own.HoldOut = func(what string,
			h *learn.HoldOut) error {
			return j.HoldOut("meta-learner, "+what, h)
		}
	}
	fitter, err := j.metaLearner.Prepare(ctx, frame, data.Distinct(rows), j.target.Weight, env)
	if err != nil {
		return nil, fmt.Errorf("meta-learner: %w", err)
	}
	m, err := fitter.Fit(ctx, j.target, own)
	if err != nil {
		return nil, fmt.Errorf("meta-learner: %w", err)
	}
	return m, nil
}

// looks reports whether the meta-learner uses the validation set.
func (j *job) looks() bool {
	return len(j.Valid) > 0 && j.learner.Plan != PlanBlend &&
		j.metaLearner.Capabilities().Validation != (learn.Validation{})
}

// columns makes the frame that the meta-learner is trained on. It has as many rows as the table,
// with values in hold-out rows and, for a meta-learner that uses it, in the validation set.
func (j *job) columns() (*data.Frame, error) {
	s := data.Schema{}
	var columns []data.Column
	for i, predicted := range j.predicted {
		values := slices.Repeat([]float64{math.NaN()}, j.frame.Rows()*predicted.Width)
		place := func(rows []int32, from []float64) {
			for at, row := range rows {
				copy(values[int(row)*predicted.Width:],
					from[at*predicted.Width:(at+1)*predicted.Width])
			}
		}
		place(predicted.Rows, predicted.Values)
		if j.looks() {
			rows := data.Distinct(j.Valid)
			_, own, err := fitting.PredictRows(j.models[i], j.members[i].frame, rows,
				j.learner.Outputs, j.workers)
			if err != nil {
				return nil, j.members[i].failed(err)
			}
			place(rows, own)
		}
		fields := committee.PredictedFields(j.members[i].Name, j.models[i].Spec(), j.learner.Outputs,
			predicted.Width)
		s.Fields = append(s.Fields, fields...)
		columns = append(columns, committee.PredictedColumns(fields, predicted.Width, values)...)
	}
	if j.learner.Passthrough {
		s.Fields = append(s.Fields, j.frame.Schema.Fields...)
		columns = append(columns, j.frame.Columns...)
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		return nil, fmt.Errorf("columns for the meta-learner: %w: give the member another name, "+
			"as in NAME:LEARNER", err)
	}
	return f, nil
}

// evaluate computes the losses of the members on the hold-out rows.
func (j *job) evaluate(found *Summary) {
	for i, predicted := range j.responses {
		s := &metric.Sample{Width: predicted.Width, Pred: predicted.Values}
		for _, row := range predicted.Rows {
			s.Weight = append(s.Weight, j.target.WeightAt(row))
			if j.target.Task.Classes() {
				s.Class = append(s.Class, j.target.Class[row])
			} else {
				s.Y = append(s.Y, j.target.Y[0][row])
			}
		}
		name := "logloss"
		if !j.target.Task.Classes() {
			name = "rmse"
		}
		if v, err := metric.Of(name, s); err == nil && !math.IsInf(v, 0) {
			found.Metric, found.Members[i].Loss = name, &v
		}
	}
}
