package xlsxdata

import (
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// cell is what stands in a cell.
type cell struct {
	kind cellKind
	num  float64 // of numbers; of dates the microseconds since 1970
	text string
}

type cellKind uint8

const (
	empty cellKind = iota
	number
	date
	words
)

// mostColumns is how many columns a sheet has at most.
const mostColumns = 16384

// shown returns the text of a cell as a name of a column.
func (c *cell) shown() string {
	switch c.kind {
	case number:
		return data.NumberText(c.num, 64)
	case date:
		return data.DateText(c.num)
	}
	return strings.TrimSpace(c.text)
}

// rows calls f for each row of a sheet that has a cell which is not empty, with its number. The
// cells are valid until the next call.
func (w *workbook) rows(
	ctx context.Context, part string, f func(line int, cells []cell) error,
) error {
	line, filled := 0, false
	var cells []cell
	pass := func() error {
		if !filled {
			return nil
		}
		err := f(line, cells)
		cells, filled = cells[:0], false
		return err
	}
	err := w.each(part, func(t *tokens, e *xml.StartElement) error {
		switch e.Name.Local {
		case "row":
			if err := pass(); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			cells = cells[:0]
			line++
			if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n >= line {
				line = n
			}
		case "mergeCell": // behind all rows
			w.merged.add(attribute(e, "ref"), w.header)
		case "c":
			place := len(cells)
			if at, ok := column(attribute(e, "r")); ok {
				place = at
			}
			if place >= mostColumns {
				return w.fault(data.ErrLimit, "row %d has a cell beyond the column %s, the last of Excel", line, letters(mostColumns-1))
			}
			for len(cells) <= place {
				cells = append(cells, cell{})
			}
			c, err := w.cell(t, e)
			if err != nil {
				return err
			}
			cells[place] = c
			filled = filled || c.kind != empty
		}
		return nil
	})
	if err != nil {
		return err
	}
	return pass()
}

// column returns the place of a column by a reference such as AB12.
func column(reference string) (int, bool) {
	n := 0
	for i := 0; i < len(reference); i++ {
		c := reference[i]
		if c < 'A' || c > 'Z' {
			return n - 1, i > 0
		}
		if n = n*26 + int(c-'A') + 1; n > mostColumns {
			return mostColumns, true
		}
	}
	return 0, false
}

// letters returns how Excel calls a column, from 0: A to Z, AA and so on.
func letters(column int) (name string) {
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// cellName returns where a cell stands for a message: a damaged file may hold any text there.
func cellName(e *xml.StartElement) string {
	name := attribute(e, "r")
	if quoted := fmt.Sprintf("%.20q", name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// cell reads a cell at whose start the tokens are.
func (w *workbook) cell(t *tokens, e *xml.StartElement) (cell, error) {
	kind := attribute(e, "t")
	style, _ := strconv.Atoi(attribute(e, "s"))
	text, err := t.value()
	if err != nil || text == "" {
		return cell{}, err
	}
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(w.shared) {
			return cell{}, w.fault(data.ErrFormat, "damaged Excel workbook: cell %s has the text %.20q of %d",
				cellName(e), text, len(w.shared))
		}
		return textCell(w.shared[i]), nil
	case "str", "inlineStr":
		return textCell(text), nil
	case "b":
		if text == "0" {
			return cell{kind: words, text: "false"}, nil
		}
		return cell{kind: words, text: "true"}, nil
	case "e":
		return cell{}, nil
	case "d":
		return textCell(text), nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) {
		return cell{}, w.fault(data.ErrFormat, "damaged Excel workbook: cell %s holds %.20q, which is no "+
			"number", cellName(e), text)
	}
	if 0 <= style && style < len(w.dates) && w.dates[style] {
		const microsPerDay = 24 * 60 * 60 * 1e6
		days := float64(v + w.since)
		// times are rounded to milliseconds, as numbers of days do not hold finer ones
		return cell{kind: date, num: math.Round(float64(days*(microsPerDay/1e3))) * 1e3}, nil
	}
	return cell{kind: number, num: v}, nil
}

func textCell(text string) cell {
	if strings.TrimSpace(text) == "" {
		return cell{}
	}
	return cell{kind: words, text: text}
}

// value returns the text of the value of a cell: not that of its formula.
func (t *tokens) value() (string, error) { return t.text("c") }
