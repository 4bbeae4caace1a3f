//go:build unix

package csvdata

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice/data/tabletest"
)

// A pipe cannot be opened twice, but a late text needs its first rows again.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	sent := make(chan error, 1)
	go func() { sent <- os.WriteFile(path, []byte("x\n1\n2\nlate\n"), 0o600) }()
	f, err := Open(Options{}, path).Frame(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if got := tabletest.Render(f); got != "x 1 2 late {1|2|late}\n" {
		t.Errorf("got %s", got)
	}
}
