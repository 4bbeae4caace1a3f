package describe

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// Importances returns the importances of a model of trees by their splits, nil where there are
// none.
func (v *View) Importances() []explain.Importance {
	if v.Ensemble == nil {
		return nil
	}
	found, err := explain.Impurity(v.Ensemble)
	if errors.Is(err, explain.ErrNoStats) {
		return v.storedImportances()
	}
	return found
}

// barWidth is the length of the bar of the largest importance.
const barWidth = 30

// ImportanceKind names what importances by splits are fractions of.
func (v *View) ImportanceKind() string { return cmp.Or(v.Training.SplitKind, training.Impurity) }

// ImportanceCaption names importances that are fractions.
func ImportanceCaption(kind string) plot.ImportanceCaption {
	if kind == training.Gain {
		return plot.ImportanceCaption{What: "By gain: fraction of the decrease of the loss by " +
			"splits in training", Label: "fraction of the gain"}
	}
	return plot.ImportanceCaption{What: "By impurity: fraction of the decrease of impurity by " +
		"splits in training", Label: "fraction of the decrease of impurity"}
}

// PrintImportances prints the features that a model uses, and combinations of them, at most limit;
// 0 = all.
func PrintImportances(c *cli.Console, kind string, all []explain.Importance, limit int) {
	used := 0
	for used < len(all) && all[used].Value > 0 {
		used++
	}
	if used == 0 {
		return
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "feature"}, {Name: kind, Right: true}, {}}}
	shown := used
	if limit > 0 {
		shown = min(used, limit)
	}
	for _, i := range all[:shown] {
		bar := strings.Repeat("█", max(1, int(math.Round(i.Value/all[0].Value*barWidth))))
		g.Add(humanize.Name(i.Feature), humanize.Metric(i.Value), bar)
	}
	c.Printf("\n")
	c.Text(importanceHead(ImportanceCaption(kind)))
	g.Print(c.Out)
	features, combinations := featuresIn(all), 0
	for _, i := range all[:used] {
		combinations += min(1, len(i.Columns))
	}
	if used > shown || features.used < features.all {
		text := fmt.Sprintf("%d of %d features are used", features.used, features.all)
		if combinations > 0 {
			text += ", and " + humanize.Count(combinations, "combination", "combinations") +
				" of them"
		}
		c.Printf("%s\n", text)
	}
}

// featuresIn counts features, and those that are used, by themselves or in a combination.
func featuresIn(all []explain.Importance) (n struct{ all, used int }) {
	within := map[string]bool{}
	for _, i := range all {
		if i.Value > 0 && i.Columns == nil {
			within[i.Feature] = true
		}
		for _, name := range i.Columns {
			within[name] = within[name] || i.Value > 0
		}
	}
	for _, i := range all {
		if i.Columns == nil {
			n.all++
			if within[i.Feature] {
				n.used++
			}
		}
	}
	return n
}

// importanceHead heads a table of importances.
func importanceHead(caption plot.ImportanceCaption) string {
	return "Feature importance " + strings.ToLower(caption.What[:1]) + caption.What[1:]
}

// ImportanceKinds are the values of --importances.
func ImportanceKinds() []string {
	names := []string{training.Impurity, training.Gain}
	for _, k := range ReportedKinds(&model.Spec{}) {
		names = append(names, k.Name)
	}
	return names
}

// ImportanceLine lists the most important columns in a line of one fact, "" if there are none.
func ImportanceLine(kind string, all []explain.Importance) string {
	var top []valued
	for _, i := range all {
		if i.Value >= 0.005 {
			top = append(top, valued{i.Feature, strconv.FormatFloat(100*i.Value, 'f', 0, 64) + "%"})
		}
	}
	return columnLine("by "+kind, top)
}

// PermutationLine lists the columns of the largest permutation importance in a line of one fact, ""
// if there are none.
func PermutationLine(p *model.Permutation) string {
	var top []valued
	for _, c := range p.Columns {
		if c.Drop > 0 && c.Columns == nil {
			top = append(top, valued{c.Name, humanize.Number(c.Drop, 2)})
		}
	}
	return columnLine("by permutation, "+PermutationCaption(p).Label, top)
}

// valued is a column with its importance.
type valued struct{ name, value string }

// columnLine lists the first columns of a list. Names that have no room lose their middle.
func columnLine(kind string, top []valued) (line string) {
	const most = 5
	if len(top) == 0 {
		return ""
	}
	for width := cli.FactWidth; width > 6; width-- {
		line = ""
		for _, c := range top[:min(most, len(top))] {
			line += ", " + humanize.ShortenMiddle(humanize.Name(c.name), width) + " " + c.value
		}
		if line = kind + ": " + line[2:]; utf8.RuneCountInString(line) <= cli.FactWidth {
			break
		}
	}
	return line
}
