// Package losstest owns the conformance suite that every loss passes: derivatives against finite
// differences, the start value, leaves, weights against repetition, any number of workers. A new
// entry of the table is tested at once.
package losstest

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
)

// New returns the loss of a name with parameters, as loss.New does. It panics if there is none.
func New(name string, settings ...string) loss.Loss {
	l, err := loss.New(name, settings...)
	if err != nil {
		panic(err)
	}
	return l
}

// Run checks a loss with the default parameters of its entry, and then with each list of
// settings.
func Run(t *testing.T, entry loss.Entry, settings ...[]string) {
	for _, s := range append([][]string{nil}, settings...) {
		l := entry.New()
		if err := l.Params().Set(s); err != nil {
			t.Fatal(err)
		}
		for _, task := range entry.Tasks {
			u := suite{l, entry.Curvature, task, false}
			u.run(t)
			if u.intervals = task == data.Survival; u.intervals {
				t.Run("intervals", u.run)
			}
		}
	}
}

func (s suite) run(t *testing.T) {
	if target, rows := s.target(8); s.intervals {
		var fault *loss.LabelError
		if _, err := s.loss.Bind(target, rows); errors.As(err, &fault) && fault.Row < 0 {
			t.Skip(err)
		}
	}
	t.Run("derivatives", s.derivatives)
	t.Run("start", s.start)
	t.Run("leaves", s.leaves)
	t.Run("repeated rows", s.repeated)
	t.Run("workers", s.workers)
	t.Run("parts", s.parts)
	t.Run("refused", s.refused)
}

type suite struct {
	loss      loss.Loss
	curvature loss.Curvature
	task      data.Task
	intervals bool // survival: labels are the lower ends of intervals
}

// target makes labels: numbers between 0 and 1, which all losses of numbers take, grades from 0 to
// 4 of rows in groups, times with events, or classes. Every seventh row weighs nothing; rows of a
// group weigh alike.
func (s suite) target(n int) (*data.Target, []int32) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	t := &data.Target{Task: s.task, Weight: make([]float64, n)}
	switch s.task {
	case data.Binary:
		t.Classes = []string{"a", "b"}
	case data.Multiclass:
		t.Classes = []string{"a", "b", "c"}
	default:
		t.Y = [][]float64{make([]float64, n)}
	}
	for i := range n {
		t.Weight[i] = float64(i % 7 % 4)
		if s.task.Classes() {
			t.Class = append(t.Class, uint32(r.IntN(len(t.Classes))))
		} else {
			t.Y[0][i] = 0.02 + 0.96*r.Float64()
		}
		switch s.task {
		case data.Ranking:
			t.Y[0][i] = math.Floor(5 * t.Y[0][i])
			t.Group = append(t.Group, int64(i%7+7*(i/50)))
		case data.Survival:
			s.survive(t, i, r)
		}
	}
	return t, data.AllRows(n)
}

// survive reports whether the event of a row was observed, or between which times it was.
func (s suite) survive(t *data.Target, row int, r *rand.Rand) {
	if !s.intervals {
		t.Event = append(t.Event, uint8(r.IntN(2)))
		return
	}
	y := t.Y[0][row]
	switch row % 4 {
	case 0:
		t.Upper = append(t.Upper, y)
	case 1:
		t.Upper = append(t.Upper, math.Inf(1))
	case 2:
		t.Upper = append(t.Upper, 1.5*y)
	default:
		t.Y[0][row], t.Upper = 0, append(t.Upper, y)
	}
}

