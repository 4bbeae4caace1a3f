package model

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// RowEvaluator computes the predictions of a model from the values of single rows. The Bind of such
// models calls its Bind, which finds columns by name, translates dictionaries, and distributes rows
// among workers.
type RowEvaluator struct {
	// features that predictions depend on, by place in the model's schema, without repetition
	Columns []int32
	Width   int // values written for a row
	// Start returns a function that writes Width values for one row. row holds the values of
	// Columns: numbers with NaN for missing, codes of the model's dictionaries with NaN for missing
	// and -1 for unseen. The function is used by one goroutine at a time; others call Start for
	// their own.
	Start func() func(dst, row []float64)
	// Inputs are derived columns: those of Columns that are no less than the number of fields, less
	// that number. Columns is ascending where there are any.
	Inputs *input.Set

	// program, if not nil, computes many rows at once: finish writes Width values for each row of a
	// block whose columns, those of Columns, are filled in. It must write what Start's function
	// writes, and may be called concurrently.
	program *engine.Program
	scores  int // raw scores of a row, where there is a program
	finish  func(dst []float64, b *engine.Block)
	guard   *leafGuard // of rows without a prediction; nil: there are none
}

// blockRows is the number of rows that one worker predicts at a time, where nothing makes another
// number better.
const blockRows = 2048

// predictor is a kernel bound to a table. The schema keeps the model around it, whose arrays may
// lie in a mapped file (Spec.Memory): so it stays mapped until a prediction has ended, which keeps
// the predictor to its end. It finds names and categories of every table that it
// predicts anew; places and dictionaries of the one that was bound are what it compares with first.
type predictor struct {
	RowEvaluator
	own      *data.Schema
	features []feature   // one for each field of own
	at       []int       // where the schema that was bound has them
	used     []int32     // features whose values PredictRow uses
	derived  *derivation // nil: no column is derived
	workers  int
	last     atomic.Pointer[[]int] // where the last table had the features
	columns  sync.Pool             // of *[]column, that are used again
	blocks   sync.Pool             // of *engine.Block, that are used again
	rows     sync.Pool             // of *rowBuffer, that are used again

	width      int // columns of the schema that was bound
	planned    sync.Once
	sparse     *sparsePlan // made once planned
	sparseRows sync.Pool   // of *rowBuffer, in which no column is named
}

// rowBuffer is what PredictRow needs for one row.
type rowBuffer struct {
	row
	predict func(dst, row []float64)
}

// Bind matches the features of a model's schema, by name, to the columns of a table. All features
// must be there with their kind, used or not; for bare codes a numeric column is right too. workers
// is as in Options. The predictor keeps nothing of s, so it may be changed; own must not be.
func (k RowEvaluator) Bind(own, s *data.Schema, workers int) (Predictor, error) {
	return BindTexts(own, s, func(s *data.Schema) (Predictor, error) {
		return k.bind(own, s, workers)
	})
}

// bind is Bind for a table that has the columns that own has of texts.
func (k RowEvaluator) bind(own, s *data.Schema, workers int) (Predictor, error) {
	n := len(own.Fields)
	p := &predictor{RowEvaluator: k, own: own, workers: workers, derived: k.derive(own),
		features: make([]feature, n), at: make([]int, n), width: len(s.Fields)}
	for i := range p.at {
		p.at[i] = i // where most tables have it
	}
	if missing := s.Find(own.Fields, p.at); missing != nil {
		return nil, &MissingColumnError{missing.Source()}
	}
	p.last.Store(&p.at)
	for i := range own.Fields {
		field, got := &own.Fields[i], &s.Fields[p.at[i]]
		in := &p.features[i]
		in.bare = field.BareCodes()
		var err error
		if in.bound, err = match(field, got, in.bare); err != nil {
			return nil, err
		}
		in.field, in.slot, in.source = field, slices.Index(k.Columns, int32(i)), p.derived.source(i)
		in.codes.field, in.codes.levels, in.codes.size = field, field.Levels, len(got.Levels)
		in.numeric = got.Kind == data.Numeric
		if field.Kind == data.Categorical && !in.idle() {
			in.codes.bind(got.Levels)
		}
		if field.Kind == data.Categorical || !in.idle() {
			p.used = append(p.used, int32(i))
		}
	}
	if p.program != nil {
		p.program.Warm()
	}
	return p, nil
}

// Guard returns a predictor of no values, bound to s. It finds the columns of a model's schema that
// are absent or of another kind, and refuses the values that the schema refuses. Models of models
// use it before their members predict.
func Guard(own, s *data.Schema) (Predictor, error) {
	return RowEvaluator{Start: func() func(dst, row []float64) {
		return func(dst, row []float64) {}
	}}.Bind(own, s, 1)
}

// Width returns the number of values per row.
func (p *predictor) Width() int { return p.RowEvaluator.Width }

// Predict predicts rows in blocks, several blocks at a time.
func (p *predictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	n := f.Rows()
	if rows != nil {
		n = len(rows)
	}
	w := p.Width()
	if len(dst) < n*w {
		return &SizeError{Want: n * w, Got: len(dst)}
	}
	if err := f.CheckRows(rows); err != nil {
		return err
	}
	scratch, _ := p.columns.Get().(*[]column)
	if scratch == nil {
		scratch = &[]column{}
	}
	columns, err := p.find((*scratch)[:0], f, n)
	if err != nil {
		return err
	}
	defer func() {
		runtime.KeepAlive(p)
		clear(columns) // the table is not kept
		*scratch = columns
		p.columns.Put(scratch)
	}()
	fit := p.blockFits()
	if p.program == nil || fit < engine.TileRows {
		return inBlocks(n, blockRows, p.workers, func(lo, hi int) error {
			return p.rowByRow(dst[lo*w:hi*w], columns, rows, lo, hi)
		})
	}
	size, team := p.split(n)
	size = min(size, fit&^(engine.TileRows-1))
	return inBlocks(n, size, parallel.Workers(p.workers)/team, func(lo, hi int) error {
		return p.together(dst[lo*w:hi*w], columns, rows, lo, hi, team)
	})
}

