// Package recipe owns the benchmark tables: synthetic data of known shape and difficulty that any
// language can make again from a few lines, because every cell is a function of table, stream and
// row.
//
//	mix(z)         = z ^= z>>30; z *= 0xBF58476D1CE4E5B9; z ^= z>>27; z *= 0x94D049BB133111EB; z ^= z>>31
//	u64(stream, i) = mix(mix(seed*G + stream) + (i+1)*G)    mod 2^64, G = 0x9E3779B97F4A7C15, i = row from 0
//	U(stream)      = (u64 >> 11) * 2^-53                    uniform in [0, 1)
//	N(stream)      = sqrt(-2 ln(1-U(2s))) cos(2 pi U(2s+1)) normal, s = stream + 1000 (Box and Muller)
//
// That is the finaliser of SplitMix64 (Steele, Lea, Flood 2014) over a counter. All arithmetic is
// float64; features are rounded to float32 at the end. The first Train rows are for training, the
// Test rows behind them for testing.
//
// TestDigests records how far these tables agree, bit by bit, with those of the NumPy recipe that
// defined them.
package recipe

import (
	"math"
	"slices"
	"strconv"
)

// Table is one benchmark table.
type Table struct {
	Name        string
	Train, Test int  // rows
	Features    int  // columns besides the label
	Classes     int  // of the label; 0 = a number
	Integers    bool // all features are integers, and are written as such
	levels      []int
	seed        uint64
	row         func(r row, x []float64) (y float64)
}

// Tables returns the tables.
func Tables() []Table {
	return []Table{
		{Name: "higgs", Train: 1_000_000, Test: 200_000, Features: 28, Classes: 2, seed: 1, row: higgs},
		{Name: "mslr", Train: 200_000, Test: 40_000, Features: 136, seed: 2, row: mslr},
		{Name: "airline", Train: 1_000_000, Test: 200_000, Features: 8, Classes: 2, Integers: true,
			levels: []int{7, 12, 31, 20, 300, 300}, seed: 3, row: airline},
		{Name: "classes", Train: 500_000, Test: 100_000, Features: 20, Classes: 10, seed: 5, row: classes},
		{Name: "small", Train: 10_000, Test: 5_000, Features: 20, Classes: 2, seed: 4, row: small},
		{Name: "sparse", Train: 100_000, Test: 20_000, Features: 1_000, Classes: 2, seed: 6,
			row: sparse},
	}
}

// ByName returns a table.
func ByName(name string) *Table {
	all := Tables()
	return &all[slices.IndexFunc(all, func(t Table) bool { return t.Name == name })]
}

// Row computes row i, from 0: its features into x, by way of wide, and its label. Both slices have
// length Features.
func (t *Table) Row(i int, x []float32, wide []float64) (y float32) {
	label := t.row(row{seed: t.seed, count: (uint64(i) + 1) * golden}, wide)
	for j, v := range wide {
		x[j] = float32(v)
	}
	return float32(label)
}

const golden = 0x9E3779B97F4A7C15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// row generates the random numbers of one row.
type row struct{ seed, count uint64 }

// U returns a uniform number.
func (r row) U(stream int) float64 {
	return unit(mix(mix(r.seed*golden+uint64(stream)) + r.count))
}

// N returns a normal number.
func (r row) N(stream int) float64 {
	s := 2 * (stream + 1000)
	return math.Sqrt(-2*math.Log(1-r.U(s))) * math.Cos(2*math.Pi*r.U(s+1))
}

func unit(z uint64) float64 { return float64(z>>11) * 0x1p-53 }

// flag is 1 where a condition holds, else 0.
func flag(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

func clip(v, low, high float64) float64 { return math.Min(math.Max(v, low), high) }

func sigmoid(f float64) float64 { return 1 / (1 + math.Exp(-f)) }

// AppendFloat writes a number as Python prints a float32: the shortest digits that read back, with
// a point, in scientific form below 1e-4 and from 1e16 on.
func AppendFloat(b []byte, v float32) []byte {
	size := math.Abs(float64(v))
	if size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.AppendFloat(b, float64(v), 'e', -1, 32)
	}
	from := len(b)
	b = strconv.AppendFloat(b, float64(v), 'f', -1, 32)
	for _, c := range b[from:] {
		if c == '.' {
			return b
		}
	}
	return append(b, ".0"...)
}
