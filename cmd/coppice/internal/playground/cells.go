package playground

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// picture is what a model predicts of a rectangle of the plane, or of a stretch of the line. Cells
// lie between edges, which are the split points wherever these are few: then the picture is exact.
type picture struct {
	X     []float64 `json:"x"`           // edges, ascending
	Y     []float64 `json:"y,omitempty"` // nil for a line
	Score []float64 `json:"score"`       // of each cell, rows from the least y upwards
}

// The most cells that a picture has in a direction of the plane, and of the line.
const (
	mostCells = 96
	thumbnail = 48
	lineCells = 512
)

// span is a stretch of an axis that is shown.
type span struct{ from, to float64 }

// pictureOf predicts each cell of the plane, by its centre.
func pictureOf(e *model.Ensemble, sides span, most int) (*picture, error) {
	p := &picture{X: edges(e, 0, sides, most), Y: edges(e, 1, sides, most)}
	n := (len(p.X) - 1) * (len(p.Y) - 1)
	x, y := make([]float64, 0, n), make([]float64, 0, n)
	for j := range len(p.Y) - 1 {
		for i := range len(p.X) - 1 {
			x, y = append(x, (p.X[i]+p.X[i+1])/2), append(y, (p.Y[j]+p.Y[j+1])/2)
		}
	}
	frame, err := frameOf(x, y)
	if err != nil {
		return nil, err
	}
	p.Score, err = predict(e, frame)
	rounded(p.Score)
	rounded(p.X)
	rounded(p.Y)
	return p, err
}

// lineOf predicts each stretch between split points.
func lineOf(e *model.Ensemble, sides span) (*picture, error) {
	p := &picture{X: edges(e, 0, sides, lineCells)}
	x := make([]float64, len(p.X)-1)
	for i := range x {
		x[i] = (p.X[i] + p.X[i+1]) / 2
	}
	frame, err := frameOf(x)
	if err != nil {
		return nil, err
	}
	p.Score, err = predict(e, frame)
	rounded(p.Score)
	rounded(p.X)
	return p, err
}

// edges returns the borders of cells along a column: the ends of the span and the split points
// within, or as many borders at equal distances where there would be more cells than most.
func edges(e *model.Ensemble, column int32, sides span, most int) []float64 {
	found := []float64{sides.from, sides.to}
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			s := t.SplitOf(n)
			if s.Kind == tree.Numeric && s.Feature == column && s.SplitPoint > sides.from &&
				s.SplitPoint < sides.to && !math.IsInf(s.SplitPoint, 0) {
				found = append(found, s.SplitPoint)
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if len(found)-1 <= most {
		return found
	}
	found = found[:0]
	for i := range most + 1 {
		part := float64(i) / float64(most)
		found = append(found, sides.from+float64(part*(sides.to-sides.from)))
	}
	return found
}
