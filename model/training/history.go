package training

import (
	"github.com/coppice-ml/coppice/model"
)

// History is how a model developed over boosting rounds, or over the members of an ensemble.
type History struct {
	Missing string  // why there is nothing to show; "" = there is
	Plots   []Plot  // for a terminal, one below the other
	Figure  *Figure // for a picture
	Content any     // to be encoded as JSON
}

// Plot is a curve for a terminal, with tables of some of its points.
type Plot struct {
	Caption string    // a sentence: what is shown
	X       []int     // rounds or members, ascending from 1 up
	Y       []float64 // a value for each
	Tables  []model.Table
}

// The points of a History that tables list: those of the first few numbers of members or rounds,
// then so many for each time that the number doubles.
const (
	listedFirst  = 4
	listedOctave = 4
)

// Listed reports whether tables list the point of n members or rounds. They list the last one, too.
func Listed(n int) bool {
	step := 1
	for n/step >= 2*listedOctave {
		step *= 2
	}
	return n <= listedFirst || n%step == 0
}

// Figure is a picture of curves: one chart, or up to three side by side.
type Figure struct {
	Title    string
	Subtitle string // a line below the title
	Notes    []string
	Charts   []Chart
	// Converging reports that there is one chart of one curve whose last value is drawn as a thin
	// line: an error of more and more members.
	Converging bool
}

// Chart is curves over one pair of axes.
type Chart struct {
	X, Y   Axis
	Curves []Curve
}

// Axis is what a Chart shows along an axis.
type Axis struct {
	Label string
	Zero  bool // it reaches to 0
	Log   bool // values are counts from 1 up, placed by their logarithm
}

// Curve is a sequence of points.
type Curve struct {
	Name   string
	X, Y   []float64
	Style  Style
	Colour int // number of a colour, from 0
}

// Style is how a Curve is drawn.
type Style uint8

// The styles.
const (
	Line      Style = iota // points joined by straight lines
	Dashes                 // likewise, dashed
	Marks                  // a mark at each point
	LineMarks              // points joined by lines, with a mark at each
)

// LogFrom is the number of rounds or members above which an axis of them is logarithmic.
const LogFrom = 40
