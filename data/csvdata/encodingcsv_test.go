package csvdata

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// otherGrammar finds text that encoding/csv reads by other rules than this package, on purpose:
// blanks beside quotes, CR elsewhere than at the end of an unquoted line, a line of nothing but
// quotes.
var otherGrammar = regexp.MustCompile(`[ \t\r]"|"[ \t\r]|\r+[^\n]|\r\r|\r$|(?m:^"+$)`)

var errTwin = errors.New("the twin refuses the text")

// twin reads comma-separated text with a header of two or more columns by encoding/csv and maps. It
// returns nil without an error where the two grammars differ. Which number format a column has it
// is given, by the schema that the reader found; it only checks that all texts are of it.
func twin(text []byte, found *data.Schema) (*data.Frame, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if otherGrammar.Match(text) {
		return nil, nil
	}
	var records [][]string
	origin := &data.Origin{Files: []string{"t.csv"}, First: []int32{0}}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil // bare quotes are none of its grammar
		}
		for i := range record {
			record[i] = strings.Trim(record[i], " \t\r")
		}
		if len(record) == 1 && record[0] == "" {
			continue
		}
		if len(records) > 0 {
			line, _ := r.FieldPos(0)
			origin.Line = append(origin.Line, int32(line))
		}
		records = append(records, record)
	}
	if len(records) == 0 {
		return nil, errTwin
	}
	if len(records[0]) < 2 || ownHeader(records) {
		return nil, nil
	}
	return twinFrame(records[0], records[1:], origin, found)
}

// ownHeader reports whether a header is one that this package completes: names are missing or
// repeated, it is shorter or longer than all rows, or it states the separator.
func ownHeader(records [][]string) bool {
	seen := map[string]bool{}
	for _, name := range records[0] {
		if name = strings.TrimSpace(name); name == "" || seen[name] ||
			strings.HasPrefix(strings.ToLower(name), "sep=") {
			return true
		}
		seen[name] = true
	}
	return len(records) > 1 && len(records[1]) != len(records[0])
}

func twinFrame(
	header []string, rows [][]string, origin *data.Origin, found *data.Schema,
) (*data.Frame, error) {
	if len(rows) == 0 || !utf8.ValidString(strings.Join(header, ",")) ||
		strings.ContainsRune(strings.Join(header, ""), 0) {
		return nil, errTwin
	}
	var schema data.Schema
	var columns []data.Column
	for j, name := range header {
		field, column := data.Field{Name: strings.TrimSpace(name)},
			data.Numbers(make([]float64, len(rows)))
		if at := found.Index(field.Name); at >= 0 {
			field.Format = found.Fields[at].Format
		}
		for i, row := range rows {
			if len(row) != len(header) {
				return nil, errTwin
			}
			v, ok := twinNumber(strings.TrimSpace(row[j]), field.Format)
			if slices.Contains(data.DefaultMissing, row[j]) {
				v, ok = math.NaN(), true
			}
			column.Numbers()[i] = v
			if !ok {
				field.Kind = data.Categorical
			}
		}
		if field.Kind == data.Categorical {
			var err error
			if field.Levels, column, err = twinCodes(rows, j); err != nil {
				return nil, err
			}
		}
		schema.Fields, columns = append(schema.Fields, field), append(columns, column)
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		return nil, errTwin
	}
	f.Origin = origin
	return f, nil
}

var zeros = regexp.MustCompile(`^[-+]?0[0-9]`)

// twinNumber reads a number of a format; one with zeros before it, or an integer beyond 2^53, is
// none.
func twinNumber(text, format string) (float64, bool) {
	if format != "" {
		f, err := spelling.ParseNumberFormat(format)
		v, ok := f.Number([]byte(text))
		return v, ok && err == nil
	}
	v, ok := table.ParseNumber([]byte(text))
	if whole, isInt := new(big.Int).SetString(text, 10); isInt {
		ok = whole.CmpAbs(big.NewInt(1<<53)) <= 0
	}
	return v, ok && !zeros.MatchString(text)
}

