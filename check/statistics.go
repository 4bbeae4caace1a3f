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

// logFactorial returns log n!.
func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

// more returns the probability that at least k of m rows have something that k + j of n + m rows
// have, where they are drawn at random: Fisher's exact test on one side.
func more(j, n, k, m int) float64 {
	all := k + j
	if k <= 0 {
		return 1
	}
	if mean := float64(all) * (float64(m) / float64(n+m)); float64(k) <= mean {
		return 1 // not less than half
	}
	term := kernel.Exp(logChoose(m, k) + logChoose(n, j) - logChoose(n+m, all))
	return tail(term, func(i int) float64 { // from k + i to the next
		at := k + i
		return float64(m-at) / float64(at+1) * (float64(all-at) / float64(n-all+at+1))
	}, min(m, all)-k)
}

// beyond returns the probability that at least k of m further rows are less than the least or
// larger than the largest of n rows, where all are of one distribution. Equal numbers make it less.
//
// The places beyond both ends are like those beyond the second of n rows from one end. So at most
// one of the last k+1 rows in order is old, which is a tail of the hypergeometric distribution.
func beyond(n, k, m int) float64 {
	if k <= 0 || n < 2 {
		return 1
	}
	sum := 0.0
	for old := range 2 {
		if k+1-old <= m {
			sum += kernel.Exp(logChoose(n, old) + logChoose(m, k+1-old) - logChoose(n+m, k+1))
		}
	}
	return min(1, sum)
}

// tail adds up terms of which the ratio of each to the one before is known, until they count no
// more.
func tail(term float64, ratio func(i int) float64, most int) float64 {
	sum := term
	for i := 0; i < most; i++ {
		term *= ratio(i)
		sum += term
		if term <= sum*0x1p-60 {
			break
		}
	}
	return min(1, sum)
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
