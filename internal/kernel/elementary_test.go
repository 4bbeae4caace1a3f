package kernel_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// points yields n arguments for a function: spread evenly over [min, max], over all magnitudes
// within it, and close to a few special ones.
func points(n int, min, max float64, special ...float64) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	var xs []float64
	for len(xs) < n/tier.Count(5, 1, 1) {
		xs = append(xs, min+(max-min)*r.Float64())
		x := math.Float64frombits(r.Uint64())
		if x >= min && x <= max {
			xs = append(xs, x)
		}
	}
	for _, s := range special {
		up, down := s, s
		for range 20 {
			xs = append(xs, up, down)
			up, down = math.Nextafter(up, math.Inf(1)), math.Nextafter(down, math.Inf(-1))
		}
		for k := 1; k < 60; k++ {
			xs = append(xs, s+math.Ldexp(1, -k), s-math.Ldexp(1, -k), s+math.Ldexp(r.Float64(), -k), s-math.Ldexp(r.Float64(), -k))
		}
	}
	return xs
}

// worst reports the largest error over xs and fails above limit.
func worst(t *testing.T, xs []float64, limit float64, f func(float64) float64, reference func(*big.Float) *big.Float) {
	t.Helper()
	largest, at := 0.0, 0.0
	for _, x := range xs {
		if u := ulps(f(x), reference(bigFloat(x))); !(u <= largest) {
			largest, at = u, x
		}
	}
	t.Logf("%d points, largest error %.4f ulp at %v", len(xs), largest, at)
	if !(largest < limit) {
		t.Errorf("error of %.4f ulp at %v (%x), want below %v", largest, at, at, limit)
	}
}

func TestExpError(t *testing.T) {
	tier.NotShort(t, "measures errors on a fine grid")
	worst(t, points(20000, -708, 709.78, 0, 1, -1, 709, math.Ln2/2, math.Ln2/128), 0.52, kernel.Exp, bigExp)
}

func TestExpErrorOfSubnormals(t *testing.T) {
	worst(t, points(5000, -745.13, -708, -744, -708.4), 0.77, kernel.Exp, bigExp)
}

// bigExp2 returns 2^x.
func bigExp2(x *big.Float) *big.Float { return bigExp(newBig().Mul(x, bigLn2)) }

func TestExp2Error(t *testing.T) {
	tier.NotShort(t, "measures errors on a fine grid")
	worst(t, points(20000, -1022, 1024, 0, 1, -1, 0.5, 1.0/64, 1.0/128, 3.0/128), 0.52, kernel.Exp2, bigExp2)
}

func TestExp2ErrorOfSubnormals(t *testing.T) {
	worst(t, points(5000, -1075, -1022, -1074, -1022.5), 0.77, kernel.Exp2, bigExp2)
}

func TestExp2OfIntegersIsExact(t *testing.T) {
	for k := -1074; k < 1024; k++ {
		if got := kernel.Exp2(float64(k)); got != math.Ldexp(1, k) {
			t.Errorf("Exp2(%d) = %v", k, got)
		}
	}
}

func TestLogError(t *testing.T) {
	tier.NotShort(t, "measures errors on a fine grid")
	xs := points(4000, 0, 4, 1, math.Sqrt2, math.Sqrt2/2, 1.4140625, 0x1p-1000)
	xs = append(xs, points(2000, 0.98, 1.02)...)
	xs = append(xs, points(1000, 0x1p-1074, 0x1p-1022, 0x1p-1023)...)
	xs = append(xs, points(1000, 1, math.MaxFloat64)...)
	worst(t, positive(xs), 0.52, kernel.Log, bigLog)
}

func TestLog2Error(t *testing.T) {
	xs := points(4000, 0, 4, 1, math.Sqrt2, math.Sqrt2/2, 1.4140625, 0x1p-1000)
	xs = append(xs, points(2000, 0.98, 1.02)...)
	worst(t, positive(xs), 0.52, kernel.Log2, func(x *big.Float) *big.Float {
		return newBig().Quo(bigLog(x), bigLn2)
	})
}

func TestLog1pError(t *testing.T) {
	tier.NotShort(t, "measures errors on a fine grid")
	xs := points(4000, -1, 4, 0, -0.5, 1, 0x1p53, -0x1p-9, 0x1p-8)
	xs = append(xs, points(2000, -0.02, 0.02)...)
	xs = append(xs, points(1000, 0, math.MaxFloat64)...)
	var inside []float64
	for _, x := range xs {
		// nearer to 0 the reference would need more bits for 1 + x
		if x > -1 && math.Abs(x) > 1e-40 {
			inside = append(inside, x)
		}
	}
	worst(t, inside, 0.52, kernel.Log1p, func(x *big.Float) *big.Float {
		return bigLog(newBig().Add(x, bigFloat(1)))
	})
}

