package fit

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
)

// The measurement of the order of time. Two to six trainings of so few rounds take less than 5 % of
// the training.
const (
	timedRounds = 20
	timedRate   = 0.3
	timedLeaves = 8
	// A difference is reported if it is so many standard errors, over blocks of the test set, and
	// such a fraction of the metric.
	timedErrors   = 4
	leastTimedGap = 0.05
	// It must show at an earlier time, too, by so many standard errors. All late rows fall into the
	// last leaves of a column of times, so one such leaf that is wrong by chance is an error of all
	// of them, which the standard error over rows does not cover.
	earlierEnd    = 0.7
	earlierErrors = 3
)

// timeOrder is the measurement whether a model is worse for rows that are later than its own.
type timeOrder struct {
	given    boost.Config
	prepared *table.Prepared // of a sample of the rows
	target   *data.Target
	job      learn.Job
	sets     timeSets
}

// timeCheck is what is measured of a training, before its rows are read. It trains on early rows,
// and compares this on late ones: with a training on rows of all times, where a column orders the
// rows, or without the columns whose values are beyond those of early rows, where the order is
// known.
type timeCheck struct {
	timeOrder
	rows   []int32 // of the sample, ascending
	random *rng.Stream
	// gets the rows of a table that is read in blocks; nil: it is in memory, or the first rank
	// gets them
	read *table.Sample
}

// checkTime returns the measurement that a job asks for, nil = none, and the table that the
// training is to read.
func checkTime(f *table.Prepared, c boost.Config, t *data.Target,
	job learn.Job) (*timeCheck, *table.Prepared) {
	if !job.CheckTime || job.Start != nil && job.Start.State == nil {
		return nil, f
	}
	rows := data.Distinct(job.RowsOf(f.Matrix.Rows))
	valid := len(job.Valid) > 0 || c.ValidFraction > 0
	most := min(mostTimedRows(&c, len(rows), valid), f.MostSampled())
	if !rounds.Compares(min(len(rows), most)) {
		return nil, f
	}
	random := rng.New(rng.Seed(job.Seed, boost.PurposeTime))
	m := &timeCheck{rows: timedSample(t, rows, most, random), random: random}
	target := t.Subset(m.rows)
	m.timeOrder = timeOrder{given: c, prepared: f, target: &target,
		job: learn.Job{Seed: rng.Seed(job.Seed, boost.PurposeTime), Workers: job.Workers}}
	if f.Blocks != nil && ranks.Of(f.Env.Ranks).Rank() == 0 { // which reads all rows
		f, m.read = f.Sampling(m.rows)
	}
	return m, f
}

// timedSample returns so many of some rows at most, in their order. Groups of rankings are whole.
func timedSample(t *data.Target, rows []int32, most int, random *rng.Stream) []int32 {
	if len(rows) <= most {
		return rows
	}
	if t.Task == data.Ranking {
		return wholeGroups(rows, t.Group, most, random)
	}
	rows = data.Pick(rows, random.Perm(len(rows))[:most])
	slices.Sort(rows)
	return rows
}

// found measures in memory, or once the training has read all blocks. It returns nil if there is no
// difference.
func (m *timeCheck) found(ctx context.Context) (*report.TimeOrder, error) {
	switch {
	case m == nil:
		return nil, nil
	case m.prepared.Blocks == nil:
		return m.among(ctx, m.rows)
	}
	return m.inBlocks(ctx)
}

// inBlocks measures on the first rank, by the rows that it has read, and tells the others. Its rows
// are in the order of those in memory, so that all find the same.
func (m *timeCheck) inBlocks(ctx context.Context) (*report.TimeOrder, error) {
	group := ranks.Of(m.prepared.Env.Ranks)
	var own []byte
	if m.read != nil {
		var found *report.TimeOrder
		if p := m.prepared.OfSample(m.read); p != nil { // else the training ended before
			m.prepared = p
			found, _ = m.among(ctx, data.AllRows(len(m.rows))) // of a context, which sends nothing
		}
		var err error
		if own, err = json.Marshal(found); err != nil {
			return nil, err
		}
	}
	sent, err := group.Broadcast(ctx, 0, own)
	if err != nil {
		return nil, err
	}
	var found *report.TimeOrder
	return found, json.Unmarshal(sent, &found)
}

// among measures by some rows of a table in memory.
func (m *timeCheck) among(ctx context.Context, rows []int32) (*report.TimeOrder, error) {
	column := -1
	if m.target.Time == nil {
		if column = split.TimeColumn(m.prepared.Frame, rows); column < 0 {
			return nil, nil
		}
	}
	m.prepared = m.prepared.Subset(rows)
	found, err := m.measure(ctx, column, m.random)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // of the trainings that follow, those that matter report it
	}
	return found, nil
}

// measure compares two trainings on the sample, by the order of a column, or -1 = of the target.
func (o *timeOrder) measure(ctx context.Context, column int,
	random *rng.Stream) (*report.TimeOrder, error) {
	f := o.prepared.Frame
	found := &report.TimeOrder{Rows: f.Rows(), Known: column < 0}
	var times []float64
	if found.Known {
		found.Columns, times = []string{o.target.Roles.Time}, ranksOf(o.target.Time)
	} else {
		found.Columns = []string{f.Schema.Fields[column].Source()}
		times = numbersOf(f, column, data.AllRows(f.Rows()))
	}
	var ok bool
	if o.sets, ok = splitByTime(times, o.groups(), 1, random); !ok {
		return nil, nil
	}
	latest := o.sets
	found.Columns = append(found.Columns, beyond(f, times, &latest, found.Columns[0])...)
	if ok, err := o.differs(ctx, found, timedErrors); !ok || err != nil {
		return nil, err
	}
	if o.sets, ok = splitByTime(times, o.groups(), earlierEnd, random); ok {
		earlier := *found
		if ok, err := o.differs(ctx, &earlier, earlierErrors); !ok || err != nil {
			return nil, err
		}
	}
	if found.Known {
		return found, nil
	}
	o.sets = latest
	return found, o.advise(ctx, found)
}

