package quality

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// The limits of the check of shifts. A distance must be large, and larger than chance makes it in
// one of 300,000 columns.
const (
	shifted   = 0.1
	leastTest = 50 // rows that each sample must have
	ksBeyond  = 2.5
	normalQ   = 4.5 // quantile of the normal distribution, for the chi-squared bound
)

// shift compares the distribution of each column, and of the label, in training and test set: of
// numbers by the statistic of Kolmogorov and Smirnov, of categories and classes by the total
// variation distance. Missing values count as a value of their own. Rows of a group are alike, so
// groups count as the sizes of both sets.
func shift(t *inspected) []Warning {
	if len(t.sample) < leastTest || len(t.testSeen) < leastTest {
		return nil
	}
	distances := make([]float64, len(t.columns))
	n, m := independentRows(t, t.sample), independentRows(t, t.testSeen)
	t.each(func(i int) { distances[i] = distanceOf(t, &t.Columns[i], n, m) })
	type moved struct {
		name     string
		distance float64
	}
	var all []moved
	add := func(name string, d float64) {
		switch at := len(all) - 1; {
		case d == 0:
		case at >= 0 && all[at].name == name: // two parts of one date
			all[at].distance = max(all[at].distance, d)
		default:
			all = append(all, moved{name, d})
		}
	}
	if label := t.label(); label != nil {
		add(t.Target.Name, distanceOf(t, label, n, m))
	}
	for i, d := range distances {
		// The numbers of rows of two files, or the names of their rows, differ always.
		if t.columns[i].identifier == "" && !(d > 0 && t.withTime(i)) {
			add(t.name(i), d)
		}
	}
	if all == nil {
		return nil
	}
	slices.SortStableFunc(all, func(a, b moved) int { return cmp.Compare(b.distance, a.distance) })
	w := Warning{Value: all[0].distance,
		Advice: "metrics on the test set may not be those on new rows; check how both sets " +
			"were sampled"}
	var texts []string
	for i, m := range all {
		w.Columns = append(w.Columns, m.name)
		if i < listed {
			texts = append(texts, fmt.Sprintf("%q by %.2f", m.name, m.distance))
		}
	}
	list := andMore(texts, len(all))
	w.Message = "the distribution differs between training and test set in column " + list
	if len(all) > 1 {
		w.Message = fmt.Sprintf("the distributions of %d columns differ between training and "+
			"test set, %s", len(all), list)
	}
	return []Warning{w}
}

// withTime reports whether a column is the time by which rows are split, or grows or falls with it:
// a test set of later rows has other values of it.
func (t *inspected) withTime(column int) bool {
	time := t.Target.Time
	if time == nil {
		return false
	}
	if t.name(column) == t.Target.Roles.Time {
		return true
	}
	c := &t.Columns[column]
	if c.Codes() != nil {
		return false
	}
	rows := slices.Concat(t.sample, t.testSeen)
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(time[a], time[b]) })
	up, down := true, true
	for i, v := range numbers(c, rows) {
		if i == 0 {
			continue
		}
		before := c.Number(int(rows[i-1]))
		up, down = up && before <= v, down && before >= v // NaN is neither
	}
	return up || down
}

// label returns the label as a column, nil if there is none.
func (t *inspected) label() *data.Column {
	switch target := &t.Target; {
	case target.Class != nil:
		codes := data.Codes(target.Class)
		return &codes
	case len(target.Y) == 1:
		numbers := data.Numbers(target.Y[0])
		return &numbers
	}
	return nil
}

// distanceOf returns the distance between the two samples of a column, 0 if it is small or may be
// chance between so many independent rows.
func distanceOf(t *inspected, c *data.Column, n, m float64) float64 {
	if c.Codes() == nil {
		d := kolmogorov(sorted(c, t.sample), sorted(c, t.testSeen))
		if d <= shifted {
			return 0
		}
		if d*math.Sqrt(n*m/(n+m)*unlikePrevious(t, c)) <= ksBeyond {
			return 0
		}
		return d
	}
	weight := (n + m) / float64(len(t.sample)+len(t.testSeen))
	d, chi, quantile := variation(c.Codes(), t.sample, t.testSeen)
	if d <= shifted || chi*weight*unlikePrevious(t, c) <= quantile {
		return 0
	}
	return d
}

