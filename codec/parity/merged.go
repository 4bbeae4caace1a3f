package parity

import (
	"slices"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Merged are split points of a column that are one number in single precision. A tool of that
// precision predicts rows between them by one side of both splits.
type Merged struct {
	Column string     `json:"column"`
	Points int        `json:"split_points"` // how many of the column are merged with the one before
	Pair   [2]float64 `json:"such_as"`      // the first two, ascending
}

// MergedSplits returns the numeric columns of a model, in the order of its schema, that have split
// points which single precision does not tell apart. Large numbers that differ by little have them,
// such as times in seconds: near 1.7e9 the numbers of single precision are 128 apart.
func MergedSplits(e *model.Ensemble) []Merged {
	points := make([][]float64, len(e.Meta.Schema.Fields))
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			if t.Kind(n) != tree.Numeric {
				continue
			}
			if j := int(t.SplitOf(n).Feature); j < len(points) {
				points[j] = append(points[j], t.SplitPoint(n))
			}
		}
	}
	var merged []Merged
	for j, p := range points {
		slices.Sort(p)
		p = slices.Compact(p)
		m := Merged{Column: e.Meta.Schema.Fields[j].Name}
		for i := 1; i < len(p); i++ {
			if float32(p[i-1]) != float32(p[i]) {
				continue
			}
			if m.Points == 0 {
				m.Pair = [2]float64{p[i-1], p[i]}
			}
			m.Points++
		}
		if m.Points > 0 {
			merged = append(merged, m)
		}
	}
	return merged
}
