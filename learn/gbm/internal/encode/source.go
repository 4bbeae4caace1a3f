package encode

import (
	"context"

	"github.com/coppice-ml/coppice/data"
)

// Source is a table whose categories are read in the order of its rows, some columns at a time.
// InMemory and Stored are ones. It is safe for concurrent use.
type Source interface {
	// Fields returns the fields of all columns, with complete dictionaries.
	Fields() []data.Field
	// Rows returns the number of rows.
	Rows() int
	// Codes calls f for blocks of rows, in their order. codes[k][i] is that of columns[k], which is
	// categorical, in row first+i. f keeps nothing of them.
	Codes(ctx context.Context, columns []int32, f func(first int, codes [][]uint32)) error
}

// InMemory returns the categories of a frame.
func InMemory(f *data.Frame) Source {
	s := &inMemory{f.Schema.Fields, f.Rows(), make([][]uint32, len(f.Columns))}
	for i := range f.Columns {
		s.codes[i] = f.Columns[i].Codes()
	}
	return s
}

// inMemory is a table of one block.
type inMemory struct {
	fields []data.Field
	rows   int
	codes  [][]uint32 // by column
}

func (s *inMemory) Fields() []data.Field { return s.fields }
func (s *inMemory) Rows() int            { return s.rows }

func (s *inMemory) Codes(
	ctx context.Context, columns []int32, f func(first int, codes [][]uint32),
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	codes := make([][]uint32, len(columns))
	for k, c := range columns {
		codes[k] = s.codes[c]
	}
	f(0, codes)
	return nil
}

// run is some rows of a block of a source, with the codes of its columns.
type run struct {
	at    int     // place of the first row among all that are read
	rows  []int32 // of the source
	first int     // row of the first code
	codes [][]uint32
}

// of returns the code of a row by column k.
func (r *run) of(k int, row int32) uint32 { return r.codes[k][int(row)-r.first] }

// eachRun calls f for runs of no more than some of the given rows, which ascend.
func eachRun(
	ctx context.Context, from Source, columns, rows []int32, most int, f func(r *run),
) error {
	at := 0
	return from.Codes(ctx, columns, func(first int, codes [][]uint32) {
		end := first + len(codes[0])
		for at < len(rows) && int(rows[at]) < end {
			n := min(most, len(rows)-at)
			for n > 1 && int(rows[at+n-1]) >= end {
				n--
			}
			f(&run{at, rows[at : at+n], first, codes})
			at += n
		}
	})
}

// occurring returns which digits of the codes of a categorical column some rows have, and how many;
// a category outside the dictionary is none.
func occurring(
	ctx context.Context, from Source, column int32, rows []int32,
) (seen []bool, n int, err error) {
	seen = make([]bool, len(from.Fields()[column].Levels)+1)
	err = eachRun(ctx, from, []int32{column}, rows, keysAtOnce, func(r *run) {
		for _, row := range r.rows {
			if d := digit(r.of(0, row)); d < uint64(len(seen)) && !seen[d] {
				seen[d] = true
				n++
			}
		}
	})
	return seen, n, err
}

// Categories returns how many categories of a column some rows have, ascending ones. Missing values
// are none.
func Categories(ctx context.Context, from Source, column int, rows []int32) (int, error) {
	seen, n, err := occurring(ctx, from, int32(column), rows)
	if seen[0] {
		n--
	}
	return n, err
}
