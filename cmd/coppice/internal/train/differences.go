package train

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// difference is how a table that a model is trained on again differs from that of the model.
type difference struct {
	// rows, new_columns, left_out, new_categories, lost_categories, new_classes, lost_classes or
	// values
	Kind string `json:"kind"`
	// the columns that it is about, in the table's order
	Columns []string `json:"columns,omitempty"`
	Names   []string `json:"names,omitempty"` // of categories or classes
	Message string   `json:"message"`
}

// listed is how many names a line has at most.
const listed = 5

// compare lists how the training rows differ from those of the model, and prints a note of each
// difference. It is nil for a training that repeats none.
func (r *repeated) compare(
	ctx context.Context, c *cli.Console, p *tables.Problem, s *tables.RowSets, workers int,
) ([]difference, error) {
	if r == nil {
		return nil, nil
	}
	all := slices.Concat(r.rows(len(s.Train)), r.columns(p), r.levels(&p.Schema))
	if r.spec.Label != "" { // else the classes are those of the scores
		all = append(all, changed("class", "classes", r.spec.Label, r.spec.Classes, p.Target.Classes)...)
	}
	c.Progress.Begin("comparing")
	values, err := r.values(ctx, p, workers)
	all = append(all, values...)
	for _, d := range all {
		c.Note("%s", d.Message)
	}
	return all, err
}

// values compares the values of all rows with the profile of the training rows, if the model stores
// one: what package check finds, the worst columns first. New categories are listed already.
func (r *repeated) values(
	ctx context.Context, p *tables.Problem, workers int,
) (all []difference, err error) {
	if r.spec.Profile == nil {
		return nil, nil
	}
	found, err := check.Run(ctx, r.model, p.InBlocks().Features, check.Options{ColumnsOnly: true,
		Options: model.Options{Workers: workers}})
	if err != nil {
		return nil, err
	}
	var more []string
	for i := range found.Columns {
		c := &found.Columns[i]
		c.Findings = slices.DeleteFunc(c.Findings,
			func(f check.Finding) bool { return f.What == check.NewCategories })
		if words := c.Words(); len(words) > 0 && len(all) == listed {
			more = append(more, c.Name)
		} else if len(words) > 0 {
			all = append(all, difference{Kind: "values", Columns: []string{c.Name}, Message: fmt.Sprintf(
				"column %s: %s", humanize.Name(c.Name), strings.Join(words, "; "))})
		}
	}
	if len(more) > 0 {
		all = append(all, difference{Kind: "values", Columns: more, Message: fmt.Sprintf("%s more "+
			"differ: coppice check lists them", humanize.Count(len(more), "column", "columns"))})
	}
	return all, nil
}

// rows compares the numbers of training rows, which a model stores in its profile.
func (r *repeated) rows(now int) []difference {
	if r.spec.Profile == nil || r.spec.Profile.Rows == now {
		return nil
	}
	return []difference{{Kind: "rows", Message: fmt.Sprintf("there are %s, and the model was "+
		"trained on %d", humanize.Count(now, "training row", "training rows"), r.spec.Profile.Rows)}}
}

// columns lists columns of the table that the training of the model did not have, and columns of
// the model that are left out.
func (r *repeated) columns(p *tables.Problem) []difference {
	var before, now data.Schema = r.spec.Schema, p.Schema
	known := map[string]bool{r.spec.Label: true}
	for _, name := range r.spec.Roles.Names() {
		known[name] = true
	}
	if on := r.spec.TrainedOn; on != nil && on.Plan != nil {
		for _, name := range on.Plan.Ignore {
			known[name] = true
		}
	}
	var added, left []string
	kept := map[string]bool{}
	for i := range now.Fields {
		kept[now.Fields[i].Source()] = true
	}
	for i := range before.Fields {
		name := before.Fields[i].Source()
		if !kept[name] && !known[name] {
			left = append(left, name)
		}
		known[name] = true
	}
	for _, name := range p.Table.Origin.Columns {
		if !known[name] {
			added = append(added, name)
		}
	}
	var all []difference
	if len(added) > 0 {
		all = append(all, difference{Kind: "new_columns", Columns: added, Message: fmt.Sprintf(
			"the model does not have %s %s: coppice train can use them",
			humanize.Plural(len(added), "the column", "the columns"), list(added))})
	}
	if len(left) > 0 {
		all = append(all, difference{Kind: "left_out", Columns: left, Message: fmt.Sprintf(
			"the new model is without %s %s", humanize.Plural(len(left), "the column", "the columns"),
			list(left))})
	}
	return all
}

// levels lists the categories that columns have in one of the tables only.
func (r *repeated) levels(now *data.Schema) []difference {
	var all []difference
	at := -1
	for i := range now.Fields {
		f := &now.Fields[i]
		if at = r.spec.Schema.IndexFrom(f.Name, at+1); at < 0 || f.Kind != data.Categorical {
			continue
		}
		all = append(all, changed("category", "categories", f.Name,
			r.spec.Schema.Fields[at].Levels, f.Levels)...)
	}
	return all
}

// changed lists the names that one of two lists has only.
func changed(one, many, column string, before, now []string) []difference {
	var all []difference
	for _, side := range []struct {
		kind, of    string
		has, hasNot []string
	}{{"new", "that the model does not have", now, before}, {"lost", "that the model has", before, now}} {
		known := make(map[string]bool, len(side.hasNot))
		for _, name := range side.hasNot {
			known[name] = true
		}
		only := slices.DeleteFunc(slices.Clone(side.has), func(n string) bool { return known[n] })
		if len(only) == 0 {
			continue
		}
		where := "column %s has %s %s: %s"
		if side.kind == "lost" {
			where = "column %s lacks %s %s: %s"
		}
		all = append(all, difference{side.kind + "_" + many, []string{column}, only, fmt.Sprintf(where,
			humanize.Name(column), humanize.Count(len(only), one, many), side.of, list(only))})
	}
	return all
}

// list lists the first names.
func list(names []string) string {
	var shown []string
	for _, name := range names[:min(listed, len(names))] {
		shown = append(shown, humanize.Name(name))
	}
	if more := len(names) - listed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), more)
	}
	return humanize.And(shown)
}
