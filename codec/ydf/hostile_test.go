package ydf_test

import (
	"errors"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/ydf"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// size returns the size of all files.
func size(files fstest.MapFS) int64 {
	n := int64(0)
	for _, f := range files {
		n += int64(len(f.Data))
	}
	return n
}

// small are folders of few nodes, of all kinds.
func small() map[string]fstest.MapFS {
	folders := map[string]fstest.MapFS{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		folders["random "+name] = randomFolder().Example(i).folder()
	}
	return folders
}

// with returns a folder with one file changed.
func with(files fstest.MapFS, name string, b []byte) fstest.MapFS {
	changed := maps.Clone(files)
	changed[name] = &fstest.MapFile{Data: b}
	return changed
}

// Small folders of all kinds behave when they are damaged. The tests of codec/formats damage the
// samples.
func TestDamagedFolders(t *testing.T) {
	tier.NotShort(t, "cuts and changes each sample model")
	for name, files := range small() {
		t.Run(name, func(t *testing.T) { codectest.DamageFS(t, ydf.Format(), files) })
	}
}

// A folder that decompresses to far more than the limit, in one blob or in very many nodes, is
// refused.
func TestBombs(t *testing.T) {
	w := &writer{name: "GRADIENT_BOOSTED_TREES", task: 2, loss: 2, start: []float32{0}, gzip: true,
		trees: [][]tested{{{value: 1}}}}
	files := w.folder()
	const nodes = "nodes-00000-of-00001"
	one := w.node(&tested{column: numbers, test: higher(1)})
	for name, blobs := range map[string][][]byte{
		"blob": {make([]byte, 1<<27)}, "nodes": slices.Repeat([][]byte{one}, 1<<19),
	} {
		bomb := with(files, nodes, sequence(blobs, true))
		if len(bomb[nodes].Data) > 1<<20 {
			t.Fatalf("%s: %d bytes", name, len(bomb[nodes].Data))
		}
		_, err := ydf.Format().DecodeFS(bomb, codec.Limits{})
		var limit *codec.LimitError
		if !errors.As(err, &limit) || codectest.BehavesFS(t, ydf.Format(), bomb) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// With too little memory decoding ends with the limit.
func TestLimit(t *testing.T) {
	files := read(t, "adult_binary_class_rf_nwta_small")
	for memory := int64(1); memory < 1<<20; memory *= 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ydf.Format().DecodeFS(files, codec.Limits{Memory: memory})
		runtime.ReadMemStats(&after)
		var limit *codec.LimitError
		if !errors.As(err, &limit) || limit.Limit != memory || limit.Format != ydf.Format().Name {
			t.Errorf("%d bytes: %v", memory, err)
		}
		const listing = 16 << 10 // of the names in the folder
		if used := int64(after.TotalAlloc - before.TotalAlloc); used > memory+listing {
			t.Errorf("%d bytes allocated, the limit is %d", used, memory)
		}
	}
}

// failing is a file system whose files fail after some bytes.
type failing struct {
	fs.FS
	left *int
}

var errBroken = errors.New("broken")

func (f failing) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	return failingFile{file, f.left}, err
}

type failingFile struct {
	fs.File
	left *int
}

func (f failingFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	if *f.left -= n; *f.left < 0 {
		return 0, errBroken
	}
	return n, err
}

func (f failingFile) ReadDir(n int) ([]fs.DirEntry, error) {
	return f.File.(fs.ReadDirFile).ReadDir(n)
}

// A disk that fails is not called damage.
func TestFailingReader(t *testing.T) {
	for name, files := range small() {
		for n := range int(size(files)) {
			left := n
			_, err := ydf.Format().DecodeFS(failing{files, &left}, codec.Limits{})
			if damage := (*codec.CorruptError)(nil); !errors.Is(err, errBroken) || errors.As(err, &damage) {
				t.Fatalf("%s fails after %d bytes: %v", name, n, err)
			}
		}
	}
}

// split makes a folder of bytes: the first byte selects the kind of model, and each file but the
// last begins with its length.
func split(b []byte) fstest.MapFS {
	files := fstest.MapFS{}
	if len(b) == 0 {
		return files
	}
	kind := []string{"gradient_boosted_trees_header.pb", "random_forest_header.pb"}[b[0]&1]
	b = b[1:]
	for _, name := range []string{"header.pb", "data_spec.pb", kind} {
		if len(b) < 2 {
			return files
		}
		length := min(len(b)-2, int(b[0])|int(b[1])<<8)
		files[name] = &fstest.MapFile{Data: b[2 : 2+length]}
		b = b[2+length:]
	}
	files["nodes-00000-of-00001"] = &fstest.MapFile{Data: b}
	return files
}

// join is the way back from split, for folders with one file of nodes.
func join(files fstest.MapFS) []byte {
	b := []byte{0}
	for _, name := range []string{"header.pb", "data_spec.pb", "gradient_boosted_trees_header.pb",
		"random_forest_header.pb"} {
		f := files[name]
		if f == nil {
			continue
		}
		if strings.HasPrefix(name, "random") {
			b[0] = 1
		}
		b = append(append(b, byte(len(f.Data)), byte(len(f.Data)>>8)), f.Data...)
	}
	return append(b, files["nodes-00000-of-00001"].Data...)
}

func FuzzFolder(f *testing.F) {
	for i := range 40 {
		w := randomFolder().Example(i)
		w.prefix, w.shards = "", 1
		f.Add(join(w.folder()))
	}
	f.Fuzz(func(t *testing.T, b []byte) { codectest.BehavesFS(t, ydf.Format(), split(b)) })
}
