package csvdata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// layoutCase is a text whose header or lines are not those of RFC 4180.
type layoutCase struct {
	name, text string
	options    Options
	want       string   // the table by tabletest.Render, or the error
	notes      []string // but for those about kinds of columns
}

// numbered returns a column of multiples of a step, modulo 20, beside a column of fives.
func numbered(rows, step int) string {
	text := ",a\n"
	for i := range rows {
		text += fmt.Sprintf("%d,5\n", (i+1)*step%20)
	}
	return text
}

func layoutCases() []layoutCase {
	unnamed := func(place int) string {
		return fmt.Sprintf(`t.csv:1: column %d has no name: it is called "Unnamed: %d" (data.ReadOptions.Ignore 'Unnamed: %d' leaves it out)`,
			place+1, place, place)
	}
	counts := `t.csv:1: column 1 has no name and counts the rows: it is left out (data.ReadOptions.Numeric 'Unnamed: 0' keeps it)`
	return []layoutCase{
		{"pandas index", ",a,b\n0,1,x\n1,2,y\n2,3,x\n", Options{}, "a 1 2 3\nb x y x {x|y}\n", []string{counts}},
		{"pandas index, kept", ",a\n0,5\n1,6\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"Unnamed: 0"}}},
			"Unnamed: 0 0 1\na 5 6\n", nil},
		{"pandas index, all categorical", ",a\n0,5\n1,6\n", Options{ReadOptions: data.ReadOptions{AllCategorical: true}},
			"a 5 6 {5|6}\n", []string{counts}},
		{"pandas index of some rows", ",a\n3,5\n9,6\n10,7\n", Options{}, "Unnamed: 0 3 9 10\na 5 6 7\n", []string{unnamed(0)}},
		{"pandas index of shuffled rows", numbered(20, 7), Options{}, "a" + strings.Repeat(" 5", 20) + "\n",
			[]string{strings.Replace(counts, "counts the rows:", "has the numbers of shuffled rows:", 1)}},
		{"shuffled numbers of few rows", numbered(3, 7), Options{}, "Unnamed: 0 7 14 1\na 5 5 5\n", []string{unnamed(0)}},
		{"falling numbers without a name", numbered(20, 19), Options{}, "Unnamed: 0 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0\na" +
			strings.Repeat(" 5", 20) + "\n", []string{unnamed(0)}},
		{"pandas index written twice", ",Unnamed: 0,a\n0,7,5\n1,3,6\n", Options{}, "Unnamed: 0 7 3\na 5 6\n",
			[]string{strings.Replace(counts, "'Unnamed: 0'", "'Unnamed: 0_2'", 1)}},
		{"R with quotes", "\"\",\"a\"\n\"1\",5\n\"2\",6\n", Options{}, "a 5 6\n", []string{counts}},
		{"R row names without a name", "\"a\",\"b\"\n\"x1\",5,1\n\"x2\",6,2\n", Options{},
			"Unnamed: 0 x1 x2 {x1|x2}\na 5 6\nb 1 2\n", []string{unnamed(0)}},
		{"R row numbers without a name", "a,b\n1,5,1\n2,6,2\n", Options{}, "a 5 6\nb 1 2\n", []string{counts}},
		{"nameless in the middle", "a, ,b\n1,2,3\n", Options{}, "a 1\nUnnamed: 1 2\nb 3\n", []string{unnamed(1)}},
		{"nameless, several", "a,,,b,,c\n1,2,3,4,5,6\n", Options{}, "a 1\nUnnamed: 1 2\nUnnamed: 2 3\nb 4\nUnnamed: 4 5\nc 6\n",
			[]string{`t.csv:1: columns 2 to 3, 5 have no names: the first is called "Unnamed: 1"`}},
		{"repeated names", "a,b, a,a\n1,2,3,4\n", Options{}, "a 1\nb 2\na_2 3\na_3 4\n",
			[]string{`t.csv:1: names of columns are repeated: column 3 is called "a_2", column 4 is called "a_3"`}},
		{"repeated names, one of them taken", "a,a,a_2,a\n1,2,3,4\n", Options{}, "a 1\na_3 2\na_2 3\na_4 4\n",
			[]string{`t.csv:1: names of columns are repeated: column 2 is called "a_3", column 4 is called "a_4"`}},
		{"repeated names, many", "a,a,a,a,a,a\n1,2,3,4,5,6\n", Options{}, "a 1\na_2 2\na_3 3\na_4 4\na_5 5\na_6 6\n",
			[]string{`t.csv:1: names of columns are repeated: column 2 is called "a_2", column 3 is called "a_3", ` +
				`column 4 is called "a_4", 2 further columns have numbers`}},
		{"separators at the end of all lines", "a,b,\n1,2,\n3,4,\n", Options{}, "a 1 3\nb 2 4\n",
			[]string{"t.csv:1: column 3 has no name and no values: it is left out"}},
		{"many separators at the end of all lines", "a,b,,,\n1,2,,,\n3,4,,,\n", Options{}, "a 1 3\nb 2 4\n",
			[]string{"t.csv:1: columns 3 to 5 have no names and no values: they are left out"}},
		{"separators at the end of the rows", "a;b\n1;2;\n3;4;\n", Options{}, "a 1 3\nb 2 4\n",
			[]string{"t.csv:1: column 3 has no name and no values: it is left out"}},
		{"separators at the end of the header", "a,b,,\n1,2\n3,4\n", Options{}, "a 1 3\nb 2 4\n", nil},
		{"pipes", "a|b\n1|x\n2|y\n", Options{}, "a 1 2\nb x y {x|y}\n", nil},
		{"sep=;", "sep=;\na;b\n1;2,5\n", Options{}, "a 1\nb 2.5\n", nil},
		{"SEP in quotes", "\"SEP=|\"\r\na|b,c\r\n1|2\r\n", Options{}, "a 1\nb,c 2\n", nil},
		{"sep= and another separator", "sep=;\na,b\n1,2\n", Options{Comma: ','}, "a 1\nb 2\n", nil},
		{"sep= in a table without a header", "sep=;\n1;2\n", Options{NoHeader: true}, "f0 1\nf1 2\n", nil},
		{"CR alone", "a,b\r1,x\r2,\"y,\rz\"\r", Options{}, "a 1 2\nb x y,\nz {x|y,\nz}\n", nil},
		{"CR alone, no last one", "a,b\r1,2", Options{}, "a 1\nb 2\n", nil},
		{"skipped lines", "x \"y\n\nz\na,b\n1,2\n", Options{Skip: 3}, "a 1\nb 2\n", nil},
		{"skipped lines without a header", "x\n1,2\n", Options{Skip: 1, NoHeader: true}, "f0 1\nf1 2\n", nil},
		{"comments", "# it's \"\na,b\n1,2\n # x,y,z\n#\n3,#4\n", Options{Comment: '#'}, "a 1 3\nb 2 #4 {#4|2}\n", nil},
		{"comments in quotes", "a,b\n1,\"x\n# y\"\n", Options{Comment: '#'}, "a 1\nb x\n# y {x\n# y}\n", nil},
		{"comments beside one column", "% x\na\n1\n\n% y\n2\n", Options{Comment: '%'}, "a 1 - 2\n", nil},
		{"comments alone", "# x\n# y\n", Options{Comment: '#'}, "t.csv: the file is empty", nil},
		{"more lines skipped than there are", "a,b\n1,2\n", Options{Skip: 3}, "t.csv: the file is empty", nil},
		{"a title", "Sales 2024\n\ndate,n\n2024-01-01,5\n2024-01-02,6\n", Options{},
			`t.csv:1: lines 1 to 2 are a title above the columns "date", "n" (csvdata.Options.Skip 2 leaves them out)`, nil},
		{"a title above an index", "Sales 2024\n,a,n\n0,x,5\n1,y,6\n", Options{},
			`t.csv:1: line 1 is a title above the columns "a", "n" (csvdata.Options.Skip 1 leaves it out)`, nil},
		{"a title, semicolons", "Sales 2024\na;n\nx;5\ny;6\n", Options{},
			`t.csv:1: line 1 is a title above the columns "a", "n" (csvdata.Options.Skip 1 leaves it out)`, nil},
		{"a title of Excel", "Sales,,,\n,,,\nby,shop,,\na,b,c,d\n1,2,3,4\n", Options{},
			`t.csv:1: lines 1 to 3 are a title above the columns "a", "b", "c", ... (csvdata.Options.Skip 3 leaves them out)`, nil},
		{"a title of comments", "# made by x\n# y, z\na,b,c,d\n1,2,3,4\n", Options{},
			`t.csv:1: lines 1 to 2 are a title above the columns "a", "b", "c", ... (csvdata.Options.Comment '#' leaves out all such lines)`, nil},
		{"a column of texts that have separators", "text\nx;y\nz;w\n", Options{}, "text x;y z;w {x;y|z;w}\n", nil},
		{"no header", "5.1,3.5,setosa\n4.9,3,setosa\n", Options{}, "5.1 4.9\n3.5 3\nsetosa setosa {setosa}\n",
			[]string{`t.csv:1: the first line looks like data, such as "5.1" in column 1, and is read as names (csvdata.Options.NoHeader reads it as a row)`}},
		{"no header, a date", "2024-01-01,x\n2024-01-02,y\n", Options{}, "2024-01-01 2024-01-02 date\nx y {y}\n",
			[]string{`t.csv:1: the first line looks like data, such as "2024-01-01" in column 1, and is read as names (csvdata.Options.NoHeader reads it as a row)`}},
		{"no header, one number", "39,State-gov\n50,State-gov\n", Options{}, "39 50\nState-gov State-gov {State-gov}\n",
			[]string{`t.csv:1: the first line looks like data, such as "39" in column 1, and is read as names (csvdata.Options.NoHeader reads it as a row)`}},
		{"years as names", "city,2019,2020,2021\nx,1,2,3\n", Options{}, "city x {x}\n2019 1\n2020 2\n2021 3\n", nil},
		{"places as names", ",0,1,2\n0,5,6,7\n1,8,9,1\n", Options{}, "0 5 8\n1 6 9\n2 7 1\n", []string{counts}},
		{"a number as name", "id,7\nx,1\ny,2\n", Options{}, "id x y {x|y}\n7 1 2\n", nil},
	}
}

