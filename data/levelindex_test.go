package data_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestIntegerLevels(t *testing.T) {
	for _, c := range []struct {
		levels []string
		want   bool
	}{
		{[]string{"1", "20", "-3", "0"}, true}, {nil, false}, {[]string{"1", "01"}, false},
		{[]string{"1", "x"}, false}, {[]string{"1.0"}, false}, {[]string{"+1"}, false},
		{[]string{"<OOD>", "1"}, true}, {[]string{"<OOD>"}, false}, {[]string{"<OOD>", "01"}, false},
		{[]string{"-0"}, false}, {[]string{"00"}, false}, {[]string{"-"}, false}, {[]string{""}, false},
	} {
		if got := (&data.Field{Kind: data.Categorical, Levels: c.levels}).IntegerLevels(); got != c.want {
			t.Errorf("%q: %v", c.levels, got)
		}
	}
	if (&data.Field{Kind: data.Text, Levels: []string{"1"}}).IntegerLevels() {
		t.Error("texts have integer levels")
	}
}

// Levels that are numbers in a file match by number, those that begin with a zero but for a point
// are names.
func TestNumberLevels(t *testing.T) {
	field := data.Field{Name: "c", Kind: data.Categorical, Levels: []string{"0.5", "2", "1e-07", "-3"}, Format: data.NumberLevels}
	x := data.IndexLevels(&field)
	for text, want := range map[string]float64{"0.5": 0, ".50": 0, "5e-1": 0, "2.0": 1, "+2": 1, "1e-07": 2, "0.0000001": 2,
		"-3.0": 3, "02": -1, "00.5": -1, "2.1": -1, "x": -1, "": -1, "Inf": -1} {
		if got := x.Find(text); got != wanted(want) {
			t.Errorf("%q: code %d, want %v", text, got, want)
		}
	}
	field.Format = ""
	if x := data.IndexLevels(&field); x.Find(".50") != data.UnseenCode || x.Find("0.5") != 0 {
		t.Error("texts match by number")
	}
}

// Whatever joins or reads categories finds them by an index: structs, validation sets, tables that
// follow others.
func TestLevelsAreFound(t *testing.T) {
	for _, c := range []struct {
		levels, texts []string
		want          []float64
	}{
		{[]string{"1", "2"}, []string{"1.0", "2e0", "2.5", "02"}, []float64{0, 1, -1, -1}},
		{[]string{"1", "two"}, []string{"1.0", "1", "TWO", "two"}, []float64{-1, 0, -1, 1}},
		{[]string{"false", "true"}, []string{"TRUE", "False", "1", "0"}, []float64{1, 0, -1, -1}},
	} {
		field := data.Field{Name: "c", Kind: data.Categorical, Levels: c.levels}
		codes := make([]uint32, len(c.levels))
		for i := range codes {
			codes[i] = uint32(i)
		}
		table := frame(t, field, codes)
		other := data.Field{Name: "c", Kind: data.Categorical, Levels: c.texts}
		theirs := frame(t, other, []uint32{0, 1, 2, 3})

		type row struct {
			C string `coppice:"c"`
		}
		reader := must(data.NewRowReader(reflect.TypeFor[row](), &table.Schema))(t)
		joined := must(data.Concat(table, theirs))(t)
		a := &data.Dataset{Frame: table, Target: data.Target{Y: [][]float64{make([]float64, 2)}}}
		b := &data.Dataset{Frame: theirs, Target: data.Target{Y: [][]float64{make([]float64, 4)}}}
		all, _, rows, err := a.With(b)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range c.texts {
			got := make([]float64, 1)
			reader.Read(got, reflect.ValueOf(row{text}), nil)
			if got[0] != c.want[i] {
				t.Errorf("%q: the struct of %q has code %v, want %v", c.levels, text, got[0], c.want[i])
			}
			code := all.Columns[0].Code(int(rows[i]))
			if want := wanted(c.want[i]); code != want {
				t.Errorf("%q: the validation set's %q has code %d, want %d", c.levels, text, code, want)
			}
			level := joined.Schema.Fields[0].Levels[joined.Columns[0].Code(len(codes)+i)]
			if want := append(slices.Clone(c.levels), text)[max(0, int(c.want[i]))]; c.want[i] >= 0 && level != want {
				t.Errorf("%q: the joined %q is %q", c.levels, text, level)
			} else if c.want[i] < 0 && level != text {
				t.Errorf("%q: the joined %q is %q", c.levels, text, level)
			}
		}
	}
}

