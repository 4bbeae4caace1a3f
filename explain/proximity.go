package explain

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// maxMatrixRows is the largest number of rows of which Proximities.Matrix makes a matrix: of 128
// MiB.
const maxMatrixRows = 4096

// ProximityOptions are the choices of NewProximities. The zero value counts all trees.
type ProximityOptions struct {
	Workers int // goroutines; 0 = one per processor. The result is the same for any number

	// InBag holds by tree and row how often the tree was trained on the row. With it, a pair of
	// rows counts only in the trees that have both of them out of the bag, which have not been
	// fitted to them. Models do not store bags: only the training of a forest can provide them. nil
	// = all trees count.
	InBag [][]uint32
}

// Proximities are how near the rows of a table are to each other by the leaves of a model's trees.
// The proximity of two rows is the fraction of the trees in which both end in the same leaf, from 0
// to 1; it is 1 of a row and itself (Breiman 2001; Breiman & Cutler, Random Forests, section
// Proximities). All trees have equal weight, whatever their weights in the model. A row that a
// missing value divides goes the way of the largest fraction.
//
// They take 4 bytes for each row and tree; proximities are computed on request. Rows are numbered
// from 0 as in the list that they were made of.
//
// Of each tree, the rows of a leaf make a ring, so that from any row all others in its leaf are
// found:
//
//	leaf    7 9 7 7 9       (row 3 in no ring: it is in the tree's bag)
//	ring    2 4 0 - 1
type Proximities struct {
	ring [][]int32 // by tree and row: the next row in the leaf; -1 = in the bag
	rows int
	// by row: a bit for each tree that has it out of the bag, in words per row; nil = all count
	out     []uint64
	words   int
	workers int
}

// inBag is the ring of a row that a tree was trained on.
const inBag = -1

