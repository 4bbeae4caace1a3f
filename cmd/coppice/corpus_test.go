package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// awkward is a file as people have them, and what becomes of it: the table by tabletest.Render, or
// the error.
type awkward struct {
	file, text string
	in         func(*tables.Input)
	want       string
}

// zipped returns an archive of pairs of names and contents.
func zipped(pairs ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(f, pairs[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	w.Close()
	return b.String()
}

// excel returns a workbook with a sheet of rows of cells, which are numbers where they look so.
func excel(rows ...string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for j, text := range strings.Split(row, ",") {
			at := fmt.Sprintf("%c%d", 'A'+j, i+1)
			switch {
			case text == "":
			case text[0] == '@':
				fmt.Fprintf(&b, `<c r="%s" s="1"><v>%s</v></c>`, at, text[1:])
			case strings.Trim(text, "-.0123456789") == "":
				fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, text)
			case text[0] == '#':
				fmt.Fprintf(&b, `<c r="%s" t="e"><v>%s</v></c>`, at, text)
			default:
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, text)
			}
		}
		b.WriteString(`</row>`)
	}
	return zipped("[Content_Types].xml", "<T/>",
		"xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="i"/><sheet name="Other" r:id="j"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<R><R Id="x"/><Relationship Id="i" Target="s.xml"/><Relationship Id="j" Target="o.xml"/></R>`,
		"xl/styles.xml", `<s><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></s>`,
		"xl/o.xml", `<w><row r="1"><c t="str"><v>q</v></c></row><row r="2"><c><v>9</v></c></row></w>`,
		"xl/s.xml", "<w>"+b.String()+"</w>")
}

func skipping(n int) func(*tables.Input)   { return func(in *tables.Input) { in.Skip = n } }
func commented(c byte) func(*tables.Input) { return func(in *tables.Input) { in.Comment = c } }
func withoutHeader(in *tables.Input)       { in.NoHeader = true }
func missingAs(of, token string) func(*tables.Input) {
	return func(in *tables.Input) { in.MissingOf = map[string][]string{of: {token}} }
}

