package parity_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// plain is a reference that walks trees of numeric splits and sets.
type plain struct {
	trees []*tree.Tree
	bias  float64
}

func (p *plain) Trees() int   { return len(p.trees) }
func (p *plain) Scores() int  { return 1 }
func (p *plain) Outputs() int { return 1 }

func (p *plain) leaf(t *tree.Tree, row []float64) int32 {
	n := int32(0)
	for t.Kind(n) != tree.Leaf {
		x := row[t.Feature(n)]
		next := int32(-1)
		switch {
		case t.Kind(n) == tree.Numeric:
			next = t.NextNumeric(n, x)
		case math.IsNaN(x):
			next = t.NextCode(n, data.MissingCode)
		case x < 0:
			next = t.NextCode(n, data.UnseenCode)
		default:
			next = t.NextCode(n, uint32(x))
		}
		if next < 0 {
			next = t.NextMissing(n)
		}
		n = next
	}
	return n
}

func (p *plain) Raw(dst, row []float64) {
	dst[0] = p.bias
	for _, t := range p.trees {
		dst[0] += t.Value(p.leaf(t, row))[0]
	}
}

func (p *plain) Response(dst, row []float64) { p.Raw(dst, row) }

func (p *plain) Leaves(dst []int32, row []float64) {
	for i, t := range p.trees {
		dst[i] = p.leaf(t, row)
	}
}

// splits are those of the tree that the tests change: a chain to the right, in which some nodes are
// reached with a missing value alone.
func splits() []tree.Split {
	return []tree.Split{
		{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5, Missing: tree.MissingLast},
		{Kind: tree.SetFirst, Feature: 1, Set: []uint64{0b0110}, Missing: tree.MissingFirst},
		{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5000001, Missing: tree.MissingLast},
		{Kind: tree.SetLast, Feature: 1, Set: []uint64{0b0001}, Missing: tree.MissingLast},
		// no known value is above 0.5 and up to 0.25
		{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.25, Missing: tree.MissingLast},
		{Kind: tree.Numeric, Feature: 2, SplitPoint: -3e38, Missing: tree.MissingFirst},
	}
}

func chain(t *testing.T, splits []tree.Split) *tree.Tree {
	t.Helper()
	b := tree.NewLeafBuilder(tree.Scalar, 1)
	at := int32(0)
	for i, s := range splits {
		first := b.Split(at, s)
		b.SetValue(first, []float64{float64(i + 1)})
		at = first + 1
	}
	b.SetValue(at, []float64{100})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

func ensemble(trees ...*tree.Tree) *model.Ensemble {
	return &model.Ensemble{Trees: trees, Bias: []float64{0.5}, Origin: &model.Origin{Tool: "test"},
		Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{{Name: "x"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}},
			{Name: "y"}}}}}
}

func TestCompare(t *testing.T) {
	grown := chain(t, splits())
	m := ensemble(grown, grown)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	p := parity.Make(m, parity.DefaultRows)
	if p.Splits != 12 || p.Probed != 12 || p.Rows() < 60 {
		t.Errorf("%d splits, %d probed in %d rows", p.Splits, p.Probed, p.Rows())
	}
	cert, err := parity.Compare(t.Context(), m, &plain{m.Trees, 0.5}, false, p)
	if err != nil {
		t.Fatal(err)
	}
	if cert.Largest != 0 || cert.Rows != p.Rows() || cert.FromTool || !cert.Leaves {
		t.Errorf("certificate %+v", cert)
	}
	m.Origin.Certificate = cert
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if largest, err := parity.Verify(t.Context(), m); err != nil || largest != 0 {
		t.Errorf("verified: %v, %v", largest, err)
	}
	var different *parity.DifferenceError
	m.Bias[0] = 0.75
	if _, err := parity.Verify(t.Context(), m); !errors.As(err, &different) {
		t.Errorf("another start value: %v", err)
	}
}

