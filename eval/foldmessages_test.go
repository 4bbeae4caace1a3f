package eval

import (
	"bytes"
	"encoding/gob"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// What other ranks send of folds is theirs, and complete.
func TestFoldsOfOtherRanks(t *testing.T) {
	encoded := func(folds map[int]foldTest) []byte {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(folds); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	done := foldTest{Task: data.Regression, Sample: &metric.Sample{Width: 1, Y: []float64{1}}}
	for _, c := range []struct {
		what string
		sent []byte
		want string
	}{
		{"folds 2 and 4", encoded(map[int]foldTest{1: done, 3: done}), ""},
		{"no message", []byte("x"), "the folds of rank 1: "},
		{"a fold of rank 0", encoded(map[int]foldTest{0: done}), "rank 1 has sent fold 1"},
		{"a fold behind the last", encoded(map[int]foldTest{5: done}), "rank 1 has sent fold 6"},
		{"a fold before the first", encoded(map[int]foldTest{-1: done}), "rank 1 has sent fold 0"},
		{"a fold less", encoded(map[int]foldTest{1: done}), "fold 4 is missing"},
		{"an error", encoded(map[int]foldTest{1: {Error: "fold 2 of 5: none"}}), "fold 2 of 5: none"},
	} {
		errs := rankstest.Each(2, func(g ranks.Group) error {
			if g.Rank() == 1 {
				_, err := g.Gather(t.Context(), c.sent)
				return err
			}
			folds := []foldTest{done, {}, done, {}, done}
			all, err := exchange(t.Context(), g, folds)
			if got := ""; err != nil {
				if got = err.Error(); c.want == "" || !strings.HasPrefix(got, c.want) {
					t.Errorf("%s: %v, want %q", c.what, err, c.want)
				}
			} else if c.want != "" || len(all) != 5 || all[1].Sample.Y[0] != 1 || all[3].Task != data.Regression {
				t.Errorf("%s: %+v, want %q", c.what, all, c.want)
			}
			return nil
		})
		if errs[0] != nil || errs[1] != nil {
			t.Error(errs)
		}
	}
}

// Metrics keep up to 64 MB, and up to a sixteenth of the limit, of all sets together. Predictions
// take a quarter of it at a time.
func TestMemoryOfSets(t *testing.T) {
	frame, err := data.FromColumns(data.NamedColumn{Name: "x", Values: make([]float64, 10)})
	if err != nil {
		t.Fatal(err)
	}
	ds := (&data.Dataset{Frame: frame, Target: data.Target{Task: data.Regression,
		Y: [][]float64{make([]float64, 10)}}}).InBlocks()
	for _, c := range []struct {
		limit       memory.Limit
		sets, width int
		bytes       int64
		step        int
	}{
		{1 << 20, 1, 1, 1 << 16, 1 << 14}, {1 << 20, 2, 1, 1 << 15, 1 << 13}, {1 << 20, 2, 4, 1 << 15, 1 << 11},
		{1 << 36, 1, 1, 64 << 20, 1 << 30}, {1 << 36, 64, 1, 1 << 20, 1 << 24}, {15, 1, 1, 1, 1}, {1 << 20, 0, 0, 1 << 16, 0},
	} {
		o := &SetOptions{Options: model.Options{Memory: c.limit}, Scratch: "folder"}
		if got := o.storage(c.sets); got != (metric.Storage{Bytes: c.bytes, Folder: "folder"}) {
			t.Errorf("%+v: %+v is kept", c, got)
		}
		if c.sets == 0 {
			continue
		}
		for rows, want := range map[int]int{0: 10, 3: 3} {
			var some []int32
			if rows > 0 {
				some = []int32{1, 2, 9}
			}
			made, err := newTest(&bound{like: metric.Sample{Width: c.width}}, ds, some, o, c.sets)
			if err != nil || made.step != c.step || made.rows != want || made.all != (rows == 0) {
				t.Errorf("%+v: %+v, %v, want %d rows", c, made, err, want)
			}
		}
	}
}