func (s suite) bind(t *testing.T, target *data.Target, rows []int32) loss.Objective {
	t.Helper()
	o, err := s.loss.Bind(target, rows)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// scores samples raw scores on both sides of the labels, some of them far away.
func scores(n int) []float64 {
	r := rand.New(rand.NewPCG(3, 4))
	raw := make([]float64, n)
	for i := range raw {
		raw[i] = 0.4 + 2*r.NormFloat64()
	}
	return raw
}

func gradients(o loss.Objective, raw []float64, workers int) (g, h []float64) {
	g, h = make([]float64, len(raw)), make([]float64, len(raw))
	o.Gradients(g, h, raw, workers)
	return g, h
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// derivatives: g is the change of Value, and h is at least the change of g.
func (s suite) derivatives(t *testing.T) {
	if norm := s.loss.Params().Lookup("norm"); norm != nil && norm.Value() == "true" {
		t.Skip("Value has no norm")
	}
	target, rows := s.target(40)
	o := s.bind(t, target, rows)
	raw := scores(o.Outputs() * len(rows))
	g, h := gradients(o, raw, 1)
	const step = 1e-4
	for i, x := range raw {
		raw[i] = x + step
		up, gUp := o.Value(raw, 1), make([]float64, len(raw))
		o.Gradients(gUp, make([]float64, len(raw)), raw, 1)
		raw[i] = x - step
		down, gDown := o.Value(raw, 1), make([]float64, len(raw))
		o.Gradients(gDown, make([]float64, len(raw)), raw, 1)
		raw[i] = x
		first, second := (up-down)/(2*step)*o.Weight(), (gUp[i]-gDown[i])/(2*step)
		if !near(g[i], first, 1e-6) {
			t.Errorf("score %d = %g: g = %g, differences give %g", i, x, g[i], first)
		}
		if !(h[i] >= second-1e-6*max(1, math.Abs(second))) || s.curvature == loss.Exact &&
			!near(h[i], second, 1e-6) {
			t.Errorf("score %d = %g: h = %g, differences give %g", i, x, h[i], second)
		}
		if target.Weight[i%len(rows)] == 0 && (g[i] != 0 || h[i] != 0) {
			t.Errorf("score %d weighs nothing, but has derivatives %g, %g", i, g[i], h[i])
		}
	}
}

// constant gives all rows the same scores.
func constant(start []float64, n int) []float64 {
	var raw []float64
	for _, x := range start {
		raw = append(raw, slices.Repeat([]float64{x}, n)...)
	}
	return raw
}

// start: no other constant is better, and the link makes numbers of it.
func (s suite) start(t *testing.T) {
	target, rows := s.target(41)
	o := s.bind(t, target, rows)
	start := make([]float64, o.Outputs())
	o.Init(start)
	least := o.Value(constant(start, len(rows)), 1)
	for k := range start {
		for _, d := range []float64{1e-6, 1e-3, 0.1, 1, 10} {
			for _, side := range []float64{-d, d} {
				other := slices.Clone(start)
				other[k] += side
				if v := o.Value(constant(other, len(rows)), 1); v < least-1e-13 {
					t.Errorf("start %v has loss %v, %v has %v", start, least, other, v)
				}
			}
		}
	}
	o.Link().Apply(start)
	for _, v := range start {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("the response of the start is %v", start)
		}
	}
}

// leaves: where an objective refines leaves, no other value of one is better.
func (s suite) leaves(t *testing.T) {
	target, rows := s.target(42)
	o := s.bind(t, target, rows)
	refiner, ok := o.(loss.LeafRefiner)
	if !ok {
		t.Skip("leaves are Newton steps")
	}
	raw, leaf := scores(o.Outputs()*len(rows)), []int32{1, 2, 3, 8, 9, 13, 16, 30, 31, 40}
	for k := range o.Outputs() {
		best := refiner.RefineLeaf(raw, k, leaf)
		value := func(x float64) float64 {
			moved := slices.Clone(raw)
			for _, p := range leaf {
				moved[k*len(rows)+int(p)] += x
			}
			return o.Value(moved, 1)
		}
		for _, d := range []float64{1e-6, 1e-3, 0.1, 1, 10} {
			if v := min(value(best-d), value(best+d)); v < value(best)-1e-13 {
				t.Errorf("output %d: %v gives %v, %v from it %v", k, best, value(best), d, v)
			}
		}
		if x := refiner.RefineLeaf(raw, k, []int32{0, 7}); x != 0 {
			t.Errorf("output %d: a leaf of no weight becomes %v", k, x)
		}
	}
}

// repeated: a row of weight 3 is three rows, a group of weight 3 three groups. Second derivatives
// of rows that depend on each other are those by one row's score, which is not that of its like:
// they are not compared.
func (s suite) repeated(t *testing.T) {
	weighted, rows := s.target(43)
	o := s.bind(t, weighted, rows)
	plain := *weighted
	plain.Weight = nil
	var again []int32
	for _, r := range rows {
		again = append(again, slices.Repeat([]int32{r}, int(weighted.Weight[r]))...)
	}
	seen := again
	if s.task == data.Ranking {
		plain.Group, plain.Y = distinctGroups(weighted, again),
			[][]float64{data.Pick(weighted.Y[0], again)}
		seen = data.AllRows(len(again))
	}
	p := s.bind(t, &plain, seen)
	raw := scores(o.Outputs() * len(rows))
	var rawAgain []float64
	for k := range o.Outputs() {
		for _, r := range again {
			rawAgain = append(rawAgain, raw[k*len(rows)+int(r)])
		}
	}
	if a, b := o.Value(raw, 1), p.Value(rawAgain, 1); !near(a, b, 1e-13) ||
		o.Weight() != p.Weight() {
		t.Errorf("loss %v of weight %v, of repeated rows %v of %v", a, o.Weight(), b, p.Weight())
	}
	start, startAgain := make([]float64, o.Outputs()), make([]float64, o.Outputs())
	o.Init(start)
	p.Init(startAgain)
	g, h := gradients(o, raw, 1)
	gAgain, hAgain := gradients(p, rawAgain, 1)
	for k := range start {
		if !near(start[k], startAgain[k], 1e-9) {
			t.Errorf("start %v, of repeated rows %v", start, startAgain)
		}
		for i, r := range again {
			w, at := weighted.Weight[r], k*len(rows)+int(r)
			if j := k*len(again) + i; !near(g[at], w*gAgain[j], 1e-13) || s.task != data.Survival &&
				!near(h[at], w*hAgain[j], 1e-13) {
				t.Errorf("row %d: g, h = %v, %v, of each of %v rows %v, %v", r, g[at], h[at], w,
					gAgain[j], hAgain[j])
			}
		}
	}
}

// distinctGroups returns the groups of repeated rows: those of each copy are its own.
func distinctGroups(t *data.Target, again []int32) (group []int64) {
	copies := map[int32]int64{}
	for _, r := range again {
		group = append(group, 4*t.Group[r]+copies[r])
		copies[r]++
	}
	return group
}

// workers: their number changes no bit.
func (s suite) workers(t *testing.T) {
	target, rows := s.target(7001)
	o := s.bind(t, target, rows)
	raw := scores(o.Outputs() * len(rows))
	g, h := gradients(o, raw, 1)
	for _, workers := range []int{0, 2, 5} {
		if a, b := gradients(o, raw, workers); !slices.Equal(a, g) || !slices.Equal(b, h) {
			t.Errorf("%d workers give other derivatives", workers)
		}
		if a, b := o.Value(raw, 1), o.Value(raw, workers); a != b {
			t.Errorf("%d workers give the loss %v, one gives %v", workers, b, a)
		}
	}
	if o, ok := o.(loss.Summed); ok {
		sums := slices.Concat(o.Sums(raw, 0, 2*loss.SumRows, 1),
			o.Sums(raw, 2*loss.SumRows, len(rows), 3))
		if a, b := o.Value(raw, 1), o.Mean(sums); a != b {
			t.Errorf("the loss of two runs of rows is %v, of all %v", b, a)
		}
	}
}

// parts: derivatives of some rows at a time are those of all rows.
func (s suite) parts(t *testing.T) {
	target, rows := s.target(700)
	o := s.bind(t, target, rows)
	raw, n := scores(o.Outputs()*len(rows)), len(rows)
	for i := range raw {
		raw[i] *= float64(i % 5) // of some rows an output is almost certain
	}
	g, h := gradients(o, raw, 1)
	for _, part := range [][2]int{{0, n}, {0, 1}, {3, 390}, {n - 130, n}} {
		from, to := part[0], part[1]
		const stride = 701
		gs, hs := make([]float64, o.Outputs()*stride), make([]float64, o.Outputs()*stride)
		o, is := o.(loss.Rowwise)
		if !is {
			return // it needs all rows
		}
		for k := range o.Outputs() {
			o.Derive(gs[k*stride:][:to-from], hs[k*stride:][:to-from], raw, k, from, to)
		}
		for k := range o.Outputs() {
			if !slices.Equal(gs[k*stride:][:to-from], g[k*n+from:k*n+to]) ||
				!slices.Equal(hs[k*stride:][:to-from], h[k*n+from:k*n+to]) {
				t.Errorf("rows %d to %d have other derivatives by output %d alone", from, to-1, k)
			}
		}
	}
}

// refused: rows without weight, labels of another kind, labels that are no numbers; the row is
// named.
func (s suite) refused(t *testing.T) {
	target, rows := s.target(20)
	if _, err := s.loss.Bind(target, []int32{0, 7}); !errors.Is(err, loss.ErrNoWeight) {
		t.Errorf("rows of no weight: %v", err)
	}
	if _, err := s.loss.Bind(target, nil); !errors.Is(err, loss.ErrNoWeight) {
		t.Errorf("no rows: %v", err)
	}
	var fault *loss.LabelError
	if _, err := s.loss.Bind(&data.Target{}, rows); !errors.As(err, &fault) || fault.Row != -1 {
		t.Errorf("no labels: %v", err)
	}
	if s.task.Classes() {
		return
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		target.Y[0][13] = y
		if _, err := s.loss.Bind(target, rows); !errors.As(err, &fault) || fault.Row != 13 {
			t.Errorf("label %g: %v", y, err)
		}
	}
	if _, err := s.loss.Bind(target, rows[:13]); err != nil {
		t.Errorf("a label outside the rows matters: %v", err)
	}
	if s.task == data.Ranking {
		s.refusedGroups(t)
	}
}

// refusedGroups: none at all, and rows of one that do not weigh alike.
func (s suite) refusedGroups(t *testing.T) {
	var fault *loss.LabelError
	target, rows := s.target(20)
	target.Weight[15] = 7
	if _, err := s.loss.Bind(target, rows); !errors.As(err, &fault) || fault.Row != 15 {
		t.Errorf("rows of a group that weigh differently: %v", err)
	}
	target.Group = nil
	if _, err := s.loss.Bind(target, rows); !errors.As(err, &fault) || fault.Row != -1 {
		t.Errorf("no groups: %v", err)
	}
}
