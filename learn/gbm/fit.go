package gbm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/input"
)

// boost is one Fit on its way. Rows have three numbers:
//
//	frame row       of the table
//	matrix row      of the prepared rows, which scores and derivatives are indexed by for the engine
//	position        among the rows to train on, distinct and ascending, which the objective counts by
//
// Positions are matrix rows where all prepared rows are trained on, as mostly.
type boost struct {
	*fitter
	learn.Job
	// weights are those of rows times their multiplicities and factors of classes
	target *data.Target
	loss   string
	train  *boosting.Part
	valid  *boosting.Part // nil: nothing is measured but the training part
	at     []int32        // matrix row of each position; nil: the same number
	from   []int32        // position of each matrix row, -1 for none; nil: the same number
	// matrix rows of the validation part, which trees are added to as to those that are trained on;
	// nil: models predict for it
	holdOutAt []int32
	// the validation part in the same bins, where it has no such rows; nil: as for heldAt
	unbundled *bins.Matrix
	// matrix rows whose scores are kept, those of both, ascending; nil: all
	scored []int32

	inputs   input.Set      // derived columns
	fields   data.Schema    // of the frame with the derived columns
	matrices []*bins.Matrix // of each order of the rows that columns are derived by
	// with the derived columns by each of those; nil: their numbers are not kept
	frames  []*data.Frame
	holdOut *data.Frame          // then, of the rows of the validation part
	growers []*hist.Grower       // on each of those
	vectors []*hist.VectorGrower // instead, of trees for all outputs
	raw     []float64            // output-major, by matrix row
	// what growers get derivatives from, some rows at a time; nil: from g and h
	rowwise loss.Rowwise
	g, h    []float64 // output-major, by position
	gm, hm  []float64 // one output's, by matrix row; g and h where at is nil

	sampler sample.GradientSampler
	drawn   sample.Sampled
	// of the trees of the best round, where rounds change those before them
	bestWeights []float64
	model       *model.Ensemble // all trees so far, without its descriptions
	history     boosting.History
	before      int    // rounds of the model that training started from
	first       int    // trees of that model
	stub        int    // rounds at the end that split nothing
	sum         uint32 // checksum of the data, once it is known
}

