package random

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
)

// tile is one worker's memory for the columns that are scanned together: of values in double
// precision in two vectors, or in single precision in one.
type tile struct {
	inSingles bool
	vectors   int // of columns in double precision
	columns   [2][lanes][]float64
	singles   [tileColumns][]float32
	stride    int
	values    [2][]float64
	single    []float32
	spans     [2]kernel.Spans
	span      kernel.SingleSpans
	limits    [2][lanes]float64
	limit     [tileColumns]float32 // the greatest numbers that are not above the limits
	pairs     kernel.PairSums
	counts    kernel.PairSums
	slots     []kernel.SlotSums
}

// scanTile scans up to tileColumns numeric columns, whose places among those of the node are given.
func (r *strategy) scanTile(
	s *scan.Scanner, nd *growth.Node, columns []int32, places []int32,
) {
	x, m := r.together, r.scratches[s.Worker].tile
	m.load(r.numbers, columns, places, len(nd.Rows))
	m.findSpans(nd.Rows)
	if r.sampleThresholds(s, nd, columns, places) {
		x.sum(m, nd.Rows)
		for k, i := range places {
			if c := &x.scanned[i]; c.found == atThreshold {
				x.take(c, m, k)
			}
		}
	}
}

// load makes the columns of some places those of the tile. The last one fills its vector.
func (m *tile) load(x *numbers, columns, places []int32, rows int) {
	m.vectors = (len(places) + lanes - 1) / lanes
	n := min(rows, tileRows)
	if m.inSingles = x.byRow.single != nil; m.inSingles {
		m.single = slices.Grow(m.single[:0], tileColumns*n)[:tileColumns*n]
		for k, i := range places {
			m.singles[k], m.stride = x.single(columns[i], rows)
		}
		for k := len(places); k < tileColumns; k++ {
			m.singles[k] = m.singles[k-1]
		}
		return
	}
	for v := range m.vectors {
		m.values[v] = slices.Grow(m.values[v][:0], lanes*n)[:lanes*n]
	}
	for k := range m.vectors * lanes {
		c := columns[places[min(k, len(places)-1)]]
		m.columns[k/lanes][k%lanes], m.stride = x.double(c, rows)
	}
}

// findSpans copies the values of rows to the tile, a part of the rows at a time, and finds the
// spans of all.
func (m *tile) findSpans(rows []uint32) {
	if m.inSingles {
		m.span.Reset()
	} else {
		m.spans[0].Reset()
		m.spans[1].Reset()
	}
	for lo := 0; lo < len(rows); lo += tileRows {
		m.gather(rows[lo:min(lo+tileRows, len(rows))])
	}
}

// gather copies the values of rows to the tile, both vectors of some rows while these are in the
// cache. It extends the spans.
func (m *tile) gather(rows []uint32) {
	if m.inSingles {
		kernel.GatherSingles(m.single, &m.singles, m.stride, rows, &m.span)
		return
	}
	for lo := 0; lo < len(rows); lo += gatheredRows {
		some := rows[lo:min(lo+gatheredRows, len(rows))]
		for v := range m.vectors {
			kernel.GatherSpans(m.values[v][lanes*lo:], &m.columns[v], m.stride, some, &m.spans[v])
		}
	}
}

// spanOf returns the least and the greatest value of a column, and whether one is missing.
func (m *tile) spanOf(k int) (least, most float64, missing bool) {
	if m.inSingles {
		return float64(m.span.Least[k]), float64(m.span.Most[k]), m.span.Missing[k] != 0
	}
	s, lane := &m.spans[k/lanes], k%lanes
	return s.Least[lane], s.Most[lane], s.Missing[lane] != 0
}

// noLimits makes the limits such that no row is up to them.
func (m *tile) noLimits() {
	for k := range m.limit {
		m.limit[k] = float32(math.Inf(-1))
		m.limits[k/lanes][k%lanes] = math.Inf(-1)
	}
}

// setLimit sets the limit of a column.
func (m *tile) setLimit(k int, limit float64) {
	if !m.inSingles {
		m.limits[k/lanes][k%lanes] = limit
		return
	}
	m.limit[k] = float32(limit)
	if float64(m.limit[k]) > limit {
		m.limit[k] = nextBelow(m.limit[k])
	}
}

