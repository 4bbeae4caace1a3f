package axes

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// BySimilarity returns some codes of a categorical column of a table in an order in which
// neighbours have similar rows in the other columns (Apley & Zhu 2020, appendix E). The distance of
// two levels is the sum over the other columns of the greatest difference of their distributions,
// and of half the sum of differences for levels. Places on a line come from it by classical
// multidimensional scaling. place has by code of the dictionary its place in the order, -1 for
// other codes.
func BySimilarity(f *data.Frame, column int, codes []uint32) (ordered []uint32, place []int32) {
	place = make([]int32, len(f.Schema.Fields[column].Levels))
	for code := range place {
		place[code] = -1
	}
	for i, code := range codes {
		place[code] = int32(i)
	}
	n := len(codes)
	distance := make([]float64, n*n)
	of := f.Columns[column].Codes()
	for c := range f.Columns {
		if c == column {
			continue
		}
		addDistances(distance, n, shapes(&f.Schema.Fields[c], &f.Columns[c], of, place, n),
			f.Schema.Fields[c].Kind == data.Categorical)
	}
	line := scaled(distance, n)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(line[a], line[b]) })
	for to, from := range order {
		ordered = append(ordered, codes[from])
		place[codes[from]] = int32(to)
	}
	return ordered, place
}

// steps is the number of values at which distributions of numbers are compared.
const steps = 100

// shapes returns by level the distribution of a column: fractions of its levels, or the cumulative
// ones of its numbers at some values.
func shapes(field *data.Field, c *data.Column, of []uint32, place []int32, n int) [][]float64 {
	var bin func(row int) int
	var bins int
	if field.Kind == data.Categorical {
		bins = len(field.Levels)
		bin = func(row int) int { return int(c.Code(row)) }
	} else {
		sorted := Ascending(c)
		if len(sorted) == 0 {
			return nil
		}
		var values []float64
		for i := range steps {
			values = append(values, Quantile(sorted, float64(i+1)/steps))
		}
		values = slices.Compact(values)
		bins = len(values)
		all := c.Numbers()
		bin = func(row int) int {
			x := all[row]
			if math.IsNaN(x) {
				return bins
			}
			at, _ := slices.BinarySearch(values, x)
			return at
		}
	}
	shape := make([][]float64, n)
	for i := range shape {
		shape[i] = make([]float64, bins)
	}
	total := make([]float64, n)
	for row, code := range of {
		if at := place[code]; at >= 0 {
			if b := bin(row); b < bins {
				shape[at][b]++
				total[at]++
			}
		}
	}
	for i := range shape {
		for b := range shape[i] {
			shape[i][b] /= max(1, total[i])
			if b > 0 && field.Kind != data.Categorical {
				shape[i][b] += shape[i][b-1]
			}
		}
	}
	return shape
}

// addDistances adds the distances of distributions of one column.
func addDistances(distance []float64, n int, shape [][]float64, levels bool) {
	for i := range shape {
		for j := range i {
			sum, most := 0.0, 0.0
			for b, x := range shape[i] {
				d := math.Abs(x - shape[j][b])
				sum += d
				most = max(most, d)
			}
			if levels {
				most = sum / 2
			}
			distance[i*n+j] += most
			distance[j*n+i] += most
		}
	}
}

// scaled returns places on a line whose distances are near those of a matrix: the first axis of
// classical multidimensional scaling, by power iteration from places in the given order.
func scaled(distance []float64, n int) []float64 {
	gram := centred(distance, n)
	line, next := make([]float64, n), make([]float64, n)
	for i := range line {
		line[i] = float64(i + 1)
	}
	bound := 0.0 // of the eigenvalues; added to all of them, so that the largest one wins
	for i := range n {
		sum := 0.0
		for _, x := range gram[i*n:][:n] {
			sum += math.Abs(x)
		}
		bound = max(bound, sum)
	}
	for range 1000 {
		norm := 0.0
		for i := range next {
			next[i] = float64(bound * line[i])
			for j, x := range gram[i*n:][:n] {
				next[i] += float64(x * line[j])
			}
			norm = max(norm, math.Abs(next[i]))
		}
		if norm == 0 {
			break
		}
		change := 0.0
		for i := range next {
			next[i] /= norm
			change = max(change, math.Abs(next[i]-line[i]))
		}
		line, next = next, line
		if change < 1e-12 {
			break
		}
	}
	return line
}

// centred returns minus half of the squared distances, with means of rows and columns 0.
func centred(distance []float64, n int) []float64 {
	gram := make([]float64, n*n)
	mean, all := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			d := distance[i*n+j]
			gram[i*n+j] = -float64(d*d) / 2
			mean[i] += gram[i*n+j] / float64(n)
		}
		all += mean[i] / float64(n)
	}
	for i := range n {
		for j := range n {
			gram[i*n+j] += all - mean[i] - mean[j]
		}
	}
	return gram
}
