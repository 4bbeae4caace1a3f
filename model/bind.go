package model

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"math"
)

// Bind matches the ensemble's features by name to those of a table.
func (e *Ensemble) Bind(s *data.Schema, o Options) (Predictor, error) {
	used := e.First(o.Rounds)
	source := engine.Source{Trees: used.Trees, Output: used.Output, Weights: used.Weights,
		Bias: e.Bias, Outputs: e.scores(), Mean: e.Combine != Sum,
		Layout: engine.Layout(o.Layout), Surveys: e.surveys}
	if o.Output == Quantiles {
		k, err := e.quantiles(source, o.Quantiles)
		if err != nil {
			return nil, err
		}
		return k.Bind(&e.Meta.Schema, s, o.Workers)
	}
	program := engine.Compile(source)
	if err := fit(program); err != nil {
		return nil, err
	}
	k := e.rowEvaluator(program, o.Output)
	k.guard = used.guardLeaves(k.Columns)
	if renumber := e.renumber(o.Rounds); renumber != nil && o.Output == Leaf {
		k.renumber(renumber)
	}
	return k.Bind(&e.Meta.Schema, s, o.Workers)
}

// renumber changes the leaves that an evaluator of the output Leaf writes.
func (k *RowEvaluator) renumber(change func(leaves []float64)) {
	start, finish, width := k.Start, k.finish, k.Width
	k.Start = func() func(dst, row []float64) {
		leaves := start()
		return func(dst, row []float64) {
			leaves(dst, row)
			change(dst)
		}
	}
	k.finish = func(dst []float64, b *engine.Block) {
		finish(dst, b)
		for ; len(dst) > 0; dst = dst[width:] {
			change(dst[:width])
		}
	}
}

// scores is Scores of a valid ensemble.
func (e *Ensemble) scores() int {
	if e.oneScore() {
		return 1
	}
	return e.Outputs()
}

// rowEvaluator makes an output of what a program computes.
func (e *Ensemble) rowEvaluator(program *engine.Program, output Output) RowEvaluator {
	k := RowEvaluator{Columns: program.Columns(), Width: program.NumTrees(), program: program,
		scores: e.scores(), Inputs: &e.Inputs}
	if output == Leaf {
		k.Start = func() func(dst, row []float64) { return program.Leaves }
		k.finish = func(dst []float64, b *engine.Block) { b.Leaves(dst) }
		return k
	}
	scores := e.scores()
	width, start := e.writer(output)
	k.Width = width
	if width == scores && output != Label { // the scores fit into dst
		k.Start = func() func(dst, row []float64) {
			write := start()
			return func(dst, row []float64) {
				program.Raw(dst, row)
				write(dst, dst)
			}
		}
		k.finish = func(dst []float64, b *engine.Block) {
			b.Raw(dst)
			write := start()
			for ; len(dst) > 0; dst = dst[scores:] {
				write(dst[:scores], dst[:scores])
			}
		}
		return k
	}
	k.Start = func() func(dst, row []float64) {
		raw, write := make([]float64, scores), start()
		if output == Label && e.Meta.Labels() {
			return e.labels(program, raw, write)
		}
		return func(dst, row []float64) {
			program.Raw(raw, row)
			write(dst, raw)
		}
	}
	k.finish = func(dst []float64, b *engine.Block) {
		raw := make([]float64, len(dst)/width*scores)
		b.Raw(raw)
		write := start()
		for ; len(dst) > 0; dst, raw = dst[width:], raw[scores:] {
			write(dst[:width], raw[:scores])
		}
	}
	return k
}

// writer returns the number of values of an output of scores, and what starts a function that
// writes them. That function may overwrite the scores, and is used by one goroutine at a time.
func (e *Ensemble) writer(output Output) (width int, start func() func(dst, raw []float64)) {
	respond, write := e.Responder(), func(dst, raw []float64) { copy(dst, raw) }
	switch {
	case output == Raw:
		width = e.scores()
	case output != Label || !e.Meta.Labels():
		width, write = e.Outputs(), respond
	case e.oneScore():
		return 1, func() func(dst, raw []float64) {
			both := make([]float64, 2)
			return func(dst, raw []float64) {
				respond(both, raw)
				dst[0] = float64(e.Meta.Decision.Label(both))
			}
		}
	default:
		width, write = 1, func(dst, raw []float64) {
			respond(raw, raw)
			dst[0] = float64(e.Meta.Decision.Label(raw))
		}
	}
	return width, func() func(dst, raw []float64) { return write }
}

// Responder returns the function that makes a row's response, Outputs numbers, of its raw scores,
// Scores numbers: the link of them, and of two classes with one score the fractions of both. The
// two slices may be one where they are as long.
func (e *Ensemble) Responder() func(dst, raw []float64) {
	respond := e.responder()
	if !invariant.On || !e.sumsToOne() {
		return respond
	}
	return func(dst, raw []float64) {
		respond(dst, raw)
		sum := 0.0
		for _, p := range dst {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 { // NaN is what some raw scores have
			invariant.Check(false, "probabilities %v sum up to %v", dst, sum)
		}
	}
}

// sumsToOne reports whether a response is probabilities of all classes by the link.
func (e *Ensemble) sumsToOne() bool {
	l := link.OrIdentity(e.Link).Describe()
	return l.Kind == link.Link(link.Softmax{}) || l.Symmetric && e.oneScore()
}

func (e *Ensemble) responder() func(dst, raw []float64) {
	l := link.OrIdentity(e.Link)
	if !e.oneScore() {
		return func(dst, raw []float64) {
			copy(dst, raw)
			l.Apply(dst)
		}
	}
	if l.Describe().Symmetric {
		return func(dst, raw []float64) {
			dst[1] = raw[0]
			dst[0] = -dst[1] // the fraction of the first class keeps its digits where it is small
			l.Apply(dst)
		}
	}
	return func(dst, raw []float64) {
		dst[1] = raw[0]
		l.Apply(dst[1:])
		dst[0] = 1 - dst[1]
	}
}

// ArgMax returns the index of the largest value, of equal ones the first.
func ArgMax(v []float64) int {
	if len(v) == 0 {
		return 0
	}
	best, most := 0, v[0]
	for i, x := range v {
		if x > most {
			best, most = i, x
		}
	}
	return best
}
