package coppice

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/ranks"
)

// Option is a choice of Train. Of two options that set the same thing the later one counts.
type Option func(*training)

// training is what the options of one Train add up to.
type training struct {
	job      learn.Job
	env      learn.Env     // Memory, Scratch and Ranks
	valid    *data.Dataset // nil: job.Valid is the validation set
	separate bool          // Validation was given
	weight   []float64     // nil: the weights are those of the data set

	stored stored
	log    *slog.Logger // nil: nothing is logged
}

// stored is what options say about what the model stores beside what it predicts with.
type stored struct {
	noProfile, noExtremes bool
	drawn, noGolden       bool
	unevaluated           bool
	notes                 map[string]string
}

// Validation gives a validation set of its own: for early stopping, pruning, or metrics after each
// round, as the learner has it (learn.ValidUseOf). Its columns are found by name, its categories
// and classes by text: see data.Dataset.With, which also lists the errors. A category that training
// does not have is unseen. Sets that one split.HoldOut made are used without a copy.
func Validation(valid *data.Dataset) Option {
	return func(t *training) { t.valid, t.separate = valid, true }
}

// Rows chooses the training rows by their numbers, from 0; a row may repeat. The default is all
// rows that are not for validation. A number that no row has is a *data.RowError.
func Rows(rows []int32) Option { return func(t *training) { t.job.Rows = rows } }

// Weight gives each row of the training set an observation weight, in place of those of its target.
// Weights are finite and not negative; another number of them than of rows is an error.
func Weight(weight []float64) Option { return func(t *training) { t.weight = weight } }

// Seed makes training reproducible: the same data, parameters and seed give the same model. The
// default is 0.
func Seed(seed uint64) Option { return func(t *training) { t.job.Seed = seed } }

// Workers limits the goroutines of training; 0, the default, is one per processor. The model has
// the same bytes for any number.
func Workers(n int) Option { return func(t *training) { t.job.Workers = n } }

// Memory limits the bytes of a training; 0, the default, is memory.Default. See learn.Env.Memory.
func Memory(bytes int64) Option {
	return func(t *training) { t.env.Memory = memory.Limit(bytes) }
}

// Scratch names the folder for the file of a training in blocks. The default is the system's folder
// for temporary files.
func Scratch(folder string) Option { return func(t *training) { t.env.Scratch = folder } }

// Ranks names the processes that train the model together: see learn.Env.Ranks. The default is this
// process alone.
func Ranks(g ranks.Group) Option { return func(t *training) { t.env.Ranks = g } }

// NoProfile leaves the profile of the training rows out of the model: see model.Profile.
func NoProfile() Option { return func(t *training) { t.stored.noProfile = true } }

// NoExtremes leaves the least and the largest values out of the profile of the training rows, which
// are values of single rows. Its quantiles are those from 1 % to 99 %.
func NoExtremes() Option { return func(t *training) { t.stored.noExtremes = true } }

// Note stores a text of yours in the model, such as a commit: see model.Spec.Notes, and
// model.CheckNote for keys and texts. A wrong one is an error of Train, before any work.
func Note(key, text string) Option {
	return func(t *training) {
		notes := maps.Clone(t.stored.notes) // of another training with the same options
		if notes == nil {
			notes = map[string]string{}
		}
		notes[key], t.stored.notes = text, notes
	}
}

// GoldenDrawn stores rows of the training table as golden rows, in place of rows that no table has:
// see model.Golden. Whoever has the model can read them.
func GoldenDrawn() Option { return func(t *training) { t.stored.drawn = true } }

// NoGolden stores no golden rows.
func NoGolden() Option { return func(t *training) { t.stored.noGolden = true } }

// Unevaluated stores no metrics of the validation set, for callers that evaluate the model on it
// themselves.
func Unevaluated() Option { return func(t *training) { t.stored.unevaluated = true } }

