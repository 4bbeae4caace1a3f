package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
)

// Unnamed is a column without a name in its file. It is left out where it has no values, as behind
// a separator at the end of each line, or where it counts the rows, as the index that pandas and R
// write. The index of shuffled rows, or of some of them, is left out too.
type Unnamed struct {
	Place  int // in the file
	filled bool
	// The values so far are whole numbers that follow each other from start on. They start again
	// as often as restarts, which files may do at their first rows.
	counts          bool
	start, previous float64
	restarts        int
	rows            int
	// The values so far are whole numbers that all differ, each of which has its bit in seen. Years
	// differ too, but rise or fall.
	differs, rises, falls bool
	seen                  []uint64
}

// What shows an index that does not count: fewer rows may differ by chance.
const (
	leastIndex = 20
	mostIndex  = 1 << 26 // seen takes 8 MiB at most
)

// NewUnnamed returns an unnamed column of which nothing is read yet.
func NewUnnamed(place int) *Unnamed { return &Unnamed{Place: place, counts: true, differs: true} }

// Add takes the values of the next rows of the column.
func (u *Unnamed) Add(c *Column, rows int) {
	for row := 0; row < rows && (u.counts || u.differs || !u.filled); row++ {
		v, filled := numberAt(c, row)
		u.AddValue(v, filled && !math.IsNaN(v), filled)
	}
}

// AddValue takes the value of the next row: a number, another value, or none.
func (u *Unnamed) AddValue(v float64, number, filled bool) {
	u.filled = u.filled || filled
	first := u.rows == 0
	u.rows++
	u.differs = u.differs && number && u.add(v)
	u.rises, u.falls = u.rises || v > u.previous && !first, u.falls || v < u.previous && !first
	switch {
	case !number:
		u.counts = false
	case first && (v == 0 || v == 1):
		u.start = v
	case first:
		u.counts = false
	case v == u.previous+1:
	case v == u.start:
		u.restarts++
	default:
		u.counts = false
	}
	u.previous = v
}

// add reports whether a value is a whole number that no row before had.
func (u *Unnamed) add(v float64) bool {
	if v < 0 || v >= mostIndex || v != math.Trunc(v) {
		return false
	}
	at, bit := int(v)/64, uint64(1)<<(int(v)%64)
	if at >= len(u.seen) {
		u.seen = append(u.seen, make([]uint64, at+1-len(u.seen))...)
	}
	had := u.seen[at]&bit != 0
	u.seen[at] |= bit
	return !had
}

// numberAt returns the number in a row of a column, NaN if there is none, and whether there is any
// value.
func numberAt(c *Column, row int) (v float64, filled bool) {
	switch c.Storage {
	case Numbers:
		return c.Num[row], !math.IsNaN(c.Num[row])
	case Codes:
		if code := c.Code[row]; code < data.UnseenCode {
			if n, ok := ParseNumber(trim([]byte(c.Dict.levels[code]))); ok {
				return n, true
			}
			return math.NaN(), true
		}
	}
	return math.NaN(), false
}

// Places writes the place of a column, from 0, as people know it.
type Places func(place int) string

// Numbered counts columns from 1.
func Numbered(place int) string { return strconv.Itoa(place + 1) }

// LeaveOut leaves out those of the columns without names that are empty or count the rows of so
// many files, unless the options name them. It returns what is to be noted of them.
func (p *Plan) LeaveOut(unnamed []*Unnamed, columns []*Column, files int, places Places) []string {
	var notes []string
	var empty, kept []int
	for _, u := range unnamed {
		c := columns[u.Place]
		name := c.Field.Name
		switch counts := u.counts && u.rows > 1 && u.restarts < files; {
		case c.Storage == NotStored || p.named(name):
			continue
		case !u.filled:
			empty = append(empty, u.Place)
		case counts:
			notes = append(notes, fmt.Sprintf("column %s has no name and counts the rows: it is "+
				option.Expand("left out ({numeric} %s keeps it)"), places(u.Place), humanize.ShellQuote(name)))
		case u.differs && u.rises && u.falls && u.rows >= leastIndex:
			notes = append(notes, fmt.Sprintf("column %s has no name and has the numbers of shuffled "+
				option.Expand("rows: it is left out ({numeric} %s keeps it)"), places(u.Place),
				humanize.ShellQuote(name)))
		default:
			kept = append(kept, u.Place)
			continue
		}
		c.Storage, c.Num, c.Code, c.Dict, c.Turned = NotStored, nil, nil, nil, nil
	}
	switch {
	case len(kept) == 1:
		name := columns[kept[0]].Field.Name
		notes = append(notes, fmt.Sprintf(option.Expand("column %s has no name: it is called %q ({ignore} %s ")+
			"leaves it out)", places(kept[0]), name, humanize.ShellQuote(name)))
	case len(kept) > 1:
		notes = append(notes, fmt.Sprintf("columns %s have no names: the first is called %q",
			places.list(kept), columns[kept[0]].Field.Name))
	}
	switch {
	case len(empty) == 1:
		notes = append(notes, fmt.Sprintf("column %s has no name and no values: it is left out",
			places(empty[0])))
	case len(empty) > 1:
		notes = append(notes, fmt.Sprintf("columns %s have no names and no values: they are left out",
			places.list(empty)))
	}
	return notes
}

// list writes ascending places: "3 to 9, 12".
func (p Places) list(places []int) string {
	var words []string
	for from := 0; from < len(places); {
		to := from
		for to+1 < len(places) && places[to+1] == places[to]+1 {
			to++
		}
		word := p(places[from])
		if to > from {
			word += " to " + p(places[to])
		}
		words = append(words, word)
		from = to + 1
	}
	return strings.Join(words, ", ")
}

// named reports whether the options name a column, other than as one to ignore.
func (p *Plan) named(name string) bool {
	_, date := p.options.Dates[name]
	_, text := p.options.Texts[name]
	_, model := p.position[name]
	return date || text || model || p.numeric[name] || p.categorical[name] || p.also[name] ||
		p.optional[name] || p.verbatim[name]
}
