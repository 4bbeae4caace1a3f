package exact

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Draws are made from streams of the node's own, so that a node's split depends on its rows and its
// place in the tree alone, not on what was grown before. These are the purposes of the streams.
const (
	columnDraws = iota
	directionDraws
	splitDraws
	childDraws
	levelDraws
)

// sampler draws the columns that a node looks at. The order of the draws decides between splits of
// equal gain: so no column wins ties by its place in the table, nor against its permuted copy.
type sampler struct {
	mtry    int
	draws   rng.Stream
	columns []int32 // in order between nodes
	swaps   []int32 // the draws of a node, which put the columns in order again
	drawn   []int32 // the result of start
}

// newSampler returns a sampler of mtry columns, nil if nodes look at all.
func newSampler(mtry, columns int) *sampler {
	if mtry <= 0 || mtry >= columns {
		return nil
	}
	return &sampler{mtry: mtry, columns: data.AllRows(columns)}
}

// start draws mtry columns for a node. next draws further ones, end must follow.
func (f *sampler) start(key uint64) []int32 {
	f.draws.Reset(key, columnDraws)
	for range f.mtry {
		f.next()
	}
	f.drawn = append(f.drawn[:0], f.columns[:f.mtry]...)
	return f.drawn
}

// more reports whether there are columns that the node has not drawn yet.
func (f *sampler) more() bool { return len(f.swaps) < len(f.columns) }

// next draws one of the columns that the node has not drawn yet.
func (f *sampler) next() int32 {
	i := len(f.swaps)
	j := i + f.draws.Intn(len(f.columns)-i)
	f.columns[i], f.columns[j] = f.columns[j], f.columns[i]
	f.swaps = append(f.swaps, int32(j))
	return f.columns[i]
}

// end takes the swaps back, so that the next node starts from the same order.
func (f *sampler) end() {
	for i := len(f.swaps) - 1; i >= 0; i-- {
		j := f.swaps[i]
		f.columns[i], f.columns[j] = f.columns[j], f.columns[i]
	}
	f.swaps = f.swaps[:0]
}
