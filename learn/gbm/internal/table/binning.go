package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/ranks"
)

// binning is the columns that a matrix is made of: those of a table, whose rows may come in blocks,
// and, behind them, derived ones.
type binning struct {
	from     data.RowSource // a frame, or what reads blocks of rows
	columns  []int          // numbers of its columns; nil: 0, 1, ...
	derived  []bins.Made    // in bins already
	features []int32        // numbers of the derived columns
	rows     []int32        // nil: all
	weight   []float64      // of the rows of the table; nil: all 1
	ranks    ranks.Group    // that divide the columns; nil: this process does all
}

// count returns the number of rows.
func (b *binning) count() int {
	if b.rows == nil {
		return b.from.Rows()
	}
	return len(b.rows)
}

// Wide reports whether a table has ten times more columns than rows, and is no SmallMatrix.
func Wide(rows, columns int) bool {
	return columns > max(10*rows, SmallMatrix/max(1, rows))
}

// mostBins returns the most bins of a column of a table. By default those of a wide table are a
// third of its rows, as with the three rows that LightGBM gives a bin at least: a tree looks at all
// points of all columns to part so few rows, and exactly where it parts them is chance.
func (c *Config) mostBins(rows, columns int) int {
	if c.Own() && c.Bins == bins.DefaultBins && rows < 3*c.Bins && Wide(rows, columns) {
		return max(bins.MinBins, rows/3)
	}
	return c.Bins
}

// bin puts columns in bins. Features of the matrix have the given numbers.
func (c *Config) bin(ctx context.Context, b binning, workers int) (*bins.Matrix, error) {
	// Bundled columns have the same sums and the same splits, but their gains may round otherwise.
	// Among equally good splits the engine then finds another one than the compatible program.
	// Those of listed columns do not.
	own := len(b.from.Fields())
	o := bins.Options{Bins: c.mostBins(b.from.Rows(), own), MinInBin: c.MinBin, Sketch: c.Sketch,
		Bundle: c.Own(), List: true, Joint: hist.JointCodes(b.count())}
	fraction := c.FractionOfColumns(own + len(b.derived))
	o.Unpacked = fraction > 0 && fraction < 1
	if c.Follows(hist.XGBoostExact) {
		o.Distinct, b.weight = true, nil // rows of weight 0 have values, too
	}
	if g := ranks.Of(b.ranks); g.Size() > 1 && b.count()*own > SmallMatrix {
		o.Share = &bins.Share{Rank: g.Rank(), Size: g.Size(), Gather: g.Gather}
	}
	m, err := bins.MakeWith(ctx, b.from, b.derived, b.rows, b.weight, o, workers)
	if err != nil {
		return nil, exactFault(err)
	}
	for i := range m.Columns {
		switch column := &m.Columns[i]; {
		case int(column.Feature) >= own:
			column.Feature = b.features[int(column.Feature)-own]
		case b.columns != nil:
			column.Feature = int32(b.columns[column.Feature])
		}
	}
	return m, nil
}

// Rebin puts the columns in bins by other weights, of all rows of the frame. It returns a matrix
// for the first order and, of a table in blocks, that of the validation set, nil = there is none.
// What an earlier call returned for a table in blocks is lost.
func (t *Table) Rebin(ctx context.Context, s *Request, weight []float64) (m, others *bins.Matrix,
	err error) {
	if t.Blocks == nil {
		m, err = s.Columns.bin(ctx, binning{from: t.Frame, rows: t.Rows(), weight: weight,
			ranks: s.Group}, s.Job.Workers)
		return m, nil, err
	}
	b, own := t.Blocks, s.own(false)
	if own != nil {
		own.Whole = false // the table was read before
	}
	b.file.Forget(b.stored)
	f, err := bins.FitStored(ctx, b.from, bins.Rows{Rows: b.fitted.Rows, Weight: weight},
		s.options(), s.Job.Workers, own)
	if err != nil {
		return nil, nil, err
	}
	var next Table
	if err := next.write(ctx, f, s); err != nil {
		return nil, nil, err
	}
	return next.Matrices[0], next.Others, nil
}

// exactFault adds advice to the error that a column has too many values for compat=xgboost-exact.
func exactFault(err error) error {
	var many *bins.TooManyValues
	if !errors.As(err, &many) {
		return err
	}
	return fmt.Errorf(option.Expand("%w, and compat=xgboost-exact splits between all of them: use "+
		"{compat} xgboost, or round the numbers"), err)
}

// keptColumns returns which of some columns trees split by. They are all but those with target
// statistics of their own, or all of them with both.
func keptColumns(columns int, sources [][]int32, both bool) []int {
	replaced := make([]bool, columns)
	for _, s := range sources {
		if len(s) == 1 {
			replaced[s[0]] = !both
		}
	}
	kept := []int{} // not nil, which would be all
	for i, gone := range replaced {
		if !gone {
			kept = append(kept, i)
		}
	}
	return kept
}

// SmallMatrix is the number of rows times columns up to which one worker grows a tree. That takes
// about a millisecond. More workers save nothing of it: they wake half a dozen times, and try
// leaves that are not split in the end. Ranks would wait for each other's messages: each grows the
// tree alone.
const SmallMatrix = 1 << 18

// GrowsAlone reports whether one worker of each rank grows the trees on a matrix.
func GrowsAlone(m *bins.Matrix) bool {
	return m.Len()*len(m.Columns) <= SmallMatrix && !m.Partial
}
