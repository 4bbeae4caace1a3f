package outside_test

import (
	"bytes"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
)

// A slice lies in a mapped file if all of it does, until the file is unmapped.
func TestHolds(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 1000)
	_, b, unmap := mapFile(t, content, int64(len(content)))
	if b == nil {
		t.Skip("this system does not map files")
	}
	for name, part := range map[string][]byte{"all": b, "a part": b[17:1234]} {
		if !outside.Mapped(part) {
			t.Errorf("%s of a mapped file is not held", name)
		}
	}
	for name, other := range map[string][]byte{"a copy": bytes.Clone(b), "nothing": b[:0], "nil": nil} {
		if outside.Mapped(other) {
			t.Errorf("%s is held", name)
		}
	}
	unmap()
	if outside.Mapped(b) {
		t.Error("an unmapped file is held")
	}
}