// Every change of a decision, however small, is found by some row.
func TestCompareFindsDifferences(t *testing.T) {
	m := ensemble(chain(t, splits()))
	p := parity.Make(m, parity.DefaultRows)
	for name, change := range map[string]func(s []tree.Split){
		"one step up":         func(s []tree.Split) { s[0].SplitPoint = math.Nextafter(0.5, 1) },
		"one step down":       func(s []tree.Split) { s[0].SplitPoint = math.Nextafter(0.5, 0) },
		"in single precision": func(s []tree.Split) { s[2].SplitPoint = float64(float32(0.5000001)) },
		"missing":             func(s []tree.Split) { s[2].Missing = tree.MissingFirst },
		"a deep missing":      func(s []tree.Split) { s[5].Missing = tree.MissingLast },
		"a missing category":  func(s []tree.Split) { s[1].Missing = tree.MissingLast },
		"unseen categories": func(s []tree.Split) {
			s[1].Kind, s[1].Set = tree.SetLast, []uint64{^uint64(0b0110)}
		},
		"a category":        func(s []tree.Split) { s[1].Set = []uint64{0b0010} },
		"another column":    func(s []tree.Split) { s[5].Feature = 0 },
		"a far split point": func(s []tree.Split) { s[5].SplitPoint = math.Nextafter(-3e38, 0) },
	} {
		other := splits()
		change(other)
		var different *parity.DifferenceError
		_, err := parity.Compare(t.Context(), m, &plain{[]*tree.Tree{chain(t, other)}, 0.5}, false, p)
		if !errors.As(err, &different) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parity.Compare(t.Context(), m, &plain{m.Trees, 0.5 + 1e-9}, false, p); err == nil {
		t.Error("another start value was not found")
	}
	if _, err := parity.Compare(t.Context(), m, &plain{m.Trees, 0.5 + 1e-9}, true, p); err != nil {
		t.Errorf("a rounding of single precision was found: %v", err)
	}
}

func TestExpect(t *testing.T) {
	m := ensemble(chain(t, splits()))
	p := parity.Make(m, parity.DefaultRows)
	ref, want := &plain{m.Trees, 0.5}, []float64{}
	for i := range p.Rows() {
		raw := []float64{0}
		ref.Raw(raw, p.Row(i))
		want = append(want, raw[0]+1e-8)
	}
	cert, err := parity.Expect(t.Context(), m, p, model.Response, want, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	if !cert.FromTool || cert.Output != "proba" || math.Abs(cert.Largest-1e-8) > 1e-12 {
		t.Errorf("certificate %+v", cert)
	}
	var different *parity.DifferenceError
	if _, err := parity.Expect(t.Context(), m, p, model.Response, want, 1e-9); !errors.As(err, &different) {
		t.Errorf("differences beyond what is allowed: %v", err)
	}
	if _, err := parity.Expect(t.Context(), m, p, model.Response, want[1:], 1e-6); err == nil {
		t.Error("a value too few")
	}
	if _, err := parity.Expect(t.Context(), m, p, model.Response, slices.Concat(want, want), 1e-6); err == nil {
		t.Error("two values for each row")
	}
}

// The number of rows is limited, and the nodes that are probed are counted.
func TestFewRows(t *testing.T) {
	m := ensemble(chain(t, splits()), chain(t, splits()))
	p := parity.Make(m, 30)
	if p.Probed >= p.Splits || p.Rows() > 45 || p.Rows() == 0 {
		t.Errorf("%d of %d probed in %d rows", p.Probed, p.Splits, p.Rows())
	}
	if again := parity.Make(m, 30); !slices.EqualFunc(p.Values, again.Values,
		func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Error("the same model gives other rows")
	}
	if p := parity.Make(ensemble(), 30); p.Rows() != 1 {
		t.Errorf("%d rows of a model without trees", p.Rows())
	}
}

// TestProbesOfDerivedNumbers: nodes that test a column in which 0 is missing are reached, and a
// reference that counts other numbers as 0 is found out.
func TestProbesOfDerivedNumbers(t *testing.T) {
	b := tree.NewLeafBuilder(tree.Scalar, 1)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: -2, Missing: tree.MissingLast})
	b.SetValue(first, []float64{1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: 3, Missing: tree.MissingLast})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{4})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := ensemble(grown)
	m.Inputs = input.Set{Numbers: []input.Number{{Kind: input.Nonzero, Source: 2}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	p := parity.Make(m, parity.DefaultRows)
	for _, want := range []float64{-2, math.Nextafter(-2, 0), 3, math.Nextafter(3, 4), 0, input.LargestZero, math.NaN()} {
		found := false
		for i := range p.Rows() {
			y := p.Row(i)[2]
			found = found || y == want || y != y && want != want
		}
		if !found {
			t.Errorf("no row has the value %v", want)
		}
	}
	for _, c := range []struct {
		zero float64
		same bool
	}{{input.LargestZero, true}, {1e-35, false}, {math.Nextafter(input.LargestZero, 1), false}, {0, false}} {
		of := &nonzero{plain{m.Trees, 0.5}, c.zero}
		if _, err := parity.Compare(t.Context(), m, of, false, p); (err == nil) != c.same {
			t.Errorf("numbers up to %v are 0: %v", c.zero, err)
		}
	}
}

// nonzero is a reference with a further column, the last one, but missing up to zero.
type nonzero struct {
	plain
	zero float64
}

func (p *nonzero) derive(row []float64) []float64 {
	y := row[2]
	if math.Abs(y) <= p.zero {
		y = math.NaN()
	}
	return append(slices.Clone(row), y)
}

func (p *nonzero) Raw(dst, row []float64)            { p.plain.Raw(dst, p.derive(row)) }
func (p *nonzero) Response(dst, row []float64)       { p.Raw(dst, row) }
func (p *nonzero) Leaves(dst []int32, row []float64) { p.plain.Leaves(dst, p.derive(row)) }

// A file of single precision is compared on rows that it can hold.
func TestWritten(t *testing.T) {
	m := ensemble(chain(t, splits()))
	p := parity.Make(m, parity.DefaultRows)
	rounded := splits()
	for i := range rounded {
		if rounded[i].Kind == tree.Numeric {
			c, never := tree.Below32(tree.As32(rounded[i].SplitPoint))
			if never {
				t.Fatal("a split point below all numbers")
			}
			rounded[i].SplitPoint = c
		}
	}
	ref := &plain{[]*tree.Tree{chain(t, rounded)}, 0.5 + 1e-8}
	largest, err := parity.Written(t.Context(), m, ref, true, p)
	if err != nil || largest == 0 || largest > 2e-8 {
		t.Errorf("largest difference %v, %v", largest, err)
	}
	var different *parity.DifferenceError
	if _, err := parity.Written(t.Context(), m, ref, false, p); !errors.As(err, &different) {
		t.Errorf("in double precision: %v", err)
	}
	rounded[3].Set = []uint64{0b1001}
	ref.trees[0] = chain(t, rounded)
	if _, err := parity.Written(t.Context(), m, ref, true, p); !errors.As(err, &different) {
		t.Errorf("another set: %v", err)
	}
}
