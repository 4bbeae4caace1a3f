package hist

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// The leaves of rows take one, two or four bytes in a message, by how many leaves there are.
func TestLeavesOfRanks(t *testing.T) {
	const n = 2*block + 10
	for _, leaves := range []int{1, 256, 257, 1 << 16, 1<<16 + 1} {
		errs := rankstest.Each(2, func(g ranks.Group) error {
			x := newExchange(g, n)
			leaf := make([]int32, n)
			for r := range leaf {
				leaf[r] = -1
			}
			from, to := RankRows(n, g.Rank(), g.Size())
			for r := from; r < to; r++ {
				leaf[r] = int32(r * 37 % leaves)
			}
			exchangeLeaves(x, leaf, leaves)
			for r := range leaf {
				if leaf[r] != int32(r*37%leaves) {
					return errors.New("a row has another leaf")
				}
			}
			return x.failed()
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%d leaves: %v", leaves, err)
		}
	}
}

// told answers each message of a group of two with another one.
type told struct {
	ranks.Group
	by func(own []byte) ([][]byte, error)
}

func (told) Rank() int { return 0 }
func (told) Size() int { return 2 }

func (g told) Gather(_ context.Context, own []byte) ([][]byte, error) { return g.by(own) }

func (g told) Broadcast(_ context.Context, from int, own []byte) ([]byte, error) {
	all, err := g.by(own)
	if err != nil {
		return nil, err
	}
	return all[from], nil
}

// Messages of a size that no rank sends are errors that name the rank, and nothing is sent behind
// an error.
func TestMessagesOfOtherSizes(t *testing.T) {
	const n = 2 * block
	lost := errors.New("lost")
	for what, c := range map[string]struct {
		other []byte
		err   error
		want  string
	}{
		"right":     {make([]byte, block), nil, ""},
		"too short": {make([]byte, block-1), nil, "rank 1 sent the leaves of 4095 bytes, want 4096"},
		"too long":  {make([]byte, block+1), nil, "rank 1 sent the leaves of 4097 bytes, want 4096"},
		"lost":      {nil, lost, "lost"},
	} {
		sent := 0
		x := newExchange(told{by: func(own []byte) ([][]byte, error) {
			sent++
			return [][]byte{own, c.other}, c.err
		}}, n)
		exchangeLeaves(x, make([]int32, n), 2)
		if err := x.failed(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		} else if err != nil {
			if x.gather(nil); sent != 1 {
				t.Errorf("%s: %d messages are sent behind an error", what, sent-1)
			}
			x.parts(nil, nil)()
		}
	}
	for size, want := range map[int]string{16: "", 8: "rank 1 sent 8 bytes for 2 sums", 24: "rank 1 sent 24 bytes for 2 sums"} {
		x := newExchange(told{by: func(own []byte) ([][]byte, error) { return [][]byte{own, make([]byte, size)}, nil }}, n)
		sums := []float64{0, 0}
		x.inOrder(sums, func() { sums[0], sums[1] = 3, 4 })
		if err := x.failed(); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %q", size, err, want)
		} else if err == nil && (sums[0] != 0 || sums[1] != 0) {
			t.Errorf("sums %v, want those of the last rank", sums)
		}
	}
}

// Each leaf is under itself, but for those of a split in name, which have the rows of both.
func TestLeavesUnderOthers(t *testing.T) {
	p := many(600)
	for _, policy := range []Policy{LeafWise, Symmetric} {
		p.c.Shape = Shape{Leaves: 9, Policy: policy}
		if policy == Symmetric {
			p.c.Shape, p.c.MinLeaf = Shape{Depth: 6, Policy: policy}, 30
		}
		p.checkUnder(t)
	}
}

func (p *problem) checkUnder(t *testing.T) {
	t.Helper()
	grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1)
	if err != nil || len(grown.Leaves) < 4 {
		t.Fatal(err, grown)
	}
	for i := range grown.Leaves {
		under := grown.Under(i)
		var rows []int32
		for _, k := range under {
			rows = append(rows, grown.Leaves[k].Rows...)
		}
		slices.Sort(rows)
		basis := slices.Clone(grown.Leaves[i].Basis)
		slices.Sort(basis)
		if !slices.Equal(rows, basis) || !slices.Contains(under, int32(i)) {
			t.Errorf("leaf %d: %d rows under it, %d that its value is made of", i, len(rows), len(basis))
		}
	}
}
