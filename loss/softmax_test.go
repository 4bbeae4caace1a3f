package loss_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestSoftmaxKeepsDigits: derivatives are those of the definition to the last digits, also where a
// probability is next to 1: of the row's own class, of another one, or of none.
func TestSoftmaxKeepsDigits(t *testing.T) {
	const rows, classes = 300, 5
	s := rng.New(3)
	target := &data.Target{Classes: []string{"a", "b", "c", "d", "e"}}
	raw := make([]float64, rows*classes)
	for i := range rows {
		target.Class = append(target.Class, uint32(i%classes))
		for k := range classes {
			raw[k*rows+i] = s.Float64()
		}
		switch i % 3 {
		case 1:
			raw[i%classes*rows+i] += 40 * s.Float64()
		case 2:
			raw[(i+1)%classes*rows+i] += 40 * s.Float64()
		}
	}
	o, err := bind(t, "softmax", nil, target)
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, len(raw)), make([]float64, len(raw))
	o.Gradients(g, h, raw, 1)
	unlike := func(got, want float64) bool { return math.Abs(got-want) > 1e-13*math.Abs(want) }
	for i := range rows {
		power := func(k int) float64 { return math.Exp(raw[k*rows+i]) }
		all := 0.0
		for k := range classes {
			all += power(k)
		}
		for k := range classes {
			others := 0.0
			for j := range classes {
				if j != k {
					others += power(j) / all
				}
			}
			p := power(k) / all
			first, second := p, float64(classes)/(classes-1)*p*others
			if k == i%classes {
				first = -others
			}
			if at := k*rows + i; unlike(g[at], first) || unlike(h[at], second) {
				t.Fatalf("row %d, class %d: %v and %v, want %v and %v", i, k, g[at], h[at], first, second)
			}
		}
	}
}
