// Package foreign owns what the readers and writers of other tools' models share. Traits are what a
// format may not hold. Names and Codes are for files that have no names and levels. Budget counts
// the memory that reading a file may take. Grow makes a tree of nodes that are linked by number.
// Check ends the reading of a file that is wrong, and Ended returns the error.
package foreign

import (
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// Names returns n names of columns: those that a file has, and prefix and the number of the column
// in place of those that are missing or empty.
func Names(names []string, n int, prefix string) []string {
	all := make([]string, n)
	copy(all, names)
	for i, name := range all {
		if name == "" {
			all[i] = prefix + strconv.Itoa(i)
		}
	}
	return all
}

// Codes returns the levels of a column whose categories a file names by codes alone: "0", "1", ...,
// n of them, so that the code of a level is the tool's.
func Codes(n int) []string {
	levels, _ := new(Bare).Codes(n, func(int64) error { return nil })
	return levels
}

// Bare makes levels as Codes does, which share their memory among columns. A small file may have
// columns of millions.
type Bare struct{ all []string }

// Codes returns the levels of a column, of which it takes the memory that no other column has.
func (b *Bare) Codes(n int, take func(bytes int64) error) ([]string, error) {
	have := len(b.all)
	if n <= have {
		return b.all[:n:n], nil
	}
	const header, digits = 16, 8 // of a string; of a code below data.MaxLevels
	if err := take(header*int64(n) + digits*int64(n-have)); err != nil {
		return nil, err
	}
	var text strings.Builder
	text.Grow(digits * (n - have))
	var number [20]byte
	for i := have; i < n; i++ {
		text.Write(strconv.AppendInt(number[:0], int64(i), 10))
	}
	all, rest := make([]string, n), text.String()
	copy(all, b.all)
	for i := have; i < n; i++ {
		size := 1
		for ten := 10; i >= ten; ten *= 10 {
			size++
		}
		all[i], rest = rest[:size], rest[size:]
	}
	b.all = all
	return b.all[:n:n], nil
}

// Schema returns the schema of columns with some names; levels has the dictionary of each that is
// categorical, and is nil for those that are numeric.
func Schema(names []string, levels [][]string) data.Schema {
	fields := make([]data.Field, len(names))
	for i := range fields {
		fields[i].Name = names[i]
		if levels[i] != nil {
			fields[i].Kind, fields[i].Levels = data.Categorical, levels[i]
		}
	}
	return data.Schema{Fields: fields}
}

// MarkNumbers gives a categorical field whose levels a file stores as numbers, written as
// data.NumberText does, the format data.NumberLevels, unless they are integers alone or there are
// none.
func MarkNumbers(f *data.Field) {
	if len(f.Levels) > 0 && !f.IntegerLevels() {
		f.Format = data.NumberLevels
	}
}
