package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// parzen proposes settings by two densities: l of the good trials and g of the others. Of some
// settings drawn from l it takes those of largest l/g (Bergstra et al. 2011, "Algorithms for
// Hyper-Parameter Optimization", section 4). Dimensions are independent of each other, given the
// learner.
type parzen struct{}

const (
	startup    = 10   // trials that are drawn at random first
	candidates = 24   // settings drawn from l
	mostGood   = 25   // trials that l is of, at most
	goodPart   = 0.15 // of all trials

	// How often settings are proposed, and then drawn at random, until no trial has had them.
	attempts, randomAttempts = 20, 1000
)

// blind is of the trials that are drawn at random, for lack of tests.
func (parzen) blind(number int) bool { return number < startup }

// propose proposes settings that no trial has had, if it finds some: where they are a few whole
// numbers and names, the best ones would be proposed again and again.
func (p parzen) propose(
	from *rng.Stream, spaces []space, done []Trial, worse float64,
) (at int, settings []string) {
	tested := func() bool {
		return slices.ContainsFunc(done, func(t Trial) bool {
			return t.Learner == spaces[at].candidate.Name && slices.Equal(t.Settings, settings)
		})
	}
	for range attempts {
		if at, settings = p.once(from, spaces, done, worse); !tested() {
			return at, settings
		}
	}
	for range randomAttempts {
		if at, settings = (random{}).propose(from, spaces, nil, 0); !tested() {
			break
		}
	}
	return at, settings
}

// once proposes settings by the densities.
func (parzen) once(
	from *rng.Stream, spaces []space, done []Trial, worse float64,
) (int, []string) {
	var known []Trial
	for _, t := range done {
		if t.Error == "" && len(t.Tests) > 0 {
			known = append(known, t)
		}
	}
	if len(known) < startup {
		return random{}.propose(from, spaces, nil, 0)
	}
	slices.SortStableFunc(known, func(a, b Trial) int {
		return cmp.Compare(worse*a.Mean(), worse*b.Mean())
	})
	n := min(mostGood, max(2, int(math.Ceil(goodPart*float64(len(known))))))
	good, others := known[:n], known[n:]
	at := learnerOf(from, spaces, good, others)
	s := &spaces[at]
	var settings []string
	for i := range s.all {
		d := &s.all[i]
		if !s.applies(d, settings) {
			continue
		}
		near, far := valuesOf(d, s.candidate.Name, good), valuesOf(d, s.candidate.Name, others)
		settings = append(settings, d.name+"="+d.best(from, near, far))
	}
	return at, settings
}

// learnerOf chooses a learner by how often it occurs among the good trials and among the others.
func learnerOf(from *rng.Stream, spaces []space, good, others []Trial) int {
	if len(spaces) == 1 {
		return 0
	}
	names := make([]string, len(spaces))
	for i := range spaces {
		names[i] = spaces[i].candidate.Name
	}
	learners := func(all []Trial) []string {
		var used []string
		for _, t := range all {
			used = append(used, t.Learner)
		}
		return used
	}
	return slices.Index(names, bestText(from, names, learners(good), learners(others)))
}

// valuesOf returns the values that trials of a learner have in a dimension.
func valuesOf(d *dimension, learner string, all []Trial) []string {
	var values []string
	for _, t := range all {
		if v := d.value(t.Settings); t.Learner == learner && v != "" {
			values = append(values, v)
		}
	}
	return values
}

// best draws values of the density of the near ones, and returns that of the largest ratio to the
// density of the far ones.
func (d *dimension) best(from *rng.Stream, near, far []string) string {
	if len(d.Texts) > 0 {
		return bestText(from, d.Texts, near, far)
	}
	l, g := newDensity(d, near), newDensity(d, far)
	best, ratio := 0.0, math.Inf(-1)
	for range candidates {
		x := l.draw(from)
		if r := kernel.Log(l.at(x)) - kernel.Log(g.at(x)); r > ratio {
			best, ratio = x, r
		}
	}
	return d.At(best)
}

// bestText is best for a list. Each text counts once more than it occurs.
func bestText(from *rng.Stream, texts, near, far []string) string {
	count := func(of []string) ([]float64, float64) {
		n := make([]float64, len(texts))
		for i, t := range texts {
			n[i] = 1
			for _, other := range of {
				if other == t {
					n[i]++
				}
			}
		}
		return n, float64(len(of) + len(texts))
	}
	l, all := count(near)
	g, allOthers := count(far)
	best, ratio := 0, math.Inf(-1)
	for range candidates {
		i, u := 0, float64(from.Float64()*all)
		for u -= l[0]; u >= 0 && i < len(l)-1; {
			i++
			u -= l[i]
		}
		if r := float64(l[i]/all) / float64(g[i]/allOthers); r > ratio {
			best, ratio = i, r
		}
	}
	return texts[best]
}

// density is a mixture of normal densities over places, cut off at 0 and 1: one for each value, as
// wide as the distance to its farther neighbour, and a wide one in the middle.
type density struct {
	center, width []float64
	inside        []float64 // probability of each between 0 and 1
}

func newDensity(d *dimension, values []string) density {
	var m density
	for _, v := range values {
		m.center = append(m.center, d.Place(d.number(v)))
	}
	slices.Sort(m.center)
	least := 1 / float64(min(100, len(m.center)+2))
	for i, c := range m.center {
		low, high := 0.0, 1.0
		if i > 0 {
			low = m.center[i-1]
		}
		if i+1 < len(m.center) {
			high = m.center[i+1]
		}
		m.width = append(m.width, min(1, max(least, c-low, high-c)))
	}
	m.center, m.width = append(m.center, 0.5), append(m.width, 1)
	for i, c := range m.center {
		m.inside = append(m.inside,
			kernel.NormalCDF((1-c)/m.width[i])-kernel.NormalCDF(-c/m.width[i]))
	}
	return m
}

// draw returns a place of the density.
func (m *density) draw(from *rng.Stream) float64 {
	i := from.Intn(len(m.center))
	below := kernel.NormalCDF(-m.center[i] / m.width[i])
	x := kernel.NormalQuantile(below + float64(from.Float64()*m.inside[i]))
	return min(1, max(0, m.center[i]+float64(x*m.width[i])))
}

// at returns the density at a place.
func (m *density) at(x float64) float64 {
	sum := 0.0
	for i, c := range m.center {
		z := (x - c) / m.width[i]
		sum += kernel.Exp(float64(z*z)/-2) / (m.width[i] * m.inside[i])
	}
	return sum / float64(len(m.center))
}
