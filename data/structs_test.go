package data_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
)

type place struct {
	Plot int `coppice:"plot,categorical"`
}

type Soil struct{ Acid float32 }

type flower struct {
	Length  float64 `coppice:"petal_length"`
	Width   *float64
	place          // unexported type, exported field
	*Soil          // may be nil
	Note    string `coppice:"-"`
	secret  int
	Fresh   bool   `coppice:",categorical"`
	Species string `coppice:"species"`
}

func TestFromStructs(t *testing.T) {
	width := 0.2
	flowers := []flower{
		{Length: 1.4, Width: &width, place: place{10}, Species: "setosa", Note: "x", secret: 1},
		{Length: nan, Soil: &Soil{5.5}, place: place{9}, Fresh: true},
	}
	want := []column{
		{Name: "petal_length", Num: []float64{1.4, nan}},
		{Name: "Width", Num: []float64{0.2, nan}},
		{Name: "plot", Code: []uint32{0, 1}, Levels: []string{"10", "9"}},
		{Name: "Acid", Num: []float64{nan, 5.5}},
		{Name: "Fresh", Code: []uint32{0, 1}, Levels: []string{"false", "true"}},
		{Name: "species", Code: []uint32{0, data.MissingCode}, Levels: []string{"setosa"}},
	}
	wantColumns(t, must(data.FromStructs(flowers))(t), want...)
	wantColumns(t, must(data.FromStructs([]*flower{&flowers[0], &flowers[1]}))(t), want...)
	empty := must(data.FromStructs([]flower{}))(t)
	if got := empty.Schema.Names(); empty.Rows() != 0 || len(got) != 6 {
		t.Errorf("no flowers make %d rows with columns %q", empty.Rows(), got)
	}
}

type Recursive struct {
	*Recursive
	X int
}

func TestFromStructsRefuses(t *testing.T) {
	type inner struct{ X int }
	for _, c := range []struct {
		rows any
		want string
	}{
		{flower{}, "want a slice of structs, got data_test.flower"},
		{nil, "want a slice of structs, got <nil>"},
		{[]int{1}, "want a slice of structs, got []int"},
		{[]**flower{}, "want a slice of structs"},
		{[]*flower{{}, nil}, "row 2 is a nil pointer"},
		{[]Recursive{}, "struct data_test.Recursive embeds itself"},
		{[]struct{ x int }{}, "has no exported field"},
		{[]struct{ Parts []int }{}, "Parts: cannot use type []int; skip it"},
		{[]struct{ In inner }{}, "In: cannot use type data_test.inner"},
		{[]struct {
			X int `coppice:"x,nominal"`
		}{}, `X: unknown tag option "nominal"`},
		{[]struct {
			x int `coppice:"x"`
		}{}, "x has a coppice tag and is not exported"},
		{[]struct {
			Soil `coppice:"soil"`
		}{}, "Soil: an embedded struct takes no tag"},
		{[]struct {
			X int
			Y int `coppice:"X"`
		}{}, `two columns are called "X"`},
	} {
		_, err := data.FromStructs(c.rows)
		wantError(t, err, c.want)
	}
}

func TestFromStructsSkipsEmbedded(t *testing.T) {
	type row struct {
		Soil `coppice:"-"`
		X    int
	}
	wantColumns(t, must(data.FromStructs([]row{{X: 3}}))(t), column{Name: "X", Num: []float64{3}})
}
