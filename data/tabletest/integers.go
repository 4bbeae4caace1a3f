package tabletest

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// integers reads texts for models of categories: where all of a column's are plain integers, a text
// is the category of its number, and nowhere else.
func (r *Reader) integers(t *testing.T) {
	if r.Text == "" {
		t.Skip("the format has no texts")
	}
	const unseen = data.UnseenCode
	texts := []string{"1", "1.0", "2.00", "3e0", "+3", "1.5", "01", "4.0", "-9.0", "x"}
	for name, c := range map[string]struct {
		levels []string
		want   []uint32
	}{
		"integers": {[]string{"1", "2", "3"},
			[]uint32{0, 0, 1, 2, 2, unseen, unseen, unseen, data.MissingCode, unseen}},
		"a text among them": {[]string{"1", "2", "x"},
			[]uint32{0, unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen, 2}},
		"zeros before digits": {[]string{"01", "1", "2"},
			[]uint32{1, unseen, unseen, unseen, unseen, unseen, 0, unseen, unseen, unseen}},
		"fractions": {[]string{"1.0", "2", "4"},
			[]uint32{unseen, 0, unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen}},
	} {
		o := data.ReadOptions{Missing: []string{"-9"}, BlockBytes: 1,
			Schema: &data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical,
				Levels: c.levels}}}}
		b := r.Texts(t, "c", texts)
		f, err := r.readBytes(t.Context(), o, r.Name, b)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Columns[0].Codes(); !slices.Equal(got, c.want) {
			t.Errorf("%s: codes %d, want %d", name, got, c.want)
		}
		var got []uint32
		for part, err := range r.Open(o, r.write(t, b)).Stream(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, part.Frame.Columns[0].Codes()...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, in blocks: codes %d, want %d", name, got, c.want)
		}
	}
}
