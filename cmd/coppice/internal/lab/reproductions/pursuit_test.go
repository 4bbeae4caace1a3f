package reproductions

import "testing"

// TestPursuit: sums done again of another training set than the page's agree.
func TestPursuit(t *testing.T) {
	ds, err := waveAt(60)
	if err != nil {
		t.Fatal(err)
	}
	f := pursuitOf(t.Context(), &Env{}, ds, 10)
	r := f.result(ds)
	if len(f.steps) != 10 || !r.Kept() {
		t.Errorf("%d rounds, findings %+v", len(f.steps), r.Findings)
	}
	f.steps[3].taken *= 1 + 1e-9
	if f.result(ds).Kept() {
		t.Error("a wrong balance is kept")
	}
}
