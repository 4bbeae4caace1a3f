// Package show is the commands that show what a model has learned. Show writes it as text, as JSON
// or as a picture, and report as an HTML page, with how well the model predicts a table.
package show

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// command is the command show with its flags.
type command struct {
	*cli.Console
	cli.FileFlag
	cli.JSONFlag
	format string
	title  string
	tree   int
	member int
	depth  int
	path   bool
	curve  bool
	// what training stored
	training bool
	flags    *pflag.FlagSet

	candidates bool
	node       int
	row        int
	rows       *draw.Rows // nil: no DATA

	tableFlags
	importances string // the kinds; "" = not requested
	monotone    string // the columns; "" = not requested
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "show MODEL [DATA...]",
		Annotations: cli.Often("training format tree depth importances path candidates curve member missing out json"),
		Short:       "Show what a model has learned, as text or as a picture",
		Long: `Show how a model was trained, which features it uses, and its tree: as an outline
in text, as a list of rules, as a picture for slides (svg), for Graphviz (dot) or for programs
(json). For a model without trees, its rules or coefficients are listed. For a model that consists
of several, the members are listed, and --member shows one.

The importance of a feature is the fraction of its splits in the decrease of impurity, for gbm in
the gain. Permutation importance is shown where training stored it (train --importance). Forests
have further kinds; each table names its kind. With --importances only the importances of one kind
are shown. Several kinds, such as gain,cover,splits, make one table, ordered by the first. shap and
permutation are measured on the rows of DATA.

With --path the whole cost-complexity path is shown: for each penalty on a leaf the best subtree
and its training error. After cross-validation its error there follows, with the standard error.
With --curve the out-of-bag error is shown over the number of trees. For a boosted model it is the
metrics over its rounds, for adaptive boosting also margins and weights. --curve and --importances
are pictures with --format svg.

With DATA and --format svg each node has a histogram of the rows that reach it: of the labels where
they are numbers, else of the column that the node tests, stacked by classes. --row marks the path
of one row.

With --candidates all splits are listed that training tries at a node, with the rows, classes and
impurities of their branches, gains and gain ratios; for gbm with the sums of derivatives, scores
and values. DATA is the table that the model was trained on: samples and weights of its rows are
found by training again up to the tree.

With --check-monotone the trees are searched to prove that the scores rise or fall with a column,
whatever the others are; the exit status is 1 where that is not proven.`,
		Example: `  coppice show model.coppice
  coppice show tree.coppice --format svg --title 'Who buys' -o tree.svg
  coppice show tree.coppice --depth 2
  coppice show tree.coppice flowers.csv --format svg --row 7 -o path.svg
  coppice show model.coppice --training
  coppice show tree.coppice --path
  coppice show forest.coppice --curve
  coppice show forest.coppice --curve --format svg -o curve.svg
  coppice show prices.coppice --check-monotone
  coppice show prices.coppice --check-monotone=area=1,age=-1
  coppice show tree.coppice flowers.csv --candidates --node 2
  coppice show prices.coppice houses.csv --candidates --tree 3 --json
  coppice show forest.coppice --importances permutation --format svg -o importances.svg
  coppice show prices.coppice houses.csv --importances gain,splits,shap,permutation`,
		Args: o.operands,
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.FileFlag.Define,
		o.JSONFlag.Define),
		cli.NewSection("Importances and candidates on DATA", o.defineTable, o.SeedFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.format, "format", "text",
		"draw the tree as `FORMAT`: text, rules, json, dot or svg")
	f.StringVar(&o.title, "title", "", "head the picture of a tree or a curve by `TEXT` (default: the label)")
	f.IntVar(&o.tree, "tree", 0, "draw tree `N` of several, counted from 0")
	f.IntVar(&o.member, "member", 0,
		"show member `N` of an ensemble of models, counted from 0, as a model of its own")
	f.IntVar(&o.depth, "depth", 0,
		"draw `N` levels below the root (default: all; svg: as many as are readable)")
	f.BoolVar(&o.path, "path", false, "show the cost-complexity path")
	f.BoolVar(&o.curve, "curve", false, "show the out-of-bag error over the number of trees or "+
		"members, for a boosted model its metrics over the rounds")
	f.BoolVar(&o.training, "training", false, "show the training: settings that were chosen and "+
		"tried, what it found, all metrics")
	f.BoolVar(&o.candidates, "candidates", false,
		"show all splits that training tries at a node, on the rows of DATA that reach it")
	f.IntVar(&o.node, "node", 0,
		"with --candidates, node `N` of the tree, numbered as in --format json")
	f.IntVar(&o.row, "row", 0, "with DATA and --format svg, mark the path of row `N`, from 1")
	f.StringVar(&o.importances, "importances", "", importancesHelp())
	// the name of train, too
	f.Func("importance", importancesHelp(), func(s string) error { return f.Set("importances", s) })
	f.Lookup("importance").Hidden = true
	f.StringVar(&o.monotone, "check-monotone", "", monotoneHelp)
	f.Lookup("check-monotone").NoOptDefVal = storedMonotone
}

