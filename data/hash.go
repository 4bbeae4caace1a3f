package data

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Hash stands for the rows of a table, so that two tables can be compared without either. As text
// it has 16 hexadecimal digits. It finds accidents, not forgeries: it is not cryptographic.
type Hash uint64

// String returns the digits.
func (h Hash) String() string { return fmt.Sprintf("%016x", uint64(h)) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) error {
	x, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("%q is no hash: want 16 hexadecimal digits", text)
	}
	*h = Hash(x)
	return nil
}

// Hash returns the hash of rows, nil = all, in their order: of the names, kinds and values of the
// columns, and of what the target has: labels, weights, groups and the like. It is the same on
// every machine and for any number of workers; 0 = one per processor. Categories and classes count
// by their texts, so the order of a dictionary has no effect. Weights that are all 1 count as none.
// Missing values are equal to each other, as are 0 and -0.
func (d *Dataset) Hash(rows []int32, workers int) Hash {
	rows = d.Chosen(rows)
	columns := make([]uint64, len(d.Columns))
	ascend := slices.IsSorted(rows)
	parallel.Each(parallel.Workers(workers), len(columns), func(_, i int) {
		columns[i] = hashColumn(&d.Schema.Fields[i], &d.Columns[i], rows, ascend)
	})
	return hashOf(len(rows), columns, d.Target.hash(rows, d.Rows()))
}

// hashOf returns the hash of so many rows, given those of the columns and of the target.
func hashOf(rows int, columns, target []uint64) Hash {
	parts := append([]uint64{uint64(rows), uint64(len(columns))}, columns...)
	return Hash(rng.Seed(0, append(parts, target...)...))
}

// hash returns the hashes of what a target of a table has, in a fixed order; 0 for what it lacks.
func (t *Target) hash(rows []int32, all int) []uint64 {
	var labels labelHashes
	labels.add(t, rows)
	parts := labels.sums(t)
	if t.Group != nil {
		parts[4] = hashWords(rows, func(row int32) uint64 { return uint64(t.Group[row]) })
	}
	if t.Time != nil {
		parts[5] = hashWords(rows, func(row int32) uint64 { return uint64(t.Time[row]) })
	}
	if t.Weight != nil && slices.ContainsFunc(rows, func(r int32) bool { return t.Weight[r] != 1 }) {
		parts[6] = hashNumbers(t.Weight, rows)
	}
	if width := len(t.Offset) / max(1, all); width > 0 {
		parts[8] = hashWords(rows, func(row int32) uint64 {
			return hashNumbers(t.Offset[int(row)*width:][:width], AllRows(width))
		})
	}
	return parts
}

// labelHashes are the hashes of labels, which may come in blocks.
type labelHashes struct {
	class, event, upper hasher
	y                   []hasher
}

// add adds rows of a target.
func (h *labelHashes) add(t *Target, rows []int32) {
	if t.Class != nil {
		h.class.addCodes(t.Class, hashTexts(t.Classes), rows)
	}
	if t.Event != nil {
		h.event.addWords(rows, func(row int32) uint64 { return uint64(t.Event[row]) })
	}
	if t.Upper != nil {
		h.upper.addNumbers(t.Upper, rows)
	}
	for len(h.y) < len(t.Y) {
		h.y = append(h.y, hasher{})
	}
	for i, y := range t.Y {
		h.y[i].addNumbers(y, rows)
	}
}

// sums ends the hashes, with places for those of Target.hash.
func (h *labelHashes) sums(t *Target) []uint64 {
	parts := []uint64{hashText(t.Name), uint64(t.Task), 0, 0, 0, 0, 0, 0, 0}
	if t.Class != nil {
		parts[2] = h.class.sum()
	}
	if t.Event != nil {
		parts[3] = h.event.sum()
	}
	if t.Upper != nil {
		parts[7] = h.upper.sum()
	}
	for i := range h.y {
		parts = append(parts, h.y[i].sum())
	}
	return parts
}

// hashColumn returns the hash of a column's name, kind and values. ascend reports whether the rows
// do.
func hashColumn(f *Field, c *Column, rows []int32, ascend bool) uint64 {
	var h sparseHasher
	h.addColumn(f, hashTexts(f.Levels), c, rows, ascend)
	return h.columnSum(f)
}

