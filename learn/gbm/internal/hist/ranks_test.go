package hist

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// onRanks calls f as each rank of a group, and returns what the ranks return.
func onRanks(t *testing.T, n int, f func(g ranks.Group) (string, error)) []string {
	t.Helper()
	made := make([]string, n)
	errs := rankstest.Each(n, func(g ranks.Group) (err error) {
		made[g.Rank()], err = f(g)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return made
}

// rankRows are nine blocks of derivatives: of four ranks each has two or three.
const rankRows = 8*block + 3000

// Trees do not depend on how many ranks grow them, to the last bit: neither their splits and
// statistics, nor the rows and values of their leaves, nor the scores of rows.
func TestRanksGrowTheSameTrees(t *testing.T) {
	rankRows := tier.Count(2*block+300, rankRows, rankRows) // three blocks, of which two ranks have some
	s := rng.New(21)
	f := withSparse(t, mixed(t, rankRows, 7, s), 3, s)
	several := slices.DeleteFunc(data.AllRows(rankRows),
		func(r int32) bool { return r%3 == 1 || r > 900 && int(r) < rankRows/3 })
	for _, c := range []struct {
		name    string
		options bins.Options
		config  Config
		tails   bool
	}{
		{"by leaf", bins.Options{Bundle: true, Joint: 200}, Config{Shape: Shape{Leaves: 40}}, false},
		{"listed, few rows counted", bins.Options{List: true},
			Config{Shape: Shape{Leaves: 60, Policy: DepthWise},
				Regularization: Regularization{MinLeaf: 20}}, false},
		{"by level", bins.Options{Bundle: true},
			Config{Shape: Shape{Depth: 5, Policy: Symmetric},
				Regularization: Regularization{MinLeaf: 30}}, false},
		{"pairs", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 30}, Double: true}, true},
		{"pairs by level", bins.Options{},
			Config{Shape: Shape{Depth: 4, Policy: Symmetric}, Double: true}, true},
		{"sampled columns", bins.Options{Joint: 200, Unpacked: true},
			Config{Shape: Shape{Leaves: 30}, Columns: Columns{ColumnsByTree: 0.5}}, false},
		{"LightGBM", bins.Options{}, Config{Shape: Shape{Leaves: 30},
			Regularization: Regularization{MinLeaf: 20},
			Compatibility:  Compatibility{Conventions: LightGBM}}, false},
		{"many small leaves", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 250},
			Regularization: Regularization{MinLeaf: 60}}, false},
		{"pruned", bins.Options{}, Config{Shape: Shape{Depth: 6, Policy: DepthWise},
			Regularization: Regularization{Gamma: 2, GammaBottom: true}}, false},
	} {
		m, err := bins.Make(t.Context(), f, nil, nil, c.options, 1)
		if err != nil {
			t.Fatal(err)
		}
		g, h := derivatives(rankRows, c.tails, s)
		if c.config.Unseen = true; c.options.Joint > 0 {
			c.config.Weight = h
		}
		for _, rows := range [][]int32{nil, several} {
			want, err := treesOf(NewGrower(m, c.config), g, h, rows)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{2, 4}[:tier.Count(1, 2, 2)] {
				for rank, got := range onRanks(t, n, func(g0 ranks.Group) (string, error) {
					own := c.config
					own.Ranks, own.Workers = g0, 1+n%2
					return treesOf(NewGrower(m, own), g, h, rows)
				}) {
					if got != want {
						t.Fatalf("%s, rank %d of %d, %d rows:\ngot  %.2000s\nwant %.2000s", c.name,
							rank, n, len(rows), got, want)
					}
				}
			}
		}
	}
}

