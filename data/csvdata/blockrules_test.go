package csvdata

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// Blanks in quotes are a missing date for a schema too, as where the kind is inferred.
func TestBlankDates(t *testing.T) {
	const text = "c,d\n\" \n\",1\n2026-01-31,2\n"
	f, err := readBytes(t.Context(), Options{}, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{ReadOptions: data.ReadOptions{Schema: &f.Schema}}
	again, err := readBytes(t.Context(), o, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(again), "c - 2026-01-31 date\nd 1 2\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
