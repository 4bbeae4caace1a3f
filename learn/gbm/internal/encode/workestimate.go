package encode

import (
	"github.com/coppice-ml/coppice/data"
)

// Weights of Work, in nanoseconds on the machine where they were measured. Only their ratios to
// other counts of work matter.
const (
	binnedWork  = 45.0 // a row of a candidate of the search: its statistic and its bin
	stepWork    = 1.0  // a row of a candidate in a step of the search
	derivedWork = 50.0 // a row of a column that is derived
)

// Work estimates the work of Begin and Derive, in units of about a nanosecond, before they are
// called: on so many rows of a frame, with labels of a target. It counts candidates and rows, so it
// is the same on every machine.
func Work(f *data.Frame, rows int, t *data.Target, o Options) float64 {
	columns := 0
	for i := range f.Schema.Fields {
		if s := &f.Schema.Fields[i]; s.Kind == data.Categorical && len(s.Levels) > 1 {
			columns++
		}
	}
	outputs := max(1, len(t.Y))
	if n := len(t.Classes); n > 2 {
		outputs = min(n, o.Classes)
	}
	binned, stepped, kept := 0, 0, 0
	if o.Combine > 1 && o.Combinations > 0 {
		binned, kept = columns, o.Combinations
		if columns > searchColumns {
			stepped = columns
		}
		wide, pairs := min(columns, searchColumns), 0
		for size := 2; size <= o.Combine; size++ {
			more := wide * searchWidth
			if size == 2 {
				more = wide * (wide - 1) / 2
				pairs = min(more, searchSteps)
			}
			binned += more
			stepped += wide + pairs + more
		}
	}
	explained := min(outputs, searchOutputs)
	searched := float64(min(rows, searchRows/explained) * explained)
	derived := (columns + kept) * outputs
	if o.Counts {
		derived += columns + kept
	}
	each := float64(binnedWork*float64(binned)) + float64(searchSteps*stepWork*float64(stepped))
	once := float64(derivedWork * float64(rows*derived))
	return float64(searched*each) + float64(once*float64(o.Permutations))
}

// RowBytes returns the bytes that Begin and Derive hold, beside the labels and weights of a target:
// once, and for each worker. They are of training rows, of so many that the table has. Keys come on
// top: about 50 bytes for each that a table has.
func RowBytes(t *data.Target, o Options, rows, all int) (once, worker int64) {
	outputs := int64(max(1, len(t.Y)))
	if n := len(t.Classes); n > 2 {
		outputs = int64(min(n, o.Classes))
	}
	once, worker = 4*int64(o.Permutations), 4+8+8 // the order; keys, their numbers, and a column
	switch {
	case t.Class != nil && t.Weight == nil:
		once += outputs * int64(1+o.Permutations)
	case t.Weight != nil:
		once += 8 * (1 + outputs) * int64(o.Permutations)
	default:
		once += 8 * outputs * int64(o.Permutations)
	}
	if rows < all {
		once += 4 * int64(1+o.Permutations) // numbers of rows
		if t.Class == nil {
			once += 8 * outputs
		}
		if t.Weight != nil {
			once += 8
		}
	}
	if t.Group != nil {
		once, worker = once+8*(2+outputs), worker+8
	}
	return once * int64(all), worker * int64(all)
}