// groups returns the groups of the sample.
func (o *timeOrder) groups() groups {
	return groups{o.target.Group, o.target.Task == data.Ranking}
}

// advise finds out whether the column that orders the rows is of use as a feature: its month or its
// day of the week may be.
func (o *timeOrder) advise(ctx context.Context, found *report.TimeOrder) error {
	with, err := o.train(ctx, o.sets.early, found.Beyond())
	if err != nil {
		return err
	}
	without, err := o.train(ctx, o.sets.early, found.Columns)
	if err != nil {
		return err
	}
	gain, _ := without.compare(&with)
	found.Feature = gain > 0
	return nil
}

// differs fills in what is found on the sets, and reports whether the gain exceeds so many standard
// errors.
func (o *timeOrder) differs(ctx context.Context, found *report.TimeOrder,
	errors float64) (bool, error) {
	other, without := o.sets.mixed, []string(nil)
	if found.Known {
		if other, without = o.sets.early, found.Beyond(); len(without) == 0 {
			return false, nil
		}
	}
	first, err := o.train(ctx, o.sets.early, nil)
	if err != nil {
		return false, err
	}
	second, err := o.train(ctx, other, without)
	if err != nil {
		return false, err
	}
	found.Metric, found.Value, found.Better = first.metric, first.value, second.value
	found.Gain, found.Error = first.compare(&second)
	return found.Gain > 0 && found.Gain >= float64(errors*found.Error) &&
		found.Gain >= leastTimedGap*math.Abs(found.Better), nil
}

// timed is the metric of a training on the test set, and on blocks of it.
type timed struct {
	metric string
	higher bool
	value  float64
	blocks []float64
}

// compare returns by how much another one is better, and the standard error of that.
func (a *timed) compare(b *timed) (gain, deviation float64) {
	sign := 1.0
	if a.higher {
		sign = -1
	}
	gain = sign * (a.value - b.value)
	n := float64(len(a.blocks))
	if len(b.blocks) != len(a.blocks) || n < 2 {
		return gain, math.Inf(1)
	}
	mean, sum := 0.0, 0.0
	for i, v := range a.blocks {
		mean += sign * (v - b.blocks[i]) / n
	}
	for i, v := range a.blocks {
		d := float64(sign*(v-b.blocks[i])) - mean
		sum += float64(d * d)
	}
	return gain, math.Sqrt(sum / (n - 1) / n)
}

// train evaluates a training on some rows by the test set. Columns that it is to do without have
// one value there. It is a short training with few leaves and one rate, for it measures the
// order of time and makes no model. The bins of the whole table are kept for the next call.
func (o *timeOrder) train(ctx context.Context, rows []int32, without []string) (timed, error) {
	var found timed
	p := o.prepared
	if len(without) > 0 {
		p = withoutColumns(p, without)
	}
	plan := boost.Plan{Config: o.given, Alone: true}
	plan.Config.StopNowhere(timedRounds)
	plan.Config.LearningRate, plan.Config.Starts, plan.Config.Decay = timedRate, nil, 1
	plan.Config.Engine.Leaves = min(plan.Config.Engine.Leaves, timedLeaves)
	if plan.Config.Categories == table.AutoEncoding {
		plan.Config.Categories = table.OrdinalEncoding
	}
	p, err := p.InBins(ctx, &plan.Config.Config, o.target.Weight, o.job.Workers)
	if err != nil {
		return found, err
	}
	if len(without) == 0 {
		o.prepared = p
	}
	job := o.job
	job.Rows, job.Valid = rows, o.sets.test
	b, err := boost.Begin(ctx, p, plan, o.target, job)
	if err != nil {
		return found, err
	}
	fold := boost.NewFold(b)
	for n := range timedRounds {
		if found.value, err = fold.Round(ctx, n+1); err != nil {
			return found, err
		}
	}
	curve := b.FirstCurve()
	found.metric, found.higher = curve.Metric, curve.Higher
	found.blocks = fold.BlockValues(b.ValidationSet().Raw)
	return found, nil
}

// withoutColumns returns a table in which some columns have no values. The others keep their
// places, by which parameters may name them.
func withoutColumns(p *table.Prepared, names []string) *table.Prepared {
	own := p.Subset(p.Matrix.Rows)
	none := make([]float64, own.Frame.Rows())
	for i := range none {
		none[i] = math.NaN()
	}
	for i := range own.Frame.Columns {
		if slices.Contains(names, own.Frame.Schema.Fields[i].Source()) {
			own.Frame.Columns[i] = data.Numbers(none)
		}
	}
	return own
}

// ranksOf returns the place of each time among the different ones.
func ranksOf(times []int64) []float64 {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	ranks := make([]float64, len(times))
	for i, v := range times {
		at, _ := slices.BinarySearch(sorted, v)
		ranks[i] = float64(at)
	}
	return ranks
}
