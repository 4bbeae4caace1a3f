package reproductions

import "testing"

func TestMtry(t *testing.T) {
	r := mtryOf(t.Context(), &Env{},
		mtrySize{columns: []int{1, 4, 16}, shown: 1, trees: []int{1, 5, 40}, splits: 1, rows: 1500})
	if e := r.byMtry; e.test[1] >= e.test[0] || e.test[1] >= e.test[2] ||
		e.outOfBag[1] >= e.outOfBag[0] || e.outOfBag[1] >= e.outOfBag[2] {
		t.Errorf("errors %.3f, out of the bag %.3f with mtry 1, 4, 16: want both to be least at 4",
			e.test, e.outOfBag)
	}
	if e := r.byTrees; e.test[0] <= e.test[1] || e.test[1] <= e.test[2] ||
		e.outOfBag[1] <= e.outOfBag[2] {
		t.Errorf("errors %.3f, out of the bag %.3f of 1, 5, 40 trees: want them to fall", e.test,
			e.outOfBag)
	}
	// a row is out of the bag of a third of 40 trees: of more than 5 and of fewer than 40
	if e := r.byTrees; e.outOfBag[2] <= e.test[2] || e.outOfBag[2] >= e.test[1] {
		t.Errorf("out-of-bag error %.3f of 40 trees, test errors %.3f of 1, 5, 40",
			e.outOfBag[2], e.test)
	}
	if e := r.byMtry; e.test[1] != r.byTrees.test[2] {
		t.Errorf("the largest forest with mtry 4 has the errors %g and %g", e.test[1],
			r.byTrees.test[2])
	}
	row := mtry
	whole(t, &row, r.result())
}