// NewProximities walks rows of a frame down the trees of a model; nil means all rows. The model is
// of any type that has leaves: trees, committees of them, rules; the errors are those of its Bind
// and of Predict.
func NewProximities(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o ProximityOptions,
) (*Proximities, error) {
	bound, err := m.Bind(&f.Schema, model.Options{Output: model.Leaf, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	rows = f.Chosen(rows)
	p := &Proximities{rows: len(rows), workers: parallel.Workers(o.Workers),
		ring: make([][]int32, bound.Width())}
	if err := p.setBags(o.InBag); err != nil {
		return nil, err
	}
	for t := range p.ring {
		p.ring[t] = make([]int32, len(rows))
	}
	if err := p.walk(ctx, bound, f, rows); err != nil {
		return nil, err
	}
	parallel.Each(p.workers, len(p.ring), func(_, t int) { p.link(t) })
	return p, nil
}

// setBags notes which rows are out of which bags.
func (p *Proximities) setBags(bags [][]uint32) error {
	if bags == nil {
		return nil
	}
	if len(bags) != len(p.ring) {
		return fmt.Errorf("bags of %d trees for a model of %d", len(bags), len(p.ring))
	}
	p.words = (len(bags) + 63) / 64
	p.out = make([]uint64, p.rows*p.words)
	for t, bag := range bags {
		if len(bag) != p.rows {
			return fmt.Errorf("tree %d: a bag of %d rows for %d", t, len(bag), p.rows)
		}
		for row, n := range bag {
			if n == 0 {
				p.out[row*p.words+t/64] |= 1 << (t % 64)
			}
		}
	}
	return nil
}

// leafRows is the number of rows whose leaves are computed at a time.
const leafRows = 8192

// walk fills the rings with the numbers of leaves.
func (p *Proximities) walk(
	ctx context.Context, bound model.Predictor, f *data.Frame, rows []int32,
) error {
	width := bound.Width()
	leaves := make([]float64, min(leafRows, len(rows))*width)
	for first := 0; first < len(rows); first += leafRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := rows[first:min(first+leafRows, len(rows))]
		if err := bound.Predict(leaves, f, block); err != nil {
			return err
		}
		for i := range block {
			for t, leaf := range leaves[i*width : (i+1)*width] {
				p.ring[t][first+i] = int32(leaf)
			}
		}
	}
	return nil
}

// link turns the leaves of a tree into rings.
func (p *Proximities) link(t int) {
	ring := p.ring[t]
	if len(ring) == 0 {
		return
	}
	head := make([]int32, slices.Max(ring)+1) // by leaf: the lowest row so far, from 1
	tail := make([]int32, len(head))
	for row := int32(len(ring) - 1); row >= 0; row-- {
		leaf := ring[row]
		switch {
		case p.out != nil && p.out[int(row)*p.words+t/64]>>(t%64)&1 == 0:
			ring[row] = inBag
			continue
		case head[leaf] == 0:
			tail[leaf] = row
		default:
			ring[row] = head[leaf] - 1
		}
		head[leaf] = row + 1
	}
	for leaf, first := range head {
		if first > 0 {
			ring[tail[leaf]] = first - 1
		}
	}
}

// Rows returns the number of rows.
func (p *Proximities) Rows() int { return p.rows }

// Trees returns the number of trees.
func (p *Proximities) Trees() int { return len(p.ring) }

// meeting is the memory of one goroutine: the rows that are in leaves of a row.
type meeting struct {
	p     *Proximities
	times []uint32 // by row: trees in which it is in the leaf of the row
	met   []int32  // rows with times, in the order in which they were met
}

// begin finds all rows that are in leaves of row i; end removes them.
func (m *meeting) begin(i int32) {
	for _, ring := range m.p.ring {
		if ring[i] == inBag {
			continue
		}
		for k := ring[i]; k != i; k = ring[k] {
			if m.times[k]++; m.times[k] == 1 {
				m.met = append(m.met, k)
			}
		}
	}
}

func (m *meeting) end() {
	for _, k := range m.met {
		m.times[k] = 0
	}
	m.met = m.met[:0]
}

// proximity is that of row i and of a row that begin found.
func (m *meeting) proximity(i, k int32) float64 {
	p := m.p
	if p.out == nil {
		return float64(m.times[k]) / float64(len(p.ring))
	}
	both := 0
	a, b := p.out[int(i)*p.words:], p.out[int(k)*p.words:]
	for w := range p.words {
		both += bits.OnesCount64(a[w] & b[w])
	}
	return float64(m.times[k]) / float64(both)
}

// each calls visit for every row, on several goroutines. It ends with the error of a cancelled
// context.
func (p *Proximities) each(ctx context.Context, visit func(m *meeting, i int32)) error {
	const block = 32
	blocks := (p.rows + block - 1) / block
	meetings := make([]*meeting, max(1, min(p.workers, blocks)))
	for w := range meetings {
		meetings[w] = &meeting{p: p, times: make([]uint32, p.rows)}
	}
	return parallel.EachUntil(ctx, len(meetings), blocks, func(worker, b int) {
		m := meetings[worker]
		for i := b * block; i < min((b+1)*block, p.rows); i++ {
			m.begin(int32(i))
			visit(m, int32(i))
			m.end()
		}
	})
}

// Neighbour is a row with its proximity to another.
type Neighbour struct {
	Row       int32
	Proximity float64
}

// Neighbours returns for each row the k rows of the largest proximity to it, the nearest first, of
// equal ones the one of lower number; fewer if fewer are near at all. k is at least 1.
func (p *Proximities) Neighbours(ctx context.Context, k int) ([][]Neighbour, error) {
	if k < 1 {
		return nil, fmt.Errorf("the nearest %d neighbours: want at least 1", k)
	}
	all := make([][]Neighbour, p.rows)
	err := p.each(ctx, func(m *meeting, i int32) { all[i] = m.nearest(i, k) })
	return all, err
}

// NeighboursOf returns what Neighbours has of one row, in time in proportion to the rows that are
// near. k is at least 1.
func (p *Proximities) NeighboursOf(row int32, k int) ([]Neighbour, error) {
	switch {
	case k < 1:
		return nil, fmt.Errorf("the nearest %d neighbours: want at least 1", k)
	case uint(row) >= uint(p.rows):
		return nil, &data.RowError{Row: row, Rows: p.rows}
	}
	m := &meeting{p: p, times: make([]uint32, p.rows)}
	m.begin(row)
	return m.nearest(row, k), nil
}

// nearest returns the k nearest of the rows that begin found for row i.
func (m *meeting) nearest(i int32, k int) []Neighbour {
	near := make([]Neighbour, 0, len(m.met))
	for _, row := range m.met {
		near = append(near, Neighbour{row, m.proximity(i, row)})
	}
	slices.SortFunc(near, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Proximity, a.Proximity), cmp.Compare(a.Row, b.Row))
	})
	return slices.Clone(near[:min(k, len(near))])
}

// Matrix returns the proximities of all pairs, row after row. More than 4096 rows are an error.
func (p *Proximities) Matrix(ctx context.Context) ([]float64, error) {
	if p.rows > maxMatrixRows {
		return nil, fmt.Errorf("a matrix of the proximities of %d rows: the limit is %d, list the "+
			"nearest neighbours of each row instead", p.rows, maxMatrixRows)
	}
	all := make([]float64, p.rows*p.rows)
	err := p.each(ctx, func(m *meeting, i int32) {
		row := all[int(i)*p.rows : (int(i)+1)*p.rows]
		row[i] = 1
		for _, k := range m.met {
			row[k] = m.proximity(i, k)
		}
	})
	return all, err
}
