package boost

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
	"github.com/coppice-ml/coppice/tree"
)

// answering is a group whose ranks send what a function returns.
type answering struct {
	ranks.Group
	all func(own []byte) ([][]byte, error)
}

func (g answering) Gather(_ context.Context, own []byte) ([][]byte, error) { return g.all(own) }

// ofOutputs is a loss of so many outputs.
type ofOutputs struct {
	loss.Objective
	n int
}

func (o ofOutputs) Outputs() int { return o.n }

// ends are where the rows of three ranks end, of which the second has none.
var ends = []int{0, 4, 4, 10}

// ownScores returns the scores of two outputs of ten rows, of which a rank has its own.
func ownScores(rank int) []float64 {
	raw := slices.Repeat([]float64{-1}, 20)
	for o := range 2 {
		for row := ends[rank]; row < ends[rank+1]; row++ {
			raw[10*o+row] = float64(100*o + row)
		}
	}
	return raw
}

// complete reports whether the scores are those of all ranks.
func complete(raw []float64) bool {
	for i, x := range raw {
		if x != float64(100*(i/10)+i%10) {
			return false
		}
	}
	return len(raw) == 20
}

// Scores of the rows that other ranks have are put together once they are needed, and only then.
func TestScoresOfRanks(t *testing.T) {
	train := func(g ranks.Group, rank int) *scores {
		return &scores{rows: rowMap{rows: 10}, raw: ownScores(rank), follow: noValid{},
			others: &rankScores{group: g, from: ends[rank], to: ends[rank+1], missing: true}}
	}
	valid := func(g ranks.Group, rank int) *scores {
		return &scores{sets: sets{valid: &boosting.Set{Rows: make([]int32, 10), Raw: ownScores(rank),
			Objective: ofOutputs{n: 2}}}, follow: &validOfRanks{group: g, from: ends[rank], missing: true,
			matrix: &bins.Matrix{Rows: make([]int32, ends[rank+1]-ends[rank])}}}
	}
	errs := rankstest.Each(3, func(g ranks.Group) error {
		a, b := train(g, g.Rank()), valid(g, g.Rank())
		if err := errors.Join(a.complete(t.Context()), b.complete(t.Context())); err != nil {
			return err
		}
		if !complete(a.raw) || !complete(b.valid.Raw) {
			t.Errorf("rank %d has the scores %v and %v", g.Rank(), a.raw, b.valid.Raw)
		}
		if a.others.missing || b.follow.(*validOfRanks).missing {
			t.Errorf("rank %d still waits for scores", g.Rank())
		}
		// nothing has changed since then
		return errors.Join(a.complete(t.Context()), b.complete(t.Context()))
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	lost, calls := errors.New("lost"), 0
	message := func(numbers int) []byte {
		return slices.Repeat(binary.LittleEndian.AppendUint64(nil, math.Float64bits(5)), numbers)
	}
	for _, c := range []struct {
		all         [][]byte
		train, want string // errors of both sets
	}{
		{nil, "lost", "lost"},
		{[][]byte{message(4), message(11)}, "rank 1 sent 88 bytes of scores, want 48 at most",
			"rank 1 sent 88 bytes of scores of the validation set"},
		{[][]byte{message(8), message(12)[:91]}, "rank 1 sent 91 bytes of scores, want 16 at most",
			"rank 1 sent 91 bytes of scores of the validation set"},
		{[][]byte{message(8), message(14)}, "rank 1 sent 112 bytes of scores, want 16 at most",
			"rank 1 sent 112 bytes of scores of the validation set"},
		{[][]byte{message(8), message(2)}, "", "the ranks have 5 rows of the validation set, want 10"},
		{[][]byte{message(14), message(6)}, "rank 0 sent 112 bytes of scores, want 80 at most", ""},
		{[][]byte{message(2), message(8)}, "", "the ranks have 5 rows of the validation set, want 10"},
	} {
		g := answering{all: func([]byte) ([][]byte, error) {
			if calls++; c.all == nil {
				return nil, lost
			}
			return c.all, nil
		}}
		text := func(err error) string {
			if err == nil {
				return ""
			}
			return err.Error()
		}
		if got := text(train(g, 0).complete(t.Context())); got != c.train {
			t.Errorf("training set: %q, want %q", got, c.train)
		}
		if got := text(valid(g, 0).complete(t.Context())); got != c.want {
			t.Errorf("validation set: %q, want %q", got, c.want)
		}
	}
	before, none := calls, (*rankScores)(nil)
	none.miss()
	one := train(answering{}, 0)
	if one.others = none; one.complete(t.Context()) != nil || calls != before {
		t.Error("one rank has no scores to get")
	}
}

// The rows of a rank stand behind those of the ranks before it. Where they are not those whose
// losses a rank adds up, all ranks know.
func TestPlacesOfValidRows(t *testing.T) {
	const total = 5 * loss.SumRows
	for _, c := range []struct {
		move  int // rows from the first rank to the second
		apart bool
	}{{0, false}, {1, true}, {-1, true}} {
		var counts []int
		for rank := range 3 {
			from, to := ranks.Span(total, loss.SumRows, rank, 3)
			counts = append(counts, to-from)
		}
		counts[0] -= c.move
		counts[1] += c.move
		errs := rankstest.Each(3, func(g ranks.Group) error {
			m := &bins.Matrix{Rows: make([]int32, counts[g.Rank()])}
			v, err := newValidOfRanks(t.Context(), m, g)
			if err != nil {
				return err
			}
			if want := []int{0, counts[0], counts[0] + counts[1]}[g.Rank()]; v.from != want || v.apart != c.apart ||
				v.matrix != m {
				t.Errorf("rank %d of %v: from %d, apart %v, want %d, %v", g.Rank(), counts, v.from, v.apart, want, c.apart)
			}
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
	}
	g := answering{all: func(own []byte) ([][]byte, error) { return [][]byte{own, own[:7]}, nil }}
	_, err := newValidOfRanks(t.Context(), &bins.Matrix{}, g)
	if err == nil || err.Error() != "rank 1 sent 7 bytes for its number of rows, want 8" {
		t.Errorf("error %v", err)
	}
}

// The rounds of a model to continue are those that it was trained in, whatever trees it has.
func TestExtend(t *testing.T) {
	trees := make([]*tree.Tree, 6)
	for _, c := range []struct {
		what     string
		outputs  int
		m        model.Ensemble
		weighted bool
		before   int
		output   []int32
		weights  []float64
		rounds   []int // of the trees
		bias     []float64
	}{
		{"one output", 1, model.Ensemble{Bias: []float64{7}}, false, 6, []int32{0, 0, 0, 0, 0, 0}, nil,
			[]int{0, 1, 2, 3, 4, 5}, []float64{7}},
		{"one of all", 1, model.Ensemble{Output: []int32{-1, -1, -1, -1, -1, -1}}, true, 6, []int32{0, 0, 0, 0, 0, 0},
			[]float64{1, 1, 1, 1, 1, 1}, []int{0, 1, 2, 3, 4, 5}, []float64{0}},
		{"three outputs", 3, model.Ensemble{Output: []int32{0, 1, 2, 0, 1, 2}, Weights: []float64{1, 2, 3, 4, 5, 6}}, true, 2,
			[]int32{0, 1, 2, 0, 1, 2}, []float64{1, 2, 3, 4, 5, 6}, []int{0, 0, 0, 1, 1, 1}, []float64{0, 0, 0}},
		{"trees of all", 3, model.Ensemble{Bias: []float64{1, 2, 3}}, false, 6, []int32{-1, -1, -1, -1, -1, -1}, nil,
			[]int{0, 1, 2, 3, 4, 5}, []float64{1, 2, 3}},
		{"trees of all by name", 3, model.Ensemble{Output: []int32{-1, -1, -1, -1, -1, -1}}, false, 6,
			[]int32{-1, -1, -1, -1, -1, -1}, nil, []int{0, 1, 2, 3, 4, 5}, []float64{0, 0, 0}},
	} {
		e := &ensemble{model: &model.Ensemble{Bias: slices.Repeat([]float64{9}, c.outputs)}, width: c.outputs}
		c.m.Trees = trees
		e.extend(&c.m, c.weighted)
		var rounds []int
		for i := range trees {
			rounds = append(rounds, e.roundOf(i))
		}
		if e.first != 6 || e.before != c.before || !slices.Equal(e.model.Output, c.output) ||
			!slices.Equal(e.model.Weights, c.weights) || !slices.Equal(rounds, c.rounds) ||
			!slices.Equal(e.model.Bias, c.bias) || len(e.model.Trees) != 6 {
			t.Errorf("%s: %+v of %+v, rounds %v", c.what, e, e.model, rounds)
		}
		if got := e.from(2); got != 6+2*c.outputs {
			t.Errorf("%s: round 2 begins at tree %d", c.what, got)
		}
	}
	e := &ensemble{model: &model.Ensemble{Bias: make([]float64, 3)}, width: 3}
	if e.extend(&model.Ensemble{}, false); e.before != 0 || e.first != 0 {
		t.Errorf("a model without trees: %+v", e)
	}
}

// onGrown is a way of a validation set that looks at each tree before it has its final form.
type onGrown struct {
	noValid
	of func(t *hist.Grown, output int, factor float64)
}

func (g onGrown) add(_ *scores, t *hist.Grown, output int, factor float64) { g.of(t, output, factor) }

// A tree adds to the scores of the rows that a rank has what it adds to those of one rank, and
// nothing to those of others.
func TestTreesOfOwnRows(t *testing.T) {
	ds := classesTable(t, 200)
	for _, several := range []bool{false, true} {
		b := begun(t, ds, learn.Job{Seed: 1, Workers: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.MultiOutput = 2, 6, several
		})
		matrix := func(from, to int) *bins.Matrix {
			m, err := bins.Encode(t.Context(), ds.Frame, data.AllRows(200)[from:to], b.table.Matrices[0].Columns,
				bins.Options{Unpacked: true}, 1)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		ofAll := func() *scores {
			return &scores{sets: sets{valid: &boosting.Set{Rows: data.AllRows(200), Raw: make([]float64, 1000)}}}
		}
		grown := 0
		b.scores.follow = onGrown{of: func(one *hist.Grown, output int, factor float64) {
			grown++
			want := ofAll()
			(&validInBins{matrix: matrix(0, 200)}).add(want, one, output, factor)
			for _, part := range [][2]int{{0, 70}, {70, 200}, {200, 200}} {
				got := ofAll()
				v := &validOfRanks{matrix: matrix(part[0], part[1]), from: part[0]}
				v.add(got, one, output, factor)
				for i, x := range got.valid.Raw {
					own := i%200 >= part[0] && i%200 < part[1]
					if own && x != want.valid.Raw[i] || !own && x != 0 || !v.missing {
						t.Fatalf("output %d, rows %v: score %d is %v, want %v", output, part, i, x, want.valid.Raw[i])
					}
				}
			}
			if !slices.ContainsFunc(want.valid.Raw, func(x float64) bool { return x != 0 }) {
				t.Errorf("output %d: nothing is added", output)
			}
		}}
		if _, err := b.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 5, true: 1}[several]; grown != want {
			t.Errorf("%d trees, want %d", grown, want)
		}
	}
}

// Several ranks divide what goes over the rows of a set, and one rank does it alone.
func TestDividedSets(t *testing.T) {
	for _, n := range []int{1, 2} {
		errs := rankstest.Each(n, func(g ranks.Group) error {
			s := &scores{sets: sets{train: &boosting.Set{Rows: make([]int32, 10)}, valid: &boosting.Set{Rows: make([]int32, 10)}},
				follow: &validOfRanks{apart: true}, others: &rankScores{from: 4, to: 10}}
			s.divide(t.Context(), g)
			train, valid := s.train.Divided, s.valid.Divided
			if n == 1 {
				if train != nil || valid != nil {
					t.Error("one rank divides its sets")
				}
				return nil
			}
			if train == nil || train.From != 4 || train.To != 10 || train.Complete == nil || valid == nil || !valid.Apart {
				t.Errorf("rank %d: %+v, %+v", g.Rank(), train, valid)
			}
			for _, valid := range []*boosting.Set{nil, {Rows: make([]int32, 10)}} {
				few := &scores{sets: sets{train: &boosting.Set{Rows: make([]int32, 10)}, valid: valid}, follow: noValid{}}
				few.divide(t.Context(), g)
				if few.train.Divided != nil || valid != nil && valid.Divided != nil {
					t.Errorf("rank %d divides sets of ten rows", g.Rank())
				}
			}
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
	}
	if dividesRows(4*loss.SumRows-1, answeringOf(2)) || !dividesRows(4*loss.SumRows, answeringOf(2)) ||
		dividesRows(1<<30, answeringOf(1)) {
		t.Error("ranks divide sets that are too small, or not those that are large enough")
	}
}

// answeringOf is a group of so many ranks.
func answeringOf(n int) ranks.Group { return sized{n: n} }

type sized struct {
	ranks.Group
	n int
}

func (s sized) Size() int { return s.n }

// A rank needs the scores of its own rows alone where nothing looks at those of others.
func TestOwnRows(t *testing.T) {
	b := begun(t, orderedTable(t, 40), learn.Job{Workers: 1}, func(c *Config) { c.Trees = 1 })
	rows, newton := &rowwiseDerivatives{}, newtonLeaves{}
	if !b.setup.ownRows(b.table, b.scores, rows, newton) {
		t.Error("plain boosting looks at other rows")
	}
	if b.setup.ownRows(b.table, b.scores, &storedDerivatives{}, newton) || b.setup.ownRows(b.table, b.scores, rows, &linearLeaves{}) {
		t.Error("stored derivatives and linear leaves look at no other rows")
	}
	sampled := *b.setup
	if sampled.Config.Fraction = 0.5; sampled.ownRows(b.table, b.scores, rows, newton) {
		t.Error("samples look at no other rows")
	}
	stored, matrix := *b.table, *b.table.Matrices[0]
	stored.Matrices = []*bins.Matrix{&matrix}
	blocks := reflect.ValueOf(&stored).Elem().FieldByName("Blocks")
	blocks.Set(reflect.New(blocks.Type().Elem()))
	for _, partial := range []bool{false, true} {
		if matrix.Partial = partial; b.setup.ownRows(&stored, b.scores, rows, newton) != partial {
			t.Errorf("blocks that are a part of the rows: %v", partial)
		}
	}
	two := *b.table
	if two.Matrices = append(two.Matrices[:1:1], two.Matrices[0]); b.setup.ownRows(&two, b.scores, rows, newton) {
		t.Error("orders look at no other rows")
	}
}
