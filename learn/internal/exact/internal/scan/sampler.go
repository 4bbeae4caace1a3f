package scan

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// Sampler samples the columns that a node scans (feature sampling). Their order decides between
// splits of equal gain: so no column wins ties by its place in the table, nor against its permuted
// copy.
type Sampler struct {
	Mtry    int
	random  rng.Stream
	columns []int32 // in order between nodes
	swaps   []int32 // the swaps of a node, which put the columns in order again
	sampled []int32 // the result of start
}

// NewSampler returns a sampler of mtry columns, nil if nodes scan all.
func NewSampler(mtry, columns int) *Sampler {
	if mtry <= 0 || mtry >= columns {
		return nil
	}
	return &Sampler{Mtry: mtry, columns: data.AllRows(columns)}
}

// Start samples mtry columns for a node. Next samples further ones, End must follow.
func (f *Sampler) Start(key uint64) []int32 {
	f.random.Reset(key, growth.ColumnStream)
	for range f.Mtry {
		f.Next()
	}
	f.sampled = append(f.sampled[:0], f.columns[:f.Mtry]...)
	return f.sampled
}

// More reports whether there are columns that the node has not sampled yet.
func (f *Sampler) More() bool { return len(f.swaps) < len(f.columns) }

// Next samples one of the columns that the node has not sampled yet.
func (f *Sampler) Next() int32 {
	i := len(f.swaps)
	j := i + f.random.Intn(len(f.columns)-i)
	f.columns[i], f.columns[j] = f.columns[j], f.columns[i]
	f.swaps = append(f.swaps, int32(j))
	return f.columns[i]
}

// End takes the swaps back, so that the next node starts from the same order.
func (f *Sampler) End() {
	for i := len(f.swaps) - 1; i >= 0; i-- {
		j := f.swaps[i]
		f.columns[i], f.columns[j] = f.columns[j], f.columns[i]
	}
	f.swaps = f.swaps[:0]
}