// All rows get the value of a tree whose root is its only leaf.
func TestRanksGrowTreesOfOneLeaf(t *testing.T) {
	m, g, h := rankTable(t, 3, 1)
	c := Config{Shape: Shape{Leaves: 9}, Regularization: Regularization{MinLeaf: rankRows}}
	want, err := treesOf(NewGrower(m, c), g, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	for rank, got := range onRanks(t, 2, func(of ranks.Group) (string, error) {
		own := c
		own.Ranks = of
		return treesOf(NewGrower(m, own), g, h, nil)
	}) {
		if got != want {
			t.Fatalf("rank %d:\ngot  %s\nwant %s", rank, got, want)
		}
	}
}

// sumsOfParts counts the messages that add up histograms.
type sumsOfParts struct {
	ranks.Group
	n int
}

func (s *sumsOfParts) SumParts(ctx context.Context, x []int64, sizes []int) func() error {
	s.n++
	return s.Group.SumParts(ctx, x, sizes)
}

// The leaves of a tree that gain as much as the splits of the tree before are tried together, those
// below leaves that are not split yet too. So the second of two equal trees needs a message a level
// and few more.
func TestRanksTryLeavesOfALevelTogether(t *testing.T) {
	m, g, h := rankTable(t, 5, 5)
	onRanks(t, 2, func(of ranks.Group) (string, error) {
		count := &sumsOfParts{Group: of}
		r := NewGrower(m, Config{Shape: Shape{Leaves: 60}, Ranks: count, Workers: 1})
		var messages []int
		levels := 0
		for range 2 {
			count.n = 0
			grown, err := r.Grow(t.Context(), g, h, nil, 1)
			if err != nil {
				return "", err
			}
			messages = append(messages, count.n)
			for _, l := range grown.split {
				levels = max(levels, int(l.depth)+1)
			}
		}
		if messages[1] > levels+2 || messages[0] < 2*messages[1] {
			return "", fmt.Errorf("rank %d: %d messages for trees of %d levels, want at most %d of "+
				"the second", of.Rank(), messages, levels, levels+2)
		}
		return "", nil
	})
}

// trafficOf counts what a rank sends: the numbers of the histograms that it adds up with others,
// and the bytes of rows that move to another rank.
type trafficOf struct {
	ranks.Group
	numbers, moved int
}

func (s *trafficOf) SumParts(ctx context.Context, x []int64, sizes []int) func() error {
	s.numbers += len(x) - sizes[s.Rank()]
	return s.Group.SumParts(ctx, x, sizes)
}

func (s *trafficOf) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	for rank, b := range to {
		if rank != s.Rank() {
			s.moved += len(b)
		}
	}
	return s.Group.Exchange(ctx, to)
}

// The rows of small leaves move to one rank, and less is sent than histograms of all splits would
// be. The trees stay the same. Each table has codes of another kind: in joints, in bundles, wide,
// and of more columns than the tree reads.
func TestRanksMoveRowsOfSmallLeaves(t *testing.T) {
	s := rng.New(31)
	f := mixed(t, rankRows, 7, s)
	several := slices.DeleteFunc(data.AllRows(rankRows), func(r int32) bool { return r%5 != 2 })
	for _, c := range []struct {
		name    string
		options bins.Options
		config  Config
		rows    []int32
	}{
		{"joints", bins.Options{Joint: 200}, Config{Shape: Shape{Leaves: 200}}, nil},
		{"bundles, rows counted", bins.Options{Bundle: true}, Config{Shape: Shape{Leaves: 300},
			Regularization: Regularization{MinLeaf: 12}}, nil},
		{"wide", bins.Options{Bins: 400}, Config{Shape: Shape{Leaves: 90, Depth: 9}}, nil},
		{"by level, some columns of some rows", bins.Options{Joint: 100}, Config{
			Shape: Shape{Leaves: 70, Policy: DepthWise}, Columns: Columns{ColumnsByTree: 0.5}},
			several},
	} {
		m, err := bins.Make(t.Context(), f, nil, nil, c.options, 1)
		if err != nil {
			t.Fatal(err)
		}
		g, h := derivatives(rankRows, false, s)
		want, err := treesOf(NewGrower(m, c.config), g, h, c.rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 3} {
			sent, cells := make([]int, n), 0
			got := onRanks(t, n, func(of ranks.Group) (string, error) {
				count := &trafficOf{Group: of}
				own := c.config
				own.Ranks, own.Workers = count, n-1
				r := NewGrower(m, own)
				trees, err := treesOf(r, g, h, c.rows)
				if count.moved == 0 {
					return "", errors.New(c.name + ": no rows have moved")
				}
				sent[of.Rank()] = 8*count.numbers + count.moved
				if of.Rank() == 0 {
					for _, k := range r.owners.cells {
						cells += k
					}
				}
				return trees, err
			})
			all := 0
			for rank := range got {
				all += sent[rank]
				if got[rank] != want {
					t.Fatalf("%s, rank %d of %d:\ngot  %.2000s\nwant %.2000s", c.name, rank, n,
						got[rank], want)
				}
			}
			// Without moves all ranks send the cells of the splits of two trees; of the last one
			// of a tree, and of those at the greatest depth, nothing is sent.
			if most := 2 * (c.config.Leaves - 2) * cells * 8 * (n - 1); c.config.Depth == 0 &&
				all > most*2/3 {
				t.Errorf("%s, %d ranks: %d bytes are sent, histograms are %d", c.name, n, all, most)
			}
		}
	}
}

