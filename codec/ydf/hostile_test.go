package ydf_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/ydf"
	"github.com/coppice-ml/coppice/model"
)

var thorough = flag.Int("thorough", 1, "how many times as many prefixes and mutations to try")

// What is tried of each folder, times thorough. Small folders are tried with every prefix.
const (
	mutations      = 300
	largeMutations = 15
	largePrefixes  = 25 // of each file
)

// large reports whether a folder takes more than a moment to read.
func large(files fstest.MapFS) bool { return size(files) > 1<<16 }

// size returns the size of all files.
func size(files fstest.MapFS) int64 {
	n := int64(0)
	for _, f := range files {
		n += int64(len(f.Data))
	}
	return n
}

// behaves decodes a folder that may be damaged: the result is an error of package codec, or a model
// that is valid and reaches the leaves of its reference. Memory is bounded. It reports whether
// there is a model.
func behaves(t testing.TB, files fstest.MapFS) bool {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := ydf.DecodeFS(files, codec.Limits{})
	runtime.ReadMemStats(&after)
	if used, limit := int64(after.TotalAlloc-before.TotalAlloc),
		(codec.Limits{}).MemoryFor(size(files)); used > limit {
		t.Fatalf("%d bytes allocated, the limit is %d", used, limit)
	}
	if err != nil {
		var (
			corrupt     *codec.CorruptError
			unsupported *codec.UnsupportedError
			limit       *codec.LimitError
		)
		if m != nil || !errors.As(err, &unsupported) && !errors.As(err, &limit) &&
			!(errors.As(err, &corrupt) && corrupt.Section != "" && corrupt.Offset >= 0) {
			t.Fatalf("a model %v, error of type %T: %v", m, err, err)
		}
		return false
	}
	e := m.(*model.Ensemble)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	ref, err := ydf.ReferenceFS(files, codec.Limits{})
	if err != nil {
		t.Fatalf("a model, and a reference with the error %v", err)
	}
	want := make([]int32, ref.Trees())
	for _, x := range []float64{math.NaN(), 0, 1, -1, 1e300} {
		row := make([]float64, len(e.Meta.Schema.Fields))
		for k := range row {
			levels := e.Meta.Schema.Fields[k].Levels
			if row[k] = x; levels != nil && x >= float64(len(levels)) {
				row[k] = -1
			}
		}
		ref.Leaves(want, row)
		ref.Response(make([]float64, ref.Outputs()), row)
		for k, got := range leaves(t, e, row) {
			if got != float64(want[k]) {
				t.Fatalf("%v ends in leaf %v of tree %d, by the reference in %d", x, got, k, want[k])
			}
		}
	}
	return true
}

// small are folders of few nodes, of all kinds.
func small() map[string]fstest.MapFS {
	folders := map[string]fstest.MapFS{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		folders["random "+name] = randomFolder().Example(i).folder()
	}
	return folders
}

// all are those, and the samples.
func all(t testing.TB) map[string]fstest.MapFS {
	folders := small()
	for _, s := range samples {
		folders[s.model] = read(t, s.model)
	}
	return folders
}

// with returns a folder with one file changed.
func with(files fstest.MapFS, name string, b []byte) fstest.MapFS {
	changed := maps.Clone(files)
	changed[name] = &fstest.MapFile{Data: b}
	return changed
}

// names returns the names of the files, in their order.
func names(files fstest.MapFS) []string { return slices.Sorted(maps.Keys(files)) }

// Every prefix of a file of small folders behaves, and so do some of the samples.
func TestPrefixes(t *testing.T) {
	for folder, files := range all(t) {
		t.Run(folder, func(t *testing.T) {
			for _, name := range names(files) {
				b := files[name].Data
				step := 1
				if large(files) {
					step = 1 + len(b)/(largePrefixes**thorough)
				}
				for n := 0; n < len(b); n += step {
					behaves(t, with(files, name, b[:n]))
				}
			}
		})
	}
}

// Random changes of a file behave.
func TestMutations(t *testing.T) {
	for folder, files := range all(t) {
		t.Run(folder, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(size(files))))
			models, count := 0, mutations**thorough
			if large(files) {
				count = largeMutations * *thorough
			}
			for range count {
				name := names(files)[r.IntN(len(files))]
				if strings.HasSuffix(name, "done") {
					continue
				}
				if behaves(t, with(files, name, mutated(r, files[name].Data))) {
					models++
				}
			}
			t.Logf("%d of %d mutations are models", models, count)
		})
	}
}

// mutated returns a copy of a file with some bytes changed, inserted or taken away.
func mutated(r *rand.Rand, file []byte) []byte {
	b := bytes.Clone(file)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		at := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		case 2:
			b[at] = byte(r.Uint32())
		case 3:
			b = slices.Delete(b, at, min(len(b), at+1+r.IntN(8)))
		default:
			from := r.IntN(len(b))
			b = slices.Insert(b, at, bytes.Clone(b[from:min(len(b), from+1+r.IntN(20))])...)
		}
	}
	return b
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
		"blob": {make([]byte, 1<<26)}, "nodes": slices.Repeat([][]byte{one}, 1<<19),
	} {
		bomb := with(files, nodes, sequence(blobs, true))
		if len(bomb[nodes].Data) > 1<<20 {
			t.Fatalf("%s: %d bytes", name, len(bomb[nodes].Data))
		}
		_, err := ydf.DecodeFS(bomb, codec.Limits{})
		var limit *codec.LimitError
		if !errors.As(err, &limit) || behaves(t, bomb) {
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
		_, err := ydf.DecodeFS(files, codec.Limits{Memory: memory})
		runtime.ReadMemStats(&after)
		var limit *codec.LimitError
		if !errors.As(err, &limit) || limit.Limit != memory || limit.Format != ydf.Name {
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
			_, err := ydf.DecodeFS(failing{files, &left}, codec.Limits{})
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
	f.Fuzz(func(t *testing.T, b []byte) { behaves(t, split(b)) })
}
