package trees

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// A leaf below 20 columns takes more points than a vector has. Its contributions are their
// integrals, by a rule of more points.
func TestManyPlayers(t *testing.T) {
	for _, players := range []int{14, 15, 20, 40} {
		g := &games{values: []float64{0, 1}, width: 1, most: players}
		taken := make([]float64, players)
		for j := range int32(players) {
			taken[j] = float64(j+1) / float64(players+1)
			g.nodes = append(g.nodes[:2*j],
				node{kind: tree.Numeric, column: j, player: j, child: 2*j + 1, arity: 2, fraction: 1},
				node{kind: tree.Leaf, end: 1}, node{kind: tree.Leaf, value: 1, end: 2})
			if j > 0 {
				g.nodes[2*j].fraction = taken[j-1]
			}
			g.nodes[2*j+1].fraction, g.nodes[2*j+2].fraction = 1-taken[j], taken[j]
		}
		b := NewBlock(players, players, 1)
		b.Rows = 5
		for r := range b.Rows {
			for j := range players {
				b.X[j*BlockRows+r] = float64((j*7+r*3)%(r+2)) - 0.5
			}
		}
		newWalked(g, nil).add(b)
		rule := ruleFor(2 * players)
		for r := range b.Rows {
			for j, z := range taken {
				want := 0.0
				for i, p := range rule.point {
					product := rule.weight[i]
					for k := range taken {
						if o := goes(b, k, r); k != j {
							product *= p*o + (1-p)*taken[k]
						}
					}
					want += product * (goes(b, j, r) - z)
				}
				if got := b.Phi[j*BlockRows+r]; math.Abs(got-want) > 1e-14 {
					t.Errorf("%d players, row %d, player %d: %v, want %v", players, r, j, got, want)
				}
			}
		}
	}
}

// goes is 1 where a row is above the split point 0 of a column.
func goes(b *Block, column, row int) float64 {
	if b.X[column*BlockRows+row] > 0 {
		return 1
	}
	return 0
}
