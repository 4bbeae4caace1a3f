package encode_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// inBlocks is a frame that is read in blocks of some rows, and fails behind some blocks.
type inBlocks struct {
	*data.Frame
	rows int
	good int // blocks that are read in all; negative = all
}

var errUnread = errors.New("cannot read")

func (s *inBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		all := data.AllRows(s.Rows())
		for first := 0; first < s.Rows(); first += s.rows {
			if s.good--; s.good == -1 {
				yield(data.RowBlock{}, errUnread)
				return
			}
			rows := all[first:min(first+s.rows, s.Rows())]
			if !yield(data.RowBlock{Frame: s.Subset(rows), First: first}, nil) {
				return
			}
		}
	}
}

// read reads all blocks.
func read(s data.RowSource) error {
	for _, err := range s.Blocks(context.Background()) {
		if err != nil {
			return err
		}
	}
	return nil
}

func scratchFile(t testing.TB) *scratch.File {
	f, err := scratch.Create("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Categories that are stored give the columns of those in memory, whatever the blocks.
func TestStoredAreAsInMemory(t *testing.T) {
	file := scratchFile(t)
	rapid.Check(t, func(t *rapid.T) {
		f, target := problem(t)
		rows := rapid.SliceOfN(rapid.Int32Range(0, int32(f.Rows()-1)), 1, 50).Draw(t, "training")
		s := encode.Store(&inBlocks{f, rapid.IntRange(1, 50).Draw(t, "block"), -1}, file, 2)
		if err := read(s); err != nil {
			t.Fatal(err)
		}
		o := defaults(func(o *encode.Options) { o.Levels = 1 })
		want, err := derive(t.Context(), encode.InMemory(f), rows, target, o, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := derive(t.Context(), s, rows, target, o, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// Codes of every width are read as they were written.
func TestStoredCodes(t *testing.T) {
	for _, levels := range []int{3, 253, 254, 255, 65533, 65534, 70000} {
		field := data.Field{Name: "c", Kind: data.Categorical, Levels: make([]string, levels)}
		for i := range field.Levels {
			field.Levels[i] = fmt.Sprint(i)
		}
		want := []uint32{uint32(levels - 1), 0, data.MissingCode, data.UnseenCode, uint32(levels / 2)}
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, field}},
			[]data.Column{data.Numbers(make([]float64, len(want))), data.Codes(want)})
		if err != nil {
			t.Fatal(err)
		}
		s := encode.Store(&inBlocks{f, 2, -1}, scratchFile(t), 1)
		if err := read(s); err != nil {
			t.Fatal(err)
		}
		var got []uint32
		err = s.Codes(t.Context(), []int32{1}, func(first int, codes [][]uint32) {
			if first != len(got) {
				t.Errorf("a block from row %d on, want %d", first, len(got))
			}
			got = append(got, codes[0]...)
		})
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%d levels: %v\n%s", levels, err, d)
		}
	}
}

// A table that was not read to its end, and a file that cannot be read, are errors.
func TestStoredFails(t *testing.T) {
	f, target := interaction(50)
	file := scratchFile(t)
	s := encode.Store(&inBlocks{f, 20, 1}, file, 1)
	if err := read(s); err != errUnread {
		t.Error(err)
	}
	_, err := encode.Begin(t.Context(), s, nil, target, defaults(), 1, 1)
	if err == nil || !strings.Contains(err.Error(), "were not stored") {
		t.Error(err)
	}
	s = encode.Store(&inBlocks{f, 20, -1}, file, 1)
	if err := read(s); err != nil {
		t.Fatal(err)
	}
	d, err := encode.Begin(t.Context(), s, nil, target, defaults(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	_, err = d.Derive(t.Context(), func(int, []int, []float64) {})
	if err == nil || !strings.Contains(err.Error(), "cannot read the scratch file") {
		t.Error(err)
	}
}
