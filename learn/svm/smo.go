package svm

import (
	"context"
	"math"
)

// dual is the problem that sequential minimal optimisation solves, in the variables a:
//
//	minimise   1/2 sum of s[i] s[j] K(i, j) a[i] a[j] - sum of s[i] f[i] a[i]
//	such that  sum of s[i] a[i] = 0  and  0 <= a[i] <= bound[i]
//
// with signs s. Variables may be more than rows: variable i belongs to row i mod n. For classes s
// is the class and f = s. For numbers y there are two variables for each row (Smola & Scholkopf
// 2004). One pulls up (s = 1, f = y - epsilon) and one pulls down (s = -1, f = y + epsilon).
type dual struct {
	*gram
	sign []float64
	// f; while solving: f[i] - sum of s[j] a[j] K(i, j), which is b at the solution for all free
	// variables
	force []float64
	bound []float64
	can   []uint8 // while solving: rises, falls
}

// solution is what training found for one output: a decision value is the sum of coef[i] K(row i,
// x) + bias.
type solution struct {
	coef       []float64 // by row
	bias       float64
	iterations int
	converged  bool
}

// tiny is the curvature taken where a kernel has none or a negative one.
const tiny = 1e-12

// solve finds a solution where no pair of variables violates the conditions of optimality by more
// than tolerance: two variables at a time, chosen by second-order information (Fan, Chen & Lin
// 2005, WSS 2). A cancelled context gives the solution so far and its error.
func (d *dual) solve(ctx context.Context, tolerance float64) (*solution, error) {
	a := make([]float64, len(d.sign))
	s := &solution{}
	d.can = make([]uint8, len(a))
	for i := range a {
		d.note(a, i)
	}
	most := max(10_000_000, 100*len(a)) // as in LIBSVM
	var err error
	for ; s.iterations < most; s.iterations++ {
		if s.iterations%256 == 0 {
			if err = ctx.Err(); err != nil {
				break
			}
		}
		i, top := d.first()
		j := d.second(i, top, tolerance)
		if j < 0 {
			s.converged = true
			break
		}
		if !d.step(a, i, j) {
			break
		}
	}
	s.bias = d.bias(a)
	s.coef = make([]float64, d.n)
	for i, x := range a {
		s.coef[i%d.n] += float64(d.sign[i] * x)
	}
	return s, err
}

// What sign times a variable can do.
const (
	rises = 1 << iota
	falls
)

// note records in which directions sign times variable i can move.
func (d *dual) note(a []float64, i int) {
	more, less := a[i] < d.bound[i], a[i] > 0
	if d.sign[i] < 0 {
		more, less = less, more
	}
	d.can[i] = 0
	if more {
		d.can[i] |= rises
	}
	if less {
		d.can[i] |= falls
	}
}

// first returns the variable that is pulled up most, of equal ones the first; -1 if none can rise.
func (d *dual) first() (best int, top float64) {
	best, top = -1, math.Inf(-1)
	for i, f := range d.force {
		if f > top && d.can[i]&rises != 0 {
			best, top = i, f
		}
	}
	return best, top
}

// second returns the partner of i with the greatest expected descent, of equal ones the first; -1
// if no pair violates the conditions by more than tolerance.
func (d *dual) second(i int, top, tolerance float64) int {
	if i < 0 {
		return -1
	}
	row, own := d.row(i%d.n), d.diag[i%d.n]
	best, descent, low := -1, 0.0, math.Inf(1)
	n := d.n
	for start := 0; start < len(d.force); start += n {
		force, can, diag := d.force[start:start+n], d.can[start:start+n], d.diag
		for k, v := range row {
			f := force[k]
			if can[k]&falls == 0 || f >= top {
				continue
			}
			low = min(low, f)
			gap := top - f
			curve := own + diag[k] - float64(2*v)
			if curve <= 0 {
				curve = tiny
			}
			if g := float64(gap*gap) / curve; g > descent {
				best, descent = start+k, g
			}
		}
	}
	if top-low <= tolerance {
		return -1
	}
	return best
}

// step moves the pair as far as its bounds allow towards the minimum along it; false: by so little
// that rounding lost it.
func (d *dual) step(a []float64, i, j int) bool {
	rowI, rowJ := d.row(i%d.n), d.row(j%d.n)
	curve := d.diag[i%d.n] + d.diag[j%d.n] - float64(2*rowI[j%d.n])
	if curve <= 0 {
		curve = tiny
	}
	slackI, slackJ := d.bound[i]-a[i], a[j]
	if d.sign[i] < 0 {
		slackI = a[i]
	}
	if d.sign[j] < 0 {
		slackJ = d.bound[j] - a[j]
	}
	move := min((d.force[i]-d.force[j])/curve, slackI, slackJ)
	oldI, oldJ := a[i], a[j]
	d.move(a, i, float64(d.sign[i]*move), move == slackI)
	d.move(a, j, -float64(d.sign[j]*move), move == slackJ)
	for start := 0; start < len(d.force); start += d.n {
		force := d.force[start : start+d.n]
		for k := range force {
			force[k] -= float64(move * (rowI[k] - rowJ[k]))
		}
	}
	return a[i] != oldI || a[j] != oldJ
}

// move changes a variable; one that moves as far as it can lies exactly on its bound.
func (d *dual) move(a []float64, i int, by float64, all bool) {
	a[i] += by
	switch {
	case all && by > 0:
		a[i] = d.bound[i]
	case all && by < 0, a[i] < 0:
		a[i] = 0
	}
	a[i] = min(a[i], d.bound[i])
	d.note(a, i)
}

// bias returns b: the mean force on the free variables; if there are none the middle of what is
// possible.
func (d *dual) bias(a []float64) float64 {
	sum, free, top, low := 0.0, 0, math.Inf(-1), math.Inf(1)
	for i, f := range d.force {
		if a[i] > 0 && a[i] < d.bound[i] {
			sum += f
			free++
		}
		if d.can[i]&rises != 0 {
			top = max(top, f)
		}
		if d.can[i]&falls != 0 {
			low = min(low, f)
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(top, 0):
		return low
	case math.IsInf(low, 0):
		return top
	}
	return float64(top/2) + float64(low/2)
}