func frame(t *testing.T, field data.Field, codes []uint32) *data.Frame {
	t.Helper()
	return must(data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{data.Codes(codes)}))(t)
}

func wanted(code float64) uint32 {
	if code < 0 {
		return data.UnseenCode
	}
	return uint32(code)
}

// A label is renamed and found by its number where its text is none.
func TestLabelsByNumber(t *testing.T) {
	f := label(t, []string{"1.0", "0.0", "1.0"})
	ds := must(data.Roles{Label: "y", Classes: []string{"0", "1"}}.Apply(f))(t)
	if got := ds.Target.Class; !slices.Equal(got, []uint32{1, 0, 1}) {
		t.Errorf("classes %d", got)
	}
	for old, class := range map[string]string{"1": "yes", "1.00": "yes", "1.0": "yes", "0": "no"} {
		names := must(data.ParseRename([]string{old + "=" + class}, f, "y"))(t)
		ds := must(data.Roles{Label: "y", Rename: names}.Apply(f))(t)
		if !slices.Contains(ds.Target.Classes, class) {
			t.Errorf("data.Roles.Rename %s: classes %q", strconv.Quote(old), ds.Target.Classes)
		}
	}
	f = label(t, []string{"1.0", "1"})
	ds = must(data.Roles{Label: "y", Rename: map[string]string{"1": "yes"}}.Apply(f))(t)
	if got := ds.Target.Classes; !slices.Equal(got, []string{"1.0", "yes"}) {
		t.Errorf("classes %q", got)
	}
}

// Levels that are bare codes are found as other levels are, without a map.
func TestIndexOfBareCodes(t *testing.T) {
	levels := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}
	bare := data.IndexLevels(&data.Field{Kind: data.Categorical, Levels: levels})
	turned := slices.Clone(levels)
	slices.Reverse(turned) // no bare codes, so they have a map
	other := data.IndexLevels(&data.Field{Kind: data.Categorical, Levels: turned})
	for _, text := range []string{"", "0", "00", "01", "7", "10", "11", "12", "011", "-1", "+1", "1.0",
		"1e1", "11.", "1.5", "a", "1a", "0x1", " 1", "99999999", "999999999", "4294967297", "true"} {
		want := other.Find(text)
		if want != data.UnseenCode {
			want = uint32(len(levels)-1) - want
		}
		if got := bare.Find(text); got != want {
			t.Errorf("%q: code %d, want %d", text, got, want)
		}
		if got := bare.FindBytes([]byte(text)); got != want {
			t.Errorf("bytes %q: code %d, want %d", text, got, want)
		}
	}
}

// Booleans of structs are 1 and 0 for models of numbers.
func TestTruthsOfStructs(t *testing.T) {
	type row struct {
		A bool
		B *bool
		C bool
	}
	s := &data.Schema{Fields: []data.Field{{Name: "A"}, {Name: "B"},
		{Name: "C", Kind: data.Categorical, Levels: []string{"0", "1"}}}}
	reader := must(data.NewRowReader(reflect.TypeFor[row](), s))(t)
	got := make([]float64, 3)
	reader.Read(got, reflect.ValueOf(row{true, new(bool), true}), nil)
	if !slices.Equal(got, []float64{1, 0, 1}) {
		t.Errorf("%v", got)
	}
	if reader.Read(got, reflect.ValueOf(row{}), nil); got[0] != 0 || got[1] == got[1] || got[2] != 0 {
		t.Errorf("%v", got)
	}
}
