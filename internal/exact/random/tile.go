package random

import (
	"math"

	"github.com/coppice-ml/coppice/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// tile is one worker's memory for the columns that are scanned together.
type tile struct {
	reading reading
	columns [2][lanes][]float64
	singles [2][lanes][]float32
	stride  int
	values  [2][]float64
	spans   [2]kernel.Spans
	limits  [2][lanes]float64
	pairs   kernel.PairSums
	counts  kernel.PairSums
	slots   []kernel.SlotSums
}

// scanTile scans up to tileColumns numeric columns, whose places among those of the node are given.
func (r *strategy) scanTile(
	s *scan.Scanner, nd *growth.Node, columns []int32, places []int32,
) {
	x, m := r.together, r.scratches[s.Worker].tile
	vectors := (len(places) + lanes - 1) / lanes
	m.load(r.numbers, columns, places, len(nd.Rows))
	m.spans[0].Reset()
	m.spans[1].Reset()
	for lo := 0; lo < len(nd.Rows); lo += tileRows {
		m.gather(nd.Rows[lo:min(lo+tileRows, len(nd.Rows))], vectors)
	}
	if r.sampleThresholds(s, nd, columns, places) {
		x.sum(m, nd.Rows, vectors)
		for k, i := range places {
			if c := &x.scanned[i]; c.found == atThreshold {
				x.take(c, m, k)
			}
		}
	}
}

// load makes the columns of some places those of the tile. The last one fills its vector.
func (m *tile) load(x *numbers, columns, places []int32, rows int) {
	b := &x.byRow
	m.reading, m.stride = x.reading(rows), b.stride
	for k := range (len(places) + lanes - 1) / lanes * lanes {
		c := columns[places[min(k, len(places)-1)]]
		switch m.reading {
		case singleRows:
			m.singles[k/lanes][k%lanes] = b.single[b.place[c]:]
		case doubleRows:
			m.columns[k/lanes][k%lanes] = b.double[b.place[c]:]
		default:
			m.columns[k/lanes][k%lanes], m.stride = x.column(c), 1
		}
	}
}

// gather copies the values of rows to the tile, both vectors of some rows while these are in the
// cache.
func (m *tile) gather(rows []uint32, vectors int) {
	for lo := 0; lo < len(rows); lo += gatheredRows {
		some := rows[lo:min(lo+gatheredRows, len(rows))]
		for v := range vectors {
			values := m.values[v][lanes*lo:]
			if m.reading == singleRows {
				kernel.GatherSpans(values, &m.singles[v], m.stride, some, &m.spans[v])
			} else {
				kernel.GatherSpans(values, &m.columns[v], m.stride, some, &m.spans[v])
			}
		}
	}
}

// sampleThresholds chooses the thresholds of columns by their spans. It reports whether there are
// any.
func (r *strategy) sampleThresholds(
	s *scan.Scanner, nd *growth.Node, columns []int32, places []int32,
) (any bool) {
	x, m := r.together, r.scratches[s.Worker].tile
	for v := range m.limits {
		for k := range m.limits[v] {
			m.limits[v][k] = math.Inf(-1)
		}
	}
	streams := rng.NewStem(nd.Key, growth.SplitStream)
	for k, i := range places {
		span, lane := &m.spans[k/lanes], k%lanes
		least, most := span.Least[lane], span.Most[lane]
		c := &x.scanned[i]
		if c.found = nowhere; span.Missing[lane] == 0 && least == most {
			continue
		}
		random := streams.Stream(uint64(columns[i]))
		threshold := between(least, most, random.Float64())
		if !(least <= threshold && threshold < most) {
			threshold = least
		}
		// The sign of a zero that is least is not known, and not what a uniform number is between
		// infinite ends.
		if span.Missing[lane] != 0 || math.IsInf(least, 0) || math.IsInf(most, 0) ||
			threshold == 0 {
			r.scanAlone(s, nd, columns, i)
			continue
		}
		c.found, c.threshold, m.limits[k/lanes][lane] = atThreshold, threshold, threshold
		any = true
	}
	return any
}

// sum adds up the labels of the rows up to the thresholds.
func (x *together) sum(m *tile, rows []uint32, vectors int) {
	m.pairs = kernel.PairSums{}
	clear(m.slots)
	if len(x.count) > 0 {
		m.counts = kernel.PairSums{}
	}
	for lo := 0; lo < len(rows); lo += tileRows {
		some := rows[lo:min(lo+tileRows, len(rows))]
		if len(rows) > tileRows {
			m.gather(some, vectors)
		}
		n, hi := lanes*len(some), lo+len(some)
		a, b := m.values[0][:n], m.values[vectors-1][:n]
		if x.sumWidth > 0 {
			kernel.SumSlotsUpTo(m.slots, a, b, &m.limits, x.class[lo:hi], x.weight[lo:hi])
		} else {
			kernel.SumPairsUpTo(&m.pairs, a, b, &m.limits, x.pairs[lo:hi])
		}
		if len(x.count) > 0 {
			kernel.SumPairsUpTo(&m.counts, a, b, &m.limits, x.count[lo:hi])
		}
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
