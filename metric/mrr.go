package metric

// newMRR is 1 / the place of the first relevant row of a group, which is one of a grade above 0,
// and its mean over the groups that have one. Of rows of equal predictions it is the expected value
// over all their orders (McSherry & Najork 2008).
func newMRR(c *common) sum {
	return groupMetric{name: "mrr", worst: true, group: reciprocalPlace}.begin(c)
}

// reciprocalPlace takes the first score that a relevant row has. Of its n rows r are relevant. The
// probability that the first one of these is at place j is r/n for j = 0, and from each place to
// the next it falls by (n-r-j) / (n-1-j).
func reciprocalPlace(l *list) float64 {
	for from := 0; from < len(l.grade); {
		to := l.tie(from)
		n, r := to-from, l.relevant(from, to)
		if r == 0 {
			from = to
			continue
		}
		sum, first := 0.0, float64(r)/float64(n)
		for j := range n - r + 1 {
			sum += first / float64(from+j+1)
			if j < n-r {
				first *= float64(n-r-j) / float64(n-1-j)
			}
		}
		return sum
	}
	return 0
}
