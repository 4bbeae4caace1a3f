package plot

import (
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model"
)

// Partition draws how the tree divides the plane of two numeric columns, the first to the right, or
// the line of one, with the rows as points. All other columns are fixed at their median or most
// frequent level. Regions have the colour of the predicted class, deeper where its probability is
// higher, or of the predicted number. On the line of one column a predicted number is a step
// function. Rows without a finite value in a column drawn are left out, with a note.
//
// It fails if there are not one or two different columns or one is categorical.
func Partition(w io.Writer, s *Subject, columns []int) error {
	if err := checkColumns(s.Spec, columns); err != nil {
		return err
	}
	p := newPartition(s, columns)
	switch {
	case len(columns) == 2:
		return p.write(w, p.drawPlane)
	case s.classes():
		return p.write(w, p.drawStrips)
	}
	return p.write(w, p.drawSteps)
}

// checkColumns checks the columns of a plane or a line.
func checkColumns(spec *model.Spec, columns []int) error {
	if len(columns) < 1 || len(columns) > 2 {
		return fmt.Errorf("a partition is drawn over one or two columns, not over %d", len(columns))
	}
	if len(columns) == 2 && columns[0] == columns[1] {
		return fmt.Errorf("column %q is named twice", spec.Schema.Fields[columns[0]].Name)
	}
	for _, c := range columns {
		if f := &spec.Schema.Fields[c]; f.Kind != data.Numeric {
			return fmt.Errorf("column %q is categorical: a partition is drawn over numeric columns",
				f.Name)
		}
	}
	return nil
}

// partition is the picture of Partition while it is made.
type partition struct {
	page
	*Subject
	plane   plane
	columns []int
	rows    []int32 // those that are drawn
	ramp    ramp
}

func newPartition(s *Subject, columns []int) *partition {
	p := &partition{Subject: s, columns: columns,
		plane: plane{t: s.Tree, x: int32(columns[0]), y: -1, fixed: typical(s.Spec, s.Data.Frame)}}
	if len(columns) == 2 {
		p.plane.y = int32(columns[1])
	}
	for _, c := range columns {
		p.plane.fixed[c].Numbers()[0] = math.NaN() // so that no node takes it for a fixed value
	}
	p.chooseRows()
	p.ramp = s.ramp()
	p.words()
	return p
}

// mostPoints is the number of points up to which a picture stays readable and small.
const mostPoints = 2500

// chooseRows finds the rows with finite values; of very many every k-th.
func (p *partition) chooseRows() {
	n := p.Data.Rows()
	for r := range n {
		known := true
		for _, c := range p.columns {
			known = known && finite(p.Data.Columns[c].Number(r))
		}
		if known {
			p.rows = append(p.rows, int32(r))
		}
	}
	if known := len(p.rows); known < n {
		p.notes = append(p.notes, fmt.Sprintf("Left out: %s without a finite value.",
			humanize.Count(n-known, "row", "rows")))
	}
	if every := (len(p.rows) + mostPoints - 1) / mostPoints; every > 1 {
		all := p.rows
		p.rows = nil
		for i := 0; i < len(all); i += every {
			p.rows = append(p.rows, all[i])
		}
		p.notes = append(p.notes, fmt.Sprintf("Points: %d of %d rows, evenly chosen.",
			len(p.rows), len(all)))
	}
}

func (p *partition) field(i int) *data.Field { return &p.Spec.Schema.Fields[p.columns[i]] }
func (p *partition) name(i int) string       { return columnName(p.field(i)) }

// words writes title, legend and notes.
func (p *partition) words() {
	label := p.Spec.Label
	if label == "" {
		label = "prediction"
	}
	p.title = label + " by " + p.name(0)
	if len(p.columns) == 2 {
		p.title += " and " + p.name(1)
	}
	what := "regions have the colour of the predicted class, deeper where its probability is higher"
	switch {
	case !p.classes() && len(p.columns) == 2:
		what = "the colour of regions is the prediction, that of points the label"
	case !p.classes():
		what = "the line is the prediction"
	}
	p.subtitle = fmt.Sprintf("A tree with %s and %s: %s.",
		humanize.Count(p.Tree.NumLeaves(), "leaf", "leaves"),
		humanize.Count(p.Data.Rows(), "row", "rows"), what)
	used := make([]bool, len(p.plane.fixed))
	p.uses(func(_, feature int32) { used[feature] = true })
	p.notes = append([]string{fixedWords(p.Spec, used, p.columns, p.plane.fixed, "tree")},
		p.notes...)
	switch {
	case p.classes() && len(p.columns) == 1: // the classes have lanes with their names
	case p.classes():
		for k, name := range p.Spec.Classes {
			p.legend = append(p.legend, entry{dotSample(k, svg.ClassColour(k), svg.White), name})
		}
	case len(p.columns) == 2:
		p.legend = p.ramp.legend()
	default:
		p.legend = []entry{{dotSample(0, pointColour, svg.White), "rows of the table"},
			{lineSample(svg.Above, ""), "prediction"}}
	}
}
