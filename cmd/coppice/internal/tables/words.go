package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// DescribeTable counts the rows and columns of a table by kind.
func DescribeTable(ds *data.Dataset) string {
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

// DescribeLabel names the label with its classes and their frequencies, or its range.
func DescribeLabel(t *data.Target, rows int) string {
	switch {
	case t.Class == nil && t.Y == nil:
		return "none"
	case t.Class == nil:
		return fmt.Sprintf("%s, numbers from %s to %s", humanize.Name(t.Name),
			humanize.Exact(slices.Min(t.Y[0])), humanize.Exact(slices.Max(t.Y[0])))
	}
	counts := make([]int, len(t.Classes))
	for _, class := range t.Class {
		counts[class]++
	}
	var texts []string
	for i, class := range t.Classes {
		if i == listedClasses {
			texts = append(texts, fmt.Sprintf("and %d more", len(t.Classes)-i))
			break
		}
		fraction := humanize.Ratio(int64(counts[i]), int64(rows))
		texts = append(texts, humanize.Name(class)+" "+fraction)
	}
	return fmt.Sprintf("%s, %s: %s", humanize.Name(t.Name),
		humanize.Count(len(t.Classes), "class", "classes"), strings.Join(texts, ", "))
}
