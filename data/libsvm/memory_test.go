package libsvm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/memory"
)

// Sparse rows of many features make a large table of a small file: it is refused before its columns
// are made.
func TestManyFeatures(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "1 %d:1\n", i*500_009) // below 2^31
	}
	for limit, fits := range map[memory.Limit]bool{8 << 20: false, 256 << 20: true} {
		f, err := libsvm.ReadBytes(t.Context(), table.Options{Memory: limit}, "t.svm",
			[]byte(b.String()))
		if fits {
			if err != nil || len(f.Columns) != 4001 {
				t.Errorf("limit %d: %v", limit, err)
			}
			continue
		}
		if !errors.Is(err, table.ErrLimit) || !errors.Is(err, memory.ErrLimit) ||
			!strings.HasPrefix(err.Error(), "t.svm: the table needs 12") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
