package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// leakageStream separates the shuffles of a leakage check from other uses of the same seed.
const leakageStream = 0x61756474 // "audt"

// Confidence is that of the intervals of a LeakageCheck: one in 200 estimates without a leak is
// taken for one by chance.
const Confidence = 0.99

// LeakageCheck is the result of a leakage check (label permutation test): a learner's estimates of
// its own error where there is nothing to be learned. Labels are shuffled among the rows, so that
// columns carry no information of them. An estimate that is better than chance used labels of the
// rows that it is made on.
type LeakageCheck struct {
	// auc: of two classes, or the mean over the classes of each against the others; correlation: of
	// numbers
	Metric    string     `json:"metric"`
	Chance    float64    `json:"chance"` // the metric of predictions without information
	Shuffles  int        `json:"shuffles"`
	Estimates []Estimate `json:"estimates"`
}

// Estimate is one of the estimates that a learner makes, or that are made of it, with a value for
// each shuffle.
type Estimate struct {
	Of     string    `json:"of"` // which rows it is made on
	Values []float64 `json:"values"`
	Mean   float64   `json:"mean"`
	Low    float64   `json:"low"` // ends of the interval of the mean, by Student's t
	High   float64   `json:"high"`
	// Needed is how many shuffles it would take, were they as far from each other as these, for an
	// interval within what the metric can be at all; 0: this one is. An interval beyond means that
	// there are too few.
	Needed int  `json:"shuffles_needed,omitempty"`
	Leaks  bool `json:"leaks"` // the whole interval is better than chance
}

// Leaks returns the estimates that are better than chance.
func (a *LeakageCheck) Leaks() []Estimate {
	return slices.DeleteFunc(slices.Clone(a.Estimates), func(e Estimate) bool { return !e.Leaks })
}

// The estimates that every learner has, and that those have whose members leave rows out.
const (
	ofFolds = "test rows of the folds"
	ofBags  = "rows out of the bags"
)

// CheckLeakage trains a learner on shuffled labels, once for each of shuffles, at least 2. It
// evaluates every estimate of the learner's error:
//
//   - cross-validation: the test rows of one fold of the plan, the next fold for each shuffle;
//   - the rows out of the bags of an ensemble's members;
//   - hold-out rows (learn.Job.HoldOut), such as those to which a stack fits its meta-learner, or
//     by which boosting rounds are chosen.
//
// Labels are shuffled as the plan allows. Where it keeps groups together, a group's labels stay
// together too. Then one row of a group still predicts the others, and an estimate that splits
// groups is detected. Else labels are shuffled freely.
//
// Labels must be classes or numbers. Errors name the shuffle.
func CheckLeakage(
	ctx context.Context, l learn.Learner, ds *data.Dataset, plan *split.Plan,
	shuffles int, o Options,
) (*LeakageCheck, error) {
	t := &ds.Target
	switch {
	case t.Task.Classes() && t.Class != nil, t.Task == data.Regression && len(t.Y) == 1:
	default:
		return nil, fmt.Errorf("a leakage check needs a label that is one number or classes")
	}
	if shuffles < 2 {
		return nil, fmt.Errorf("%d shuffles: at least 2 are needed", shuffles)
	}
	ds, err := ds.Expanded(nil)
	if err != nil {
		return nil, err
	}
	rows := ds.Chosen(o.Rows)
	a := &LeakageCheck{Metric: "auc", Chance: 0.5, Shuffles: shuffles}
	if t.Task == data.Regression {
		a.Metric, a.Chance = "correlation", 0
	}
	for n := range shuffles {
		if err := a.shuffle(ctx, l, ds, plan, rows, n, o); err != nil {
			return nil, fmt.Errorf("shuffle %d of %d: %w", n+1, shuffles, err)
		}
		if o.Observe != nil {
			if err := o.Observe(learn.Round{Stage: "shuffle", N: n + 1, Of: shuffles}); err != nil {
				return nil, err
			}
		}
	}
	for i := range a.Estimates {
		a.Estimates[i].judge(a)
	}
	return a, nil
}

// shuffle trains and evaluates on one shuffle of the labels.
func (a *LeakageCheck) shuffle(
	ctx context.Context, l learn.Learner, ds *data.Dataset, plan *split.Plan, rows []int32,
	n int, o Options,
) error {
	own := data.Dataset{Frame: ds.Frame,
		Target: shuffled(&ds.Target, rows, plan.KeepsGroups(&ds.Target),
			rng.New(o.Seed, leakageStream, uint64(n)))}
	folds, err := plan.Folds(&own.Target, rows)
	if err != nil {
		return err
	}
	number := n % len(folds)
	env := o.Env.Alone()
	env.Workers, env.Memory = o.Workers, o.Memory
	add := func(of string, test []int32, width int, values []float64) error {
		v, err := a.evaluate(&own.Target, test, width, values)
		if err != nil {
			return fmt.Errorf("%s: %w", of, err)
		}
		i := slices.IndexFunc(a.Estimates, func(e Estimate) bool { return e.Of == of })
		if i < 0 {
			i = len(a.Estimates)
			a.Estimates = append(a.Estimates, Estimate{Of: of})
		}
		a.Estimates[i].Values = append(a.Estimates[i].Values, v)
		return nil
	}
	job := learn.Job{Rows: folds[number].Train, Plan: plan.Within(number),
		Seed: rng.New(o.Seed, leakageStream, uint64(n), 1).Uint64(), Workers: o.Workers,
		HoldOut: func(what string, h *learn.HoldOut) error {
			return add("hold-out rows, "+what, h.Rows, h.Width, h.Values)
		}}
	if c := l.Capabilities(); c.OutOfBag && c.NoneOut == nil {
		job.OutOfBag = func(b *learn.HoldOut) error {
			rows, values := tested(b)
			return add(ofBags, rows, b.Width, values)
		}
	}
	m, err := env.Train(ctx, l, &own, job)
	if err != nil {
		return err
	}
	s, err := Sample(ctx, m, &own, folds[number].Test, model.Options{Workers: o.Workers})
	if err != nil {
		return err
	}
	return add(ofFolds, folds[number].Test, s.Width, s.Pred)
}

