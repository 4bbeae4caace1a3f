package parquetdata_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestMutants reads damaged files: those of testdata and those of encodings. None may panic, hang,
// or allocate far more memory than the limit. COPPICE_MUTANTS is how many; the nightly run reads
// 100,000 of them under a limit of the address space.
func TestMutants(t *testing.T) {
	found := encodings(t)
	add(t, found, filepath.Join("testdata", "*.parquet"))
	for name, b := range found {
		found[name] = unchecked(t, b)
		if _, err := parquetdata.Open(data.ReadOptions{Bytes: map[string][]byte{name: found[name]}}, name).Frame(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	readMutants(t, found)
}

// TestMutantsOfOthers does so with files that other programs wrote.
func TestMutantsOfOthers(t *testing.T) {
	found := map[string][]byte{}
	for _, folder := range []string{"formats/parquet-testing", "formats/parquet-r"} {
		add(t, found, filepath.Join(tabletest.Shared(t, folder), "*.parquet"))
	}
	readMutants(t, found)
}

func readMutants(t *testing.T, files map[string][]byte) {
	t.Helper()
	n := 500
	if text := os.Getenv("COPPICE_MUTANTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var samples [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		samples = append(samples, files[name])
	}
	r := rng.New(20)
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	var most, read, refused uint64
	var slowest time.Duration
	for i := range n {
		b := mutant(r, samples)
		metrics.Read(allocated)
		before, start := allocated[0].Value.Uint64(), time.Now()
		_, err := parquetdata.Open(data.ReadOptions{Memory: 512 << 20, Bytes: map[string][]byte{"t": b}}, "t").Frame(t.Context())
		slowest = max(slowest, time.Since(start))
		metrics.Read(allocated)
		got := allocated[0].Value.Uint64() - before
		if most = max(most, got); got > 2<<30 {
			t.Errorf("mutant %d: %d bytes were allocated to read %d: %v", i, got, len(b), err)
		}
		if tabletest.CheckError(t, err); err == nil {
			read++
		} else {
			refused++
		}
		if t.Failed() {
			name := filepath.Join(os.TempDir(), "mutant-"+strconv.Itoa(i)+".parquet")
			t.Fatalf("mutant %d: %v (written to %s: %v)", i, err, name,
				os.WriteFile(name, b, 0o600))
		}
	}
	t.Logf("%d mutants of %d files: %d refused, %d read, at most %d MB allocated, at most %v", n,
		len(samples), refused, read, most>>20, slowest.Round(time.Millisecond))
}

// add adds the files of a pattern, but for large ones, in which damage rarely meets what matters.
func add(t testing.TB, files map[string][]byte, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) <= 200<<10 {
			files[path] = b
		}
	}
}

// mutant returns a file with a few changes, many of which lie near its end, where the footer is.
func mutant(r *rng.Stream, samples [][]byte) []byte {
	b := bytes.Clone(samples[r.Intn(len(samples))])
	for range 1 + r.Intn(4) {
		if len(b) < 16 {
			break
		}
		at := r.Intn(len(b) - 8)
		if r.Intn(3) == 0 {
			at = max(len(b)-16-r.Intn(700), 0)
		}
		size := 1 + r.Intn(min(40, len(b)-at))
		switch r.Intn(8) {
		case 0, 1:
			b[at] ^= 1 << r.Intn(8)
		case 2:
			b[at] = []byte{0, 1, 0x7f, 0x80, 0xff, 0xfe, byte(r.Intn(256))}[r.Intn(7)]
		case 3:
			binary.LittleEndian.PutUint32(b[at:],
				[]uint32{0, 1<<31 - 1, 1<<32 - 1, 1 << 20, uint32(r.Uint64())}[r.Intn(5)])
		case 4:
			b = slices.Delete(b, at, at+size)
		case 5:
			b = slices.Insert(b, at, b[at:at+size]...)
		case 6:
			from := samples[r.Intn(len(samples))]
			copy(b[at:at+size], from[r.Intn(len(from)):])
		case 7: // a long varint, as of a count
			copy(b[at:], binary.AppendUvarint(nil, r.Uint64()>>(20+r.Intn(40))))
		}
	}
	return b
}
