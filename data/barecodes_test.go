package data_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestBareCodes(t *testing.T) {
	for _, c := range []struct {
		levels []string
		want   bool
	}{
		{[]string{"0"}, true},
		{[]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}, true},
		{nil, false},
		{[]string{"1"}, false},
		{[]string{"1", "0"}, false},
		{[]string{"0", "1", "10", "2"}, false},
		{[]string{"0", "01"}, false},
		{[]string{"0", "1", "many"}, false},
	} {
		if got := (&data.Field{Kind: data.Categorical, Levels: c.levels}).BareCodes(); got != c.want {
			t.Errorf("%q: %v", c.levels, got)
		}
	}
	if (&data.Field{Kind: data.Numeric}).BareCodes() {
		t.Error("a numeric field has bare codes")
	}
}

func TestCodeIndex(t *testing.T) {
	dense := (&data.Field{Kind: data.Categorical, Levels: []string{"0", "1", "2"}}).CodeIndex()
	few := (&data.Field{Kind: data.Categorical, Format: data.CodeLevels, Levels: []string{"0", "7", "2000000000"}}).CodeIndex()
	for x, want := range map[float64][2]float64{0: {0, 0}, 1: {1, -1}, 2.9: {2, -1}, 3: {-1, -1}, -0.9: {0, 0}, -1: {-1, -1},
		7: {-1, 1}, 7.5: {-1, 1}, 2e9: {-1, 2}, 4294967303: {-1, -1}, 1e300: {-1, -1}, -1e300: {-1, -1},
		math.Inf(1): {-1, -1}, math.Inf(-1): {-1, -1}} {
		for i, index := range []*data.CodeIndex{dense, few} {
			if got := index.Find(x); got != want[i] || math.Signbit(got) != math.Signbit(want[i]) {
				t.Errorf("index %d of %v: %v, want %v", i, x, got, want[i])
			}
		}
	}
	if a, b := dense.Find(math.NaN()), few.Find(math.NaN()); !math.IsNaN(a) || !math.IsNaN(b) {
		t.Errorf("of NaN: %v and %v", a, b)
	}
	if (&data.Field{Kind: data.Categorical, Levels: []string{"a"}}).CodeIndex() != nil {
		t.Error("texts have an index of codes")
	}
}

// Levels of the format are checked, and texts of numbers mean them as they mean integers.
func TestCodeLevels(t *testing.T) {
	for levels, valid := range map[string]bool{"3 70000": true, "70000 3": false, "3 3": false, "3 x": false,
		"-3 5": false, "03 5": false, "3 4294967296": false} {
		s := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Format: data.CodeLevels,
			Levels: strings.Fields(levels)}}}
		if err := s.Validate(); (err == nil) != valid {
			t.Errorf("%s: %v", levels, err)
		}
	}
	x := data.IndexLevels(&data.Field{Kind: data.Categorical, Format: data.CodeLevels, Levels: []string{"3", "70000"}})
	for text, want := range map[string]uint32{"3": 0, "3.0": 0, "70000": 1, "7e4": 1, "0": data.UnseenCode, "a": data.UnseenCode} {
		if got := x.Find(text); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
}