// tested returns the rows that some bag leaves out, and their predictions.
func tested(b *learn.HoldOut) (rows []int32, values []float64) {
	for i, row := range b.Rows {
		if v := b.Values[i*b.Width : (i+1)*b.Width]; !math.IsNaN(v[0]) {
			rows, values = append(rows, row), append(values, v...)
		}
	}
	return rows, values
}

// shuffled returns the target with the labels of the rows reshuffled, in runs of them where whole
// groups stay together.
//
//	group   1 1 2 2 2 3        labels  a b c d e f
//	groups in another order    3 1 2, their labels f a b c d e
//	group   1 1 2 2 2 3        labels  f a b c d e
func shuffled(t *data.Target, rows []int32, whole bool, random *rng.Stream) data.Target {
	rows = data.Distinct(rows)
	var units [][]int32
	if whole {
		at := map[int64]int{}
		for _, row := range rows {
			g, ok := at[t.Group[row]]
			if !ok {
				g = len(units)
				at[t.Group[row]], units = g, append(units, nil)
			}
			units[g] = append(units[g], row)
		}
	} else {
		for i := range rows {
			units = append(units, rows[i:i+1])
		}
	}
	to := slices.Concat(units...)
	random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	from := slices.Concat(units...)
	own := *t
	if t.Class != nil {
		own.Class = slices.Clone(t.Class)
		for i, row := range to {
			own.Class[row] = t.Class[from[i]]
		}
	}
	own.Y = nil
	for _, y := range t.Y {
		column := slices.Clone(y)
		for i, row := range to {
			column[row] = y[from[i]]
		}
		own.Y = append(own.Y, column)
	}
	return own
}

// evaluate compares predictions, width for each row, with the labels. Where the metric is not
// defined, as of rows of one class, it is chance.
func (a *LeakageCheck) evaluate(
	t *data.Target, rows []int32, width int, values []float64,
) (float64, error) {
	if t.Task == data.Regression {
		y, predicted := make([]float64, len(rows)), make([]float64, len(rows))
		for i, row := range rows {
			y[i], predicted[i] = t.Y[0][row], values[i*width]
		}
		return correlation(y, predicted), nil
	}
	if width != len(t.Classes) {
		return 0, fmt.Errorf("%d values for %d classes", width, len(t.Classes))
	}
	sum, n := 0.0, 0.0
	for k := range width {
		if width == 2 && k == 0 {
			continue // the other's is the same
		}
		s := &metric.Sample{Width: 2}
		for i, row := range rows {
			p, is := values[i*width+k], uint32(0)
			if int(t.Class[row]) == k {
				is = 1
			}
			s.Class, s.Pred, s.Weight = append(s.Class, is), append(s.Pred, 1-p, p),
				append(s.Weight, t.WeightAt(row))
		}
		v, err := metric.Of("auc", s)
		if undefined := (*metric.Undefined)(nil); errors.As(err, &undefined) {
			continue
		} else if err != nil {
			return 0, err
		}
		sum, n = sum+v, n+1
	}
	if n == 0 {
		return a.Chance, nil
	}
	return sum / n, nil
}

// correlation is Pearson's, 0 where one side is constant.
func correlation(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	xx, yy, xy := 0.0, 0.0, 0.0
	for i := range x {
		xx += float64((x[i] - mx) * (x[i] - mx))
		yy += float64((y[i] - my) * (y[i] - my))
		xy += float64((x[i] - mx) * (y[i] - my))
	}
	if spread := math.Sqrt(xx) * math.Sqrt(yy); spread > 0 {
		return xy / spread
	}
	return 0
}

func mean(x []float64) float64 {
	return kernel.Sum(x) / float64(len(x))
}

// judge finds the interval of the mean, and whether all of it is better than chance.
func (e *Estimate) judge(a *LeakageCheck) {
	e.Mean = mean(e.Values)
	squares := 0.0
	for _, v := range e.Values {
		squares += float64((v - e.Mean) * (v - e.Mean))
	}
	n := len(e.Values)
	deviation := 0.0
	if n > 1 {
		deviation = math.Sqrt(squares / float64(n-1))
	}
	half := halfWidth(n, deviation)
	e.Low, e.High = e.Mean-half, e.Mean+half
	e.Leaks = n > 1 && e.Low > a.Chance+1e-9 // rounding is no leak
	least, most := a.bounds()
	within := min(e.Mean-least, most-e.Mean)
	if half <= within {
		return
	}
	for e.Needed = n + 1; e.Needed < mostNeeded &&
		halfWidth(e.Needed, deviation) > within; e.Needed++ {
	}
}

// mostNeeded ends the count of Estimate.Needed: of a mean at the end of what the metric can be no
// number would do.
const mostNeeded = 1000

// bounds returns the least and the greatest value of the metric.
func (a *LeakageCheck) bounds() (least, most float64) {
	if a.Metric == "auc" {
		return 0, 1
	}
	return -1, 1
}

// halfWidth returns half of the interval of the mean of n values of some standard deviation; of one
// value it is 0.
func halfWidth(n int, deviation float64) float64 {
	if n < 2 {
		return 0
	}
	return kernel.StudentQuantile((1+Confidence)/2, n-1) * deviation / math.Sqrt(float64(n))
}
