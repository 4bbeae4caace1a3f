package kernel

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// checkGatherSingles gathers random rows in two pieces.
func checkGatherSingles(t *testing.T, seed uint64, rows int) {
	r := rng.New(seed)
	stride := 1 + r.Intn(10)
	var columns [SingleColumns][]float32
	list := randomColumns(r, columns[:], rows, stride)
	got := make([]float32, SingleColumns*rows)
	var spans SingleSpans
	spans.Reset()
	half := rows / 2
	GatherSingles(got[:SingleColumns*half], &columns, stride, list[:half], &spans)
	GatherSingles(got[SingleColumns*half:], &columns, stride, list[half:], &spans)
	checkSpans(t, columns[:], stride, list, got, spans.Least[:], spans.Most[:],
		func(k int) bool { return spans.Missing[k] != 0 })
}

// checkSinglesUpTo adds up numbers of random rows in two pieces.
func checkSinglesUpTo(t *testing.T, seed uint64, rows int) {
	const slots = 3
	r := rng.New(seed, 1)
	values := make([]float32, SingleColumns*rows)
	for i := range values {
		values[i] = float32(randomValue(r, true))
	}
	var limits [SingleColumns]float32
	for k := range limits {
		limits[k] = float32(randomValue(r, false))
		if rows > 0 && k%3 == 1 { // equal to a value
			limits[k] = values[SingleColumns*r.Intn(rows)+k]
		}
	}
	pairs, slot, number := make([][2]float64, rows), make([]uint32, rows), make([]float64, rows)
	for i := range pairs {
		pairs[i] = [2]float64{r.Float64() - 0.5, 1 / (1 + r.Float64())}
		slot[i], number[i] = uint32(r.Intn(slots)), r.Float64()
	}
	var sums, wantSums PairSums
	bySlot, wantBySlot := make([]SlotSums, slots), make([]SlotSums, slots)
	for k, limit := range limits {
		v, lane := k/SpanColumns, k%SpanColumns
		for i := range rows {
			if values[SingleColumns*i+k] <= limit {
				wantSums[v][0][lane] += pairs[i][0]
				wantSums[v][1][lane] += pairs[i][1]
				wantBySlot[slot[i]][v][lane] += number[i]
			}
		}
	}
	for _, piece := range [2][2]int{{0, rows / 3}, {rows / 3, rows}} {
		lo, hi := piece[0], piece[1]
		some := values[SingleColumns*lo : SingleColumns*hi]
		SumSinglePairs(&sums, some, &limits, pairs[lo:hi])
		SumSingleSlots(bySlot, some, &limits, slot[lo:hi], number[lo:hi])
	}
	if sums != wantSums || !slices.Equal(bySlot, wantBySlot) {
		t.Fatalf("seed %d, %d rows: sums %v, %v; want %v, %v", seed, rows, sums, bySlot, wantSums,
			wantBySlot)
	}
}

func TestSingles(t *testing.T) {
	EachPath(t, func(t *testing.T) {
		for seed := uint64(0); seed < 100; seed += uint64(tier.Count(3, 1, 1)) {
			checkGatherSingles(t, seed, int(seed))
			checkSinglesUpTo(t, seed, int(seed))
		}
	})
}

func FuzzSingles(f *testing.F) {
	f.Add(uint64(1), uint8(100))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint8) {
		EveryPath(func() {
			checkGatherSingles(t, seed, int(rows))
			checkSinglesUpTo(t, seed, int(rows))
		})
	})
}