// unlikePrevious returns what part of the rows is independent, if rows are split by time: 1 - r of
// 1 + r, where r is the correlation of a row with the one before it (of categories how often they
// agree, beyond chance). So much is the variance of the mean of such a series larger.
func unlikePrevious(t *inspected, c *data.Column) float64 {
	time := t.Target.Time
	if time == nil {
		return 1
	}
	rows := slices.Clone(t.sample)
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(time[a], time[b]) })
	var r float64
	if codes := c.Codes(); codes != nil {
		pairs := make([][]int32, 0, len(rows)/2)
		for i := 0; i+1 < len(rows); i += 2 {
			pairs = append(pairs, rows[i:i+2])
		}
		r = classLikeness(pairs, codes)
	} else {
		r = correlation(numbers(c, rows))
	}
	r = min(max(r, 0), 0.999)
	return (1 - r) / (1 + r)
}

// correlation returns the correlation of each value with the next one, 0 if there is none. Missing
// values and their neighbours do not count.
func correlation(values []float64) float64 {
	mean, n := 0.0, 0.0
	for _, v := range values {
		if v == v {
			mean += v
			n++
		}
	}
	mean /= n
	products, squares := 0.0, 0.0
	for i, v := range values {
		if v != v {
			continue
		}
		squares += float64((v - mean) * (v - mean))
		if i > 0 && values[i-1] == values[i-1] {
			products += float64((v - mean) * (values[i-1] - mean))
		}
	}
	if r := products / squares; r == r {
		return r
	}
	return 0
}

// independentRows returns the number of rows or, where they are of groups, that of groups.
func independentRows(t *inspected, rows []int32) float64 {
	group := t.Target.Group
	if group == nil {
		return float64(len(rows))
	}
	seen := map[int64]bool{}
	for _, row := range rows {
		seen[group[row]] = true
	}
	return float64(len(seen))
}

func sorted(c *data.Column, rows []int32) []float64 {
	some := numbers(c, rows)
	slices.Sort(some) // NaN is first
	return some
}

// kolmogorov returns the largest difference between the distribution functions of two sorted
// samples, where NaN is the least value.
func kolmogorov(a, b []float64) float64 {
	most := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		v := a[i]
		if cmp.Less(b[j], v) {
			v = b[j]
		}
		for i < len(a) && cmp.Compare(a[i], v) == 0 {
			i++
		}
		for j < len(b) && cmp.Compare(b[j], v) == 0 {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// variation returns the total variation distance between the categories of two samples, and the
// chi-squared statistic of their table with what it exceeds beyond chance (Wilson and Hilferty's
// approximation of its quantile).
func variation(codes []uint32, a, b []int32) (distance, chi, quantile float64) {
	counts := map[uint32][2]float64{}
	for which, rows := range [][]int32{a, b} {
		for _, row := range rows {
			k := counts[codes[row]]
			k[which]++
			counts[codes[row]] = k
		}
	}
	n, m := float64(len(a)), float64(len(b))
	levels := make([]uint32, 0, len(counts))
	for code := range counts {
		levels = append(levels, code)
	}
	slices.Sort(levels) // sums in a fixed order
	for _, code := range levels {
		k := counts[code]
		distance += float64(math.Abs(k[0]/n-k[1]/m) / 2)
		pooled := (k[0] + k[1]) / (n + m)
		first, second := k[0]-float64(n*pooled), k[1]-float64(m*pooled)
		chi += float64(first*first)/(n*pooled) + float64(second*second)/(m*pooled)
	}
	df := float64(len(levels) - 1)
	if df == 0 {
		return 0, 0, 0
	}
	root := 1 - 2/(9*df) + float64(normalQ*math.Sqrt(2/(9*df)))
	return distance, chi, float64(df*root) * float64(root*root)
}