// nextBelow returns the next number below a finite one.
func nextBelow(x float32) float32 {
	switch b := math.Float32bits(x); {
	case x > 0:
		return math.Float32frombits(b - 1)
	case x < 0:
		return math.Float32frombits(b + 1)
	}
	return -math.SmallestNonzeroFloat32
}

// sampleThresholds chooses the thresholds of columns by their spans. It reports whether there are
// any.
func (r *strategy) sampleThresholds(
	s *scan.Scanner, nd *growth.Node, columns []int32, places []int32,
) (any bool) {
	x, m := r.together, r.scratches[s.Worker].tile
	m.noLimits()
	streams := rng.NewStem(nd.Key, growth.SplitStream)
	for k, i := range places {
		least, most, missing := m.spanOf(k)
		c := &x.scanned[i]
		if c.found = nowhere; !missing && least == most {
			continue
		}
		threshold := between(least, most, streams.Float64(uint64(columns[i])))
		if !(least <= threshold && threshold < most) {
			threshold = least
		}
		// The sign of a zero that is least is not known, and not what a uniform number is between
		// infinite ends.
		if missing || math.IsInf(least, 0) || math.IsInf(most, 0) ||
			threshold == 0 {
			r.scanAlone(s, nd, columns, i)
			continue
		}
		c.found, c.threshold, any = atThreshold, threshold, true
		m.setLimit(k, threshold)
	}
	return any
}

// sum adds up the labels of the rows up to the thresholds.
func (x *together) sum(m *tile, rows []uint32) {
	switch {
	case x.sumWidth > 0:
		clear(m.slots)
	default:
		m.pairs = kernel.PairSums{}
	}
	if len(x.count) > 0 {
		m.counts = kernel.PairSums{}
	}
	for lo := 0; lo < len(rows); lo += tileRows {
		some := rows[lo:min(lo+tileRows, len(rows))]
		if len(rows) > tileRows {
			m.gather(some)
		}
		if hi := lo + len(some); m.inSingles {
			x.sumSingles(m, lo, hi)
		} else {
			x.sumDoubles(m, lo, hi)
		}
	}
}

// sumSingles adds up the labels of the rows from place lo to hi of the node, whose values in single
// precision are in the tile. sumDoubles does so in double precision.
func (x *together) sumSingles(m *tile, lo, hi int) {
	switch {
	case x.sumWidth > 0:
		kernel.SumSingleSlots(m.slots, m.single, &m.limit, x.class[lo:hi], x.weight[lo:hi])
	default:
		kernel.SumSinglePairs(&m.pairs, m.single, &m.limit, x.pairs[lo:hi])
	}
	if len(x.count) > 0 {
		kernel.SumSinglePairs(&m.counts, m.single, &m.limit, x.count[lo:hi])
	}
}

func (x *together) sumDoubles(m *tile, lo, hi int) {
	n := lanes * (hi - lo)
	a, b := m.values[0][:n], m.values[m.vectors-1][:n]
	if x.sumWidth > 0 {
		kernel.SumSlotsUpTo(m.slots, a, b, &m.limits, x.class[lo:hi], x.weight[lo:hi])
	} else {
		kernel.SumPairsUpTo(&m.pairs, a, b, &m.limits, x.pairs[lo:hi])
	}
	if len(x.count) > 0 {
		kernel.SumPairsUpTo(&m.counts, a, b, &m.limits, x.count[lo:hi])
	}
}

// take takes the sums of a column out of the tile.
func (x *together) take(c *column, m *tile, k int) {
	v, lane := k/lanes, k%lanes
	if x.sumWidth == 0 {
		c.first[0], c.first[1] = m.pairs[v][0][lane], m.pairs[v][1][lane]
	} else {
		for class := range m.slots {
			c.first[class] = m.slots[class][v][lane]
		}
	}
	sum := 0.0
	switch {
	case len(x.count) > 0:
		sum = m.counts[v][0][lane]
	case x.moments:
		sum = c.first[0]
	default:
		for _, n := range c.first {
			sum += n
		}
	}
	c.rows = int(sum)
}
