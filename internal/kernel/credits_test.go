package kernel

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzCredits compares walks over random trees with their twin in plain Go.
func FuzzCredits(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint8(seed*5), uint8(seed), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, edges, rows, width uint8) {
		s := rng.New(seed)
		scores, active, players := int(width)%3+1, int(rows)%CreditRows+1, 5
		stride := s.Intn(2) * scores
		var steps []CreditStep
		var sides []uint8
		var values []float64
		depth := 0
		var grow func(level int)
		grow = func(level int) {
			for range 2 {
				z := float64(s.Intn(1000)+1) / 1000
				e := CreditStep{Taken: z, Inverse: 1 / z, Kind: CreditLeaf, Level: uint32(level),
					Above: uint32(s.Intn(level)), Player: uint32(s.Intn(players)),
					Edge: uint32(len(sides)), Value: uint32(len(values))}
				sides = append(sides, uint8(s.Intn(1<<CreditRows)))
				depth = max(depth, level)
				if len(steps) > int(edges) || s.Intn(3) == 0 || level > 30 {
					steps = append(steps, e)
					for range scores + stride*(CreditRows-1) {
						values = append(values, s.Float64()-0.5)
					}
					continue
				}
				e.Kind = CreditDown
				steps = append(steps, e)
				grow(level + 1)
				e.Kind = CreditUp
				steps = append(steps, e)
			}
		}
		grow(1)
		points := []float64{0.01, 0.3, 0.5, 0.9, 0.999}[:s.Intn(5)+1]
		var want Credits
		want.Stride = stride
		want.Reset(scores, players, depth, points)
		want.walkPlain(steps, sides, values, active)
		EveryPath(func() {
			var got Credits
			got.Stride = stride
			got.Reset(scores, players, depth, points)
			got.Walk(steps, sides, values, active)
			for i := range want.Phi {
				if got.Phi[i] != want.Phi[i] {
					t.Fatalf("vector %d is %v, want %v", i, got.Phi[i], want.Phi[i])
				}
			}
		})
	})
}

// TestCredits has one split, whose children take 1/4 and 3/4 of the weight and have the values 8
// and 4. The first row goes to the first: (1 - 1/4) 8 - 3/4 4 = 3; the second (1 - 3/4) 4 - 1/4 8.
func TestCredits(t *testing.T) {
	EachPath(t, func(t *testing.T) {
		var c Credits
		c.Reset(1, 1, 1, []float64{0.5})
		c.Walk([]CreditStep{{Taken: 0.25, Inverse: 4, Kind: CreditLeaf, Level: 1},
			{Taken: 0.75, Inverse: 1 / 0.75, Kind: CreditLeaf, Level: 1, Edge: 1, Value: 1}},
			[]uint8{0b01, 0b10}, []float64{8, 4}, 2)
		for r, want := range []float64{3, -1} {
			if got := c.Phi[r][0]; math.Abs(got-want) > 1e-14 {
				t.Errorf("row %d: %v, want %v", r, got, want)
			}
		}
	})
}
