package boost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// steppedTable is rows of 33 columns of few numbers, which any half of the rows has all of.
func steppedTable(t *testing.T, rows int, task data.Task) *data.Dataset {
	t.Helper()
	s := rng.New(4)
	columns := make([]data.NamedColumn, 33)
	y, class := make([]float64, rows), make([]uint32, rows)
	for j := range columns {
		x := make([]float64, rows)
		for i := range x {
			x[i] = float64(s.Intn(3 + j))
			y[i] += math.Sin(x[i]+float64(j)) / float64(1+j)
		}
		columns[j] = data.NamedColumn{Name: fmt.Sprint("x", j), Values: x}
	}
	for i := range y {
		y[i] += s.Float64() / 2
		class[i] = uint32(y[i]+9) % 3
	}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: task, Y: [][]float64{y}}}
	if task.Classes() {
		ds.Target.Y, ds.Target.Class, ds.Target.Classes = nil, class, []string{"a", "b", "c"}
	}
	return ds
}

// ended is what a training came to: all that two trainings of the same model must have in common.
type ended struct {
	model        *model.Ensemble
	train, valid []float64 // scores
	curves       string
	state        []byte // of a checkpoint after the second round
}

// endOf trains a training to its end.
func endOf(t *testing.T, b *Training) (*ended, error) {
	e := &ended{}
	b.setup.Config.User = anyone{}
	b.setup.Job.Observe = func(r learn.Round) error {
		if r.N != 2 {
			return nil
		}
		c, err := r.Checkpoint()
		if err == nil {
			e.state = c.State
		}
		return err
	}
	if err := b.Run(t.Context()); err != nil {
		return nil, err
	}
	if err := b.Complete(t.Context()); err != nil {
		return nil, err
	}
	e.model, e.curves = b.ensemble.model, fmt.Sprint(b.watch.Curves)
	e.train, e.valid = b.scores.train.Raw, b.scores.valid.Raw
	return e, nil
}

// halves are the rows of a table to train on, and those of its validation set.
func halves(rows int) (train, valid []int32) {
	for i := range int32(rows) {
		if i%2 == 0 {
			train = append(train, i)
		} else {
			valid = append(valid, i)
		}
	}
	return train, valid
}

// variants are ways to boost, with whether several ranks have the scores of their own rows alone.
var variants = []struct {
	name   string
	task   data.Task
	own    bool
	inBins bool // trees add to the validation set by its bins
	change func(c *Config)
}{
	{"plain", data.Regression, true, true, func(*Config) {}},
	{"classes", data.Multiclass, false, true, func(*Config) {}},
	{"symmetric, no start", data.Multiclass, false, true, func(c *Config) {
		c.Engine.Policy, c.Engine.Leaves, c.Engine.Depth, c.BaseScore = 2, 0, 2, "0"
	}},
	{"some rows", data.Regression, false, true, func(c *Config) { c.Fraction = 0.7 }},
	{"multi-output", data.Multiclass, false, true, func(c *Config) { c.MultiOutput = true }},
	{"medians", data.Regression, false, true, func(c *Config) { c.Loss.Name = "absolute" }},
	{"dropout", data.Regression, false, false, func(c *Config) { c.Dropout = &Dropout{Drop: 0.6} }},
	{"linear", data.Regression, false, false, func(c *Config) { c.Linear, c.LinearL2 = true, 1 }},
	{"three steps", data.Multiclass, false, true, func(c *Config) { c.Steps = 3 }},
}

