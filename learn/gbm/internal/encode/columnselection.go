package encode

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/parallel"
)

const (
	// largeTable is the number of rows from which on columns are left out that chance could have
	// made: a search by all rows of a smaller table finds less than trees can, and there every
	// column takes little time.
	largeTable = 2 * searchRows

	// sureDeviations is how many standard deviations more than by chance a column explains at
	// least. The best of dozens that carry no information comes to four in some of dozens of steps.
	sureDeviations = 5
)

// selects reports whether columns are left out that may carry no information: of large tables, if
// the search uses all outputs.
func (p *problem) selects() bool {
	return len(p.rows) >= largeTable && len(p.target) <= searchOutputs
}

// byChance returns what bins' means are expected to explain of the errors that are left if they
// carry no information, and the standard deviation of that: each is a mean of independent errors,
// and all together are about a chi-square.
func (c *candidate) byChance(rest [][]float64) (expected, deviation float64) {
	bins := 0
	for k := range rest {
		var square [searchBins]float64
		for i, b := range c.bin[k] {
			square[b%searchBins] += float64(rest[k][i] * rest[k][i])
		}
		for b, w := range c.weight[k] {
			if w > 0 {
				expected += square[b] / w
				bins++
			}
		}
	}
	return expected, expected * math.Sqrt(2/float64(bins))
}

// beyondChance reports whether a candidate explains more of the errors that are left than chance
// would.
func (s *searching) beyondChance(c *candidate) bool {
	expected, deviation := c.byChance(s.rest)
	var gain [1]float64
	explain([]*candidate{c}, s.rest, gain[:])
	return gain[0] > expected+float64(sureDeviations*deviation)
}

// plan describes what is given of the keys of tuples. Where columns are selected counts are left
// out that explain no more than chance would of what the statistics leave.
func (s *searching) plan(ctx context.Context, tuples []tuple) ([]planned, error) {
	all := make([]planned, len(tuples))
	for i, t := range tuples {
		all[i] = planned{t, s.p.Counts}
	}
	if !s.p.Counts || !s.p.selects() {
		return all, nil
	}
	return all, parallel.Try(ctx, s.p.workers, len(all), func(_, i int) error {
		c, err := s.counts(ctx, tuples[i])
		if err == nil {
			all[i].count = s.beyondChance(c)
		}
		return err
	})
}

// counts returns the counts of a tuple as a candidate.
func (s *searching) counts(ctx context.Context, t tuple) (*candidate, error) {
	r := &scratchpad{}
	id, keys, err := groupAnyhow(ctx, s.from, t, s.rows, r)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(id))
	if pairs := s.groups.pairs(id, len(keys)); pairs != nil {
		pairs.remaining(values, s.line.place)
	} else {
		count := make([]float64, len(keys)+1)
		for i, k := range id {
			count[k] += s.line.weight[i]
		}
		for i, k := range id {
			if int(k) < len(keys) {
				values[i] = max(0, count[k]-s.line.weight[i])
			}
		}
	}
	c := newCandidate(t, len(s.rest))
	bin := quantileBins(values)
	for k := range s.rest {
		c.setBins(k, bin, s.line.weight)
	}
	return c, nil
}
