package libsvm

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Files that count features from either number, read for models that count from either, with and
// without a statement of it.
func TestFirstIndex(t *testing.T) {
	const fromZero, fromOne, either = "1 0:5 1:6\n", "1 1:5 2:6\n", "1 1:6\n"
	models := map[string]*data.Schema{
		"":               nil,
		"stored 0":       {FirstIndex: data.FirstZero, Fields: []data.Field{{Name: "f0"}, {Name: "f1"}}},
		"stored 1":       {FirstIndex: data.FirstOne, Fields: []data.Field{{Name: "f1"}, {Name: "f2"}}},
		"names from 0":   {Fields: []data.Field{{Name: "f1"}, {Name: "f0"}}},
		"names from 1":   {Fields: []data.Field{{Name: "f1"}, {Name: "f2"}}},
		"0 without f0":   {FirstIndex: data.FirstZero, Fields: []data.Field{{Name: "f1"}, {Name: "f2"}}},
		"of LightGBM":    {Fields: []data.Field{{Name: "Column_0"}, {Name: "Column_1"}}},
		"of CatBoost":    {Fields: []data.Field{{Name: "0"}, {Name: "1"}}},
		"no such names":  {Fields: []data.Field{{Name: "x"}}},
		"names like f01": {Fields: []data.Field{{Name: "f01"}, {Name: "fx"}, {Name: "f"}}},
	}
	const (
		isZero   = "the features of the model count from 1: data.ReadOptions.FirstIndex 0"
		isOne    = "the features of the model are 0 to 1: data.ReadOptions.FirstIndex 1"
		isNotOne = "features count from 1 (data.ReadOptions.FirstIndex 0 counts from 0)"
	)
	for _, c := range []struct {
		model, text string
		stated      data.FirstIndex
		want, first string // the table and its first index, or a part of the error and ""
	}{
		{"", fromZero, "", "label 1\nf0 5\nf1 6\n", "0"},
		{"", fromOne, "", "label 1\nf1 5\nf2 6\n", "1"},
		{"", fromOne, "0", "label 1\nf1 5\nf2 6\n", "0"},
		{"", fromZero, "0", "label 1\nf0 5\nf1 6\n", "0"},
		{"", fromZero, "1", isNotOne, ""},

		{"stored 0", fromZero, "", "f0 5\nf1 6\n", "0"},
		{"stored 0", fromOne, "", isOne, ""},
		{"stored 0", fromOne, "1", "f0 5\nf1 6\n", "0"},
		{"stored 0", fromZero, "1", isNotOne, ""},
		{"stored 0", either, "", "f0 0\nf1 6\n", "0"},
		{"stored 0", either, "1", "f0 6\nf1 0\n", "0"},
		{"stored 0", fromZero + "1 9:1\n", "", "f0 5 0\nf1 6 0\n", "0"},
		{"stored 0", "1 9:1\n" + fromZero, "", "f0 0 5\nf1 0 6\n", "0"},
		{"stored 0", fromOne, "0", "f0 0\nf1 5\n", "0"},
		{"names from 0", fromOne, "", isOne, ""},
		{"names from 0", fromOne, "1", "f1 6\nf0 5\n", "0"},

		{"stored 1", fromOne, "", "f1 5\nf2 6\n", "1"},
		{"stored 1", fromZero, "", isZero, ""},
		{"stored 1", fromZero, "0", "f1 5\nf2 6\n", "1"},
		{"stored 1", fromZero, "1", isNotOne, ""},
		{"stored 1", either, "", "f1 6\nf2 0\n", "1"},
		{"stored 1", either, "0", "f1 0\nf2 6\n", "1"},
		{"stored 1", fromOne + "1 9:1\n", "", "f1 5 0\nf2 6 0\n", "1"},
		{"names from 1", fromZero, "", isZero, ""},
		{"names from 1", fromZero, "0", "f1 5\nf2 6\n", "1"},

		{"of LightGBM", fromZero, "", "Column_0 5\nColumn_1 6\n", "0"},
		{"of LightGBM", fromOne, "", isOne, ""},
		{"of LightGBM", fromOne, "1", "Column_0 5\nColumn_1 6\n", "0"},
		{"of LightGBM", either, "", "Column_0 0\nColumn_1 6\n", "0"},
		{"of CatBoost", fromZero, "", "0 5\n1 6\n", "0"},
		{"of CatBoost", fromOne, "", isOne, ""},
		{"of CatBoost", fromOne, "1", "0 5\n1 6\n", "0"},

		{"0 without f0", fromZero, "", "f1 6\nf2 0\n", "0"},
		{"no such names", "1 0:5\n0 7:1\n", "", "", "0"},
		{"names like f01", "1 0:5\n0 7:1\n", "", "", "0"},
	} {
		o := data.ReadOptions{Schema: models[c.model], FirstIndex: c.stated}
		if c.model != "" && c.want == "" { // the table has none of the columns
			o.Also = []string{Label}
			c.want = "label 1 0\n"
		}
		f, err := readBytes(t.Context(), o, "t.svm", []byte(c.text))
		if c.first == "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "t.svm:1: ") {
				t.Errorf("%s, %q, %q: error %v, want %s", c.model, c.text, c.stated, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %q, %q: %v", c.model, c.text, c.stated, err)
			continue
		}
		if string(f.Schema.FirstIndex) != c.first {
			t.Errorf("%s, %q, %q: first index %q, want %s", c.model, c.text, c.stated, f.Schema.FirstIndex, c.first)
		}
		o.Log = nil
		reader.Good(t, c.model, c.text, o, c.want)
	}
}

// The roles that rows and side files state, unless the options ask for the column.
func TestStatedRoles(t *testing.T) {
	const text = "1 qid:3 1:5\n0 qid:3 1:6\n"
	for _, c := range []struct {
		options data.ReadOptions
		want    data.Role
	}{
		{data.ReadOptions{}, data.GroupRole},
		{data.ReadOptions{AllCategorical: true}, data.GroupRole},
		{data.ReadOptions{Numeric: []string{Query}}, ""},
		{data.ReadOptions{Categorical: []string{Query}}, ""},
		{data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "f1"}, {Name: Query}}}}, ""},
		{data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "f1"}}}, Also: []string{Query}}, data.GroupRole},
	} {
		f, err := readBytes(t.Context(), c.options, "t.svm", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Schema.Fields {
			want := data.Role("")
			if f.Schema.Fields[i].Name == Query {
				want = c.want
			}
			if got := f.Schema.Fields[i].Role; got != want {
				t.Errorf("%+v: column %s has the role %q, want %q", c.options, f.Schema.Fields[i].Name, got, want)
			}
		}
	}
}