func twinCodes(rows [][]string, j int) (levels []string, column data.Column, err error) {
	for _, row := range rows {
		if !slices.Contains(data.DefaultMissing, row[j]) {
			if !utf8.ValidString(row[j]) || strings.Contains(row[j], "\x00") {
				return nil, column, errTwin
			}
			levels = append(levels, row[j])
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	for _, row := range rows {
		code := data.MissingCode
		if k, ok := slices.BinarySearch(levels, row[j]); ok {
			code = uint32(k)
		}
		column = data.Codes(append(column.Codes(), code))
	}
	return levels, column, nil
}

// sameFrame returns how two frames differ in names, kinds, levels, bits of values and lines of
// rows.
func sameFrame(a, b *data.Frame) string {
	bits := cmp.Comparer(func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	})
	places := func(f *data.Frame) (at []string) {
		for i := range f.Rows() {
			at = append(at, f.Locate(i))
		}
		return at
	}
	return cmp.Diff(a.Schema, b.Schema) + cmp.Diff(a.Columns, b.Columns, bits,
		cmpopts.EquateEmpty()) + cmp.Diff(places(a), places(b))
}

// checkAgainstTwin compares the reader with the twin, and with itself for blocks of another size.
// The bits of how choose options that the twin does not have.
func checkAgainstTwin(t *testing.T, text []byte, block, how uint8) {
	ctx := context.Background()
	o := Options{ReadOptions: data.ReadOptions{AllCategorical: how&2 != 0}, Comma: ',',
		NoHeader: how&1 != 0}
	if how&4 != 0 {
		o.Comma = 0
	}
	if how&8 != 0 {
		o.Missing = []string{"1", "x"}
	}
	if how&16 != 0 {
		o.Verbatim, o.NoHeader = []string{"f0"}, true
	}
	if how&32 != 0 {
		o.Comment = '#'
	}
	o.Skip = int(how >> 6 & 1)
	o.Threads = 1
	got, err := readBytes(ctx, o, "t.csv", text)
	var typed *data.ReadError
	switch {
	case err != nil && !errors.As(err, &typed):
		t.Fatalf("%v is not a *data.ReadError", err)
	case err != nil && strings.ContainsAny(err.Error(), "\n\r"):
		t.Fatalf("the error %q has several lines", err)
	}
	sources := func() []source.Source { return []source.Source{source.Bytes("t.csv", text)} }
	want := readText(ctx, o, sources(), blockSize, 1)
	for _, threads := range []int{1, 3} {
		if diff := want.differs(readText(ctx, o, sources(), 1+int(block), threads)); diff != "" {
			t.Fatalf("one goroutine, and %d with blocks of %d bytes: %s", threads, 1+int(block), diff)
		}
	}
	if how&127 != 0 {
		return
	}
	var found data.Schema
	if err == nil {
		found = got.Schema
	}
	other, twinErr := twin(text, &found)
	switch {
	case other == nil && twinErr == nil:
	case (err == nil) != (twinErr == nil):
		t.Fatalf("reader: %v; twin: %v", err, twinErr)
	case err == nil:
		if diff := sameFrame(got, other); diff != "" {
			t.Fatalf("reader and twin: %s", diff)
		}
	}
}

var texts = []string{
	"a,b\n1,2\n", "a,b\r\n1,x\r\n,\"y,\"\"\n\"\r\n", "\ufeffa,b\n\n1e5,2\n?,NA\n",
	"a,b,c\n1,2,3\n4,5,x\nx,y,\n", "a,a\n1,2\n", "a,\n1,2\n",
	"a,b\n1\n", "a,b\n1,\"2\n", "a,b\n\"x\"y,1\n", "a\n1\n\n2\n", "a,b\n1,\xff\n",
	"a,b\n1234567.12345678901,0.1\n", "a;b\n \"x\" ;\t1\n", "0\r0\n", "\"a\n\"\tb\n1\t2\n", "",
	"\n", "a,b\n",
	"a,b\n\"1,007\",$5\n\"2,5\",\"$1,550.62\"\n", "a,b\n01,9007199254740993\n5,9007199254740992\n",
	"a,b\n12%,1 000\n,(5)\n", "\xef\xbb,\xbf\n,",
	",a\n0,x\n1,y\n", "a,b\nr1,1,2\nr2,3,4\n", "a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n", "a\rb\r1\r",
	"# x\na,b\n#\"\n1,2\n # y\n3,4\n", "sep=;\na;b\n1;2\n", "title\n\na|b\n1|2\n3|4\n",
	"5.1,x\n4.9,x\n", "a,b\r1,\"x\ny\"\r2,z\r", "x,a,a,a_2\n1,2,3,4\n",
}

func TestTwin(t *testing.T) {
	tier.NotShort(t, "reads thousands of random tables")
	for _, text := range texts {
		for block := range 16 {
			for _, how := range slices.Concat(hows(32), []int{32, 64, 96, 98, 101}) {
				checkAgainstTwin(t, []byte(text), uint8(block), uint8(how))
			}
		}
	}
}

// hows returns the numbers below one.
func hows(below int) (all []int) {
	for how := range below {
		all = append(all, how)
	}
	return all
}

func FuzzRead(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), uint8(3), uint8(i%2*i))
		f.Add([]byte(text), uint8(i), uint8(i%4*32))
	}
	f.Fuzz(checkAgainstTwin)
}