// Batches of many rows are two portions, of which one is computed while the other one's sums are
// added up: between the start of a message and the wait for it histograms are made. The trees stay
// the same.
func TestRanksComputeWhileSumsAreAddedUp(t *testing.T) {
	m, g, h := rankTable(t, 33, 5)
	for _, policy := range []Policy{LeafWise, DepthWise} {
		c := Config{Shape: Shape{Leaves: 60, Policy: policy}, Regularization: Regularization{MinLeaf: 9}}
		want, err := treesOf(NewGrower(m, c), g, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 3} {
			for rank, got := range onRanks(t, n, func(of ranks.Group) (string, error) {
				own := c
				during := &sumsInPortions{Group: of}
				own.Ranks, own.Workers = during, n-1
				r := NewGrower(m, own)
				r.owners.portion = 1 << 9
				during.used = func() int { return r.hist.pool.used }
				trees, err := treesOf(r, g, h, nil)
				if during.n < 10 {
					return "", fmt.Errorf("%d messages wait for histograms that are made meanwhile",
						during.n)
				}
				return trees, err
			}) {
				if got != want {
					t.Fatalf("policy %d, rank %d of %d:\ngot  %.2000s\nwant %.2000s", policy, rank, n,
						got, want)
				}
			}
		}
	}
}

// sumsInPortions counts the messages during which a rank has made histograms.
type sumsInPortions struct {
	ranks.Group
	used func() int // bytes of histograms
	n    int
}

func (s *sumsInPortions) SumParts(ctx context.Context, x []int64, sizes []int) func() error {
	wait, used := s.Group.SumParts(ctx, x, sizes), s.used()
	return func() error {
		if s.used() > used {
			s.n++
		}
		return wait()
	}
}

// A rank refuses rows that are not those of a leaf.
func TestRefusesMovedRowsOfOtherLeaves(t *testing.T) {
	m, err := bins.Make(t.Context(), mixed(t, rankRows, 5, rng.New(5)), nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]int64, rankRows)
	of := func(rows ...int32) []byte {
		b := make([]byte, movedHead+len(rows)*(wordBytes+m.Stride))
		packRows(b, m, words, rows)
		return b
	}
	whole := of(3, 4000, 9000)
	if n := movedBytes(append(whole, 1, 2, 3), m.Stride); n != len(whole) {
		t.Errorf("three rows are %d bytes, want %d", n, len(whole))
	}
	if n := movedBytes(of(), m.Stride); n != movedHead {
		t.Errorf("no rows are %d bytes, want %d", n, movedHead)
	}
	for n := range whole {
		if got := movedBytes(whole[:n], m.Stride); got != 0 {
			t.Fatalf("%d bytes of three rows: %d, want none", n, got)
		}
	}
}

