package libsvm_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/memory"
)

// Features take memory of their own, whatever few bytes name them: too many are refused while they
// are read.
func TestManyFeatures(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "1 %d:1\n", i*500_009) // below 2^31
	}
	for limit, fits := range map[memory.Limit]bool{1 << 20: false, 8 << 20: true} {
		f, err := libsvm.Open(data.ReadOptions{Memory: limit, Bytes: map[string][]byte{"t.svm": []byte(b.String())}}, "t.svm").Frame(t.Context())
		if fits {
			if err != nil || len(f.Columns) != 4001 {
				t.Errorf("limit %d: %v", limit, err)
			}
			continue
		}
		if !errors.Is(err, data.ErrLimit) || !errors.Is(err, memory.ErrLimit) ||
			!strings.Contains(err.Error(), ": the table needs 1") {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// MaxValues counts what is stored: the labels, and the values that rows name.
func TestMaxValues(t *testing.T) {
	text := []byte("1 1:1\n2 2:1 3:0\n3\n4\n5 4:1\n")
	for limit, fits := range map[int]bool{7: false, 8: true} {
		_, err := libsvm.Open(data.ReadOptions{MaxValues: limit, Bytes: map[string][]byte{"t.svm": text}}, "t.svm").Frame(t.Context())
		if fits != (err == nil) || err != nil && !errors.Is(err, data.ErrLimit) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// sparseText makes rows of 50 values each, in 10,000 features.
func sparseText(rows int) []byte {
	const width, each = 10_000, 50
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for range rows {
		index := make([]int, 0, each)
		for len(index) < each {
			if k := 1 + r.IntN(width); !slices.Contains(index, k) {
				index = append(index, k)
			}
		}
		slices.Sort(index)
		b = strconv.AppendInt(b, int64(r.IntN(2)), 10)
		for _, k := range index {
			b = append(b, ' ')
			b = strconv.AppendInt(b, int64(k), 10)
			b = append(b, ':')
			b = strconv.AppendFloat(b, float64(r.IntN(1000))/100+0.01, 'g', -1, 64)
		}
		b = append(b, '\n')
	}
	return b
}

// A table takes memory in proportion to its file, not to rows x columns: here 1.6 GB.
func TestMemoryOfSparseTable(t *testing.T) {
	text := sparseText(20_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := libsvm.Open(data.ReadOptions{Bytes: map[string][]byte{"t.svm": text}}, "t.svm").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*uint64(len(text)) {
		t.Errorf("%d bytes were allocated to read %d", used, len(text))
	}
	if len(f.Columns) != 10_001 {
		t.Fatalf("%d columns", len(f.Columns))
	}
	stored := 0
	for i := range f.Columns[1:] {
		row, _, _, sparse := f.Columns[1+i].Stored()
		if stored += len(row); !sparse {
			t.Fatalf("column %d is dense", 1+i)
		}
	}
	if stored != 1_000_000 {
		t.Errorf("%d stored values", stored)
	}
}

// A feature that a quarter of the rows or less name is sparse, and it has the same values as a
// dense one.
func TestStorage(t *testing.T) {
	f, err := libsvm.Open(data.ReadOptions{Bytes: map[string][]byte{"t.svm": []byte("1 1:1 2:1 3:0\n2 2:7 3:0\n3 3:0\n4 3:0\n")}}, "t.svm").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"label": false, "f1": true, "f2": false, "f3": true} {
		if _, _, _, sparse := f.Columns[f.Schema.Index(name)].Stored(); sparse != want {
			t.Errorf("%s: sparse is %v", name, sparse)
		}
	}
	if !f.Columns[3].Equal(data.Numbers(make([]float64, 4))) {
		t.Errorf("f3 is %v", f.Columns[3].Numbers())
	}
}

func BenchmarkRead(b *testing.B) {
	text := sparseText(20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := libsvm.Open(data.ReadOptions{Bytes: map[string][]byte{"t.svm": text}}, "t.svm").Frame(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// What absent values mean goes with the table, so that a model of it stores that.
func TestAbsentIsStored(t *testing.T) {
	for _, absent := range []data.Absent{"", data.AbsentZero, data.AbsentMissing} {
		f, err := libsvm.Open(data.ReadOptions{Absent: absent, Bytes: map[string][]byte{"t.svm": []byte("1 1:1\n2\n3\n4\n5\n")}}, "t.svm").Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := f.Select([]int{1}).Schema.AbsentValues
		if (got == data.AbsentMissing) != (absent == data.AbsentMissing) {
			t.Errorf("absent values %q are stored as %q", absent, got)
		}
	}
	_, err := libsvm.Open(data.ReadOptions{Absent: "one", Bytes: map[string][]byte{"t.svm": []byte("1 1:1\n")}}, "t.svm").Frame(t.Context())
	want := `"one" is no meaning of absent values: want zero or missing`
	if !errors.Is(err, data.ErrOption) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
