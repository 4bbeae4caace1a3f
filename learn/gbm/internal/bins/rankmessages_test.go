package bins

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// The split points of a column come as they were sent, what follows them stays, and a message that
// is cut off is refused.
func TestMessagesOfSplitPoints(t *testing.T) {
	message := func(mark uint64, points ...float64) (b []byte) {
		b = binary.LittleEndian.AppendUint64(b, mark)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(points)))
		for _, v := range points {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	for mark, want := range map[uint64]bool{fewValues: false, manyValues: true} {
		whole, many, c := message(mark, 1, -2.5, 7), !want, Column{}
		rest, err := c.receive(append(slices.Clone(whole), "rest"...), &many)
		if err != nil || string(rest) != "rest" || many != want || c.Values != 4 ||
			!slices.Equal(c.SplitPoints, []float64{1, -2.5, 7}) {
			t.Errorf("%+v, %q, many %v, %v", c, rest, many, err)
		}
		if rest, err = c.receive(whole, &many); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
		for n := range whole {
			if _, err := c.receive(whole[:n], &many); !errors.Is(err, errShort) {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	}
	if _, err := new(Column).receive(message(failedFit), new(bool)); !errors.Is(err, errOtherFailed) {
		t.Errorf("error %v", err)
	}
}

// Codes of other processes come some rows at a time, and are refused if they are of fewer.
func TestCodesOfOtherRanks(t *testing.T) {
	const size, rows = 200_000, 1500 // pieces of 1024 rows
	for _, wide := range []bool{false, true} {
		bytes := 1
		if wide {
			bytes = 2
		}
		for fault, want := range map[int]string{-1: "", 0: "rank 1 sent 3 bytes of codes of 1024 rows",
			1: "rank 1 sent 3 bytes of codes of 476 rows"} {
			first, second := newCodes(rows, wide), newCodes(rows, wide)
			calls := 0
			gather := func(_ context.Context, own []byte) ([][]byte, error) {
				n := []int{1024, 476}[calls]
				if len(own) != n*bytes {
					t.Errorf("%d bytes are sent of %d rows", len(own), n)
				}
				sent := slices.Repeat([]byte{byte(calls + 1), 0}[:bytes], n)
				if calls == fault {
					sent = sent[:3]
				}
				calls++
				return [][]byte{own, sent, {1, 2, 3}}, nil
			}
			s := &Share{Size: size, Gather: gather}
			err := s.codes(t.Context(), []*Codes{&first, &second}, rows)
			if got := fmt.Sprint(err); err == nil && (want != "" || calls != 2) || err != nil && got != want {
				t.Errorf("%v after %d calls, want %q", err, calls, want)
			}
			if err == nil && (second.At(0) != 1 || second.At(1023) != 1 || second.At(1024) != 2 || second.At(rows-1) != 2) {
				t.Errorf("wide %v: other codes", wide)
			}
		}
	}
	for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 2, 4: 2} { // columns, and messages of two processes
		calls := 0
		two := &Share{Size: 2, Gather: func(_ context.Context, own []byte) ([][]byte, error) {
			calls++
			return [][]byte{own, make([]byte, 5)}, nil
		}}
		var of []*Codes
		for range n {
			made := newCodes(5, false)
			of = append(of, &made)
		}
		if err := two.codes(t.Context(), of, 5); err != nil || calls != want {
			t.Errorf("%d columns take %d messages, want %d, %v", n, calls, want, err)
		}
	}
	lost := errors.New("lost")
	s := &Share{Size: 2, Gather: func(context.Context, []byte) ([][]byte, error) { return nil, lost }}
	codes := newCodes(5, false)
	if err := s.codes(t.Context(), []*Codes{&codes}, 5); err != lost {
		t.Errorf("error %v", err)
	}
	if err := (*Share)(nil).codes(t.Context(), []*Codes{&codes}, 5); err != nil {
		t.Errorf("one process: %v", err)
	}
}

// failingBlocks is a table of which reading some block fails, counted over all passes.
type failingBlocks struct {
	*inBlocks
	left int
}

func (s *failingBlocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for b, err := range s.inBlocks.Blocks(ctx) {
			if s.left--; s.left < 0 {
				b, err = data.RowBlock{}, errRead
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// Whichever block cannot be read, and whichever message is lost, its error is returned.
func TestFailuresOfStoredBins(t *testing.T) {
	f := variedFrame(t, 300, 5)
	lost := errors.New("lost")
	// prepare fails at a block or a message, counted from 0, and reports whether it did not
	prepare := func(block, message int, ranks bool) error {
		var own *Own
		if ranks {
			own = &Own{From: 0, To: 300, Gather: func(_ context.Context, own []byte) ([][]byte, error) {
				if message--; message < 0 {
					return nil, lost
				}
				return [][]byte{own}, nil
			}}
		}
		from := &failingBlocks{&inBlocks{f, 100, -1}, block}
		fitted, err := FitStored(t.Context(), from, Rows{}, Options{Bins: 20, BlockRows: 50}, 2, own)
		if err != nil {
			return err
		}
		w, err := fitted.Writer([][]int32{nil, {1, 2, 250}}, nil, 1, nil, scratchFile(t))
		if err != nil {
			return err
		}
		if err := w.Column(0, f.Columns[1].Numbers()); err != nil {
			return err
		}
		_, err = w.Matrices(t.Context())
		return err
	}
	const all = 1 << 20
	for _, ranks := range []bool{false, true} {
		blocks := 0
		for ; ; blocks++ {
			err := prepare(blocks, all, ranks)
			if err == nil {
				break
			}
			if !errors.Is(err, errRead) {
				t.Errorf("block %d: %v", blocks, err)
			}
		}
		if blocks != 6 { // three blocks in two passes
			t.Errorf("%d blocks were read", blocks)
		}
	}
	for block := range 3 { // which are read while bins are fitted
		for _, own := range []*Own{nil, {From: 0, To: 300}} {
			from := &failingBlocks{&inBlocks{f, 100, -1}, block}
			if _, err := FitStored(t.Context(), from, Rows{}, Options{Bins: 20}, 2, own); !errors.Is(err, errRead) {
				t.Errorf("block %d: %v", block, err)
			}
		}
	}
	messages := 0
	for ; ; messages++ {
		err := prepare(all, messages, true)
		if err == nil {
			break
		}
		if !errors.Is(err, lost) {
			t.Errorf("message %d: %v", messages, err)
		}
	}
	if want := len(f.Columns) + 2; messages != want { // a survey of each column, sums of each set
		t.Errorf("%d messages, want %d", messages, want)
	}
}
