package stack

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
)

// pooled generates predictions of members: class probabilities, some of them 0.
func pooled(t *rapid.T) *product {
	p := &product{members: rapid.IntRange(1, 4).Draw(t, "members"),
		classes: rapid.IntRange(2, 4).Draw(t, "classes"),
		l2:      rapid.Float64Range(0.05, 3).Draw(t, "l2")}
	p.towards = 1 / float64(p.members)
	c := &committee.Committee{Combine: committee.Product, Floor: 0.01}
	random := rng.New(rapid.Uint64().Draw(t, "seed"))
	for range rapid.IntRange(1, 60).Draw(t, "rows") {
		for range p.members {
			probabilities, sum := make([]float64, p.classes), 0.0
			for k := range probabilities {
				if random.Intn(3) > 0 {
					probabilities[k] = random.Float64()
				}
				sum += probabilities[k]
			}
			for k := range probabilities {
				probabilities[k] /= max(sum, 1e-9)
			}
			c.Centre(probabilities)
			p.x = append(p.x, probabilities...)
		}
		p.class, p.weight = append(p.class, uint32(random.Intn(p.classes))),
			append(p.weight, random.Float64())
	}
	return p
}

// At the least loss no weight that is 0 has a slope downhill, and one that is not has none.
func TestPoolIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pooled(t)
		w := p.solve()
		const h = 1e-5
		for m := range w {
			was := w[m]
			w[m] = was + h
			up := p.at(w, nil)
			w[m] = was - h
			down := p.at(w, nil)
			w[m] = was
			slope := (up - down) / (2 * h)
			if was < 0 || slope < -1e-4 || was > 1e-9 && math.Abs(slope) > 1e-4 {
				t.Fatalf("weight %d of %v has slope %g", m, w, slope)
			}
		}
	})
}

// A power and biases are where the loss is least: it has no slope there, but where the power is 0,
// and the biases add up to 0.
func TestScaleIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pooled(t)
		rows := len(p.class)
		s := &scale{classes: p.classes, class: p.class, weight: p.weight, l2: p.l2,
			biasL2: rapid.Float64Range(0.05, 9).Draw(t, "bias l2")}
		for i := range rows { // the first member
			s.x = append(s.x, p.x[i*p.members*p.classes:][:p.classes]...)
		}
		if rapid.Bool().Draw(t, "contrary") {
			for i := range s.x {
				s.x[i] = -s.x[i]
			}
		}
		power, bias := s.solve()
		v := append([]float64{power}, bias...)
		const h = 1e-5
		sum := 0.0
		for a, was := range v {
			v[a] = was + h
			up := s.at(v)
			v[a] = was - h
			down := s.at(v)
			v[a] = was
			slope := (up - down) / (2 * h)
			if a > 0 {
				sum += was
			}
			if a == 0 && (was < 0 || slope < -1e-4) || (a > 0 || was > 0) &&
				math.Abs(slope) > 1e-4 {
				t.Fatalf("parameter %d of %v has slope %g", a, v, slope)
			}
		}
		if math.Abs(sum) > 1e-8 {
			t.Fatalf("biases %v add up to %g", bias, sum)
		}
	})
}
