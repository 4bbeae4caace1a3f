package arff

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

var suite = tabletest.Reader{
	Open: Open, Sniff: Sniff, Name: "t.arff",
	File: []byte("% a table\n@relation t\n@attribute size real\n@attribute 'the color' {red, " +
		"'light blue', green}\n@data\n1.5, red\n-2,'light blue'\n?,?\n"),
	Want: "size 1.5 -2 -\nthe color red light blue - {green|light blue|red}\n", Number: "size",
	Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "the color", Line: 7,
	Dense: true,
	Texts: func(_ testing.TB, column string, texts []string) []byte {
		return []byte("@relation t\n@attribute " + column + " string\n@data\n'" +
			strings.Join(texts, "'\n'") + "'\n")
	},
}

func TestReader(t *testing.T) { suite.Run(t) }

func TestGoodText(t *testing.T) {
	const header = "@relation t\n@attribute a numeric\n@attribute b {x,y}\n@attribute c " +
		"string\n@data\n"
	for _, c := range []struct {
		name, text string
		options    data.ReadOptions
		want       string
	}{
		{"letter case", "@RELATION t\n@Attribute a INTEGER\n\n@DATA\n1\n", data.ReadOptions{}, "a 1\n"},
		{"ranges", "@relation t\n@attribute a integer [1,10]\n@attribute b REAL\t[ 0.5, 5 ] % c\n@attribute c numeric []\n@data\n11,-1,0\n", data.ReadOptions{}, "a 11\nb -1\nc 0\n"},
		{"comments", "%c\n@relation t % c\n  % c\n@attribute a real %c\n@data\n%c\n1 % c\n\n2%c\n", data.ReadOptions{}, "a 1 2\n"},
		{"quotes", "@relation 'a b'\n@attribute \"a 'b'\" {'x, y', \"p%{}\", 'it\\'s', '?'}\n@data\n'x, y'\n\"p%{}\"\n'it\\'s'\n'?'\n?\n", data.ReadOptions{},
			"a 'b' x, y p%{} it's ? - {?|it's|p%{}|x, y}\n"},
		{"escapes", "@relation t\n@attribute a string\n@data\n'a\\n\\tb\\r\\\\\\%'\n\"say \\\"hi\\\"\"\n", data.ReadOptions{}, "a a\n\tb\r\\% say \"hi\" {a\n\tb\r\\%|say \"hi\"}\n"},
		{"separators", header + " 1 ,x\tz\n2 y , 'z'\n", data.ReadOptions{}, "a 1 2\nb x y {x|y}\nc z z {z}\n"},
		{"a comma behind the last value", header + "1,x,z,\r\n{0 2,1 y,2 z,} , % c\n", data.ReadOptions{}, "a 1 2\nb x y {x|y}\nc z z {z}\n"},
		{"CR LF, a byte order mark, no last newline", "\ufeff@relation t\r\n@attribute a real\r\n@attribute b {x,y}\r\n@data\r\n1,y\r\n2,x", data.ReadOptions{}, "a 1 2\nb y x {x|y}\n"},
		{"missing", header + "?,?,?\n1,x,'?'\n", data.ReadOptions{}, "a - 1\nb - x {x|y}\nc - ? {?}\n"},
		{"missing, own tokens", header + "-9,x,NA\nNA,y,' '\n", data.ReadOptions{Missing: []string{"NA", "-9", "x"}}, "a - -\nb x y {x|y}\nc - - {}\n"},
		{"declared and not there", "@relation t\n@attribute b {z,'',y,' '}\n@data\ny\n", data.ReadOptions{}, "b y {y|z}\n"},
		{"units that are nominal", "@relation t\n@attribute b {'5 kg','7 kg'}\n@data\n'7 kg'\n", data.ReadOptions{}, "b 7 kg {5 kg|7 kg}\n"},
		{"numbers that are nominal", "@relation t\n@attribute b {1, 0, 2.0}\n@data\n0\n2.0\n", data.ReadOptions{}, "b 0 2.0 {0|1|2.0}\n"},
		{"nominal, read as numbers", "@relation t\n@attribute b {1, 0, 2.0}\n@data\n0\n2.0\n", data.ReadOptions{Numeric: []string{"b"}}, "b 0 2\n"},
		{"numeric, read as texts", header + "+007,x,c\n1.50,y,c\n", data.ReadOptions{Categorical: []string{"a"}}, "a 7 1.5 {1.5|7}\nb x y {x|y}\nc c c {c}\n"},
		{"sparse", header + "{0 1,1 y,2 c}\n{}\n{ 2 'c d' , 0 -1 }\n{1 ?}\n", data.ReadOptions{}, "a 1 0 -1 0\nb y x x - {x|y}\nc c - c d - {c|c d}\n"},
		{"weights", header + "1,x,c\n2,y,c,{2.5}\n{0 3}, {0}\n4,x,c\n", data.ReadOptions{}, "a 1 2 3 4\nb x y x x {x|y}\nc c c - c {c}\nweight 1 2.5 0 1\n"},
		{"weights, ignored", header + "1,x,c {3}\n", data.ReadOptions{Ignore: []string{"weight", "c"}}, "a 1\nb x {x|y}\n"},
		{"dates", "@relation t\n@attribute a date\n@attribute b date 'dd.MM.yyyy HH:mm'\n@attribute c date yyyy\n@data\n1970-01-01T00:00:01,'02.01.1970 00:00',1971\n?,'31.12.1969 23:59',1970\n",
			data.ReadOptions{}, "a 1970-01-01T00:00:01Z - date\nb 1970-01-02 1969-12-31T23:59:00Z " +
				"date\nc 1971-01-01 1970-01-01 date\n"},
		{"a model's columns", header + "1,y,c\n2,x,d\n", data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "b", Kind: data.Categorical, Levels: []string{"y"}}}}, Also: []string{"c"}},
			"b y ? {y}\nc c d {c|d}\n"},
	} {
		suite.Good(t, c.name, c.text, c.options, c.want)
	}
}

