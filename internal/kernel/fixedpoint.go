package kernel

import "math"

// Sizes is the sum of |g| and that of h of some rows, each as four sums: of the rows 0, 4, ..., of
// 1, 5, ... and so on.
type Sizes struct{ g, h [4]float64 }

// Add adds those of further rows. A number of rows that is no multiple of four must be the last. h
// is as long as g.
func (s *Sizes) Add(g, h []float64) {
	h = h[:len(g)]
	a, b := &s.g, &s.h
	i := sizes(a, b, g, h)
	for ; i+4 <= len(g); i += 4 {
		g, h := g[i:i+4:i+4], h[i:i+4:i+4]
		a[0] += math.Abs(g[0])
		a[1] += math.Abs(g[1])
		a[2] += math.Abs(g[2])
		a[3] += math.Abs(g[3])
		b[0] += h[0]
		b[1] += h[1]
		b[2] += h[2]
		b[3] += h[3]
	}
	for ; i < len(g); i++ {
		a[i%4] += math.Abs(g[i])
		b[i%4] += h[i]
	}
}

// Sums returns the sum of |g| and that of h.
func (s *Sizes) Sums() (g, h float64) {
	return (s.g[0] + s.g[1]) + (s.g[2] + s.g[3]), (s.h[0] + s.h[1]) + (s.h[2] + s.h[3])
}

// Fixed describes what Fix met.
type Fixed struct {
	G, H        int64 // sums of the fixed-point numbers
	Least, Most int64 // least and greatest h
	Rows        int
	Coarse      int // rows whose |g| is neither 0 nor at least Fix's coarse
}

// FixedNone is what Fix meets where there are no rows.
var FixedNone = Fixed{Least: math.MaxInt64}

// Plus returns what two calls of Fix met.
func (f Fixed) Plus(o Fixed) Fixed {
	return Fixed{f.G + o.G, f.H + o.H, min(f.Least, o.Least), max(f.Most, o.Most), f.Rows + o.Rows,
		f.Coarse + o.Coarse}
}

// Fix writes the fixed-point numbers of the g and h of some rows into one word each, g << 32 + h: g
// is rounded to the nearest of 1/perG, h to the nearest of 1/perH, but a positive h to no less than
// one. What it meets stays in registers.
func Fix(packed []int64, g, h []float64, perG, perH float64, coarse int64) Fixed {
	g, h = g[:len(packed)], h[:len(packed)]
	f, done := fixFours(packed, g, h, perG, perH, coarse)
	sumG, sumH, least, most := f.G, f.H, f.Least, f.Most
	fine := done - f.Coarse
	for r := done; r < len(packed); r++ {
		a := int64((float64(g[r]*perG) + magic) - magic)
		b := int64((float64(h[r]*perH) + magic) - magic)
		if b == 0 && h[r] > 0 {
			b = 1
		}
		sumG += a
		sumH += b
		least, most = min(least, b), max(most, b)
		if max(a, -a) >= coarse || g[r] == 0 {
			fine++
		}
		packed[r] = a<<32 + b
	}
	return Fixed{sumG, sumH, least, most, len(packed), len(packed) - fine}
}

// magic is added to and taken from a number below 2^51 to round it to the nearest integer, of two
// the even one.
const magic = 3 << 51
