package boost

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// lookedAt is a context that ends at one look, counted from 0.
type lookedAt struct {
	context.Context
	at, looks int
}

func (c *lookedAt) Err() error {
	if c.looks++; c.looks > c.at {
		return context.Canceled
	}
	return nil
}

// Wherever a context ends a training, by whichever way it boosts, its error is returned, and there
// is no model.
func TestContextsEndTrainings(t *testing.T) {
	const rows = 70
	train, valid := halves(rows)
	tables := map[data.Task]*data.Dataset{data.Regression: steppedTable(t, rows, data.Regression),
		data.Multiclass: steppedTable(t, rows, data.Multiclass)}
	for _, v := range variants {
		ds := tables[v.task]
		run := func(ctx context.Context, prepared []int32) (*Training, error) {
			c := configOf(func(c *Config) {
				c.Trees, c.Engine.Leaves, c.LearningRate, c.TrainingMetric, c.EarlyStopping = 2, 3, 0.5, 1, 9
				c.User = anyone{}
				v.change(c)
			})
			job := learn.Job{Seed: 5, Workers: 1, Rows: train, Valid: valid}
			f, _, err := table.Prepare(ctx, ds.Frame, nil, prepared, nil, learn.Env{Workers: 1}, &c.Config, data.ClassWeight{})
			if err != nil {
				return nil, err
			}
			b, err := Begin(ctx, f, Plan{Config: c}, &ds.Target, job)
			if err != nil {
				return nil, err
			}
			if err := b.Run(ctx); err != nil {
				return nil, err
			}
			return b, b.Complete(ctx)
		}
		for _, prepared := range [][]int32{nil, train} {
			looks := 0
			for at := 0; ; at += 1 + at/10 {
				ctx := &lookedAt{Context: t.Context(), at: at}
				b, err := run(ctx, prepared)
				if ended := ctx.looks > at; ended != errors.Is(err, context.Canceled) || !ended && err != nil {
					t.Fatalf("%s: look %d of %d ends: %v", v.name, at, ctx.looks, err)
				} else if !ended {
					if len(b.ensemble.model.Trees) == 0 {
						t.Errorf("%s: no trees", v.name)
					}
					break
				}
				looks++
			}
			if looks < 10 {
				t.Errorf("%s: %d looks end a training", v.name, looks)
			}
		}
	}
}

// refining refines every leaf by the same step.
type refining struct{ step float64 }

func (r refining) RefineLeaf([]float64, int, []int32) float64 { return r.step }

