package tabletest

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// texts reads a column as texts, on request and for a model of their n-grams. Numbers are refused.
func (r *Reader) texts(t *testing.T) {
	format, err := data.NewTextFormat("min_rows=1", "buckets=64")
	if err != nil {
		t.Fatal(err)
	}
	r.refused(t, data.ReadOptions{Texts: map[string]data.TextFormat{r.Number: format}},
		data.ErrOption, "all texts are numbers")
	r.refused(t, data.ReadOptions{Texts: map[string]data.TextFormat{r.Number + "x": format}},
		data.ErrOption, "did you mean")
	if r.Text == "" {
		return
	}
	requested := map[string]data.TextFormat{r.Text: format}
	r.refused(t, data.ReadOptions{Texts: requested, Categorical: []string{r.Text}}, data.ErrOption,
		"both a text and")

	plain := r.read(t, data.ReadOptions{})
	f := r.read(t, data.ReadOptions{Texts: requested})
	at := f.Schema.Index(r.Text)
	if field := f.Schema.Fields[at]; field.Kind != data.Text || field.Format != format.Code() {
		t.Fatalf("field %+v, want texts", field)
	}
	for row := range f.Rows() {
		if plain.IsMissing(row, at) != f.IsMissing(row, at) {
			t.Errorf("row %d: missing is %v as a text", row, f.IsMissing(row, at))
		} else if !f.IsMissing(row, at) {
			want := plain.Schema.Fields[at].Levels[plain.Columns[at].Code(row)]
			got := f.Schema.Fields[at].Levels[f.Columns[at].Code(row)]
			if strings.TrimSpace(got) != want {
				t.Errorf("row %d: %q, want %q", row, got, want)
			}
		}
	}

	counted, err := data.Expand(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := counted.Schema.Index(r.Text + ".words")
	if words < 0 || len(counted.Columns) == len(f.Columns) {
		t.Fatalf("columns %q count no n-grams", counted.Schema.Names())
	}
	again, err := data.Expand(r.read(t, data.ReadOptions{Schema: &counted.Schema}), &counted.Schema)
	if err != nil {
		t.Fatal(err)
	}
	want := Render(counted)
	if got := Render(again); got != want {
		t.Errorf("for a model: got\n%swant\n%s", got, want)
	}
	if _, err := r.Open(data.ReadOptions{Texts: requested}, r.path(t)).Blocks(t.Context()); err == nil {
		t.Error("texts are read in blocks, and nobody knows which n-grams become columns")
	}
	var all *data.Frame
	for part, err := range r.Open(data.ReadOptions{Schema: &counted.Schema,
		BlockBytes: 1}, r.path(t)).Stream(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		made, err := data.Expand(part.Frame, &counted.Schema)
		if err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = made
		} else if all, err = data.Concat(all, made); err != nil {
			t.Fatal(err)
		}
	}
	if got := Render(all); got != want {
		t.Errorf("in blocks for a model: got\n%swant\n%s", got, want)
	}
}