// TestLayouts: headers and lines that people's programs write are read, in memory and in blocks of
// any size alike, and what was decided is noted once.
func TestLayouts(t *testing.T) {
	for _, c := range layoutCases() {
		for _, block := range []int{blockSize, 1, 3, 8} {
			var notes []string
			o := c.options
			o.Log = func(format string, args ...any) {
				if note := fmt.Sprintf(format, args...); !strings.HasPrefix(note, "column ") {
					notes = append(notes, note)
				}
			}
			o.Bytes = map[string][]byte{"t.csv": []byte(c.text)}
			table := o.format(block, 1).Open(o.ReadOptions, []string{"t.csv"})
			check := func(way string, f *data.Frame, err error) {
				got := ""
				var typed *data.ReadError
				if err == nil {
					got = tabletest.Render(f)
				} else if got = err.Error(); !errors.As(err, &typed) {
					t.Errorf("%s: %v is no data.ReadError", c.name, err)
				}
				if got != c.want {
					t.Errorf("%s, %s, block %d: got\n%s\nwant\n%s", c.name, way, block, got, c.want)
				}
				if err == nil && !slices.Equal(notes, c.notes) {
					t.Errorf("%s, %s, block %d: notes %q, want %q", c.name, way, block, notes, c.notes)
				}
				notes = nil
			}
			f, err := table.Frame(t.Context())
			check("in memory", f, err)
			blocks, err := table.Blocks(t.Context())
			if err == nil {
				f, err = join(t.Context(), blocks)
			}
			check("in blocks", f, err)
		}
	}
}

