package kernel

// NearPoints is the number of points of a group for Near.
const NearPoints = 32

// Near returns which points of a group are at most so far from a query: bit i is of point i, and
// limit is the square of a distance. A group has the first numbers of its points, then the second
// ones, and so on; the query has one number for each. Sums run in the order of the numbers.
//
//	group    x0 x1 ... x31   y0 y1 ... y31   z0 z1 ... z31
//	query    x               y               z
func Near(query, group []float32, limit float32) uint32 {
	if len(query) == 0 || len(group) != len(query)*NearPoints {
		panic("kernel: a group that is not of the query's width")
	}
	return near(query, group, limit)
}

// nearPlain is Near.
func nearPlain(query, group []float32, limit float32) uint32 {
	var sums [NearPoints]float32
	for k, q := range query {
		for i, p := range group[k*NearPoints:][:NearPoints] {
			d := q - p
			sums[i] += float32(d * d)
		}
	}
	bits := uint32(0)
	for i, s := range sums {
		if s <= limit {
			bits |= 1 << i
		}
	}
	return bits
}