func (o *command) run(ctx context.Context, path string, files []string) error {
	o.FileFlag.Ctx = ctx
	switch {
	case o.candidates:
		return o.showCandidates(ctx, path, files)
	case o.flags.Changed("node"):
		return cli.Misusef("--node goes with --candidates")
	case o.flags.Changed("row") && (o.format != "svg" || len(files) == 0):
		return cli.Misusef("--row goes with DATA and --format svg")
	case o.importances == "" && len(files) > 0 && (o.format != "svg" || len(viewsOf(o.flags)) > 0):
		return cli.Misusef("DATA goes with --importances, --candidates and trees of --format svg: "+
			"leave out %s", cli.PathList(files))
	case o.importances != "" && o.sideBySide(files):
		if err := o.checkViews(); err != nil {
			return err
		}
		if _, err := o.checkSides(files); err != nil {
			return err
		}
		m, err := o.LimitFlag.Open(path, true)
		if err != nil {
			return err
		}
		return o.showSides(ctx, path, m, files)
	}
	drawTree, err := o.check(path)
	if err != nil {
		return err
	}
	if err := o.FileFlag.Check(append([]string{path}, files...)...); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, len(files) > 0)
	if err != nil {
		return err
	}
	if o.flags.Changed("member") {
		if m, err = o.memberOf(path, m); err != nil {
			return err
		}
	}
	v := describe.Of(m)
	if len(files) > 0 && (v.Ensemble == nil || v.WriteRules != nil || v.Combine != "") {
		return fmt.Errorf("%s is no model of trees, in which the rows of DATA could be drawn", path)
	}
	switch {
	case o.training:
		return o.showTraining(path, v)
	case o.curve:
		return o.showCurve(path, v)
	case o.importances != "":
		return o.showImportances(path, v)
	case o.monotone != "":
		return o.checkMonotone(ctx, path, m)
	case v.WriteRules != nil:
		return o.showRules(path, v)
	case v.Combine != "":
		return o.showMembers(path, v)
	case v.Ensemble == nil:
		return o.showOther(path, v)
	}
	if len(files) > 0 {
		if o.rows, err = o.readRows(ctx, m, v.Ensemble, files); err != nil {
			return err
		}
	}
	return o.showTrees(path, v, drawTree)
}

// write writes the output of print to the file of --out, or to standard output.
func (o *command) write(print func(out *cli.Console) error) error {
	return o.FileFlag.Print(o.Console, print)
}

// showTrees shows a model of trees, and one of the trees.
func (o *command) showTrees(path string, v *describe.View, drawTree draw.Func) error {
	e := v.Ensemble
	if err := o.checkTree(path, e); err != nil {
		return err
	}
	return o.write(func(out *cli.Console) error {
		lines := &lineCounter{Writer: out.Out}
		switch {
		case o.path:
			return o.showPath(out, v)
		case o.JSONFlag.JSON:
			return out.JSON(v.Summarize())
		case o.format == "text":
			out.Out = lines
			o.heading(out, path, v)
			if o.Verbose {
				describe.PrintTables(out, v.Training.Tables)
			}
			out.Printf("\n")
			if len(e.Trees) > 1 && !o.flags.Changed("tree") && !o.flags.Changed("depth") {
				out.Printf("--tree N shows one of the %d trees, counted from 0; -v shows all details.\n",
					len(e.Trees))
				return nil
			}
		}
		if o.format == "text" && !o.Verbose && !o.flags.Changed("tree") && !o.flags.Changed("depth") {
			return printOutline(out, v, o.drawOptions(), shownLines-lines.n)
		}
		return drawTree(out.Out, e.Trees[o.tree], v.TreeNames(), o.drawOptions())
	})
}

// lineCounter counts the lines that are written through it.
type lineCounter struct {
	io.Writer
	n int
}

func (c *lineCounter) Write(b []byte) (int, error) {
	c.n += bytes.Count(b, []byte("\n"))
	return c.Writer.Write(b)
}

