package xlsxdata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/memory"
)

func suite(t testing.TB) tabletest.Reader {
	return tabletest.Reader{Open: Open, Sniff: Sniff, Name: "t.xlsx",
		File: book(t, "One", [][]any{{"size", "color"}, {1.5, "red"}, {-2}, {nil, "a,b"}}),
		Want: "size 1.5 -2 -\ncolor red - a,b {a,b|red}\n", Number: "size",
		Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "color", Line: 3, Binary: true, Sealed: true,
		Texts: func(t testing.TB, column string, texts []string) []byte {
			rows := [][]any{{column}}
			for _, text := range texts {
				rows = append(rows, []any{text})
			}
			return book(t, "One", rows)
		}}
}

func TestReader(t *testing.T) { suite(t).Run(t) }

// read reads a workbook in memory and in blocks, which must be the same, with the notes.
func read(t *testing.T, o data.ReadOptions, b []byte) (table string, notes []string, err error) {
	t.Helper()
	o.Log = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	o.Bytes = map[string][]byte{"t.xlsx": b}
	f, err := Open(o, "t.xlsx").Frame(t.Context())
	if err != nil {
		tabletest.CheckError(t, err)
		return "", nil, err
	}
	own := o
	own.Log = nil
	blocks, err := Open(own, "t.xlsx").Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for block, err := range blocks.Blocks(t.Context()) {
		if err != nil || tabletest.Render(block.Frame) != tabletest.Render(f) {
			t.Errorf("in blocks: %v", err)
		}
	}
	return tabletest.Render(f), notes, nil
}

func TestSheets(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  [][]any
		want  string
		notes []string
	}{
		{"kinds of cells", [][]any{{"a", "b", "c", "d", "e"}, {1, "x", true, day(45322), formula("p")}, {2.5, "y<&", false, day(45322.5), formula("q")}},
			"a 1 2.5\nb x y<& {x|y<&}\nc true false {false|true}\nd 2024-01-31 2024-01-31T12:00:00Z date\ne p q {p|q}\n", nil},
		{"shared texts", [][]any{{"a", "b"}, {[]int{0}, 1}, {[]int{1}, 2}}, "a shared rich  {rich |shared}\nb 1 2\n", nil},
		{"missing values", [][]any{{"a", "b", "c"}, {errors.New("#N/A"), "NA", "n/a"}, {1, "x", 2}, {nil, nil, 3}, {}, {"  ", "", 4}}, "a - 1 - \nb", nil},
		{"a title", [][]any{{"Sales of 2024"}, nil, {"a", "b"}, {1, 2}, {3, 4}}, "a 1 3\nb 2 4\n",
			[]string{"t.xlsx:3: the rows above the header are left out as a title"}},
		{"a table at some place", [][]any{nil, {nil, nil, "a", "b"}, {nil, nil, 1, 2}, nil, {nil, nil, 3, 4}}, "a 1 3\nb 2 4\n", nil},
		{"the index of pandas", [][]any{{nil, "a", "b"}, {0, 1, 2}, {1, 3, 4}}, "a 1 3\nb 2 4\n",
			[]string{`t.xlsx:1: column A has no name and counts the rows: it is left out (data.ReadOptions.Numeric 'Unnamed: 0' keeps it)`}},
		{"repeated names", [][]any{{"a", "a", 2024}, {1, 2, 3}}, "a 1\na_2 2\n2024 3\n",
			[]string{`t.xlsx:1: names of columns are repeated: column B is called "a_2"`}},
		{"numbers as texts", [][]any{{"a"}, {"1"}, {"1,5"}}, "a", nil},
	} {
		got, notes, err := read(t, data.ReadOptions{}, book(t, "One", c.rows))
		if err != nil || !strings.HasPrefix(got, strings.TrimSuffix(c.want, " \nb")) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", c.name, err, got, c.want)
		}
		notes = slices.DeleteFunc(notes, func(n string) bool { return !strings.HasPrefix(n, "t.xlsx") })
		if !slices.Equal(notes, c.notes) {
			t.Errorf("%s: notes %q, want %q", c.name, notes, c.notes)
		}
	}
	for want, rows := range map[string][][]any{
		`t.xlsx: the header has two rows: "town" in row 1 names a column that has no name in row 2 (write one row of names)`: {
			{"town", "sales", nil, nil}, {nil, "q1", "q2", "q3"}, {"Ulm", 1, 2, 3}, {"Bonn", 4, 5, 6}},
		`t.xlsx: row 2 looks like a second row of the header: "kg" stands where the rows below have numbers (write one row of names)`: {
			{"town", "weight", "size"}, {"name", "kg", "cm"}, {"Ulm", 1, 2}, {"Bonn", 4, 5}},
		"": {{"town", "weight", "size"}, {"Aix", "NA", "n/a"}, {"Ulm", 1, 2}, {"Bonn", 4, 5}},
	} {
		_, _, err := read(t, data.ReadOptions{}, book(t, "One", rows))
		if (err != nil) != (want != "") || err != nil && err.Error() != want {
			t.Errorf("several rows of names: %v, want %s", err, want)
		}
	}
	two := book(t, "One", [][]any{{"a"}, {1}}, "Two", [][]any{{"b"}, {2}})
	if _, notes, err := read(t, data.ReadOptions{}, two); err != nil || !slices.Equal(notes, []string{
		`t.xlsx: the first of 2 sheets is read, "One" (data.ReadOptions.Sheet 'Two' reads the next one)`}) {
		t.Errorf("%v, notes %q", err, notes)
	}
	schema := &data.Schema{Fields: []data.Field{{Name: "a"}}}
	if _, notes, err := read(t, data.ReadOptions{Schema: schema}, two); err != nil || len(notes) != 1 {
		t.Errorf("for a model: %v, notes %q", err, notes)
	}
	if got, _, err := read(t, data.ReadOptions{Sheet: "Two"}, two); err != nil || got != "b 2\n" {
		t.Errorf("the second sheet: %v, %s", err, got)
	}
	_, _, err := read(t, data.ReadOptions{Sheet: "Too"}, two)
	if err == nil || !strings.Contains(err.Error(), `t.xlsx: there is no sheet "Too"`) {
		t.Errorf("no sheet: %v", err)
	}
}

