package eval_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/eval"
)

// The score is that of scikit-learn, f1_score(y, p, average="macro"), here of
// y = a a a b b c and p = a a b b b b. The interval of many rows is about 2 standard errors wide on
// each side, and narrower by the square root of how many more rows there are.
func TestMacroF1(t *testing.T) {
	c := &eval.Confusion{Classes: []string{"a", "b", "c"}, Counts: [][]int64{{2, 1, 0}, {0, 2, 0}, {0, 1, 0}}}
	// F1 of a 2*2/(3+2), of b 2*2/(2+4), of c 0
	if got := c.MacroF1(1); math.Abs(got.Value-(0.8+4.0/6)/3) > 1e-12 || got.Low > got.Value || got.High < got.Value {
		t.Errorf("%+v", got)
	}
	// a class that does not occur does not count
	c = &eval.Confusion{Counts: [][]int64{{3, 1, 0}, {1, 3, 0}, {0, 0, 0}}}
	if got := c.MacroF1(1); got.Value != 0.75 {
		t.Errorf("%+v", got)
	}
	// of two classes alike the score is about the accuracy, whose standard error is known
	var widths []float64
	for _, rows := range []int64{1000, 100_000} {
		c = &eval.Confusion{Counts: [][]int64{{rows * 2 / 5, rows / 10}, {rows / 10, rows * 2 / 5}}}
		got := c.MacroF1(3)
		want := 2 * 1.96 * math.Sqrt(0.2*0.8/float64(rows))
		if wide := got.High - got.Low; math.Abs(wide/want-1) > 0.25 {
			t.Errorf("of %d rows the interval is %g wide, want %g", rows, wide, want)
		}
		widths = append(widths, got.High-got.Low)
	}
	if ratio := widths[0] / widths[1]; math.Abs(ratio-10) > 3 {
		t.Errorf("100 times the rows make the interval narrower by %g", ratio)
	}
	if got := (&eval.Confusion{Counts: [][]int64{{0, 0}, {0, 0}}}).MacroF1(1); !math.IsNaN(got.Value) || !math.IsNaN(got.Low) {
		t.Errorf("%+v", got)
	}
}
