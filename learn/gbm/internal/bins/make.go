package bins

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// The limits of Options.Bins, and the most bins of present values that a column can have: codes of
// rows have two bytes.
const (
	DefaultBins = 255
	MinBins     = 2
	MaxBins     = 65535
)

// DefaultSample is the Options.Sample that learners take by default, as LightGBM does
// (bin_construct_sample_cnt). A bin's fraction of the rows is then off by about 4 % of itself (one
// standard deviation, 255 bins).
const DefaultSample = 200000

// Options is how columns are put in bins. The zero value means the defaults.
type Options struct {
	// most bins of present values of a numeric column, MinBins to MaxBins; 0 = DefaultBins. Above
	// 255 codes are wide
	Bins int
	// least rows of a bin of a numeric column, of those that split points are fitted on; below 1
	// means 1
	MinInBin int
	// Sample is how many rows the split points of columns with more values than bins are fitted on.
	// One row is sampled from each of so many runs of equal length; 0 = all rows. Columns of no
	// more values than bins are always counted whole, and those that are mostly of one value, with
	// few others in the sample, are fitted on all rows.
	Sample int
	// Sketch makes bins of about this fraction of the weight, and fits the split points of columns
	// with more values to a sketch of all rows. It replaces Bins, MinInBin and Sample; 0 = no.
	Sketch float64
	// Distinct refuses numeric columns of more distinct values than Bins (*TooManyValues), so that
	// each value has a bin of its own.
	Distinct bool
	Seed     uint64 // of the random sample
	// put columns that are never away from their most frequent bins in the same row into one group,
	// and list the others that are away from them in few rows
	Bundle bool
	List   bool // list such columns without bundles
	// Joint is how many codes groups of few codes may have together in one byte of a row of
	// Block.Packed, no more than 256; see Matrix.Joints. 0 = none do.
	Joint     int
	Least     bool // a Survey finds the least number of each column, too
	BlockRows int  // of the blocks of a stored matrix; 0: as many as some megabytes hold
	// Share divides the columns of Make among several processes that all call it; nil: this one
	// does them all. The table is in memory.
	Share *Share
	// Unpacked leaves Block.Packed nil, for trees that look at some columns each, whose rows
	// Matrix.Only makes.
	Unpacked bool
}

func (o *Options) bins() int {
	if o.Sketch > 0 {
		return sketchBins(o.Sketch)
	}
	if o.Bins == 0 {
		return DefaultBins
	}
	return o.Bins
}

func (o *Options) check() error {
	if b := o.bins(); b < MinBins || b > MaxBins {
		return fmt.Errorf("%d bins: want %d to %d", b, MinBins, MaxBins)
	}
	if o.Sample < 0 {
		return fmt.Errorf("a sample of %d rows to fit split points on: want at least 1, or 0 for "+
			"all rows", o.Sample)
	}
	return nil
}

// TooManyValues reports that a numeric column has more distinct values than bins.
type TooManyValues struct {
	Column string
	Bins   int // Options.Bins
}

func (e *TooManyValues) Error() string {
	return fmt.Sprintf("column %q has more than %d distinct values", e.Column, e.Bins)
}

// Make puts the given rows of a table (ascending and distinct; nil = all) in bins. The split points
// of numeric columns partition the rows into bins of about the same weight; weight is by row of it,
// finite and not negative, nil = 1. Rows of weight 0 do not shape split points, but have codes.
// Without workers it takes one per processor; the matrix is the same for any number.
func Make(
	ctx context.Context, from data.RowSource, rows []int32, weight []float64,
	o Options, workers int,
) (*Matrix, error) {
	return MakeWith(ctx, from, nil, rows, weight, o, workers)
}

// checkWith checks options, and rows of a table with their weights that are to be put in bins by
// them.
func (o *Options) checkWith(from data.RowSource, rows []int32, weight []float64) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := checkRows(from, rows); err != nil {
		return err
	}
	return checkWeights(from, rows, weight)
}

func checkRows(from data.RowSource, rows []int32) error {
	for i, r := range rows {
		if int(r) >= from.Rows() || r < 0 || i > 0 && r <= rows[i-1] {
			return fmt.Errorf("rows to put in bins: entry %d is %d, want ascending rows of the "+
				"%d of the table", i, r, from.Rows())
		}
	}
	return nil
}

func checkWeights(from data.RowSource, rows []int32, weight []float64) error {
	if weight == nil {
		return nil
	}
	if len(weight) != from.Rows() {
		return fmt.Errorf("%d weights for %d rows", len(weight), from.Rows())
	}
	for i := range rowCount(weight, rows) {
		r := rowAt(rows, i)
		if w := weight[r]; !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Errorf("%s: weight %v, want a finite number that is not negative",
				from.Locate(r), w)
		}
	}
	return nil
}

// fit returns the columns of a table with their bins. Each worker reads a column at a time.
func fit(
	ctx context.Context, from data.RowSource, rows []int32, weight []float64,
	o Options, workers int,
) ([]Column, error) {
	sample, fields := sampleOf(from, rows, &o), from.Fields()
	columns := make([]Column, len(fields))
	fitters := make([]fitter, workers)
	tooMany, failed := make([]bool, len(columns)), make([]error, len(columns))
	numeric := make([]bool, len(columns))
	err := parallel.EachUntil(ctx, workers, len(columns), func(worker, i int) {
		c := &columns[i]
		*c = Column{Feature: int32(i), Default: -1}
		if fields[i].Kind == data.Categorical {
			count := make([]uint32, len(fields[i].Levels))
			failed[i] = eachPart(ctx, from, rows, func(p part) bool {
				countLevels(count, p.Columns[i].Codes(), p.rows)
				return true
			})
			c.setLevels(count)
			return
		}
		numeric[i] = true
		if !o.Share.takes(i) {
			return
		}
		var all bool
		c.SplitPoints, all, failed[i] = fitters[worker].splitPoints(numbersOf(ctx, from, i, weight,
			o.Sketch > 0, &fitters[worker].memory), rows, sample, &o)
		c.Values, tooMany[i] = len(c.SplitPoints)+1, o.Distinct && !all
	})
	if err == nil {
		err = cmp.Or(failed...)
	}
	err = o.Share.columns(ctx, columns, numeric, tooMany, err)
	if i := slices.Index(tooMany, true); i >= 0 && err == nil {
		err = &TooManyValues{fields[i].Name, o.bins()}
	}
	return columns, err
}

// sampleOf returns the rows that split points are fitted on.
func sampleOf(from data.RowSource, rows []int32, o *Options) []int32 {
	if n := rowCountOf(from, rows); o.Sample > 0 && o.Sample < n {
		return sampled(rows, n, o.Sample, o.Seed)
	}
	return rows
}

// sampled returns size of n rows: a random one of each of so many runs of the same length, give or
// take one.
func sampled(rows []int32, n, size int, seed uint64) []int32 {
	s := rng.New(seed)
	sampled := make([]int32, size)
	for i := range sampled {
		lo, hi := i*n/size, (i+1)*n/size
		sampled[i] = int32(rowAt(rows, lo+s.Intn(hi-lo)))
	}
	return sampled
}

func rowCountOf(from data.RowSource, rows []int32) int {
	if rows == nil {
		return from.Rows()
	}
	return len(rows)
}
