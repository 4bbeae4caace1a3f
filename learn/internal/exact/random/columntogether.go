package random

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/tree"
)

// The numeric columns of a node are scanned together, in vectors that have a lane for each column:
//
//	rows      3     8     9          of the node
//	tile      abcd  abcd  abcd       their values in columns a to d
//	spans     the least and the greatest of each column, between which its threshold is chosen
//	sums      per column, those of the labels of rows up to the threshold
//
// The results are those of scanColumn, which scans what remains: categories, and columns without a
// value in some of the node's rows or with infinite ones.

const (
	lanes = kernel.SpanColumns
	// columns that are scanned together
	tileColumns = 2 * lanes
	// rows of a tile: nodes of more are gathered twice, a tile at a time
	tileRows = 4 * growth.SubtreeRows
	// rows whose values are copied together
	gatheredRows = 1 << 7
)

// together is what the workers of a node use together, but for the splits that they find.
type together struct {
	// of the node's rows: for two classes the weight of each, else the weight and what it times the
	// label is
	pairs [][2]float64
	// of more classes
	class  []uint32
	weight []float64
	count  [][2]float64 // multiplicity and 0, where rows have weights

	all      []int32  // all columns
	numeric  []int32  // places of the numeric ones among the columns that a node scans
	others   []int32  // and of the others
	scanned  []column // by place
	sumWidth int      // statistics of many classes; 0 = pairs are added up
	moments  bool     // the label is a number
}

// column is what the scan of a column found.
type column struct {
	found     found
	threshold float64
	rows      int       // up to the threshold
	first     []float64 // their statistics
}

// found is where the split of a column is.
type found uint8

const (
	nowhere found = iota
	atThreshold
	alone // in Chooser.Found
)

// newTogether returns nil where columns are scanned one by one.
func newTogether(r *strategy) *together {
	t := r.Task
	if r.thresholds != 1 || t.Unlabeled || t.Family == criterion.Values {
		return nil
	}
	n := len(r.codes)
	x := &together{scanned: make([]column, n), moments: t.Family == criterion.Moments}
	sums := make([]float64, n*t.Width)
	for i := range n {
		x.all = append(x.all, int32(i))
		x.scanned[i].first = sums[i*t.Width:][:t.Width]
	}
	if t.Family == criterion.Classes && t.Width != 2 {
		x.sumWidth = t.Width
	}
	for i := range r.scratches {
		r.scratches[i].tile = &tile{slots: make([]kernel.SlotSums, x.sumWidth)}
	}
	return x
}

// Best returns the best split of a node, as Chooser.Best.
func (r *strategy) Best(nd *growth.Node) growth.Split {
	if r.together == nil {
		return r.Chooser.Best(nd)
	}
	if r.Sampler == nil {
		return r.bestOf(nd, r.together.all)
	}
	best := r.bestOf(nd, r.Sampler.Start(nd.Key))
	r.EndSample(nd, &best)
	return best
}

// bestOf returns the best split by some columns.
func (r *strategy) bestOf(nd *growth.Node, columns []int32) growth.Split {
	x := r.together
	x.load(r.Task, nd)
	x.numeric, x.others = x.numeric[:0], x.others[:0]
	for i, c := range columns {
		if r.codes[c] == nil {
			x.numeric = append(x.numeric, int32(i))
		} else {
			x.others = append(x.others, int32(i))
		}
	}
	if len(r.Team) > 1 {
		r.scanParts(nd, columns)
	} else {
		for k := range x.parts() {
			r.scanPart(r.Team[0], nd, columns, k)
		}
	}
	return r.choose(nd, columns)
}

// parts returns the number of parts of the work on a node.
func (x *together) parts() int {
	return (len(x.numeric)+tileColumns-1)/tileColumns + len(x.others)
}

// scanParts scans the columns of a node by several workers.
func (r *strategy) scanParts(nd *growth.Node, columns []int32) {
	r.Each(r.together.parts(), len(nd.Rows)*tileColumns,
		func(s *scan.Scanner, k int) { r.scanPart(s, nd, columns, k) })
}

