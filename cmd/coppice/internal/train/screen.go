package train

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// screen is what a training prints: a report that fits one screen. The whole report is that of -v.
type screen struct {
	*report
	console  *cli.Console
	problem  *tables.Problem
	paths    []string // of the table
	files    []string // of validation and test set
	estimate *estimate
	took     time.Duration
	read     string // flags that read the table
}

// fact prints a fact, in lines of the screen's width, at most so many.
func (s *screen) fact(name, words string, most int) {
	lines := strings.Split(text.WrapSoft(words, cli.FactWidth), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if len(lines) > most {
		lines = lines[:most]
		const more = " ..."
		last := []rune(lines[most-1])
		lines[most-1] = string(last[:min(len(last), cli.FactWidth-len(more))]) + more
	}
	for i, line := range lines {
		s.console.Printf("%-9s %s\n", []string{name, ""}[min(i, 1)], line)
	}
}

// print prints the screen.
func (s *screen) print() {
	s.printData()
	s.printLearner()
	s.printMetrics()
	s.printConfusion()
	s.console.Printf("\n")
	s.printColumns()
	s.printComparison()
	s.printWarnings()
	s.printNext()
}

// printData prints what the table is, and how its rows are divided.
func (s *screen) printData() {
	paths := shortList(append(slices.Clone(s.paths), s.files...))
	facts := s.problem.Facts(paths)
	for width := cli.FactWidth; len([]rune(facts[0].Text)) > cli.FactWidth && width > 8; width -= 4 {
		for i, path := range paths {
			paths[i] = humanize.ShortenMiddle(path, width)
		}
		facts = s.problem.Facts(paths)
	}
	s.fact("data", facts[0].Text, 1)
	s.fact("label", facts[1].Text+s.labelWords(), 2)
	s.printGuess()
	if n := s.Rows; n.Validation > 0 || n.Test > 0 || n.Weightless != nil || n.LeftOut > 0 {
		s.fact("rows", s.rowWords(), 2)
	}
	if len(s.Differences) > 0 {
		s.fact("changed", humanize.Count(len(s.Differences), "difference", "differences")+
			" from the table of the model; first: "+s.Differences[0].Message, 2)
	}
}

// labelWords says what else the label is, where that is a choice.
func (s *screen) labelWords() string {
	words := ""
	if s.Task != data.Binary && s.Task != data.Multiclass && s.Task != data.Regression {
		words = "; task " + s.Task.String()
	}
	if s.Positive != "" {
		words += fmt.Sprintf("; positive class %s (--positive changes it)", humanize.Name(s.Positive))
	}
	return words
}

// printGuess prints how a label of integers is read, which another task would read otherwise.
func (s *screen) printGuess() {
	t := &s.problem.Target
	label := "label " + humanize.Name(t.Name) + " is read as "
	switch {
	case !t.Guessed || slices.Equal(t.Classes, []string{"0", "1"}):
	case t.Task == data.Regression:
		s.fact("note", label+"numbers; --task multiclass reads classes", 2)
	default:
		s.fact("note", label+humanize.Count(len(t.Classes), "class", "classes")+
			"; --task regression reads numbers", 2)
	}
}

// shortList lists the first of many files.
func shortList(paths []string) []string {
	const most = 3
	if len(paths) <= most {
		return slices.Clone(paths)
	}
	return append(slices.Clone(paths[:most-1]), fmt.Sprintf("%d more", len(paths)-most+1))
}

// printLearner prints the learner, its settings in one line, and how training chose them.
func (s *screen) printLearner() {
	found := s.view.Training
	words := humanize.Name(s.view.Spec.Learner)
	settings := strings.Split(s.view.SettingsFact().Text, " ")
	counted := func(setting string) bool {
		return strings.HasPrefix(setting, "trees=") || strings.HasPrefix(setting, "rounds=")
	}
	if !slices.ContainsFunc(settings, counted) {
		words += ", " + s.sizeWords()
	}
	if found.Brief.Chosen != "" {
		words += ", trees chosen " + found.Brief.Chosen
	}
	s.fact("learner", words, 1)
	if found.Brief.Pruned != "" {
		s.fact("pruned", found.Brief.Pruned, 1)
	}
	s.fact("settings", cli.Fitting(settings, " ", "more (-v)", cli.FactWidth), 1)
	if tried := found.Brief.Tried; tried != "" {
		if more := tried + " (show --training lists them)"; len([]rune(more)) <= cli.FactWidth {
			tried = more
		}
		s.fact("tried", tried, 1)
	}
}

// sizeWords says how large the model is.
func (s *screen) sizeWords() string {
	switch v := s.view; v.Title {
	case "tree", "trees", "rules", "network":
		return v.Words
	case "examples": // they are the rows
		_, words, _ := strings.Cut(v.Words, ", of which ")
		return words
	default:
		return v.Title + " " + v.Words
	}
}

// printMetrics prints the most important metrics, and of which rows they are.
func (s *screen) printMetrics() {
	e := s.estimate
	switch {
	case e == nil:
		return
	case len(e.metrics) == 0:
		s.console.Printf("\n%s\n", cli.Wrap(e.undefined))
		return
	}
	s.console.Printf("\n%s\n", cli.Wrap(e.title))
	width := 0
	for _, m := range e.metrics {
		width = max(width, len(metric.Words(m.Name)))
	}
	for _, m := range e.metrics {
		line := fmt.Sprintf("%-*s  %10s", width, metric.Words(m.Name), humanize.Metric(m.Value))
		if m.Low != nil {
			line += fmt.Sprintf("  %s to %s", humanize.Metric(*m.Low), humanize.Metric(*m.High))
		}
		s.console.Printf("%s\n", line)
	}
}

// The most classes whose confusion matrix is printed, and the most pairs of others.
const (
	screenClasses = 6
	screenPairs   = 4
)

// printConfusion prints the confusion matrix of few classes; of more the largest confusions.
func (s *screen) printConfusion() {
	if s.estimate == nil || s.estimate.confusion == nil {
		return
	}
	m := s.estimate.confusion
	if len(m.Classes) > screenClasses {
		s.printConfused(m)
		return
	}
	width := max(6, (cli.Width-26)/len(m.Classes)-2)
	g := cli.Grid{Columns: []cli.Column{{Name: "true \\ predicted"}}}
	for _, class := range m.Classes {
		g.Columns = append(g.Columns,
			cli.Column{Name: humanize.Shorten(humanize.Name(class), min(width, 24)), Right: true})
	}
	for k, class := range m.Classes {
		row := []string{humanize.Shorten(humanize.Name(class), 24)}
		for _, n := range m.Counts[k] {
			row = append(row, strconv.FormatInt(n, 10))
		}
		g.Add(row...)
	}
	s.console.Printf("\n")
	g.Print(s.console.Out)
}

// printConfused prints the largest confusions in a line.
func (s *screen) printConfused(m *eval.Confusion) {
	all := describe.Confused(m)
	if len(all) == 0 {
		return
	}
	var pairs []string
	for _, e := range all[:min(screenPairs, len(all))] {
		pairs = append(pairs, fmt.Sprintf("%s as %s %d", humanize.Shorten(humanize.Name(m.Classes[e.Is]), 16),
			humanize.Shorten(humanize.Name(m.Classes[e.Taken]), 16), e.Rows))
	}
	s.console.Printf("\n")
	s.fact("confused", cli.Fitting(pairs, ", ", "more", cli.FactWidth)+" rows", 1)
}

// printColumns prints the most important columns in one line.
func (s *screen) printColumns() {
	line := describe.ImportanceLine(s.Kind, s.Importances)
	if p := s.Permutation; p != nil {
		line = describe.PermutationLine(p)
	}
	if line != "" {
		s.fact("columns", line, 1)
	}
}

// printComparison prints how the model differs from the one that it must not be worse than.
func (s *screen) printComparison() {
	if s.Compared != nil {
		s.fact("compared", s.comparison(), 2)
	}
}

// printWarnings prints the first warning, which is the most important one, and how many follow.
func (s *screen) printWarnings() {
	c := s.console
	notes := c.DropPostponed()
	if c.Silent || len(s.Warnings) == 0 {
		return
	}
	s.fact("warning", s.Warnings[0].String(), 2)
	if more := len(s.Warnings) - 1; more > 0 {
		all := "-v prints all"
		if notes > 0 {
			all += ", and the notes"
		}
		s.fact("", fmt.Sprintf("and %s (%s)", humanize.Count(more, "further one", "further ones"), all), 1)
	}
}

// printNext prints where the model is, and the commands that use it.
func (s *screen) printNext() {
	model := humanize.ShellWord(s.Model)
	s.console.Printf("%-9s %s, trained in %s\n", "model", humanize.Name(s.Model),
		humanize.Duration(s.took))
	s.console.Printf("%-9s coppice predict %s %s\n", "next", model, s.example())
	s.console.Printf("%-9s coppice show %s\n", "", model)
}

// example names a table that the model can predict: of the test set, else that of the training.
func (s *screen) example() string {
	paths := s.paths[:1]
	if len(s.files) > 0 {
		paths = s.files[len(s.files)-1:]
	}
	if paths[0] == "-" || paths[0] == cli.QueryOperand {
		return "new.csv"
	}
	return humanize.ShellWord(paths[0]) + s.read
}