// hashText returns the hash of a text: FNV-1a with 64 bits.
func hashText(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// hashTexts returns the hashes of texts.
func hashTexts(texts []string) []uint64 {
	of := make([]uint64, len(texts))
	for i, text := range texts {
		of[i] = hashText(text)
	}
	return of
}

// columnHashes are the hashes of columns whose rows come in blocks.
type columnHashes struct {
	fields []Field
	levels [][]uint64 // hashes of the texts of categories
	of     []sparseHasher
	rows   int // of the blocks so far
}

func newColumnHashes(fields []Field) *columnHashes {
	c := &columnHashes{fields: fields, of: make([]sparseHasher, len(fields))}
	for i := range fields {
		c.levels = append(c.levels, hashTexts(fields[i].Levels))
	}
	return c
}

// add adds rows of a block, ascending.
func (c *columnHashes) add(f *Frame, rows []int32) {
	parallel.Each(parallel.Workers(0), len(c.fields), func(_, i int) {
		c.of[i].addColumn(&c.fields[i], c.levels[i], &f.Columns[i], rows, true)
	})
	c.rows += len(rows)
}

// sums ends the hashes.
func (c *columnHashes) sums() []uint64 {
	sums := make([]uint64, len(c.fields))
	for i := range sums {
		sums[i] = c.of[i].columnSum(&c.fields[i])
	}
	return sums
}

// hashNumbers returns the hash of numbers.
func hashNumbers(values []float64, rows []int32) uint64 {
	var h hasher
	h.addNumbers(values, rows)
	return h.sum()
}

// hashWord returns the word of a number.
func hashWord(v float64) uint64 {
	switch {
	case v != v:
		return missingWord
	case v == 0:
		return 0 // -0 too
	}
	return math.Float64bits(v)
}

// missingWord is the word of a missing value.
var missingWord = math.Float64bits(math.NaN())

// hashWords returns the hash of a word for each row.
func hashWords(rows []int32, word func(row int32) uint64) uint64 {
	var h hasher
	h.addWords(rows, word)
	return h.sum()
}

// hasher mixes words in four lanes, which a processor does at the same time. All but the last call
// of add are for a full block.
type hasher struct {
	words  [64]uint64
	filled int // of a block that is not full
	lanes  [4]uint64
	n      uint64
}

// places returns those of the next words, as many of the rows as a block has places for.
func (h *hasher) places(rows []int32) []uint64 {
	if h.filled == len(h.words) {
		h.add(h.filled)
		h.filled = 0
	}
	to := h.words[h.filled:]
	to = to[:min(len(to), len(rows))]
	h.filled += len(to)
	return to
}

// addWords adds a word for each row.
func (h *hasher) addWords(rows []int32, word func(row int32) uint64) {
	for len(rows) > 0 {
		to := h.places(rows)
		for i, row := range rows[:len(to)] {
			to[i] = word(row)
		}
		rows = rows[len(to):]
	}
}

// addNumbers adds numbers.
func (h *hasher) addNumbers(values []float64, rows []int32) {
	for len(rows) > 0 {
		to := h.places(rows)
		for i, row := range rows[:len(to)] {
			to[i] = hashWord(values[row])
		}
		rows = rows[len(to):]
	}
}

// addCodes adds categories, given the hashes of their texts.
func (h *hasher) addCodes(codes []uint32, of []uint64, rows []int32) {
	h.addWords(rows, func(row int32) uint64 {
		if code := codes[row]; int64(code) < int64(len(of)) {
			return of[code]
		}
		return uint64(codes[row]) // missing or unseen
	})
}

// The factors are odd, so that multiplication loses nothing.
const (
	hashFactor1 = 0x9e3779b97f4a7c15
	hashFactor2 = 0xd6e8feb86659fd93
)

// add mixes in the first n words. Places up to the next multiple of four count as 0.
func (h *hasher) add(n int) {
	h.n += uint64(n)
	padded := (n + 3) &^ 3
	clear(h.words[n:padded])
	a, b, c, d := h.lanes[0], h.lanes[1], h.lanes[2], h.lanes[3]
	for w := h.words[:padded]; len(w) >= 4; w = w[4:] {
		a = bits.RotateLeft64(a^w[0]*hashFactor1, 29) * hashFactor2
		b = bits.RotateLeft64(b^w[1]*hashFactor1, 29) * hashFactor2
		c = bits.RotateLeft64(c^w[2]*hashFactor1, 29) * hashFactor2
		d = bits.RotateLeft64(d^w[3]*hashFactor1, 29) * hashFactor2
	}
	h.lanes = [4]uint64{a, b, c, d}
}

// sum returns the hash of all words so far.
func (h *hasher) sum() uint64 {
	if h.filled > 0 {
		h.add(h.filled)
		h.filled = 0
	}
	return rng.Seed(h.n, h.lanes[0], h.lanes[1], h.lanes[2], h.lanes[3])
}
