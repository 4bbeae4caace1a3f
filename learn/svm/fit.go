package svm

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// job is one Fit on its way.
type job struct {
	learner *Learner
	*fitting.VectorTable
	learn.Job
	target *data.Target
	pop    *grow.Population
	kernel dense.Kernel
	x      []float64 // vectors of the population's rows
	mean   float64   // of a label that is a number
	scale  float64   // its standard deviation
}

// fit finds a machine for each score. Labels are classes or numbers; others are a *learn.TaskError.
// A cancelled context gives no model. Where the observer returns learn.Stop, classes whose machine
// is not found yet are never predicted.
func (l *Learner) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	given learn.Job) (model.Model, error) {
	table, pop, _, err := table.Gather(Name, t, &given, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	j := &job{learner: l, VectorTable: table, Job: given, target: t, pop: pop}
	if n := len(j.pop.Rows); n > maxRows && l.Kernel != KernelLinear {
		return nil, tooMany(n)
	}
	j.x = table.Encoding.Matrix(table.Frame, j.pop.Rows, given.Workers)
	if j.kernel, err = j.kernelOf(); err != nil {
		return nil, err
	}
	if !t.Task.Classes() {
		if err := j.standardise(); err != nil {
			return nil, err
		}
	}
	solutions, err := j.solve(ctx)
	if err != nil {
		return nil, err
	}
	return j.model(solutions)
}

// kernelOf returns the kernel of the parameters.
func (j *job) kernelOf() (dense.Kernel, error) {
	l := j.learner
	kind := l.Kernel
	k := dense.Kernel{Kind: kind}
	if kind == KernelLinear {
		return k, nil
	}
	k.Gamma = l.Gamma
	if k.Gamma == 0 {
		k.Gamma = j.usualGamma()
	}
	if kind != KernelRBF {
		k.Coef0 = l.Coef0
	}
	if kind == KernelPoly {
		k.Degree = l.Degree
	}
	return k, k.Validate()
}

// usualGamma is 1 / (places x variance of all values), scikit-learn's "scale"; 1 where there is
// nothing to scale.
func (j *job) usualGamma() float64 {
	width := j.Encoding.Width()
	var n, sum, squares float64
	for i := range j.pop.Rows {
		count := float64(j.pop.Multiplicity(i))
		for _, v := range j.x[i*width : (i+1)*width] {
			n += count
			sum += float64(count * v)
			squares += float64(count * float64(v*v))
		}
	}
	mean := sum / n
	variance := squares/n - float64(mean*mean)
	if !(variance > 0) {
		return 1
	}
	return 1 / float64(float64(width)*variance)
}

// standardise finds mean and deviation of the label.
func (j *job) standardise() error {
	var total, sum float64
	for i, y := range j.pop.Y {
		total += j.pop.WeightAt(i)
		// so that equal labels have exactly their mean
		sum += float64(j.pop.WeightAt(i) * (y - j.pop.Y[0]))
	}
	j.mean = j.pop.Y[0] + sum/total
	squares := 0.0
	for i, y := range j.pop.Y {
		squares += float64(j.pop.WeightAt(i) * float64((y-j.mean)*(y-j.mean)))
	}
	j.scale = math.Sqrt(squares / total)
	// Coefficients are up to c standard deviations of the label.
	return fitting.CheckLabelSizes(Name, j.Frame, j.target, dense.LargestKernel/4/max(1, j.learner.C),
		j.pop.Rows)
}

// scores returns the number of decision values of a row.
func (j *job) scores() int {
	if len(j.target.Classes) > 2 {
		return len(j.target.Classes)
	}
	return 1
}

// never is the decision value of a class that has no training row, and of a row of any other class
// where there is one class: its probability is 0.
const never = -1e100

// solve finds the solution of each score.
func (j *job) solve(ctx context.Context) ([]*solution, error) {
	n := j.scores()
	var g *gram
	if j.kernel.Kind != KernelLinear {
		g = newGram(j.kernel, j.x, len(j.pop.Rows), j.Workers, gramMemory)
	}
	solutions := make([]*solution, n)
	for s := range solutions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		sign := j.signs(s)
		switch only := oneSign(sign); {
		case sign == nil && j.scale == 0:
			solutions[s] = j.constant(0)
		case only != 0:
			solutions[s] = j.constant(-only * never)
		case g != nil:
			solutions[s], err = j.dual(g, sign).solve(ctx, j.learner.Tolerance)
		default:
			solutions[s], err = j.descent(sign).solve(ctx, j.learner.Tolerance,
				rng.New(j.Seed, uint64(s)))
		}
		if err != nil {
			return nil, err
		}
		if j.Observe != nil {
			err := j.Observe(learn.Round{Stage: "solve", N: s + 1, Of: n})
			if errors.Is(err, learn.Stop) {
				for rest := s + 1; rest < n; rest++ {
					solutions[rest] = j.constant(never)
				}
				return solutions, nil
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return solutions, nil
}

// signs returns +1 for rows of the class of a score and -1 for others; nil where numbers are
// predicted.
func (j *job) signs(score int) []float64 {
	if j.pop.Class == nil {
		return nil
	}
	class := uint32(score)
	if j.scores() == 1 {
		class = 1
	}
	sign := make([]float64, len(j.pop.Class))
	for i, c := range j.pop.Class {
		sign[i] = -1
		if c == class {
			sign[i] = 1
		}
	}
	return sign
}

// oneSign returns the sign that all rows have, 0 if there are both or none.
func oneSign(sign []float64) float64 {
	for _, s := range sign {
		if s != sign[0] {
			return 0
		}
	}
	if len(sign) == 0 {
		return 0
	}
	return sign[0]
}

// constant is the machine with the same value for every row.
func (j *job) constant(bias float64) *solution {
	n := len(j.pop.Rows)
	if j.kernel.Kind == KernelLinear {
		n = j.Encoding.Width()
	}
	return &solution{coef: make([]float64, n), bias: bias, converged: true}
}

// costs returns c times the weight of each row.
func (j *job) costs() []float64 {
	c := make([]float64, len(j.pop.Rows))
	for i := range c {
		c[i] = min(float64(j.learner.C*j.pop.WeightAt(i)), 1e90)
	}
	return c
}

// label returns the standardised label of a row.
func (j *job) label(i int) float64 { return (j.pop.Y[i] - j.mean) / j.scale }

// dual states the problem of a machine with a kernel.
func (j *job) dual(g *gram, sign []float64) *dual {
	d := &dual{gram: g, bound: j.costs()}
	if sign != nil {
		d.sign, d.force = sign, append([]float64(nil), sign...)
		return d
	}
	n := len(j.pop.Rows)
	d.bound = append(d.bound, d.bound...)
	d.sign, d.force = make([]float64, 2*n), make([]float64, 2*n)
	for i := range n {
		y := j.label(i)
		d.sign[i], d.sign[n+i] = 1, -1
		d.force[i], d.force[n+i] = y-j.learner.Epsilon, y+j.learner.Epsilon
	}
	return d
}

// visits is how many rows the linear machine reads at most, one after the other: as many as 1000
// passes over the table have, LIBLINEAR's limit, and more of small tables, as far as some seconds
// go.
func (j *job) visits() int {
	const (
		much  = math.MaxInt32 // products
		visit = 32            // in products: what a row costs besides those of its vector
	)
	return max(1000*len(j.pop.Rows), much/(j.Encoding.Width()+visit))
}

// descent states the problem of a linear machine.
func (j *job) descent(sign []float64) *descent {
	n := len(j.pop.Rows)
	d := &descent{x: j.x, width: j.Encoding.Width(), force: sign, low: make([]float64, n),
		high: j.costs(), visits: j.visits()}
	if sign == nil {
		d.epsilon, d.force = j.learner.Epsilon, make([]float64, n)
		for i := range d.force {
			d.force[i], d.low[i] = j.label(i), -d.high[i]
		}
		return d
	}
	for i, s := range sign {
		if s < 0 {
			d.low[i], d.high[i] = -d.high[i], 0
		}
	}
	return d
}

// model joins the solutions.
func (j *job) model(solutions []*solution) (model.Model, error) {
	summary := summary{Encoded: j.Found(j.pop), Kernel: &j.kernel,
		Converged: true}
	base := j.Model(Name, j.target)
	var l link.Link
	switch {
	case len(solutions) > 1:
		l = link.OneVsAll()
	case j.pop.Class != nil:
		l = link.Logistic()
	}
	for _, s := range solutions {
		summary.Iterations += s.iterations
		summary.Converged = summary.Converged && s.converged
		if j.pop.Class == nil {
			s.bias = j.mean + float64(j.scale*s.bias)
			for i := range s.coef {
				s.coef[i] *= j.scale
			}
		}
	}
	if !summary.Converged {
		summary.Solution = "not converged: use a smaller c, or a greater tolerance"
	}
	if j.kernel.Kind == KernelLinear {
		m := &dense.Linear{Model: base, Link: l}
		for _, s := range solutions {
			m.Bias, m.Coef = append(m.Bias, s.bias), append(m.Coef, s.coef...)
		}
		return fitting.Model(m, j.learner.Params(), &summary)
	}
	m := &dense.Machine{Model: base, Kernel: j.kernel, Link: l}
	support := j.support(solutions)
	for _, i := range support {
		m.Vectors = append(m.Vectors, j.x[i*j.Encoding.Width():(i+1)*j.Encoding.Width()]...)
	}
	for _, s := range solutions {
		m.Bias = append(m.Bias, s.bias)
		for _, i := range support {
			m.Coef = append(m.Coef, s.coef[i])
		}
	}
	summary.Vectors = len(support)
	return fitting.Model(m, j.learner.Params(), &summary)
}

// support returns the rows that some solution has a coefficient for.
func (j *job) support(solutions []*solution) []int {
	var rows []int
	for i := range j.pop.Rows {
		for _, s := range solutions {
			if s.coef[i] != 0 {
				rows = append(rows, i)
				break
			}
		}
	}
	return rows
}