// blockBytes is what the raw scores of a block may take. They are beside what callers hold of
// predictions.
const blockBytes = 32 << 20

// blockFits returns for how many rows a block may have raw scores.
func (p *predictor) blockFits() int { return blockBytes / 8 / max(1, p.scores) }

// split returns the size of blocks of a request of n rows, and how many workers predict one.
func (p *predictor) split(n int) (size, team int) {
	return evenly(n, p.program.BlockRows(), parallel.Workers(p.workers), p.program.Teams())
}

// evenly returns the size of blocks, at most most, such that all workers have equally many, except
// for a rest. Each worker has some, even of few rows. With teams, and fewer blocks than workers, it
// returns how many workers predict a block together. Smaller blocks would use each node for fewer
// rows.
func evenly(n, most, workers int, teams bool) (size, team int) {
	blocks := max(1, (n+most-1)/most)
	if team = workers; !teams || blocks >= workers {
		team = 1
		most = min(most, max(n/workers, 4*engine.TileRows))
		blocks = max(1, (n+most-1)/most)
		blocks = (blocks + workers - 1) / workers * workers
	}
	tiles := (n/engine.TileRows + blocks) / blocks
	return min(tiles*engine.TileRows, most), team
}

// InBlocks calls predict for blocks of consecutive rows that together are 0 to n, several at a time
// on workers goroutines, 0 = one per processor. The error returned is that of the first block that
// has one.
func InBlocks(n, workers int, predict func(lo, hi int) error) error {
	return inBlocks(n, blockRows, workers, predict)
}

func inBlocks(n, size, workers int, predict func(lo, hi int) error) error {
	// of each block, so that the first row's is reported whatever the order
	errs := make([]error, (n+size-1)/size)
	parallel.Each(parallel.Workers(workers), len(errs), func(_, b int) {
		errs[b] = predict(b*size, min((b+1)*size, n))
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// rowByRow predicts rows lo to hi of the request.
func (p *predictor) rowByRow(dst []float64, columns []column, rows []int32, lo, hi int) error {
	w := p.Width()
	row := p.newRow()
	predict := p.Start()
	tile := newSparseTile(columns)
	for i := lo; i < hi; i++ {
		r := i
		if rows != nil {
			r = int(rows[i])
		}
		tile.reach(columns, rows, i, hi)
		for k := range columns {
			x, ok := tile.value(k, i)
			if !ok {
				x = columns[k].value(r)
			}
			if err := columns[k].store(row, x, r); err != nil {
				return err
			}
		}
		values := row.complete()
		if err := p.guard.check(values, r); err != nil {
			return err
		}
		predict(dst[(i-lo)*w:(i-lo+1)*w], values)
	}
	return nil
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *predictor) PredictRow(dst, values []float64) error {
	if len(dst) < p.Width() {
		return &SizeError{Want: p.Width(), Got: len(dst)}
	}
	b, _ := p.rows.Get().(*rowBuffer)
	if b == nil {
		b = &rowBuffer{p.newRow(), p.Start()}
	}
	defer p.rows.Put(b)
	row := b.row
	for _, k := range p.used {
		in := &p.features[k]
		at := p.at[k]
		if at >= len(values) {
			return &SizeError{Want: at + 1, Got: len(values)}
		}
		x, err := in.ofRow(values[at])
		if err != nil {
			return err
		}
		if err := in.store(row, x, -1); err != nil {
			return err
		}
	}
	completed := row.complete()
	if err := p.guard.check(completed, -1); err != nil {
		return err
	}
	b.predict(dst[:p.Width()], completed)
	runtime.KeepAlive(p)
	return nil
}

// ofRow returns the feature's value for a value of its column, as PredictRow takes it.
func (in *feature) ofRow(x float64) (float64, error) {
	if in.field.Kind == data.Categorical && in.bound.codes == nil {
		code, ok := in.codes.ofRow(x)
		if !ok {
			return 0, in.codeError(x)
		}
		return code, nil
	}
	part, ok := in.bound.ofRow(x)
	if !ok {
		return 0, &ValueError{Column: in.field.Source(), Row: -1, What: "the date is infinite"}
	}
	return part, nil
}

// store puts a value into the row buffer, or refuses it by the field's policy.
func (in *feature) store(row row, x float64, r int) error {
	if in.field.Missing == data.Refuse && math.IsNaN(x) {
		return &ValueError{Column: in.field.Source(), Row: r, What: "missing value"}
	}
	if in.field.Unseen == data.Refuse && in.field.Kind == data.Categorical && x < 0 {
		return &ValueError{Column: in.field.Source(), Row: r,
			What: "category never seen in training"}
	}
	in.put(row, x)
	return nil
}

// put puts a value into the row buffer.
func (in *feature) put(row row, x float64) {
	if in.slot >= 0 {
		row.values[in.slot] = x
	}
	if in.source >= 0 {
		row.sources[in.source] = x
	}
}
