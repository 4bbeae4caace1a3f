package model

import (
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model/engine"
	"github.com/coppice-ml/coppice/model/input"
)

// Kernel computes the predictions of a model from the values of single rows. Its Bind is what the Bind of models that
// work so is made of: it finds columns by name, translates dictionaries, and shares rows among workers.
type Kernel struct {
	Columns []int32 // features that predictions depend on, by place in the model's schema, without repetition
	Width   int     // values written for a row
	// Start returns a function that writes Width values for one row. row holds the values of Columns: numbers with NaN for
	// missing, codes of the model's dictionaries with NaN for missing and -1 for unseen. The function is used by one
	// goroutine at a time; others call Start for their own.
	Start func() func(dst, row []float64)
	// Program, if not nil, computes many rows at once: Finish writes Width values for each row of a block whose columns,
	// those of Columns, are filled in. It must write what Start's function writes, and may be called concurrently.
	Program *engine.Program
	Finish  func(dst []float64, b *engine.Block)
	// Inputs are derived columns: those of Columns that are no less than the number of fields, less that number. Columns is
	// ascending where there are any.
	Inputs *input.Set
}

// blockRows is the number of rows that one worker predicts at a time, where nothing makes another number better.
const blockRows = 2048

// feature is one feature of the model as found in a bound schema.
type feature struct {
	at     int // column of the bound schema
	slot   int // place in the row buffer, -1 if no tree looks at it
	source int // place among the sources of derived columns, -1 if it is none
	field  *data.Field
	recode []uint32 // bound code -> model code; nil for numeric features and equal dictionaries
}

// predictor is a kernel bound to a table.
type predictor struct {
	Kernel
	features []feature
	derived  *derivation // nil: no column is derived
	workers  int
	blocks   sync.Pool // of *engine.Block, that are used again
}

// Bind matches the features of a model's schema, by name, to the columns of a table. All features must be there with
// their kind, used or not. workers is as in Options.
func (k Kernel) Bind(own, s *data.Schema, workers int) (Predictor, error) {
	p := &predictor{Kernel: k, workers: workers, derived: k.derive(own)}
	for i := range own.Fields {
		field := &own.Fields[i]
		at := i // where most tables have it
		if i >= len(s.Fields) || s.Fields[i].Name != field.Name {
			if at = s.Index(field.Name); at < 0 {
				return nil, &MissingColumnError{field.Name}
			}
		}
		got := &s.Fields[at]
		if got.Kind != field.Kind {
			return nil, &KindError{Column: field.Name, Want: field.Kind, Got: got.Kind}
		}
		in := feature{at: at, slot: slices.Index(k.Columns, int32(i)), source: p.derived.source(i), field: field}
		if in.slot < 0 && in.source < 0 && field.Missing != data.Refuse && field.Unseen != data.Refuse {
			continue
		}
		if field.Kind == data.Categorical && !slices.Equal(got.Levels, field.Levels) {
			in.recode = recode(got.Levels, field.Levels)
		}
		p.features = append(p.features, in)
	}
	return p, nil
}

// recode maps the codes of one dictionary to those of another, by text.
func recode(from, to []string) []uint32 {
	codes := make(map[string]uint32, len(to))
	for c, text := range to {
		codes[text] = uint32(c)
	}
	table := make([]uint32, len(from))
	for c, text := range from {
		code, ok := codes[text]
		if !ok {
			code = data.UnseenCode
		}
		table[c] = code
	}
	return table
}

// Width returns the number of values per row.
func (p *predictor) Width() int { return p.Kernel.Width }

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
	if p.Program == nil {
		return inBlocks(n, blockRows, p.workers, func(lo, hi int) error { return p.rowByRow(dst[lo*w:hi*w], f, rows, lo, hi) })
	}
	workers := parallel.Workers(p.workers)
	size, team := evenly(n, p.Program.BlockRows(), workers, p.Program.Teams())
	return inBlocks(n, size, workers/team, func(lo, hi int) error { return p.together(dst[lo*w:hi*w], f, rows, lo, hi, team) })
}

// evenly returns the size of blocks, up to most, such that all workers have as many, but for a rest; of few rows each worker
// has some. Where workers can share a block, and there would be fewer blocks than workers, it returns how many do: with parts of
// the rows for each of them a node would serve fewer rows.
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

// InBlocks calls predict for blocks of consecutive rows that together are 0 to n, several at a time on workers goroutines, 0 =
// one per processor. The error returned is that of the first block that has one.
func InBlocks(n, workers int, predict func(lo, hi int) error) error {
	return inBlocks(n, blockRows, workers, predict)
}

func inBlocks(n, size, workers int, predict func(lo, hi int) error) error {
	errs := make([]error, (n+size-1)/size) // of each block, so that the first row's is reported whatever the order
	parallel.Each(parallel.Workers(workers), len(errs), func(_, b int) { errs[b] = predict(b*size, min((b+1)*size, n)) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// rowByRow predicts rows lo to hi of the request.
func (p *predictor) rowByRow(dst []float64, f *data.Frame, rows []int32, lo, hi int) error {
	w := p.Width()
	row := p.newRow()
	predict := p.Start()
	for i := lo; i < hi; i++ {
		r := i
		if rows != nil {
			r = int(rows[i])
		}
		for k := range p.features {
			in := &p.features[k]
			if err := in.store(row, in.value(&f.Columns[in.at], r), r); err != nil {
				return err
			}
		}
		predict(dst[(i-lo)*w:(i-lo+1)*w], row.complete())
	}
	return nil
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *predictor) PredictRow(dst, values []float64) error {
	if len(dst) < p.Width() {
		return &SizeError{Want: p.Width(), Got: len(dst)}
	}
	row := p.newRow()
	for k := range p.features {
		in := &p.features[k]
		if in.at >= len(values) {
			return &SizeError{Want: in.at + 1, Got: len(values)}
		}
		x := values[in.at]
		if in.field.Kind == data.Categorical && !math.IsNaN(x) {
			code := data.UnseenCode
			if x >= 0 && x < float64(data.UnseenCode) {
				code = uint32(x)
			}
			x = in.code(code)
		}
		if err := in.store(row, x, -1); err != nil {
			return err
		}
	}
	p.Start()(dst[:p.Width()], row.complete())
	return nil
}

// code turns a bound code into the number that the program compares: NaN missing, -1 unseen.
func (in *feature) code(c uint32) float64 {
	if c == data.MissingCode {
		return math.NaN()
	}
	if in.recode != nil {
		if uint64(c) >= uint64(len(in.recode)) {
			return -1
		}
		c = in.recode[c]
	}
	if uint64(c) >= uint64(len(in.field.Levels)) {
		return -1
	}
	return float64(c)
}

// store puts a value into the row buffer, or refuses it by the field's policy.
func (in *feature) store(row row, x float64, r int) error {
	if in.field.Missing == data.Refuse && math.IsNaN(x) {
		return &ValueError{Column: in.field.Name, Row: r, What: "missing value"}
	}
	if in.field.Unseen == data.Refuse && in.field.Kind == data.Categorical && x < 0 {
		return &ValueError{Column: in.field.Name, Row: r, What: "category never seen in training"}
	}
	if in.slot >= 0 {
		row.values[in.slot] = x
	}
	if in.source >= 0 {
		row.sources[in.source] = x
	}
	return nil
}