// treesOf is all that is known of two trees, and the scores that they give.
func treesOf(r *Grower, g, h []float64, rows []int32) (string, error) {
	out, n := "", len(g)
	raw := make([]float64, n)
	for seed := range uint64(2) {
		grown, err := r.Grow(context.Background(), g, h, rows, seed)
		if err != nil {
			return "", err
		}
		made, err := grown.Tree(1)
		if err != nil {
			return "", err
		}
		leaf := make([]int32, n)
		grown.LeafOf(leaf, rows)
		grown.Add(raw, nil, 0.5)
		out += fmt.Sprintln(made.Nodes, made.Sets, made.Leaf.Value, made.Stats, hashOf(leaf))
		for _, l := range grown.Leaves {
			out += fmt.Sprintln(l.Node, l.G, l.H, l.Value, l.Lower, l.Upper, hashOf(l.Rows),
				hashOf(l.Basis))
		}
	}
	return out + fmt.Sprint(hashOf(raw)), nil
}

// hashOf is the hash of numbers, which are too many to be printed.
func hashOf(numbers any) uint64 {
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, numbers); err != nil {
		panic(err)
	}
	return h.Sum64()
}

func TestRanksGrowTheSameTreesOfSeveralOutputs(t *testing.T) {
	const outputs = 3
	s := rng.New(4)
	m, err := bins.Make(t.Context(), mixed(t, rankRows, 6, s), nil, nil,
		bins.Options{Bundle: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rankRows*outputs, false, s)
	for _, policy := range []Policy{LeafWise, Symmetric} {
		grow := func(of ranks.Group) (string, error) {
			c := Config{Shape: Shape{Leaves: 20, Depth: 5, Policy: policy},
				Categories: Categories{OneHot: 4}, Ranks: of, Unseen: true, Weight: h[:rankRows]}
			grown, err := NewVectorGrower(m, c, outputs).Grow(t.Context(), g, h, nil, 1)
			if err != nil {
				return "", err
			}
			raw := make([]float64, rankRows*outputs)
			grown.Add(raw, nil, 0.1)
			made, err := grown.Tree(1)
			if err != nil {
				return "", err
			}
			out := fmt.Sprint(made.Nodes, made.Sets, made.Leaf.Value, made.Stats, hashOf(raw))
			for _, l := range grown.Leaves {
				out += fmt.Sprint(l.Node, l.G, l.H, l.Value, hashOf(l.Rows), hashOf(l.Basis))
			}
			return out, nil
		}
		want, err := grow(nil)
		if err != nil {
			t.Fatal(err)
		}
		for rank, got := range onRanks(t, 3, grow) {
			if got != want {
				t.Fatalf("policy %d, rank %d:\ngot  %.2000s\nwant %.2000s", policy, rank, got, want)
			}
		}
	}
}

// withoutExchange is a group whose rows cannot move.
type withoutExchange struct {
	ranks.Group
	err error
}

func (g withoutExchange) Exchange(context.Context, [][]byte) ([][]byte, error) { return nil, g.err }

// errCut is why a group is lost.
var errCut = errors.New("the cable is cut")

// rankTable is a table in bins, of so many columns, and derivatives of its rows.
func rankTable(t *testing.T, seed uint64, columns int) (m *bins.Matrix, g, h []float64) {
	t.Helper()
	s := rng.New(seed)
	m, err := bins.Make(t.Context(), mixed(t, rankRows, columns, s), nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h = derivatives(rankRows, false, s)
	return m, g, h
}

// A group that is lost while rows move ends the growth of a tree with its error.
func TestRanksThatAreLostWhileRowsMove(t *testing.T) {
	m, g, h := rankTable(t, 8, 4)
	onRanks(t, 2, func(of ranks.Group) (string, error) {
		r := NewGrower(m, Config{Shape: Shape{Leaves: 200}, Ranks: withoutExchange{of, errCut}})
		if _, err := r.Grow(t.Context(), g, h, nil, 1); !errors.Is(err, errCut) {
			return "", fmt.Errorf("rank %d: %v, want %v", of.Rank(), err, errCut)
		}
		return "", nil
	})
}

// A lost group ends the growth of a tree with its error, on every rank.
func TestLostRanksEndTrees(t *testing.T) {
	m, g, h := rankTable(t, 8, 4)
	onRanks(t, 3, func(of ranks.Group) (string, error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		grower := NewGrower(m, Config{Shape: Shape{Leaves: 30}, Ranks: of})
		if of.Rank() == 2 { // cuts it while the tree grows
			_, err := grower.GrowDerived(ctx, func(dg, dh []float64, from, to int) {
				copy(dg, g[from:to])
				copy(dh, h[from:to])
				cancel(errCut)
			}, nil, 1)
			if err == nil {
				return "", errors.New("rank 2 has grown a tree")
			}
			return "", nil
		}
		if _, err := grower.Grow(ctx, g, h, nil, 1); !errors.Is(err, errCut) {
			return "", fmt.Errorf("rank %d: %v, want the error of rank 2", of.Rank(), err)
		}
		return "", nil
	})
}

// Whichever operation of the ranks fails, once and on all of them, the tree ends with its error.
func TestTreesWhoseRanksFail(t *testing.T) {
	const rows = 2*block + 300
	s := rng.New(23)
	m, err := bins.Make(t.Context(), withSparse(t, mixed(t, rows, 3, s), 2, s), nil, nil, bins.Options{List: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows, false, s)
	for _, c := range []Config{
		{Shape: Shape{Leaves: 7}, Regularization: Regularization{MinLeaf: 900}, Unseen: true},
		{Shape: Shape{Leaves: 8, Depth: 2, Policy: Symmetric}, Regularization: Regularization{MinLeaf: 900}},
		{Shape: Shape{Leaves: 3, Policy: DepthWise}, Double: true},
	} {
		for at, done := 0, false; !done; at++ {
			onRanks(t, 2, func(of ranks.Group) (string, error) {
				own, f := c, &rankstest.Failing{Group: of, At: at}
				own.Ranks, own.Workers = f, 1
				grown, err := NewGrower(m, own).Grow(t.Context(), g, h, nil, 1)
				if done = f.Calls <= at; done != (err == nil) || done != (grown != nil) || !done && !errors.Is(err, rankstest.ErrFailed) {
					t.Errorf("%+v, operation %d of %d fails: %v", c, at, f.Calls, err)
				}
				return "", nil
			})
			if done && at < 5 {
				t.Errorf("%+v: %d operations", c, at)
			}
		}
	}
}

// A leaf of few rows moves: of fewer bytes than two histograms, twice that where further splits
// follow, and no more than half of a rank's rows. Nothing moves among many ranks, or where columns
// are listed.
func TestRowsThatMove(t *testing.T) {
	for _, c := range []struct {
		leaves, places, stride, rows, cells, ranks, want int
	}{
		{2, 0, 8, 100_000, 1000, 2, 1000}, {1000, 0, 8, 100_000, 1000, 2, 2000}, {200, 0, 8, 100_000, 1000, 2, 2000},
		{199, 0, 8, 100_000, 1000, 2, 1000}, {2, 0, 24, 100_000, 1000, 2, 500}, {2, 0, 8, 3000, 1000, 2, 750},
		{2, 0, 8, 3000, 1000, 3, 500}, {2, 0, 8, 100_000, 1000, 16, 1000}, {2, 0, 8, 100_000, 1000, 17, 0}, {2, 5, 8, 100_000, 1000, 2, 0},
	} {
		v := moves{few: 7, taken: 3, rows: []int{4, 5}}
		v.begin(&Config{Shape: Shape{Leaves: c.leaves}}, &bins.Matrix{Places: c.places, Stride: c.stride}, c.rows, c.cells, c.ranks)
		if v.few != c.want || v.taken != 0 || !slices.Equal(v.rows, make([]int, c.ranks)) {
			t.Errorf("%+v: leaves of %d rows move, %d taken, %v", c, v.few, v.taken, v.rows)
		}
	}
	v := moves{rows: make([]int, 3)}
	for _, c := range []struct{ rows, to int }{{5, 0}, {2, 1}, {3, 2}, {1, 1}, {9, 1}, {1, 2}} {
		to := v.next()
		if of := v.take(to, c.rows); to != c.to || of.to != to {
			t.Errorf("%d rows move to rank %d, want %d, of %v", c.rows, to, c.to, v.rows)
		}
	}
}
