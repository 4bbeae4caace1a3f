package trees

import "math/bits"

// sums makes the cells of a leaf from the patterns of satisfied players that were seen in a
// background. Wettenstein & Nadel 2025 (Woodelf, arXiv 2511.09376) count patterns in this way.
//
// Let p be the pattern of a row x. Of the background's rows only those of patterns q with p | q =
// all players count. x alone satisfies the players that q has not, a of them. The background's row
// alone satisfies those that p has not, b of them. By the integrals of setWeight a player of the
// former adds, and one of the latter subtracts, the integral over t of
//
//	t^(a-1) (1-t)^b    t^a (1-t)^(b-1)
//
// So at each point t of a quadrature one sum over subsets serves all patterns p:
//
//	F_e(p) = sum of t^(a-e) seen(q) over the q of a >= e whose players that they have not are in p
//
// F_1(p) less F_1(p without j) has the rows that do not satisfy j. Pairs need the differences of
// F_2 by two players. It costs time in proportion to 2^players x players^2, however many rows the
// background has.
type sums struct {
	players int
	f       []float64    // F_1, of pairs F_2
	one     []float64    // sum of seen over the q of a = 1, by p
	power   []float64    // of 1-t
	sum     [6][]float64 // integrals by pattern
}

func newSums(players int) *sums {
	s := &sums{f: make([]float64, 1<<players), one: make([]float64, 1<<players),
		power: make([]float64, players+1)}
	for i := range s.sum {
		s.sum[i] = make([]float64, 1<<players)
	}
	return s
}

// leaf writes the cells of a leaf of value 1 for each pattern of players that a row satisfies, as
// Index.leaf. seen has the fraction of the background's rows by the pattern of theirs.
func (s *sums) leaf(x Index, dst, seen []float64) {
	s.players = bits.Len(uint(len(seen))) - 1
	for i := range s.sum {
		clear(s.sum[i][:len(seen)])
	}
	if x == Pairs {
		s.pairs(dst, seen)
		return
	}
	s.singles(dst, seen)
}

// transform computes f at a point: F_e.
func (s *sums) transform(seen []float64, t float64, e int) {
	power := 1.0
	for i := range s.power {
		s.power[i] = power
		power *= t
	}
	all := len(seen) - 1
	f := s.f[:len(seen)]
	for p := range f {
		f[p] = 0
		if a := bits.OnesCount(uint(p)); a >= e {
			f[p] = seen[all^p] * s.power[a-e]
		}
	}
	for half := 1; half < len(f); half *= 2 {
		for from := 0; from < len(f); from += 2 * half {
			low, high := f[from:from+half], f[from+half:from+2*half]
			for i, v := range low {
				high[i] += v
			}
		}
	}
	power = 1.0
	for i := range s.power {
		s.power[i] = power
		power *= 1 - t
	}
}

// singles writes the contributions of players.
func (s *sums) singles(dst, seen []float64) {
	rule := ruleFor(s.players - 1)
	all := len(seen) - 1
	with, without, absent := s.sum[0], s.sum[1], s.sum[2]
	for i, t := range rule.point {
		s.transform(seen, t, 1)
		for p, f := range s.f[:len(seen)] {
			f *= rule.weight[i]
			b := s.players - bits.OnesCount(uint(p))
			with[p] += float64(f * s.power[b])
			if b > 0 {
				without[p] += float64(f * s.power[b-1])
				zero := float64(seen[all]*rule.weight[i]) + float64(t*f) // F_0
				absent[p] += float64(zero * s.power[b-1])
			}
		}
	}
	for p := range seen {
		cells := dst[p*s.players:][:s.players]
		for j := range cells {
			if p>>j&1 != 0 {
				cells[j] = with[p] - without[p&^(1<<j)]
			} else {
				cells[j] = -absent[p]
			}
		}
	}
}

// pairs writes the interactions of players.
func (s *sums) pairs(dst, seen []float64) {
	rule := ruleFor(max(0, s.players-2))
	all := len(seen) - 1
	s.one[0] = 0
	for p := 1; p < len(seen); p++ {
		s.one[p] = s.one[p&(p-1)] + seen[all^(p&-p)]
	}
	for i, t := range rule.point {
		s.transform(seen, t, 2)
		for p, two := range s.f[:len(seen)] {
			w := rule.weight[i] / 2
			b := s.players - bits.OnesCount(uint(p))
			one := s.one[p] + float64(t*two)   // F_1
			zero := seen[all] + float64(t*one) // F_0
			s.sum[0][p] += float64(w * two * s.power[b])
			if b > 0 {
				s.sum[1][p] += float64(w * two * s.power[b-1])
				s.sum[3][p] += float64(w * one * s.power[b-1])
			}
			if b > 1 {
				s.sum[2][p] += float64(w * two * s.power[b-2])
				s.sum[4][p] += float64(w * one * s.power[b-2])
				s.sum[5][p] += float64(w * zero * s.power[b-2])
			}
		}
	}
	at := 0
	for p := range seen {
		for j := range s.players {
			for i := range j {
				dst[at] = s.pair(p, 1<<i, 1<<j)
				at++
			}
		}
	}
}

// pair returns the interaction of two players, given as bits.
func (s *sums) pair(p, i, j int) float64 {
	switch {
	case p&i == 0 && p&j == 0:
		return s.sum[5][p]
	case p&i == 0:
		return s.sum[4][p&^j] - s.sum[3][p]
	case p&j == 0:
		return s.sum[4][p&^i] - s.sum[3][p]
	}
	return s.sum[0][p] - s.sum[1][p&^i] - s.sum[1][p&^j] + s.sum[2][p&^(i|j)]
}
