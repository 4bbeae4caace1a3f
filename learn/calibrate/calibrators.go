package calibrate

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
)

// Limits of the search for the optimum of Platt's loss.
const (
	plattSteps     = 100
	plattPrecision = 1e-12 // of the gradient, by unit of weight
	plattRidge     = 1e-12 // on the curvature, for scores that are all the same
	leastStep      = 0x1p-40
)

// fitPlatt returns the slope and the intercept by which 1 / (1 + exp(-(slope z + intercept))) is
// nearest, by log loss, to labels; positive marks those that are 1. The targets are not 0 and 1 but
// 1 / (W- + 2) and (W+ + 1) / (W+ + 2), where W- and W+ are the weights of both. So there is an
// optimum where a threshold separates the labels (Platt 1999, "Probabilistic outputs for support
// vector machines"). weight may be nil. It is Newton's method with halved steps (Lin, Lin & Weng
// 2007).
func fitPlatt(z []float64, positive []bool, weight []float64) (slope, intercept float64) {
	p := newPlatt(z, positive, weight)
	a, b := 0.0, kernel.Log((p.total[1]+1)/(p.total[0]+1))
	value := p.loss(a, b)
	for range plattSteps {
		ga, gb, haa, hab, hbb := p.derivatives(a, b)
		if max(math.Abs(ga), math.Abs(gb)) <= plattPrecision*(p.total[0]+p.total[1]) {
			break
		}
		haa, hbb = haa+plattRidge, hbb+plattRidge
		det := float64(haa*hbb) - float64(hab*hab)
		if !(det > 0) {
			break
		}
		da, db := -(float64(hbb*ga)-float64(hab*gb))/det, -(float64(haa*gb)-float64(hab*ga))/det
		downhill := float64(ga*da) + float64(gb*db)
		step := 1.0
		for ; step >= leastStep; step /= 2 {
			nextA, nextB := a+float64(step*da), b+float64(step*db)
			if to := p.loss(nextA, nextB); to <= value+float64(float64(1e-4*step)*downhill) {
				a, b, value = nextA, nextB, to
				break
			}
		}
		if step < leastStep {
			break
		}
	}
	return a, b
}

// platt is the optimization problem of Platt.
type platt struct {
	z      []float64
	target []float64 // of each row
	weight func(i int) float64
	total  [2]float64 // weight of both labels
}

func newPlatt(z []float64, positive []bool, weight []float64) *platt {
	p := &platt{z: z, target: make([]float64, len(z)), weight: weigher(weight)}
	for i, yes := range positive {
		p.total[index(yes)] += p.weight(i)
	}
	targets := [2]float64{1 / (p.total[0] + 2), (p.total[1] + 1) / (p.total[1] + 2)}
	for i, yes := range positive {
		p.target[i] = targets[index(yes)]
	}
	return p
}

// loss returns the sum of -t log q - (1 - t) log(1 - q), q = 1 / (1 + exp(-f)), without overflow.
func (p *platt) loss(a, b float64) float64 {
	sum := 0.0
	for i, v := range p.z {
		f := float64(a*v) + b
		sum += float64(p.weight(i) * (max(f, 0) - float64(f*p.target[i]) +
			kernel.Log1p(kernel.Exp(-math.Abs(f)))))
	}
	return sum
}

// derivatives returns the first and second derivatives of the loss.
func (p *platt) derivatives(a, b float64) (ga, gb, haa, hab, hbb float64) {
	for i, v := range p.z {
		q := committee.Logistic(float64(a*v) + b)
		g, h := float64(p.weight(i)*(q-p.target[i])), float64(p.weight(i)*float64(q*(1-q)))
		ga, gb = ga+float64(g*v), gb+g
		haa, hab, hbb = haa+float64(float64(h*v)*v), hab+float64(h*v), hbb+h
	}
	return ga, gb, haa, hab, hbb
}

func weigher(weight []float64) func(i int) float64 {
	if weight == nil {
		return func(int) float64 { return 1 }
	}
	return func(i int) float64 { return weight[i] }
}

