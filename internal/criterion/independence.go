package criterion

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Independence returns the p-value of Pearson's chi-squared test that class and branch of the rows
// are independent: the probability of a table at least as far from independence if they are
// (Quinlan 1986 refuses splits by it). table holds the weight of each class in each branch, branch
// after branch; weights count as numbers of rows. Branches and classes without weight do not count,
// and with fewer than two of either the value is 1.
func Independence(table []float64, classes int) float64 {
	column := make([]float64, classes)
	var row []float64
	total := 0.0
	for at := 0; at < len(table); at += classes {
		sum := 0.0
		for k, v := range table[at : at+classes] {
			sum += v
			column[k] += v
		}
		row = append(row, sum)
		total += sum
	}
	rows, columns := positive(row), positive(column)
	if rows < 2 || columns < 2 {
		return 1
	}
	chi2 := 0.0
	for i, v := range table {
		if expected := float64(row[i/classes] * (column[i%classes] / total)); expected > 0 {
			chi2 += float64((v-expected)*(v-expected)) / expected
		}
	}
	return GammaTail(float64((rows-1)*(columns-1))/2, chi2/2)
}

func positive(v []float64) int {
	n := 0
	for _, x := range v {
		if x > 0 {
			n++
		}
	}
	return n
}

// GammaTail returns Q(a, x), the integral of t^(a-1) e^-t over t > x divided by that over t > 0,
// for a > 0, x >= 0: with a = f/2 and x = c/2, the probability that a chi-squared variable of f
// degrees of freedom exceeds c. Its relative error stays below 1e-11 for a up to 1000 where the
// result is not subnormal.
func GammaTail(a, x float64) float64 {
	if !(x > 0) {
		return 1
	}
	if math.IsInf(x, 1) {
		return 0
	}
	// x^a e^-x / Gamma(a)
	front := kernel.Exp(float64(a*kernel.Log(x)) - x - logGamma(a))
	if x < a+1 {
		return 1 - float64(front*gammaSeries(a, x))
	}
	return front * gammaFraction(a, x)
}

// gammaSeries returns 1/a + x/(a(a+1)) + x^2/(a(a+1)(a+2)) + ..., which falls off from the start
// where x < a + 1.
func gammaSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for term > 0x1p-54*sum {
		a++
		term = float64(term * (x / a))
		sum += term
	}
	return sum
}

// gammaFraction returns the continued fraction 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))) by
// the method of Lentz (1976), which computes the ratios of neighbouring numerators and
// denominators. It converges where x >= a + 1.
func gammaFraction(a, x float64) float64 {
	b := x + 1 - a
	c, d := math.Inf(1), 1/b
	f := d
	for i := 1.0; i < 1e6; i++ {
		term := float64(i * (a - i))
		b += 2
		d = 1 / (b + float64(term*d))
		c = b + term/c
		step := float64(c * d)
		f *= step
		if math.Abs(step-1) < 0x1p-52 {
			break
		}
	}
	return f
}

// logGamma returns log Gamma(a) for a > 0 by Stirling's series, from an argument of at least 16,
// where five terms leave out less than 1e-17 of the result.
func logGamma(a float64) float64 {
	product := 1.0
	for ; a < 16; a++ {
		product *= a
	}
	const halfLog2Pi = 0.91893853320467274178
	r := 1 / a
	r2 := float64(r * r)
	tail := 1.0/1188 - float64(r2*(691.0/360360))
	tail = 1.0/1680 - float64(r2*tail)
	tail = 1.0/1260 - float64(r2*tail)
	tail = 1.0/360 - float64(r2*tail)
	tail = 1.0/12 - float64(r2*tail)
	return float64((a-0.5)*kernel.Log(a)) - a + halfLog2Pi + float64(r*tail) - kernel.Log(product)
}
