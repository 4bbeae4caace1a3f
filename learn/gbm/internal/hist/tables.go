package hist

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// tables is the matrix that trees are grown on, and what of it the tree that grows reads.
type tables struct {
	whole *bins.Matrix
	m     *bins.Matrix // whole, or no more of it than the tree's columns
	lay   layout       // of histograms of m
	cells int          // of a histogram of whole, for one output
	part  *bins.Matrix // the last m that was not whole; the next one uses its memory

	// Of a stored matrix.
	behind *bins.Matrix // what m was before its rows were gathered; nil: they were not
	drawn  *bins.Matrix // the last m that was gathered; the next one uses its memory
}

// setWhole sets the matrix that trees are grown on.
func (t *tables) setWhole(m *bins.Matrix) {
	if invariant.On {
		checkCodes(m)
	}
	t.whole = m
	t.read(m)
	t.cells = t.lay.cells
}

// read makes a matrix what the tree reads.
func (t *tables) read(m *bins.Matrix) { t.m, t.lay = m, lay(m) }

// stored reports whether the codes that the tree reads are in a file.
func (t *tables) stored() bool { return t.m.Store != nil }

// withoutJoints makes a matrix without joints that of the trees: sums of float64 are not to be
// added up from sums of several codes.
func (t *tables) withoutJoints() {
	if len(t.whole.Joints) > 0 {
		t.setWhole(t.whole.Unbundled())
	}
}

// fewRows is the factor by which the rows of a tree must be fewer than those of the matrix so that
// it reads the whole matrix. That is then faster than taking the tree's columns out of all rows.
const fewRows = 4

// choose chooses what a tree of some columns and so many rows reads. Its histograms have all
// columns of that.
func (t *tables) choose(ctx context.Context, columns []int32, rows, workers int) error {
	all := len(t.whole.Columns)
	if len(columns) != all && (fewRows*rows >= t.whole.Len() || t.whole.Store != nil) {
		m, err := t.whole.Only(ctx, columns, t.part, workers)
		if err != nil {
			return err
		}
		t.part = m
		t.read(m)
		return nil
	}
	if !t.whole.Packed() {
		m, err := t.whole.Only(ctx, data.AllRows(all), nil, workers)
		if err != nil {
			return err
		}
		t.setWhole(m)
	}
	if t.m != t.whole {
		t.read(t.whole)
	}
	return nil
}

// gather makes what the tree reads a matrix in memory of its rows alone, if the codes of the whole
// are in a file and there is memory. It reports whether it has.
func (t *tables) gather(ctx context.Context, rows []int32, workers int) (bool, error) {
	if !t.stored() || rows == nil {
		return false, nil
	}
	m, err := t.m.Gather(ctx, rows, t.drawn, workers)
	if m == nil {
		return false, err
	}
	t.behind, t.drawn = t.m, m
	t.read(m)
	return true, err
}

// scatter makes the tree read what it did before gather.
func (t *tables) scatter() {
	t.read(t.behind)
	t.behind = nil
}

// checkCodes checks that the codes of a matrix in memory are less than those of their groups.
func checkCodes(m *bins.Matrix) {
	if m.Store != nil {
		return
	}
	for i := range m.Blocks {
		for g, codes := range m.Blocks[i].Codes {
			most := 0
			if len(codes.Narrow) > 0 {
				most = int(slices.Max(codes.Narrow))
			} else if len(codes.Wide) > 0 {
				most = int(slices.Max(codes.Wide))
			}
			invariant.Check(most < max(1, m.Groups[g].Codes), "code %d of %d in group %d", most,
				m.Groups[g].Codes, g)
		}
	}
}