// Whether one rank trains or two, and whichever way the scores of the validation set are updated,
// model, scores, metrics and checkpoints are the same to the last bit.
func TestTrainingsOfAnyWayAndRanks(t *testing.T) {
	const rows = 2 * (4*loss.SumRows + 7)
	train, valid := halves(rows)
	tables := map[data.Task]*data.Dataset{data.Regression: steppedTable(t, rows, data.Regression),
		data.Multiclass: steppedTable(t, rows, data.Multiclass)}
	for _, v := range variants {
		ds := tables[v.task]
		run := func(g ranks.Group, prepared []int32, look func(b *Training)) (*ended, error) {
			b, err := beginOn(t, ds, prepared, learn.Env{Workers: 1, Ranks: g},
				learn.Job{Seed: 5, Workers: 1, Rows: train, Valid: valid}, func(c *Config) {
					c.Trees, c.Engine.Leaves, c.LearningRate, c.TrainingMetric, c.EarlyStopping = 3, 4, 0.5, 2, 9
					c.Engine.MinLeaf = 3
					v.change(c)
				})
			if err != nil {
				return nil, err
			}
			look(b)
			return endOf(t, b)
		}
		want, err := run(nil, train, func(b *Training) {
			if _, byModel := b.scores.follow.(*validByModel); byModel == v.inBins {
				t.Errorf("%s: the validation set is updated by %T", v.name, b.scores.follow)
			}
		})
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		same := func(what string, got *ended, err error) {
			t.Helper()
			switch {
			case err != nil:
				t.Errorf("%s, %s: %v", v.name, what, err)
			case !reflect.DeepEqual(got.model.Trees, want.model.Trees) || !slices.Equal(got.model.Bias, want.model.Bias):
				t.Errorf("%s, %s: another model", v.name, what)
			case !slices.Equal(got.train, want.train) || !slices.Equal(got.valid, want.valid):
				t.Errorf("%s, %s: other scores", v.name, what)
			case got.curves != want.curves:
				t.Errorf("%s, %s: metrics %s, want %s", v.name, what, got.curves, want.curves)
			case !bytes.Equal(got.state, want.state) && what != "all rows prepared":
				t.Errorf("%s, %s: another checkpoint", v.name, what)
			}
		}
		got, err := run(nil, nil, func(b *Training) {
			if _, byRow := b.scores.follow.(*validByRow); byRow != v.inBins {
				t.Errorf("%s: the validation set is updated by %T", v.name, b.scores.follow)
			}
		})
		same("all rows prepared", got, err)
		got, err = run(nil, train, func(b *Training) { b.scores.follow = &validByModel{table: b.table} })
		same("by the model", got, err)
		errs := rankstest.Each(2, func(g ranks.Group) error {
			got, err := run(g, train, func(b *Training) {
				_, ofRanks := b.scores.follow.(*validOfRanks)
				if ofRanks != v.inBins || (b.scores.others != nil) != v.own || b.scores.train.Divided == nil ||
					b.scores.valid.Divided == nil {
					t.Errorf("%s, rank %d: the validation set is updated by %T; scores of others %v", v.name, g.Rank(),
						b.scores.follow, b.scores.others)
				}
			})
			same(fmt.Sprint("rank ", g.Rank()), got, err)
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

// Whichever operation of the ranks fails, once and on all of them, the training ends with its
// error.
func TestTrainingsWhoseRanksFail(t *testing.T) {
	const rows = 2 * (4*loss.SumRows + 7)
	train, valid := halves(rows)
	ds := steppedTable(t, rows, data.Regression)
	for at, done := 0, false; !done; at++ {
		errs := rankstest.Each(2, func(g ranks.Group) error {
			f := &rankstest.Failing{Group: g, At: at}
			b, err := beginOn(t, ds, train, learn.Env{Workers: 1, Ranks: f},
				learn.Job{Seed: 5, Workers: 1, Rows: train, Valid: valid}, func(c *Config) {
					c.Trees, c.Engine.Leaves, c.TrainingMetric, c.EarlyStopping, c.Metric = 2, 3, 1, 9, "loss,mae"
				})
			if err == nil {
				_, err = endOf(t, b)
			}
			if done = f.Calls <= at; done && err != nil || !done && !errors.Is(err, rankstest.ErrFailed) {
				t.Errorf("operation %d of %d fails: %v", at, f.Calls, err)
			}
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
		if done && at < 20 {
			t.Errorf("%d operations", at)
		}
	}
}

// Categories of rows are in bins if the matrix has a bin for each, whatever else is missing.
func TestCategoriesInBins(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "n"}, {Name: "c", Kind: data.Categorical,
		Levels: []string{"a", "b", "c", "d"}}}},
		[]data.Column{data.Numbers(make([]float64, 6)), data.Codes([]uint32{0, 1, data.MissingCode, 2, 3, 0})})
	if err != nil {
		t.Fatal(err)
	}
	m := &bins.Matrix{Columns: []bins.Column{{Feature: 0, Values: 1}, {Feature: 1, Values: 2,
		Level: []int32{0, 1, -1}, Code: []uint32{0, 1}}}}
	for _, c := range []struct {
		rows []int32
		want bool
	}{{nil, true}, {[]int32{0, 1, 2, 5}, true}, {[]int32{0, 3}, false}, {[]int32{4, 0}, false}, {[]int32{2}, true}} {
		if got := allInBins(f, m, c.rows); got != c.want {
			t.Errorf("rows %v are in bins: %v", c.rows, got)
		}
	}
}

// Where a context has ended the scores of the validation set are not laid out.
func TestScoresThatCannotBeLaidOut(t *testing.T) {
	train, valid := halves(60)
	ds := orderedTable(t, 60)
	b, err := beginOn(t, ds, train, learn.Env{}, learn.Job{Workers: 1, Rows: train, Valid: valid},
		func(c *Config) { c.Trees = 1 })
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if s, err := newScores(ended, b.setup, b.table, &b.scores.sets); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", s, err)
	}
}
