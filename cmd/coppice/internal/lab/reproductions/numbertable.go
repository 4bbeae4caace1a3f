package reproductions

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Numbers is a table of the result.
type Numbers struct {
	Title string
	// names, which may be empty, and alike where a column belongs to the one before it
	Columns []string
	Rows    [][]string // as many cells as Columns
}

// add appends a row, whose cells " | " separates in what the format makes of the values.
func (n *Numbers) add(format string, values ...any) {
	n.Rows = append(n.Rows, strings.Split(fmt.Sprintf(format, values...), " | "))
}

// MarshalJSON writes an object of title, columns and rows, each row a list of cells: numbers, with
// the digits that are printed, texts, and null where there is nothing.
func (n Numbers) MarshalJSON() ([]byte, error) {
	rows := make([][]any, len(n.Rows))
	for i, row := range n.Rows {
		rows[i] = make([]any, len(row))
		for k, cell := range row {
			rows[i][k] = value(cell)
		}
	}
	return json.Marshal(struct {
		Title   string   `json:"title"`
		Columns []string `json:"columns"`
		Rows    [][]any  `json:"rows"`
	}{n.Title, n.Columns, rows})
}

// value returns what a cell holds: a number, a text, or nil.
func value(cell string) any {
	if cell == "" || cell == none {
		return nil
	}
	if start := cell[0]; (start == '-' || start >= '0' && start <= '9') &&
		json.Valid([]byte(cell)) {
		return json.Number(cell)
	}
	return cell
}
