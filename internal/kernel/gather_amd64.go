//go:build amd64 && !purego

//lint:file-ignore U1000 some fields are only used by the assembly

package kernel

// gathers reports whether to take rows down by vectors that gather. Processors that have half
// precision arithmetic, of Intel's from Sapphire Rapids on, gather as fast as they load. Others
// have AVX-512 and take several times as long for it.
var gathers = forGathers.missing() == "" && hasHalf()

// hasHalf reports whether the processor has AVX512-FP16.
func hasHalf() bool

// UsesFloats reports whether Descend uses Floats.
func UsesFloats() bool { return gathers }

const (
	vectorLanes = 64  // rows that are on their way at once in vectors
	endsAtOnce  = 256 // rows that end before out is written
	nodesForRow = 16  // nodes of a tree, for each row, up to which it is worth packing them

	// the greatest number of a node, or of a slot, that fits into packed nodes
	maxPacked = 1<<childBits - 1
)

// gathering is what the assembly works on.
type gathering struct {
	*Descent
	nodes   *uint64
	x       *float32
	out     *int32
	rows    int
	stride  int
	slots   int // all ones: write slots
	inexact int // all ones: values were rounded

	row     [endsAtOnce + vectorLanes + 16]int32
	end     [endsAtOnce + vectorLanes + 16]int32
	tieRow  [16]int32 // where value and split point are equal
	tieNode [16]int32
}

// gather is Descend by vectors of packed nodes. It reports whether it could be done, and was worth
// its while.
func (d *Descent) gather(out []int32) bool {
	if !d.Packs(len(out)) {
		return false
	}
	scratch := d.Scratch
	if n := (len(d.Nodes) + 7) &^ 7; len(scratch.nodes) < n {
		scratch.nodes = make([]uint64, n)
	}
	if !d.pack(scratch.nodes) {
		return false
	}
	f := d.Floats
	a := gathering{Descent: d, nodes: &scratch.nodes[0], x: &f.X[0], out: &out[0], rows: len(out),
		stride: f.Stride}
	if d.Slots {
		a.slots = -1
	}
	if !f.Exact {
		a.inexact = -1
	}
	gather(&a)
	return true
}

// Packs reports whether Descend begins by reading all nodes, for so many rows.
func (d *Descent) Packs(rows int) bool {
	f := d.Floats
	return gathers && f != nil && rows > vectorLanes &&
		len(d.Nodes) <= min(nodesForRow*rows, maxPacked) && f.Stride <= MaxPlaces &&
		len(f.X) >= rows*f.Stride && len(f.X) < 1<<31
}

// pack writes nodes in 8 bytes each: the split point rounded down to single precision, then, from
// the lowest bit, the child and Floats.At. It reports whether all children fit, and slots where
// these are requested.
func (d *Descent) pack(to []uint64) bool {
	n := len(d.Nodes) &^ 7
	over := uint32(0)
	if n > 0 {
		over = packNodes(&to[0], &d.Nodes[0], n, &d.Floats.At[0], len(d.Floats.At)-1, d.Slots)
	}
	if rest := d.Nodes[n:]; len(rest) > 0 {
		var last [8]Node
		copy(last[:], rest)
		over |= packNodes(&to[n], &last[0], 8, &d.Floats.At[0], len(d.Floats.At)-1, d.Slots)
	}
	return over <= maxPacked
}

// packNodes packs n nodes, a multiple of 8, and returns all children, or-ed; those of leaves are
// nothing unless they are slots.
//
//go:noescape
func packNodes(to *uint64, nodes *Node, n int, at *uint32, leaf int, slots bool) uint32

//go:noescape
func gather(a *gathering)

// floors is floorsPlain.
func floors(dst *[TileRows]float32, values []float64) bool {
	if len(values) < TileRows || !gathers {
		return floorsPlain(dst, values)
	}
	return floorTile(dst, &values[0])
}

//go:noescape
func floorTile(dst *[TileRows]float32, values *float64) bool
