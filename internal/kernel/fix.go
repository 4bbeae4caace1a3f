package kernel

import "math"

// Sizes returns the sum of |g| and that of h, both of four sums: of the numbers 0, 4, ..., of 1, 5, ... and so on. h is as
// long as g.
func Sizes(g, h []float64) (float64, float64) {
	h = h[:len(g)]
	var a, b [4]float64
	i := sizes(&a, &b, g, h)
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
	return (a[0] + a[1]) + (a[2] + a[3]), (b[0] + b[1]) + (b[2] + b[3])
}

// Fixed says what Fix met.
type Fixed struct {
	G, H        int64 // sums of the fixed-point numbers
	Least, Most int64 // least and greatest h
	Rows        int
	Coarse      int // rows whose |g| is neither 0 nor at least Fix's coarse
}

// Fix writes for some rows, nil = all, the fixed-point numbers of g and h into one word, g << 32 + h: g is rounded to the
// nearest of 1/perG, h to the nearest of 1/perH, but a positive h to no less than one.
func Fix(packed []int64, g, h []float64, rows []int32, perG, perH float64, coarse int64) Fixed {
	if rows == nil {
		return fixAll(packed, g, h, perG, perH, coarse)
	}
	f := Fixed{Least: math.MaxInt64, Rows: len(rows)}
	for _, r := range rows {
		packed[r] = f.fix(g[r], h[r], perG, perH, coarse)
	}
	return f
}

// fixAll is Fix of all rows. What it meets stays in registers.
func fixAll(packed []int64, g, h []float64, perG, perH float64, coarse int64) Fixed {
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

// magic is added to and taken from a number below 2^51 to round it to the nearest integer, of two the even one.
const magic = 3 << 51

func (f *Fixed) fix(g, h, perG, perH float64, coarse int64) int64 {
	a := int64((float64(g*perG) + magic) - magic)
	b := int64((float64(h*perH) + magic) - magic)
	if b == 0 && h > 0 {
		b = 1
	}
	f.G += a
	f.H += b
	f.Least, f.Most = min(f.Least, b), max(f.Most, b)
	size := max(a, -a)
	if size < coarse && g != 0 {
		f.Coarse++
	}
	return a<<32 + b
}
