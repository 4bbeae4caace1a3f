package csvdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

func TestGoodText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    Options
		want       string
	}{
		{"numbers", "a,b\n1,2\n3,4.5\n", Options{}, "a 1 3\nb 2 4.5\n"},
		{"no last newline", "a,b\n1,2\n3,4.5", Options{}, "a 1 3\nb 2 4.5\n"},
		{"number forms", "a\n-1\n+2\n3.\n.5\n1e3\n-2.5E-2\ninf\n-Infinity\n+INF\n", Options{}, "a -1 2 3 0.5 1000 -0.025 +Inf -Inf +Inf\n"},
		{"beyond float64", "a\n1e400\n-1e400\n1e-400\n", Options{}, "a +Inf -Inf 0\n"},
		{"not numbers", "a\n0x10\n1_000\n", Options{}, "a 0x10 1_000 {0x10|1_000}\n"},
		{"nan is a token, not a number", "a,b\nnan,NAN\n1,1\n", Options{}, "a - 1\nb NAN 1 {1|NAN}\n"},
		{"missing", "a,b\n,x\n?,NA\n1,\n", Options{}, "a - - 1\nb x - - {x}\n"},
		{"missing, own tokens", "a,b\n-9,x\n?,NA\n1,\n", Options{ReadOptions: data.ReadOptions{Missing: []string{" -9 "}}}, "a - ? 1 {1|?}\nb x NA - {NA|x}\n"},
		{"missing, no tokens", "a\nNA\n\"\"\n1\n", Options{ReadOptions: data.ReadOptions{Missing: []string{}}}, "a NA - 1 {1|NA}\n"},
		{"a number as token is compared as text", "a\n-9\n-9.0\n1\n", Options{ReadOptions: data.ReadOptions{Missing: []string{"-9"}}}, "a - -9 1\n"},
		{"all missing is numeric", "a,b\n,?\nNA,\n", Options{}, "a - -\nb - -\n"},
		{"all missing, forced", "a\nNA\n?\n", Options{ReadOptions: data.ReadOptions{Categorical: []string{"a"}}}, "a - - {}\n"},
		{"texts", "a,b\nx,1\ny,2\nx,3\n", Options{}, "a x y x {x|y}\nb 1 2 3\n"},
		{"late text", "a,b\n1,1\n1.0,2\n,3\nx,4\n1,5\n", Options{}, "a 1 1.0 - x 1 {1|1.0|x}\nb 1 2 3 4 5\n"},
		{"two late texts", "a,b\n1,1\n2,y\nx,3\n", Options{}, "a 1 2 x {1|2|x}\nb 1 y 3 {1|3|y}\n"},
		{"levels are sorted by bytes", "a\nb\nB\n10\n9\né\n", Options{}, "a b B 10 9 é {10|9|B|b|é}\n"},
		{"trimmed", " a\t, b \n 1 ,\t x y \n  ?  ,z\n", Options{}, "a 1 -\nb x y z {x y|z}\n"},
		{"quotes", `"a","b"` + "\n" + `"1","x,y"` + "\n" + `2,"say ""hi"""` + "\n", Options{}, "a 1 2\nb x,y say \"hi\" {say \"hi\"|x,y}\n"},
		{"quoted blanks stay", "a\n\" x \"\nx\n", Options{}, "a  x  x { x |x}\n"},
		{"quoted blanks around a number do not matter", "a\n\" 1 \"\n\"2\"\n", Options{}, "a 1 2\n"},
		{"nothing but quoted blanks", "a,b\n\"  \",\" \"\n1,x\n", Options{}, "a - 1\nb - x {x}\n"},
		{"quoted tokens are missing", "a,b\n\"NA\",\"?\"\n1,x\n", Options{}, "a - 1\nb - x {x}\n"},
		{"blanks around quotes", "a,b\n \"1\" , \"x, y\" \n", Options{}, "a 1\nb x, y {x, y}\n"},
		{"quoted newlines", "a,b\n1,\"x\ny\"\n2,\"x\r\ny\"\n", Options{}, "a 1 2\nb x\ny x\ny {x\ny}\n"},
		{"quoted header", "\"a\n1\",\"b,2\"\n1,2\n", Options{}, "a\n1 1\nb,2 2\n"},
		{"bare quotes", "a,b\n5\" pipe,x\n3'\",y\"z\n", Options{}, "a 5\" pipe 3'\" {3'\"|5\" pipe}\nb x y\"z {x|y\"z}\n"},
		{"CR LF", "a,b\r\n1,x\r\n2,y\r\n", Options{}, "a 1 2\nb x y {x|y}\n"},
		{"CR CR LF", "a,b\r\r\n1,2\r\r\n3,4\r\r\n", Options{}, "a 1 3\nb 2 4\n"},
		{"byte order mark", "\ufeffa,b\n1,2\n", Options{}, "a 1\nb 2\n"},
		{"byte order mark and quotes", "\ufeff\"a\",b\n1,2\n", Options{}, "a 1\nb 2\n"},
		{"blank lines", "\n \na,b\n\n1,2\n \t\r\n\n3,4\n\n\n", Options{}, "a 1 3\nb 2 4\n"},
		{"blank lines of one column are values", "\na\n1\n\n2\n", Options{}, "a 1 - 2\n"},
		{"no header", "1,x\n2,y\n", Options{NoHeader: true}, "f0 1 2\nf1 x y {x|y}\n"},
		{"no header, one column", "1\n\n2\n", Options{NoHeader: true}, "f0 1 - 2\n"},
		{"tabs", "a\tb c\n1\t x\n\ty\n", Options{}, "a 1 -\nb c x y {x|y}\n"},
		{"a line of tabs is a row", "a\tb\n\t\n1\t2\n", Options{}, "a - 1\nb - 2\n"},
		{"tabs and commas", "a\tx,b\n1,2\n", Options{}, "a\tx 1\nb 2\n"},
		{"tabs and quoted commas", "\"a,x\"\tb\n1\t2\n", Options{}, "a,x 1\nb 2\n"},
		{"semicolons", "a;b\n1;2,5\n", Options{}, "a 1\nb 2.5\n"},
		{"given separator", "a|b,c\n1|2,5\n", Options{Comma: '|'}, "a 1\nb,c 2.5\n"},
		{"blanks as separator", "a b c\n1  2\n", Options{Comma: ' '}, "a 1\nb -\nc 2\n"},
		{"forced kinds", "a,b\n1,2\n2,\n", Options{ReadOptions: data.ReadOptions{Categorical: []string{"a"}, Numeric: []string{"b"}}}, "a 1 2 {1|2}\nb 2 -\n"},
		{"all categorical", "a,b\n1,2\n2,\n", Options{ReadOptions: data.ReadOptions{AllCategorical: true, Numeric: []string{"b"}}}, "a 1 2 {1|2}\nb 2 -\n"},
		{"ignored", "a,b,c\n1,2,x\n2,\"3,\"\"\",y\n", Options{ReadOptions: data.ReadOptions{Ignore: []string{"b"}}}, "a 1 2\nc x y {x|y}\n"},
		{"long numbers", "a\n0.1234567890123456789\n123456789012345678901234567890\n0.1000000000000000055511151231257827\n9007199254740993\n",
			Options{ReadOptions: data.ReadOptions{Numeric: []string{"a"}}},
			"a 0.12345678901234568 1.2345678901234568e+29 0.1 9.007199254740992e+15\n"},
	} {
		for _, block := range []int{0, 1, 2, 3, 5, 8, 13} {
			f, err := readBlocksOf(c.options, "t.csv", c.text,
				cmp.Or(block, blockSize))
			if err != nil {
				t.Errorf("%s, block %d: %v", c.name, block, err)
				continue
			}
			if got := tabletest.Render(f); got != c.want {
				t.Errorf("%s, block %d: got\n%swant\n%s", c.name, block, got, c.want)
			}
		}
	}
}

