package model

import (
	"math"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// response makes the outputs of a valid ensemble of the raw scores of a row.
type response struct {
	meta            *Spec
	link            link.Link
	scores, outputs int // how many numbers raw scores and the response are
}

// responseOf finds out how many scores and outputs an ensemble has.
func responseOf(e *Ensemble) *response {
	a := &response{meta: &e.Meta, link: link.OrIdentity(e.Link), outputs: e.Outputs()}
	if a.scores = a.outputs; e.Meta.Task.Classes() && a.outputs == 2 && e.Scores() == 1 {
		a.scores = 1
	}
	return a
}

// oneScore reports whether one score stands for two classes.
func (a *response) oneScore() bool { return a.scores != a.outputs }

// evaluator makes an output of what a program computes.
func (a *response) evaluator(program *engine.Program, output Output) RowEvaluator {
	k := RowEvaluator{Columns: program.Columns(), Width: program.NumTrees(), program: program,
		scores: a.scores}
	if output == Leaf {
		k.Start = func() func(dst, row []float64) { return program.Leaves }
		k.finish = func(dst []float64, b *engine.Block) { b.Leaves(dst) }
		return k
	}
	scores := a.scores
	width, start := a.writer(output)
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
		if output == Label && a.meta.Labels() {
			return a.labels(program, raw, write)
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
func (a *response) writer(output Output) (width int, start func() func(dst, raw []float64)) {
	respond, write := a.function(), func(dst, raw []float64) { copy(dst, raw) }
	switch {
	case output == Raw:
		width = a.scores
	case output != Label || !a.meta.Labels():
		width, write = a.outputs, respond
	case a.oneScore():
		return 1, func() func(dst, raw []float64) {
			both := make([]float64, 2)
			return func(dst, raw []float64) {
				respond(both, raw)
				dst[0] = float64(a.meta.Decision.Label(both))
			}
		}
	default:
		width, write = 1, func(dst, raw []float64) {
			respond(raw, raw)
			dst[0] = float64(a.meta.Decision.Label(raw))
		}
	}
	return width, func() func(dst, raw []float64) { return write }
}

// function is Ensemble.Responder.
func (a *response) function() func(dst, raw []float64) {
	respond := a.plain()
	if !invariant.On || !a.sumsToOne() {
		return respond
	}
	return func(dst, raw []float64) {
		respond(dst, raw)
		sum := kernel.Sum(dst)
		if math.Abs(sum-1) > 1e-9 { // NaN is what some raw scores have
			invariant.Check(false, "probabilities %v sum up to %v", dst, sum)
		}
	}
}

// sumsToOne reports whether a response is probabilities of all classes by the link.
func (a *response) sumsToOne() bool {
	l := a.link.Describe()
	return l.Kind == link.Link(link.Softmax()) || l.Symmetric && a.oneScore()
}

// plain is function without checks.
func (a *response) plain() func(dst, raw []float64) {
	l := a.link
	if !a.oneScore() {
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
