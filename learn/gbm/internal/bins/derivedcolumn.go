package bins

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Made is a column in bins that is not in the frame of a matrix: see MakeWith. One of Narrow and
// Wide is nil.
type Made struct {
	SplitPoints []float64 // as those of a Column
	Narrow      []uint8   // bin of every row of the matrix
	Wide        []uint16
}

// Maker puts columns of numbers in bins, one by one, so that their numbers need not be in memory
// together. It is safe for concurrent use.
type Maker struct {
	rows, sample []int32
	weight       []float64
	options      Options
	fitters      chan *fitter
}

// NewMaker returns a maker of columns of a matrix of the given rows (ascending and distinct; nil =
// all) of a table. Weights and options are those of Make; workers is how many columns may be put in
// bins at a time, 0 = one per processor.
func NewMaker(
	from data.RowSource, rows []int32, weight []float64, o Options, workers int,
) (*Maker, error) {
	if err := o.checkWith(from, rows, weight); err != nil {
		return nil, err
	}
	workers = parallel.Workers(workers)
	k := &Maker{rows: rows, sample: sampleOf(from, rows, &o), weight: weight, options: o,
		fitters: make(chan *fitter, workers)}
	for range workers {
		k.fitters <- &fitter{}
	}
	return k, nil
}

// Column puts a column in bins, by the numbers of all rows of the frame. It keeps none of them.
func (k *Maker) Column(num []float64) Made {
	t := <-k.fitters
	var made Made
	// numbers in memory are read without errors
	made.SplitPoints, _, _ = t.splitPoints(numbersIn(num, k.weight), k.rows, k.sample, &k.options)
	k.fitters <- t
	c := Column{SplitPoints: made.SplitPoints, Values: len(made.SplitPoints) + 1}
	rows := k.rows
	if rows == nil {
		rows = data.AllRows(len(num))
	}
	codes := codesOf(&c, num, rows)
	made.Narrow, made.Wide = codes.Narrow, codes.Wide
	return made
}

// codesOf returns the codes of some rows by a column of numbers.
func codesOf(c *Column, num []float64, rows []int32) Codes {
	values, codes := data.Numbers(num), newCodes(len(rows), c.Bins() > narrowCodes)
	newEncoder(c).fill(&codes, 0, &values, rows, len(rows) == len(num))
	return codes
}

// MakeWith is Make of a table and, behind its columns, of others that a Maker of the same rows has
// put in bins. Their features are numbered from that of the table's columns on. They are in no
// bundle.
func MakeWith(
	ctx context.Context, from data.RowSource, made []Made, rows []int32, weight []float64,
	o Options, workers int,
) (*Matrix, error) {
	if err := o.checkWith(from, rows, weight); err != nil {
		return nil, err
	}
	workers = parallel.Workers(workers)
	columns, err := fit(ctx, from, rows, weight, o, workers)
	if err != nil {
		return nil, err
	}
	for i, c := range made {
		columns = append(columns,
			Column{Feature: int32(len(from.Fields()) + i), Default: -1, SplitPoints: c.SplitPoints,
				Values: len(c.SplitPoints) + 1})
	}
	return encode(ctx, from, rows, columns, made, o, workers)
}
