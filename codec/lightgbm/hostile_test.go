package lightgbm_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/codec/lightgbm"
	"github.com/coppice-ml/coppice/internal/codectest"
)

// shipped reads a sample of testdata/models.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", "lightgbm", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	codectest.Run(t, lightgbm.Format(), nil, shipped(t, "model_simple.txt"))
	codectest.Run(t, lightgbm.FormatJSON(), nil, shipped(t, "lg_1tree.json"),
		shipped(t, "lg_1tree_1leaf.json"))
}
