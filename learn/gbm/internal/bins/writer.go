package bins

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// Rows are rows of a table.
type Rows struct {
	Rows   []int32   // ascending and distinct; nil = all
	Weight []float64 // by row of the table; nil = 1
}

// Fitted is a table that is read in blocks, with the bins of its columns.
type Fitted struct {
	from    data.RowSource
	columns []Column
	least   []float64
	o       Options
	workers int
	own     *Own
}

// FitStored fits bins by one Survey of rows, of matrices whose codes a Writer writes to a file. Of
// the options it takes those of NewSurvey, Least, Joint and BlockRows. Every column is a group of
// its own.
//
// With own rows, not nil, there are several ranks, all of which call this and what follows. Each
// reads its own rows of the table. The survey of each is merged with those of the others, so that
// all have the same bins.
func FitStored(
	ctx context.Context, from data.RowSource, fitted Rows, o Options, workers int, own *Own,
) (*Fitted, error) {
	if err := o.checkWith(from, fitted.Rows, fitted.Weight); err != nil {
		return nil, err
	}
	if fitted.Rows == nil {
		fitted.Rows = data.AllRows(from.Rows())
	}
	f := &Fitted{from: from, o: o, workers: parallel.Workers(workers), own: own}
	s, err := NewSurvey(from.Fields(), len(fitted.Rows), fitted.Weight != nil, o)
	if err != nil {
		return nil, err
	}
	if own == nil {
		err = s.Read(ctx, from, fitted.Rows, 0, fitted.Weight, f.workers)
	} else {
		err = own.survey(ctx, s, from, fitted, f.workers)
	}
	if err != nil {
		return nil, err
	}
	if o.Least {
		f.least = s.Least()
	}
	f.columns, err = s.Columns()
	return f, err
}

// Writer writes the codes of some sets of rows to a file. Columns that are derived from those of
// the table come first, in any order, then Matrices reads the table.
type Writer struct {
	f       *Fitted
	rows    []int32   // of the first set
	from    []int     // by set: place of the first row that is written
	storers []*storer // by set
	maker   *Maker
	mu      sync.Mutex // of what follows
	derived []Column
	least   []float64
}

// Writer returns a writer of sets of rows, ascending and distinct, nil = all, in the bins of some
// columns of the table, nil = all, and of so many derived ones behind them. Weights are by row of
// the table, of derived columns alone.
//
// In the sets behind the first one, a category without a bin gets a code of its own, behind that of
// missing values: a split sends it where it sends what no set holds. On several ranks only own rows
// of each set are written.
func (f *Fitted) Writer(
	sets [][]int32, columns []int, derived int, weight []float64, file *scratch.File,
) (*Writer, error) {
	w := &Writer{f: f, rows: sets[0], derived: make([]Column, derived),
		least: make([]float64, derived)}
	some := f.columns
	if columns != nil {
		some = nil
		for _, c := range columns {
			some = append(some, f.columns[c])
		}
	}
	for i, rows := range sets {
		if rows == nil {
			rows = data.AllRows(f.from.Rows())
		}
		from := 0
		if f.own != nil {
			a, b := f.own.of(rows)
			from, rows = a, slices.Clone(rows[a:b])
		}
		w.from = append(w.from, from)
		w.storers = append(w.storers, newStorer(rows, some, derived, f.o, file, i > 0))
	}
	var err error
	w.maker, err = NewMaker(f.from, w.rows, weight,
		Options{Bins: f.o.Bins, MinInBin: f.o.MinInBin, Sample: f.o.Sample, Seed: f.o.Seed,
			Sketch: f.o.Sketch},
		f.workers)
	return w, err
}

// Column puts a derived column in bins, by the numbers of all rows of the table, and writes their
// codes. It keeps none of the numbers. It may be called for several columns at a time.
func (w *Writer) Column(i int, num []float64) error {
	made := w.maker.Column(num)
	c := made.at(len(w.f.from.Fields()), i)
	least := math.Inf(1)
	if w.f.o.Least {
		for k := range rowCountOf(w.f.from, w.rows) {
			least = min(least, num[rowAt(w.rows, k)])
		}
	}
	w.mu.Lock()
	w.derived[i], w.least[i] = c, least
	w.mu.Unlock()
	for k, s := range w.storers {
		codes := made.Codes.part(w.from[k], w.from[k]+len(s.m.Rows))
		if k > 0 {
			codes = codesOf(&c, num, s.m.Rows)
		}
		if err := s.put(i, codes); err != nil {
			return err
		}
	}
	return nil
}

// Matrices reads the table, and returns the matrix of each set. The features of derived columns are
// numbered from that of the table's columns on. On several ranks the codes of own rows are in
// memory, and the file is used meanwhile. The first matrix is Partial then, of the rows of all; the
// others are of own rows alone.
func (w *Writer) Matrices(ctx context.Context) ([]*Matrix, error) {
	f, from := w.f, w.f.from
	if f.own != nil {
		from = rowRange{from, f.own.From, f.own.To}
	}
	for _, s := range w.storers {
		s.begin(w.derived)
	}
	for b, err := range from.Blocks(ctx) {
		if err != nil {
			return nil, err
		}
		for _, s := range w.storers {
			if err := s.add(ctx, b, f.workers); err != nil {
				return nil, err
			}
		}
	}
	made := make([]*Matrix, len(w.storers))
	for i, s := range w.storers {
		var err error
		if made[i], err = s.finish(ctx, f.o, f.workers); err != nil {
			return nil, err
		}
	}
	if f.own != nil {
		if err := f.own.finish(ctx, made, w.rows, f.workers); err != nil {
			return nil, err
		}
	}
	if f.o.Least {
		for i := range made[0].Columns {
			if c := int(made[0].Columns[i].Feature); c < len(f.least) {
				made[0].Least = append(made[0].Least, f.least[c])
			} else {
				made[0].Least = append(made[0].Least, w.least[c-len(f.least)])
			}
		}
	}
	return made, nil
}
