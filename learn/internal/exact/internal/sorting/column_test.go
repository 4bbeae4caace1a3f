package sorting

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestRadixSort: the radix sort equals a stable comparison sort on every pattern of bits.
func TestRadixSort(t *testing.T) {
	r := rng.New(1)
	for _, n := range []int{1, 2, 100, radixFrom, 5000} {
		for _, mask := range []uint64{0, 0xff, 1 << 63, math.MaxUint64} {
			keys := make([]Keyed, n)
			for i := range keys {
				keys[i] = Keyed{r.Uint64() & mask, uint32(i)}
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b Keyed) int { return cmp.Compare(a.Bits, b.Bits) })
			radixSort(keys)
			if !slices.Equal(keys, want) {
				t.Fatalf("%d keys, mask %x: wrong order", n, mask)
			}
		}
	}
}

func TestOrderedBits(t *testing.T) {
	values := []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, 0, 5e-324, 1, math.MaxFloat64,
		math.Inf(1), math.NaN()}
	for i := 1; i < len(values); i++ {
		if Bits(values[i-1]) >= Bits(values[i]) {
			t.Errorf("%g does not come before %g", values[i-1], values[i])
		}
	}
	if Bits(math.Copysign(0, -1)) != Bits(0) {
		t.Error("the two zeros differ")
	}
	if Bits(math.Float64frombits(0xfff8000000000001)) != MissingBits {
		t.Error("a negative NaN is not missing")
	}
}

// column is a sorted column with the value of each rank.
type column struct {
	sorted []Entry
	values []float64
}

func sortedColumn(num []float64, rows []int32) column {
	c := column{sorted: new(Sorter).Column(num, rows)}
	for i, e := range c.sorted[:Known(c.sorted)] {
		if i == 0 || e.Key != c.sorted[i-1].Key {
			c.values = append(c.values, num[rows[e.Pos]]+0) // -0 becomes 0
		}
	}
	return c
}

// TestCountIntegers: integers of a narrow range are sorted by a table, to what the general sort
// gives.
func TestCountIntegers(t *testing.T) {
	r := rng.New(2)
	for _, width := range []int{1, 3, 40} {
		num := make([]float64, 60)
		for i := range num {
			if num[i] = float64(r.Intn(width) - width/2); r.Intn(9) == 0 {
				num[i] = math.NaN()
			}
		}
		rows := []int32{0, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59}
		for i := range int32(60) {
			if r.Intn(2) == 0 && !slices.Contains(rows, i) {
				rows = append(rows, i)
			}
		}
		slices.Sort(rows)
		got := sortedColumn(num, rows)
		shifted := slices.Clone(num) // no integers any more, in the same order
		for i := range shifted {
			shifted[i] = shifted[i] + 0.25
		}
		want := sortedColumn(shifted, rows)
		if !slices.Equal(got.sorted, want.sorted) || len(got.values) != len(want.values) {
			t.Fatalf("width %d: entries %v, want %v", width, got.sorted, want.sorted)
		}
		for i := range want.values {
			if got.values[i]+0.25 != want.values[i] {
				t.Errorf("width %d: value %g of rank %d, want %g", width, got.values[i], i,
					want.values[i]-0.25)
			}
		}
	}
	wide := []float64{1 << 40, -7, 3, math.NaN(), 3, 1 << 53, 0}
	if c := sortedColumn(wide, []int32{0, 1, 2, 3, 4, 5, 6}); !slices.Equal(c.values,
		[]float64{-7, 0, 3, 1 << 40, 1 << 53}) ||
		c.sorted[0].Pos != 1 || c.sorted[2].Pos != 2 || c.sorted[3].Pos != 4 ||
		c.sorted[6] != (Entry{Key: MissingRank, Pos: 3}) {
		t.Errorf("integers of a wide range are sorted to %v with values %v", c.sorted, c.values)
	}
	zero := math.Copysign(0, -1)
	if c := sortedColumn([]float64{0, zero, 0}, []int32{0, 1, 2}); len(c.values) != 1 {
		t.Errorf("the two zeros have %d ranks", len(c.values))
	}
	if c := sortedColumn([]float64{math.NaN(), math.NaN()}, []int32{0, 1}); len(c.values) != 0 ||
		c.sorted[0].Key != MissingRank {
		t.Errorf("missing values alone give %v", c)
	}
	if c := sortedColumn([]float64{math.Inf(1), 2, math.Inf(-1)},
		[]int32{0, 1, 2}); len(c.values) != 3 {
		t.Errorf("infinities give the values %v", c.values)
	}
}

// TestSortColumn: columns are sorted as by comparing all values, whether these differ in the
// highest bits, in the lowest alone, or not at all.
func TestSortColumn(t *testing.T) {
	r := rng.New(4)
	for _, n := range []int{1, 5, 700, 9000} {
		m := new(Sorter)
		for name, draw := range map[string]func() float64{
			"close":      func() float64 { return 1 + 0x1p-52*float64(r.Intn(3*n)) },
			"repeated":   func() float64 { return math.Sqrt(float64(r.Intn(9))) },
			"both signs": func() float64 { return math.Tan(3 * (r.Float64() - 0.5)) },
			"any":        func() float64 { return math.Float64frombits(r.Uint64()) },
			"wide":       func() float64 { return float64(r.Uint64() >> 14) },
			"an outlier": func() float64 { return 1e300*float64(r.Intn(n)/(n/2+1)) + r.Float64() },
			"zeros":      func() float64 { return math.Copysign(0, r.Float64()-0.5) },
			"missing":    math.NaN,
		} {
			num := make([]float64, n)
			for i := range num {
				if num[i] = draw(); r.Intn(8) == 0 {
					num[i] = math.NaN()
				}
			}
			rows := data.AllRows(n)
			if n > 5 {
				rows = rows[3 : n-1]
			}
			want := make([]Keyed, len(rows))
			for i, row := range rows {
				want[i] = Keyed{Bits(num[row]), uint32(i)}
			}
			slices.SortStableFunc(want, func(a, b Keyed) int { return cmp.Compare(a.Bits, b.Bits) })
			rank, distinct, got := uint32(MissingRank), 0, m.Column(num, rows)
			for i, k := range want {
				if i == 0 || k.Bits != want[i-1].Bits {
					rank++
				}
				e := Entry{Key: rank, Pos: k.Pos}
				if k.Bits == MissingBits {
					e.Key = MissingRank
				} else {
					distinct = int(rank) + 1
				}
				if got[i] != e {
					t.Fatalf("%d %s values: Entry %d is %v, want %v", n, name, i, got[i], e)
				}
			}
			if HasFew(num, rows) != (distinct <= FewValues) {
				t.Errorf("%d %s values: %d that differ are few or not", n, name, distinct)
			}
		}
	}
}
