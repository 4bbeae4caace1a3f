package formats_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Categories that are numbers stay numbers in the formats that have such, so that a client's table
// may write 2 as 2.0. XGBoost has whole numbers alone. A table of texts makes no difference between
// them and texts, so levels that are written as numbers count as numbers.
func TestCategoriesStayNumbers(t *testing.T) {
	for _, c := range []struct {
		file   string
		levels []string // in place of the first categorical column's; nil: its own
		text   string
	}{
		{file: "testdata/tables/fractions.txt"},
		{"testdata/tables/fractions.txt", []string{"0.5", "2"}, "2.0"},
		{"testdata/tables/whole.txt", []string{"7", "10"}, "10.0"},
	} {
		m, _, err := formats.Open(c.file, codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		own := *m.(*model.Ensemble)
		own.Origin = nil
		own.Meta.Schema = own.Meta.Schema.Clone()
		at := slices.IndexFunc(own.Meta.Schema.Fields, func(f data.Field) bool { return f.Kind == data.Categorical })
		want := &own.Meta.Schema.Fields[at]
		if c.levels != nil {
			want.Format = ""
			copy(want.Levels, c.levels)
		}
		for _, f := range formats.Table() {
			if f.Encode == nil || f.Decode == nil || !f.Foreign {
				continue
			}
			var file bytes.Buffer
			if err := f.Encode(&file, &own); err != nil {
				t.Fatalf("%s of %s: %v", f.Name, c.file, err)
			}
			again, err := f.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
			if err != nil {
				t.Fatalf("%s of %s: %v", f.Name, c.file, err)
			}
			got := &again.Spec().Schema.Fields[at]
			if !slices.Equal(got.Levels, want.Levels) {
				t.Errorf("%s of %s: levels %q, want %q", f.Name, c.file, got.Levels, want.Levels)
			}
			if whole := want.IntegerLevels(); f.Single && f.Name != "onnx" && !whole {
				continue // XGBoost
			} else if c.text != "" {
				if code := data.IndexLevels(got).Find(c.text); code != 1 {
					t.Errorf("%s: %s is code %d of %q", f.Name, c.text, code, got.Levels)
				}
			} else if got.Numbers() != want.Numbers() {
				t.Errorf("%s of %s: numbers %v", f.Name, c.file, got.Numbers())
			}
		}
	}
}

// A file for XGBoost states that categories are numbers. A frame of texts would be refused.
func TestXGBoostHasWholeCategories(t *testing.T) {
	m, _, err := formats.Open("testdata/tables/whole.txt", codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	f := formats.ByName("xgboost-json")
	if err := f.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	again, err := f.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if as := again.(*model.Ensemble).Origin.Categories; !slices.Contains(as, "int64") || slices.Contains(as, "text") {
		t.Errorf("types of categories %q", as)
	}
}
