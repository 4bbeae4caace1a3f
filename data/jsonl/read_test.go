package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/spelling"
)

var suite = tabletest.Reader{
	Open: Open, Sniff: Sniff,
	Name: "t.jsonl",
	File: []byte(`{"size": 1.5, "color": "red"}` + "\n\n" + `{"color": "a\u00e9", "size": -2}` +
		"\n" + `{"new": 1}` + "\n"),
	Want: "size 1.5 -2 -\ncolor red aé - {aé|red}\nnew - - 1\n", Number: "size",
	Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "color", Line: 3,
	Texts: func(_ testing.TB, column string, texts []string) []byte {
		var b []byte
		for _, text := range texts {
			b = fmt.Appendf(b, "{%q: %q}\n", column, text)
		}
		return b
	},
}

func TestReader(t *testing.T) { suite.Run(t) }

func TestGoodText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    data.ReadOptions
		want       string
	}{
		{"kinds", `{"a":1,"b":"x","c":true,"d":null}` + "\n" + `{"a":-2.5e-1,"b":null,"c":false}`, data.ReadOptions{}, "a 1 -0.25\nb x - {x}\nc true false {false|true}\nd - -\n"},
		{"late text", `{"a":1.0}` + "\n" + `{"a":null}` + "\n" + `{"a":1e2}` + "\n" + `{"a":"x"}` + "\n" + `{"a":2}`, data.ReadOptions{}, "a 1 - 100 x 2 {1|100|2|x}\n"},
		{"late truth", `{"a":0}` + "\n" + `{"a":true}`, data.ReadOptions{}, "a 0 true {0|true}\n"},
		{"texts that are numbers", `{"a":"01"}` + "\n" + `{"a":"1"}`, data.ReadOptions{}, "a 01 1 {01|1}\n"},
		{"texts read as numbers", `{"a":"01"}` + "\n" + `{"a":" 2 "}` + "\n" + `{"a":""}`, data.ReadOptions{Numeric: []string{"a"}}, "a 1 2 -\n"},
		{"empty texts are missing", `{"a":"","b":" "}` + "\n" + `{"a":"NA","b":"x"}`, data.ReadOptions{}, "a - NA {NA}\nb - x {x}\n"},
		{"own tokens", `{"a":"NA","b":-9}` + "\n" + `{"a":"x","b":-9.0}` + "\n" + `{"b":9}`, data.ReadOptions{Missing: []string{"NA", "-9"}}, "a - x - {x}\nb - - 9\n"},
		{"integers keep their digits as categories", `{"a":9007199254740993}` + "\n" + `{"a":-0}` + "\n" + `{"a":12345678901234567890123}` + "\n" + `{"a":"x"}`, data.ReadOptions{},
			"a 9007199254740993 0 12345678901234567890123 x " +
				"{0|12345678901234567890123|9007199254740993|x}\n"},
		{"forced", `{"a":9007199254740993}` + "\n" + `{"a":1.50}`, data.ReadOptions{Categorical: []string{"a"}}, "a 9007199254740993 1.5 {1.5|9007199254740993}\n"},
		{"beyond float64", `{"a":1e400}` + "\n" + `{"a":-1e400}`, data.ReadOptions{}, "a +Inf -Inf\n"},
		{"blanks", " \t{ \"a\" : 1 , \"b\"\t:\"x\" } \r\n\n \t\n{}\r\n", data.ReadOptions{}, "a 1 -\nb x - {x}\n"},
		{"escapes", `{"\u0061":"\n\"\\\/\ud83d\ude00"}` + "\n" + `{"a":"😀"}`, data.ReadOptions{}, "a \n\"\\/😀 😀 {\n\"\\/😀|😀}\n"},
		{"byte order mark", "\ufeff{\"a\":1}", data.ReadOptions{}, "a 1\n"},
		{"an empty object is a row", `{"a":1}` + "\n{}\n", data.ReadOptions{}, "a 1 -\n"},
		{"nested and ignored", `{"a":1,"b":{"c":[1,"}"]}, "d":[]}` + "\n" + `{"a":2,"b":3}`, data.ReadOptions{Ignore: []string{"b", "d"}}, "a 1 2\n"},
		{"objects inside", `{"a":{"b":1,"c":{"d":"x"}},"e":2}` + "\n" + `{"e":3,"a":{"c":{"d":"y"},"f":true}}`, data.ReadOptions{},
			"a.b 1 -\na.c.d x y {x|y}\ne 2 3\na.f - true {true}\n"},
		{"an object beside a number", `{"a":1}` + "\n" + `{"a":{"b":1}}`, data.ReadOptions{}, "a 1 -\na.b - 1\n"},
		{"objects inside that are left out", `{"a":{"b":1,"c":{"d":2}},"e":{"f":3}}`, data.ReadOptions{Ignore: []string{"a.c", "e"}}, "a.b 1\n"},
		{"objects inside for a model", `{"a":{"c":[1],"b":1},"e":2}`, data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "a.b"}}}}, "a.b 1\n"},
		{"an array", `[{"a":1,"b":"x"},{"a":2,"b":"]"}]`, data.ReadOptions{}, "a 1 2\nb x ] {]|x}\n"},
		{"an array of many lines", "\n [\n  {\n\"a\": 1,\r\n\"b\": {\"c\": \"}\\\"\"}\n},\n\n{\"a\": 2}\n]\n\n", data.ReadOptions{}, "a 1 2\nb.c }\" - {}\"}\n"},
		{"a model's columns", `{"a":1,"b":[1]}` + "\n" + `{"c":true,"a":2}`, data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"true"}}, {Name: "x"}, {Name: "a"}}}},
			"c - true {true}\na 1 2\n"},
	} {
		suite.Good(t, c.name, c.text, c.options, c.want)
	}
}

