package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// files are those that rows come from. Rows have the numbers of the whole table.
type files struct {
	first, current string // names
	count          int    // begun so far
	start          int    // the first row of the current file
	lines          Lines  // of the rows from base on
	base           int
	// the values that the folders of those files have that lines has
	partitions [][]Partition
}

// begin starts a file with a row. All its rows have the values that stand in the names of its
// folders.
func (f *files) begin(file string, parts []Partition, row int) {
	f.lines.Begin(file, row-f.base)
	f.start, f.current = row, file
	f.partitions = append(f.partitions, parts)
	if f.count++; f.count == 1 {
		f.first = file
	}
}

// forget forgets where rows before one come from, which is of the current file.
func (f *files) forget(next int) {
	f.lines = Lines{}
	f.lines.Begin(f.current, 0)
	f.base = next
	if n := len(f.partitions); n > 1 {
		f.partitions = f.partitions[n-1:]
	}
}

// add records the line of the current file on which a row begins.
func (f *files) add(row, line int) { f.lines.Add(row-f.base, line) }

// addAll records that each of n rows from one on is a line.
func (f *files) addAll(row, n int) {
	for ; n > 0; n-- {
		f.add(row, f.line(row))
		row++
	}
}

// line returns the line of a row of the current file where each row is one.
func (f *files) line(row int) int { return row - f.start + 1 }

// partitioned reports whether folders have values of a key.
func (f *files) partitioned(key string) bool {
	for _, parts := range f.partitions {
		for _, p := range parts {
			if p.Key == key {
				return true
			}
		}
	}
	return false
}

// fault returns an error with its place in the current file.
func (f *files) fault(of *data.ReadError, line int) error {
	e := *of
	e.File, e.Line = f.current, line
	return &e
}

func (f *files) headerError(format string, args ...any) error {
	return &data.ReadError{File: f.current, Msg: fmt.Sprintf(format, args...), Err: data.ErrHeader}
}