// join returns the table of all blocks.
func join(ctx context.Context, blocks data.Features) (*data.Frame, error) {
	var all *data.Frame
	for b, err := range blocks.Blocks(ctx) {
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = b.Frame
		} else if all, err = data.Concat(all, b.Frame); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A table that is read for a model may have the shape of that of training: the names are the same.
func TestLayoutsOfModels(t *testing.T) {
	for _, c := range layoutCases() {
		f, err := readBytes(t.Context(), c.options, "t.csv", []byte(c.text))
		if err != nil {
			continue
		}
		o := c.options
		o.ReadOptions = data.ReadOptions{Schema: &f.Schema, Log: func(format string, args ...any) {
			t.Errorf("%s: the note %q", c.name, fmt.Sprintf(format, args...))
		}}
		again, err := readBytes(t.Context(), o, "t.csv", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := tabletest.Render(again); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Files of a table count their rows from their own start, or on from the file before.
func TestIndexOfFiles(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{",a\n0,5\n1,6\n", ",a\n0,7\n1,8\n", "a 5 6 7 8\n"},
		{",a\n0,5\n1,6\n", ",a\n2,7\n3,8\n", "a 5 6 7 8\n"},
		{",a\n0,5\n1,6\n", ",a\n0,7\n0,8\n", "Unnamed: 0 0 1 0 0\na 5 6 7 8\n"},
	} {
		o := Options{}
		o.Bytes = map[string][]byte{"a.csv": []byte(c.first), "b.csv": []byte(c.second)}
		f, err := Open(o, "a.csv", "b.csv").Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := tabletest.Render(f); got != c.want {
			t.Errorf("%q and %q: got\n%swant\n%s", c.first, c.second, got, c.want)
		}
	}
}

func TestBadLayoutOptions(t *testing.T) {
	for want, o := range map[string]Options{
		`'"' cannot begin comments`:      {Comment: '"'},
		`';' cannot begin comments`:      {Comment: ';', Comma: ';'},
		"-1 lines cannot be skipped":     {Skip: -1},
		`'\u0080' cannot begin comments`: {Comment: 0x80},
	} {
		if _, err := readBytes(t.Context(), o, "t.csv", []byte("a\n1\n")); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
