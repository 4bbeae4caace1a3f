package model

import (
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/engine"
	"github.com/coppice-ml/coppice/tree"
)

// blockRows is the number of rows that one worker predicts at a time.
const blockRows = 2048

// input is one feature of the model as found in a bound schema.
type input struct {
	at     int // column of the bound schema
	slot   int // place in the row buffer, -1 if only the policy looks at it
	field  *data.Field
	recode []uint32 // bound code -> model code; nil for numeric features and equal dictionaries
}

type predictor struct {
	program *engine.Program
	link    link.Link
	inputs  []input
	output  Output
	classes bool
	raw     int // width of the raw outputs
	workers int
}

// Bind matches the ensemble's features by name to those of a table.
func (e *Ensemble) Bind(s *data.Schema, o Options) (Predictor, error) {
	trees, outputs, weights := e.rounds(o.Rounds)
	p := &predictor{link: e.Link, output: o.Output, classes: e.Meta.Task.Classes(), raw: e.Outputs(), workers: o.Workers}
	p.program = engine.Compile(engine.Source{Trees: trees, Output: outputs, Weights: weights, Bias: e.Bias,
		Outputs: p.raw, Mean: e.Combine == Mean})
	used := p.program.Columns()
	for i := range e.Meta.Schema.Fields {
		field := &e.Meta.Schema.Fields[i]
		at := s.Index(field.Name)
		if at < 0 {
			return nil, &MissingColumnError{field.Name}
		}
		got := &s.Fields[at]
		if got.Kind != field.Kind {
			return nil, &KindError{Column: field.Name, Want: field.Kind, Got: got.Kind}
		}
		in := input{at: at, slot: slices.Index(used, int32(i)), field: field}
		if in.slot < 0 && field.Missing != data.Refuse && field.Unseen != data.Refuse {
			continue
		}
		if field.Kind == data.Categorical && !slices.Equal(got.Levels, field.Levels) {
			in.recode = recode(got.Levels, field.Levels)
		}
		p.inputs = append(p.inputs, in)
	}
	return p, nil
}

// rounds returns the first n trees of each output, all if n is 0.
func (e *Ensemble) rounds(n int) (trees []*tree.Tree, outputs []int32, weights []float64) {
	if n <= 0 {
		return e.Trees, e.Output, e.Weights
	}
	seen := map[int32]int{}
	for i, t := range e.Trees {
		o := e.outputOf(i)
		if seen[o]++; seen[o] > n {
			continue
		}
		trees = append(trees, t)
		outputs = append(outputs, o)
		if e.Weights != nil {
			weights = append(weights, e.Weights[i])
		}
	}
	return trees, outputs, weights
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
func (p *predictor) Width() int {
	switch {
	case p.output == Leaf:
		return p.program.NumTrees()
	case p.output == Label && p.classes:
		return 1
	}
	return p.raw
}

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
	workers := p.workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var g errgroup.Group
	g.SetLimit(workers)
	errs := make([]error, (n+blockRows-1)/blockRows)
	for b := range errs {
		g.Go(func() error {
			lo, hi := b*blockRows, min((b+1)*blockRows, n)
			errs[b] = p.block(dst[lo*w:hi*w], f, rows, lo, hi)
			return nil
		})
	}
	_ = g.Wait() // the blocks keep their errors, so that the first row's is reported whatever the order
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// block predicts rows lo to hi of the request.
func (p *predictor) block(dst []float64, f *data.Frame, rows []int32, lo, hi int) error {
	w := p.Width()
	row := make([]float64, len(p.program.Columns()))
	raw := make([]float64, p.raw)
	for i := lo; i < hi; i++ {
		r := i
		if rows != nil {
			r = int(rows[i])
		}
		for k := range p.inputs {
			in := &p.inputs[k]
			var x float64
			if c := &f.Columns[in.at]; c.Code == nil {
				x = c.Num[r]
			} else {
				x = in.code(c.Code[r])
			}
			if err := in.store(row, x, r); err != nil {
				return err
			}
		}
		p.finish(dst[(i-lo)*w:(i-lo+1)*w], raw, row)
	}
	return nil
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *predictor) PredictRow(dst, values []float64) error {
	if len(dst) < p.Width() {
		return &SizeError{Want: p.Width(), Got: len(dst)}
	}
	row := make([]float64, len(p.program.Columns()))
	for k := range p.inputs {
		in := &p.inputs[k]
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
	p.finish(dst[:p.Width()], make([]float64, p.raw), row)
	return nil
}

// code turns a bound code into the number that the program compares: NaN missing, -1 unseen.
func (in *input) code(c uint32) float64 {
	if c == data.MissingCode {
		return math.NaN()
	}
	if in.recode != nil {
		if int(c) >= len(in.recode) {
			return -1
		}
		c = in.recode[c]
	}
	if int(c) >= len(in.field.Levels) {
		return -1
	}
	return float64(c)
}

// store puts a value into the row buffer, or refuses it by the field's policy.
func (in *input) store(row []float64, x float64, r int) error {
	if in.field.Missing == data.Refuse && math.IsNaN(x) {
		return &ValueError{Column: in.field.Name, Row: r, What: "missing value"}
	}
	if in.field.Unseen == data.Refuse && in.field.Kind == data.Categorical && x < 0 {
		return &ValueError{Column: in.field.Name, Row: r, What: "category never seen in training"}
	}
	if in.slot >= 0 {
		row[in.slot] = x
	}
	return nil
}

func (p *predictor) finish(dst, raw, row []float64) {
	if p.output == Leaf {
		p.program.Leaves(dst, row)
		return
	}
	p.program.Raw(raw, row)
	if p.output != Raw && p.link != nil {
		p.link.Apply(raw)
	}
	if p.output == Label && p.classes {
		dst[0] = float64(ArgMax(raw))
		return
	}
	copy(dst, raw)
}

// ArgMax returns the index of the largest value, of equal ones the first.
func ArgMax(v []float64) int {
	best := 0
	for i := range v {
		if v[i] > v[best] {
			best = i
		}
	}
	return best
}
