package anyboost

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// member is a regression model that is added to one output.
type member struct {
	model  model.Model
	tree   *tree.Tree // that the model is, nil if it is no single tree
	weight float64
}

// round fits a member for each output to the negative gradient, and adds them. It reports whether
// the loss falls along them; after an error, and if it does not, the scores are what they were.
func (b *boost) round(ctx context.Context) (down bool, err error) {
	if err := b.update(b.monitor.Rounds+1, b.loss); err != nil {
		return false, err
	}
	if b.ownLoss {
		curved, err := boosting.Curved(b.h, len(b.bias), 0, b.attempts == 0, b.loss)
		if err != nil {
			return false, err
		}
		if way := b.learner.Step; !curved && way != StepFixed && way != StepLine {
			b.monitor.Flat = true
			return false, nil
		}
	}
	b.sampler.Sample(&b.sampled, b.g, b.h, rng.Seed(b.Seed, purposeRows, uint64(b.attempts)))
	n, k := len(b.train.Rows), len(b.bias)
	members, predicts := make([]member, k), make([]float64, n*k)
	for o := range k {
		if members[o], err = b.fit(ctx, o); err != nil {
			return false, err
		}
		if err := b.predictRows(predicts[o*n:(o+1)*n], members[o].model, b.train.Rows); err != nil {
			return false, err
		}
	}
	cosine, step := b.cosine(predicts), 0.0
	if cosine > b.learner.MinDescent && !b.still(predicts) {
		if step, err = b.step(members, predicts); err != nil {
			return false, err
		}
	}
	if step == 0 && len(b.members) > 0 {
		return false, nil
	}
	for o := range members { // a model has a member, even one that predicts 0
		members[o].weight = float64(b.learner.LearningRate * step)
	}
	b.members = append(b.members, members...)
	if step == 0 {
		return false, nil
	}
	b.cosines, b.steps = append(b.cosines, cosine), append(b.steps, step)
	return true, b.add(members, predicts)
}

// fit fits the base to the negative derivatives of the sampled rows' own losses by an output. The
// base uses the weights of the rows.
func (b *boost) fit(ctx context.Context, output int) (member, error) {
	n := len(b.train.Rows)
	rows := make([]int32, 0, n)
	take := func(i int32) {
		r := b.train.Rows[i]
		if b.target.WeightAt(r) > 0 {
			b.goal[r] = -b.own[output*n+int(i)]
			rows = append(rows, r)
		}
	}
	if b.sampled.All {
		for i := range int32(n) {
			take(i)
		}
	} else {
		for _, i := range b.sampled.Rows {
			take(i)
		}
	}
	if len(rows) == 0 {
		return member{}, fmt.Errorf("round %d, subsample=%v: %w were sampled: use a larger "+
			"subsample", b.monitor.Rounds+1, b.learner.Subsample, loss.ErrNoWeight)
	}
	t := &data.Target{Name: b.target.Name, Task: data.Regression, Y: [][]float64{b.goal},
		Weight: b.target.Weight, Group: b.target.Group, Time: b.target.Time}
	m, err := b.base.Fit(ctx, t, learn.Job{Rows: rows,
		Seed:    rng.Seed(b.Seed, purposeBase, uint64(b.attempts), uint64(output)),
		Workers: b.Workers})
	var wrong *learn.TaskError
	switch {
	case errors.As(err, &wrong):
		return member{}, fmt.Errorf("base=%s: %s cannot do %s, and members are regressions: use a "+
			"base such as cart", b.learner.Base.Name, wrong.Learner, wrong.Task)
	case ctx.Err() != nil: // what the base made of it is no member
		return member{}, ctx.Err()
	case err != nil:
		return member{}, fmt.Errorf("round %d, base=%s: %w", b.monitor.Rounds+1,
			b.learner.Base.Name, err)
	case m.Spec().Task != data.Regression:
		return member{}, fmt.Errorf("base=%s makes models of %s, and members are regressions: use "+
			"a base such as cart", b.learner.Base.Name, m.Spec().Task)
	case m.Outputs() != 1:
		return member{}, fmt.Errorf("base=%s predicts %d numbers, want one", b.learner.Base.Name,
			m.Outputs())
	}
	return b.memberOf(m), nil
}

// predictRows writes the predictions of a model for rows.
func (b *boost) predictRows(dst []float64, m model.Model, rows []int32) error {
	bound, err := m.Bind(&b.frame.Schema, model.Options{Workers: b.Workers})
	if err != nil {
		return err
	}
	return bound.Predict(dst, b.frame, rows)
}

// cosine returns that of the angle between the negative gradient and the predictions of a round,
// over the rows of all outputs; 0 if it is not positive. Rows count by their weights.
func (b *boost) cosine(predicts []float64) float64 {
	n := len(b.train.Rows)
	product, gradient, length := 0.0, 0.0, 0.0
	for i, f := range predicts {
		w := b.target.WeightAt(b.train.Rows[i%n])
		if w == 0 {
			continue
		}
		product -= float64(b.g[i] * f)
		gradient += float64(b.g[i] * b.own[i])
		length += float64(f * f * w)
	}
	if !(product > 0) {
		return 0
	}
	return product / (math.Sqrt(gradient) * math.Sqrt(length))
}

// still reports whether a round predicts the same for all rows, and no more than rounding does.
func (b *boost) still(predicts []float64) bool {
	scale := 1.0
	for _, v := range b.bias {
		scale = max(scale, math.Abs(v))
	}
	n := len(b.train.Rows)
	for i, f := range predicts {
		if f != predicts[i/n*n] || math.Abs(f) > 1e-9*scale {
			return false
		}
	}
	return true
}

// add adds a round of members to the scores of all rows. predicts are their predictions for the
// training set.
func (b *boost) add(members []member, predicts []float64) error {
	n := len(b.train.Rows)
	for i, f := range predicts {
		b.train.Raw[i] += float64(members[i/n].weight * f)
	}
	if b.valid == nil {
		return nil
	}
	n = len(b.valid.Rows)
	values := make([]float64, n)
	for o, m := range members {
		if err := b.predictRows(values, m.model, b.valid.Rows); err != nil {
			return err
		}
		for i, f := range values {
			b.valid.Raw[o*n+i] += float64(m.weight * f)
		}
	}
	return nil
}
