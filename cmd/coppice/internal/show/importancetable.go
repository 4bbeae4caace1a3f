package show

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model"
)

// measured is the importance of a feature, with the ends of its interval where it has one.
type measured struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// kind is a way to measure importance.
type kind struct {
	name    string
	needs   bool // a table
	caption string
	measure func(context.Context, *sides) (map[string]measured, error)
}

// kinds are those that stand side by side in one table.
func kinds() []kind {
	return []kind{
		{"gain", false, "fraction of the decrease of the loss, or of impurity, by splits", byGain},
		{"cover", false, "fraction of the training weight that passes the splits", byCover},
		{"splits", false, "fraction of the splits", bySplits},
		{"shap", true, "mean |Shapley value| on the raw scale, ± half of its 95 % interval over rows", byShapley},
		{"permutation", true, "loss of the metric if values are permuted, ± half of its 95 % interval over repeats", byPermutation},
	}
}

func kindNames() []string {
	return enum.NamesOf(kinds(), func(r kind) string { return r.name })
}

// sides are what importances side by side are measured on.
type sides struct {
	*command
	path  string
	model model.Model
	files []string
}

// tableFlags are the flags of importances that are measured on a table.
type tableFlags struct {
	models.TableFlags
	tables.LabelFlags
	cli.SeedFlag
	repeats int
}

func (o *command) defineTable(f *pflag.FlagSet) {
	o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model)")
	f.IntVar(&o.repeats, "repeats", 10, "permutations of each column")
}

// sideBySide reports whether --importances asks for kinds side by side.
func (o *command) sideBySide(files []string) bool {
	names := strings.Split(o.importances, ",")
	return len(files) > 0 || len(names) > 1 || slices.Contains([]string{"cover", "splits", "shap"}, names[0])
}

// checkSides finds misuse of importances side by side.
func (o *command) checkSides(files []string) ([]kind, error) {
	var chosen []kind
	for _, name := range strings.Split(o.importances, ",") {
		at := slices.Index(kindNames(), name)
		if at < 0 {
			return nil, cli.Misusef("--importances %s: %s", o.importances, cli.Instead(name, kindNames()))
		}
		k := kinds()[at]
		if k.needs && len(files) == 0 {
			return nil, cli.Misusef("--importances %s: %s is measured on a table: add DATA behind "+
				"the model", o.importances, name)
		}
		chosen = append(chosen, k)
	}
	switch {
	case o.repeats < 2:
		return nil, cli.Misusef("--repeats %d: want a number from 2 up", o.repeats)
	case o.format != "text":
		return nil, cli.Misusef("--format %s is for importances of one kind: use text or --json", o.format)
	}
	return chosen, o.TableFlags.Check(o.Console, files)
}

// showSides measures importances of several kinds, and shows them in one table, ordered by the
// first.
func (o *command) showSides(ctx context.Context, path string, m model.Model, files []string) error {
	chosen, err := o.checkSides(files)
	if err != nil {
		return err
	}
	if err = o.FileFlag.Check(append([]string{path}, files...)...); err != nil {
		return err
	}
	s := &sides{o, path, m, files}
	values := make([]map[string]measured, len(chosen))
	for i, k := range chosen {
		o.Progress.Begin(k.name)
		if values[i], err = k.measure(ctx, s); err != nil {
			return err
		}
	}
	names := namesOf(values)
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := values[0][a].Value, values[0][b].Value
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON {
			return out.JSON(reportSides(chosen, names, values))
		}
		printSides(out, chosen, names, values)
		return nil
	})
}