func index(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// pool is neighbouring places whose values are replaced by their mean.
type pool struct{ first, last, sum, weight float64 }

func (p *pool) mean() float64 { return p.sum / p.weight }

// fitIsotonic returns the corners of the rising line that is nearest, by squared error, to values
// at places x: neighbours that fall are pooled into their mean until none does (pool adjacent
// violators, Ayer et al. 1955). Equal places count as one, with the mean of their values. weight
// may be nil; rows of weight 0 have no effect. Each pool has its corners at its ends, so that the
// line joins pools, as scikit-learn's IsotonicRegression does.
//
//	x       1  2   3  4  5
//	values  1  3   2  2  6
//	at      1  2      4  5
//	value   1 7/3    7/3 6
func fitIsotonic(x, values, weight []float64) (at, value []float64) {
	w := weigher(weight)
	order := make([]int, 0, len(x))
	for i := range x {
		if w(i) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	var pools []pool
	for from := 0; from < len(order); {
		next := pool{first: x[order[from]], last: x[order[from]]}
		for ; from < len(order) && x[order[from]] == next.first; from++ {
			i := order[from]
			next.sum, next.weight = next.sum+float64(w(i)*values[i]), next.weight+w(i)
		}
		pools = append(pools, next)
		for n := len(pools); n > 1 && pools[n-2].mean() >= pools[n-1].mean(); n-- {
			left, right := &pools[n-2], &pools[n-1]
			left.last, left.sum, left.weight = right.last, left.sum+right.sum,
				left.weight+right.weight
			pools = pools[:n-1]
		}
	}
	for i := range pools {
		p := &pools[i]
		at, value = append(at, p.first), append(value, p.mean())
		if p.last > p.first {
			at, value = append(at, p.last), append(value, p.mean())
		}
	}
	return at, value
}

// maxSharpness is the largest sharpness that fitTemperature returns. Labels that a threshold
// separates have no optimum.
const maxSharpness = 1024

// fitTemperature returns the sharpness s = 1 / temperature, from 0 to maxSharpness, by which the
// probabilities exp(s z_k) / sum over j of exp(s z_j) have the least log loss; z holds, row after
// row, a score for each of the classes, such as the logarithm of its probability (Guo et al. 2017,
// "On calibration of modern neural networks"). The loss is convex in s; the zero of its slope is
// found by Newton's steps inside a bracket, which is halved where they leave it. weight may be nil.
func fitTemperature(z []float64, class []uint32, classes int, weight []float64) float64 {
	p := &temperature{z, class, classes, weigher(weight)}
	if first, _ := p.derivatives(0); first >= 0 {
		return 0
	}
	if first, _ := p.derivatives(maxSharpness); first <= 0 {
		return maxSharpness
	}
	low, high, s := 0.0, float64(maxSharpness), 1.0
	for range 200 {
		first, second := p.derivatives(s)
		if first > 0 {
			high = s
		} else {
			low = s
		}
		next := s - first/second
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		if first == 0 || math.Abs(next-s) <= 1e-14*s {
			break
		}
		s = next
	}
	return s
}

// temperature is the optimization problem of one sharpness.
type temperature struct {
	z       []float64
	class   []uint32
	classes int
	weight  func(i int) float64
}

// derivatives returns the first and the second derivative of the log loss.
func (p *temperature) derivatives(s float64) (first, second float64) {
	for i, c := range p.class {
		row := p.z[i*p.classes : (i+1)*p.classes]
		top := slices.Max(row)
		total, mean, squares := 0.0, 0.0, 0.0
		for _, v := range row {
			q := kernel.Exp(float64(s * (v - top)))
			total += q
			mean += float64(q * (v - top))
			squares += float64(q * float64((v-top)*(v-top)))
		}
		mean, squares = mean/total, squares/total
		first += float64(p.weight(i) * (mean - (row[c] - top)))
		second += float64(p.weight(i) * (squares - float64(mean*mean)))
	}
	return first, second
}