func TestBadText(t *testing.T) {
	for _, c := range []struct {
		text, want string
		options    data.ReadOptions
		reason     error
	}{
		{"", "t.jsonl: there are no rows", data.ReadOptions{}, data.ErrEmpty},
		{"[1]", `t.jsonl:1: want an object in the array, not "1"`, data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":1}\n,\n{\"a\":\n2", "t.jsonl:4: the object that begins on line 3 is not closed", data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":1}", "t.jsonl:1: the array of objects is not closed: the file is truncated", data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":1} {\"a\":2}]", `t.jsonl:1: want a comma or a bracket behind the object, not "{"`, data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":1},]", `t.jsonl:1: want an object in the array, not "]"`, data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":1}]\n[]", `t.jsonl:2: "[" follows the array of objects`, data.ReadOptions{}, data.ErrFormat},
		{"[\n{\"a\":\n1;\n}]", `t.jsonl:2: byte 7 of the object: want a value, not "1; }"`, data.ReadOptions{}, data.ErrFormat},
		{"[{\"a\":\"x\ny\"}]", `t.jsonl:2: the object that begins on line 1 is not closed`, data.ReadOptions{}, data.ErrFormat},
		{"[]", "t.jsonl: there are no rows", data.ReadOptions{}, data.ErrEmpty},
		{strings.Repeat(`{"a":`, 40), "t.jsonl:1: more than 32 objects inside each other", data.ReadOptions{}, data.ErrLimit},
		{`{"a":{"b":1,"b":2}}`, `t.jsonl:1: the key "a.b" occurs twice in the line`, data.ReadOptions{}, data.ErrHeader},
		{`{"a":{"b":1},"a.b":2}`, `t.jsonl:1: the key "a.b" occurs twice in the line`, data.ReadOptions{}, data.ErrHeader},
		{`{"a":{"b":[1]}}`, `t.jsonl:1: column "a.b": is an array, which has no place in a table (ignore the column)`, data.ReadOptions{}, data.ErrType},
		{"a,b\n1,2\n", `t.jsonl:1: the line begins with "a,b", not with a JSON object (every line must be one)`, data.ReadOptions{}, data.ErrFormat},
		{"{\n\"a\": 1\n}\n", "t.jsonl:1: the line ends inside of its object: a key in double quotes is missing (every line must be an object)", data.ReadOptions{}, data.ErrFormat},
		{`{"a":1} {"a":2}`, `t.jsonl:1: "{\"a\":2}" follows the object (every line must be one)`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":1,}`, `t.jsonl:1: byte 8 of the line: want a key in double quotes, not "}"`, data.ReadOptions{}, data.ErrFormat},
		{`{a:1}`, `t.jsonl:1: byte 2 of the line: want a key in double quotes, not "a:1}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a" 1}`, `t.jsonl:1: byte 6 of the line: want a colon behind the key, not "1}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":1 "b":2}`, `t.jsonl:1: byte 8 of the line: want a comma or a closing brace, not "\"b\":2}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":}`, `t.jsonl:1: byte 6 of the line: want a value, not "}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":NaN}`, `t.jsonl:1: byte 6 of the line: want a value, not "NaN}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":01}`, `t.jsonl:1: byte 6 of the line: want a value, not "01}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":.5}`, `t.jsonl:1: byte 6 of the line: want a value, not ".5}"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":"x`, `t.jsonl:1: byte 6 of the line: want a text without line ends and its closing quote, not "\"x"`, data.ReadOptions{}, data.ErrFormat},
		{`{"a":"\x"}`, `t.jsonl:1: column "a": "\"\\x\"" is no valid text`, data.ReadOptions{}, data.ErrText},
		{"{\"a\":\"\xff\"}", `t.jsonl:1: column "a": "\xff" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ReadOptions{}, data.ErrText},
		{"{\"\xff\":1}", `t.jsonl:1: the key "\"\xff\"" is not UTF-8 text (data.ReadOptions.Encoding windows-1252 reads what Windows wrote in Western Europe)`, data.ReadOptions{}, data.ErrText},
		{"{}\n{}\n", "t.jsonl: there are no columns", data.ReadOptions{}, data.ErrEmpty},
		{`{"":1}`, "t.jsonl:1: column 1 has no name", data.ReadOptions{}, data.ErrHeader},
		{"{\"a\":1}\n{\"a\":1,\"\\u0061\":2}", `t.jsonl:2: the key "a" occurs twice in the line`, data.ReadOptions{}, data.ErrHeader},
		{`{"a":1,"a":2}`, `t.jsonl:1: the key "a" occurs twice in the line`, data.ReadOptions{Ignore: []string{"a"}}, data.ErrHeader},
		{`{"a":[1,2]}`, `t.jsonl:1: column "a": is an array, which has no place in a table (ignore the column)`, data.ReadOptions{}, data.ErrType},
		{`{"a":[1,2}`, `t.jsonl:1: key "a": its value is no valid JSON`, data.ReadOptions{Ignore: []string{"a"}}, data.ErrFormat},
		{"{\"a\":1}\n{\"a\":true}", `t.jsonl:2: column "a": "true" is not a number`, data.ReadOptions{Numeric: []string{"a"}}, data.ErrNumber},
		{"\x00{}", "t.jsonl:1: this is binary data, not JSON lines", data.ReadOptions{}, data.ErrText},
	} {
		suite.Bad(t, c.text, c.options, c.want, c.reason)
	}
}

func TestLog(t *testing.T) {
	var notes []string
	o := data.ReadOptions{Log: func(format string,
		args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
	}}
	text := `{"a":1,"b":1,"c":9007199254740992}` + "\n\n" +
		`{"b":"x\n","a":9007199254740993,"c":9007199254740993}` + "\n" + `{"b":"y","c":"z"}`
	if _, err := readBytes(t.Context(), o, "t.jsonl", []byte(text)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`column "a" is categorical: "9007199254740993" at t.jsonl:3 is an integer beyond 2^53 (data.ReadOptions.Numeric a takes the values for numbers)`,
		`column "b" is categorical: "x\n" at t.jsonl:3`,
		`column "c" is categorical: "9007199254740993" at t.jsonl:3`,
	}
	if strings.Join(notes, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", notes)
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{`{"a":1}`: true, " \n{ \"": true, "{}": true,
		"\ufeff{\"a": true, "{a:1}": false, "[{}]": true, "[\n {\"a\"": true, "[1]": false, "": false, "{": false, "{\n": false} {
		if Sniff([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// twin reads a text by encoding/json, into a map for each line. It reports false where a line is no
// object of scalars, holds a key twice or something else that the reader refuses.
func twin(text []byte) (keys []string, rows []map[string]any, ok bool) {
	seen := map[string]bool{}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if len(bytes.Trim(line, " \t\r")) == 0 {
			continue
		}
		if !json.Valid(line) {
			return nil, nil, false
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if open, err := d.Token(); err != nil || open != json.Delim('{') {
			return nil, nil, false
		}
		row := map[string]any{}
		for d.More() {
			key, _ := d.Token()
			name := key.(string)
			value, err := d.Token()
			if _, twice := row[name]; err != nil || twice || name == "" {
				return nil, nil, false
			}
			if _, nested := value.(json.Delim); nested {
				return nil, nil, false
			}
			if row[name] = value; !seen[name] {
				seen[name] = true
				keys = append(keys, name)
			}
		}
		rows = append(rows, row)
	}
	return keys, rows, len(keys) > 0
}

// cell returns what a value of the twin is in a table.
func cell(v any) (number float64, text string, missing bool) {
	switch v := v.(type) {
	case json.Number:
		number, _ = strconv.ParseFloat(v.String(), 64)
		return number, "", false
	case bool:
		return 0, strconv.FormatBool(v), false
	case string:
		return 0, v, strings.Trim(v, " \t\r\n") == ""
	}
	return 0, "", true
}

func checkAgainstTwin(t *testing.T, b []byte) {
	err := suite.Damaged(t, b)
	if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 || bytes.Contains(b, []byte(`\u0000`)) ||
		bytes.Contains(bytes.ToLower(b), []byte(`\ud`)) {
		return // refused by the reader, or repaired by encoding/json
	}
	keys, rows, ok := twin(bytes.TrimPrefix(b, []byte("\ufeff")))
	if len(rows)*len(keys) > 1<<16 {
		return
	}
	if ok != (err == nil) {
		t.Fatalf("reader: %v; twin: %v", err, ok)
	}
	if !ok {
		return
	}
	f, err := readBytes(t.Context(), data.ReadOptions{}, "t", b)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(f.Schema.Fields, func(f data.Field) bool { return f.From != nil }) {
		return // a column of dates is several columns
	}
	if f.Rows() != len(rows) || strings.Join(f.Schema.Names(), "\n") != strings.Join(keys, "\n") {
		t.Fatalf("%d rows of %q, want %d of %q", f.Rows(), f.Schema.Names(), len(rows), keys)
	}
	for j, key := range keys {
		for i, row := range rows {
			number, text, missing := cell(row[key])
			c := &f.Columns[j]
			switch {
			case f.IsMissing(i, j) != missing:
				t.Fatalf("row %d, %q: missing is %v", i, key, !missing)
			case missing:
			case c.Codes() == nil:
				if text != "" { // as amounts of money are written
					format, err := spelling.ParseNumberFormat(f.Schema.Fields[j].Format)
					if err != nil {
						t.Fatal(err)
					}
					number, _ = format.Number([]byte(strings.TrimSpace(text)))
				}
				if math.Float64bits(c.Number(i)) != math.Float64bits(number) {
					t.Fatalf("row %d, %q: %v, want %v", i, key, c.Number(i), number)
				}
			default:
				level := f.Schema.Fields[j].Levels[c.Code(i)]
				v, err := strconv.ParseFloat(level, 64)
				if _, isNumber := row[key].(json.Number); isNumber &&
					(v != number || err != nil && !math.IsInf(v, 0)) || !isNumber && level != text {
					t.Fatalf("row %d, %q: %q, want %v", i, key, level, row[key])
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{string(suite.File), `{"a":1,"b":"x","c":true,"d":null}` + "\r\n" +
		`{"a":-2.5e-1,"\u0062":""}`, `{"a":[1,{"b":2}]}`, `{"a":1}` + "\n" + `{"a":"x"}`,
		`{"a":12345678901234567890}` + "\n" + `{"a":false}`, `{"a":1,"a":2}`, `{}`,
		"\ufeff{\"a\":01}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(checkAgainstTwin)
}

// Columns of quoted numbers are noted in blocks as in memory.
func TestQuotedNumbersInBlocks(t *testing.T) {
	for _, text := range []string{`{"a":"1"} {"a":"2"} {"a":"1"}`, `{"a":1} {"a":"2"} {"a":3}`,
		`{"a":1} {"a":"1"}`, `{"a":" 7"} {"b":1}`, `{"b":"3"} {"a":"2"} {"a":"x"}`} {
		b := []byte(strings.ReplaceAll(text, "} {", "}\n{"))
		suite.Together(t, data.ReadOptions{Bytes: map[string][]byte{"t.jsonl": b}}, "t.jsonl")
	}
}

// A column that begins in a later block is missing before; one that never begins is an error.
func TestColumnsOfLaterBlocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	tabletest.Write(t, path, []byte("{\"a\": 1}\n{\"b\": \"x\", \"a\": 2}\n"))
	read := func(names ...string) (rows []string, err error) {
		o := data.ReadOptions{BlockBytes: 1, Verbatim: []string{"b"}, Schema: &data.Schema{}}
		for _, name := range names {
			o.Schema.Fields = append(o.Schema.Fields, data.Field{Name: name})
		}
		for part, err := range Open(o, path).Stream(t.Context()) {
			if err != nil {
				return rows, err
			}
			rows = append(rows, tabletest.Render(part.Frame)+tabletest.Render(part.Verbatim))
		}
		return rows, nil
	}
	got, err := read("a")
	if diff := cmp.Diff([]string{"a 1\nb  {}\n", "a 2\nb x {x}\n"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err = read("a", "c"); err == nil || err.Error() != path+`: there is no column "c" in any row` {
		t.Error(err)
	}
}

// readBytes reads a table from memory.
func readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}
