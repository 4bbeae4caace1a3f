package trees

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// A leaf below 20 columns takes more points than a vector has, and 70 are more than bits of a word.
// Its contributions are their integrals, by a rule of more points, and so are its pairs.
func TestManyPlayers(t *testing.T) {
	for _, players := range []int{14, 16, 17, 40, 70} {
		taken, reach := make([]float64, players), 1.0
		build := tree.NewBuilder(tree.Scalar, 1, false)
		place := make([]int32, players)
		last := int32(0)
		for j := range taken {
			place[j] = int32(j)
			taken[j] = float64(j+players) / float64(2*players)
			first := build.Split(last, tree.Split{Kind: tree.Numeric, Feature: int32(j)})
			build.SetCover(first, float64(reach*(1-taken[j])))
			reach *= taken[j]
			last = first + 1
		}
		build.SetCover(last, reach)
		build.SetValue(last, []float64{1})
		made, err := build.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, index := range []Index{Singles, Pairs} {
			b := NewBlock(5, players, index.CellsOf(players), 1)
			b.Rows = 5
			for r := range b.Rows {
				for j := range players {
					b.X[j*b.Stride+r] = float64((j*7+r*3)%(r+2)) - 0.5
				}
			}
			game, err := New(&Source{Tree: made, Weight: 1, Place: place, Player: place, Index: index})
			if err != nil {
				t.Fatal(err)
			}
			game.Add(b)
			for r := range b.Rows {
				for j := range players {
					if index == Singles {
						checkCell(t, b, j, r, integral(b, r, taken, j, j))
						continue
					}
					for i := range j {
						checkCell(t, b, int(Pair(int32(i), int32(j))), r, integral(b, r, taken, i, j)/2)
					}
				}
			}
		}
	}
}

func checkCell(t *testing.T, b *Block, cell, row int, want float64) {
	t.Helper()
	if got := b.Of(cell, 0)[row]; math.Abs(got-want) > 1e-14 {
		t.Errorf("%d columns, row %d, cell %d: %v, want %v", b.Columns, row, cell, got, want)
	}
}

// integral is that of the factors of all players but two, which may be one, times their effects.
func integral(b *Block, row int, taken []float64, i, j int) float64 {
	rule, sum := ruleFor(2*len(taken)), 0.0
	for at, p := range rule.point {
		product := rule.weight[at]
		for k, z := range taken {
			o := goes(b, k, row)
			switch {
			case k == i || k == j:
				product *= o - z
			default:
				product *= float64(p*o) + float64((1-p)*z)
			}
		}
		sum += product
	}
	return sum
}

// goes is 1 where a row is above the split point 0 of a column.
func goes(b *Block, column, row int) float64 {
	if b.X[column*b.Stride+row] > 0 {
		return 1
	}
	return 0
}
