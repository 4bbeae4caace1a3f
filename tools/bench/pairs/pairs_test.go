//go:build linux

package pairs

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestWithEarlier(t *testing.T) {
	sides := []Side{{Name: "ours", Command: []string{"new", "-child", "fit"}},
		{Name: "peer", Command: []string{"python", "fit"}}}
	want := []Side{sides[0], {Name: "ours, earlier build", Command: []string{"old", "-child", "fit"}}, sides[1]}
	if got := WithEarlier(sides, "new", "old"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := WithEarlier(sides, "new", ""); !reflect.DeepEqual(got, sides) {
		t.Errorf("without an earlier build: %v", got)
	}
}

func TestLibrary(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "lightgbm", "lib", "lib_lightgbm.so")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Dir(file), filepath.Dir(filepath.Dir(file)),
		folder} {
		if got := Library(path, "lib_lightgbm.so"); got != file {
			t.Errorf("%s: found %q", path, got)
		}
	}
	for _, path := range []string{"", filepath.Join(folder, "no")} {
		if got := Library(path, "lib_lightgbm.so"); got != "" {
			t.Errorf("%q: found %q", path, got)
		}
	}
}
