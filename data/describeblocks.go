package data

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// DescribeBlocks is Describe for a table that is read in blocks, once. Two figures may differ from
// those of Describe: means in their last digits, and Distinct of a column with more than 65536
// different numbers or dates, which is an estimate (see ColumnSummary.Estimated).
func DescribeBlocks(ctx context.Context, from RowSource, workers int) ([]ColumnSummary, error) {
	fields := from.Fields()
	columns := make([]runningSummary, len(fields))
	for i := range fields {
		columns[i] = newRunningSummary(&fields[i])
	}
	for b, err := range from.Blocks(ctx) {
		if err != nil {
			return nil, err
		}
		parallel.Each(parallel.Workers(workers), len(fields), func(_, i int) {
			if fields[i].Kind == Categorical {
				columns[i].addCodes(b.Columns[i].Codes())
			} else {
				columns[i].addNumbers(b.Columns[i].Numbers())
			}
		})
	}
	summaries := make([]ColumnSummary, len(fields))
	for i := range fields {
		summaries[i] = columns[i].summary(&fields[i], from.Rows())
	}
	return summaries, nil
}

// runningSummary is what a summary is made of, column by column.
type runningSummary struct {
	missing, unseen, lowest, highest, finite int // rows; lowest and highest are infinities

	low, high float64
	sum, rest float64 // of the finite values: a sum and what rounding took from it
	scaled    float64 // the sum of value / 2^64, which does not overflow
	distinct  valueCounter
	counts    []int // by level
}

func newRunningSummary(f *Field) runningSummary {
	return runningSummary{low: math.Inf(1), high: math.Inf(-1), counts: make([]int, len(f.Levels))}
}

func (r *runningSummary) addCodes(codes []uint32) {
	for _, code := range codes {
		switch code {
		case MissingCode:
			r.missing++
		case UnseenCode:
			r.unseen++
		default:
			r.counts[code]++
		}
	}
}

func (r *runningSummary) addNumbers(values []float64) {
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			r.missing++
		case math.IsInf(v, -1):
			r.lowest++
		case math.IsInf(v, 1):
			r.highest++
		default:
			r.finite++
			r.low, r.high = min(r.low, v), max(r.high, v)
			r.add(v)
			r.distinct.add(v)
		}
	}
}

// add adds a value to the sum (Neumaier 1974).
func (r *runningSummary) add(v float64) {
	sum := r.sum + v
	if math.Abs(r.sum) >= math.Abs(v) {
		r.rest += (r.sum - sum) + v
	} else {
		r.rest += (v - sum) + r.sum
	}
	r.sum = sum
	r.scaled += float64(v * 0x1p-64)
}

// mean returns the mean of the finite values, which is finite too.
func (r *runningSummary) mean() float64 {
	n := float64(r.finite)
	mean := (r.sum + r.rest) / n
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		mean = r.scaled / n * 0x1p64
	}
	return min(max(mean, r.low), r.high)
}

func (r *runningSummary) summary(f *Field, rows int) ColumnSummary {
	s := ColumnSummary{Name: f.Name, Kind: f.Kind, Format: f.Format, Rows: rows, Missing: r.missing,
		Unseen: r.unseen}
	if f.Kind == Categorical || f.Kind == Text {
		s.setLevels(r.counts, f.Levels)
		return s
	}
	s.Infinite = r.lowest + r.highest
	s.Distinct, s.Estimated = r.distinct.count()
	s.Distinct += min(r.lowest, 1) + min(r.highest, 1)
	switch {
	case r.finite == 0:
	case f.Kind == Date:
		s.First, s.Last = DateText(r.low), DateText(r.high)
	default:
		mean := r.mean()
		s.Min, s.Max, s.Mean = &r.low, &r.high, &mean
	}
	return s
}

// valueCounter counts different numbers: exactly up to distinctKept, beyond by the k smallest of
// their hashes, whose largest is about k-th of so many (Bar-Yossef et al. 2002). The standard error
// is 0.4 %.
type valueCounter struct {
	hashes map[uint64]struct{} // those below limit
	limit  uint64              // 0: all
}

const distinctKept = 1 << 16

func (d *valueCounter) add(v float64) {
	if v == 0 {
		v = 0 // -0 is 0
	}
	h := mixed(math.Float64bits(v))
	if d.limit > 0 && h >= d.limit {
		return
	}
	if d.hashes == nil {
		d.hashes = map[uint64]struct{}{}
	}
	d.hashes[h] = struct{}{}
	if len(d.hashes) > 2*distinctKept {
		d.cut()
	}
}

// cut leaves the smallest hashes.
func (d *valueCounter) cut() {
	all := d.sorted()
	d.limit = all[distinctKept]
	for _, h := range all[distinctKept:] {
		delete(d.hashes, h)
	}
}

func (d *valueCounter) sorted() []uint64 {
	all := make([]uint64, 0, len(d.hashes))
	for h := range d.hashes {
		all = append(all, h)
	}
	slices.Sort(all)
	return all
}

// count returns the number, and whether it is an estimate.
func (d *valueCounter) count() (n int, estimated bool) {
	if d.limit == 0 && len(d.hashes) <= distinctKept {
		return len(d.hashes), false
	}
	k := d.sorted()[distinctKept-1]
	return int(math.Round((distinctKept - 1) / (float64(k) * 0x1p-64))), true
}

// mixed returns a hash of 64 bits, another one for each word (the finaliser of SplitMix64).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
