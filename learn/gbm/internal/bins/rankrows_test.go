package bins

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	processes "github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// The checksum of two pieces follows from those of the pieces.
func TestSumsOfPiecesJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOf(rapid.Byte()).Draw(t, "a")
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		want := crc32.Checksum(append(append([]byte{}, a...), b...), castagnoli)
		got := joinedSum(crc32.Checksum(a, castagnoli), crc32.Checksum(b, castagnoli), uint64(len(b)))
		if got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

// A message of another rank that is cut off is an error.
func TestDamagedSurvey(t *testing.T) {
	c := surveyed{keys: []uint64{1, 2, 3}, weight: []float64{1, 2, 3}, many: true}
	whole := c.encode(nil)
	var got surveyed
	if err := got.decode(whole, 255); err != nil || len(got.keys) != 3 || !got.many {
		t.Fatalf("%v %v", got, err)
	}
	for n := range whole {
		if got.decode(whole[:n], 255) == nil {
			t.Fatalf("%d bytes of %d are taken", n, len(whole))
		}
	}
}

// Ranks that have parts of the rows, some of them none, have the bins, the checksums and the codes
// of one that has all rows.
func TestRowsOfRanks(t *testing.T) {
	const n = 900
	f := variedFrame(t, n, 9)
	derived := slices.Clone(f.Columns[2].Numbers())
	for i, x := range f.Columns[2].Numbers()[100:] { // missing values are on the first rank alone
		if x != x {
			f.Columns[2].Numbers()[100+i] = 0.5
		}
	}
	f.Columns[1].Numbers()[n-1] = math.NaN() // and on the last one alone
	var weight []float64
	for i := range n {
		weight = append(weight, float64(i%3))
	}
	rows := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%4 == 1 })
	others := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%4 != 1 })
	sets := [][]int32{rows, others}
	prepare := func(own *Own, o Options, workers int) ([]*Matrix, error) {
		fitted, err := FitStored(t.Context(), &inBlocks{f, 130, -1}, Rows{rows, weight}, o, workers, own)
		if err != nil {
			return nil, err
		}
		w, err := fitted.Writer(sets, []int{3, 2, 1}, 1, weight, scratchFile(t))
		if err != nil {
			return nil, err
		}
		if err := w.Column(0, derived); err != nil {
			return nil, err
		}
		return w.Matrices(t.Context())
	}
	for _, o := range []Options{{Bins: 40, Sample: 200, Joint: 100, Least: true}, {Bins: 500, BlockRows: 70}} {
		want, err := prepare(nil, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, ends := range [][]int{{0, n}, {0, 700, n}, {0, 200, 200, 650, n}} {
			made := [4][]*Matrix{}
			errs := rankstest.Each(len(ends)-1, func(g processes.Group) (err error) {
				own := &Own{From: ends[g.Rank()], To: ends[g.Rank()+1], Gather: g.Gather, Whole: g.Rank() == 1}
				made[g.Rank()], err = prepare(own, o, 1+g.Rank()%2)
				return err
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for rank, got := range made[:len(ends)-1] {
				for k, m := range got {
					if g, w := fmt.Sprint(m.Columns, m.Groups, m.Joints, m.Stride, m.Sums, m.Least),
						fmt.Sprint(want[k].Columns, want[k].Groups, want[k].Joints, want[k].Stride, want[k].Sums, want[k].Least); g != w {
						t.Errorf("rank %d of %v, set %d:\ngot  %s\nwant %s", rank, ends, k, g, w)
					}
					from, to := (&Own{From: ends[rank], To: ends[rank+1]}).of(sets[k])
					if m.Partial != (k == 0) || k == 0 && !slices.Equal(m.Rows, rows) || k > 0 && !slices.Equal(m.Rows, others[from:to]) {
						t.Errorf("rank %d of %v, set %d: partial %v, rows %v", rank, ends, k, m.Partial, m.Rows)
					}
					for c := range m.Columns {
						all := codesOfColumn(t, want[k], c)
						if own := codesOfColumn(t, m, c); !slices.Equal(own, all[from:to]) {
							t.Errorf("rank %d of %v, set %d, column %d: codes %v, want %v", rank, ends, k, c, own, all[from:to])
						}
					}
				}
			}
		}
	}
}

// codesOfColumn returns the codes of all rows of a matrix.
func codesOfColumn(t *testing.T, m *Matrix, c int) (codes []int) {
	t.Helper()
	err := m.Walk(t.Context(), Need{Columns: []int32{int32(c)}}, 1, func(_ int, b *Block) error {
		for r := range int32(b.Rows) {
			codes = append(codes, b.Codes[m.Columns[c].Group].At(r))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

// What other ranks found must be of the same columns and categories.
func TestSurveysOfOtherTables(t *testing.T) {
	f := variedFrame(t, 50, 1)
	survey := func(f *data.Frame) *Survey {
		s, err := NewSurvey(f.Schema.Fields, 50, false, Options{Bins: 4})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Read(t.Context(), f, nil, 0, nil, 1); err != nil {
			t.Fatal(err)
		}
		return s
	}
	fault := errors.New("no connection")
	for what, c := range map[string]struct {
		gather gatherer
		want   string
	}{
		"fewer levels": {func(_ context.Context, own []byte) ([][]byte, error) {
			c := surveyed{count: make([]uint32, 2)}
			return [][]byte{own, c.encode(nil)}, nil
		}, `column "few" has other categories on rank 1`},
		"cut off": {func(_ context.Context, own []byte) ([][]byte, error) {
			return [][]byte{own, own[:len(own)-1]}, nil
		}, `what rank 1 has found of column "few": the message is too short`},
		"more values": {func(_ context.Context, own []byte) ([][]byte, error) {
			var c surveyed
			c.distinct.reset(10)
			for i := range 9 {
				c.distinct.addTimes(float64(i), 1, 1)
			}
			return [][]byte{c.encode(nil)}, nil
		}, `what rank 0 has found of column "few": there are more values than bins`},
		"lost": {func(context.Context, []byte) ([][]byte, error) { return nil, fault }, "no connection"},
	} {
		if err := survey(f).join(t.Context(), c.gather); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	m, err := Make(t.Context(), f, nil, nil, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Sums = []uint32{1, 2, 3, 4}
	if err := m.joinSums(t.Context(), func(context.Context, []byte) ([][]byte, error) {
		return [][]byte{{}, {}}, nil
	}, 50); err == nil || err.Error() != "rank 0 has 0 columns, want 4" {
		t.Errorf("sums of no columns: %v", err)
	}
	if err := m.joinSums(t.Context(), func(context.Context, []byte) ([][]byte, error) {
		return nil, fault
	}, 50); err != fault {
		t.Errorf("lost: %v", err)
	}
}
