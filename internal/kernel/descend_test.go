package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// randomDescent returns a tree of split points and sets, and a block of rows, with missing values
// and infinities among numbers and codes. The first columns are numbers, the last sets.
func randomDescent(seed uint64, rows, columns, splits int) *Descent {
	r := rng.New(seed)
	d := &Descent{Nodes: []Node{leafNode(0)}, SetAt: []int32{0}, Tile: columns * TileRows}
	numbers := columns - r.Intn(2)*r.Intn(columns+1)
	for range splits {
		n := r.Intn(len(d.Nodes))
		if !d.Nodes[n].isLeaf() {
			continue
		}
		d.Nodes[n] = d.randomSplit(r, columns, numbers)
		d.Nodes = append(d.Nodes, leafNode(r.Intn(9)), leafNode(r.Intn(9)))
	}
	if r.Intn(8) == 0 {
		d.Nodes[len(d.Nodes)-1].Child = math.MaxInt32 - 8 // more than fits into packed nodes
	}
	if len(d.SetAt) == 1 {
		d.SetAt = nil
	}
	stride, tiles := TileRows, (rows+TileRows-1)/TileRows
	if d.SetAt != nil { // column by column
		stride, d.Tile = tiles*TileRows, TileRows
	}
	size := tiles * TileRows * columns
	d.Place = make([]uint32, 16*columns)
	for c := range columns {
		for rule := range 16 {
			d.Place[16*c+rule] = uint32(c * stride)
		}
		// another copy for those that send missing values to the first child
		d.Place[16*c] += uint32(size)
	}
	d.X = make([]float64, 2*size)
	single := r.Intn(2) == 0
	for row := range tiles * TileRows {
		for c := range columns {
			i := row/TileRows*d.Tile + c*stride + row%TileRows
			d.X[i] = randomValue(r, c < numbers)
			if single && c < numbers {
				d.X[i] = float64(float32(d.X[i]))
			}
			d.X[size+i] = d.X[i]
			if math.IsNaN(d.X[i]) {
				d.X[size+i] = math.Inf(-1)
			}
		}
	}
	d.Sieve = &Sieve{}
	d.randomCodes(r, rows, columns, numbers)
	if UsesFloats() && d.SetAt == nil {
		d.Floats, d.Scratch = d.floatsOf(rows, columns), &Scratch{}
	}
	if r.Intn(2) == 0 {
		d.Ranks = d.ranksOf(rows, columns, numbers)
		for s := range max(0, len(d.SetAt)-1) {
			if words := d.Sets[d.SetAt[s]:d.SetAt[s+1]]; len(words) > 0 {
				words[0] &= 1<<MaxRankedLevels - 1
				clear(words[1:])
			}
		}
	}
	return d
}

// floatsOf returns the values of a block once more, both copies of each column.
func (d *Descent) floatsOf(rows, columns int) *Floats {
	f := NewFloats(columns)
	f.Resize(rows, 2*columns)
	for c := range columns {
		for rule := range 2 {
			place := c + rule*columns
			f.Place(c, rule, place)
			for row := 0; row < rows; row += TileRows {
				from := row/TileRows*d.Tile + int(d.Place[16*c+rule])
				f.Put(place, row, d.X[from:from+min(TileRows, rows-row)])
			}
		}
	}
	return f
}

// TestFloors: rounding down is what it is in plain Go, and no value is below it.
func TestFloors(t *testing.T) { EachPath(t, testFloors) }

func testFloors(t *testing.T) {
	r := rng.New(7)
	for range 1000 {
		var values [TileRows]float64
		var fast, plain [TileRows]float32
		for i := range values {
			values[i] = math.Float64frombits(r.Uint64())
			if r.Intn(2) == 0 {
				values[i] = []float64{randomValue(r, true), 1e300, -1e300, 1e-300, -1e-300, float64(float32(r.Float64()))}[r.Intn(6)]
			}
		}
		if floors(&fast, values[:]) != floorsPlain(&plain, values[:]) {
			t.Fatalf("%v: exact in one of both only", values)
		}
		for i, x := range values {
			if math.Float32bits(fast[i]) != math.Float32bits(plain[i]) && x == x {
				t.Fatalf("%v becomes %v, in plain Go %v", x, fast[i], plain[i])
			}
			if above := math.Nextafter32(fast[i], float32(math.Inf(1))); x == x && !(float64(fast[i]) <= x && (float64(above) > x || x == math.Inf(1))) {
				t.Fatalf("%v becomes %v", x, fast[i])
			}
		}
	}
}

