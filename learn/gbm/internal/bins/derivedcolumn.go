package bins

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Made is a column in bins that is not in the frame of a matrix, with the code of every row of the
// matrix: see MakeWith. Its feature is that of no frame yet.
type Made struct {
	Column
	Codes
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
	// numbers in memory are read without errors
	points, _, _ := t.splitPoints(numbersIn(num, k.weight), k.rows, k.sample, &k.options)
	k.fitters <- t
	c := Column{Default: -1, SplitPoints: points, Values: len(points) + 1}
	rows := k.rows
	if rows == nil {
		rows = data.AllRows(len(num))
	}
	return Made{c, codesOf(&c, num, rows)}
}

// at returns the column as a feature behind those of a table.
func (m *Made) at(fields, i int) Column {
	c := m.Column
	c.Feature = int32(fields + i)
	return c
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
	for i := range made {
		columns = append(columns, made[i].at(len(from.Fields()), i))
	}
	return encode(ctx, from, rows, columns, made, o, workers)
}
