package csvdata

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/data/table/tabletest"
)

// Readers in blocks refuse folders that make columns, rather than leave the columns out.
func TestBlocksRefuseFolders(t *testing.T) {
	root := t.TempDir()
	for _, k := range []string{"k=1", "k=2"} {
		tabletest.Write(t, filepath.Join(root, k, "a.csv"), []byte("x\n1\n2\n"))
	}
	if _, err := OpenBlocks(t.Context(), Options{}, root); !errors.Is(err, table.ErrOption) {
		t.Errorf("OpenBlocks: %v", err)
	}
	o := Options{Options: table.Options{Schema: &data.Schema{Fields: []data.Field{{Name: "x"}}}}}
	for _, err := range Tables(t.Context(), o, root) {
		if !errors.Is(err, table.ErrOption) {
			t.Errorf("Tables: %v", err)
		}
	}
}

// Blanks in quotes are a missing date for a schema too, as where the kind is inferred.
func TestBlankDates(t *testing.T) {
	const text = "c,d\n\" \n\",1\n2026-01-31,2\n"
	f, err := ReadBytes(t.Context(), Options{}, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Options: table.Options{Schema: &f.Schema}}
	again, err := ReadBytes(t.Context(), o, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(again), "c - 2026-01-31 date\nd 1 2\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
