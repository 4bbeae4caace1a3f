package model

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// together predicts rows lo to hi of the request as one block, on team goroutines. The error is
// that of the first row that has one.
func (p *predictor) together(
	dst []float64, columns []column, rows []int32, lo, hi, team int,
) error {
	b, _ := p.blocks.Get().(*engine.Block)
	if b == nil || b.ScratchSize() < hi-lo {
		b = p.program.NewBlock(hi - lo)
	}
	defer p.blocks.Put(b)
	b.Team(team)
	b.Resize(hi - lo)
	refused, first := -1, hi-lo // column and row
	for k := range columns {
		in := &columns[k]
		for tile := 0; tile*engine.TileRows < first; tile++ {
			from := tile * engine.TileRows
			n := min(engine.TileRows, hi-lo-from)
			var scratch [engine.TileRows]float64
			values := scratch[:n] // of a column that only the policy reads
			if in.slot >= 0 {
				values = b.Column(in.slot, tile)
			}
			if rows != nil {
				in.gather(values, rows[lo+from:lo+from+n])
			} else {
				in.copy(values, lo+from)
			}
			if i := in.refuses(values); i >= 0 && from+i < first {
				refused, first = k, from+i
			}
		}
	}
	if err := p.guard.first(b, len(p.Columns), first, func(i int) int {
		if rows != nil {
			return int(rows[lo+i])
		}
		return lo + i
	}); err != nil {
		return err
	}
	if refused >= 0 {
		return columns[refused].refusal(rows, lo+first)
	}
	if p.derived != nil {
		p.deriveBlock(b, columns, rows, lo, hi)
	}
	p.finish(dst, b)
	return nil
}

// refusal returns the error of a value that a policy refuses, at a place of the request.
func (c *column) refusal(rows []int32, at int) error {
	if rows != nil {
		at = int(rows[at])
	}
	return c.store(row{}, c.value(at), at)
}

// refuses returns the position of the first value that the field's policy refuses, -1 if there is
// none.
func (in *feature) refuses(values []float64) int {
	missing := in.field.Missing == data.Refuse
	unseen := in.field.Unseen == data.Refuse && in.field.Kind == data.Categorical
	if !missing && !unseen {
		return -1
	}
	for i, x := range values {
		if missing && math.IsNaN(x) || unseen && x < 0 {
			return i
		}
	}
	return -1
}
