package draw

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func render(t *testing.T, draw Func, s sample) string {
	t.Helper()
	var b bytes.Buffer
	if err := draw(&b, s.tree, s.names, s.o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, s := range samples(t) {
		for _, f := range Formats() {
			name := filepath.Join("testdata", s.name+f.Suffix)
			got := render(t, f.Draw, s)
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s differs (run with -update if that is meant): -want +got\n%s", name, diff)
			}
		}
	}
}

// With costs a node's class is the one of least expected cost, in every format.
func TestCosts(t *testing.T) {
	s := iris(t)
	s.names.Costs = data.Costs{{0, 1, 1}, {1, 0, 1}, {1, 20, 0}}
	for _, f := range Formats() {
		var plain, costly bytes.Buffer
		if err := errors.Join(f.Draw(&plain, s.tree, iris(t).names, s.o), f.Draw(&costly, s.tree, s.names, s.o)); err != nil {
			t.Fatal(err)
		}
		if a, b := strings.Count(plain.String(), "virginica"), strings.Count(costly.String(), "virginica"); b <= a {
			t.Errorf("%s: virginica is named %d times, with costs %d times", f.Name, a, b)
		}
	}
	s.names.Costs = data.Costs{{0}}
	if err := Text(io.Discard, s.tree, s.names, s.o); err == nil {
		t.Error("costs of another number of classes are drawn")
	}
}

func TestFormatsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if f.Name == "" || f.Suffix == "" || f.About == "" || f.Draw == nil || seen[f.Name] || seen[f.Suffix] {
			t.Errorf("row %+v is incomplete or repeats another", f)
		}
		seen[f.Name], seen[f.Suffix] = true, true
	}
	if Formats()[0].Name != "text" {
		t.Errorf("the default format is %s, want text", Formats()[0].Name)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{ space int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.space -= len(p); d.space < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	good, broken := iris(t), iris(t)
	broken.tree = &tree.Tree{}
	for _, f := range Formats() {
		if err := f.Draw(&fullDisk{100}, good.tree, good.names, good.o); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk: %v", f.Name, err)
		}
		var b bytes.Buffer
		if err := f.Draw(&b, broken.tree, broken.names, broken.o); err == nil || b.Len() > 0 {
			t.Errorf("%s of a broken tree: error %v, %d bytes written", f.Name, err, b.Len())
		}
	}
}
