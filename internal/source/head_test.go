package source

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestHead(t *testing.T) {
	text := []byte(strings.Repeat("0123456789", HeadSize/5))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"plain": text, "gzip": packed.Bytes(),
		"gzip, truncated": packed.Bytes()[:packed.Len()/2]} {
		path := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Head(t.Context(), new(data.ReadOptions), path)
		if err != nil || len(got) < 100 || len(got) > HeadSize || !bytes.HasPrefix(text, got) {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		if b, err := Head(t.Context(), new(data.ReadOptions), path); b != nil || err != nil {
			t.Errorf("%s has the head %q, %v", path, b, err)
		}
	}
	if Unpack([]byte("\x1f\x8b"), nil) != nil {
		t.Error("there is a head of nothing")
	}
}