// Observe calls a function after each unit of work, such as a boosting round, from one goroutine at
// a time. Where it returns learn.Stop, training ends and Train returns the model so far without an
// error. Any other error is returned by Train, with the model so far.
func Observe(f func(learn.Round) error) Option { return func(t *training) { t.job.Observe = f } }

// Job sets everything that a job holds, in place of all options before it but Memory, Scratch,
// Ranks, Log, and what the model stores (NoProfile, NoExtremes, Note, GoldenDrawn, NoGolden,
// Unevaluated): among it what no other option sets, as a plan of folds, or a checkpoint to resume
// from.
func Job(job learn.Job) Option {
	return func(t *training) { *t = training{job: job, env: t.env, stored: t.stored, log: t.log} }
}

// surroundings returns what the learner may use.
func (t *training) surroundings() learn.Env {
	env := t.env
	env.Workers, env.Open = t.job.Workers, Open
	return env
}

// on returns the data set that is trained on, and completes the job: its rows for training and for
// validation are those of the data set. Those for training choose its columns of texts.
func (t *training) on(from data.AnyDataset) (*data.BlockDataset, error) {
	given := from.InBlocks()
	_, inBlocks := given.Frame.InMemory()
	switch {
	case given.Features == nil:
		return nil, errors.New("the labels of the table come with its blocks, and training needs " +
			"all of them: use Roles.ApplyBlocks")
	case inBlocks != nil && t.separate:
		return nil, errors.New("Validation: a table in blocks has no validation set of its own: " +
			"use Job.Valid")
	}
	var like *data.Schema
	if t.job.Start != nil && t.job.Start.Model != nil {
		like = &t.job.Start.Model.Spec().Schema
	}
	ds, err := t.joined(&given.Dataset, like)
	if err != nil {
		return nil, err
	}
	own := *ds
	if inBlocks != nil {
		own.Frame = given.Frame
		return &data.BlockDataset{Dataset: own, Features: given.Features}, nil
	}
	own.Frame = ds.FitTexts(t.job.Rows, like)
	return own.InBlocks(), nil
}

// joined returns the data set of the rows for training and for validation, with the parts of dates
// and texts of a schema, nil = their own.
func (t *training) joined(ds *data.Dataset, like *data.Schema) (*data.Dataset, error) {
	if err := t.job.Check(ds.Frame, []int32{}); err != nil {
		return nil, err
	}
	ds, err := ds.Expanded(like)
	if err != nil {
		return nil, err
	}
	if t.weight != nil {
		if ds, err = ds.Weighted(t.weight); err != nil {
			return nil, err
		}
	}
	if !t.separate {
		if t.job.Rows == nil {
			t.job.Rows = without(ds.Rows(), t.job.Valid)
		}
		return ds, nil
	}
	if err := t.checkSeparate(); err != nil {
		return nil, err
	}
	joined, rows, valid, err := ds.With(t.valid)
	if err != nil {
		return nil, fmt.Errorf("validation set: %w", err)
	}
	if t.job.Rows != nil {
		rows = data.Pick(rows, t.job.Rows)
	}
	t.job.Rows, t.job.Valid = rows, valid
	return joined, nil
}

// checkSeparate returns an error for options that do not fit a separate validation set.
func (t *training) checkSeparate() error {
	switch {
	case t.valid == nil || t.valid.Rows() == 0:
		return fmt.Errorf("Validation: the set has no rows")
	case t.job.Valid != nil:
		return fmt.Errorf("Validation: Job.Valid names validation rows too: leave one of them out")
	case t.job.Plan != nil && t.job.Plan.Assign != nil:
		return fmt.Errorf("Validation: Job.Plan assigns folds to the rows of one table: use " +
			"Job.Valid instead")
	}
	return nil
}

// without returns the rows below n that are not among others.
func without(n int, others []int32) []int32 {
	out := make([]bool, n)
	for _, r := range others {
		out[r] = true
	}
	rows := make([]int32, 0, n)
	for r := range int32(n) {
		if !out[r] {
			rows = append(rows, r)
		}
	}
	return rows
}
