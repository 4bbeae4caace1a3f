package tree

import "math"

// Tools that compare in single precision decide by float32(x) < t, or float32(x) <= t, where x is a
// value in double precision. Nodes compare x <= c. The functions of this file convert one into the
// other without changing a single decision.
//
// Rounding to the nearest makes all x between two neighbours p < t in single precision p or t. The
// limit is the middle m, and x = m becomes the one with an even last bit:
//
//	      p            m            t
//	------|------------|------------|------>  x
//	  float32(x) = p   |  float32(x) = t
//	              c = m if p is even, else the double just below m

// overflow is the least double that becomes an infinity in single precision: half a step beyond
// math.MaxFloat32.
const overflow = 1<<128 - 1<<103

// Below32 returns the split point c for which x <= c holds if and only if float32(x) < t. It holds
// for every x but NaN. never reports that no x is below t, which is -Inf or NaN; then c has no
// meaning.
func Below32(t float32) (c float64, never bool) {
	switch wide := float64(t); {
	case math.IsNaN(wide) || math.IsInf(wide, -1):
		return 0, true
	case math.IsInf(wide, 1):
		return math.Nextafter(overflow, 0), false
	case t == -math.MaxFloat32:
		return -overflow, false
	}
	p := math.Nextafter32(t, float32(math.Inf(-1)))
	middle := (float64(p) + float64(t)) / 2 // exact
	if math.Float32bits(p)&1 == 0 {
		return middle, false
	}
	return math.Nextafter(middle, math.Inf(-1)), false
}

// UpTo32 returns the split point c for which x <= c holds if and only if float32(x) <= t. It holds
// for every x but NaN. never reports that no x is, as t is NaN.
func UpTo32(t float32) (c float64, never bool) {
	switch wide := float64(t); {
	case math.IsNaN(wide):
		return 0, true
	case math.IsInf(wide, 1):
		return math.Inf(1), false
	}
	return Below32(math.Nextafter32(t, float32(math.Inf(1))))
}

// As32 returns the threshold t in single precision for which x < t holds if and only if x <= c. It
// holds for every x of single precision, except +Inf where c is +Inf. It is the way back from
// Below32: of its c it returns t.
func As32(c float64) float32 {
	t := float32(c)
	if float64(t) <= c {
		t = math.Nextafter32(t, float32(math.Inf(1)))
	}
	return t + 0 // no negative zero
}
