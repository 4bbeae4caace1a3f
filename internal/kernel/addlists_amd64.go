//go:build amd64 && !purego

package kernel

// Rows adds some rows.
func (a *AddLists) Rows(rows []int32) {
	n := len(rows) - listsAhead
	if n <= 0 || len(a.Places) == 0 {
		a.rows(rows)
		return
	}
	addLists(&listing{cells: &a.Cells[0], start: &a.Start[0], places: &a.Places[0],
		words: &a.Words[0], rows: &rows[0], n: n})
	a.rows(rows[n:])
}

// listsAhead is how many rows ahead the start and the word of a row are fetched. Half as far ahead
// its list is.
const listsAhead = 16

// listing is what the assembly works on: n rows, behind which there are listsAhead more.
type listing struct {
	cells  *int64
	start  *uint32
	places *uint32
	words  *int64
	rows   *int32
	n      int
}

//go:noescape
func addLists(l *listing)
