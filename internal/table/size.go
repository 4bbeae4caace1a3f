package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Size is how much a table holds while its rows come.
type Size struct {
	account *Account
	most    int   // values
	dense   int   // columns with a value for each row
	width   int64 // bytes of a row of these
	stored  int   // values of sparse columns, and of filled ones
	filled  struct {
		values int
		bytes  int64
	}
}

// add counts a column, if it has a value for each row.
func (s *Size) add(c *Column) {
	if c.Used() {
		s.dense++
		s.width += c.Width()
	}
}

// Charge counts bytes that a reader holds, but for the values of columns. A negative number takes
// them back. What is too much is found by the builder's next call that returns an error.
func (s *Size) Charge(bytes int64) { s.account.charge(bytes) }

// Store counts values of sparse columns, beside those of all rows of the others. A negative number
// takes them back. What is too much is found by the builder's next call that returns an error.
func (s *Size) Store(values int) { s.stored += values }

// hold counts values that columns were filled with, and their bytes, until release.
func (s *Size) hold(values int, bytes int64) {
	s.filled.values += values
	s.filled.bytes += bytes
	s.Store(values)
	s.Charge(bytes)
}

// release takes back what hold counted.
func (s *Size) release() {
	s.Store(-s.filled.values)
	s.Charge(-s.filled.bytes)
	s.filled.values, s.filled.bytes = 0, 0
}

// check returns an Error without a place if so many rows are too much.
func (s *Size) check(rows int) *data.ReadError {
	var msg string
	switch {
	case s.stored > s.most:
		msg = fmt.Sprintf("more than %d values are stored (leave columns out)", s.most)
	case s.dense > 0 && rows > (s.most-s.stored)/s.dense:
		msg = fmt.Sprintf("%d rows of %d columns are more than %d values (leave columns out)",
			rows, s.dense, s.most-s.stored)
	default:
		return s.account.Check(rows, s.width, 0)
	}
	return &data.ReadError{Msg: msg, Err: data.ErrLimit}
}
