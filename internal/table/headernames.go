package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Header names the columns of a file, each by a name of its own.
type Header struct {
	Names []string
	// Unnamed are the places of the columns without a name in the file.
	Unnamed []int
	// Repeated are the places of the columns that have the name of an earlier one in the file.
	Repeated []int
}

// unnamedPrefix begins the names of columns that have none in the file, as pandas writes them.
const unnamedPrefix = "Unnamed: "

// NewHeader names columns by what a file calls them. One without a name is called by its place,
// "Unnamed: 0" for the first column, as pandas calls it. A second column a is called a_2. Names
// that a file gives stay with their first columns. The names depend on those of the file alone, so
// that files of the same header have the same columns.
func NewHeader(called []string) *Header {
	h := &Header{Names: make([]string, len(called))}
	taken := make(map[string]bool, len(called))
	for i, name := range called {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			h.Unnamed = append(h.Unnamed, i)
		case taken[name]:
			h.Repeated = append(h.Repeated, i)
		}
		taken[name] = true
		h.Names[i] = name
	}
	for _, i := range h.Unnamed {
		h.Names[i] = free(taken, unnamedPrefix+strconv.Itoa(i))
	}
	last := map[string]int{} // of a name: the number that its last column got, 0 for the first
	for _, i := range h.Repeated {
		name := h.Names[i]
		last[name] = max(last[name], 1) + 1
		for taken[numbered(name, last[name])] {
			last[name]++
		}
		h.Names[i] = numbered(name, last[name])
		taken[h.Names[i]] = true
	}
	return h
}

// free returns a name, or one made of it, that no column has, and takes it.
func free(taken map[string]bool, name string) string {
	own := name
	for n := 2; taken[own]; n++ {
		own = numbered(name, n)
	}
	taken[own] = true
	return own
}

// numbered returns the name of the n-th column of a name.
func numbered(name string, n int) string { return name + "_" + strconv.Itoa(n) }

// RepeatedIn returns whether a column of a schema is there several times, and its later ones are
// not in the schema too: the first one is taken for it.
func (h *Header) RepeatedIn(s *data.Schema) bool {
	for _, i := range h.Repeated {
		name := h.Names[i]
		if s.Index(name) < 0 && s.Index(name[:strings.LastIndexByte(name, '_')]) >= 0 {
			return true
		}
	}
	return false
}

// RepeatedNote returns what a note reports of repeated names; "" if there are none.
func (h *Header) RepeatedNote(places Places) string {
	if len(h.Repeated) == 0 {
		return ""
	}
	const few = 3
	var words []string
	for _, i := range h.Repeated[:min(few, len(h.Repeated))] {
		words = append(words, fmt.Sprintf("column %s is called %q", places(i), h.Names[i]))
	}
	if more := len(h.Repeated) - few; more > 0 {
		words = append(words, humanize.Count(more, "further column has a number", "further columns have numbers"))
	}
	return "names of columns are repeated: " + strings.Join(words, ", ")
}
