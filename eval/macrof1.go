package eval

import (
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
)

// forConfusion is a stream of resamples.
const forConfusion = 5

// MacroF1 returns the mean over the classes of the F1 score of each, as scikit-learn's f1_score
// with average="macro", and its bootstrap interval of 95 %. A class that no row has and none is
// predicted as does not count. Rows count alike, without weights.
//
// To draw rows with replacement is to draw entries of the matrix by their counts, so the interval
// is that of Intervals, of as many resamples. Of more than 10,000 rows, so many are drawn, and
// deviations are times the square root of the fraction. All three are NaN for a matrix of no rows.
func (c *Confusion) MacroF1(seed uint64) Interval {
	var ends []int64 // of the entries, in the order of the matrix
	rows := int64(0)
	for _, counts := range c.Counts {
		for _, n := range counts {
			rows += n
			ends = append(ends, rows)
		}
	}
	v := metric.Value{Name: "macro_f1", Value: macroF1(c.Counts)}
	drawn := min(rows, recordedRows)
	if drawn == 0 {
		return Interval{v.Name, v.Value, v.Value, v.Value}
	}
	resamples := make([]Metrics, defaultResamples)
	k := len(c.Counts)
	for i := range resamples {
		random := rng.New(seed, forConfusion, uint64(i))
		counts := make([][]int64, k)
		for class := range counts {
			counts[class] = make([]int64, k)
		}
		for range drawn {
			at := entryOf(ends, int64(random.Intn(int(rows))))
			counts[at/k][at%k]++
		}
		resamples[i] = Metrics{{Name: v.Name, Value: macroF1(counts)}}
	}
	return intervalOf(v, resamples, v.Value, true, math.Sqrt(float64(drawn)/float64(rows)))
}

// entryOf returns the first entry that ends behind a row.
func entryOf(ends []int64, row int64) int {
	low, high := 0, len(ends)
	for low < high {
		if mid := (low + high) / 2; ends[mid] > row {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// macroF1 is the mean over the classes that occur.
func macroF1(counts [][]int64) float64 {
	sum, classes := 0.0, 0
	for k := range counts {
		is, taken := int64(0), int64(0)
		for i := range counts {
			is += counts[k][i]
			taken += counts[i][k]
		}
		if is+taken > 0 {
			sum += 2 * float64(counts[k][k]) / float64(is+taken)
			classes++
		}
	}
	return sum / float64(classes)
}
