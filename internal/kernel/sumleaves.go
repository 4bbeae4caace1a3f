package kernel

// SumLeaves adds to each row's sum what the row's leaves give in some trees, in the order of the
// trees: sum[r] += value[at[t]+leaf[t*ScanRows+r]]. at is by tree; rows are at most ScanRows. leaf
// holds numbers of leaves for rows rounded up to a multiple of four.
func SumLeaves(sum []float64, leaf []uint8, value []float64, at []uint32, rows int) {
	for r := sumLeavesInEights(sum, leaf, value, at, rows); r < rows; r++ {
		s := sum[r]
		for t, from := range at {
			s += value[int(from)+int(leaf[t*ScanRows+r])]
		}
		sum[r] = s
	}
}

// sumLeavesPlain is the twin of the assembly: eight rows at a time, so that their sums do not wait
// for each other. It returns how many rows it did.
func sumLeavesPlain(sum []float64, leaf []uint8, value []float64, at []uint32, rows int) int {
	n := rows &^ 7
	for lo := 0; lo < n; lo += 8 {
		s := (*[8]float64)(sum[lo:])
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for t, from := range at {
			v := value[from:]
			l := (*[8]uint8)(leaf[t*ScanRows+lo:])
			s0 += v[l[0]]
			s1 += v[l[1]]
			s2 += v[l[2]]
			s3 += v[l[3]]
			s4 += v[l[4]]
			s5 += v[l[5]]
			s6 += v[l[6]]
			s7 += v[l[7]]
		}
		*s = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
	return n
}

// SumRow returns a sum plus what the leaves of one row give in some trees, in the order of the
// trees: value[at[t]+leaf[t]]. at is by tree, and leaf is as long or longer.
func SumRow(sum float64, leaf []uint8, value []float64, at []uint32) float64 {
	for t := sumRowInFours(&sum, leaf, value, at); t < len(at); t++ {
		sum += value[int(at[t])+int(leaf[t])]
	}
	return sum
}