func corpus() []awkward {
	return []awkward{
		// indexes and row names
		{"pandas.csv", ",age,town\n0,31,Ulm\n1,28,Bonn\n", nil, "age 31 28\ntown Ulm Bonn {Bonn|Ulm}\n"},
		{"pandas.tsv", "\tage\ttown\n0\t31\tUlm\n1\t28\tBonn\n", nil, "age 31 28\ntown Ulm Bonn {Bonn|Ulm}\n"},
		{"filtered.csv", ",age\n4,31\n9,28\n", nil, "Unnamed: 0 4 9\nage 31 28\n"},
		{"twice.csv", ",Unnamed: 0,age\n0,3,31\n1,1,28\n", nil, "Unnamed: 0 3 1\nage 31 28\n"},
		{"r.csv", "\"\",\"mpg\",\"cyl\"\n\"Mazda RX4\",21,6\n\"Fiat 128\",32.4,4\n", nil, "Unnamed: 0 Mazda RX4 Fiat 128 {Fiat 128|Mazda RX4}\nmpg 21 32.4\ncyl 6 4\n"},
		{"write.table.csv", "\"mpg\",\"cyl\"\n\"Mazda\",21,6\n\"Fiat\",32.4,4\n", nil, "Unnamed: 0 Mazda Fiat {Fiat|Mazda}\nmpg 21 32.4\ncyl 6 4\n"},
		{"rownumbers.csv", "mpg;cyl\n1;21;6\n2;32,4;4\n3;20;6\n", nil, "mpg 21 32.4 20\ncyl 6 4 6\n"},
		{"nameless.csv", "a,,c\n1,x,3\n2,y,4\n", nil, "a 1 2\nUnnamed: 1 x y {x|y}\nc 3 4\n"},
		// repeated names
		{"repeated.csv", "x,x,y\n1,2,3\n", nil, "x 1\nx_2 2\ny 3\n"},
		{"repeated3.csv", "x,x,x\n1,2,3\n", nil, "x 1\nx_2 2\nx_3 3\n"},
		{"taken.csv", "x,x_2,x\n1,2,3\n", nil, "x 1\nx_2 2\nx_3 3\n"},
		{"blanks.csv", "x, x ,y\n1,2,3\n", nil, "x 1\nx_2 2\ny 3\n"},
		// separators at the end
		{"trailing.csv", "a,b,\n1,2,\n3,4,\n", nil, "a 1 3\nb 2 4\n"},
		{"trailing3.csv", "a;b;;;\n1;2;;;\n", nil, "a 1\nb 2\n"},
		{"rowsonly.csv", "a,b\n1,2,\n3,4,\n", nil, "a 1 3\nb 2 4\n"},
		{"headeronly.csv", "a,b,\n1,2\n3,4\n", nil, "a 1 3\nb 2 4\n"},
		{"ragged.csv", "a,b\n1,2,\n3,4\n", nil, "ragged.csv:2: 3 fields, the header has 2"},
		// titles, comments and skipped lines
		{"title.csv", "Sales\n\na,b\n1,2\n3,4\n", nil, `title.csv:1: lines 1 to 2 are a title above the columns "a", "b" (--skip 2 leaves them out)`},
		{"title.csv", "Sales\n\na,b\n1,2\n3,4\n", skipping(2), "a 1 3\nb 2 4\n"},
		{"exported.csv", "Sales,,,\nby town,,,\na,b,c,d\n1,2,3,4\n5,6,7,8\n", nil, `exported.csv:1: lines 1 to 2 are a title above the columns "a", "b", "c", ... (--skip 2 leaves them out)`},
		{"semicolons.csv", "Sales of 2024\na;b\n1;2\n3;4\n", nil, `semicolons.csv:1: line 1 is a title above the columns "a", "b" (--skip 1 leaves it out)`},
		{"hash.csv", "# by me\n# today\na,b\n1,2\n3,4\n", nil, `hash.csv:1: lines 1 to 2 are a title above the columns "a", "b" (--comment '#' leaves out all such lines)`},
		{"hash.csv", "# by me\n# today\na,b\n1,2\n# end\n3,4\n", commented('#'), "a 1 3\nb 2 4\n"},
		{"percent.csv", "% by me\na,b\n1,2\n", commented('%'), "a 1\nb 2\n"},
		{"all.csv", "a,b\n1,2\n", skipping(9), "all.csv: the file is empty"},
		// separators
		{"pipe.csv", "a|b\n1|2\n", nil, "a 1\nb 2\n"},
		{"pipe.txt", "a|b|c\nx|2|\n", nil, "a x {x}\nb 2\nc -\n"},
		{"sep.csv", "sep=;\na;b\n1,5;2\n", nil, "a 1.5\nb 2\n"},
		{"septab.csv", "\"sep=\t\"\na\tb\n1\t2\n", nil, "a 1\nb 2\n"},
		{"seppipe.csv", "SEP=|\r\na|b\r\n1|2\r\n", nil, "a 1\nb 2\n"},
		// line ends
		{"mac.csv", "a,b\r1,2\r3,4\r", nil, "a 1 3\nb 2 4\n"},
		{"macquotes.csv", "a,b\r1,\"x\ny\"\r2,z\r", nil, "a 1 2\nb x\ny z {x\ny|z}\n"},
		{"macbom.csv", "\ufeffa;b\r1;2", nil, "a 1\nb 2\n"},
		{"mixed.csv", "a,b\r1,2\n3,4\n", nil, "mixed.csv:1: some lines end in CR alone, and others in LF (convert all to LF)"},
		{"crcrlf.csv", "a,b\r\r\n1,2\r\r\n", nil, "a 1\nb 2\n"},
		// no header
		{"bare.csv", "5.1,a\n4.9,b\n", nil, "5.1 4.9\na b {b}\n"},
		{"bare.csv", "5.1,a\n4.9,b\n", withoutHeader, "f0 5.1 4.9\nf1 a b {a|b}\n"},
		{"years.csv", "town,2019,2020\nUlm,1,2\n", nil, "town Ulm {Ulm}\n2019 1\n2020 2\n"},
		{"places.csv", ",0,1\n0,5,6\n1,7,8\n", nil, "0 5 7\n1 6 8\n"},
		// missing values
		{"none.csv", "a\n1\nNone\n3\n", nil, "a 1 - 3\n"},
		{"na.csv", "a,b\n1,x\nn/a,n/a\n", nil, "a 1 -\nb x n/a {n/a|x}\n"},
		{"pdna.csv", "a\n<NA>\n2.5\n", nil, "a - 2.5\n"},
		{"excelna.csv", "a;b\n#N/A;1\n7;2\n", nil, "a - 7\nb 1 2\n"},
		{"nat.csv", "day,n\n2024-01-31,1\nNaT,2\n", nil, "day 2024-01-31 - date\nn 1 2\n"},
		{"price.csv", "p,q\n\"$1,200.50\",1\nNone,2\n$3,3\n", nil, "p 1200.5 - 3\nq 1 2 3\n"},
		{"allnone.csv", "a,b\nNone,1\nNone,2\n", nil, "a - -\nb 1 2\n"},
		{"code.csv", "age,n\n-999,-999\n31,2\n", missingAs("age", "-999"), "age - 31\nn -999 2\n"},
		{"code2.csv", "age,n\nunknown,unknown\n31,2\n", missingAs("age", "unknown"), "age - 31\nn unknown 2 {2|unknown}\n"},
		{"code3.csv", "age\n1\n", missingAs("agee", "x"), `code3.csv: there is no column "agee"; did you mean "age"?`},
		// factors and units, which all texts have
		{"apps.csv", "size,installs,rating\n19M,\"10,000+\",4\n8.7M,\"5,000,000+\",3\n201k,50+,5\n", nil, "size 1.9e+07 8.7e+06 201000\ninstalls 10000 5e+06 50\nrating 4 3 5\n"},
		{"players.csv", "weight,wage\n159lbs,€565K\n183lbs,€405K\n150 lbs,€1.2M\n", nil, "weight 159 183 150\nwage 565000 405000 1.2e+06\n"},
		{"percent.csv", "share\n12 %\n7 %\n", nil, "share 12 7\n"},
		{"degrees.csv", "t;v\n-3,5 °C;80 km/h\n12 °C;100 km/h\n;\n", nil, "t -3.5 12 -\nv 80 100 -\n"},
		{"engine.csv", "power,tank\n66 bhp,NA\n103.5 bhp,35 l\n", nil, "power 66 103.5\ntank - 35\n"},
		{"some.csv", "size,w\n19M,5 kg\n300,6 kg\n2.5M,7 lbs\n", nil, "size 19M 300 2.5M {19M|2.5M|300}\nw 5 kg 6 kg 7 lbs {5 kg|6 kg|7 lbs}\n"},
		{"may.csv", "installs\n\"10,000+\"\n\"50,000+\"\n", nil, "installs 10,000+ 50,000+ {10,000+|50,000+}\n"},
		{"ordinals.csv", "place,room\n1st,12a\n2nd,14b\n3rd,2a\n", nil, "place 1st 2nd 3rd {1st|2nd|3rd}\nroom 12a 14b 2a {12a|14b|2a}\n"},
		{"units.jsonl", "{\"w\":\"5 kg\"}\n{\"w\":\"6.5 kg\"}\n", nil, "w 5 6.5\n"},
		{"units.xlsx", excel("w,n", "5 kg,1.5K", "6 kg,2M"), nil, "w 5 6\nn 1500 2e+06\n"},
		// archives
		{"t.zip", zipped("t.csv", "a,b\n1,2\n"), nil, "a 1\nb 2\n"},
		{"t.csv.zip", zipped("x/", "", "x/t.csv", "a;b\n1;2\n", "__MACOSX/x/._t.csv", "zz"), nil, "a 1\nb 2\n"},
		{"two.zip", zipped("a.csv", "a\n1\n", "b.csv", "a\n1\n"), nil, `two.zip: the archive holds several files, "a.csv" and "b.csv": unpack it`},
		{"empty.zip", zipped("x/", ""), nil, "empty.zip: the archive holds no table"},
		{"lines.zip", zipped("t.jsonl", "{\"a\":1}\n{\"a\":2}\n"), nil, "a 1 2\n"},
		{"tab.tsv.zip", zipped("t.tsv", "a b\tc,d\n1\t2\n"), nil, "a b 1\nc,d 2\n"},
		// JSON
		{"array.json", `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`, nil, "a 1 2\nb x y {x|y}\n"},
		{"pretty.json", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n", nil, "a 1 2\n"},
		{"nested.jsonl", `{"home":{"town":"Ulm","zip":{"code":5}},"n":1}`, nil, "home.town Ulm {Ulm}\nhome.zip.code 5\nn 1\n"},
		{"nested.json", `[{"home":{"n":1}},{"home":{"n":2,"m":3}},{}]`, nil, "home.n 1 2 -\nhome.m - 3 -\n"},
		{"cut.json", "[{\"a\":1},\n{\"a\"", nil, "cut.json:2: the object that begins on line 2 is not closed"},
		{"numbers.json", "[{\"a\":1},2]", nil, `numbers.json:1: want an object in the array, not "2"`},
		{"list.jsonl", `{"a":[1,2]}`, nil, `list.jsonl:1: column "a": is an array, which has no place in a table (ignore the column)`},
		{"list.jsonl", `{"a":{"x":[1,2]},"b":1}`, func(in *tables.Input) { in.Ignore = []string{"a"} }, "b 1\n"},
		// Excel
		{"t.xlsx", excel("age,town", "31,Ulm", "28,Bonn"), nil, "age 31 28\ntown Ulm Bonn {Bonn|Ulm}\n"},
		{"title.xlsx", excel("Sales of 2024", "", "a,b", "1,2"), nil, "a 1\nb 2\n"},
		{"dates.xlsx", excel("day,n", "@45322,1", "@45323,2"), nil, "day 2024-01-31 2024-02-01 date\nn 1 2\n"},
		{"index.xlsx", excel(",a", "0,5", "1,7"), nil, "a 5 7\n"},
		{"tworows.xlsx", excel("town,sales,", ",q1,q2", "Ulm,1,2", "Bonn,3,4"), nil, `tworows.xlsx: row 2 looks like a second row of the header: "q1" stands where the rows below have numbers (write one row of names)`},
		{"unitrow.xlsx", excel("town,weight,size", "name,kg,cm", "Ulm,1,2", "Bonn,3,4"), nil, `unitrow.xlsx: row 2 looks like a second row of the header: "kg" stands where the rows below have numbers (write one row of names)`},
		{"errors.xlsx", excel("a,b", "#N/A,1", "5,2"), nil, "a - 5\nb 1 2\n"},
		{"other.xlsx", excel("a", "1"), func(in *tables.Input) { in.Sheet = "Other" }, "q 9\n"},
		{"sheet.xlsx", excel("a", "1"), func(in *tables.Input) { in.Sheet = "Otter" }, `sheet.xlsx: there is no sheet "Otter": did you mean "Other"?`},
		{"old.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1", nil, "old.xlsx: this is an old Excel file (.xls), or one with a password: save it as .xlsx"},
		{"text.xlsx", "a,b\n1,2\n", nil, "text.xlsx: damaged Excel workbook: zip: not a valid zip file"},
		{"workbook", excel("a,b", "1,2"), nil, "a 1\nb 2\n"},
		{"workbook.csv", excel("a,b", "1,2"), nil, "workbook.csv: this is an Excel workbook: --format xlsx reads it"},
		// dates
		{"us.csv", "d,n\n\"Jul 1, 2004\",1\n\"August 12, 2005\",2\n", nil, "d 2004-07-01 2005-08-12 date\nn 1 2\n"},
		{"uk.csv", "d,n\n1 July 2004,1\n12 Aug 2005,2\n", nil, "d 2004-07-01 2005-08-12 date\nn 1 2\n"},
		{"oracle.csv", "d,n\n01-JUL-2004,1\n12-AUG-2005,2\n", nil, "d 2004-07-01 2005-08-12 date\nn 1 2\n"},
		{"months.csv", "m,n\n2024-05,1\n2024-06,2\n", nil, "m 2024-05-01 2024-06-01 date\nn 1 2\n"},
		{"months2.csv", "m,n\n1999/12,1\nNone,2\n", nil, "m 1999-12-01 - date\nn 1 2\n"},
		{"keys.csv", "k,n\n1042-05,1\n1043-06,2\n", nil, "k 1042-05 1043-06 {1042-05|1043-06}\nn 1 2\n"},
		{"mixed.csv", "d,n\n\"Jul 1, 2004\",1\nsoon,2\n", nil, "d Jul 1, 2004 soon {Jul 1, 2004|soon}\nn 1 2\n"},
	}
}

// TestCorpus reads files as people have them, in memory and in blocks.
func TestCorpus(t *testing.T) {
	all := corpus()
	if len(all) < 80 {
		t.Errorf("%d files", len(all))
	}
	t.Chdir(t.TempDir())
	for _, c := range all {
		if err := os.WriteFile(c.file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		in := tables.Input{}
		if c.in != nil {
			c.in(&in)
		}
		open := func() data.Table {
			table, err := in.Table(t.Context(), []string{c.file})
			if err != nil {
				t.Fatalf("%s: %v", c.file, err)
			}
			return table
		}
		got, blocks := "", ""
		if frame, err := open().Frame(t.Context()); err != nil {
			got = err.Error()
		} else {
			got = tabletest.Render(frame)
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.file, got, c.want)
		}
		features, err := open().Blocks(t.Context())
		if err == nil {
			for b, err := range features.Blocks(t.Context()) {
				if err != nil {
					t.Errorf("%s: %v", c.file, err)
					break
				}
				blocks += tabletest.Render(b.Frame)
			}
		} else {
			blocks = err.Error()
		}
		if blocks != c.want {
			t.Errorf("%s, in blocks: got\n%s\nwant\n%s", c.file, blocks, c.want)
		}
	}
}