// Steps of least loss are cut off where steps are limited, on either side.
func TestRefinedSteps(t *testing.T) {
	for _, c := range []struct{ step, most, want float64 }{
		{3, 0, 3}, {-3, 0, -3}, {3, 2, 2}, {-3, 2, -2}, {1, 2, 1}, {-1, 2, -1}, {2, 2, 2},
	} {
		r := &refinedLeaves{refiner: refining{c.step}, most: c.most,
			scores: &scores{sets: sets{train: &boosting.Set{}}}}
		if got := r.value(0, []int32{1}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Softmax has XGBoost's second derivatives by either of its conventions, where it was chosen by the
// task alone.
func TestCurvatureOfConventions(t *testing.T) {
	const rows = 30
	ds := classesTable(t, rows)
	hessians := func(conventions hist.Conventions) []float64 {
		c := configOf(func(c *Config) { c.Engine.Conventions = conventions })
		_, l, err := c.LossOf(&ds.Target)
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.Bind(&ds.Target, data.AllRows(rows))
		if err != nil {
			t.Fatal(err)
		}
		k := o.Outputs()
		g, h := make([]float64, k*rows), make([]float64, k*rows)
		o.Gradients(g, h, make([]float64, k*rows), 1)
		return h
	}
	own := hessians(hist.Own)
	k := float64(len(own) / rows)
	for conventions, want := range map[hist.Conventions]float64{hist.Own: own[0], hist.LightGBM: own[0],
		hist.XGBoost: 2 / k * (1 - 1/k), hist.XGBoostExact: 2 / k * (1 - 1/k)} {
		for _, h := range hessians(conventions) {
			if h < want*(1-1e-9) || h > want*(1+1e-9) {
				t.Fatalf("conventions %v: a second derivative of %v, want %v", conventions, h, want)
			}
		}
	}
	if own[0] > 1.9/k*(1-1/k) && own[0] < 2.1/k*(1-1/k) {
		t.Errorf("the conventions have one second derivative, %v", own[0])
	}
}

// A state has the scores of the training set, and of the validation set if there is one.
func TestStoredScores(t *testing.T) {
	s := &scores{raw: []float64{1, 2}}
	if got := s.stored(); len(got) != 1 || !slices.Equal(got[0], s.raw) {
		t.Errorf("%v", got)
	}
	s.valid = &boosting.Set{Raw: []float64{3}}
	if got := s.stored(); len(got) != 2 || !slices.Equal(got[0], s.raw) || !slices.Equal(got[1], s.valid.Raw) {
		t.Errorf("%v", got)
	}
}

// Dropped rounds come out of scores as they went in, but for their factor.
func TestSubtractAndAdd(t *testing.T) {
	dst := []float64{5, 1, -2}
	if subtract(dst, []float64{2, 0, -1}); !slices.Equal(dst, []float64{3, 1, -1}) {
		t.Errorf("%v", dst)
	}
	if addTimes(dst, []float64{2, 0, -1}, 0.5); !slices.Equal(dst, []float64{4, 1, -1.5}) {
		t.Errorf("%v", dst)
	}
}

// rowBlocks is a frame that is read in blocks of some rows.
type rowBlocks struct {
	*data.Frame
	rows int
}

func (b *rowBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		all := data.AllRows(b.Rows())
		for first := 0; first < len(all); first += b.rows {
			part := b.Subset(all[first:min(first+b.rows, len(all))])
			if !yield(data.RowBlock{Frame: part, First: first}, nil) {
				return
			}
		}
	}
}

// A training on a table in blocks makes the model of one in memory, with its scores and metrics. A
// validation set beside it is updated by its bins.
func TestTrainingsInBlocks(t *testing.T) {
	const rows = 90
	train, valid := halves(rows)
	tables := map[data.Task]*data.Dataset{data.Regression: steppedTable(t, rows, data.Regression),
		data.Multiclass: steppedTable(t, rows, data.Multiclass)}
	for _, v := range variants {
		if !v.inBins {
			continue // they need numbers
		}
		ds := tables[v.task]
		run := func(from data.RowSource, valid []int32) *Training {
			c := configOf(func(c *Config) {
				c.Trees, c.Engine.Leaves, c.LearningRate, c.TrainingMetric, c.EarlyStopping = 3, 4, 0.5, 2, 9
				c.User = anyone{}
				v.change(c)
			})
			f, _, err := table.Prepare(t.Context(), ds.Frame, from, train, nil, learn.Env{Workers: 1}, &c.Config, data.ClassWeight{})
			if err != nil {
				t.Fatal(v.name, err)
			}
			if from != nil {
				file, err := scratch.Create(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { file.Close() })
				f = f.WithFile(file)
			}
			b, err := Begin(t.Context(), f, Plan{Config: c}, &ds.Target, learn.Job{Seed: 5, Workers: 1, Rows: train, Valid: valid})
			if err != nil {
				t.Fatal(v.name, err)
			}
			if err := errors.Join(b.Run(t.Context()), b.Complete(t.Context())); err != nil {
				t.Fatal(v.name, err)
			}
			return b
		}
		for _, set := range [][]int32{valid, nil} {
			want, got := run(nil, set), run(&rowBlocks{ds.Frame, 17}, set)
			if !reflect.DeepEqual(got.ensemble.model.Trees, want.ensemble.model.Trees) ||
				!slices.Equal(got.scores.train.Raw, want.scores.train.Raw) || fmt.Sprint(got.watch.Curves) != fmt.Sprint(want.watch.Curves) {
				t.Errorf("%s: another model of blocks", v.name)
			}
			_, inBins := got.scores.follow.(*validInBins)
			if inBins != (set != nil) || inBins && !slices.Equal(got.scores.valid.Raw, want.scores.valid.Raw) {
				t.Errorf("%s: the validation set is updated by %T", v.name, got.scores.follow)
			}
		}
	}
}
