package kernel

import "math"

// Floats are the rows of a block once more, in single precision and row after row, for vectors of
// rows that go down a tree without sets. A value is rounded down, and so is a split point: where
// the two differ, the rounded values compare as the exact ones. Where they are equal and the value
// was rounded, Descend compares the exact ones.
type Floats struct {
	X      []float32
	Stride int  // values of a row
	Exact  bool // no value was rounded

	// At is the place of the value that a node tests in a row, times 1<<childBits. Its index is
	// that of Descent.Place; an element for leaves follows.
	At []uint32
}

// Scratch is memory for the packed nodes of a tree.
type Scratch struct{ nodes []uint64 }

const (
	childBits = 22
	leafAt    = 1<<(32-childBits) - 1
)

// MaxPlaces is the number of values of a row of Floats up to which Descend uses them.
const MaxPlaces = leafAt

// NewFloats returns Floats for nodes that test some columns, without rows and places.
func NewFloats(columns int) *Floats {
	f := &Floats{At: make([]uint32, 16*columns+1)}
	f.At[16*columns] = leafAt << childBits
	return f
}

// Resize allocates memory for rows of some values, up to MaxPlaces.
func (f *Floats) Resize(rows, values int) {
	if n := rows * values; cap(f.X) < n {
		f.X = make([]float32, n)
	}
	f.X, f.Stride, f.Exact = f.X[:rows*values], values, true
}

// Place sets the place of the row, below MaxPlaces, that nodes test for a column and a rule.
func (f *Floats) Place(column, rule, place int) {
	f.At[16*column+rule] = uint32(place) << childBits
}

// Put writes the values of up to TileRows rows, from one on, to a place of theirs.
func (f *Floats) Put(place, row int, values []float64) {
	var narrow [TileRows]float32
	if !floors(&narrow, values) {
		f.Exact = false
	}
	to := f.X[row*f.Stride+place:]
	for i := range values {
		to[i*f.Stride] = narrow[i]
	}
}

// floorsPlain rounds values down, to single precision, and reports whether that changed none; NaN
// stays what it is. It is the twin of the assembly.
func floorsPlain(dst *[TileRows]float32, values []float64) bool {
	exact := true
	for i, x := range values {
		f := float32(x)
		if float64(f) > x {
			f = math.Nextafter32(f, float32(math.Inf(-1)))
		}
		dst[i] = f
		exact = exact && (float64(f) == x || x != x)
	}
	return exact
}
