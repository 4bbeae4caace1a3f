package bins

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// frameOf makes a frame of numeric columns.
func frameOf(t interface{ Fatal(...any) }, columns ...[]float64) *data.Frame {
	named := make([]data.NamedColumn, len(columns))
	for i, c := range columns {
		named[i] = data.NamedColumn{Name: "x" + strconv.Itoa(i), Values: c}
	}
	f, err := data.FromColumns(named...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// number samples a number of any size and sign, often one of few, sometimes infinite or NaN.
func number() *rapid.Generator[float64] {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), -math.MaxFloat64, math.MaxFloat64,
		5e-324, -5e-324, math.Nextafter(1, 2), 1e-300, math.Float64frombits(0xfff8000000000001), math.Float64frombits(0x7ff0000000000001)}
	return rapid.Custom(func(t *rapid.T) float64 {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return rapid.SampledFrom(special).Draw(t, "special")
		case 1:
			return float64(rapid.IntRange(-20, 20).Draw(t, "integer")) / 4
		case 2:
			return math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		}
		return rapid.Float64Range(999, 1001).Draw(t, "number")
	})
}

// naiveBin is the bin of a number by the definition of Column.SplitPoints.
func naiveBin(splitPoints []float64, x float64) int {
	if math.IsNaN(x) {
		return len(splitPoints) + 1
	}
	n := 0
	for _, c := range splitPoints {
		if c < x {
			n++
		}
	}
	return n
}

// Codes are those of the naive search, whatever the split points.
func TestSearchIsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n") // slices of a range of lengths are short
		splitPoints := rapid.SliceOfN(number(), n, n).Draw(t, "split points")
		splitPoints = slices.DeleteFunc(splitPoints, func(c float64) bool { return math.IsNaN(c) || math.IsInf(c, 0) })
		slices.Sort(splitPoints)
		splitPoints = slices.Compact(splitPoints) // 0 and -0 are equal
		x := append(rapid.SliceOfN(number(), 0, 50).Draw(t, "x"), splitPoints...)
		for _, c := range splitPoints {
			x = append(x, math.Nextafter(c, math.Inf(1)), math.Nextafter(c, math.Inf(-1)))
		}
		got := make([]uint16, len(x))
		codes(newSearch(splitPoints), got, x)
		for i := range x {
			if want := naiveBin(splitPoints, x[i]); int(got[i]) != want {
				t.Fatalf("%v is in bin %d, want %d of split points %v", x[i], got[i], want, splitPoints)
			}
		}
	})
}

// The same for split points of any spread, close together far from zero, and on both sides of it.
func TestSearchOfSpreads(t *testing.T) {
	s := rng.New(2)
	for _, n := range []int{1, 7, 254, 3000, MaxBins - 1} {
		for name, random := range map[string]func() float64{
			"uniform": func() float64 { return s.Float64() - 0.3 },
			"far":     func() float64 { return 1e6 + s.Float64() },
			"bits":    func() float64 { return math.Float64frombits(s.Uint64()) },
			"tails":   func() float64 { return 1 / (s.Float64() - 0.5) },
			"two":     func() float64 { return float64(s.Intn(2))*1e100 + s.Float64() },
			"counts":  func() float64 { return -float64(s.Intn(100000)) },
		} {
			splitPoints := make([]float64, n)
			for i := range splitPoints {
				splitPoints[i] = random()
			}
			splitPoints = slices.DeleteFunc(splitPoints, func(c float64) bool { return math.IsNaN(c) || math.IsInf(c, 0) })
			slices.Sort(splitPoints)
			splitPoints = slices.Compact(splitPoints)
			x := slices.Clone(splitPoints)
			for range 2000 {
				x = append(x, random())
			}
			got := make([]uint16, len(x))
			codes(newSearch(splitPoints), got, x)
			for i, v := range x {
				want, _ := slices.BinarySearch(splitPoints, v)
				if math.IsNaN(v) {
					want = len(splitPoints) + 1
				}
				if int(got[i]) != want {
					t.Fatalf("%d split points, %s: %v is in bin %d, want %d", n, name, v, got[i], want)
				}
			}
		}
	}
}

