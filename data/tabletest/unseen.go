package tabletest

import (
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// unseen reads texts that a model does not have: the column has a sample of them, and together
// those of its blocks are that of the whole, for any number of threads.
func (r *Reader) unseen(t *testing.T) {
	if r.Text == "" {
		t.Skip("the format has no texts")
	}
	var texts []string
	for i := range 300 {
		texts = append(texts, "red", "new"+strconv.Itoa(i))
		if i%3 == 0 {
			texts = append(texts, "RED")
		}
	}
	o := data.ReadOptions{BlockBytes: 64, Schema: &data.Schema{Fields: []data.Field{
		{Name: "c", Kind: data.Categorical, Levels: []string{"blue", "red"}}}}}
	b := r.Texts(t, "c", texts)
	var whole *data.UnseenTexts
	for _, threads := range []int{1, 3} {
		o.Threads = threads
		f, err := r.readBytes(t.Context(), o, r.Name, b)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, code := range f.Columns[0].Codes() {
			if code == data.UnseenCode {
				n++
			}
		}
		u := f.Columns[0].UnseenTexts()
		if u == nil || !slices.Contains(texts, u.Most()) || u.Most() == "red" || n != 400 {
			t.Fatalf("%d rows are unseen, of which the sample is %v", n, u)
		}
		if whole != nil && whole.Most() != u.Most() {
			t.Errorf("%d threads: %q, else %q", threads, u.Most(), whole.Most())
		}
		whole = u
	}
	joined := &data.UnseenTexts{}
	parts := 0
	for part, err := range r.Open(o, r.write(t, b)).Stream(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		parts++
		joined.Join(part.Frame.Columns[0].UnseenTexts())
	}
	if joined.Most() != whole.Most() {
		t.Errorf("%d parts: %q, the whole %q", parts, joined.Most(), whole.Most())
	}
}
