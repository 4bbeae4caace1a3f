package reproductions

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// The simulated problem of risk and empirical-risk: two columns with the values 0 to 7, all 64
// cells as likely, and in each a probability of the second class.
//
//	y 7  . . . . # # . .        # the second class has 0.9
//	  6  . . . . # # . .        . it has 0.1
//	  5  . . . . # # # #
//	  4  . . . . # # # #    Trees of depth 2 have the four squares, but not the corner at the
//	  3  # # # # . . . .    top right: that is the approximation error. The squares are arranged
//	  2  # # # # . . . .    as an exclusive or, so that no first split is better than any other.
//	  1  # # # # . . . .    A greedy learner chooses it by chance: that is the optimisation error.
//	  0  # # # # . . . .
//	     0 1 2 3 4 5 6 7  x
const riskSide = 8

// riskChance returns the probability of the second class in a cell.
func riskChance(x, y int) float64 {
	if corner := x >= 6 && y >= 6; (x < 4) == (y < 4) && !corner {
		return 0.9
	}
	return 0.1
}

// riskTable holds, of each class, the weight of all cells to the left of x and below y, so that a
// rectangle is four of its entries.
type riskTable [2][riskSide + 1][riskSide + 1]float64

func newRiskTable(weight func(x, y, class int) float64) *riskTable {
	t := &riskTable{}
	for c := range t {
		for x := range riskSide {
			for y := range riskSide {
				t[c][x+1][y+1] = t[c][x][y+1] + t[c][x+1][y] - t[c][x][y] + weight(x, y, c)
			}
		}
	}
	return t
}

// rectangle is the cells from left to right and from low to high, ends excluded.
type rectangle struct{ left, right, low, high int }

// of returns the weight of a class in a rectangle.
func (t *riskTable) of(class int, r rectangle) float64 {
	p := &t[class]
	return p[r.right][r.high] - p[r.left][r.high] - p[r.right][r.low] + p[r.left][r.low]
}

// loss returns the weight that a label gets wrong in a rectangle.
func (t *riskTable) loss(label int, r rectangle) float64 { return t.of(1-label, r) }

// halves returns the pieces of a rectangle by a split point in a column, 0 = x, before a value;
// false if one is empty.
func (r rectangle) halves(column, at int) (a, b rectangle, ok bool) {
	a, b = r, r
	if column == 0 {
		a.right, b.left, ok = at, at, r.left < at && at < r.right
	} else {
		a.high, b.low, ok = at, at, r.low < at && at < r.high
	}
	return a, b, ok
}

// splits calls f with the pieces of a rectangle, for each split point and for none.
func (r rectangle) splits(f func(pieces []rectangle)) {
	f([]rectangle{r})
	for column := range 2 {
		for at := 1; at < riskSide; at++ {
			if a, b, ok := r.halves(column, at); ok {
				f([]rectangle{a, b})
			}
		}
	}
}

var riskAll = rectangle{0, riskSide, 0, riskSide}

// stepsOf is the result for all partitions of a rectangle by at most one split point: the least
// empirical risk, with the true risk of the labels that have it, the least true risk, and how far
// true and empirical risk differ at most, both ways.
type stepsOf struct {
	empirical, ofBest, least float64
	// largest true - empirical, and empirical - true, over all partitions and labels
	above, below float64
}

// evaluate goes through all partitions of a rectangle. Labels are free in each piece, so that the
// largest distances add up over pieces.
func evaluate(r rectangle, truth, sample *riskTable, splitPoint bool) stepsOf {
	found := stepsOf{empirical: math.Inf(1), least: math.Inf(1), above: math.Inf(-1),
		below: math.Inf(-1)}
	look := func(pieces []rectangle) {
		var s stepsOf
		for _, p := range pieces {
			if splitPoint { // the children may be split once more
				s.add(evaluate(p, truth, sample, false))
				continue
			}
			t0, t1, e0, e1 := truth.loss(0, p), truth.loss(1, p), sample.loss(0, p),
				sample.loss(1, p)
			leaf := stepsOf{e0, t0, min(t0, t1), max(t0-e0, t1-e1), max(e0-t0, e1-t1)}
			if e1 < e0 {
				leaf.empirical, leaf.ofBest = e1, t1
			}
			s.add(leaf)
		}
		if s.empirical < found.empirical {
			found.empirical, found.ofBest = s.empirical, s.ofBest
		}
		found.least, found.above, found.below = min(found.least, s.least),
			max(found.above, s.above), max(found.below, s.below)
	}
	r.splits(look)
	return found
}

func (s *stepsOf) add(o stepsOf) {
	s.empirical, s.ofBest, s.least = s.empirical+o.empirical, s.ofBest+o.ofBest, s.least+o.least
	s.above, s.below = s.above+o.above, s.below+o.below
}

// riskTruth is the true distribution, and what follows of it.
func riskTruth() (truth *riskTable, bayes float64) {
	const cell = 1.0 / (riskSide * riskSide)
	for x := range riskSide {
		for y := range riskSide {
			p := riskChance(x, y)
			bayes += float64(cell * min(p, 1-p))
		}
	}
	return newRiskTable(func(x, y, class int) float64 {
		p := riskChance(x, y)
		if class == 0 {
			p = 1 - p
		}
		return cell * p
	}), bayes
}

// riskSampled is one training set, and what is made of it.
type riskSampled struct {
	stepsOf                 // of all trees of depth 2
	greedy, learned float64 // true and empirical risk of the tree that cart grows
	// empirical risk of the best tree in the class, which is chosen without the sample
	fixed    float64
	distance float64 // largest |true - empirical risk| over the class
}

// sampleRisk samples rows, finds the empirical risk minimiser among all trees of depth 2, and grows
// one by cart.
func sampleRisk(
	ctx context.Context, env *Env, truth *riskTable, n int, seed uint64,
) *riskSampled {
	stream := rng.New(seed, uint64(n))
	rows, class := make([][]float64, n), make([]uint32, n)
	var count [riskSide][riskSide][2]float64
	fixed := 0.0
	for i := range rows {
		x, y := stream.Intn(riskSide), stream.Intn(riskSide)
		if stream.Float64() < riskChance(x, y) {
			class[i] = 1
		}
		rows[i] = []float64{float64(x), float64(y)}
		count[x][y][class[i]] += 1 / float64(n)
		if best := (x < 4) == (y < 4); best != (class[i] == 1) {
			fixed += 1 / float64(n)
		}
	}
	sample := newRiskTable(func(x, y, c int) float64 { return count[x][y][c] })
	d := &riskSampled{stepsOf: evaluate(riskAll, truth, sample, true), fixed: fixed}
	d.distance = max(d.above, d.below)
	f := must(data.FromRows(rows, []string{"x", "y"}))
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "class", Task: data.Binary,
		Classes: []string{"first", "second"}, Class: class}}
	m := fit(ctx, ds, learn.Job{Seed: seed, Workers: env.Workers}, "cart", "depth=2",
		"prune=none")
	cells := make([][]float64, 0, riskSide*riskSide)
	for x := range riskSide {
		for y := range riskSide {
			cells = append(cells, []float64{float64(x), float64(y)})
		}
	}
	f = must(data.FromRows(cells, []string{"x", "y"}))
	predicted := must(predict(m, &data.Dataset{Frame: f}, nil, 0))
	for i, label := range predicted {
		x, y := i/riskSide, i%riskSide
		cell := rectangle{x, x + 1, y, y + 1}
		d.greedy += truth.loss(int(label), cell)
		d.learned += sample.loss(int(label), cell)
	}
	return d
}
