package kernel

// Squares is what a split point between values of a column is judged by: the numbers of rows by
// class up to a value, summed in three ways.
type Squares struct {
	Side  int32 // sum of their squares
	Cross int32 // sum of their products with the numbers of all rows
	Rows  int32
	Value int32
}

// mostSquaredClasses is the number of counters that a value has in CumulateSquares at most.
const mostSquaredClasses = 64

// CumulateSquares writes cumulative sums over the rows up to each value, for the values that have
// rows, in order, and returns how many these are. counts has stride counters for each value, the
// rows of each class, and is cleared. stride is a multiple of 16, at most 64; there is a value at
// least, and there are no more than 32767 rows. out is longer by one than the number of values.
//
//	class      0  1  2          side         cross                     rows
//	value 0    2  0  1          4 + 1        2 3 + 1 2                 3
//	value 1    1  0  1          9 + 4        3 3 + 2 2                 5
//	all        3  0  2
func CumulateSquares(out []Squares, counts []uint16, stride int) int {
	values := len(counts) / stride
	if stride&15 != 0 || stride > mostSquaredClasses || values == 0 || len(out) <= values {
		panic("kernel: a table that CumulateSquares does not take")
	}
	return cumulateSquares(out, counts[:values*stride], stride)
}

// plainSquares is CumulateSquares.
func plainSquares(out []Squares, counts []uint16, stride int) int {
	var all, first [mostSquaredClasses]int32
	for at := 0; at < len(counts); at += stride {
		for class, n := range counts[at : at+stride] {
			all[class&(mostSquaredClasses-1)] += int32(n)
		}
	}
	n, s := 0, Squares{}
	for at := 0; at < len(counts); at += stride {
		before := s.Rows
		for class, k := range counts[at : at+stride] {
			if k == 0 {
				continue
			}
			k, f := int32(k), &first[class&(mostSquaredClasses-1)]
			s.Side += k * (2**f + k)
			s.Cross += k * all[class&(mostSquaredClasses-1)]
			s.Rows += k
			*f += k
		}
		if s.Rows > before {
			out[n] = s
			n++
		}
		s.Value++
	}
	clear(counts)
	return n
}
