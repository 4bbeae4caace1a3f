package bins

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

func splitPointsOf(t *testing.T, x, weight []float64, o Options) []float64 {
	t.Helper()
	m, err := Make(context.Background(), frameOf(t, x), nil, weight, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m.Columns[0].SplitPoints
}

// Every one of a few values has a bin of its own, and a split point is half way to the next one.
func TestSplitPointsOfFewValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		x, weight []float64
		o         Options
		want      []float64
	}{
		{"midpoints", []float64{3, 1, nan, 1, 2}, nil, Options{}, []float64{1.5, 2.5}},
		{"constant", []float64{7, 7}, nil, Options{}, nil},
		{"missing", []float64{nan, nan}, nil, Options{}, nil},
		{"no rows", nil, nil, Options{}, nil},
		{"zeros are equal", []float64{0, math.Copysign(0, -1), 1}, nil, Options{}, []float64{0.5}},
		{"a split point at zero", []float64{0, 5e-324}, nil, Options{}, []float64{0}},
		{"a split point that rounds to -0", []float64{-5e-324, 0}, nil, Options{}, []float64{-5e-324}},
		{"neighbours", []float64{1, math.Nextafter(1, 2)}, nil, Options{}, []float64{1}},
		{"overflow", []float64{-math.MaxFloat64, math.MaxFloat64}, nil, Options{}, []float64{0}},
		{"infinities", []float64{inf, 2, -inf}, nil, Options{}, []float64{-math.MaxFloat64, 2}},
		{"only infinities", []float64{inf, -inf}, nil, Options{}, []float64{-math.MaxFloat64}},
		{"no split point above -Inf", []float64{-inf, -math.MaxFloat64, 0}, nil, Options{}, []float64{-math.MaxFloat64 / 2}},
		{"no weight", []float64{1, 2, 3, 4}, []float64{1, 0, 1, 1}, Options{}, []float64{2, 3.5}},
		{"nothing has weight", []float64{1, 2}, []float64{0, 0}, Options{}, nil},
		{"least rows", []float64{1, 2, 2, 3, 4, 5, 5}, nil, Options{MinInBin: 2}, []float64{2.5, 4.5}},
		{"least rows at the end", []float64{1, 1, 2, 2, 3}, nil, Options{MinInBin: 2}, []float64{1.5}},
		{"least rows of all", []float64{1, 2}, nil, Options{MinInBin: 3}, nil},
		{"least rows with weights", []float64{1, 2, 2, 3}, []float64{9, .1, .1, .1}, Options{MinInBin: 2}, nil},
		{"two bins", []float64{1, 2, 3, 4}, nil, Options{Bins: 2}, []float64{2.5}},
		{"two bins by weight", []float64{1, 2, 3, 4}, []float64{1, 1, 1, 5}, Options{Bins: 2}, []float64{3.5}},
		// 9 of 16 are a bin of their own, 2 lie below, the others have the two bins left.
		{"heavy", []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 1, 9, 1, 1, 1, 1, 1}, Options{Bins: 4}, []float64{2.5, 3.5, 6.5}},
	} {
		if got := splitPointsOf(t, c.x, c.weight, c.o); !slices.Equal(got, c.want) {
			t.Errorf("%s: split points %v, want %v", c.name, got, c.want)
		}
	}
}

