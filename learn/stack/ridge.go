package stack

import "math"

// sweeps is how often coordinate descent goes through all weights at most, and settled the change
// of a weight, against the greatest of them, from which on it is done.
const (
	sweeps  = 1_000_000
	settled = 1e-13
)

// square is a quadratic form: the sum over rows of weight x (y - sum of w_m x_m)^2, kept by its
// sums.
type square struct {
	n  int       // number of weights
	xx []float64 // sums of weight x_a x_b, row-major
	xy []float64 // sums of weight x_a y
}

func newSquare(n int) *square {
	return &square{n: n, xx: make([]float64, n*n),
		xy: make([]float64, n)}
}

// add adds a row.
func (s *square) add(x []float64, y, weight float64) {
	for a := range s.n {
		wx := float64(weight * x[a])
		s.xy[a] += float64(wx * y)
		for b := range s.n {
			s.xx[a*s.n+b] += float64(wx * x[b])
		}
	}
}

// solve returns the weights, none of them negative, that make the form plus l2 x the sum of their
// squares least, by coordinate descent: each weight in turn is put where the form is least for it,
// or to 0. The form is convex, so this ends at its least value whatever the start (Lawson & Hanson
// 1974 pose the problem). A weight that the form does not depend on stays 0.
func (s *square) solve(l2 float64) []float64 {
	w := make([]float64, s.n)
	for range sweeps {
		change, greatest := 0.0, 0.0
		for a := range w {
			slope, bend := s.xy[a], s.xx[a*s.n+a]+l2
			if !(bend > 0) {
				continue
			}
			for b := range w {
				if b != a {
					slope -= float64(s.xx[a*s.n+b] * w[b])
				}
			}
			to := max(0, slope/bend)
			change, greatest = max(change, math.Abs(to-w[a])), max(greatest, to)
			w[a] = to
		}
		if change <= settled*greatest {
			break
		}
	}
	return w
}

// level is what is combined: rows of as many numbers as there are members, for each output, with
// the label to be met.
type level struct {
	members int
	x       []float64 // row after row, output after output, a number of each member
	y       []float64 // by row and output
	weight  []float64 // by row and output
}

// plain returns the weights of a ridge without a constant: of class probabilities, whose errors
// count together. The penalty pulls the weights towards a number; l2 counts in units of the
// variance of the label, on the mean over as many outputs.
func (l *level) plain(l2, towards float64, outputs int) []float64 {
	s := newSquare(l.members)
	total := make([]float64, outputs)
	ones := make([]float64, outputs)
	for i, y := range l.y {
		s.add(l.x[i*l.members:(i+1)*l.members], y, l.weight[i])
		total[i%outputs] += l.weight[i]
		ones[i%outputs] += float64(l.weight[i] * y)
	}
	variance := 0.0
	for k, n := range total {
		if n > 0 {
			probability := ones[k] / n
			variance += probability * (1 - probability) / float64(outputs)
		}
	}
	penalty := float64(l2 * variance)
	for m := range s.xy {
		s.xy[m] += float64(penalty * towards)
	}
	return s.solve(penalty)
}

// centred returns the weights of a ridge with a constant, which is not penalised, and the constant:
// of numbers. l2 counts in units of the label's variance.
func (l *level) centred(l2 float64) (weights []float64, constant float64) {
	mean := make([]float64, l.members)
	middle, total := 0.0, 0.0
	for i, y := range l.y {
		if l.weight[i] == 0 {
			continue
		}
		total += l.weight[i]
		step := l.weight[i] / total
		middle += float64(step * (y - middle))
		for m, v := range l.x[i*l.members : (i+1)*l.members] {
			mean[m] += float64(step * (v - mean[m]))
		}
	}
	s := newSquare(l.members)
	row := make([]float64, l.members)
	spread := 0.0
	for i, y := range l.y {
		for m := range row {
			row[m] = l.x[i*l.members+m] - mean[m]
		}
		s.add(row, y-middle, l.weight[i])
		spread += float64(l.weight[i] * float64((y-middle)*(y-middle)))
	}
	variance := 0.0
	if total > 0 {
		variance = spread / total
	}
	weights = s.solve(float64(l2 * variance))
	constant = middle
	for m, w := range weights {
		constant -= float64(w * mean[m])
	}
	return weights, constant
}
