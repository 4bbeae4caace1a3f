package formats_test

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// TestDamagedSamples damages every model of testdata/models, of the readers' own testdata, and of
// the folder models of COPPICE_DATA: prefixes and mutations give an error of package codec, or a
// model that validates and predicts, within the limit of memory. COPPICE_MUTANTS is the number of
// mutations of each, as codectest.Damage describes. Small files come first.
func TestDamagedSamples(t *testing.T) {
	tier.NotShort(t, "cuts and changes each sample model")
	roots, err := filepath.Glob("../*/testdata")
	if err != nil {
		t.Fatal(err)
	}
	roots = append(roots, "../../testdata/models")
	if shared := os.Getenv("COPPICE_DATA"); shared != "" {
		roots = append(roots, filepath.Join(shared, "models"))
	}
	var all []sample
	seen, found := map[[32]byte]bool{}, map[string]int{}
	for _, root := range roots {
		for _, s := range samples(t, root) {
			if sum := s.sum(); !seen[sum] {
				seen[sum] = true
				found[s.format.Name]++
				all = append(all, s)
			}
		}
	}
	if len(found) < 6 {
		t.Errorf("samples of the formats %v", found)
	}
	slices.SortStableFunc(all, func(a, b sample) int { return a.size() - b.size() })
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			if s.format.DecodeFS != nil {
				codectest.DamageFS(t, s.format, s.files)
			} else {
				codectest.Damage(t, s.format, s.files["."].Data)
			}
		})
	}
}

// sample is a model file, as the one called ".", or a folder with a model.
type sample struct {
	name   string
	format codec.Format
	files  fstest.MapFS
}

func (s *sample) size() int {
	n := 0
	for _, f := range s.files {
		n += len(f.Data)
	}
	return n
}

// sum distinguishes samples, some of which are in several folders.
func (s *sample) sum() [32]byte {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		all = append(append(append(all, name...), 0), s.files[name].Data...)
	}
	return sha256.Sum256(all)
}

// samples returns the models in a folder and those in it.
func samples(t *testing.T, root string) []sample {
	var all []sample
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "fuzz" || d.Name() == "rapid") {
			return fs.SkipDir // inputs that failed once, which other tests read
		}
		_, format, err := formats.Open(path, codec.Limits{})
		if err != nil {
			return nil // rows and predictions; each reader's tests name the models that it reads
		}
		name, err := filepath.Rel(filepath.Dir(filepath.Dir(root)), path)
		if err != nil {
			return err
		}
		all = append(all, sample{name, *format, contents(t, path, d.IsDir())})
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// contents returns a file as ".", or the files of a folder by their names.
func contents(t *testing.T, path string, isFolder bool) fstest.MapFS {
	files := fstest.MapFS{}
	names := []string{"."}
	if isFolder {
		names = nil
		entries, err := os.ReadDir(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
	return files
}
