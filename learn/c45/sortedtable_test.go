package c45

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// table is a number in six rows, whose classes change between 2 and 4:
//
//	row    0  1  2  3  4  5
//	x      1  2  4  5  2  4
//	class  a  a  b  b  a  b
func table(t *testing.T) (*data.Frame, *data.Target) {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
		[]data.Column{data.Numbers([]float64{1, 2, 4, 5, 2, 4})})
	if err != nil {
		t.Fatal(err)
	}
	return f, &data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: []uint32{0, 0, 1, 1, 0, 1}}
}

// A tree on the prepared rows has the leaves and the gain that follow from the definition. Four
// rows in two classes have an entropy of 4 bits, which the split removes. The choice between 2
// thresholds costs log2(2) = 1 bit of them (Quinlan 1996).
func TestTableGrowsByGain(t *testing.T) {
	f, target := table(t)
	s, err := sortColumns(t.Context(), learn.Env{Workers: 1})(f, []int32{0, 1, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Prepared.Rows(), []int32{0, 1, 2, 5}) {
		t.Errorf("rows %v", s.Prepared.Rows())
	}
	pop, factors, err := s.Classes("mine", target, &learn.Job{}, data.ClassWeight{})
	if err != nil || factors != nil || len(pop.Rows) != 4 {
		t.Fatalf("population %+v, factors %v, error %v", pop, factors, err)
	}
	grown, err := s.Prepared.GrowC45(t.Context(), pop,
		weighted.C45{MinWeight: 1, Workers: 1, Limits: grow.Limits{Depth: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if grown.Kind(0) != tree.Numeric || grown.NumLeaves() != 2 ||
		math.Abs(grown.Stats.Gain[0]-3) > 1e-12 {
		t.Fatalf("%d leaves, gain %g", grown.NumLeaves(), grown.Stats.Gain[0])
	}
	for row, want := range []float64{2, 2, 0, 0, 2, 0} { // rows of class a in the leaf
		if got := grown.Value(grown.Over(f.Columns).LeafOf(int32(row))); got[0] != want ||
			got[0]+got[1] != 2 {
			t.Errorf("row %d: class counts %v", row, got)
		}
	}
}

// Classes takes the rows of the job, of which a repeated one counts again, and weighs the classes.
func TestClassesByHand(t *testing.T) {
	f, target := table(t)
	s, err := sortColumns(t.Context(), learn.Env{})(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	pop, factors, err := s.Classes("mine", target, &learn.Job{Rows: []int32{3, 1, 1}}, data.ClassWeight{Balanced: true})
	if err != nil {
		t.Fatal(err)
	}
	// balanced: rows / (classes x rows of the class), 3 / (2 x 2) and 3 / (2 x 1)
	if !slices.Equal(factors, []float64{0.75, 1.5}) || !slices.Equal(pop.Rows, []int32{1, 3}) {
		t.Errorf("factors %v, rows %v", factors, pop.Rows)
	}
	if pop.WeightAt(0) != 1.5 || pop.WeightAt(1) != 1.5 {
		t.Errorf("weights %g and %g", pop.WeightAt(0), pop.WeightAt(1))
	}
}

func TestRefused(t *testing.T) {
	f, target := table(t)
	var row *data.RowError
	s, err := sortColumns(t.Context(), learn.Env{})(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Classes("mine", target, &learn.Job{Rows: []int32{6}}, data.ClassWeight{}); !errors.As(err,
		&row) {
		t.Errorf("row 6 of 6 rows: %v", err)
	}
	var task *learn.TaskError
	numbers := &data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 6)}}
	if _, _, err := s.Classes("mine", numbers, &learn.Job{}, data.ClassWeight{}); !errors.As(err, &task) ||
		*task != (learn.TaskError{Learner: "mine", Task: data.Regression}) {
		t.Errorf("regression: %v", err)
	}
	if _, _, err := s.Classes("mine", target, &learn.Job{},
		data.ClassWeight{Of: []param.Named{{Name: "c", Value: 2}}}); err == nil {
		t.Error("a weight of a class that the label does not have is accepted")
	}
}
