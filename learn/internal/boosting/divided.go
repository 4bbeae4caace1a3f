package boosting

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/ranks"
)

// Divided is how several processes evaluate a set together: each adds up the losses of some
// positions, and all get all sums. So the value has the bits of one process.
//
//	positions     0 ... 2047 | 2048 ... 4095 | 4096 ... 4999
//	processes     0          | 0             | 1
//	sums          11.2         10.9            5.1               on both
type Divided struct {
	From, To int // positions of this process; blocks of loss.SumRows are whole
	// Gather returns the bytes of every process, in their order; see ranks.Group.
	Gather func(own []byte) ([][]byte, error)
	// Complete gets the scores of positions that other processes have; nil: all are here. Metrics
	// that are no sums need it. Apart reports that some process lacks the scores from its From to
	// its To without it: it is the same on all, as they call Complete together.
	Complete func() error
	Apart    bool
}

// Divide returns how the ranks of a group evaluate a set of n rows whose scores all of them have.
func Divide(n int, g ranks.Group, gather func(own []byte) ([][]byte, error)) *Divided {
	d := &Divided{Gather: gather}
	d.From, d.To = ranks.Span(n, loss.SumRows, g.Rank(), g.Size())
	return d
}

// complete gets all scores of a set.
func (p *Set) complete() error {
	if p.Divided == nil || p.Divided.Complete == nil {
		return nil
	}
	return p.Divided.Complete()
}

// value returns the loss of a set.
func (p *Set) value(workers int) (float64, error) {
	d := p.Divided
	o, summed := p.Objective.(loss.Summed)
	if d == nil || !summed || d.Apart {
		if err := p.complete(); err != nil {
			return 0, err
		}
	}
	if d == nil || !summed {
		return p.Objective.Value(p.Raw, workers), nil
	}
	var own []byte
	for _, v := range o.Sums(p.Raw, d.From, d.To, workers) {
		own = binary.LittleEndian.AppendUint64(own, math.Float64bits(v))
	}
	all, err := d.Gather(own)
	if err != nil {
		return 0, err
	}
	var sums []float64
	for _, b := range all {
		for ; len(b) >= 8; b = b[8:] {
			sums = append(sums, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	blocks := (len(p.Rows) + loss.SumRows - 1) / loss.SumRows
	if len(sums) == 0 || len(sums)%blocks != 0 {
		return 0, fmt.Errorf("the ranks sent %d sums of %d blocks of rows", len(sums), blocks)
	}
	return o.Mean(sums), nil
}
