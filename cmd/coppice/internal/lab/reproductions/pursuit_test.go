package reproductions

import "testing"

// TestPursuit: sums done again of another training set than the page's agree.
func TestPursuit(t *testing.T) {
	ds, err := waveAt(60)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pursuitOf(t.Context(), &Env{}, ds, 10)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.result(ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.steps) != 10 || !r.Kept() {
		t.Errorf("%d rounds, findings %+v", len(f.steps), r.Findings)
	}
	f.steps[3].taken *= 1 + 1e-9
	if r, err = f.result(ds); err != nil || r.Kept() {
		t.Errorf("a wrong balance is kept, error %v", err)
	}
}