// check holds a matrix to its words: split points ascend and are finite, codes are the naive ones,
// Packed holds what groups hold.
func check(t interface{ Fatalf(string, ...any) }, f *data.Frame, m *Matrix) {
	for i := range m.Columns {
		c := &m.Columns[i]
		g := &m.Groups[c.Group]
		missing := false
		if !c.Nominal() && len(c.SplitPoints) != c.Values-1 {
			t.Fatalf("column %d: %d split points for %d bins", i, len(c.SplitPoints), c.Values)
		}
		for k, splitPoint := range c.SplitPoints {
			if math.IsInf(splitPoint, 0) || math.IsNaN(splitPoint) || k > 0 && splitPoint <= c.SplitPoints[k-1] || math.Signbit(splitPoint) && splitPoint == 0 {
				t.Fatalf("column %d: split points %v", i, c.SplitPoints)
			}
		}
		for row, r := range m.Rows {
			want := c.Values
			if c.Nominal() {
				if v := f.Columns[c.Feature].Code(int(r)); v < uint32(len(c.Level)) && c.Level[v] >= 0 {
					want = int(c.Level[v])
				}
			} else {
				want = naiveBin(c.SplitPoints, f.Columns[c.Feature].Number(int(r)))
			}
			if got := c.Bin(m.Blocks[0].Codes[c.Group].At(int32(row))); got != want {
				t.Fatalf("column %d, row %d: bin %d, want %d", i, row, got, want)
			}
			missing = missing || want == c.Values
			if g.Out {
				continue
			}
			in := m.InPacked(c.Group)
			if packed := in.Of(m.Blocks[0].Packed[row*m.Stride:]); packed != m.Blocks[0].Codes[c.Group].At(int32(row)) {
				t.Fatalf("column %d, row %d: packed %d, alone %d", i, row, packed, m.Blocks[0].Codes[c.Group].At(int32(row)))
			}
		}
		if missing != c.Missing {
			t.Fatalf("column %d: Missing is %v", i, c.Missing)
		}
	}
	if m.Packed() && m.Places > 0 {
		checkLists(t, m)
	}
}

// checkLists holds the lists of rows to those of columns.
func checkLists(t interface{ Fatalf(string, ...any) }, m *Matrix) {
	lists := &m.Blocks[0].Lists
	for r := range m.Rows {
		var want []uint32
		for i := range m.Groups {
			c := &m.Columns[m.Groups[i].Columns[0]]
			if !c.Listed {
				continue
			}
			if b := m.Blocks[0].Codes[i].At(int32(r)); b != int(c.Default) {
				want = append(want, uint32(m.Groups[i].At+b))
			}
		}
		if got := lists.Places[lists.Start[r]:lists.Start[r+1]]; !slices.Equal(got, want) {
			t.Fatalf("row %d has places %v, want %v", r, got, want)
		}
	}
}

func TestMakeIsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "rows")
		num := rapid.SliceOfN(number(), n, n).Draw(t, "numbers")
		level := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "d"}), n, n).Draw(t, "levels")
		f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: num}, data.NamedColumn{Name: "c", Values: level})
		if err != nil {
			t.Fatal(err)
		}
		var weight []float64
		if rapid.Bool().Draw(t, "weighted") {
			weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 3}), n, n).Draw(t, "weight")
		}
		var rows []int32
		if rapid.Bool().Draw(t, "part") {
			rows = []int32{}
			for r := range n {
				if rapid.Bool().Draw(t, "in") {
					rows = append(rows, int32(r))
				}
			}
		}
		o := Options{Bins: rapid.SampledFrom([]int{0, 2, 3, 10, 1000}).Draw(t, "bins"), MinInBin: rapid.IntRange(0, 3).Draw(t, "least"),
			Sample: rapid.SampledFrom([]int{0, 1, 10}).Draw(t, "sample"), Bundle: rapid.Bool().Draw(t, "bundle"),
			Joint: rapid.IntRange(0, 100).Draw(t, "joint")}
		m, err := Make(context.Background(), f, rows, weight, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		if b := o.bins(); m.Columns[0].Values > b || m.Columns[0].Values < 1 {
			t.Fatalf("%d bins, at most %d wanted", m.Columns[0].Values, b)
		}
		check(t, f, m)
	})
}

// normal returns rows of a column that is about normally distributed.
func normal(n int, seed uint64) []float64 {
	s := rng.New(seed)
	x := make([]float64, n)
	for i := range x {
		x[i] = s.Float64() + s.Float64() + s.Float64() + s.Float64() - 2
	}
	return x
}

// BenchmarkCodes times the search for the bin of a number.
func BenchmarkCodes(b *testing.B) {
	x, dst := normal(1<<16, 1), make([]uint8, 1<<16)
	for _, n := range []int{0, 1, 30, 254} {
		splitPoints := make([]float64, n)
		for i := range splitPoints {
			splitPoints[i] = x[i]
		}
		slices.Sort(splitPoints)
		s := newSearch(splitPoints)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				codes(s, dst, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/value")
		})
	}
}

func BenchmarkMake(b *testing.B) {
	const rows, width = 1000000, 28
	columns := make([][]float64, width)
	for j := range columns {
		columns[j] = normal(rows, uint64(j))
		if j%2 == 0 { // as if read from a file of float32
			for i, x := range columns[j] {
				columns[j][i] = float64(float32(x))
			}
		}
	}
	f := frameOf(b, columns...)
	for _, c := range []struct {
		name            string
		sample, workers int
	}{{"all/1", 0, 1}, {"all/2", 0, 2}, {"sample/1", 200000, 1}, {"sample/2", 200000, 2}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Make(context.Background(), f, nil, nil, Options{Sample: c.sample}, c.workers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
