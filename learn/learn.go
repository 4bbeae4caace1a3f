// Package learn owns the contract between learners and the rest: Learner, Fitter, Job and Env, and
// for learners that train others the base (Choice) and the Members. Each learner has a folder of
// its own; learn/catalog finds them by name.
//
// The life of a training run:
//
//  1. The caller makes a Learner and sets its parameters (fields, or texts through Params).
//  2. Prepare reads the features of the training rows once: it sorts, ranks or bins them. It
//     reads no label.
//  3. Fit grows a model for one Target and one choice of rows. It may be called many times, also
//     concurrently: cross-validation, bagging and boosting fit many times on what was prepared
//     once.
package learn

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/ranks"
)

// Learner is a learning method with its parameters.
type Learner interface {
	// Params lists the parameters, bound to the receiver: setting one changes the learner. They are
	// the single source of defaults, checks, JSON, help and reference.
	Params() param.Set
	// Capabilities reports what the learner takes, does and uses, with its parameters as they are.
	Capabilities() Capabilities
	// Prepare does, once, the work that depends on the features and the weights of the given rows
	// alone. A nil rows means all rows of the table, a nil weight (indexed by row of the table)
	// means 1. A row of weight 0 has no effect, and Fit is not to give it weight. A row that the
	// table does not have is a *data.RowError. Features that are read in blocks are for learners
	// with Capabilities.Blocks. Others return the error of Features.InMemory, which wraps
	// memory.ErrLimit.
	//
	// The learner may be changed afterwards without effect on the Fitter. Columns of texts are
	// those of the table: who holds rows out passes the data.Frame.FitTexts of the others.
	Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
		env Env) (Fitter, error)
}

// Fitter fits models on prepared rows. It is safe for concurrent use.
type Fitter interface {
	// Fit grows one model. On a cancelled context it returns the model so far, if there is one
	// worth having, AND ctx.Err(); where Job.Observe returns Stop, it returns the model so far and
	// no error. Target errors (wrong task, no label) and those of Job.Check (a row that the table
	// does not have, *data.RowError) are returned before any work.
	Fit(ctx context.Context, t *data.Target, job Job) (model.Model, error)
}

// Job is one fit. The zero value fits all prepared rows with seed 0 on one worker per processor.
type Job struct {
	// frame rows to train on, a subset of the prepared ones; a repeated row is a multiplicity; nil
	// = all prepared
	Rows []int32
	// frame rows for what Capabilities.Validation names, such as early stopping; they need not be
	// prepared; nil = none
	Valid []int32
	// Plan is the fold plan of all inner cross-validation, so that no label reaches its own row:
	// pruning, early stopping, combining and calibrating use the plan's folds as hold-out rows. Its
	// Within is that of learners inside. nil = split.DefaultKind, with folds and seed of the
	// learner's own.
	Plan    *split.Plan
	Seed    uint64
	Workers int // 0 = one per processor; the model has the same bytes for any number
	// Observe is called after each unit of work, from one goroutine at a time; nil = never. Stop
	// ends the training with the model so far and without an error; any other error is returned by
	// Fit, with the model so far as on a cancelled context.
	Observe func(Round) error
	// Start is what a learner with Capabilities.Resume resumes from; nil = from nothing. Others
	// refuse it.
	Start *Checkpoint
	// CheckTime asks whether rows that are later than those of training are predicted worse, which
	// a learner may measure where a date or another column orders the rows. Its summary has what it
	// finds: training.TimeOrder. Only gbm measures it, where that is little beside its training.
	CheckTime bool
	// OutOfBag gets, once, the out-of-bag predictions of an ensemble: those of members for rows
	// that they were not trained on. Only learners with Capabilities.OutOfBag call it, and they
	// fail where no row is left out. Fit returns its error.
	OutOfBag func(*HoldOut) error
	// HoldOut gets the out-of-fold predictions that a learner trains on, calibrates by, or chooses
	// its number of rounds by; what names the models that predicted. Learners that use none never
	// call it. Fit returns its error.
	HoldOut func(what string, h *HoldOut) error
	// Folds gets the predictions by which a learner chose its number of rounds, of rows that the
	// predicting models were not trained on. Unlike HoldOut it gets these alone, and changes no
	// work. Fit returns its error.
	Folds func(*HoldOut) error
	// Unseen gets, once, the out-of-bag predictions that an ensemble has anyway, to estimate how
	// good it is: unlike OutOfBag it requires none. Fit returns its error.
	Unseen func(*Unseen) error
	// Fitted gets, once, the raw scores that a training has of its rows at its end: that of output
	// o and row i at o x len(rows) + i. Nobody writes to them. They are those of the model unless
	// the learner chose earlier rounds or changed the scores afterwards, so compare some of them:
	// eval.SetOptions.Raw does. Only gbm has them.
	Fitted func(rows []int32, raw []float64)
}

// RowsOf returns the rows to train on, of those that were prepared.
func (j *Job) RowsOf(prepared []int32) []int32 {
	if j.Rows == nil {
		return prepared
	}
	return j.Rows
}

// Weighty returns the rows to train on that have weight: those of weight 0 are absent for all that
// counts rows, such as folds, samples, least sizes of leaves and bins. Where no row has weight it
// returns all of them, which training refuses.
func (j *Job) Weighty(t *data.Target, prepared []int32) []int32 {
	return t.WithWeight(j.RowsOf(prepared))
}

// Round is what Job.Observe gets after a unit of work: N of Of units are done.
type Round struct {
	Stage   string // what is being done, e.g. "grow", "prune"
	N, Of   int
	Metrics []Metric // evaluated after this unit, if any
	// Checkpoint returns what the training can resume from after this unit; it is valid until
	// Observe returns. nil: the learner cannot resume, or this is no unit to resume from. Of
	// several ranks all call it after the same units.
	Checkpoint func() (*Checkpoint, error)
}

// Metric is one metric of a model during its training.
type Metric struct {
	Set   string // of rows: "training", "validation"
	Name  string // of package metric, or of the loss that is minimised
	Value float64
}

// Env is what a learner may use of its surroundings. The zero value is this process alone, with the
// default limit of memory and no catalog.
type Env struct {
	Workers int     // for Prepare; 0 = one per processor
	Resolve Resolve // for learners that take others; nil if there is no catalog
	// Open reads a model, for learners that combine models which are trained already; nil if there
	// is nothing to read it with.
	Open func(path string) (model.Model, error)
	// Memory limits what is held for rows x classes, and all that a training in blocks holds; 0 =
	// memory.Default. CheckMemory holds a job against it before Prepare.
	Memory memory.Limit
	// Scratch is the folder for the file of a training in blocks, which is removed at the end of
	// Fit; "" = the system's folder for temporary files.
	Scratch string
	// Ranks is the processes that train this model together: each calls Prepare and Fit with the
	// same table, rows, target and job, and returns the same model. gbm divides its rows among
	// them; of a table in blocks each keeps the codes of its own rows only, in memory. Other
	// learners train on every rank. nil = this process alone.
	Ranks ranks.Group
}

// Alone returns the surroundings for a learner inside of another one. It is trained by each process
// alone, because the outer learner prepares and trains several of them at the same time.
func (e Env) Alone() Env {
	e.Ranks = nil
	return e
}

// Resolve finds a learner, with default parameters, by its name or an alias. It returns the name,
// too, which parameters and models store. The error of an unknown name suggests the nearest.
type Resolve func(nameOrAlias string) (name string, l Learner, err error)
