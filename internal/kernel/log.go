package kernel

import "math"

const (
	// ln 2 = ln2 + ln2Low; the first part is a multiple of 2^-42, so its product with an exponent
	// is exact.
	ln2    = 0x1.62e42fefa38p-1
	ln2Low = 0x1.ef35793c7673p-45
	// 1 / ln 2 = log2e + log2eLow; the first part has 26 bits.
	log2e    = 0x1.7154768p+0
	log2eLow = -0x1.6a3e80f444178p-27
)

// Log returns the natural logarithm of x with an error below 0.52 units in the last place, the same
// bits on every architecture. Log(+Inf) = +Inf, Log(0) = Log(-0) = -Inf, Log(x < 0) = Log(NaN) =
// NaN.
//
// x = 2^k z with z between 0.705 and 1.41, and c is z rounded to 7 bits after the leading one. With
// r = (z - c) / c, |r| < 2^-7.9 and z - c is exact:
//
//	log x = k ln 2 + log c + log(1 + r)
//
// where log c is tabulated to twice the precision and is 0 around z = 1, so that nothing cancels.
// (After Tang 1990, "Table-driven implementation of the logarithm function".)
func Log(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return logSpecial(x)
	}
	k, i, z, c := reduce(x)
	return logSum(k, i, c, z-c, 0)
}

// Log1p returns log(1 + x), accurate also where x is near 0, with an error below 0.52 units in the
// last place. Log1p(+Inf) = +Inf, Log1p(-1) = -Inf, Log1p(x < -1) = Log1p(NaN) = NaN, Log1p(-0) =
// -0.
func Log1p(x float64) float64 {
	switch {
	case x > 0x1p54: // 1 is less than half a unit in the last place
		return Log(x)
	case !(x > -1):
		return logSpecial(x + 1)
	case x == 0:
		return x
	case x > -0x1p-9 && x < 0x1p-8: // 1 is the centre nearest to 1 + x
		return logSum(0, 0, 1, x, 0)
	}
	// u + low = 1 + x exactly
	u := 1 + x
	low := x - (u - 1)
	if x > 1 {
		low = 1 - (u - x)
	}
	k, i, z, c := reduce(u)
	return logSum(k, i, c, z-c, low*pow2(-k))
}

// logSum returns k ln 2 + log c + log(1 + r) with r = (f + low) / c, adding the large before the
// small.
func logSum(k, i int, c, f, low float64) float64 {
	t := &logTable[i]
	head, rest := quotient(f, low, c, t[0])
	kf := float64(k)
	high := float64(kf*ln2) + t[1] // exact: both are multiples of 2^-42
	w := high + head
	return w + (high - w + head + (rest + (float64(kf*ln2Low) + t[2] + logTail(head+rest))))
}

// Log2 returns the binary logarithm of x with an error below 0.52 units in the last place, exact
// for powers of two, the same bits on every architecture. Special cases are those of Log.
func Log2(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return logSpecial(x)
	}
	k, i, z, c := reduce(x)
	t := &log2Table[i]
	head, rest := quotient(z-c, 0, c, logTable[i][0])
	tail := float64(head*log2eLow) + float64((rest+logTail(head+rest))*math.Log2E)
	p := float64(head * log2e) // exact: 26 bits each
	high := float64(k) + t[0]  // exact: both are multiples of 2^-42
	w := high + p
	return w + (high - w + p + (t[1] + tail))
}

// quotient returns (f + low) / c as head + rest, where head has 26 bits, so that head * c is exact;
// inverse is 1/c rounded. low is far smaller than f.
func quotient(f, low, c, inverse float64) (head, rest float64) {
	head = math.Float64frombits(math.Float64bits(f*inverse) &^ (1<<27 - 1))
	return head, float64((f - float64(head*c) + low) * inverse)
}

// logTail returns log(1 + r) - r for |r| < 2^-7.9: its Taylor polynomial up to r^8, whose remainder
// is below 2^-66.
func logTail(r float64) float64 {
	r2 := float64(r * r)
	p := float64(r2*-(1.0/8)) + (float64(r*(1.0/7)) - 1.0/6)
	p = float64(r2*p) + (float64(r*(1.0/5)) - 1.0/4)
	p = float64(r2*p) + (float64(r*(1.0/3)) - 0.5)
	return float64(r2 * p)
}

// reduce splits a positive finite x into 2^k z and returns the centre c nearest to z with its
// number in the tables:
//
//	centre       1 + i/128   for i < 53, up to 1.4063
//	centre  (1 + i/128) / 2  for i >= 53, from 0.707 up to 1 at i = 128
func reduce(x float64) (k, i int, z, c float64) {
	if x < 0x1p-1022 {
		x *= 0x1p52
		k = -52
	}
	bits := math.Float64bits(x)
	k += int(bits>>52) - 1023
	bits = bits&(1<<52-1) | 1023<<52
	i = int((bits+1<<44)>>45 - 1023<<7)
	if i >= logHalf {
		bits -= 1 << 52
		k++
	}
	return k, i, math.Float64frombits(bits), math.Float64frombits((bits + 1<<44) &^ (1<<45 - 1))
}

// logHalf is the number of the first centre that is halved: 1 + 53/128 is the first above the
// square root of 2 less half a step.
const logHalf = 53

func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}
