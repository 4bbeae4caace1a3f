package enum_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/enum"
)

type colour uint8

var names = enum.Names[colour]{"red", "green"}

func TestRows(t *testing.T) {
	table := []struct {
		name string
		size int
	}{{"red", 1}, {"green", 2}}
	of := func(r struct {
		name string
		size int
	}) string {
		return r.name
	}
	if got := enum.NamesOf(table, of); !slices.Equal(got, []string{"red", "green"}) {
		t.Error(got)
	}
	if r, ok := enum.Find(table, "green", of); !ok || r.size != 2 {
		t.Error(r, ok)
	}
	if r, ok := enum.Find(table, "blue", of); ok || r.size != 0 {
		t.Error(r, ok)
	}
}

func TestNames(t *testing.T) {
	for i, name := range names {
		got := colour(9)
		if err := names.Read(&got, "colour", []byte(name)); got != colour(i) || err != nil ||
			names.Name("colour", got) != name {
			t.Errorf("%s is %d, %v", name, got, err)
		}
	}
	if got := names.Name("colour", 2); got != "colour(2)" {
		t.Errorf("a number without a name is %s", got)
	}
	read := colour(1)
	if err := names.Read(&read, "colour", []byte("Red")); err == nil || err.Error() != `unknown colour "Red"` || read != 0 {
		t.Errorf("read %d, %v", read, err)
	}
}