func positive(xs []float64) []float64 {
	var p []float64
	for _, x := range xs {
		if x > 0 {
			p = append(p, x)
		}
	}
	return p
}

func TestLog2OfPowersOfTwoIsExact(t *testing.T) {
	for k := -1074; k < 1024; k++ {
		if got := kernel.Log2(math.Ldexp(1, k)); got != float64(k) {
			t.Errorf("Log2(2^%d) = %v", k, got)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"Exp", kernel.Exp, inf, inf},
		{"Exp", kernel.Exp, -inf, 0},
		{"Exp", kernel.Exp, nan, nan},
		{"Exp", kernel.Exp, 0, 1},
		{"Exp", kernel.Exp, zero, 1},
		{"Exp", kernel.Exp, 709.782712893384, 0x1.fffffffffff2ap+1023},
		{"Exp", kernel.Exp, 709.7827128933841, inf},
		{"Exp", kernel.Exp, math.MaxFloat64, inf},
		{"Exp", kernel.Exp, -745.1332191019411, 0x1p-1074},
		{"Exp", kernel.Exp, -745.1332191019412, 0},
		{"Exp", kernel.Exp, -math.MaxFloat64, 0},
		{"Exp", kernel.Exp, 0x1p-1074, 1},
		{"Exp2", kernel.Exp2, inf, inf},
		{"Exp2", kernel.Exp2, -inf, 0},
		{"Exp2", kernel.Exp2, nan, nan},
		{"Exp2", kernel.Exp2, zero, 1},
		{"Exp2", kernel.Exp2, 1023.9999999999999, 0x1.ffffffffffd3ap+1023},
		{"Exp2", kernel.Exp2, 1024, inf},
		{"Exp2", kernel.Exp2, math.MaxFloat64, inf},
		{"Exp2", kernel.Exp2, -1074.9999999999998, 0x1p-1074},
		{"Exp2", kernel.Exp2, -1075, 0},
		{"Exp2", kernel.Exp2, -math.MaxFloat64, 0},
		{"Exp2", kernel.Exp2, 0x1p-1074, 1},
		{"Log", kernel.Log, inf, inf},
		{"Log", kernel.Log, -inf, nan},
		{"Log", kernel.Log, nan, nan},
		{"Log", kernel.Log, 0, -inf},
		{"Log", kernel.Log, zero, -inf},
		{"Log", kernel.Log, -0x1p-1074, nan},
		{"Log", kernel.Log, 1, 0},
		{"Log", kernel.Log, math.MaxFloat64, 709.782712893384},
		{"Log", kernel.Log, 0x1p-1074, -744.4400719213812},
		{"Log2", kernel.Log2, inf, inf},
		{"Log2", kernel.Log2, zero, -inf},
		{"Log2", kernel.Log2, -1, nan},
		{"Log1p", kernel.Log1p, inf, inf},
		{"Log1p", kernel.Log1p, -1, -inf},
		{"Log1p", kernel.Log1p, -1.5, nan},
		{"Log1p", kernel.Log1p, nan, nan},
		{"Log1p", kernel.Log1p, -inf, nan},
		{"Log1p", kernel.Log1p, zero, zero},
		{"Log1p", kernel.Log1p, 0x1p-1074, 0x1p-1074},
		{"Log1p", kernel.Log1p, -0x1.fffffffffffffp-1, -53 * math.Ln2},
	} {
		got := c.f(c.x)
		same := math.Float64bits(got) == math.Float64bits(c.want) || math.IsNaN(got) && math.IsNaN(c.want)
		if !same {
			t.Errorf("%s(%v) = %x, want %x", c.name, c.x, got, c.want)
		}
	}
}

