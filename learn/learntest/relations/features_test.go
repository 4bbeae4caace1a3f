package relations

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// renamed returns a table with other names of the columns, whose order is another one.
func renamed(f *data.Frame) *data.Frame {
	s := f.Schema.Clone()
	for j := range s.Fields {
		s.Fields[j].Name = string(rune('z'-j)) + " " + s.Fields[j].Name
	}
	return mustFrame(s, f.Columns)
}

// reversed returns a table with its columns from the last to the first.
func reversed(f *data.Frame) *data.Frame {
	var order []int
	for j := range f.Columns {
		order = append([]int{j}, order...)
	}
	return f.Select(order)
}

// appended returns a table with another column behind the others.
func appended(f *data.Frame, field data.Field, c data.Column) *data.Frame {
	s := f.Schema.Clone()
	s.Fields = append(s.Fields, field)
	return mustFrame(s, append(slices.Clip(slices.Clone(f.Columns)), c))
}

// copied returns a table with copies of a column of numbers and of one of categories.
func copied(f *data.Frame) *data.Frame {
	for _, j := range []int{age, soil} {
		field := f.Schema.Fields[j]
		field.Name += " again"
		f = appended(f, field, f.Columns[j])
	}
	return f
}

// constant returns a table with a column that has one value. Learners of categories get one
// category.
func constant(f *data.Frame) *data.Frame {
	if f.Schema.Fields[age].Kind == data.Categorical {
		return appended(f, data.Field{Name: "one", Kind: data.Categorical, Levels: []string{"only"}},
			data.Codes(make([]uint32, f.Rows())))
	}
	return appended(f, data.Field{Name: "one"}, data.Numbers(slices.Repeat([]float64{3}, f.Rows())))
}

// empty returns a table with a column of numbers and one of categories that have no value.
func empty(f *data.Frame) *data.Frame {
	f = appended(f, data.Field{Name: "nothing"},
		data.Numbers(slices.Repeat([]float64{math.NaN()}, f.Rows())))
	return appended(f, data.Field{Name: "nowhere", Kind: data.Categorical, Levels: []string{"only"}},
		data.Codes(slices.Repeat([]uint32{data.MissingCode}, f.Rows())))
}

// recoded returns a table whose categories have other codes: order returns, of the texts of a
// dictionary, those of the new one.
func recoded(f *data.Frame, order func(levels []string) []string) *data.Frame {
	s, columns := f.Schema.Clone(), slices.Clone(f.Columns)
	for j := range s.Fields {
		if s.Fields[j].Kind != data.Categorical {
			continue
		}
		old := s.Fields[j].Levels
		s.Fields[j].Levels = order(slices.Clone(old))
		codes := slices.Clone(columns[j].Codes())
		for i, c := range codes {
			if c < data.UnseenCode {
				codes[i] = uint32(slices.Index(s.Fields[j].Levels, old[c]))
			}
		}
		columns[j] = data.Codes(codes)
	}
	return mustFrame(s, columns)
}

// backwards returns a table whose dictionaries have their texts from the last to the first.
func backwards(f *data.Frame) *data.Frame {
	return recoded(f, func(levels []string) []string {
		slices.Reverse(levels)
		return levels
	})
}

// widened returns a table whose dictionaries have further texts, which no row has.
func widened(f *data.Frame) *data.Frame {
	return recoded(f, func(levels []string) []string {
		return slices.Insert(levels, len(levels)/2, "(no row)", "(no row either)")
	})
}

// translated returns a table whose categories have other names, in another order of the alphabet.
func translated(f *data.Frame) *data.Frame {
	s := f.Schema.Clone()
	for j := range s.Fields {
		own := slices.Clone(s.Fields[j].Levels)
		for c := range own {
			own[c] = string(rune('z'-c)) + " " + own[c]
		}
		s.Fields[j].Levels = own
	}
	return mustFrame(s, f.Columns)
}

// mapped returns a function that changes the numbers of the column age.
func mapped(change func(x float64) float64) func(f *data.Frame) *data.Frame {
	return func(f *data.Frame) *data.Frame {
		columns := slices.Clone(f.Columns)
		numbers := slices.Clone(columns[age].Numbers())
		for i, x := range numbers {
			numbers[i] = change(x)
		}
		columns[age] = data.Numbers(numbers)
		return mustFrame(f.Schema, columns)
	}
}

// unknown returns a table in which every third row has a category that training had not, in all
// columns of categories: as the code of no text, as a text of the dictionary that no training row
// has, or as a text of a dictionary of its own.
func unknown(f *data.Frame, as string) *data.Frame {
	s, columns := f.Schema.Clone(), slices.Clone(f.Columns)
	for j := range s.Fields {
		if s.Fields[j].Kind != data.Categorical {
			continue
		}
		code := data.UnseenCode
		switch as {
		case "text":
			s.Fields[j].Levels = append(slices.Clone(s.Fields[j].Levels), "(another table's)")
			code = uint32(len(s.Fields[j].Levels) - 1)
		case "level":
			code = uint32(slices.Index(s.Fields[j].Levels, "none"))
		}
		codes := slices.Clone(columns[j].Codes())
		for i := 0; i < len(codes); i += 3 {
			codes[i] = code
		}
		columns[j] = data.Codes(codes)
	}
	return mustFrame(s, columns)
}

// thinned returns a table in whose columns of numbers most values are absent.
func thinned(f *data.Frame, absent data.Absent) *data.Frame {
	schema, columns := f.Schema.Clone(), slices.Clone(f.Columns)
	schema.AbsentValues = absent
	for j := range columns {
		if columns[j].Codes() != nil {
			continue
		}
		numbers := slices.Clone(columns[j].Numbers())
		for i := range numbers {
			if i*7%8 > 1+j {
				numbers[i] = absent.Number()
			}
		}
		columns[j] = data.Numbers(numbers)
	}
	return mustFrame(schema, columns)
}

// sparse returns the table with sparse columns of numbers.
func sparse(f *data.Frame, absent data.Absent) *data.Frame {
	columns, usual := slices.Clone(f.Columns), absent.Number()
	for j := range columns {
		if columns[j].Codes() != nil {
			continue
		}
		var row []int32
		var value []float64
		for i, x := range columns[j].Numbers() {
			if x != usual && (x == x || usual == usual) {
				row, value = append(row, int32(i)), append(value, x)
			}
		}
		columns[j] = data.Sparse(f.Rows(), usual, row, value)
	}
	return mustFrame(f.Schema, columns)
}

// single returns the table with numbers in single precision, which holds all of them.
func single(f *data.Frame) *data.Frame {
	columns := slices.Clone(f.Columns)
	for j := range columns {
		if columns[j].Codes() != nil {
			continue
		}
		values := make([]float32, f.Rows())
		for i, x := range columns[j].Numbers() {
			values[i] = float32(x)
		}
		columns[j] = data.Numbers32(values)
	}
	return mustFrame(f.Schema, columns)
}