func TestBadText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    Options
		want       string
		reason     error
	}{
		{"empty", "", Options{}, "t.csv: the file is empty", data.ErrEmpty},
		{"blank", "\ufeff\n \n", Options{}, "t.csv: the file is empty", data.ErrEmpty},
		{"header only", "a,b\n", Options{}, "t.csv: no rows below the header", data.ErrEmpty},
		{"short row", "a,b,c\n1,2,3\n1,2\n", Options{}, "t.csv:3: 2 fields, the header has 3", ErrFields},
		{"shortest row", "a,b,c\n1,2,3\n1\n", Options{}, "t.csv:3: 1 field, the header has 3", ErrFields},
		{"long row", "a,b,c\n1,2,3\n1,2,3,4,5\n", Options{}, "t.csv:3: 5 fields, the header has 3", ErrFields},
		{"long row, one column", "a\n1\n2,3\n", Options{}, "t.csv:3: 2 fields, the header has 1", ErrFields},
		{"short row behind quoted newlines", "a,b,c\n\"1\n\n1\",2,3\n\"x\ny\",2\n", Options{}, "t.csv:5: 2 fields, the header has 3", ErrFields},
		{"long row, no header", "1,2\n1,2,3\n", Options{NoHeader: true}, "t.csv:2: 3 fields, the first row has 2", ErrFields},
		{"unclosed quote", "a,b\n1,2\n3,\"4\n5,6\n", Options{}, "t.csv:3: a quote opens here and is never closed", ErrQuote},
		{"unclosed quote in the header", "a,\"b\n1,2\n", Options{}, "t.csv:1: a quote opens here and is never closed", ErrQuote},
		{"text behind a quote", "a,b\n1,\"2\n\"x\"\n", Options{}, `t.csv:3: text behind a closing quote: "x\"" (a quote inside quotes is doubled)`, ErrQuote},
		{"text in a numeric column", "age,b\n1,2\nn/k,3\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"age"}}}, `t.csv:3: column "age": "n/k" is not a number`, data.ErrNumber},
		{"text on the line where it begins", "a,b\n\"x\n\ny\",z\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"b"}}}, `t.csv:4: column "b": "z" is not a number`, data.ErrNumber},
		{"a long text is shortened", "a\n" + strings.Repeat("é", 100) + "\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"a"}}},
			`t.csv:2: column "a": "` + strings.Repeat("é", 20) + `"... is not a number`,
			data.ErrNumber},
		{"text under a numeric column of the schema", "a\nx\n", Options{ReadOptions: data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "a"}}}}}, `t.csv:2: column "a": "x" is not a number`, data.ErrNumber},
		{"unknown column", "height,width\n1,2\n", Options{ReadOptions: data.ReadOptions{Ignore: []string{"heigth"}}}, `t.csv: there is no column "heigth"; did you mean "height"?`, data.ErrOption},
		{"unknown column, nothing near", "height,width\n1,2\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"qqqqqq"}}}, `t.csv: there is no column "qqqqqq"`, data.ErrOption},
		{"two kinds", "a\n1\n", Options{ReadOptions: data.ReadOptions{Numeric: []string{"a"}, Categorical: []string{"a"}}}, `column "a" cannot be both numeric and categorical`, data.ErrOption},
		{"separator", "a\n1\n", Options{Comma: '"'}, `'"' cannot separate fields`, data.ErrOption},
		{"Latin-1 header", "na\xefve,b\n1,2\n", Options{}, "t.csv:1: this is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)", data.ErrText},
		{"Latin-1 text", "a,b\n1,na\xefve\n", Options{}, `t.csv:2: column "b": "na\xefve" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ErrText},
		{"Latin-1 text, late", "a,b\n1,x\n\xff,x\n", Options{}, `t.csv:3: column "a": "\xff" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ErrText},
		{"NUL", "a,b\n1,\x00\n", Options{}, `t.csv:2: column "b": "\x00" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ErrText},
		{"binary", "\x7fELF\x00\x01\n", Options{}, "t.csv:1: this is binary data, not CSV", data.ErrText},
		{"UTF-16, a header alone", "\xff\xfea\x00,\x00b\x00\n\x00", Options{}, "t.csv: no rows below the header", data.ErrEmpty},
		{"spreadsheet", "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x13\x00\x00\x00[Content_Types].xml", Options{}, "t.csv: this is an Excel workbook: the format xlsx reads it", data.ErrText},
		{"CR alone and LF", "a,b\r1,2\n3,4\n", Options{}, "t.csv:1: some lines end in CR alone, and others in LF (convert all to LF)", data.ErrText},
	} {
		for _, block := range []int{0, 1, 2, 3, 5, 8, 13} {
			_, err := readBlocksOf(c.options, "t.csv", c.text,
				cmp.Or(block, blockSize))
			var typed *data.ReadError
			if !errors.As(err, &typed) || !errors.Is(err, c.reason) {
				t.Errorf("%s, block %d: got %v (%T), want an *data.ReadError because of %v", c.name,
					block, err, err, c.reason)
			} else if err.Error() != c.want {
				t.Errorf("%s, block %d: got\n%s\nwant\n%s", c.name, block, err, c.want)
			}
		}
	}
}

func TestSchema(t *testing.T) {
	schema := &data.Schema{Fields: []data.Field{
		{Name: "color", Kind: data.Categorical, Levels: []string{"red", "NA", "blue"}, Unseen: data.Refuse},
		{Name: "absent"},
		{Name: "size", Missing: data.Refuse},
	}}
	text := "id,size,label,color,note\nr1,1,yes,blue,\"a, " +
		"b\"\nr2,NA,no,NA,\nr3,3,,green,NA\nr4,4,yes,,NA\n"
	f, err := readBytes(context.Background(), Options{ReadOptions: data.ReadOptions{Schema: schema, Also: []string{"label"}}}, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	// The dictionary keeps its order; its level NA wins over the token NA; absent is left to the
	// model.
	want := "color blue NA ? - {red|NA|blue}\nsize 1 - 3 4\nlabel yes no - yes {no|yes}\n"
	if got := tabletest.Render(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if f.Schema.Fields[0].Unseen != data.Refuse || f.Schema.Fields[1].Missing != data.Refuse {
		t.Error("the schema's policies are lost")
	}
}

func TestVerbatim(t *testing.T) {
	text := "id,size,color\n007, 1.50,NA\n008,NA,\n"
	schema := &data.Schema{Fields: []data.Field{{Name: "size"}}}
	o := Options{ReadOptions: data.ReadOptions{Schema: schema, Verbatim: []string{"size", "id", "color"}}}
	o.Stdin = strings.NewReader(text)
	got, err := Open(o, "-").Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(got.Frame), "size 1.5 -\n"; got != want {
		t.Errorf("frame: got\n%swant\n%s", got, want)
	}
	if got, want := tabletest.Render(got.Verbatim),
		"id 007 008 {007|008}\nsize 1.50 NA {1.50|NA}\ncolor NA  {|NA}\n"; got != want {
		t.Errorf("verbatim: got\n%swant\n%s", got, want)
	}
	if got := got.Verbatim.Locate(1); got != "stdin:3" {
		t.Errorf("row 1 is at %s", got)
	}
	if got := strings.Join(got.Origin.Columns, " "); got != "id size color" {
		t.Errorf("columns %s", got)
	}
}

func TestVerbatimWithoutSchema(t *testing.T) {
	o := Options{ReadOptions: data.ReadOptions{Verbatim: []string{"b"},
		Stdin: strings.NewReader("a,b\n1,x\n2,3\n")}}
	got, err := Open(o, "-").Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(got.Frame)+tabletest.Render(got.Verbatim),
		"a 1 2\nb x 3 {3|x}\nb x 3 {3|x}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestLog(t *testing.T) {
	var notes []string
	o := Options{ReadOptions: data.ReadOptions{Categorical: []string{"c"},
		Log: func(format string, args ...any) {
			notes = append(notes,
				fmt.Sprintf(format, args...))
		}}}
	text := "a,b,c\n1,\"x\n\",1\n2,3,x\n\"\n?\",4,5\n"
	if _, err := readBytes(context.Background(), o, "t.csv", []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := []string{`column "a" is categorical though 2 of 3 values are numbers: "?" at t.csv:5 is none (data.ReadOptions.Missing '?' makes the column numeric)`,
		`column "b" is categorical: "x\n" at t.csv:2`}
	if fmt.Sprint(notes) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", notes, want)
	}
}

func TestOrigin(t *testing.T) {
	read := func(text string) *data.Frame {
		f, err := readBytes(context.Background(), Options{}, "t.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := read("\na,b\n1,2\n3,4\n"); f.Origin.Line != nil || f.Locate(1) != "t.csv:4" {
		t.Errorf("regular lines: Line %v, row 1 at %s", f.Origin.Line, f.Locate(1))
	}
	f := read("a,b\n1,2\n\n3,\"4\n\n\"\n\n5,6\n")
	for row, want := range []string{"t.csv:2", "t.csv:4", "t.csv:8"} {
		if got := f.Locate(row); got != want {
			t.Errorf("row %d at %s, want %s", row, got, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := readBytes(ctx, Options{}, "t.csv", []byte("a\n1\n")); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestManyRows(t *testing.T) {
	// Rows that grow shorter and then longer defeat every estimate of how many there are.
	var b strings.Builder
	b.WriteString("a,b\n")
	const rows = 200_000
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s\n", i, strings.Repeat("7", 1+(i/1000)%15))
	}
	f, err := readBytes(context.Background(), Options{}, "t.csv", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if f.Rows() != rows {
		t.Fatalf("%d rows", f.Rows())
	}
	for i, v := range f.Columns[0].Numbers() {
		sevens, err := strconv.ParseFloat(strings.Repeat("7", 1+(i/1000)%15), 64)
		if w := f.Columns[1].Number(i); err != nil || v != float64(i) || w != sevens {
			t.Fatalf("row %d: %v, %v", i, v, w)
		}
	}
}

func TestManyLevels(t *testing.T) {
	var b strings.Builder
	b.WriteString("id\n")
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&b, "u%06d\n", (i*7919)%rows)
	}
	f, err := readBytes(context.Background(), Options{}, "t.csv", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range f.Columns[0].Codes() {
		if int(c) != (i*7919)%rows {
			t.Fatalf("row %d has code %d", i, c)
		}
	}
}
