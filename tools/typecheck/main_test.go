package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A constant that overflows int is a fault on 386 alone.
func TestCheckFindsFaultsOfOneTarget(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.org/m\n\ngo 1.26\n",
		"m.go":         "package m\n\nvar X int = 1 << 40\n",
		"m_windows.go": "package m\n\nvar Y string = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]string{
		"linux/amd64": "", "linux/386": "(overflows)", "windows/amd64": "m_windows.go:3", "linux": "want OS",
	} {
		n, err := check(folder, target)
		switch {
		case want == "" && (err != nil || n != 1):
			t.Errorf("%s: %d packages, error %v", target, n, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want %s", target, err, want)
		}
	}
}
