package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel"
)

const (
	leastShare    = 0.05 // of a bin, on average of both samples
	leastExpected = 5    // rows of a bin in the smaller sample
)

// merged joins neighbouring bins of two samples until each is large enough, the last one with the
// one before.
func merged(a, b []int) (x, y []float64) {
	n, m := float64(total(a)), float64(total(b))
	left, right := 0.0, 0.0
	large := func() bool {
		return left/n+right/m >= 2*leastShare &&
			(left+right)*(min(n, m)/(n+m)) >= leastExpected
	}
	for i := range a {
		left, right = left+float64(a[i]), right+float64(b[i])
		if large() {
			x, y = append(x, left), append(y, right)
			left, right = 0, 0
		}
	}
	if len(x) == 0 {
		return []float64{left}, []float64{right}
	}
	x[len(x)-1] += left
	y[len(y)-1] += right
	return x, y
}

func total(counts []int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// homogeneity returns the p-value of Pearson's chi-squared test that two samples, counted in the
// same bins, are of one distribution. Both have sampling errors.
func homogeneity(a, b []float64) float64 {
	if len(a) < 2 {
		return 1
	}
	n, m := 0.0, 0.0
	for i := range a {
		n, m = n+a[i], m+b[i]
	}
	statistic := 0.0
	for i := range a {
		d := float64(a[i]*math.Sqrt(m/n)) - float64(b[i]*math.Sqrt(n/m))
		statistic += float64(d*d) / (a[i] + b[i])
	}
	return criterion.GammaTail(float64(len(a)-1)/2, statistic/2)
}

// stability returns the population stability index of two samples that are counted in the same
// bins, the sum of (q - p) log(q / p). Each bin counts half a row more, so that none is empty.
func stability(a, b []float64) float64 {
	n, m := 0.0, 0.0
	for i := range a {
		n, m = n+a[i]+0.5, m+b[i]+0.5
	}
	psi := 0.0
	for i := range a {
		p, q := (a[i]+0.5)/n, (b[i]+0.5)/m
		psi += float64((q - p) * kernel.Log(q/p))
	}
	return psi
}

// adjust makes p-values those of all tests together (Holm 1979): each is then the least level at
// which its hypothesis is rejected, while the probability of any false rejection stays below.
func adjust(p []*float64) {
	slices.SortStableFunc(p, func(a, b *float64) int { return cmp.Compare(*a, *b) })
	last := 0.0
	for i, v := range p {
		last = max(last, min(1, *v*float64(len(p)-i)))
		*v = last
	}
}
