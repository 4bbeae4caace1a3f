package table

import (
	"errors"
	"unsafe"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
)

// Account is how much memory a table takes while it is read: its values, which grow with the rows,
// and the rest, which it counts. Readers check it before they allocate.
type Account struct {
	limit memory.Limit
	held  int64 // bytes, but for the values
	texts int64 // those of them that levels take
	brief int64 // those of them that levels of columns of texts take, which no scan keeps
}

// What columns, dictionaries and levels take in bytes, with the maps that hold them and what is
// made of them at the end.
const (
	columnBytes     = int64(unsafe.Sizeof(Column{})) + 150
	dictionaryBytes = int64(unsafe.Sizeof(Dictionary{})) + 150
	levelBytes      = 120 // beside the text
	storedBytes     = 12  // of a value of a sparse column, with its row
)

// charge counts bytes that do not depend on the number of rows. A negative number takes them back.
func (a *Account) charge(bytes int64) { a.held += bytes }

// chargeTexts is charge for levels of a dictionary, of which those of a block are forgotten with
// it.
func (a *Account) chargeTexts(d *Dictionary, bytes int64) {
	a.texts += bytes
	if d.brief {
		a.brief += bytes
	}
	a.charge(bytes)
}

// addTexts adds what levels take that a fork has charged. Bytes that it holds were charged by
// others.
func (a *Account) addTexts(fork *Account) {
	a.texts += fork.texts
	a.brief += fork.brief
}

// Check returns an Error without a place if a table is over the limit. The table has that many
// rows, each of a width in bytes. What is held counts too, and so do extra bytes, which are needed
// for a short time.
func (a *Account) Check(rows int, width, extra int64) *data.ReadError {
	needed := int64(rows)*width + a.held + extra
	if err := a.limit.Check("the table", needed); err != nil {
		return &data.ReadError{Msg: err.Error(), Err: errors.Join(data.ErrLimit, err)}
	}
	return nil
}

// Fit returns for how many rows of a width in bytes there is memory.
func (a *Account) Fit(width int64) int {
	return int(min(max(int64(a.limit)-a.held, 0)/max(width, 1), MaxRows))
}

// Width returns how many bytes the column takes for each row.
func (c *Column) Width() int64 {
	n := int64(0)
	switch c.Storage {
	case Numbers:
		n = 8
	case Codes:
		n = 4
	}
	if c.Kept.Dict != nil {
		n += 4
	}
	return n
}

// count makes a dictionary charge its texts to an account, and returns it.
func (d *Dictionary) count(a *Account) *Dictionary {
	d.account = a
	a.charge(dictionaryBytes)
	return d
}