// Fit trains a model. If the context is cancelled, or the observer returns an error, it returns the
// rounds so far too; nil if there are none.
//
// While the number of rounds is chosen by cross-validation, the model so far is that of the first
// fold: trained on its rows, of the best number of rounds so far. A choice that was resumed has
// none, for its checkpoints hold no trees. Where the observer returns learn.Stop then, the best
// number so far is trained on all rows.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if err := job.Check(f.frame, f.matrix.Rows); err != nil {
		return nil, err
	}
	job, state, err := f.reopen(job)
	if err != nil {
		return nil, err
	}
	own, choice, err := f.resolve(ctx, t, job, state)
	if short := (*cutShort)(nil); errors.As(err, &short) {
		return short.model, short.cause
	}
	if err != nil {
		return nil, err
	}
	own.given, own.choice = &f.learner, choice
	if own.stopped {
		job.Observe = nil
	}
	b, err := own.begin(ctx, t, job)
	if err != nil {
		return nil, err
	}
	err = learn.UnlessStop(b.run(ctx))
	if err == nil && b.valid != nil && b.learner.EarlyStopping > 0 {
		err = boosting.ReportHoldOut(&job, b.target, b.valid)
	}
	if b.history.Rounds == 0 && err != nil {
		return nil, err
	}
	m, failed := b.finish()
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// begin checks what is asked for, and makes all ready for the first round.
func (f *fitter) begin(ctx context.Context, t *data.Target, job learn.Job) (*boost, error) {
	name, l, err := f.learner.lossOf(t)
	if err != nil {
		return nil, err
	}
	b := &boost{fitter: f, Job: job, loss: name, fields: f.frame.Schema}
	rows, valid, err := boosting.Hold(&job, t, f.matrix.Rows, f.learner.ValidFraction, seedOf(job.Seed, purposeValid))
	if err != nil {
		return nil, err
	}
	if name == squared {
		if err := learn.CheckLabelSizes(Name, f.frame, t, learn.LabelLimit(t, rows), rows, valid); err != nil {
			return nil, err
		}
	}
	distinct := data.Distinct(rows)
	if b.target, err = b.weighed(t, rows, valid); err != nil {
		return nil, err
	}
	if b.train, err = boosting.NewPart(boosting.Training, l, b.target, distinct); err != nil {
		return nil, err
	}
	if valid != nil {
		if b.valid, err = boosting.NewPart(boosting.Validation, l, b.target, valid); err != nil {
			return nil, err
		}
	}
	if err := b.encode(ctx, distinct); err != nil {
		return nil, err
	}
	if err := b.complete(ctx); err != nil {
		return nil, err
	}
	if err := b.place(ctx, distinct); err != nil {
		return nil, err
	}
	if err := b.startGrowers(); err != nil {
		return nil, err
	}
	if err := b.startModel(); err != nil {
		return nil, err
	}
	if err := b.startSampling(); err != nil {
		return nil, err
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	if b.Start == nil {
		return b, b.startScores()
	}
	if b.Start.State == nil {
		if err := b.goOn(); err != nil {
			return nil, err
		}
		return b, b.startScores()
	}
	if err := b.startScores(); err != nil {
		return nil, err
	}
	return b, b.goOn()
}

// startGrowers makes the growers, one for each matrix.
func (b *boost) startGrowers() error {
	if b.matrices == nil {
		b.matrices, b.frames = []*bins.Matrix{b.matrix}, []*data.Frame{b.frame}
	}
	for i, m := range b.matrices {
		f := b.frame
		if b.frames != nil {
			f = b.frames[i]
		}
		config, err := b.learner.config(f, len(b.frame.Columns), m, &b.inputs)
		if err != nil {
			return err
		}
		config.Workers, config.Outputs = b.workersFor(m), b.train.Objective.Outputs()
		if k := b.train.Objective.Outputs(); b.learner.MultiOutput && k > 1 {
			b.vectors = append(b.vectors, hist.NewVectorGrower(m, config, k))
			continue
		}
		b.growers = append(b.growers, hist.NewGrower(m, config))
	}
	return nil
}

// alone is the number of rows times columns up to which one worker grows a tree: that takes about a
// millisecond, of which waking another half a dozen times, and its leaves that are tried for
// nothing, leave nothing to be saved.
const alone = 1 << 18

// workersFor returns how many workers are to grow trees on a matrix, 0 = one per processor.
func (b *boost) workersFor(m *bins.Matrix) int {
	if m.Len()*len(m.Columns) <= alone {
		return 1
	}
	return b.Workers
}

// place finds the matrix rows of the rows to train on, and of those to measure by.
func (b *boost) place(ctx context.Context, distinct []int32) error {
	if slices.Equal(distinct, b.matrix.Rows) {
		return b.placeHoldOut(ctx)
	}
	b.at, b.from = make([]int32, len(distinct)), slices.Repeat([]int32{-1}, b.matrix.Len())
	for i, r := range distinct {
		at, found := slices.BinarySearch(b.matrix.Rows, r)
		if !found {
			return fmt.Errorf("row %d to train on was not prepared", r)
		}
		b.at[i], b.from[at] = int32(at), int32(i)
	}
	err := b.placeHoldOut(ctx)
	b.scored = data.Distinct(slices.Concat(b.at, b.holdOutAt))
	return err
}

// placeHoldOut finds the matrix rows of the validation part, or makes it a matrix of its own, where
// trees say of bins what they say in the end, to the last bit: not where what they are worth
// changes, or is worked out from other numbers than bins; nor of categories that have none.
func (b *boost) placeHoldOut(ctx context.Context) (err error) {
	if b.valid == nil || b.learner.LinearTree || b.learner.Boosting.Dart != nil || len(b.inputs.Columns) > 0 {
		return nil
	}
	b.holdOutAt = b.matrixRows(b.valid.Rows)
	exact := b.learner.Compat == CompatXGBoostExact // thresholds are not those between bins
	if b.holdOutAt == nil && !exact && b.everyBin(b.valid.Rows) {
		b.unbundled, err = bins.Encode(ctx, b.frame, b.valid.Rows, b.matrix.Columns, bins.Options{Unpacked: true}, b.Workers)
	}
	return err
}

// matrixRows returns those of rows of the frame; nil if one has none, or if all matrix rows are
// trained on, as no other has a score then.
func (b *boost) matrixRows(rows []int32) []int32 {
	if b.at == nil {
		return nil
	}
	at := make([]int32, len(rows))
	for i, r := range rows {
		k, found := slices.BinarySearch(b.matrix.Rows, r)
		if !found {
			return nil
		}
		at[i] = int32(k)
	}
	return at
}

// everyBin reports whether all categories of some rows have bins.
func (b *boost) everyBin(rows []int32) bool {
	for i := range b.matrix.Columns {
		c := &b.matrix.Columns[i]
		if !c.Nominal() {
			continue
		}
		for _, r := range rows {
			code := b.frame.Columns[c.Feature].Code[r]
			if code != data.MissingCode && (uint(code) >= uint(len(c.Level)) || c.Level[code] < 0) {
				return false
			}
		}
	}
	return true
}

// weighed returns the target with weights that are those of rows, times how often they are trained
// on, times the factors of their classes.
func (b *boost) weighed(t *data.Target, rows, valid []int32) (*data.Target, error) {
	distinct := data.Distinct(rows)
	var class []uint32
	if t.Class != nil {
		for _, r := range rows {
			class = append(class, t.Class[r])
		}
	}
	factor, err := learn.ClassFactors(b.learner.ClassWeight, t, class, nil)
	if err != nil {
		return nil, err
	}
	if factor == nil && len(distinct) == len(rows) {
		return t, nil
	}
	own := *t
	own.Weight = make([]float64, b.frame.Rows())
	for _, r := range valid {
		own.Weight[r] = t.WeightAt(r)
	}
	for _, r := range rows {
		own.Weight[r] += t.WeightAt(r)
	}
	if factor == nil {
		return &own, nil
	}
	for _, part := range [][]int32{distinct, valid} {
		for _, r := range part {
			own.Weight[r] *= factor[t.Class[r]]
		}
	}
	return &own, nil
}

// startModel makes the model of no rounds.
func (b *boost) startModel() error {
	t := b.target
	b.model = &model.Ensemble{Combine: model.Sum, Link: b.train.Objective.Link(), Output: []int32{},
		Bias: make([]float64, b.train.Objective.Outputs()),
		Meta: learn.NewSpec(Name, b.fields, t)}
	if q, ok := b.train.Objective.(loss.Quantiler); ok {
		b.model.Meta.Quantiles = q.Quantiles()
	}
	if b.learner.Boosting.Dart != nil {
		b.model.Weights = []float64{}
	}
	given, err := b.learner.baseScore(b.model.Bias, b.model.Link)
	switch {
	case err != nil:
		return err
	case given && t.Offset != nil:
		return errStarts
	case !given && t.Offset == nil:
		b.train.Objective.Init(b.model.Bias)
	}
	return nil
}

// startScores gives all rows their scores before the first round.
func (b *boost) startScores() error {
	k, n := b.train.Objective.Outputs(), b.matrix.Len()
	if err := b.startPart(b.train); err != nil {
		return err
	}
	b.raw = b.train.Raw
	if b.at != nil {
		b.raw = make([]float64, k*n)
		b.put(b.train, b.at)
	}
	if b.rowwise = b.derives(); b.rowwise == nil {
		b.makeDerivatives()
	}
	if b.valid == nil {
		return nil
	}
	if err := b.startPart(b.valid); err != nil {
		return err
	}
	b.putHoldOut()
	return nil
}

// refiner returns what refits leaves, nil if their Newton steps stand.
func (b *boost) refiner() loss.LeafRefiner {
	r, ok := b.train.Objective.(loss.LeafRefiner)
	if !ok || !b.learner.RefitLeaves {
		return nil
	}
	return r
}
