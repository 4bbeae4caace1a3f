package data_test

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

func TestHashedLevel(t *testing.T) {
	hashed := data.Field{Kind: data.Categorical, Format: data.HashedLevels}
	plain := data.Field{Kind: data.Categorical}
	for text, want := range map[string]string{"": "#2f90404f", "Moscow": "#241d292e"} {
		level := spelling.HashedLevel(text)
		if level != want {
			t.Errorf("%q has the level %s, want %s", text, level, want)
		}
		if hashed.Hash(level) != plain.Hash(text) || hashed.Hash(text) != plain.Hash(text) ||
			plain.Hash(level) == plain.Hash(text) {
			t.Errorf("the hashes of %q and of %s differ", text, level)
		}
	}
	for _, level := range []string{"#2f90404", "#2f9040zz", "2f90404f0"} { // texts
		if hashed.Hash(level) != plain.Hash(level) {
			t.Errorf("%q is taken for a hash", level)
		}
	}
	if plain.Hashed() || !hashed.Hashed() {
		t.Error("Hashed is wrong")
	}
	for format, ok := range map[string]bool{data.HashedLevels: true, "": true, "1,234.5": false} {
		s := data.Schema{Fields: []data.Field{{Name: "a", Kind: data.Categorical, Format: format}}}
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("a categorical column with the format %q: %v", format, err)
		}
	}
}

// Structs have texts for a dictionary of hashes.
func TestHashedLevelsOfStructs(t *testing.T) {
	type row struct{ Zone string }
	schema := data.Schema{Fields: []data.Field{{Name: "Zone", Kind: data.Categorical, Format: data.HashedLevels,
		Levels: []string{spelling.HashedLevel("north"), "south"}}}}
	r, err := data.NewRowReader(reflect.TypeFor[row](), &schema)
	if err != nil {
		t.Fatal(err)
	}
	for zone, want := range map[string]float64{"north": 0, "south": 1, "east": -1} {
		var dst [1]float64
		if r.Read(dst[:], reflect.ValueOf(row{zone}), nil); dst[0] != want {
			t.Errorf("%s is %v, want %v", zone, dst[0], want)
		}
	}
}
