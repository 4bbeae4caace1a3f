package bench

import (
	"errors"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// candidates are the predictors of a model that are measured.
type candidates struct {
	chosen model.Predictor
	fit    []candidate
	unfit  []unfit
	all    bool // every layout was requested
}

// candidate is a predictor with a layout.
type candidate struct {
	layout    model.Layout
	predictor model.Predictor
}

// unfit is a layout that does not fit the model.
type unfit struct {
	Layout string `json:"layout"`
	Reason string `json:"reason"`
}

func layoutNames() []string {
	var names []string
	for _, l := range model.Layouts() {
		names = append(names, l.String())
	}
	return names
}

// requested returns the layouts that the flags name, all if there are none.
func (o *command) requested() ([]model.Layout, error) {
	if len(o.layouts) == 0 {
		return model.Layouts(), nil
	}
	var found []model.Layout
	for _, name := range o.layouts {
		l, err := model.ParseLayout(name)
		if err != nil {
			return nil, cli.Misusef("--layouts: %v", err)
		}
		found = append(found, l)
	}
	return found, nil
}

// candidates binds a model in the layouts that the flags name. One that does not fit is an error if
// it was named.
func (o *command) candidates(m model.Model, f *data.Frame) (*candidates, error) {
	layouts, err := o.requested()
	if err != nil {
		return nil, err
	}
	c := &candidates{all: len(o.layouts) == 0}
	options := model.Options{Workers: o.Threads}
	if c.chosen, err = m.Bind(&f.Schema, options); err != nil {
		return nil, err
	}
	if model.LayoutsUsed(c.chosen, 1) == nil {
		if !c.all {
			return nil, cli.Misusef("--layouts: the model is no single ensemble of trees")
		}
		return c, nil
	}
	for _, l := range layouts {
		options.Layout = l
		p, err := m.Bind(&f.Schema, options)
		if e := (*model.LayoutError)(nil); c.all && errors.As(err, &e) {
			c.unfit = append(c.unfit, unfit{l.String(), e.Reason})
			continue
		}
		if err != nil {
			return nil, err
		}
		c.fit = append(c.fit, candidate{l, p})
	}
	return c, nil
}

// line is a line of the report, before it is measured.
type line struct {
	layout    string
	chosen    bool
	predictor model.Predictor
}

// lines returns what is measured of a size of batches: each layout, and the engine's choice if it
// is none of them.
func (c *candidates) lines(batch int) []line {
	used := model.LayoutsUsed(c.chosen, batch)
	if used == nil {
		return []line{{chosen: true, predictor: c.chosen}}
	}
	var all []line
	for _, one := range c.fit {
		all = append(all, line{one.layout.String(), slices.Equal(used, []model.Layout{one.layout}),
			one.predictor})
	}
	if c.all && !slices.ContainsFunc(all, func(l line) bool { return l.chosen }) {
		var names []string
		for _, l := range used {
			names = append(names, l.String())
		}
		all = append(all, line{strings.Join(names, "+"), true, c.chosen})
	}
	return all
}
