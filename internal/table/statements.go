package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Statements are what files say of their table as a whole, beside its columns.
type Statements struct {
	notes  []string
	absent data.Absent
	first  data.FirstIndex
}

// StateSparse states what sparse rows mean: the values that they do not name, and the number of the
// first feature as far as the rows show it.
func (s *Statements) StateSparse(absent data.Absent, first data.FirstIndex) {
	s.absent, s.first = absent, first
}

// Note is for ReadOptions.Log, which receives it once all rows are read.
func (s *Statements) Note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// report passes the notes on.
func (s *Statements) report(o *data.ReadOptions) {
	for _, note := range s.notes {
		if o.Log != nil {
			o.Log("%s", note)
		}
	}
}

// state gives a table what its sparse rows mean.
func (s *Statements) state(t *data.RowBlock) {
	if s.absent == data.AbsentMissing {
		t.Frame.Schema.AbsentValues = s.absent
	}
	t.Frame.Schema.FirstIndex = s.first
}