func TestBadText(t *testing.T) {
	const header = "@relation t\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
	for _, c := range []struct {
		text, want string
		reason     error
	}{
		{"", "t.arff: the text ends before a line @data: it is no ARFF, or truncated", data.ErrFormat},
		{"@relation t\n@attribute a real\n", "t.arff:2: the text ends before a line @data: it is no ARFF, or truncated", data.ErrFormat},
		{"@relation t\n@data\n1\n", "t.arff:2: no attribute is declared before @data", data.ErrHeader},
		{header, "t.arff: there are no rows", data.ErrEmpty},
		{"a,b\n1,2\n", `t.arff:1: "a,b" is not @relation, @attribute or @data: is this ARFF?`, data.ErrFormat},
		{"@relation t\n@attribute\n", "t.arff:2: the attribute has no name", data.ErrHeader},
		{"@relation t\n@attribute 'a real\n", "t.arff:2: a quote is never closed", data.ErrFormat},
		{"@relation t\n@attribute a float\n", `t.arff:2: attribute "a": "float" is no type (numeric, string, date or a list of values in braces)`, data.ErrFormat},
		{"@relation t\n@attribute a real x\n", `t.arff:2: attribute "a": "x" follows its type`, data.ErrFormat},
		{"@relation t\n@attribute a real [0,1] x\n", `t.arff:2: attribute "a": "x" follows its type`, data.ErrFormat},
		{"@relation t\n@attribute a real [0,1 % no end\n", `t.arff:2: attribute "a": the range behind its type has no end`, data.ErrFormat},
		{"@relation t\n@attribute a string [0,1]\n", `t.arff:2: attribute "a": "[0,1]" follows its type`, data.ErrFormat},
		{"@relation t\n@attribute a relational\n", `t.arff:2: attribute "a" is relational, which has no place in a table`, data.ErrType},
		{"@relation t\n@attribute a date 'yyyy G'\n", `t.arff:2: attribute "a": cannot read dates of the format "yyyy G"`, data.ErrType},
		{"@relation t\n@attribute a {x,y\n", `t.arff:2: attribute "a": the list of values has no end`, data.ErrFormat},
		{"@relation t\n@attribute a {x,,y}\n", `t.arff:2: attribute "a": a value is expected before ",y}"`, data.ErrFormat},
		{"@relation t\n@attribute a {x,y,x}\n", `t.arff:2: attribute "a": the value "x" is declared twice`, data.ErrFormat},
		{"@relation t\n@attribute a {x} y\n", `t.arff:2: attribute "a": "y" follows its values`, data.ErrFormat},
		{"@relation t\n@attribute a {\xff}\n@data\n", `t.arff:3: attribute "a": "\xff" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ErrText},
		{"@relation t\n@attribute a real\n@attribute a real\n@data\n1,2\n", `t.arff: two columns are called "a"`, data.ErrHeader},
		{header + "1\n", "t.arff:5: 1 values, there are 2 attributes", data.ErrFormat},
		{header + "1,\n", "t.arff:5: 1 values, there are 2 attributes", data.ErrFormat},
		{header + ",x\n", `t.arff:5: attribute "a": a value is expected before ",x" (write ? for a missing one)`, data.ErrFormat},
		{header + "1,,x\n", `t.arff:5: attribute "b": a value is expected before ",x" (write ? for a missing one)`, data.ErrFormat},
		{header + "1,x,2\n", `t.arff:5: "2" follows the last of the 2 attributes`, data.ErrFormat},
		{header + "1,z\n", `t.arff:5: column "b": "z" is not one of the declared values`, data.ErrFormat},
		{header + "\n1,x\nz,x\n", `t.arff:7: column "a": "z" is not a number`, data.ErrNumber},
		{header + "1,'x\n", "t.arff:5: a quote is never closed", data.ErrFormat},
		{header + "1,x,{a}\n", "t.arff:5: the braces behind the row must hold its weight", data.ErrFormat},
		{header + "{0 1\n", "t.arff:5: the row's brace is never closed", data.ErrFormat},
		{header + "{2 1}\n", `t.arff:5: "2" is not the position of an attribute (0 to 1)`, data.ErrFormat},
		{header + "{99999999999999999999 1}\n", `t.arff:5: "99999999999999999999" is not the position of an attribute (0 to 1)`, data.ErrFormat},
		{header + "{0 1,0 2}\n", "t.arff:5: attribute 0 occurs twice in the row", data.ErrFormat},
		{header + "{0}\n", "t.arff:5: attribute 0 has no value", data.ErrFormat},
		{"@relation t\n@attribute a date\n@data\n1970\n", `t.arff:4: column "a": "1970" is not a date of the declared format`, data.ErrNumber},
		{"@relation t\n@attribute weight real\n@data\n1,{2}\n", `t.arff:4: rows have weights, and an attribute is called "weight" too`, data.ErrHeader},
		{"@relation \x00\n", "t.arff:1: this is binary data, not ARFF", data.ErrText},
	} {
		suite.Bad(t, c.text, data.ReadOptions{}, c.want, c.reason)
	}
}

func TestLayout(t *testing.T) {
	for pattern, want := range map[string]string{
		"yyyy-MM-dd'T'HH:mm:ss": "2006-01-02T15:04:05", "d/M/yy h:mm a": "2/1/06 3:04 PM", "yyyy.MM.dd HH:mm:ss.SSS Z": "2006.01.02 15:04:05.000 -0700",
		"EEE, dd MMM yyyy": "Mon, 02 Jan 2006", "hh 'o''clock'": "03 o'clock", "yyyy''MM": "2006'01", "ss SSS": "", "G": "", "'2006'": "", "'Jan'": "", "": "", "'x": "",
	} {
		if got, ok := layout(pattern); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", pattern, got, ok, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{"@relation t": true, "% c\n\n @ATTRIBUTE a real": true,
		"\ufeff@RELATION t\n": true, "relation t": false, "": false, "@data\n": false, "%": false} {
		if Sniff([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// cellTexts returns the values of a row as texts, so that a table whose kinds were declared can be
// compared with one whose kinds were inferred.
func cellTexts(f *data.Frame, row int) []string {
	var texts []string
	for j, c := range f.Columns {
		switch {
		case f.IsMissing(row, j):
			texts = append(texts, "?")
		case c.Codes() != nil:
			texts = append(texts, f.Schema.Fields[j].Levels[c.Code(row)])
		default:
			texts = append(texts, data.NumberText(c.Number(row), 64))
		}
	}
	return texts
}

// The CSV files of the shared data were made from the ARFF files by another program.
func TestCSVTwins(t *testing.T) {
	for _, c := range []struct{ arff, csv string }{
		{"weather/weather.nominal.arff", "weather/weather.nominal.csv"},
		{"weather/weather.numeric.arff", "weather/weather.numeric.csv"},
		{"soybean/soybean.arff", "soybean/soybean.csv"},
		{"optdigits/optdigits.arff.gz", "optdigits/optdigits.csv.gz"},
	} {
		t.Run(c.arff, func(t *testing.T) {
			got, err := Open(data.ReadOptions{}, tabletest.Shared(t, c.arff)).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want, err := csvdata.Open(csvdata.Options{}, tabletest.Shared(t, c.csv)).Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows() != want.Rows() ||
				strings.Join(got.Schema.Names(), ",") != strings.Join(want.Schema.Names(), ",") {
				t.Fatalf("%d rows of %q, want %d of %q", got.Rows(), got.Schema.Names(),
					want.Rows(), want.Schema.Names())
			}
			for row := range got.Rows() {
				if g, w := cellTexts(got, row),
					cellTexts(want, row); strings.Join(g, ",") != strings.Join(w, ",") {
					t.Fatalf("row %d: %q, want %q", row, g, w)
				}
			}
		})
	}
}

// The facts were counted with grep and awk.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		name                                string
		rows, columns, categorical, missing int
	}{
		{"formats/arff/auto93.arff", 93, 23, 6, 14},
		{"formats/arff/cpu.with.vendor.arff", 209, 8, 1, 0},
		{"formats/arff/labor.arff", 57, 17, 9, 326},
		{"formats/arff/vote.arff", 435, 17, 17, 392},
		{"fish/fishcatch.arff", 158, 8, 2, 87},
		{"weather/weather.nominal.arff", 14, 5, 5, 0},
		{"soybean/soybean.arff", 683, 36, 36, 2337},
	} {
		f, err := Open(data.ReadOptions{}, tabletest.Shared(t, c.name)).Frame(t.Context())
		if err != nil {
			t.Error(err)
			continue
		}
		categorical, missing := 0, 0
		for _, s := range data.Describe(f, 0) {
			missing += s.Missing
			if s.Kind == data.Categorical {
				categorical++
			}
		}
		if f.Rows() != c.rows || len(f.Columns) != c.columns || categorical != c.categorical ||
			missing != c.missing {
			t.Errorf("%s: %d rows, %d columns, %d categorical, %d missing", c.name, f.Rows(),
				len(f.Columns), categorical, missing)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{string(suite.File), "@relation t\n@attribute a date " +
		"'dd.MM.yyyy'\n@attribute b {x,y}\n@data\n02.01.1970,x,{2}\n{1 y}\n?,'?'\n",
		"@relation 'a b'\r\n@attribute \"a\\\"\" string\r\n@data\r\n'\\n'\r\n",
		"@attribute a {x,,}\n@data\n", "@relation t\n@attribute a integer [1,10] % " +
			"c\n@data\n1.5%\n\n+3"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		suite.Fuzzed(t, b)
		if suite.Damaged(t, b) != nil {
			return
		}
		// What is read once is read the same behind comments and blank lines.
		again := append([]byte("% a comment\n\n"), b...)
		if strings.HasPrefix(string(b), "\ufeff") || len(b) > 0 && (b[0] == 0x1f || b[0] == 0x28) {
			return
		}
		one, err := readBytes(t.Context(), data.ReadOptions{}, "t", b)
		if err != nil {
			return
		}
		two, err := readBytes(t.Context(), data.ReadOptions{}, "t", again)
		if err != nil {
			t.Fatal(err)
		}
		if tabletest.Render(one) != tabletest.Render(two) {
			t.Fatalf("got\n%s\nwant\n%s", tabletest.Render(two), tabletest.Render(one))
		}
	})
}

// Weights behind rows are their weights, unless the options ask for a column.
func TestStatedWeights(t *testing.T) {
	const text = "@relation t\n@attribute x real\n@attribute y {a,b}\n@data\n1,a,{5}\n2,b\n3,a,{0}\n"
	for _, c := range []struct {
		options data.ReadOptions
		want    []float64 // nil: the column is a feature
	}{
		{data.ReadOptions{}, []float64{5, 1, 0}},
		{data.ReadOptions{Numeric: []string{Weight}}, nil},
		{data.ReadOptions{Categorical: []string{Weight}}, nil},
	} {
		f, err := readBytes(t.Context(), c.options, "t.arff", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		ds, err := data.Label("y").Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ds.Target.Weight, c.want) || (ds.Schema.Index(Weight) >= 0) != (c.want == nil) {
			t.Errorf("%+v: weights %v, features %v", c.options, ds.Target.Weight, ds.Schema.Names())
		}
	}
}

// readBytes reads a table from memory.
func readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}
