package command

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/param"
)

// learners is the command learners with its flags.
type learners struct {
	*cli.Console
	cli.JSONFlag
}

// newLearners makes the command.
func newLearners(c *cli.Console) *cobra.Command {
	o := &learners{Console: c}
	cmd := &cobra.Command{
		Use:   "learners [NAME [PARAMETER | KEY=VALUE...]]",
		Short: "List the learners, or the parameters of one",
		Long: `List the learners. With the name of one, list its parameters with their defaults,
ranges and meanings, or one of them. train and cv accept them as --set KEY=VALUE. With settings such as loss=huber
or base=knn, list the parameters of what they choose.`,
		Example: `  coppice learners
  coppice learners forest
  coppice learners gbm min_leaf
  coppice learners cart --json
  coppice learners gbm loss=huber sampling=goss`,
		Args: cli.Operands(0, -1),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.JSONFlag.Define))
}

// learnersReport is the object that --json prints for one learner.
type learnersReport struct {
	Name       string      `json:"name"`
	Aliases    []string    `json:"aliases,omitempty"` // further names that --learner accepts
	Help       string      `json:"help"`
	Default    bool        `json:"default"` // train uses it without --learner
	Needs      learn.Needs `json:"needs"`   // of the training data
	Parameters paramRows   `json:"parameters"`

	settings []string // those whose choices have the parameters; nil: the learner has them
}

// example returns a command that trains the learner and sets a parameter.
func (l *learnersReport) example() string {
	line := "coppice train data.csv"
	if !l.Needs.Unsupervised {
		line += " --label COL"
	}
	line += " --learner " + l.Name
	for _, s := range l.settings {
		line += " --set " + s
	}
	for _, p := range l.Parameters {
		if p.Default != "" {
			return line + " --set " + p.Name + "=" + exampleValue(&p)
		}
	}
	return line
}

// meant matches what a default of auto is for a table of some rows.
var meant = regexp.MustCompile(`auto = ([0-9.]+)`)

// exampleValue returns a value of a parameter: its default, or where that is empty or auto what it
// stands for, else the first of the texts, or the form of a text, that its range lists.
func exampleValue(p *param.Param) string {
	if p.Default != "" && p.Default != "auto" {
		return p.Default
	}
	if m := meant.FindStringSubmatch(p.Range); m != nil {
		return m[1]
	}
	texts := strings.Split(strings.NewReplacer("auto, or ", "", "auto, ", "", "auto|", "", "|", ", ").
		Replace(p.Range), ", ")
	switch first, _, _ := strings.Cut(texts[0], " "); first {
	case "a":
		if strings.HasPrefix(texts[0], "a number of ") {
			return "4"
		}
		return "0.5"
	default:
		return strings.TrimSuffix(first, ",...")
	}
}

// paramRows is a param.Set that JSON writes as a list of declarations, not as an object of values.
type paramRows []param.Param

func (o *learners) run(args []string) error {
	var all []learnersReport
	for _, row := range catalog.Table() {
		if len(args) == 0 || args[0] == row.Name || slices.Contains(row.Aliases, args[0]) {
			all = append(all, learnersReport{Name: row.Name, Aliases: row.Aliases, Help: row.Help,
				Default: row.Name == catalog.Default, Needs: row.New().Capabilities().Needs,
				Parameters: paramRows(row.New().Params())})
		}
	}
	if len(all) == 0 {
		_, err := catalog.New(args[0])
		return cli.Misuse(err)
	}
	if p := all[0].named(args); p != nil {
		return o.printParameter(&all[0], p)
	}
	if len(args) > 1 {
		chosen, err := chosenParams(all[0].Name, args[1:])
		if err != nil {
			return cli.Misuse(err)
		}
		all[0].Parameters, all[0].settings = chosen, args[1:]
	}
	switch {
	case len(args) > 0 && o.JSONFlag.JSON:
		return o.Console.JSON(all[0])
	case len(args) > 0:
		o.printLearner(&all[0])
	case o.JSONFlag.JSON:
		return o.Console.JSON(map[string]any{"learners": all})
	default:
		o.printAll(all)
	}
	return nil
}

// named returns the parameter that is the only operand behind the learner, nil if there is none.
func (l *learnersReport) named(args []string) *param.Param {
	if len(args) != 2 || strings.Contains(args[1], "=") {
		return nil
	}
	for i := range l.Parameters {
		p := &l.Parameters[i]
		if p.Name == args[1] || slices.Contains(p.Aliases, args[1]) {
			return p
		}
	}
	return nil
}

// chosenParams returns the parameters of the choices that settings of a learner make, such as those
// of loss=huber. They have the names that train accepts.
func chosenParams(name string, settings []string) (paramRows, error) {
	l, err := catalog.New(name)
	if err != nil {
		return nil, err
	}
	if err := l.Params().Set(settings); err != nil {
		return nil, err
	}
	var chosen paramRows
	for _, p := range l.Params().All() {
		key, _, below := strings.Cut(p.Name, ".")
		if below && slices.ContainsFunc(settings,
			func(s string) bool { return strings.HasPrefix(s, key+"=") }) {
			chosen = append(chosen, p)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("%s of %s: no setting chooses anything with parameters of its "+
			"own; coppice learners %s lists those of %s",
			strings.Join(settings, " "), name, name, name)
	}
	return chosen, nil
}

func (o *learners) printAll(all []learnersReport) {
	g := cli.Grid{Columns: []cli.Column{
		{Name: "learner"}, {Name: "description", Wrap: 60}, {Name: "also", Wrap: 20},
	}}
	for _, l := range all {
		g.Add(l.Name, l.Help, strings.Join(l.Aliases, ", "))
	}
	o.Printf("The default is %s; coppice learners NAME lists the parameters.\n", catalog.Default)
	g.Print(o.Out)
}

// alsoNamed lists the aliases of a parameter behind its help.
func alsoNamed(aliases []string) string {
	if len(aliases) == 0 {
		return ""
	}
	return " (also " + strings.Join(aliases, ", ") + ")"
}

// printParameter shows one parameter of a learner.
func (o *learners) printParameter(l *learnersReport, p *param.Param) error {
	if o.JSONFlag.JSON {
		return o.Console.JSON(p)
	}
	o.Text(fmt.Sprintf("%s of %s: %s%s", p.Name, l.Name, p.Help, alsoNamed(p.Aliases)))
	o.Printf("\n")
	o.Facts(cli.Fact{Name: "default", Text: cmp.Or(p.Default, "none")},
		cli.Fact{Name: "range", Text: strings.ReplaceAll(p.Range, "|", " | ")},
		cli.Fact{Name: "example", Text: fmt.Sprintf("coppice train data.csv --label COL --learner %s --set %s=%s",
			l.Name, p.Name, exampleValue(p))})
	return nil
}

func (o *learners) printLearner(l *learnersReport) {
	o.Text(l.Name + ": " + l.Help)
	if needs := l.Needs.String(); needs != "" {
		o.Text("Training data: " + needs + ".")
	}
	o.Printf("\n")
	g := cli.Grid{Columns: []cli.Column{{Name: "parameter"}, {Name: "default"},
		{Name: "range", Wrap: 26}, {Name: "meaning", Wrap: 46}}}
	for _, p := range l.Parameters {
		g.Add(p.Name, p.Default, strings.ReplaceAll(p.Range, "|", " | "),
			p.Help+alsoNamed(p.Aliases))
	}
	g.Print(o.Out)
	o.Printf("\nExample:\n  %s\n", l.example())
}