// Values of merged cells are in the first of them.
func TestMergedCells(t *testing.T) {
	sheet := `<w><sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>` +
		`<row><c t="str"><v>x</v></c><c><v>1</v></c></row><row r="3"><c r="B3"><v>2</v></c></row></sheetData>` +
		`<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A2:A3"/><mergeCell ref="?"/></mergeCells></w>`
	got, notes, err := read(t, data.ReadOptions{}, archived(t, map[string]string{"xl/s.xml": sheet,
		"xl/workbook.xml":            `<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<R><Relationship Id="r1" Target="/xl/s.xml"/></R>`}))
	want := "t.xlsx: 1 range of cells is merged (A2:A3): the first cell has the value, and the others are missing"
	if err != nil || got != "a x - {x}\nb 1 2\n" || !slices.Contains(notes, want) {
		t.Errorf("%v, notes %q, got\n%s", err, notes, got)
	}
}

func TestBadBooks(t *testing.T) {
	good := func(part, content string) []byte {
		parts := map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<R><Relationship Id="r1" Target="/xl/s.xml"/></R>`,
			"xl/s.xml":                   `<worksheet><row><c><v>1</v></c></row></worksheet>`}
		parts[part] = content
		return archived(t, parts)
	}
	for want, b := range map[string][]byte{
		"t.xlsx: this is an old Excel file (.xls), or one with a password: save it as .xlsx": []byte("\xd0\xcf\x11\xe0abc"),
		"t.xlsx: damaged Excel workbook: zip: not a valid zip file":                          []byte("a,b\n1,2\n"),
		"t.xlsx: this is no Excel workbook":                                                  archived(t, map[string]string{"a": "b"}),
		"t.xlsx: the workbook has no sheet":                                                  good("xl/workbook.xml", "<workbook/>"),
		"t.xlsx: the sheet is empty":                                                         good("xl/s.xml", "<worksheet/>"),
		"t.xlsx: damaged Excel workbook: cell A2 has the text \"7\" of 0":                    good("xl/s.xml", `<w><row><c r="A2" t="s"><v>7</v></c></row></w>`),
		"t.xlsx: damaged Excel workbook: cell \"A\\n2\" has the text \"\\n\" of 0":           good("xl/s.xml", "<w><row><c r=\"A&#10;2\" t=\"s\"><v>\n</v></c></row></w>"),
		`t.xlsx: damaged Excel workbook: cell A2 holds "x", which is no number`:              good("xl/s.xml", `<w><row><c r="A2"><v>x</v></c></row></w>`),
		"t.xlsx: damaged Excel workbook: XML syntax error on line 1: unexpected EOF":         good("xl/s.xml", `<w><row><c r="A2"><v>x</v`),
		"t.xlsx: row 1 has a cell beyond the column XFD, the last of Excel":                  good("xl/s.xml", `<w><row><c r="ZZZZZ1"><v>1</v></c></row></w>`),
		"t.xlsx:2: cell D2 holds a value, and the header in row 1 has no name for it":        book(t, "a", [][]any{{"a", "b", "c"}, {1, 2, 3, 4}}),
		"t.xlsx:2: cell AC2 holds a value, and the header in row 1 has no name for it":       good("xl/s.xml", `<w><row><c t="str"><v>a</v></c></row><row r="2"><c r="AC2"><v>1</v></c></row></w>`),
	} {
		if _, _, err := read(t, data.ReadOptions{}, b); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A small file whose parts take much unpacked is refused before they are.
func TestBombs(t *testing.T) {
	for _, part := range []string{"xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"} {
		parts := map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<R><Relationship Id="r1" Target="worksheets/sheet1.xml"/></R>`,
			"xl/worksheets/sheet1.xml":   `<w><row><c><v>1</v></c></row></w>`}
		parts[part] = strings.Repeat(" ", 3<<20) + parts[part]
		b := archived(t, parts)
		if len(b) > 1<<16 {
			t.Fatalf("%d bytes", len(b))
		}
		_, _, err := read(t, data.ReadOptions{Memory: 1 << 20}, b)
		if !errors.Is(err, memory.ErrLimit) || !errors.Is(err, data.ErrLimit) {
			t.Errorf("%s: %v", part, err)
		}
	}
}

func TestFormatsOfDates(t *testing.T) {
	for code, want := range map[string]bool{"yyyy-mm-dd": true, `d\ mmm`: true, "0.00": false, `0" days"`: false,
		"[Red]0": false, "[h]:mm": false, "h:mm": false, `[$-407]dddd`: true, `_d0`: false, "General": false} {
		if isDate(200, code) != want {
			t.Errorf("%s: %v", code, !want)
		}
	}
	if !isDate(14, "") || isDate(20, "") || isDate(0, "") {
		t.Error("formats without a code")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book(f, "One", [][]any{{"a", "b"}, {1, "x"}, {day(4), true}}), []byte("<w><row><c t=\"s\"><v>0</v></c></row></w>"))
	f.Fuzz(func(t *testing.T, b, sheet []byte) {
		parts := map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<R><Relationship Id="r1" Target="s.xml"/></R>`, "xl/s.xml": string(sheet)}
		for _, b := range [][]byte{b, archived(t, parts)} {
			o := data.ReadOptions{Memory: 1 << 24, Bytes: map[string][]byte{"t.xlsx": b}}
			if _, err := Open(o, "t.xlsx").Frame(t.Context()); err != nil {
				tabletest.CheckError(t, err)
			}
		}
	})
}
