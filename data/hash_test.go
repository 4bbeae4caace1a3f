package data_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// hashed returns a table of two columns and a label.
func hashed(numbers []float64, codes []uint32, levels []string) *data.Dataset {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "c", Kind: data.Categorical, Levels: levels}}},
		[]data.Column{data.Numbers(numbers), data.Codes(codes)})
	if err != nil {
		panic(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary,
		Class: []uint32{0, 1, 0, 1, 1}, Classes: []string{"no", "yes"}}}
}

// The hash is a contract: model files hold it.
func TestHashStays(t *testing.T) {
	ds := hashed([]float64{1, 0, -2.5, math.NaN(), math.Inf(1)},
		[]uint32{0, 1, data.MissingCode, 0, data.UnseenCode}, []string{"a", "b"})
	const want = "9176fcfbf9e469ba"
	for workers := range 4 {
		if got := ds.Hash(nil, workers).String(); got != want {
			t.Errorf("hash %s with %d workers, want %s", got, workers, want)
		}
	}
	text, err := json.Marshal(ds.Hash(nil, 1))
	var back data.Hash
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || back != ds.Hash(nil, 1) {
		t.Errorf("%s reads as %v, %v", text, back, err)
	}
	for _, bad := range []string{`""`, `"12"`, `"+000000000000000"`, `"00000000000000000"`} {
		if json.Unmarshal([]byte(bad), &back) == nil {
			t.Errorf("%s is read as a hash", bad)
		}
	}
}

// What is the same table in another form has the same hash.
func TestHashOfEqualTables(t *testing.T) {
	base := hashed([]float64{1, 0, 3, math.NaN(), 5}, []uint32{0, 1, 1, 0, 1}, []string{"a", "b"})
	want := base.Hash(nil, 1)
	other := hashed([]float64{1, math.Copysign(0, -1), 3, -math.NaN(), 5}, []uint32{2, 0, 0, 2, 0},
		[]string{"b", "unused", "a"})
	other.Target.Class, other.Target.Classes = []uint32{1, 0, 1, 0, 0}, []string{"yes", "no"}
	other.Target.Weight = []float64{1, 1, 1, 1, 1}
	if got := other.Hash(nil, 1); got != want {
		t.Errorf("hash %s of a table in other codes, want %s", got, want)
	}
	if got := base.Hash([]int32{0, 1, 2, 3, 4}, 1); got != want {
		t.Errorf("hash %s of all rows by number, want %s", got, want)
	}
	if got := base.Hash([]int32{3, 4}, 1); got == want {
		t.Error("two rows have the hash of all")
	}
}

// Each change of a table changes its hash.
func TestHashOfOtherTables(t *testing.T) {
	make5 := func() *data.Dataset {
		return hashed([]float64{1, 2, 3, 4, 5}, []uint32{0, 1, 1, 0, 1}, []string{"a", "b"})
	}
	seen := map[data.Hash]string{make5().Hash(nil, 1): "the table"}
	for name, change := range map[string]func(ds *data.Dataset){
		"value": func(ds *data.Dataset) {
			ds.Columns[0] = data.Numbers([]float64{1, 2, 3, 4, math.Nextafter(5, 6)})
		},
		"order":     func(ds *data.Dataset) { ds.Columns[0] = data.Numbers([]float64{2, 1, 3, 4, 5}) },
		"far order": func(ds *data.Dataset) { ds.Columns[0] = data.Numbers([]float64{5, 2, 3, 4, 1}) },
		"sign":      func(ds *data.Dataset) { ds.Columns[0] = data.Numbers([]float64{-1, 2, 3, 4, 5}) },
		"missing": func(ds *data.Dataset) {
			ds.Columns[0] = data.Numbers([]float64{1, math.NaN(), 3, 4, 5})
		},
		"code":       func(ds *data.Dataset) { ds.Columns[1] = data.Codes([]uint32{0, 0, 1, 0, 1}) },
		"level":      func(ds *data.Dataset) { ds.Schema.Fields[1].Levels = []string{"a", "B"} },
		"name":       func(ds *data.Dataset) { ds.Schema.Fields[0].Name = "X" },
		"class":      func(ds *data.Dataset) { ds.Target.Class[2] = 1 },
		"class name": func(ds *data.Dataset) { ds.Target.Classes = []string{"no", "Yes"} },
		"label":      func(ds *data.Dataset) { ds.Target.Name = "z" },
		"weight":     func(ds *data.Dataset) { ds.Target.Weight = []float64{1, 1, 2, 1, 1} },
		"offset":     func(ds *data.Dataset) { ds.Target.Offset = []float64{0, 0, 0, 0, 1} },
		"wide offset": func(ds *data.Dataset) {
			ds.Target.Offset = []float64{0, 0, 0, 0, 1, 0, 0, 0, 0, 0}
		},
		"group": func(ds *data.Dataset) { ds.Target.Group = []int64{1, 1, 2, 2, 2} },
		"time":  func(ds *data.Dataset) { ds.Target.Time = []int64{1, 1, 2, 2, 2} },
		"event": func(ds *data.Dataset) { ds.Target.Event = []uint8{1, 0, 1, 1, 1} },
		"upper": func(ds *data.Dataset) { ds.Target.Upper = []float64{1, 2, 3, 4, 5} },
		"number": func(ds *data.Dataset) {
			ds.Target.Class, ds.Target.Y = nil, [][]float64{{0, 1, 0, 1, 1}}
		},
	} {
		ds := make5()
		change(ds)
		h := ds.Hash(nil, 1)
		if other, known := seen[h]; known {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

func BenchmarkHash(b *testing.B) {
	values := make([]float64, 1<<20)
	for i := range values {
		values[i] = float64(i) * 0.37
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers(values)})
	if err != nil {
		b.Fatal(err)
	}
	ds := &data.Dataset{Frame: f}
	for b.Loop() {
		ds.Hash(nil, 1)
	}
}
