package explain

import (
	"context"
	"strconv"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// proximityReport is the object that --json prints. lines writes it as lines of CSV, the first of
// which is the header.
type proximityReport interface {
	lines(write func(fields ...string))
}

// neighbourReport holds the nearest rows of each row.
type neighbourReport struct {
	Trees int         `json:"trees"`
	Rows  []nearbyRow `json:"rows"`
}

// nearbyRow is a row, numbered from 1, and its nearest rows.
type nearbyRow struct {
	Row        int         `json:"row"`
	Neighbours []neighbour `json:"neighbours"`
}

type neighbour struct {
	Row       int     `json:"row"`
	Proximity float64 `json:"proximity"`
}

func newNeighbourReport(
	ctx context.Context, p *explain.Proximities, k int,
) (*neighbourReport, error) {
	all, err := p.Neighbours(ctx, k)
	if err != nil {
		return nil, err
	}
	r := &neighbourReport{Trees: p.Trees(), Rows: make([]nearbyRow, len(all))}
	for i, near := range all {
		r.Rows[i] = nearbyRow{Row: i + 1, Neighbours: make([]neighbour, len(near))}
		for k, n := range near {
			r.Rows[i].Neighbours[k] = neighbour{int(n.Row) + 1, n.Proximity}
		}
	}
	return r, nil
}

func (r *neighbourReport) lines(write func(...string)) {
	write("row", "neighbour", "proximity")
	for _, row := range r.Rows {
		for _, n := range row.Neighbours {
			write(strconv.Itoa(row.Row), strconv.Itoa(n.Row), humanize.Exact(n.Proximity))
		}
	}
}

// outlierReport holds the outlier measure of each row: how far it is from the others of its class.
type outlierReport struct {
	Trees int          `json:"trees"`
	Rows  []outlierRow `json:"rows"`

	classes bool // the rows have classes
}

// outlierRow is a row, numbered from 1, and its outlier measure.
type outlierRow struct {
	Row     int     `json:"row"`
	Class   string  `json:"class,omitempty"`
	Outlier float64 `json:"outlier"`
}

func newOutlierReport(
	ctx context.Context, p *explain.Proximities, class []uint32, spec *model.Spec,
) (*outlierReport, error) {
	values, err := p.Outliers(ctx, class)
	if err != nil {
		return nil, err
	}
	r := &outlierReport{Trees: p.Trees(), Rows: make([]outlierRow, len(values)),
		classes: class != nil}
	for i, v := range values {
		r.Rows[i] = outlierRow{Row: i + 1, Outlier: v}
		if class != nil {
			r.Rows[i].Class = spec.Classes[class[i]]
		}
	}
	return r, nil
}

func (r *outlierReport) lines(write func(...string)) {
	if !r.classes {
		write("row", "outlier")
		for _, row := range r.Rows {
			write(strconv.Itoa(row.Row), humanize.Exact(row.Outlier))
		}
		return
	}
	write("row", "class", "outlier")
	for _, row := range r.Rows {
		write(strconv.Itoa(row.Row), row.Class, humanize.Exact(row.Outlier))
	}
}