// printOutline draws as many levels of the only tree as so many lines have room for.
func printOutline(c *cli.Console, v *describe.View, options draw.Options, most int) error {
	t := v.Ensemble.Trees[0]
	within := make([]int, t.Depth()+1) // nodes up to a depth
	for _, depth := range t.Depths() {
		for at := int(depth); at < len(within); at++ {
			within[at]++
		}
	}
	options.MaxDepth = t.Depth()
	for options.MaxDepth > 1 && within[options.MaxDepth] >= most {
		options.MaxDepth--
	}
	for {
		var b bytes.Buffer
		if err := draw.Text(&b, t, v.TreeNames(), options); err != nil {
			return err
		}
		if options.MaxDepth < t.Depth() {
			fmt.Fprintf(&b, "These are the first %s; -v shows all %d leaves.\n",
				humanize.Count(options.MaxDepth, "level", "levels"), t.NumLeaves())
		}
		if options.MaxDepth <= 1 || bytes.Count(b.Bytes(), []byte("\n")) <= most {
			_, err := b.WriteTo(c.Out)
			return err
		}
		options.MaxDepth-- // there are lines beside those of nodes
	}
}

// check finds misuse and the function that draws.
func (o *command) check(path string) (draw.Func, error) {
	if o.flags.Changed("depth") && o.depth < 1 {
		return nil, cli.Misusef("--depth %d: want a number from 1 up", o.depth)
	}
	if err := o.checkView(); err != nil {
		return nil, err
	}
	var names []string
	for _, f := range draw.Formats() {
		if f.Name == o.format {
			return f.Draw, nil
		}
		names = append(names, f.Name)
	}
	return nil, cli.Misusef("--format %q: %s", o.format, cli.Instead(o.format, names))
}

// checkView finds misuse of the flags that show another view than the tree.
func (o *command) checkView() error {
	if err := o.checkViews(); err != nil {
		return err
	}
	views := viewsOf(o.flags)
	switch {
	case o.flags.Changed("format") && (o.JSONFlag.JSON || o.path):
		return cli.Misusef("--format goes neither with --json nor with --path: use one of them")
	case o.flags.Changed("check-monotone") && (o.monotone == "" || o.format != "text"):
		return cli.Misusef(
			"--check-monotone: want columns, and no --format: --check-monotone=COL,COL=-1")
	case o.title != "" && (o.format != "svg" && o.format != "dot" || o.importances != ""):
		return cli.Misusef("--title is for pictures of trees and of --curve: add --format svg")
	case o.training && o.format != "text":
		return cli.Misusef("--training --format %s: want text, or --json", o.format)
	case len(views) == 1 && o.format != "text" && o.format != "svg":
		return cli.Misusef("--%s --format %s: want text or svg", views[0], o.format)
	case o.flags.Changed("importances") &&
		!slices.Contains(describe.ImportanceKinds(), o.importances):
		return cli.Misusef("--importances %q: %s", o.importances,
			cli.Instead(o.importances, describe.ImportanceKinds()))
	}
	return nil
}

// viewsOf returns the flags of views that were given.
func viewsOf(flags *pflag.FlagSet) []string {
	var views []string
	for _, view := range []string{"path", "curve", "training", "importances", "check-monotone", "candidates"} {
		if flags.Changed(view) {
			views = append(views, view)
		}
	}
	return views
}

// checkViews refuses several views.
func (o *command) checkViews() error {
	if views := viewsOf(o.flags); len(views) > 1 {
		return cli.Misusef("--%s does not go with --%s: use one of them", views[1], views[0])
	}
	return nil
}

// checkTree refuses a tree or path that the model does not have. It prints a note if the tree is
// one of several and --tree does not name it.
func (o *command) checkTree(path string, e *model.Ensemble) error {
	n := len(e.Trees)
	switch {
	case o.tree < 0 || o.tree >= n:
		return cli.Misusef("--tree %d: the model has %s, counted from 0", o.tree,
			humanize.Count(n, "tree", "trees"))
	case o.path && n > 1:
		return fmt.Errorf("%s: a model of %d trees has no cost-complexity path: the learner cart "+
			"grows one tree, which has", path, n)
	case n > 1 && o.format != "text" && !o.JSONFlag.JSON && !o.flags.Changed("tree"):
		o.Note("this is tree 0 of %d: --tree N shows another", n)
	}
	return nil
}

// The most that the first screen shows of a model; -v shows all.
const (
	shownImportances = 8
	shownTerms       = 12
	shownLines       = 24 // of a tree and what heads it
)

