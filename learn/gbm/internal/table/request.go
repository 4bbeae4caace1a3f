package table

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/ranks"
)

// Request is what one training asks of the columns of a table.
type Request struct {
	Job     learn.Job
	Frame   *data.Frame  // the table; of one that is read in blocks the columns without values
	Target  *data.Target // weights include repetitions of rows and factors of classes
	Rows    []int32      // of the training set, distinct and ascending
	Valid   []int32      // of the validation set; nil: there is none
	Blocks  *blocks      // has the values of the frame; nil: the frame has them
	Memory  memory.Limit // of a table in blocks
	Group   ranks.Group  // that train together; nil: this process does alone
	Columns *Config      // how they are prepared
	Orders  uint64       // seed of the orders of the rows that target statistics are computed by
	// the training reads the numbers of derived columns after they are in bins
	Numbers bool
	Stored  bool // it stores the derivatives of all rows
}

// sets returns the rows of the training set and, if there is one, of the validation set.
func (s *Request) sets() [][]int32 {
	if s.Valid == nil {
		return [][]int32{s.Rows}
	}
	return [][]int32{s.Rows, s.Valid}
}