// TestTables computes every entry of the tables from its definition.
func TestTables(t *testing.T) {
	nearest := func(name string, i int, pair [2]float64, bits int, v *big.Float) {
		high, _ := v.Float64()
		if bits > 0 { // a multiple of 2^-bits
			scaled, _ := newBig().SetMantExp(v, bits).Float64()
			high = math.Ldexp(math.RoundToEven(scaled), -bits)
		}
		low, _ := newBig().Sub(v, bigFloat(high)).Float64()
		if pair != [2]float64{high, low} {
			t.Errorf("%s[%d] = %x, want %x", name, i, pair, [2]float64{high, low})
		}
	}
	for j, pair := range kernel.ExpTable {
		nearest("expTable", j, pair, 0, bigExp(newBig().Mul(bigLn2, bigFloat(float64(j)/64))))
	}
	for i := range kernel.LogTable {
		c := 1 + float64(i)/128
		if i >= 53 {
			c /= 2
		}
		l := bigLog(bigFloat(c))
		if c == 1 {
			l = newBig()
		}
		e := kernel.LogTable[i]
		if e[0] != 1/c {
			t.Errorf("logTable[%d] has %x for 1/%v", i, e[0], c)
		}
		nearest("logTable", i, [2]float64(e[1:]), 42, l)
		nearest("log2Table", i, kernel.Log2Table[i], 42, newBig().Quo(l, bigLn2))
	}
}

// A million results of each function, hashed. The hashes are the same on every architecture, for
// ever: models that were trained with these functions depend on every bit. They are never edited.
func TestFrozenBits(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
		arg  func(r *rand.PCG) float64
		want string
	}{
		{"Exp", kernel.Exp, func(r *rand.PCG) float64 { return float64(int64(r.Uint64()))*0x1p-53 - 20 }, "c16cefe2465f4ca4"},
		{"Exp2", kernel.Exp2, func(r *rand.PCG) float64 { return float64(int64(r.Uint64()))*0x1p-52 - 20 }, "8ba4ee412b613319"},
		{"Log", kernel.Log, func(r *rand.PCG) float64 { return math.Float64frombits(r.Uint64() >> 1) }, "d7a25a4a1d4aaaf1"},
		{"Log2", kernel.Log2, func(r *rand.PCG) float64 { return float64(r.Uint64()) * 0x1p-63 }, "46533b76439764d5"},
		{"Log1p", kernel.Log1p, func(r *rand.PCG) float64 { return float64(r.Uint64())*0x1p-62 - 1 }, "26e7bc9745523161"},
		{"NormalQuantile", kernel.NormalQuantile, func(r *rand.PCG) float64 { return float64(r.Uint64()) * 0x1p-64 }, "dc6fde79452ab5da"},
	} {
		r := rand.NewPCG(3, 4)
		h := fnv.New64a()
		var b [8]byte
		for range 1000000 {
			y := c.f(c.arg(r))
			if y != y {
				y = math.NaN()
			}
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(y))
			h.Write(b[:])
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
			t.Errorf("%s: hash %s, want %s", c.name, got, c.want)
		}
	}
}

// The reference is math/big and not package math, which is wrong for some arguments on amd64 (Go
// 1.26): its Exp overflows below its largest argument, its Log misreads subnormals.
func FuzzAgainstReference(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 0.5, 709.78, -745.1, 1e-310, 1e300, math.Inf(1), math.NaN(), math.Sqrt2} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		check := func(name string, got float64, want *big.Float) {
			if u := ulps(got, want); !(u < 0.8) {
				t.Errorf("%s(%x) = %x is wrong by %v ulp", name, x, got, u)
			}
		}
		if math.Abs(x) < 709.7 {
			check("Exp", kernel.Exp(x), bigExp(bigFloat(x)))
		}
		if math.Abs(x) < 1022 {
			check("Exp2", kernel.Exp2(x), bigExp2(bigFloat(x)))
		}
		if x > 0 && x <= math.MaxFloat64 {
			l := bigLog(bigFloat(x))
			check("Log", kernel.Log(x), l)
			check("Log2", kernel.Log2(x), newBig().Quo(l, bigLn2))
		}
		if x > -1 && x <= math.MaxFloat64 && math.Abs(x) > 1e-40 {
			check("Log1p", kernel.Log1p(x), bigLog(newBig().Add(bigFloat(x), bigFloat(1))))
		}
	})
}

var sink float64

func benchmark(b *testing.B, f func(float64) float64) {
	xs := points(1024, 0.001, 20)[:1024]
	for i := 0; b.Loop(); i++ {
		sink += f(xs[i&1023])
	}
}

func BenchmarkExp(b *testing.B)     { benchmark(b, kernel.Exp) }
func BenchmarkMathExp(b *testing.B) { benchmark(b, math.Exp) }
func BenchmarkExp2(b *testing.B)    { benchmark(b, kernel.Exp2) }
func BenchmarkLog(b *testing.B)     { benchmark(b, kernel.Log) }
func BenchmarkMathLog(b *testing.B) { benchmark(b, math.Log) }
func BenchmarkLog2(b *testing.B)    { benchmark(b, kernel.Log2) }
func BenchmarkLog1p(b *testing.B)   { benchmark(b, kernel.Log1p) }