// limitOf returns how much of something is shown; 0 = all.
func limitOf(o *command, most int) int {
	if o.Verbose {
		return 0
	}
	return most
}

// heading prints what the model is in a sentence, the facts about its training, and its
// importances.
func (o *command) heading(c *cli.Console, path string, v *describe.View) {
	spec := v.Spec
	c.Text(v.Sentence())
	c.Printf("\n")
	var facts []cli.Fact
	label := humanize.Name(spec.Label)
	if spec.Label == "" {
		label = "unnamed" // files of other tools have no name
	}
	switch {
	case spec.Label == "" && spec.Task == data.Anomaly:
		label = "none"
	case spec.Task == data.Anomaly:
		label += ", not used in training"
	case spec.Task.Classes():
		label += ", " + classWords(spec)
	default:
		label += ", " + spec.Task.String()
	}
	facts = append(facts, cli.Fact{Name: "label", Text: label})
	facts = append(facts, describe.RolesFact(spec)...)
	facts = append(facts, planFacts(v)...)
	if v.Training.Settings == nil { // else they are among the facts of training
		facts = append(facts, v.SettingsFact())
	}
	c.Facts(facts...)
	c.Facts(v.TrainingFacts()...)
	if o.Verbose {
		c.Facts(cli.Fact{Name: "model", Text: humanize.Name(path)}, v.SizeFact(),
			cli.Fact{Name: "learner", Text: describe.Learner(spec)})
		if t := spec.TrainedOn; t != nil {
			c.Facts(cli.Fact{Name: "trained", Text: t.Words()})
		}
		c.Facts(v.StoredFacts()...)
		c.Facts(v.DerivedFacts()...)
		describe.PrintStudy(c, spec.Study)
	}
	if e := v.Ensemble; e != nil && len(e.Trees) == 1 && !o.Verbose { // whose outline follows
		line := describe.ImportanceLine(v.ImportanceKind(), v.Importances())
		if spec.Permutation != nil {
			line = describe.PermutationLine(spec.Permutation)
		}
		if line != "" {
			c.Facts(cli.Fact{Name: "columns", Text: line})
		}
		return
	}
	describe.PrintImportances(c, v.ImportanceKind(), v.Importances(), limitOf(o, shownImportances))
	if o.Verbose || len(v.Importances()) == 0 {
		v.PrintReported(c, limitOf(o, shownImportances))
	}
	describe.PrintPermutation(c, spec.Permutation, limitOf(o, shownImportances))
}

// classWords names the classes, of many the first ones, and the positive one of two.
func classWords(s *model.Spec) string {
	const most = 6
	var names []string
	for _, class := range s.Classes[:min(most, len(s.Classes))] {
		names = append(names, humanize.Name(class))
	}
	if more := len(s.Classes) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	text := fmt.Sprintf("%s: %s", humanize.Count(len(s.Classes), "class", "classes"), humanize.And(names))
	if name := describe.PositiveName(s); name != "" {
		text += "; the positive class is " + humanize.Name(name)
	}
	return text
}

// planFacts report which rows and columns of its table the model was trained on.
func planFacts(v *describe.View) []cli.Fact {
	var facts []cli.Fact
	plan := model.Plan{}
	if t := v.Spec.TrainedOn; t != nil && t.Plan != nil {
		plan = *t.Plan
	}
	if n := v.Training; n.Rows > 0 {
		text := describe.RowsFor("training", n.Rows+n.Weightless, n.Weightless)
		for _, set := range []struct {
			name     string
			fraction float64
			file     bool
		}{{"validation", plan.Valid, plan.ValidFile}, {"test", plan.Test, plan.TestFile}} {
			if set.fraction > 0 {
				text += fmt.Sprintf(", %s of all rows for the %s set",
					humanize.Percent(set.fraction), set.name)
			} else if set.file {
				text += fmt.Sprintf(", the %s set was a file of its own", set.name)
			}
		}
		facts = append(facts, cli.Fact{Name: "rows", Text: text})
	}
	if len(plan.Ignore) > 0 {
		var names []string
		for _, name := range plan.Ignore {
			names = append(names, humanize.Name(name))
		}
		facts = append(facts, cli.Fact{Name: "ignored", Text: strings.Join(names, ", ")})
	}
	return facts
}

// drawOptions are those of the flags; lines on standard output fit it, unless all is requested.
func (o *command) drawOptions() draw.Options {
	options := draw.Options{MaxDepth: o.depth, Title: o.title, Rows: o.rows}
	if !o.Verbose && o.FileFlag.Path == "-" {
		options.Width = cli.Width
	}
	return options
}