// A value that most rows have is alone in its bin, and the other bins divide the other rows.
func TestZeroHeavy(t *testing.T) {
	const n = 20000
	s := rng.New(5)
	x := make([]float64, n)
	for i := range x {
		if s.Intn(10) == 0 {
			x[i] = s.Float64() - 0.25
		}
	}
	f := frameOf(t, x)
	for _, weight := range [][]float64{nil, slices.Repeat([]float64{0.3}, n)} {
		m, err := Make(context.Background(), f, nil, weight, Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		c := &m.Columns[0]
		count := make([]int, c.Bins())
		zeros := map[int]bool{}
		for row := range x {
			b := m.Blocks[0].Codes[0].At(int32(row))
			count[b]++
			zeros[b] = zeros[b] || x[row] == 0
		}
		if c.Values != 255 || len(c.SplitPoints) != 254 {
			t.Fatalf("%d bins", c.Values)
		}
		for b, k := range count[:c.Values] {
			if zeros[b] {
				zero := naiveBin(c.SplitPoints, 0)
				if b != zero || c.SplitPoints[b-1] >= 0 || c.SplitPoints[b] <= 0 || k < n*8/10 {
					t.Errorf("zeros are in bin %d of %d rows", b, k)
				}
			} else if k < 4 || k > 10 {
				// about 2000 rows in 254 bins, of which the last below zero takes what is left
				// there
				t.Errorf("bin %d has %d rows", b, k)
			}
		}
	}
}

// Bins of many values weigh about the same: no more than a value from the mean that was left when
// they were filled.
func TestBinsWeighTheSame(t *testing.T) {
	const n = 30000
	x, weight := normal(n, 6), make([]float64, n)
	s := rng.New(7)
	total := 0.0
	for i := range weight {
		weight[i] = s.Float64() + 0.5
		total += weight[i]
	}
	for _, bins := range []int{2, 3, 10, 255, 1000} {
		m, err := Make(context.Background(), frameOf(t, x), nil, weight, Options{Bins: bins}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if m.Columns[0].Values != bins {
			t.Fatalf("%d bins, want %d", m.Columns[0].Values, bins)
		}
		sums := make([]float64, bins)
		for row, w := range weight {
			sums[m.Blocks[0].Codes[0].At(int32(row))] += w
		}
		for b, w := range sums {
			if mean := total / float64(bins); math.Abs(w-mean) > 1.5 {
				t.Errorf("%d bins: bin %d weighs %v, the mean is %v", bins, b, w, mean)
			}
		}
	}
}

// Heavy values that are not adjacent need two bins each; where there are too few, the heaviest have
// theirs.
func TestManyHeavyValues(t *testing.T) {
	var x []float64
	for v := range 200 {
		for range 50 + v {
			x = append(x, float64(v))
		}
		x = append(x, float64(v)+0.25, float64(v)+0.5)
	}
	splitPoints := splitPointsOf(t, x, nil, Options{Bins: 255})
	if len(splitPoints) > 254 || len(splitPoints) < 200 {
		t.Fatalf("%d split points", len(splitPoints))
	}
	for v := 100; v < 200; v++ {
		b := naiveBin(splitPoints, float64(v))
		if b > 0 && splitPoints[b-1] < float64(v)-0.5 ||
			b < len(splitPoints) && splitPoints[b] >= float64(v)+0.25 {
			t.Errorf("%d is not alone in its bin", v)
		}
	}
}

// A sample shapes split points of many values, but not those of few.
func TestSample(t *testing.T) {
	const n = 50000
	x, few := normal(n, 8), make([]float64, n)
	few[777] = 1
	f := frameOf(t, x, few)
	m, err := Make(context.Background(), f, nil, nil, Options{Sample: 5000}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
	if !slices.Equal(m.Columns[1].SplitPoints, []float64{0.5}) || m.Blocks[0].Codes[1].At(777) != 1 {
		t.Errorf("the rare value has no bin: split points %v", m.Columns[1].SplitPoints)
	}
	count := make([]int, m.Columns[0].Bins())
	for row := range x {
		count[m.Blocks[0].Codes[0].At(int32(row))]++
	}
	if m.Columns[0].Values != 255 || slices.Max(count) > 3*n/255 {
		t.Errorf("%d bins, the largest of %d rows", m.Columns[0].Values, slices.Max(count))
	}
	other, err := Make(context.Background(), f, nil, nil, Options{Sample: 5000, Seed: 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(m.Columns[0].SplitPoints, other.Columns[0].SplitPoints) {
		t.Error("another seed gives the same sample")
	}
}

// Of a column that is nearly constant a sample has too few other values: all rows count, and the
// split points are exact.
func TestSampleOfSparse(t *testing.T) {
	const n = 100000
	s := rng.New(18)
	x, weight := make([]float64, n), make([]float64, n)
	for i := range x {
		if weight[i] = float64(1 + s.Intn(3)); s.Intn(100) == 0 {
			x[i] = s.Float64() - 0.3
		}
	}
	for _, w := range [][]float64{nil, weight} {
		all, sampled := splitPointsOf(t, x, w, Options{Bins: 50, MinInBin: 3}),
			splitPointsOf(t, x, w, Options{Bins: 50, MinInBin: 3, Sample: 4000})
		if len(all) != 49 || !slices.Equal(all, sampled) {
			t.Errorf("split points %v, want %v", sampled, all)
		}
	}
}

// Absent zeros of a sparse column count as any value does, be they the most frequent one, others
// than it, or few among many.
func TestSplitPointsOfSparseTwins(t *testing.T) {
	const n = 20_000
	s := rng.New(19)
	for _, c := range []struct {
		usual  float64
		usuals int // of a hundred rows
		zeros  int
	}{{0, 97, 0}, {7, 96, 1}, {7, 60, 10}, {-7, 96, 3}, {7, 5, 60}, {7, 0, 1}} {
		x := make([]float64, n)
		var row []int32
		var value []float64
		for i := range x {
			switch k := s.Intn(100); {
			case k < c.usuals:
				x[i] = c.usual
			case k >= c.usuals+c.zeros:
				x[i] = s.Float64()*9 - 4
			}
			if x[i] != 0 {
				row, value = append(row, int32(i)), append(value, x[i])
			}
		}
		sparse := data.Sparse(n, 0, row, value)
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}}, []data.Column{sparse})
		if err != nil {
			t.Fatal(err)
		}
		for _, sample := range []int{0, 1500} {
			o := Options{Bins: 40, MinInBin: 3, Sample: sample}
			m, err := Make(t.Context(), f, nil, nil, o, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want := splitPointsOf(t, x, nil, o); len(want) < 20 || !slices.Equal(m.Columns[0].SplitPoints, want) {
				t.Errorf("%+v, a sample of %d: %.200v, want %.200v", c, sample, m.Columns[0].SplitPoints, want)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	f := frameOf(t, []float64{1, 2, 3})
	for _, c := range []struct {
		rows   []int32
		weight []float64
		o      Options
		want   string
	}{
		{nil, nil, Options{Bins: 1}, "1 bins: want 2 to 65535"},
		{nil, nil, Options{Bins: 65536}, "65536 bins: want 2 to 65535"},
		{nil, nil, Options{Sample: -1}, "a sample of -1 rows"},
		{[]int32{0, 0}, nil, Options{}, "entry 1 is 0, want ascending rows"},
		{[]int32{3}, nil, Options{}, "entry 0 is 3, want ascending rows of the 3"},
		{nil, []float64{1}, Options{}, "1 weights for 3 rows"},
		{nil, []float64{1, -1, 1}, Options{}, "row 2: weight -1, want a finite number that is not negative"},
		{nil, []float64{1, 1, math.NaN()}, Options{}, "row 3: weight NaN"},
		{nil, []float64{1, 1, math.Inf(1)}, Options{}, "row 3: weight +Inf"},
	} {
		if _, err := Make(context.Background(), f, c.rows, c.weight, c.o, 1); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Make(ctx, f, nil, nil, Options{}, 1); err != context.Canceled {
		t.Errorf("error %v of a cancelled context", err)
	}
}

// Levels have bins in the order of the dictionary; those that no row has are as if missing for
// other rows.
func TestLevels(t *testing.T) {
	f, err := data.FromColumns(data.NamedColumn{Name: "c",
		Values: []string{"a", "d", "", "b", "c", "d"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(context.Background(), f, []int32{0, 1, 5}, nil, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := &m.Columns[0]
	if !slices.Equal(c.Code, []uint32{0, 3}) || !slices.Equal(c.Level, []int32{0, -1, -1, 1}) ||
		c.Values != 2 || c.Missing {
		t.Errorf("column %+v", c)
	}
	other, err := Encode(context.Background(), f, nil, m.Columns, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint8{0, 1, 2, 2, 2, 1}; !slices.Equal(other.Blocks[0].Codes[0].Narrow, want) ||
		!other.Columns[0].Missing {
		t.Errorf("codes %v, want %v", other.Blocks[0].Codes[0].Narrow, want)
	}
	if _, err := Encode(context.Background(), frameOf(t, []float64{1}), nil, m.Columns, Options{}, 1); err == nil ||
		!strings.Contains(err.Error(), `column "x0" is numeric`) {
		t.Errorf("error %v", err)
	}
}

// Of more levels than there are codes the most frequent have bins.
func TestManyLevels(t *testing.T) {
	const levels = MaxBins + 10
	field := data.Field{Name: "c", Kind: data.Categorical, Levels: make([]string, levels)}
	var code []uint32
	for i := range levels {
		field.Levels[i] = string(rune(0x10000+i)) + "c"
		code = append(code, uint32(i))
		if i >= 20 {
			code = append(code, uint32(i))
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{data.Codes(code)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Make(context.Background(), f, nil, nil, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := &m.Columns[0]
	if c.Values != MaxBins || !c.Missing || m.Blocks[0].Codes[0].Wide == nil || m.Groups[0].At != 0 ||
		m.Stride != 4 {
		t.Fatalf("%d bins", c.Values)
	}
	for i, l := range c.Level {
		if (l < 0) != (i >= 10 && i < 20) {
			t.Fatalf("level %d has bin %d", i, l)
		}
	}
	check(t, f, m)
}

// 65,535 bins are as good as 255.
func TestWide(t *testing.T) {
	x := normal(150000, 9)
	f := frameOf(t, x, []float64(slices.Repeat([]float64{1, 2}, len(x)/2)))
	m, err := Make(context.Background(), f, nil, nil, Options{Bins: MaxBins}, 2)
	if err != nil {
		t.Fatal(err)
	}
	c := &m.Columns[0]
	if c.Values != MaxBins || m.Blocks[0].Codes[0].Wide == nil || m.Groups[1].At != 0 ||
		m.Groups[0].At != 4 || m.Stride != 8 {
		t.Fatalf("%d bins", c.Values)
	}
	for row, v := range x {
		b := int(m.Blocks[0].Codes[0].Wide[row])
		if b > 0 && v <= c.SplitPoints[b-1] || b < len(c.SplitPoints) && v > c.SplitPoints[b] {
			t.Fatalf("%v is in bin %d", v, b)
		}
	}
}

// The matrix is the same for any number of workers.
func TestWorkers(t *testing.T) {
	x, y := normal(3*chunkRows+5, 10), normal(3*chunkRows+5, 11)
	f := frameOf(t, x, y)
	var rows []int32
	for r := range x {
		if r%3 != 1 {
			rows = append(rows, int32(r))
		}
	}
	one, err := Make(context.Background(), f, rows, y2(y), Options{Sample: 10000}, 1)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, one)
	for _, workers := range []int{0, 2, 7} {
		m, err := Make(context.Background(), f, rows, y2(y), Options{Sample: 10000}, workers)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Blocks[0].Packed, one.Blocks[0].Packed) ||
			!slices.Equal(m.Columns[0].SplitPoints, one.Columns[0].SplitPoints) ||
			!slices.Equal(m.Blocks[0].Codes[1].Narrow, one.Blocks[0].Codes[1].Narrow) {
			t.Errorf("another matrix with %d workers", workers)
		}
	}
}

// y2 returns squares, for weights.
func y2(y []float64) []float64 {
	w := make([]float64, len(y))
	for i, v := range y {
		w[i] = v * v
	}
	return w
}

// Heavy values have bins of their own where these and the values between them fit exactly.
func TestHeavyValuesThatFit(t *testing.T) {
	for _, c := range []struct {
		weight []float64
		most   int
		want   []int32
	}{
		{[]float64{1, 1, 1, 1, 1, 4, 11, 1}, 4, []int32{4, 5, 6, 7}},
		{[]float64{1, 1, 1, 1, 15, 4, 4, 15, 10}, 6, []int32{3, 4, 5, 6, 7, 8}},
		{[]float64{10, 1, 1, 1, 10, 1, 1, 1}, 4, []int32{0, 3, 4, 7}},
		{[]float64{1, 1, 1, 10, 1, 1, 1, 10}, 4, []int32{2, 3, 6, 7}},
		{[]float64{1, 1, 10, 1, 1, 10, 1, 1}, 5, []int32{1, 2, 4, 5, 7}},
		{[]float64{10, 10, 10, 1, 1, 1, 1, 1}, 4, []int32{0, 1, 2, 7}},
	} {
		d := &mass{weight: c.weight, rows: c.weight}
		for i := range c.weight {
			d.key = append(d.key, keyOf(float64(i)))
		}
		if got := d.ends(c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bins: ends %v, want %v", c.weight, c.most, got, c.want)
		}
	}
}