// scanPart scans some numeric columns, or one of another kind.
func (r *strategy) scanPart(s *scan.Scanner, nd *growth.Node, columns []int32, part int) {
	x := r.together
	if lo := part * tileColumns; lo < len(x.numeric) {
		r.scanTile(s, nd, columns, x.numeric[lo:min(lo+tileColumns, len(x.numeric))])
		return
	}
	part -= (len(x.numeric) + tileColumns - 1) / tileColumns
	r.scanAlone(s, nd, columns, x.others[part])
}

// scanAlone scans the column of a place by itself.
func (r *strategy) scanAlone(s *scan.Scanner, nd *growth.Node, columns []int32, place int32) {
	c := &r.together.scanned[place]
	c.found, r.Found[place] = nowhere, r.scanColumn(s, nd, int(columns[place]))
	if r.Found[place].Found() {
		c.found = alone
	}
}

// choose returns the best of the splits that were found, in the order of their columns.
func (r *strategy) choose(nd *growth.Node, columns []int32) growth.Split {
	x, s := r.together, r.Team[0]
	s.Begin(nd, 0)
	for i := range columns {
		switch c := &x.scanned[i]; c.found {
		case atThreshold:
			s.Offer(c.first, c.rows, scan.Mark{At: i, Missing: tree.MissingLast})
		case alone:
			s.Compare(&r.Found[i], i)
		}
	}
	s.Decide()
	at := s.Best.At
	switch {
	case at == scan.NoMark:
		return growth.Split{Feature: -1}
	case x.scanned[at].found == alone:
		return r.Found[at]
	}
	b := growth.Split{Gain: s.Gain, Per: s.Per, Feature: columns[at], Kind: tree.Numeric,
		SplitPoint: x.scanned[at].threshold, Missing: s.Best.Missing}
	s.Place(&b, 0)
	return b
}

// load makes the labels of a node those that sums use. The loops over tiles then read them in turn,
// once for each group of columns, and need no case for weights. Numbers are about the origin of the
// node, so that sums lose no digits where all of them are far from 0.
func (x *together) load(t *scan.Task, nd *growth.Node) {
	n, unit := len(nd.Rows), t.Pop.Weight == nil && t.Pop.Count == nil
	if t.Pop.Weight != nil {
		x.count = slices.Grow(x.count[:0], n)[:n]
		for i, pos := range nd.Rows {
			x.count[i] = [2]float64{float64(t.Multiplicity(pos))}
		}
	}
	if x.sumWidth > 0 {
		x.class, x.weight = slices.Grow(x.class[:0], n)[:n], slices.Grow(x.weight[:0], n)[:n]
		for i, pos := range nd.Rows {
			x.class[i], x.weight[i] = t.Pop.Class[pos], t.Weight(pos)
		}
		return
	}
	x.pairs = slices.Grow(x.pairs[:0], n)[:n]
	pairs := x.pairs
	switch {
	case t.Family == criterion.Classes && unit:
		class := t.Pop.Class
		for i, pos := range nd.Rows {
			pairs[i] = ofClass[class[pos]&1]
		}
	case t.Family == criterion.Classes:
		for i, pos := range nd.Rows {
			pairs[i] = [2]float64{}
			pairs[i][t.Pop.Class[pos]&1] = t.Weight(pos)
		}
	case unit:
		y, origin := t.Pop.Y, nd.Origin
		for i, pos := range nd.Rows {
			pairs[i] = [2]float64{1, y[pos] - origin}
		}
	default:
		for i, pos := range nd.Rows {
			w := t.Weight(pos)
			pairs[i] = [2]float64{w, float64(w * (t.Pop.Y[pos] - nd.Origin))}
		}
	}
}

// ofClass is the pairs of rows of weight 1.
var ofClass = [2][2]float64{{1, 0}, {0, 1}}
