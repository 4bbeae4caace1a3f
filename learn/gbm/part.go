package gbm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// part is some rows with their labels and scores.
type part struct {
	name      string
	rows      []int32 // frame rows, ascending
	objective loss.Objective
	raw       []float64 // output-major, by position
}

func (b *boost) newPart(name string, l loss.Loss, rows []int32) (*part, error) {
	o, err := l.Bind(b.target, rows)
	if err != nil {
		return nil, err
	}
	return &part{name: name, rows: rows, objective: o}, nil
}

// start gives the rows the scores that training starts with: those of the model so far, and the user's.
func (p *part) start(b *boost) error {
	n, k := len(p.rows), p.objective.Outputs()
	p.raw = make([]float64, n*k)
	if err := p.add(b, b.model); err != nil {
		return err
	}
	offset := b.target.Offset
	if offset == nil {
		return nil
	}
	if want := b.frame.Rows() * k; len(offset) != want {
		return fmt.Errorf("%d start scores for %d rows of loss=%s, want %d: one for each output of each row", len(offset), b.frame.Rows(), b.loss, want)
	}
	for i, r := range p.rows {
		for o := range k {
			p.raw[o*n+i] += offset[int(r)*k+o]
		}
	}
	return nil
}

// add adds the raw scores of a model to those of the rows.
func (p *part) add(b *boost, m *model.Ensemble) error {
	bound, err := m.Bind(&b.frame.Schema, model.Options{Output: model.Raw, Workers: b.Workers})
	if err != nil {
		return err
	}
	n, k := len(p.rows), bound.Width()
	scores := make([]float64, n*k)
	if err := bound.Predict(scores, b.frame, p.rows); err != nil {
		return err
	}
	for i := range n {
		for o := range k {
			p.raw[o*n+i] += scores[i*k+o]
		}
	}
	return nil
}

// addTrees adds the values of a round's trees, one for each output, of some weight.
func (p *part) addTrees(b *boost, trees []*tree.Tree, weight float64) error {
	m := b.empty()
	m.Trees = trees
	for o := range trees {
		m.Output = append(m.Output, b.outputOf(o))
	}
	if weight != 1 {
		m.Weights = slices.Repeat([]float64{weight}, len(trees))
	}
	return p.add(b, m)
}

// measure is a metric of the parameter metric.
type measure struct {
	name   string
	higher bool
	of     func(b *boost, p *part) (float64, error)
}

// measures looks the metrics up, the loss by its own name.
func (b *boost) measures() ([]measure, error) {
	var all []measure
	for name := range strings.SplitSeq(b.learner.Metric, ",") {
		if name == learn.Auto {
			if name = lossMetric; b.target.Task == data.Ranking {
				name = rankingMetric
			}
		}
		if name == lossMetric {
			all = append(all, measure{b.loss, false, func(b *boost, p *part) (float64, error) {
				return p.objective.Value(p.raw, b.workers()), nil
			}})
			continue
		}
		m, _ := metric.Lookup(name)
		_, quantiles := b.train.objective.(loss.Quantiler)
		switch {
		case !slices.Contains(m.Tasks, b.target.Task):
			return nil, fmt.Errorf("metric=%s is for %s, the label is one of %s", name, taskWords(m.Tasks), b.target.Task)
		case !b.target.Task.Classes() && b.train.objective.Outputs() > 1 && !quantiles:
			return nil, fmt.Errorf("metric=%s measures one number, there are %d: use metric=%s", name, b.train.objective.Outputs(), lossMetric)
		}
		all = append(all, measure{name, m.Higher, func(b *boost, p *part) (float64, error) { return m.Func(b.sample(p)) }})
	}
	return all, nil
}

// sample returns a part's rows as metrics take them.
func (b *boost) sample(p *part) *metric.Sample {
	t, n := b.target, len(p.rows)
	s := &metric.Sample{Width: b.model.Outputs(), Class: at(t.Class, p.rows), Weight: at(t.Weight, p.rows),
		Group: at(t.Group, p.rows), Upper: at(t.Upper, p.rows), Event: at(t.Event, p.rows), Quantiles: b.model.Meta.Quantiles}
	if t.Class == nil {
		s.Y = at(t.Y[0], p.rows)
	}
	_, s.Risk = b.model.Link.(link.Hazard)
	respond, k := b.model.Responder(), len(b.model.Bias)
	s.Pred = make([]float64, n*s.Width)
	raw := make([]float64, k)
	for i := range n {
		for o := range k {
			raw[o] = p.raw[o*n+i]
		}
		respond(s.Pred[i*s.Width:(i+1)*s.Width], raw)
	}
	return s
}

// at returns the values of rows, nil of nil.
func at[T any](values []T, rows []int32) []T {
	if values == nil {
		return nil
	}
	picked := make([]T, len(rows))
	for i, r := range rows {
		picked[i] = values[r]
	}
	return picked
}

// measureOf measures a part. A number that is not finite is an error.
func (m *measure) measureOf(b *boost, p *part) (float64, error) {
	v, err := m.of(b, p)
	var undefined *metric.Undefined
	switch {
	case errors.As(err, &undefined):
		return 0, fmt.Errorf("%s part: %w: use another metric", p.name, err)
	case err != nil:
		return 0, err
	case v-v != 0:
		return 0, fmt.Errorf("round %d: %s of the %s part is %v: use a lower learning_rate, or max_delta_step; or divide labels by some number if they are very large", b.book.Rounds, m.name, p.name, v)
	}
	return v, nil
}
