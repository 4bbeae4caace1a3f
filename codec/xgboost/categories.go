package xgboost

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// textCategories is how XGBoost stores categories that a table had as texts:
// model.Origin.Categories has it. A table whose column has categories of another type is refused by
// XGBoost.
const textCategories = "text"

// categoryTypes are the other ways: whole numbers of some type, by the number that XGBoost has for
// an array of them (Value::ValueKind of its include/xgboost/json.h).
var categoryTypes = map[int64]string{9: "int8", 10: "uint8", 11: "int16", 12: "uint16", 13: "int32",
	14: "uint32", 15: "int64", 16: "uint64"}

// typeNumber returns XGBoost's number of a type of categoryTypes, 0 if it is none.
func typeNumber(as string) int64 {
	for number, name := range categoryTypes {
		if name == as {
			return number
		}
	}
	return 0
}

// stored returns how the file stores the categories of each field, nil if it has none.
func (c *columns) stored(fields []data.Field) []string {
	if !slices.ContainsFunc(c.storedAs, func(as string) bool { return as != "" }) {
		return nil
	}
	list := slices.Clone(c.storedAs)
	for i := range fields {
		if fields[i].Kind != data.Categorical {
			list[i] = ""
		}
	}
	return list
}

// categoriesOf returns the levels of a column that a file stores, and how. Of a model that comes
// from XGBoost they are stored as they were. Otherwise levels that are bare codes are not stored,
// and whole numbers are stored as such. XGBoost has no categories that are numbers with a fraction.
func (w *writing) categoriesOf(column int) (levels []string, as string) {
	f := &w.Meta.Schema.Fields[column]
	if o := w.Origin; o != nil && o.Tool == toolName && o.Categories != nil {
		as = o.Categories[column]
	}
	if as != textCategories && (typeNumber(as) == 0 || !wholeNumbers(f.Levels)) {
		as = "" // of another file, or of another program
	}
	switch {
	case as != "":
		return f.Levels, as
	case f.BareCodes() && f.Format != data.CodeLevels:
		return nil, ""
	case len(f.Levels) > 0 && wholeNumbers(f.Levels):
		return f.Levels, "int64" // as a data frame that was read from a table has them
	}
	return f.Levels, textCategories
}

// wholeNumbers reports whether all levels are whole numbers as strconv writes them.
func wholeNumbers(levels []string) bool {
	return !slices.ContainsFunc(levels, func(level string) bool {
		n, err := strconv.ParseInt(level, 10, 64)
		return err != nil || strconv.FormatInt(n, 10) != level
	})
}

// writeCategories writes categories as XGBoost has them since 3.1, with the order of the categories
// in each column. Older versions leave them out.
func (c *columns) writeCategories(s sink) {
	segments, order := []int32{0}, []int32{}
	for i, levels := range c.categories {
		order = append(order, sortedLevels(levels, c.storedAs[i])...)
		segments = append(segments, int32(len(order)))
	}
	s.object(
		member{"enc", func() {
			s.list(len(c.categories), func(i int) {
				if number := typeNumber(c.storedAs[i]); number != 0 {
					writeNumbers(s, c.categories[i], number)
					return
				}
				writeLevels(s, c.categories[i])
			})
		}},
		member{"feature_segments", numbers(s, 32, segments)},
		member{"sorted_idx", numbers(s, 32, order)})
}

// sortedLevels returns the places of levels in the order in which XGBoost searches them: of numbers
// by number, of texts by their bytes as numbers with a sign.
func sortedLevels(levels []string, as string) []int32 {
	sorted := make([]int32, len(levels))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	compare := func(a, b string) int {
		return slices.CompareFunc([]byte(a), []byte(b), func(x, y byte) int {
			return cmp.Compare(int8(x), int8(y))
		})
	}
	if typeNumber(as) != 0 {
		compare = func(a, b string) int { return cmp.Compare(wholeNumber(a), wholeNumber(b)) }
	}
	slices.SortFunc(sorted, func(a, b int32) int { return compare(levels[a], levels[b]) })
	return sorted
}

// wholeNumber returns the whole number that a level is.
func wholeNumber(level string) int64 {
	n, _ := strconv.ParseInt(level, 10, 64) // wholeNumbers has found it to be one
	return n
}

func writeNumbers(s sink, levels []string, kind int64) {
	s.object(member{"type", func() { s.integer(kind) }},
		member{"values", func() {
			s.list(len(levels), func(i int) { s.integer(wholeNumber(levels[i])) })
		}})
}

func writeLevels(s sink, levels []string) {
	var offsets []int32
	bytes := strings.Join(levels, "")
	for at := 0; len(levels) > 0; levels = levels[1:] {
		if offsets == nil {
			offsets = []int32{0}
		}
		at += len(levels[0])
		offsets = append(offsets, int32(at))
	}
	s.object(member{"offsets", numbers(s, 32, offsets)},
		member{"values", func() { // 1.7 has no arrays of numbers with sign in 8 bits
			s.list(len(bytes), func(i int) { s.integer(int64(int8(bytes[i]))) })
		}})
}

// describe describes the columns.
func (w *writing) describe() error {
	c, some := &w.file.columns, false
	for i := range w.Meta.Schema.Fields {
		f := &w.Meta.Schema.Fields[i]
		c.names = append(c.names, f.Name)
		kind, levels, as := "float", []string(nil), ""
		if f.Kind == data.Categorical {
			kind = "c"
			levels, as = w.categoriesOf(i)
		}
		some = some || len(levels) > 0
		c.types, c.categories = append(c.types, kind), append(c.categories, levels)
		c.storedAs = append(c.storedAs, as)
	}
	if !some {
		c.categories, c.storedAs = nil, nil
	}
	w.putSettings()
	if w.unnamed() {
		c.names = nil
		if !slices.ContainsFunc(c.types, func(kind string) bool { return kind != "float" }) {
			c.types = nil
		}
	}
	return nil
}

// unnamed reports whether a model of XGBoost has all the names that its reader gives to columns
// without any. XGBoost refuses rows without names for a model that has them, never the reverse.
func (w *writing) unnamed() bool {
	if w.Origin == nil || w.Origin.Tool != toolName {
		return false
	}
	for i := range w.Meta.Schema.Fields {
		if n, ok := spelling.FeatureNumber(w.Meta.Schema.Fields[i].Name); !ok || n != int64(i) {
			return false
		}
	}
	return true
}
