package tables

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Facts describe the table, which was read from files, and its label.
func (p *Problem) Facts(paths []string) []cli.Fact {
	return []cli.Fact{{Name: "data", Text: cli.PathList(paths) + ": " + describeTable(p.Dataset)},
		{Name: "label", Text: describeLabel(&p.Target)}}
}

// describeTable counts the rows and columns of a table by kind.
func describeTable(ds *data.Dataset) string {
	kinds := map[data.Kind]int{}
	for i := range ds.Schema.Fields {
		kinds[ds.Schema.Fields[i].Kind]++
	}
	var texts []string
	for _, k := range []data.Kind{data.Numeric, data.Categorical} {
		if kinds[k] > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", kinds[k], k))
		}
	}
	return fmt.Sprintf("%s, %s %s", humanize.Count(ds.Rows(), "row", "rows"),
		strings.Join(texts, " and "),
		humanize.Plural(len(ds.Schema.Fields), "feature", "features"))
}

// listedClasses is the largest number of classes that are listed by name.
const listedClasses = 6

// describeLabel names the label with its classes and their frequencies, or its range.
func describeLabel(t *data.Target) string {
	all := LabelSummary{}
	var y []float64
	if t.Y != nil {
		y = t.Y[0]
	}
	all.Add(t.Class, y)
	return all.Describe(t)
}

// LabelSummary is what describeLabel prints of labels, which may come some rows at a time.
type LabelSummary struct {
	rows        int
	counts      []int // of classes
	least, most float64
}

// Add adds the next labels, which are classes or numbers.
func (l *LabelSummary) Add(class []uint32, y []float64) {
	for _, c := range class {
		for int(c) >= len(l.counts) {
			l.counts = append(l.counts, 0)
		}
		l.counts[c]++
	}
	for i, v := range y {
		if l.rows == 0 && i == 0 {
			l.least, l.most = v, v
		}
		l.least, l.most = min(l.least, v), max(l.most, v)
	}
	l.rows += len(class) + len(y)
}

// Describe is describeLabel of the labels that were added. The target may have no rows.
func (l *LabelSummary) Describe(t *data.Target) string {
	switch {
	case t.Class == nil && t.Y == nil:
		return "none"
	case t.Class == nil:
		return fmt.Sprintf("%s, numbers from %s to %s", humanize.Name(t.Name),
			humanize.Exact(l.least), humanize.Exact(l.most))
	}
	var texts []string
	for i, class := range t.Classes {
		if i == listedClasses {
			texts = append(texts, fmt.Sprintf("and %d more", len(t.Classes)-i))
			break
		}
		n := 0
		if i < len(l.counts) {
			n = l.counts[i]
		}
		fraction := humanize.Ratio(int64(n), int64(l.rows))
		texts = append(texts, humanize.Name(class)+" "+fraction)
	}
	return fmt.Sprintf("%s, %s: %s", humanize.Name(t.Name),
		humanize.Count(len(t.Classes), "class", "classes"), strings.Join(texts, ", "))
}