// namesOf returns the features that any kind has, in alphabetical order.
func namesOf(values []map[string]measured) []string {
	var names []string
	for _, of := range values {
		for name := range of {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// sidesReport is the object that --json prints.
type sidesReport struct {
	Kinds    []string        `json:"kinds"`
	Features []sidesOfColumn `json:"features"`
}

type sidesOfColumn struct {
	Feature     string              `json:"feature"`
	Importances map[string]measured `json:"importances"` // by kind
}

func reportSides(chosen []kind, names []string, values []map[string]measured) *sidesReport {
	r := &sidesReport{Features: []sidesOfColumn{}}
	for _, k := range chosen {
		r.Kinds = append(r.Kinds, k.name)
	}
	for _, name := range names {
		of := sidesOfColumn{name, map[string]measured{}}
		for i, k := range chosen {
			if v, has := values[i][name]; has {
				of.Importances[k.name] = v
			}
		}
		r.Features = append(r.Features, of)
	}
	return r
}

func printSides(out *cli.Console, chosen []kind, names []string, values []map[string]measured) {
	g := cli.Grid{Columns: []cli.Column{{Name: "feature"}}}
	for _, k := range chosen {
		g.Columns = append(g.Columns, cli.Column{Name: k.name, Right: true})
	}
	for _, name := range names {
		cells := []string{humanize.Name(name)}
		for i := range chosen {
			v, has := values[i][name]
			cell := "-"
			if has {
				cell = fmt.Sprintf("%.4f", v.Value)
			}
			if v.High != nil {
				cell += fmt.Sprintf(" ± %.4f", *v.High-v.Value)
			}
			cells = append(cells, cell)
		}
		g.Add(cells...)
	}
	g.Print(out.Out)
	out.Printf("\n")
	var captions []cli.Fact
	for _, k := range chosen {
		captions = append(captions, cli.Fact{Name: k.name, Text: k.caption})
	}
	out.Facts(captions...)
}

// trees returns the trees of the model.
func (s *sides) trees(name string) (*model.Ensemble, error) {
	if e, ok := model.AsTrees(s.model); ok {
		return e, nil
	}
	d := s.model.Describe()
	return nil, fmt.Errorf("%s: importances by %s are of trees, and this model %s", s.path, name,
		d.Obstructs())
}

func byGain(_ context.Context, s *sides) (map[string]measured, error) {
	if _, err := s.trees("gain"); err != nil {
		return nil, err
	}
	all := describe.Of(s.model).Importances()
	if all == nil {
		return nil, fmt.Errorf("%s: the model stores no gains", s.path)
	}
	return s.byColumn(all), nil
}

func byCover(_ context.Context, s *sides) (map[string]measured, error) {
	e, err := s.trees("cover")
	if err != nil {
		return nil, err
	}
	all, err := explain.Cover(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	return s.byColumn(all), nil
}

func bySplits(_ context.Context, s *sides) (map[string]measured, error) {
	e, err := s.trees("splits")
	if err != nil {
		return nil, err
	}
	return s.byColumn(explain.Splits(e)), nil
}

// byColumn adds up the importances of the parts of a date or a text, which permutation has together
// too.
func (s *sides) byColumn(all []explain.Importance) map[string]measured {
	of := map[string]measured{}
	for _, i := range all {
		name := s.column(i.Feature)
		of[name] = measured{Value: of[name].Value + i.Value}
	}
	return of
}

// column names the column of the table that a feature comes from.
func (s *sides) column(feature string) string {
	schema := &s.model.Spec().Schema
	if at := schema.Index(feature); at >= 0 {
		return schema.Fields[at].Source()
	}
	return feature // a combination of several
}

// interval returns a mean with its 95 % interval by Student's t, for its standard error over n.
func interval(mean, stdError float64, n int) measured {
	half := float64(kernel.StudentQuantile(0.975, n-1) * stdError)
	low, high := mean-half, mean+half
	return measured{mean, &low, &high}
}

func byShapley(ctx context.Context, s *sides) (map[string]measured, error) {
	t, err := s.ReadFlags.ForModel(ctx, s.Console, s.model, nil, s.files)
	if err != nil {
		return nil, err
	}
	m := s.model
	if e, ok := model.AsTrees(m); ok {
		m = e
	}
	c, err := explain.Shapley(ctx, m, t.Frame, nil, explain.ShapleyOptions{Workers: s.Threads})
	if err != nil {
		return nil, cli.Located(fmt.Errorf("%s: %w", s.path, err), t.Frame)
	}
	of := map[string]measured{}
	c = c.Joined(s.column)
	mean, stdError := c.MeanAbsolute()
	for i, name := range c.Features {
		of[name] = measured{Value: mean[i]}
		if t.Frame.Rows() > 1 {
			of[name] = interval(mean[i], stdError[i], t.Frame.Rows())
		}
	}
	return of, nil
}

func byPermutation(ctx context.Context, s *sides) (map[string]measured, error) {
	ds, err := s.LabelFlags.ReadFor(ctx, s.Console, s.model, &s.ReadFlags, s.files)
	if err != nil {
		return nil, err
	}
	p, err := explain.Permutation(ctx, s.model, ds, nil,
		explain.PermutationOptions{Repeats: s.repeats, Seed: s.Seed, Workers: s.Threads})
	if err != nil {
		return nil, cli.Located(err, ds.Frame)
	}
	of := map[string]measured{}
	for _, c := range p.Columns {
		of[c.Name] = interval(c.Drop, c.StdError, p.Repeats)
	}
	return of, nil
}
