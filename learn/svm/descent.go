package svm

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// descent is the problem of a linear machine, whose bias is the coefficient of a column of ones, in
// the variables b:
//
//	minimise   1/2 sum of b[i] b[j] (x[i] x[j] + 1) - sum of force[i] b[i] + epsilon sum of |b[i]|
//	such that  low[i] <= b[i] <= high[i]
//
// For classes with signs s: force = s, epsilon = 0, and b from 0 to s C; for numbers y: force = y,
// and b from -C to C (Hsieh et al. 2008, Ho & Lin 2012, both for the loss that grows linearly).
type descent struct {
	x         []float64 // vectors, one after the other
	width     int
	force     []float64
	low, high []float64
	epsilon   float64
	visits    int // to rows, at most
}

// solve finds a solution where no variable violates the conditions of optimality by more than
// tolerance: it minimises in one variable at a time, in a new random order in each pass, and leaves
// out variables that stay on their bounds until the others have converged. The decision value is
// coef x + bias. A cancelled context gives the solution so far and its error.
func (d *descent) solve(ctx context.Context, tolerance float64,
	stream *rng.Stream) (*solution, error) {
	n := len(d.force)
	b, w := make([]float64, n), make([]float64, d.width+1)
	curve := make([]float64, n)
	for i := range curve {
		x := d.vector(i)
		curve[i] = kernel.Dot(x, x) + 1
	}
	s := &solution{coef: w[:d.width]}
	active := make([]int32, n)
	restore := func() {
		active = active[:n]
		for i := range active {
			active[i] = int32(i)
		}
	}
	restore()
	// violation of the pass before: variables farther inside the bound than that are left out
	worst := math.Inf(1)
	var err error
	for visits := 0; visits < d.visits; s.iterations++ {
		if err = ctx.Err(); err != nil {
			break
		}
		visits += len(active)
		stream.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
		all, violation := len(active) == n, 0.0
		kept := active[:0]
		for _, i := range active {
			x := d.vector(int(i))
			pull := d.force[i] - kernel.Dot(x, w) - w[d.width]
			to, slack := d.minimise(int(i), b[i], pull, curve[i])
			move := to - b[i]
			if move == 0 && slack > worst {
				continue
			}
			kept = append(kept, i)
			if move != 0 {
				violation = max(violation, math.Abs(move)*curve[i])
				b[i] = to
				kernel.AddScaled(w, move, x)
				w[d.width] += move
			}
		}
		active = kept
		worst = violation
		if violation > tolerance {
			continue
		}
		if all {
			s.converged = true
			break
		}
		restore()
		worst = math.Inf(1)
	}
	s.bias = w[d.width]
	return s, err
}

func (d *descent) vector(i int) []float64 { return d.x[i*d.width : (i+1)*d.width] }

// minimise returns the best value of variable i, at b now, where the others pull it by pull and the
// curvature is as given; and, if it stays at an end, how much the pull exceeds what keeps it there.
func (d *descent) minimise(i int, b, pull, curve float64) (to, slack float64) {
	up, down := pull-d.epsilon, pull+d.epsilon // slopes of -objective for a b above 0, and below
	switch goal := float64(curve * b); {
	case up > -goal:
		to = b + up/curve
	case down < -goal:
		to = b + down/curve
	}
	to = max(d.low[i], min(d.high[i], to))
	if to != b {
		return to, 0
	}
	switch {
	case b == d.high[i] && b > 0:
		return to, up
	case b == d.low[i] && b < 0:
		return to, -down
	case b == 0 && d.high[i] == 0: // of a class: it is kept from rising
		return to, up
	case b == 0 && d.low[i] == 0:
		return to, -down
	case b == 0:
		return to, d.epsilon - math.Abs(pull)
	}
	return to, 0
}
