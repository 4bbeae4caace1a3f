package serve_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arrowdata"
	"github.com/coppice-ml/coppice/serve"
)

// sheet is a table of texts, "" is missing, that each form of a request can have.
type sheet struct {
	names []string
	texts []bool // by column: values are no numbers
	cells [][]string
	raw   bool // texts are JSON as they are, but for their quotes
}

// json writes a cell.
func (s *sheet) json(row, column int) string {
	switch cell := s.cells[row][column]; {
	case cell == "":
		return "null"
	case s.texts[column] && s.raw:
		return `"` + cell + `"`
	case s.texts[column]:
		b, _ := json.Marshal(cell) // a text
		return string(b)
	default:
		return cell
	}
}

// each joins what is written for each row or column.
func each(n int, write func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = write(i)
	}
	return strings.Join(all, ",")
}

// list is a row as a JSON array, and object as an object.
func (s *sheet) list(row int) string {
	return "[" + each(len(s.names), func(k int) string { return s.json(row, k) }) + "]"
}

func (s *sheet) object(row int) string {
	return "{" + each(len(s.names), func(k int) string { return strconv.Quote(s.names[k]) + ":" + s.json(row, k) }) + "}"
}

// csv writes the table, with the line of names.
func (s *sheet) csv() string {
	quoted := func(cells []string) string {
		return each(len(cells), func(k int) string {
			if strings.ContainsAny(cells[k], "\",\n") {
				return `"` + strings.ReplaceAll(cells[k], `"`, `""`) + `"`
			}
			return cells[k]
		}) + "\n"
	}
	text := quoted(s.names)
	for _, row := range s.cells {
		text += quoted(row)
	}
	return text
}

