package exact

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// mostBins is the number of bins that a numeric column is parted into at most; codes of one byte
// name one more, for missing values.
const mostBins = 255

// binning is a numeric column in bins of about as many rows each. A bin holds all rows of its
// values.
type binning struct {
	code  []uint8  // the bin of each prepared row, len(start) - 1 if its value is missing
	start []uint32 // the rows of bin b are sorted[start[b]:start[b+1]]
}

// bins returns the number of bins.
func (b *binning) bins() int { return len(b.start) - 1 }

// binnings returns the numeric columns in bins, which are made when they are first asked for: most
// tables never are.
func (p *Prepared) binnings() []binning {
	p.binned.Do(func() {
		p.inBins = make([]binning, len(p.columns))
		parallel.Each(p.workers, len(p.columns), func(_, i int) {
			if c := &p.columns[i]; c.kind == data.Numeric {
				p.inBins[i] = c.bin()
			}
		})
	})
	return p.inBins
}

// bin parts a column. Of few values each has a bin.
func (c *column) bin() binning {
	known := sorting.Known(c.sorted)
	least := 1
	if len(c.values) > mostBins {
		least = (known + mostBins - 2) / (mostBins - 1)
	}
	b := binning{code: make([]uint8, len(c.sorted))}
	for i, e := range c.sorted[:known] {
		if i == 0 || e.Key != c.sorted[i-1].Key && i-int(b.start[len(b.start)-1]) >= least {
			b.start = append(b.start, uint32(i))
		}
		b.code[e.Pos] = uint8(len(b.start) - 1)
	}
	for _, e := range c.sorted[known:] {
		b.code[e.Pos] = uint8(len(b.start))
	}
	b.start = append(b.start, uint32(known))
	return b
}
