package model

// sparseTile is the values of some rows of a request, by column. Rows of a table of sparse columns
// are read so: to find each value by itself is a search.
type sparseTile struct {
	values   []float64 // of column k from k*tileRows on
	from, to int       // the rows of the request
}

// tileRows is the number of rows of a tile.
const tileRows = 64

// newSparseTile returns a tile without rows; nil where no column is sparse.
func newSparseTile(columns []column) *sparseTile {
	for i := range columns {
		if _, _, _, sparse := columns[i].Stored(); sparse {
			return &sparseTile{values: make([]float64, len(columns)*tileRows)}
		}
	}
	return nil
}

// reach makes the tile begin with row i of a request that ends at hi, if it does not have the row.
func (t *sparseTile) reach(columns []column, rows []int32, i, hi int) {
	if t == nil || i < t.to && i >= t.from {
		return
	}
	t.from, t.to = i, min(i+tileRows, hi)
	for k := range columns {
		dst := t.values[k*tileRows:][:t.to-t.from]
		if rows != nil {
			columns[k].gather(dst, rows[t.from:t.to])
		} else {
			columns[k].copy(dst, t.from)
		}
	}
}

// value returns the value of a column for row i of the request; ok is false without a tile.
func (t *sparseTile) value(column, i int) (x float64, ok bool) {
	if t == nil {
		return 0, false
	}
	return t.values[column*tileRows+i-t.from], true
}
