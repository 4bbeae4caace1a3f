package jsonl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/jsonl"
	"github.com/coppice-ml/coppice/memory"
)

// A small file in which every row has another key makes a table of rows x rows. It is refused on
// the line where it gets too large, before its columns are made.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "{\"key%d\":1}\n", i)
	}
	for limit, fits := range map[memory.Limit]bool{8 << 20: false, 256 << 20: true} {
		f, err := jsonl.Open(data.ReadOptions{Memory: limit, Bytes: map[string][]byte{"t.jsonl": []byte(b.String())}}, "t.jsonl").Frame(t.Context())
		if fits {
			if err != nil || len(f.Columns) != 4000 {
				t.Errorf("limit %d: %v", limit, err)
			}
			continue
		}
		var e *data.ReadError
		if !errors.As(err, &e) || !errors.Is(err, memory.ErrLimit) || e.Line < 100 ||
			e.Line > 2000 ||
			!strings.HasSuffix(e.Msg, " of memory, the limit is 8.4 MB (data.ReadOptions.Memory sets it)") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
