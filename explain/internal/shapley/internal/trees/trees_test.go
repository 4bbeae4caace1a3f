package trees

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// fields are the columns of random trees: numbers, and categories of few and many levels.
var fields = []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"},
	{Name: "d", Kind: data.Categorical, Levels: []string{"p", "q", "r"}},
	{Name: "e", Kind: data.Categorical, Levels: make([]string, 70)}, {Name: "f"}}

// random is a random tree of some fields that tables cover.
func random(t *rapid.T, fields []data.Field, width int) *tree.Tree {
	kind := tree.Scalar
	if width > 1 {
		kind = tree.Vector
	}
	number := rapid.Float64Range(-10, 10)
	made := treetest.Tree(treetest.Shape{Fields: fields, Kind: kind, Width: width, Splits: 12,
		Number: number}).Filter(func(made *tree.Tree) bool {
		return supported(made) == nil
	}).Draw(t, "tree")
	made.Stats, made.Cover = nil, &tree.Cover{}
	for range made.NumLeaves() {
		weight := rapid.SampledFrom([]float64{0, 0.5, 1, 2, 100}).Draw(t, "cover")
		made.Cover.Weights = append(made.Cover.Weights, weight)
	}
	return made
}

// value is a random value of a column.
func value(t *rapid.T, f *data.Field) float64 {
	if f.Kind == data.Numeric {
		return rapid.SampledFrom([]float64{-3, -2, -1, 0, 1, 2, 3, math.NaN()}).Draw(t, "number")
	}
	code := rapid.IntRange(-2, len(f.Levels)-1).Draw(t, "code")
	if code == -2 {
		return math.NaN()
	}
	return float64(code)
}

// known returns what a tree predicts when the values of some columns are known and others are
// averaged over the training rows: the definition of path-dependent TreeSHAP.
func known(g *games, row []float64, set uint, dst []float64) {
	var visit func(n int32, weight float64)
	visit = func(n int32, weight float64) {
		d := &g.nodes[n]
		if d.kind == tree.Leaf {
			for k, v := range g.values[d.value:d.end] {
				dst[k] += weight * v
			}
			return
		}
		if set>>d.player&1 != 0 {
			visit(d.child+d.next(row[d.column]), weight)
			return
		}
		for c := d.child; c < d.child+d.arity; c++ {
			visit(c, weight*g.nodes[c].fraction)
		}
	}
	visit(0, 1)
}

// singly explains the rows of a block one by one.
type singly struct {
	*Rows
	width int
}

// newSingly makes the tables of a tree.
func newSingly(g *games) singly {
	game := &Game{games: g, prepared: newTabled(g, g.index.bits())}
	rows, _ := NewRows([]*Game{game}, g.index.CellsOf(len(fields)))
	return singly{rows, g.width}
}

func (s singly) add(b *Block) {
	row, scratch := make([]float64, b.Columns), s.NewScratch(s.width)
	for r := range b.Rows {
		b.line(row, r)
		for i, v := range s.Explain(scratch, row)[:s.width*b.Cells] {
			b.Phi[i*b.Stride+r] += v
		}
	}
}

// newBlock returns a block for the cells of a game.
func newBlock(g *games) *Block {
	return NewBlock(BlockRows, len(fields), g.index.CellsOf(len(fields)), g.width)
}

// byDefinition returns an index by its definition, over all subsets of columns: cells by score.
// worth returns what a set of known columns is worth, by score.
func byDefinition(x Index, players, width int, worth func(set uint, dst []float64)) []float64 {
	of := make([][]float64, 1<<players)
	for s := range of {
		of[s] = make([]float64, width)
		worth(uint(s), of[s])
	}
	factorial := []float64{1}
	for i := 1; i <= players; i++ {
		factorial = append(factorial, factorial[i-1]*float64(i))
	}
	cells := x.CellsOf(players)
	phi := make([]float64, width*cells)
	for j := range players {
		for i := range max(1, j) {
			cell, joint := j, uint(1)<<j
			if x == Pairs {
				if j == 0 {
					break
				}
				cell, joint = int(Pair(int32(i), int32(j))), joint|1<<i
			} else if i > 0 {
				break
			}
			n := bits.OnesCount(joint)
			for s := range uint(1) << players {
				if s&joint != 0 {
					continue
				}
				size := bits.OnesCount(s)
				w := factorial[size] * factorial[players-n-size] / factorial[players-n+1]
				for k := range width {
					if x == Pairs {
						difference := of[s|joint][k] - of[s|1<<i][k] - of[s|1<<j][k] + of[s][k]
						phi[k*cells+cell] += w / 2 * difference
					} else {
						phi[k*cells+cell] += w * (of[s|joint][k] - of[s][k])
					}
				}
			}
		}
	}
	return phi
}

// checkMany checks a property of 400 random cases by day and of 1,000 at night.
func checkMany(t *testing.T, property func(t *rapid.T)) {
	for range tier.Count(4, 4, 10) {
		rapid.Check(t, property)
	}
}

// All ways to compute an index give the numbers of the definition, for random trees and some
// rows of each. Half of the trees have players with several columns.
func TestDefinition(t *testing.T) {
	for name, index := range map[string]Index{"singles": Singles, "pairs": Pairs} {
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(t *rapid.T) { checkDefinition(t, index) })
		})
	}
}

func checkDefinition(t *rapid.T, index Index) {
	made := random(t, fields, rapid.IntRange(1, 2).Draw(t, "width"))
	place := make([]int32, len(fields))
	for i := range place {
		place[i] = int32(i)
	}
	player := slices.Clone(place)
	if rapid.Bool().Draw(t, "shared") { // columns that are made of one field
		for i := range player {
			player[i] = rapid.Int32Range(0, 3).Draw(t, "player")
		}
	}
	source := Source{Tree: made, Weight: 0.5, Output: -1, Place: place, Player: player, Index: index}
	g, err := newGames(&source, made.Covers())
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]way{"walk": &walked{Source: &source}, "tables": newTabled(g, index.bits()),
		"row by row": newSingly(g)}
	if index == Singles {
		kept := &Game{source: &source, first: &walked{Source: &source}}
		kept.Keep(1 << 30)
		ways["kept steps"] = kept.first
	}
	rows := rapid.IntRange(1, 4).Draw(t, "rows")
	b := newBlock(g)
	b.Rows = rows
	want := make([][]float64, rows)
	for r := range rows {
		row := make([]float64, len(fields))
		for c := range fields {
			row[c] = value(t, &fields[c])
			b.X[c*b.Stride+r] = row[c]
		}
		want[r] = byDefinition(index, len(fields), g.width, func(set uint, dst []float64) {
			known(g, row, set, dst)
		})
	}
	for name, w := range ways {
		clear(b.Phi)
		w.add(b)
		for r := range rows {
			for i, want := range want[r] {
				if got := b.Phi[i*b.Stride+r]; math.Abs(got-want) > 1e-12 {
					t.Fatalf("%s: row %d, cell %d is %v, want %v", name, r, i, got, want)
				}
			}
		}
	}
}

// Rules of up to 40 points integrate powers exactly.
func TestQuadrature(t *testing.T) {
	for n := range 80 {
		r := ruleFor(n)
		for power := 0; power <= n; power++ {
			sum := 0.0
			for i, x := range r.point {
				sum += r.weight[i] * math.Pow(x, float64(power))
			}
			if want := 1 / float64(power+1); math.Abs(sum-want) > 1e-14 {
				t.Errorf("%d factors: the integral of x^%d is %v, want %v", n, power, sum, want)
			}
		}
	}
}
