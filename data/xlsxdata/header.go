package xlsxdata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// oneHeader returns an error if the header, which is one of the first rows of a sheet, is one of
// several rows: then names would be lost, or be values.
func (w *workbook) oneHeader(rows [][]cell, lines []int, header int) error {
	at := func(row, column int) cell {
		if column < len(rows[row]) {
			return rows[row][column]
		}
		return cell{}
	}
	if header > 0 && lines[header-1] == lines[header]-1 && filled(rows[header-1]) > 1 {
		for j, above := range rows[header-1] {
			below := slices.ContainsFunc(rows[header+1:], func(row []cell) bool {
				return j < len(row) && row[j].kind != empty
			})
			if above.kind == words && at(header, j).kind == empty && below {
				return w.fault(data.ErrHeader, "the header has two rows: %.40q in row %d names a column "+
					"that has no name in row %d (write one row of names)", above.shown(), lines[header-1],
					lines[header])
			}
		}
	}
	if len(rows) < header+4 || lines[header+1] != lines[header]+1 {
		return nil
	}
	second, odd, name := rows[header+1], 0, ""
	for j, c := range second {
		switch {
		case c.kind == empty:
		case c.kind != words || slices.Contains(data.DefaultMissing, c.shown()) ||
			slices.Contains(data.MissingNumbers, c.shown()):
			return nil
		case onlyNumbers(rows[header+2:], j):
			if odd++; name == "" {
				name = c.shown()
			}
		}
	}
	if odd < 2 || 2*odd <= filled(second) {
		return nil
	}
	return w.fault(data.ErrHeader, "row %d looks like a second row of the header: %.40q stands where "+
		"the rows below have numbers (write one row of names)", lines[header+1], name)
}

// onlyNumbers reports whether a column has two numbers or dates in some rows, and no text.
func onlyNumbers(rows [][]cell, column int) bool {
	n := 0
	for _, row := range rows {
		switch {
		case column >= len(row) || row[column].kind == empty:
		case row[column].kind == words:
			return false
		default:
			n++
		}
	}
	return n >= 2
}

// merged counts the ranges of merged cells of a sheet, of which the first cell has the value.
type merged struct {
	first string // such as A2:A5
	count int
}

// add counts a range that ends below the header.
func (m *merged) add(area string, header int) {
	digits := area[strings.LastIndexAny(area, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")+1:]
	row, err := strconv.Atoi(digits)
	if err != nil || row <= header || len(area) > len("XFD1048576:XFD1048576") {
		return
	}
	if m.count++; m.count == 1 {
		m.first = area
	}
}
