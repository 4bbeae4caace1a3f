package explain_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// intervalTree is a tree over x whose leaves are the intervals between ascending split points.
func intervalTree(t *testing.T, at ...float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	n := int32(0)
	for _, c := range at {
		n = b.Split(n, tree.Split{Kind: tree.Numeric, SplitPoint: c}) + 1
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// line is a model of two trees, and six rows:
//
//	x        0 1 2 3 4 5
//	tree 0   a a a b b b
//	tree 1   a a b b b c
func line(t *testing.T) (*model.Ensemble, *data.Frame) {
	t.Helper()
	f, err := data.FromRows([][]float64{{0}, {1}, {2}, {3}, {4}, {5}}, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: f.Schema},
		Combine: model.Mean,
		Trees:   []*tree.Tree{intervalTree(t, 2.5), intervalTree(t, 1.5, 4.5)}}, f
}

func proximities(
	t rapid.TB, m model.Model, f *data.Frame, rows []int32, o explain.ProximityOptions,
) *explain.Proximities {
	t.Helper()
	p, err := explain.NewProximities(context.Background(), m, f, rows, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProximitiesByHand(t *testing.T) {
	m, f := line(t)
	p := proximities(t, m, f, nil, explain.ProximityOptions{})
	got, err := p.Matrix(t.Context())
	want := []float64{
		1, 1, .5, 0, 0, 0,
		1, 1, .5, 0, 0, 0,
		.5, .5, 1, .5, .5, 0,
		0, 0, .5, 1, 1, .5,
		0, 0, .5, 1, 1, .5,
		0, 0, 0, .5, .5, 1,
	}
	if err != nil || !slices.Equal(got, want) || p.Rows() != 6 || p.Trees() != 2 {
		t.Errorf("%d rows, %d trees, %v, proximities\n%v, want\n%v", p.Rows(), p.Trees(),
			err, got, want)
	}
	near, err := p.Neighbours(t.Context(), 2)
	if err != nil ||
		!reflect.DeepEqual(near, [][]explain.Neighbour{{{1, 1}, {2, .5}}, {{0, 1}, {2, .5}},
			{{0, .5}, {1, .5}}, {{4, 1}, {2, .5}}, {{3, 1}, {2, .5}}, {{3, .5}, {4, .5}}}) {
		t.Errorf("neighbours %v, %v", near, err)
	}
	near, err = proximities(t, m, f, []int32{5, 2, 4},
		explain.ProximityOptions{}).Neighbours(t.Context(), 9)
	if err != nil ||
		!reflect.DeepEqual(near, [][]explain.Neighbour{{{2, .5}}, {{2, .5}}, {{0, .5}, {1, .5}}}) {
		t.Errorf("neighbours of three rows %v, %v", near, err)
	}
}

// A pair counts in the trees that have both rows out of the bag; a row in all bags is near to
// itself alone.
func TestProximitiesOutOfBag(t *testing.T) {
	m, f := line(t)
	p := proximities(t, m, f, nil,
		explain.ProximityOptions{InBag: [][]uint32{{0, 0, 0, 2, 1, 0}, {0, 1, 0, 0, 3, 0}}})
	got, err := p.Matrix(t.Context())
	want := []float64{
		1, 1, .5, 0, 0, 0,
		1, 1, 1, 0, 0, 0,
		.5, 1, 1, 1, 0, 0,
		0, 0, 1, 1, 0, 0,
		0, 0, 0, 0, 1, 0,
		0, 0, 0, 0, 0, 1,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("proximities %v, %v", got, err)
	}
}

// The value by its definition, of one class and of two.
func TestOutliersByHand(t *testing.T) {
	m, f := line(t)
	p := proximities(t, m, f, nil, explain.ProximityOptions{})
	got, err := p.Outliers(t.Context(), nil)
	// sums of squares: 2.25 2.25 2 2.5 2.5 1.5; raw 8/3 8/3 3 2.4 2.4 4; median 8/3; mean deviation
	// (1/3+4/15+4/15+4/3)/6 = 11/30
	want := []float64{0, 0, 10. / 11, -8. / 11, -8. / 11, 40. / 11}
	if err != nil || !near(got, want) {
		t.Errorf("outliers %v, want %v, %v", got, want, err)
	}
	got, err = p.Outliers(t.Context(), []uint32{7, 7, 1, 1, 7, 1})
	// class 7: sums 2 2 1, raw 3 3 6, median 3, deviation 1; class 1: sums 1.25 1.5 1.25, raw 4.8 4
	// 4.8, deviation 4/15
	if want := []float64{0, 0, 0, -3, 3, 0}; err != nil || !near(got, want) {
		t.Errorf("outliers %v, want %v, %v", got, want, err)
	}
	if got, err = p.Outliers(t.Context(), []uint32{0, 0, 1, 2, 2, 3}); err != nil ||
		!slices.Equal(got, make([]float64, 6)) {
		t.Errorf("outliers of classes without deviation %v, %v", got, err)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

// For any model, table and number of workers, the matrix equals one computed pair by pair. It is
// symmetric, with ones on the diagonal and values from 0 to 1, and the neighbours are its largest
// entries.
func TestProximitiesByPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression,
			Schema: treetest.Schema().Draw(t, "schema")}, Combine: model.Mean}
		shape := treetest.Shape{Fields: m.Meta.Schema.Fields, Kind: tree.Scalar,
			Width: 1, Splits: 4}
		m.Trees = rapid.SliceOfN(treetest.Tree(shape), 1, 5).Draw(t, "trees")
		n := rapid.SampledFrom([]int{0, 1, 7, 40}).Draw(t, "rows")
		f := treetest.Frame(m.Meta.Schema, n).Draw(t, "table")
		o := explain.ProximityOptions{Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		if rapid.Bool().Draw(t, "out of bag") {
			for range m.Trees {
				o.InBag = append(o.InBag,
					rapid.SliceOfN(rapid.Uint32Range(0, 1), n, n).Draw(t, "bag"))
			}
		}
		p := proximities(t, m, f, nil, o)
		got, err := p.Matrix(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for k := range n {
				x := got[i*n+k]
				if want := byPair(m, f, o.InBag, i, k); x != want || x != got[k*n+i] ||
					x < 0 || x > 1 {
					t.Fatalf("rows %d and %d: %v, the other way round %v, want %v", i, k, x,
						got[k*n+i], want)
				}
			}
		}
		all, err := p.Neighbours(context.Background(), 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, near := range all {
			one, err := p.NeighboursOf(int32(i), 3)
			if err != nil || !slices.Equal(one, near) {
				t.Fatalf("row %d has %v alone, with others %v: %v", i, one, near, err)
			}
			for rank, a := range near {
				nearer := 0
				for k, x := range got[i*n : (i+1)*n] {
					if k != i && (x > a.Proximity || x == a.Proximity && k < int(a.Row)) {
						nearer++
					}
				}
				if nearer != rank || a.Proximity != got[i*n+int(a.Row)] || a.Proximity == 0 {
					t.Fatalf("row %d: neighbour %d is %v, %d are nearer", i, rank, a, nearer)
				}
			}
		}
		o.Workers = 4 - o.Workers
		again, err := proximities(t, m, f, nil, o).Outliers(context.Background(), nil)
		if once, _ := p.Outliers(context.Background(), nil); err != nil ||
			!slices.Equal(once, again) {
			t.Fatalf("outliers %v, with %d workers %v, %v", once, o.Workers, again, err)
		}
	})
}

// byPair is the proximity of two rows by the definition.
func byPair(m *model.Ensemble, f *data.Frame, bags [][]uint32, i, k int) float64 {
	if i == k {
		return 1
	}
	same, both := 0, 0
	for t := range m.Trees {
		if bags != nil && bags[t][i]+bags[t][k] > 0 {
			continue
		}
		both++
		walk := m.Trees[t].Over(f.Columns)
		if walk.LeafOf(int32(i)) == walk.LeafOf(int32(k)) {
			same++
		}
	}
	if same == 0 {
		return 0
	}
	return float64(same) / float64(both)
}

// Bags of more trees than a word has bits are told apart.
func TestProximitiesOfManyTrees(t *testing.T) {
	for _, trees := range []int{65, 70} {
		checkBagsOf(t, trees)
	}
}

func checkBagsOf(t *testing.T, trees int) {
	t.Helper()
	m, f := line(t)
	m.Trees = slices.Repeat(m.Trees[:1], trees)
	s := rng.New(6)
	var bags [][]uint32
	for range m.Trees {
		bag := make([]uint32, 6)
		for i := range bag {
			bag[i] = uint32(s.Intn(3))
		}
		bags = append(bags, bag)
	}
	got, err := proximities(t, m, f, nil, explain.ProximityOptions{InBag: bags}).Matrix(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		for k := range 6 {
			if want := byPair(m, f, bags, i, k); got[6*i+k] != want {
				t.Errorf("rows %d and %d: %v, want %v", i, k, got[6*i+k], want)
			}
		}
	}
}

func TestProximitiesRefuse(t *testing.T) {
	m, f := line(t)
	for want, bags := range map[string][][]uint32{"bags of 1 trees for a model of 2": {{0}},
		"tree 0: a bag of 1 rows for 6": {{0}, {0}}} {
		if _, err := explain.NewProximities(t.Context(), m, f, nil,
			explain.ProximityOptions{InBag: bags}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	p := proximities(t, m, f, nil, explain.ProximityOptions{})
	if _, err := p.NeighboursOf(int32(p.Rows()), 1); err == nil {
		t.Error("a row that is not there has neighbours")
	}
	if _, err := p.NeighboursOf(0, 0); err == nil {
		t.Error("no neighbours are fine")
	}
	if _, err := p.Neighbours(t.Context(), 0); err == nil {
		t.Error("a request for 0 neighbours has no error")
	}
	if _, err := p.Outliers(t.Context(), []uint32{1}); err == nil ||
		!strings.Contains(err.Error(), "classes of 1 rows for 6") {
		t.Errorf("error %v", err)
	}
	many := proximities(t, m, f, make([]int32, 4097), explain.ProximityOptions{})
	want := "a matrix of the proximities of 4097 rows: the limit is 4096, list the nearest neighbours of each row instead"
	if err := matrixError(t, many); err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := explain.NewProximities(cancelled, m, f, nil,
		explain.ProximityOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := p.Neighbours(cancelled, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	missing, err := data.FromRows([][]float64{{1}}, []string{"other"})
	if err != nil {
		t.Fatal(err)
	}
	var column *model.MissingColumnError
	if _, err := explain.NewProximities(t.Context(), m, missing, nil,
		explain.ProximityOptions{}); !errors.As(err, &column) {
		t.Errorf("error %v", err)
	}
}

// Tables of more rows than are walked at a time: every row is as far out as the others that are
// equal to it.
func TestProximitiesOfManyRows(t *testing.T) {
	m, f := line(t)
	rows := make([]int32, 9000)
	for i := range rows {
		rows[i] = int32(i % 6)
	}
	got, err := proximities(t, m, f, rows, explain.ProximityOptions{}).Outliers(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if math.Abs(got[i]-got[i%6]) > 1e-9 || i%6 != 5 && got[i] > got[5]-2 {
			t.Fatalf("row %d: %v, of the first six %v", i, got[i], got[:6])
		}
	}
}

func matrixError(t *testing.T, p *explain.Proximities) error {
	t.Helper()
	_, err := p.Matrix(t.Context())
	return err
}
