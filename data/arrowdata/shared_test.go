package arrowdata

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

// twin is a table of the Arrow project's integration tests, written as JSON.
type twin struct {
	Schema struct {
		Fields []struct {
			Name       string
			Type       struct{ Name, Precision string }
			Dictionary *struct{ ID int }
		}
	}
	Dictionaries []struct {
		ID   int
		Data struct{ Columns []twinColumn }
	}
	Batches []struct{ Columns []twinColumn }
}

type twinColumn struct {
	Count    int
	Validity []int `json:"VALIDITY"`
	Data     []any `json:"DATA"`
}

// text returns the value of a row as a text; missing ones are empty.
func (c *twinColumn) text(row int) string {
	if c.Validity == nil || c.Validity[row] == 0 {
		return ""
	}
	return fmt.Sprint(c.Data[row])
}

func readTwin(t *testing.T, path string) *twin {
	t.Helper()
	var w twin
	d := json.NewDecoder(reference.Open(t, path))
	d.UseNumber()
	if err := d.Decode(&w); err != nil {
		t.Fatal(err)
	}
	return &w
}

// texts returns the values of a column; those of a dictionary are looked up.
func (w *twin) texts(j int) []string {
	var texts []string
	for _, batch := range w.Batches {
		c := &batch.Columns[j]
		for row := range c.Count {
			text := c.text(row)
			if d := w.Schema.Fields[j].Dictionary; d != nil && text != "" {
				at, _ := strconv.Atoi(text)
				text = w.Dictionaries[d.ID].Data.Columns[0].text(at)
			}
			texts = append(texts, text)
		}
	}
	return texts
}

// frame makes a frame of the columns that are not binary.
func (w *twin) frame(t *testing.T) *data.Frame {
	t.Helper()
	var columns []data.NamedColumn
	for j, field := range w.Schema.Fields {
		texts := w.texts(j)
		c := data.NamedColumn{Name: field.Name, Values: texts}
		switch field.Type.Name {
		case "binary", "fixedsizebinary":
			continue
		case "null", "int", "floatingpoint":
			bits := 64
			if field.Type.Precision == "SINGLE" {
				bits = 32
			}
			values := make([]float64, len(texts))
			for i, text := range texts {
				if values[i] = math.NaN(); text != "" {
					values[i], _ = strconv.ParseFloat(text, bits)
				}
			}
			c.Values = values
		}
		columns = append(columns, c)
	}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The Arrow project's files and streams hold what their JSON twins hold.
func TestJSONTwins(t *testing.T) {
	for _, name := range []string{"dictionary", "lz4", "zstd", "null", "primitive",
		"uncompressible_lz4", "uncompressible_zstd"} {
		t.Run(name, func(t *testing.T) {
			path := tabletest.Shared(t, "formats/arrow-ipc/generated_"+name+".json.gz")
			w := readTwin(t, path)
			want := w.frame(t)
			o := data.ReadOptions{}
			for _, field := range w.Schema.Fields {
				if want.Schema.Index(field.Name) < 0 {
					o.Ignore = append(o.Ignore, field.Name)
				}
			}
			for _, form := range []string{".arrow_file", ".stream"} {
				got, err := Open(o, strings.TrimSuffix(path, ".json.gz")+form).Frame(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				tabletest.Same(t, got, want, 0)
			}
		})
	}
}

func TestNoRows(t *testing.T) {
	path := tabletest.Shared(t, "formats/arrow-ipc/generated_primitive_zerolength.arrow_file")
	if _, err := Open(data.ReadOptions{}, path).Frame(t.Context()); err == nil ||
		err.Error() != path+": there are no rows" {
		t.Errorf("got %v", err)
	}
}
