package bins

// entry is a distinct value of a weighted set, and what is known of the weight below it and at it.
type entry struct {
	key    uint64
	rmin   float64 // no more than the weight of the values below it
	rmax   float64 // no less than the weight of the values up to it
	weight float64 // no more than the weight of the values that equal it, above 0
}

// after returns a lower bound of the weight up to the value.
func (e *entry) after() float64 { return e.rmin + e.weight }

// before returns an upper bound of the weight below the value.
func (e *entry) before() float64 { return e.rmax - e.weight }

// summary is a weighted set by some of its values, ascending, the least and the greatest among
// them: of the values between two neighbours a and b it is known that they weigh no more than
// b.before() - a.after(), the gap.
type summary []entry

// total returns the weight of the set.
func (s summary) total() float64 {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].rmax
}

// exactly appends the summary of sorted keys that leaves out none.
func exactly(dst summary, sorted []keyed) summary {
	sum := 0.0
	for i := 0; i < len(sorted); {
		k, w := sorted[i].key, sorted[i].weight
		for i++; i < len(sorted) && sorted[i].key == k; i++ {
			w += sorted[i].weight
		}
		dst = append(dst, entry{k, sum, sum + w, w})
		sum += w
	}
	return dst
}

// combine appends the summary of the union of two sets. A gap is no wider than those of the sets
// that it lies in together.
func combine(dst, a, b summary) summary {
	atotal, btotal := a.total(), b.total()
	adone, bdone := 0.0, 0.0 // weight up to the last value that was taken, at least
	for len(a) > 0 && len(b) > 0 {
		x, y := &a[0], &b[0]
		switch {
		case x.key < y.key:
			dst = append(dst, entry{x.key, x.rmin + bdone, x.rmax + y.before(), x.weight})
			adone, a = x.after(), a[1:]
		case x.key > y.key:
			dst = append(dst, entry{y.key, y.rmin + adone, y.rmax + x.before(), y.weight})
			bdone, b = y.after(), b[1:]
		default:
			dst = append(dst, entry{x.key, x.rmin + y.rmin, x.rmax + y.rmax, x.weight + y.weight})
			adone, a = x.after(), a[1:]
			bdone, b = y.after(), b[1:]
		}
	}
	for _, x := range a {
		dst = append(dst, entry{x.key, x.rmin + bdone, x.rmax + btotal, x.weight})
	}
	for _, y := range b {
		dst = append(dst, entry{y.key, y.rmin + adone, y.rmax + atotal, y.weight})
	}
	return dst
}

// prune leaves the values nearest to size evenly spaced ranks, the ends among them, in place. No
// gap gets wider by more than the weight over size-1.
func (s summary) prune(size int) summary {
	if len(s) <= size {
		return s
	}
	n := float64(size - 1)
	begin, width := s[0].rmax, s[len(s)-1].rmin-s[0].rmax
	kept, last := s[:1], 0
	at, here, end := 0, s[0], s[len(s)-1] // kept overwrites nothing behind here
	for k := 1; k < size-1; k++ {
		rank := 2 * (float64(k)*width/n + begin)
		for at+2 < len(s) && rank >= s[at+1].rmin+s[at+1].rmax {
			at++
			here = s[at]
		}
		near := at
		if rank >= here.after()+s[at+1].before() {
			near++
		}
		if near != last && near < len(s)-1 {
			if near > at {
				kept = append(kept, s[near])
			} else {
				kept = append(kept, here)
			}
			last = near
		}
	}
	return append(kept, end)
}

// mass sets d to the values of the summary. Half of the weight of a gap counts to either side.
func (s summary) mass(d *mass) {
	d.reset(false)
	done := 0.0
	for i := range s {
		upto := s.total()
		if i+1 < len(s) {
			upto = (s[i].after() + s[i+1].before()) / 2
		}
		d.key = append(d.key, s[i].key)
		d.weight = append(d.weight, upto-done)
		done = upto
	}
	d.finish()
}
