//go:build linux

package predict

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// blockRows is the number of rows that are turned into columns at once: as many as stay in a cache.
const blockRows = 2048

// block is a table of a few rows, whose columns are written again and again.
type block struct {
	columns [][]float64
	frame   *data.Frame
	out     []float64 // probabilities of both classes, row after row
}

func newBlock(names []string, rows int) (*block, error) {
	b := &block{columns: make([][]float64, len(names)), out: make([]float64, 2*rows)}
	named := make([]data.NamedColumn, len(names))
	for j, name := range names {
		b.columns[j] = make([]float64, rows)
		named[j] = data.NamedColumn{Name: name, Values: b.columns[j]} // it is used in place
	}
	var err error
	b.frame, err = data.FromColumns(named...)
	return b, err
}

// fill writes the rows of a matrix into the columns.
func (b *block) fill(x []float32) {
	data.RowMajor[float32]{Values: x, Columns: len(b.columns)}.CopyTo(b.columns, 0)
}

// ours is a model of ours, or of a file of another program.
type ours struct {
	model   model.Model
	single  model.Predictor // by one goroutine
	names   []string
	threads int
	blocks  sync.Pool // of *block with blockRows rows
	small   *block    // of the last batch that was smaller
	row     []float64
	both    []float64
}

func openOurs(path string, threads int) (*ours, error) {
	m, _, err := formats.Open(path, codec.Limits{})
	if err != nil {
		return nil, err
	}
	c := &ours{model: m, threads: threads, row: make([]float64, columns),
		both: make([]float64, 2)}
	for _, field := range m.Spec().Schema.Fields {
		c.names = append(c.names, field.Name)
	}
	c.single, err = m.Bind(&m.Spec().Schema, model.Options{Workers: 1})
	return c, err
}

func (c *ours) version() string { return pairs.Version() }

func (c *ours) one(x []float32) (float64, error) {
	for j, v := range x {
		c.row[j] = float64(v)
	}
	err := c.single.PredictRow(c.both, c.row)
	return c.both[1], err
}

// many predicts blocks of rows, each thread the next that is not done yet.
func (c *ours) many(dst []float64, x []float32) error {
	n := len(dst)
	if n <= blockRows {
		if c.small == nil || c.small.frame.Rows() != n {
			var err error
			if c.small, err = newBlock(c.names, n); err != nil {
				return err
			}
		}
		return c.predict(dst, x, c.small)
	}
	var wait sync.WaitGroup
	var next atomic.Int64
	failed := make([]error, c.threads)
	for t := range c.threads {
		wait.Go(func() {
			failed[t] = c.work(dst, x, &next)
		})
	}
	wait.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// work predicts blocks until none is left.
func (c *ours) work(dst []float64, x []float32, next *atomic.Int64) error {
	b, _ := c.blocks.Get().(*block)
	defer func() { c.blocks.Put(b) }()
	for {
		from := int(next.Add(blockRows)) - blockRows
		if from >= len(dst) {
			return nil
		}
		to := min(from+blockRows, len(dst))
		if b == nil || b.frame.Rows() != to-from {
			var err error
			if b, err = newBlock(c.names, to-from); err != nil {
				return err
			}
		}
		if err := c.predict(dst[from:to], x[from*columns:to*columns], b); err != nil {
			return err
		}
	}
}

func (c *ours) predict(dst []float64, x []float32, b *block) error {
	b.fill(x)
	if err := c.single.Predict(b.out, b.frame, nil); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = b.out[2*i+1]
	}
	return nil
}

// whole adds what prediction costs if the table is made whole: with data.FromMatrix, and without
// it, as of a file that was read into columns.
func (c *ours) whole(facts map[string]float64, x []float32) error {
	p, err := c.model.Bind(&c.model.Spec().Schema, model.Options{Workers: c.threads})
	if err != nil {
		return err
	}
	rows := len(x) / columns
	out := make([]float64, 2*rows)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.threads)) // FromMatrix uses all of them
	start := time.Now()
	table, err := data.FromMatrix(data.RowMajor[float32]{Values: x, Columns: columns}, c.names)
	if err != nil {
		return err
	}
	made := time.Now()
	if err := p.Predict(out, table, nil); err != nil {
		return err
	}
	facts["matrix"], facts["columns"] = perRow(start, rows), perRow(made, rows)
	return nil
}
