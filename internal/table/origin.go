package table

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// Lines records where rows come from. As long as every row of every file stands on the line that
// its number suggests, it stores no lines.
type Lines struct{ data.Origin }

// Begin starts a file: the rows from here on come from it.
func (l *Lines) Begin(file string, row int) {
	l.Files = append(l.Files, file)
	l.First = append(l.First, int32(row))
}

// Add records the line of the current file on which a row begins.
func (l *Lines) Add(row, line int) {
	n := int32(min(line, math.MaxInt32))
	if row == 0 {
		l.Skip = n
	}
	if l.Line == nil {
		if n == int32(row)-l.First[len(l.First)-1]+l.Skip {
			return
		}
		l.write(row)
	}
	l.Line = append(l.Line, n)
}

// write stores the lines of the rows so far, which were all regular.
func (l *Lines) write(rows int) {
	l.Line = make([]int32, 0, rows+rows/4+16)
	for i, first := range l.First {
		end := rows
		if i+1 < len(l.First) {
			end = int(l.First[i+1])
		}
		for row := int(first); row < end; row++ {
			l.Line = append(l.Line, int32(row)-first+l.Skip)
		}
	}
}
