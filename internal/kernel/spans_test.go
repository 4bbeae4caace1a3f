package kernel

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// randomColumns makes some columns of random values, some of them infinite or NaN, and a list of
// rows. Where the stride is enough the columns are those of one table.
func randomColumns[T float32 | float64](
	r *rng.Stream, columns [][]T, rows, stride int,
) (list []uint32) {
	n := len(columns)
	table := make([]T, 300*stride+n)
	for k := range columns {
		if columns[k] = table[k:]; stride < n {
			columns[k] = make([]T, 300*stride)
		}
		for i := range columns[k] {
			columns[k][i] = T(randomValue(r, (i+k)%2 == 1))
		}
	}
	if r.Intn(4) == 0 { // the last column fills the vector
		for k := 1 + r.Intn(n-1); k < n; k++ {
			columns[k] = columns[k-1]
		}
	}
	list = make([]uint32, rows)
	for i := range list {
		list[i] = uint32(r.Intn(300))
	}
	return list
}

// checkSpans compares what was gathered of some columns, and their spans, with their definition.
func checkSpans[T float32 | float64](
	t *testing.T, columns [][]T, stride int, list []uint32, got, leasts, mosts []T,
	missings func(k int) bool,
) {
	t.Helper()
	for k, column := range columns {
		least, most, missing := T(math.Inf(1)), T(math.Inf(-1)), false
		for i, row := range list {
			want, v := column[stride*int(row)], got[len(columns)*i+k]
			if math.Float64bits(float64(v)) != math.Float64bits(float64(want)) &&
				(v == v || want == want) {
				t.Fatalf("column %d, row %d: %v, want %v", k, i, v, want)
			}
			if missing = missing || want != want; want == want {
				least, most = min(least, want), max(most, want)
			}
		}
		if leasts[k] != least || mosts[k] != most || missings(k) != missing {
			t.Fatalf("column %d: from %v to %v, missing %v; want %v to %v, %v", k, leasts[k],
				mosts[k], missings(k), least, most, missing)
		}
	}
}

// checkGatherSpans gathers random rows in two pieces.
func checkGatherSpans(t *testing.T, seed uint64, rows int) {
	r := rng.New(seed)
	stride := 1 + r.Intn(6)
	var columns [SpanColumns][]float64
	list := randomColumns(r, columns[:], rows, stride)
	got := make([]float64, SpanColumns*rows)
	var spans Spans
	spans.Reset()
	half := rows / 2
	GatherSpans(got[:SpanColumns*half], &columns, stride, list[:half], &spans)
	GatherSpans(got[SpanColumns*half:], &columns, stride, list[half:], &spans)
	checkSpans(t, columns[:], stride, list, got, spans.Least[:], spans.Most[:],
		func(k int) bool { return spans.Missing[k] != 0 })
}

// checkSumsUpTo adds up numbers of random rows, in two pieces.
func checkSumsUpTo(t *testing.T, seed uint64, rows int) {
	const slots = 3
	r := rng.New(seed, 1)
	var values [2][]float64
	var limits [2][SpanColumns]float64
	for v := range values {
		values[v] = make([]float64, SpanColumns*rows)
		for i := range values[v] {
			values[v][i] = randomValue(r, true)
		}
		for k := range limits[v] {
			limits[v][k] = randomValue(r, false)
			if rows > 0 && k == 1 { // equal to a value
				limits[v][k] = values[v][SpanColumns*r.Intn(rows)+k]
			}
		}
	}
	pairs, slot, number := make([][2]float64, rows), make([]uint32, rows), make([]float64, rows)
	for i := range pairs {
		pairs[i] = [2]float64{r.Float64() - 0.5, 1 / (1 + r.Float64())}
		slot[i], number[i] = uint32(r.Intn(slots)), r.Float64()
	}
	var sums, wantSums PairSums
	bySlot, wantBySlot := make([]SlotSums, slots), make([]SlotSums, slots)
	for v := range values {
		for k, limit := range limits[v] {
			for i := range rows {
				if values[v][SpanColumns*i+k] <= limit {
					wantSums[v][0][k] += pairs[i][0]
					wantSums[v][1][k] += pairs[i][1]
					wantBySlot[slot[i]][v][k] += number[i]
				}
			}
		}
	}
	for _, piece := range [2][2]int{{0, rows / 3}, {rows / 3, rows}} {
		lo, hi := piece[0], piece[1]
		a, b := values[0][SpanColumns*lo:SpanColumns*hi], values[1][SpanColumns*lo:SpanColumns*hi]
		SumPairsUpTo(&sums, a, b, &limits, pairs[lo:hi])
		SumSlotsUpTo(bySlot, a, b, &limits, slot[lo:hi], number[lo:hi])
	}
	if sums != wantSums {
		t.Fatalf("seed %d, %d rows: sums of pairs %v, want %v", seed, rows, sums, wantSums)
	}
	for c := range bySlot {
		if bySlot[c] != wantBySlot[c] {
			t.Fatalf("seed %d, %d rows, slot %d: %v, want %v", seed, rows, c, bySlot[c],
				wantBySlot[c])
		}
	}
}

func TestSpans(t *testing.T) {
	EachPath(t, func(t *testing.T) {
		for seed := range uint64(100) {
			checkGatherSpans(t, seed, int(seed))
			checkSumsUpTo(t, seed, int(seed))
		}
	})
}

func FuzzSpans(f *testing.F) {
	f.Add(uint64(1), uint8(100))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint8) {
		EveryPath(func() {
			checkGatherSpans(t, seed, int(rows))
			checkSumsUpTo(t, seed, int(rows))
		})
	})
}