// randomCodes makes the codes of the columns of sets, but for one block in four.
func (d *Descent) randomCodes(r *rng.Stream, rows, columns, numbers int) {
	if r.Intn(4) == 0 {
		return
	}
	d.Codes = Codes{Width: make([]int32, columns), First: make([]int32, columns), Code: []uint16{}}
	for c := numbers; c < columns; c++ {
		width := 3 + int32(r.Intn(2)*r.Intn(100)) // no set is longer than 3 words
		d.Codes.Width[c], d.Codes.First[c] = width, int32(len(d.Codes.Code))
		for row := range rows {
			d.Codes.Code = append(d.Codes.Code, CodeOf(d.X[row+int(d.Place[16*c+1])], width))
		}
	}
}

func (n *Node) isLeaf() bool { return n.Look&15 == 0 }

// leafNode is a leaf with a slot, which is no node.
func leafNode(slot int) Node { return Node{Child: int32(slot), Look: math.MaxUint32 &^ 0xff} }

func (d *Descent) randomSplit(r *rng.Stream, columns, numbers int) Node {
	column, rule := r.Intn(columns), r.Intn(2)
	n := Node{Child: int32(len(d.Nodes)), Look: uint32(column<<8 | rule<<4 | 1)}
	if column < numbers {
		n.SplitPoint = []float64{randomValue(r, true), float64(r.Intn(7) - 3)}[r.Intn(2)]
		if math.IsNaN(n.SplitPoint) {
			n.SplitPoint = 0
		}
		return n
	}
	n.Look += 1 + uint32(r.Intn(2))
	n.SplitPoint = float64(len(d.SetAt) - 1)
	for range r.Intn(4) {
		d.Sets = append(d.Sets, r.Uint64())
	}
	d.SetAt = append(d.SetAt, int32(len(d.Sets)))
	return n
}

func randomValue(r *rng.Stream, number bool) float64 {
	switch {
	case r.Intn(6) == 0:
		return math.NaN()
	case !number:
		return []float64{-1, float64(r.Intn(64)), float64(r.Intn(200)), math.MaxUint32 - 1 - float64(r.Intn(2))}[r.Intn(4)]
	}
	return []float64{float64(r.Intn(7) - 3), r.Float64() - 0.5, math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64,
		1 + float64(r.Intn(4))/(1<<40)}[r.Intn(7)]
}

// walkOf follows one row by the definition of nodes.
func (d *Descent) walkOf(row int) int32 {
	n := int32(0)
	for !d.Nodes[n].isLeaf() {
		node := &d.Nodes[n]
		kind, rule, column := node.Look&15, node.Look>>4&15, int(node.Look>>8)
		x := d.X[row/TileRows*d.Tile+int(d.Place[16*column+1])+row%TileRows]
		second := x > node.SplitPoint
		if kind > 1 {
			set := d.Sets[d.SetAt[int(node.SplitPoint)]:d.SetAt[int(node.SplitPoint)+1]]
			held := x >= 0 && int64(x)/64 < int64(len(set)) && set[int64(x)/64]>>(int64(x)%64)&1 == 1
			second = held == (kind == 3)
		}
		if math.IsNaN(x) {
			second = rule == 1
		}
		n = node.Child
		if second {
			n++
		}
	}
	return n
}

func checkDescent(t *testing.T, seed uint64, rows, columns, splits int) {
	d := randomDescent(seed, rows, columns, splits)
	fast, plain := make([]int32, rows), make([]int32, rows)
	d.Descend(fast)
	d.descend(plain)
	if !slices.Equal(fast, plain) {
		t.Fatalf("seed %d, %d rows, %d columns, %d splits: rows end at %v, in plain Go at %v", seed, rows, columns, splits, fast, plain)
	}
	d.Slots = true
	slots := make([]int32, rows)
	d.Descend(slots)
	for r, n := range plain {
		if slots[r] != d.Nodes[n].Child {
			t.Fatalf("seed %d: row %d has slot %d, the one of node %d is %d", seed, r, slots[r], n, d.Nodes[n].Child)
		}
		if want := d.walkOf(r); n != want {
			t.Fatalf("seed %d, %d rows, %d columns, %d splits: row %d ends at %d, want %d", seed, rows, columns, splits, r, n, want)
		}
	}
}

func TestDescend(t *testing.T) { EachPath(t, testDescend) }

func testDescend(t *testing.T) {
	for seed := range uint64(tier.Count(40, 120, 3000)) {
		r := rng.New(seed, 1)
		checkDescent(t, seed, r.Intn(400), 1+r.Intn(100), r.Intn(300))
	}
	// A row of more values than are fetched ahead, and blocks around the number of lanes.
	for rows := 0; rows < 70; rows += tier.Count(3, 1, 1) {
		checkDescent(t, uint64(rows), rows, 70, 40)
	}
}

func FuzzDescend(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint8(7), uint8(50))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, columns, splits uint8) {
		EveryPath(func() {
			checkDescent(t, seed, int(rows), 1+int(columns), int(splits))
		})
	})
}
