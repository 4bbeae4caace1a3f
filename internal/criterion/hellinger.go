package criterion

import "math"

// hellinger is the Hellinger distance between the fractions of two classes that go to each child
// (Cieslak & Chawla 2008, "Learning decision trees for unbalanced data"). With class weights a, b
// of a child and A, B of the parent, W = A + B,
//
//	d^2 = sum over children (sqrt(a/A) - sqrt(b/B))^2 = 2 - 2 sum sqrt(a/A b/B)
//
// so that with the impurity I = W sqrt(a b / (A B)), which is W for the parent itself, the gain is
// W d^2 / 2. The split of largest distance wins. A node of one class has impurity 0. Because each
// class is taken relative to the parent, a rare class counts as much as a frequent one.
//
// For more classes I is the mean over the classes k of the parent of the impurity of class k
// against the rest, which for two classes is the same.
type hellinger struct{}

func newHellinger(classes int) Criterion {
	if classes == 2 {
		return hellinger2{}
	}
	return hellinger{}
}

// leastFraction is the fraction of a parent's weight below which a child's is nothing but the
// rounding of a difference. The square root would make it large.
const leastFraction = 1e-12

func (h hellinger) Impurity(dst, stats, parent []float64) {
	k := width(dst, stats)
	total, scale := h.scales(parent)
	for i := range dst {
		set := stats[i*k : (i+1)*k]
		w := 0.0
		for _, c := range set {
			w += c
		}
		sum := 0.0
		for j, c := range set {
			if rest := w - c; scale[j] > 0 && c > leastFraction*parent[j] &&
				rest > leastFraction*(total-parent[j]) {
				sum += float64(math.Sqrt(c*rest) * scale[j])
			}
		}
		dst[i] = sum
	}
}

// scales returns the weight of the parent and, for each class, what sqrt(a b) is multiplied by.
func (h hellinger) scales(parent []float64) (total float64, scale []float64) {
	present := 0.0
	for _, c := range parent {
		if c > 0 {
			total += c
			present++
		}
	}
	scale = make([]float64, len(parent))
	if present > 1 {
		for j, c := range parent {
			if c > 0 {
				scale[j] = total / (present * math.Sqrt(c*(total-c)))
			}
		}
	}
	return total, scale
}

// hellinger2 is hellinger for two classes.
type hellinger2 struct{}

func (hellinger2) Impurity(dst, stats, parent []float64) {
	scale := hellingerScale(parent)
	leastA, leastB := leastFraction*parent[0], leastFraction*parent[1]
	for i := range dst {
		a, b := stats[2*i], stats[2*i+1]
		if a > leastA && b > leastB {
			dst[i] = math.Sqrt(a*b) * scale
		} else {
			dst[i] = 0
		}
	}
}

// hellingerScale returns what sqrt(a b) is multiplied by.
func hellingerScale(parent []float64) float64 {
	a, b := parent[0], parent[1]
	if a > 0 && b > 0 {
		return (a + b) / math.Sqrt(a*b)
	}
	return 0
}

// Scan minimises sqrt(a b) summed over both sides.
func (hellinger2) Scan(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	tie := c.Tie / hellingerScale(c.Total)
	first, rows := int(c.Start[1]), c.Rows
	ones, all := c.Total[1], float64(c.Node)
	bestFirst, bestRows := 0, 0
	e := c.Known[0]
	for i, next := range c.Known[1:] {
		k := int(c.count(e))
		first += k * int(e.Key&1)
		rows += k
		boundary := e.Key>>1 != next.Key>>1
		e = next
		if rows > to {
			break
		}
		if !boundary || rows < from {
			continue
		}
		n, left := float64(rows), float64(first)
		right := ones - left
		worth := -math.Sqrt(left*(n-left)) - math.Sqrt(right*(all-n-right))
		if best.better(worth, 1) {
			best.take(i+1, worth, 1, tie)
			bestFirst, bestRows = first, rows
		}
	}
	b.At, b.Rows = best.at, bestRows
	b.First = append(b.First[:0], float64(bestRows-bestFirst), float64(bestFirst))
}
