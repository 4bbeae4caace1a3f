package explain

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Outliers returns how far each row is from the others of its class (Breiman & Cutler, Random
// Forests, section Outliers). A row has proximities p to the rows of its class, itself among them,
// among n rows of all classes. The raw value of the row is
//
//	n / (sum of p^2)
//
// and the result is the raw value minus the median of its class, divided by the mean absolute
// deviation of its class from that median. Rows with values above 10 are worth a look. In a class
// without any deviation, but for what rounding makes, all values are 0.
//
// class holds the class of each row; nil = all rows are of one class. (R's randomForest divides by
// the median absolute deviation, Breiman's own program by the mean, and truncates values at 20.)
func (p *Proximities) Outliers(ctx context.Context, class []uint32) ([]float64, error) {
	if class == nil {
		class = make([]uint32, p.rows)
	}
	if len(class) != p.rows {
		return nil, fmt.Errorf("classes of %d rows for %d", len(class), p.rows)
	}
	raw := make([]float64, p.rows)
	err := p.each(ctx, func(m *meeting, i int32) {
		squares := 1.0
		for _, k := range m.met {
			if class[k] == class[i] {
				near := m.proximity(i, k)
				squares += float64(near * near)
			}
		}
		raw[i] = float64(p.rows) / squares
	})
	if err != nil {
		return nil, err
	}
	of := map[uint32][]float64{}
	for i, c := range class {
		of[c] = append(of[c], raw[i])
	}
	type scale struct{ median, deviation float64 }
	scales := map[uint32]scale{}
	for c, values := range of { // each class by itself: the order does not matter
		s := scale{median: median(values)}
		for _, v := range values {
			s.deviation += math.Abs(v-s.median) / float64(len(values))
		}
		scales[c] = s
	}
	for i, c := range class {
		if s := scales[c]; s.deviation > 1e-12*s.median {
			raw[i] = (raw[i] - s.median) / s.deviation
		} else {
			raw[i] = 0
		}
	}
	return raw, nil
}

// median returns the middle value, of an even number the mean of the two in the middle. It sorts
// them.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
