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
