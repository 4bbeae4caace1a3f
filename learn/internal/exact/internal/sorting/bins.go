package sorting

import (
	"github.com/coppice-ml/coppice/internal/parallel"
)

// MostBins is the number of bins that a numeric column is divided into at most; codes of one byte
// name one more, for missing values.
const MostBins = 255

// Bins is a numeric column in bins of about as many rows each. A bin holds all rows of its
// values.
type Bins struct {
	Code  []uint8  // the bin of each prepared row, len(start) - 1 if its value is missing
	Start []uint32 // the rows of bin b are sorted[start[b]:start[b+1]]
}

// Len returns the number of bins.
func (b *Bins) Len() int { return len(b.Start) - 1 }

// Binnings returns the numeric columns in bins, which are made when they are first needed: most
// tables never are.
func (p *Table) Binnings() []Bins {
	p.once.Do(func() {
		p.bins = make([]Bins, len(p.Columns))
		parallel.Each(p.workers, len(p.Columns), func(_, i int) {
			if c := &p.Columns[i]; !c.Categorical {
				p.bins[i] = c.bin()
			}
		})
	})
	return p.bins
}

// bin divides a column into bins. Of few values each has a bin.
func (c *Column) bin() Bins {
	known := Known(c.Sorted)
	least := 1
	if len(c.Values) > MostBins {
		least = (known + MostBins - 2) / (MostBins - 1)
	}
	b := Bins{Code: make([]uint8, len(c.Sorted))}
	for i, e := range c.Sorted[:known] {
		if i == 0 || e.Key != c.Sorted[i-1].Key && i-int(b.Start[len(b.Start)-1]) >= least {
			b.Start = append(b.Start, uint32(i))
		}
		b.Code[e.Pos] = uint8(len(b.Start) - 1)
	}
	for _, e := range c.Sorted[known:] {
		b.Code[e.Pos] = uint8(len(b.Start))
	}
	b.Start = append(b.Start, uint32(known))
	return b
}

// Ranks returns the ranks of a column of few values by position in a tree's rows.
func (b *Bins) Ranks(place []int32, rows int) []uint8 {
	if place == nil {
		return b.Code
	}
	few := make([]uint8, rows)
	for i, at := range place {
		if at >= 0 {
			few[at] = b.Code[i]
		}
	}
	return few
}
