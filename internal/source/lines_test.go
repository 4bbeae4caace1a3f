package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// readLines returns the lines of a text that is read in blocks of the given size.
func readLines(t require, text string, block int) []string {
	s := Bytes("t", []byte(text))
	opened, err := s.OpenText(context.Background(), "text")
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	l := opened.Lines("text")
	l.buf = make([]byte, block+Padding)
	var lines []string
	for {
		line, err := l.Next()
		if err != nil {
			t.Fatal(err)
		}
		if line == nil {
			return lines
		}
		if cap(line) < len(line)+Padding {
			t.Fatalf("behind %q only %d bytes can be read", line, cap(line)-len(line))
		}
		if behind := line[:len(line)+1][len(line)]; '0' <= behind && behind <= '9' {
			t.Fatalf("a digit follows %q", line)
		}
		if lines = append(lines, string(line)); l.Number() != len(lines) {
			t.Fatalf("line %d has number %d", len(lines), l.Number())
		}
	}
}

// require is what tests and checks of properties have in common.
type require interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([0-9a]{0,9}(\r?\n){0,3}){0,9}`).Draw(t, "text")
		block := rapid.IntRange(1, 12).Draw(t, "block")
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r")
		}
		if got := readLines(t, text, block); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestBinaryText(t *testing.T) {
	s := Bytes("t", []byte("a\x00b\n"))
	text, err := s.OpenText(t.Context(), "verse")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := text.Lines("verse").Next(); !errors.Is(err, data.ErrText) ||
		err.Error() != "t:1: this is binary data, not verse" {
		t.Errorf("got %v", err)
	}
}

func TestBeside(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "a.query", "b.gz", "b.query.zst", "c.gz", "c.gz.query"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a": "a.query", "b.gz": "b.query.zst",
		"c.gz": "c.gz.query"} {
		sources, err := All(t.Context(), &data.ReadOptions{}, []string{filepath.Join(dir, name)}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := sources[0].Beside(".query"); err != nil || s == nil || s.Name != filepath.Join(dir, want) ||
			s.Size != int64(len(want)) {
			t.Errorf("%s: got %+v", name, s)
		}
		if s, err := sources[0].Beside(".weight"); s != nil || err != nil {
			t.Errorf("%s: got %+v", name, s)
		}
	}
	s := Bytes(filepath.Join(dir, "a"), nil)
	if beside, err := s.Beside(".query"); beside != nil || err != nil {
		t.Error("bytes in memory have a side file")
	}
}

func TestOpenAt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := Bytes("t", []byte("abcdef"))
	f, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 2)
	if n, err := f.ReadAt(b, 3); n != 2 || err != nil || string(b) != "de" || f.Size() != 6 {
		t.Errorf("%d, %v, %q, %d", n, err, b, f.Size())
	}
	cancel()
	if _, err := f.ReadAt(b, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