// frame is the table with categories of the texts as they are.
func (s *sheet) frame(t *testing.T) *data.Frame {
	schema, columns := data.Schema{}, []data.Column{}
	for k, name := range s.names {
		f := data.Field{Name: name}
		codes, values := make([]uint32, len(s.cells)), make([]float64, len(s.cells))
		for i, row := range s.cells {
			codes[i], values[i] = data.MissingCode, math.NaN()
			switch {
			case row[k] == "":
			case s.texts[k]:
				at := slices.Index(f.Levels, row[k])
				if at < 0 {
					at, f.Levels = len(f.Levels), append(f.Levels, row[k])
				}
				codes[i] = uint32(at)
			default:
				values[i], _ = strconv.ParseFloat(row[k], 64)
			}
		}
		if s.texts[k] {
			f.Kind = data.Categorical
			columns = append(columns, data.Codes(codes))
		} else {
			columns = append(columns, data.Numbers(values))
		}
		schema.Fields = append(schema.Fields, f)
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tensors are the columns as inputs, in JSON or as bytes behind it.
func (s *sheet) tensors(asBytes bool) (head string, rest []byte) {
	return `{"inputs":[` + each(len(s.names), func(k int) string {
		kind, from := "FP64", len(rest)
		if s.texts[k] {
			kind = "BYTES"
		}
		data := `"data":[` + each(len(s.cells), func(i int) string { return s.json(i, k) }) + "]"
		if asBytes {
			for _, row := range s.cells {
				v, err := strconv.ParseFloat(row[k], 64)
				switch {
				case s.texts[k]:
					rest = append(binary.LittleEndian.AppendUint32(rest, uint32(len(row[k]))), row[k]...)
				case err != nil:
					v = math.NaN()
					fallthrough
				default:
					rest = binary.LittleEndian.AppendUint64(rest, math.Float64bits(v))
				}
			}
			data = fmt.Sprintf(`"parameters":{"binary_data_size":%d}`, len(rest)-from)
		}
		return fmt.Sprintf(`{"name":%q,"shape":[%d],"datatype":%q,%s}`, s.names[k], len(s.cells), kind, data)
	}) + "]}", rest
}

// form is a way to send a table to the model called visits.
type form struct {
	name, path, kind string
	body             func(t *testing.T, s *sheet) string
	head             func(s *sheet) int // length of the JSON before bytes; nil: there are none
}

// forms are all of them.
func forms() []form {
	const rows, v1, invoked, v2 = "/v1/models/visits/predict", "/v1/models/visits:predict", "/invocations", "/v2/models/visits/infer"
	objects := func(s *sheet) string { return "[" + each(len(s.cells), s.object) + "]" }
	lists := func(s *sheet) string { return "[" + each(len(s.cells), s.list) + "]" }
	of := func(before string, body func(*sheet) string, behind string) func(*testing.T, *sheet) string {
		return func(_ *testing.T, s *sheet) string { return before + body(s) + behind }
	}
	return []form{
		{"objects", rows, "", of("", objects, ""), nil},
		{"lines", rows, "application/x-ndjson", func(_ *testing.T, s *sheet) string {
			return strings.ReplaceAll(strings.Trim(objects(s), "[]"), "},{", "}\n{")
		}, nil},
		{"csv", rows, "text/csv", of("", (*sheet).csv, ""), nil},
		{"arrow", rows, arrowType, func(t *testing.T, s *sheet) string {
			var b bytes.Buffer
			if err := arrowdata.Write(&b, s.frame(t)); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}, nil},
		{"tensors", v2, "", func(_ *testing.T, s *sheet) string { text, _ := s.tensors(false); return text }, nil},
		{"bytes", v2, "application/octet-stream", func(_ *testing.T, s *sheet) string {
			text, rest := s.tensors(true)
			return text + string(rest)
		}, func(s *sheet) int { text, _ := s.tensors(true); return len(text) }},
		{"v1 objects", v1, "", of(`{"instances":`, objects, "}"), nil},
		{"v1 lists", v1, "", of(`{"instances":`, lists, "}"), nil},
		{"explain", "/v1/models/visits:explain", "", of(`{"instances":`, objects, "}"), nil},
		{"sagemaker", invoked, "text/csv", func(_ *testing.T, s *sheet) string {
			_, text, _ := strings.Cut(s.csv(), "\n")
			return text
		}, nil},
		{"instances", invoked, "", of(`{"instances":`, lists, "}"), nil},
		{"records", invoked, "", of(`{"dataframe_records":`, objects, "}"), nil},
		{"split", invoked, "", of("", func(s *sheet) string {
			return `{"dataframe_split":{"columns":[` + each(len(s.names), func(k int) string { return strconv.Quote(s.names[k]) }) +
				`],"data":` + lists(s) + "}}"
		}, ""), nil},
		{"inputs", invoked, "", of("", func(s *sheet) string {
			return `{"inputs":{` + each(len(s.names), func(k int) string {
				return strconv.Quote(s.names[k]) + ":[" + each(len(s.cells), func(i int) string { return s.json(i, k) }) + "]"
			}) + "}}"
		}, ""), nil},
	}
}

// send sends a table and returns the status, the type of the answer and the answer.
func (f *form) send(t *testing.T, url, query string, s *sheet) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+f.path+query, strings.NewReader(f.body(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", f.kind)
	if f.head != nil {
		r.Header.Set("Inference-Header-Content-Length", strconv.Itoa(f.head(s)))
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, a.Header, string(b)
}

// TestTextsAreUTF8: a text that is none is refused in each form, with its row and column, in
// columns of all kinds. No form replaces a part of it.
func TestTextsAreUTF8(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{Tables: []serve.TableFormat{arrow}})
	good := []string{"31", "70", "basic", "7", "old cough", "2024-03-05"}
	columns := map[string]int{"plan": 2, "note": 4, "day": 5}
	for _, f := range forms() {
		for name, k := range columns {
			for text, wrong := range map[string]bool{"\xff": true, "a\xc3": true, `\ud83d`: true, `\udc00b`: true,
				"\xed\xa0\x80": true, `\ud83d\ude00`: false, "\U0001F600": false} {
				s := &sheet{names: []string{"age", "weight", "plan", "code", "note", "day"}, raw: true,
					texts: []bool{false, false, true, false, true, true}, cells: [][]string{good, append([]string{}, good...)}}
				s.cells[1][k] = text
				if name == "day" && !wrong || text[0] == '\\' && strings.Contains("csv arrow bytes sagemaker", f.name) {
					continue // no date; no escape there
				}
				status, _, answer := f.send(t, web.URL, "", s)
				where := strings.ReplaceAll(answer, `\"`, `"`)
				switch {
				case !wrong && status != http.StatusOK:
					t.Errorf("%s: %q is refused: %s", f.name, text, answer)
				case wrong && (!strings.Contains(where, "row 2, column "+strconv.Quote(name)) || !strings.Contains(where, "UTF-8") ||
					status == http.StatusOK && f.name != "lines"):
					t.Errorf("%s: %q in %s has the answer %d %s", f.name, text, name, status, answer)
				}
			}
		}
	}
	// names and ids are given back, or in messages
	for body, want := range map[string]string{"age,\xff\n1,2\n": "the name of column 2", "age,id\n1,\xff\n": `column \"id\": want a text in UTF-8`} {
		if _, answer := post(t, web.URL+"/v1/models/visits/predict?id=id", "text/csv", body); !strings.Contains(answer, want) {
			t.Errorf("%q: %s", body, answer)
		}
	}
	if _, answer := post(t, web.URL+"/v1/models/visits/predict?id=%ff", "", goodVisit); !strings.Contains(answer, "the name of a field in UTF-8") {
		t.Error(answer)
	}
	if status, answer := post(t, web.URL+"/v1/models/visits/predict?id=id", "", strings.Replace(goodVisit, "{", `{"id":"\ud800",`, 1)); status != http.StatusBadRequest {
		t.Error(status, answer)
	}
}
