package network

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
)

// job is one Fit on its way.
type job struct {
	learner *Learner
	*fitting.VectorTable
	learn.Job
	target *data.Target
	rows   []int32 // to train on: a repeated row is there several times
	// by class: the output that is trained, -1 if no row has the class; nil where numbers are
	// predicted
	output      []int
	outputs     int       // that are trained
	mean, scale float64   // of a label that is a number
	factors     []float64 // of classes
	weightless  int       // rows of weight 0
}

// The streams of random numbers.
const (
	startStream = iota
	trainStream
)

// fit trains a network. Labels are classes or numbers; others are a *learn.TaskError. If the
// context is cancelled, or the observer returns an error, the network so far is returned too.
func (l *Learner) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	given learn.Job) (model.Model, error) {
	j := &job{learner: l, VectorTable: table, Job: given, target: t}
	rows, err := j.begin()
	if err != nil {
		return nil, err
	}
	width, hidden := j.Encoding.Width(), l.Hidden
	now := newWeights(width, hidden, j.outputs, l.Activation)
	now.initialise(width, hidden, j.outputs, table.Encoding.ByAppearance(rows.x),
		rng.New(given.Seed, startStream))
	tr := &training{learner: l, rows: rows, stream: rng.New(given.Seed, trainStream),
		pass: newPass(now, width, hidden, j.outputs, l.Dropout),
		rule: newRule(l, len(now.all))}
	if l.EarlyStopping > 0 {
		if valid := j.examples(given.Valid); valid.len() > 0 {
			tr.valid = valid
		}
	}
	var ended error
	if !j.settled() {
		ended = fitting.UnlessStop(tr.run(ctx, given.Observe))
	}
	var diverged errDiverged
	if errors.As(ended, &diverged) || errors.Is(ended, errUneven) {
		return nil, ended
	}
	m, err := j.model(tr)
	if err != nil {
		return nil, err
	}
	return m, ended
}

// begin gathers the rows to train on.
func (j *job) begin() (*examples, error) {
	own, pop, factors, err := j.Gather(Name, j.target, &j.Job, j.learner.ClassWeight)
	if err != nil {
		return nil, err
	}
	j.VectorTable = own
	j.factors, j.weightless = factors, pop.Weightless
	for i, r := range pop.Rows {
		for range pop.Multiplicity(i) {
			j.rows = append(j.rows, r)
		}
	}
	j.outputs = 1
	if pop.Class == nil {
		if err := j.standardise(pop); err != nil {
			return nil, err
		}
		return j.examples(j.rows), nil
	}
	j.output, j.outputs = make([]int, pop.Classes), 0
	for k := range j.output {
		j.output[k] = -1
	}
	for _, c := range pop.Class {
		j.output[c] = 0
	}
	for k, o := range j.output {
		if o == 0 {
			j.output[k] = j.outputs
			j.outputs++
		}
	}
	return j.examples(j.rows), nil
}

// standardise finds mean and deviation of the label.
func (j *job) standardise(pop *grow.Population) error {
	var total, sum float64
	for i, y := range pop.Y {
		total += pop.WeightAt(i)
		// so that equal labels have exactly their mean
		sum += float64(pop.WeightAt(i) * (y - pop.Y[0]))
	}
	j.mean = pop.Y[0] + sum/total
	squares := 0.0
	for i, y := range pop.Y {
		squares += float64(pop.WeightAt(i) * float64((y-j.mean)*(y-j.mean)))
	}
	if j.scale = math.Sqrt(squares / total); !(j.scale <= math.Sqrt(dense.LargestWeight)) ||
		math.Abs(j.mean) > dense.LargestWeight/2 {
		return fitting.CheckLabelSizes(Name, j.Frame, j.target, math.Sqrt(dense.LargestWeight),
			pop.Rows)
	}
	return nil
}

// settled reports whether there is nothing to learn: one class, or equal numbers.
func (j *job) settled() bool {
	if j.output == nil {
		return j.scale == 0
	}
	return j.outputs == 1
}

// examples returns some rows of the frame, but for those of weight 0 and of classes that no
// training row has.
func (j *job) examples(rows []int32) *examples {
	e := &examples{width: j.Encoding.Width()}
	var kept []int32
	total := 0.0
	for _, r := range rows {
		w := j.target.WeightAt(r)
		if w == 0 || j.output != nil && j.output[j.target.Class[r]] < 0 {
			continue
		}
		kept = append(kept, r)
		if j.output != nil {
			e.class = append(e.class, j.output[j.target.Class[r]])
			if j.factors != nil {
				w *= j.factors[j.target.Class[r]]
			}
		} else {
			y := j.target.Y[0][r] - j.mean
			if j.scale > 0 {
				y /= j.scale
			}
			e.y = append(e.y, y)
		}
		if j.target.Weight != nil || j.factors != nil {
			e.weight = append(e.weight, w)
			total += w
		}
	}
	for i := range e.weight {
		e.weight[i] /= total / float64(len(kept))
	}
	e.x = j.Encoding.Matrix(j.Frame, kept, j.Workers)
	return e
}

// model makes a model of the best or the last weights.
func (j *job) model(t *training) (model.Model, error) {
	if t.best != nil {
		copy(t.now.all, t.best)
	}
	from := &t.now.layers
	hidden := len(from.InBias)
	l := dense.Layers{Activation: from.Activation, In: from.In, InBias: from.InBias}
	if j.output == nil {
		for _, w := range from.Out {
			l.Out = append(l.Out, float64(w*j.scale))
		}
		l.OutBias = []float64{j.mean + float64(from.OutBias[0]*j.scale)}
	}
	for _, o := range j.output {
		if o < 0 {
			l.Out, l.OutBias = append(l.Out, make([]float64, hidden)...),
				append(l.OutBias, dense.Never)
			continue
		}
		l.Out, l.OutBias = append(l.Out, from.Out[o*hidden:(o+1)*hidden]...),
			append(l.OutBias, from.OutBias[o])
	}
	m := &dense.Network{Model: j.Model(Name, j.target), Layers: l}
	return fitting.Model(m, j.learner.Params(), j.summary(t))
}
