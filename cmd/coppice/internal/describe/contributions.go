package describe

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// Bias is the name of the mean score among contributions.
const Bias = "bias"

// Contributions returns the table of the largest contributions to a score, of the others that are
// not 0, and of the bias. stdErrors are those of the contributions, nil if they are exact. value
// writes the value of a column.
func Contributions(
	names []string, values, stdErrors []float64, bias float64, most int,
	value func(i int) string,
) *cli.Grid {
	var order []int
	for i, x := range values {
		if x != 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(values[b]), math.Abs(values[a]))
	})
	g := &cli.Grid{Columns: []cli.Column{{Name: "contribution", Right: true}}}
	if stdErrors != nil {
		g.Columns = append(g.Columns, cli.Column{Name: "± se"})
	}
	g.Columns = append(g.Columns, cli.Column{Name: "feature"}, cli.Column{Name: "value"})
	add := func(x float64, stdError, name, value string) {
		cells := []string{signed(x)}
		if stdErrors != nil {
			cells = append(cells, stdError)
		}
		g.Add(append(cells, name, value)...)
	}
	for _, i := range order[:min(most, len(order))] {
		stdError := ""
		if stdErrors != nil {
			stdError = "± " + humanize.Number(stdErrors[i], 2)
		}
		add(values[i], stdError, humanize.Name(names[i]), value(i))
	}
	if left := order[min(most, len(order)):]; len(left) > 0 {
		rest := 0.0
		for _, i := range left {
			rest += values[i]
		}
		add(rest, "", humanize.Count(len(left), "other feature", "other features"), "")
	}
	add(bias, "", Bias, "")
	return g
}

// signed writes a contribution with its sign.
func signed(x float64) string {
	if text := fmt.Sprintf("%+.4f", x); x != 0 && strings.Trim(text, "+-0.") != "" {
		return text
	}
	return humanize.Signed(x, 3)
}

// Digits writes a contribution with 12 significant digits. Those behind them depend on the memory
// and on how many rows are explained at once, which decide how the values are computed.
func Digits(x float64) string {
	if x == 0 {
		return "0" // also of -0
	}
	return strconv.FormatFloat(x, 'g', 12, 64)
}

// Cell returns a value of a table as text. Dates and new categories are as the table has them,
// where their columns were read unchanged, too.
func Cell(t *data.RowBlock, row, at int) string {
	f := t.Frame
	if f.IsMissing(row, at) {
		return "missing"
	}
	c, field := &f.Columns[at], &f.Schema.Fields[at]
	if field.From != nil || c.Codes() != nil && int(c.Code(row)) >= len(field.Levels) {
		if text, ok := Verbatim(t, row, field.Source()); ok {
			return humanize.Name(text)
		}
	}
	if c.Codes() == nil {
		if date, ok := f.Schema.Fields[at].DateText(c.Number(row)); ok {
			return date
		}
		return humanize.Number(c.Number(row), 6)
	}
	if code := c.Code(row); int(code) < len(f.Schema.Fields[at].Levels) {
		return humanize.Name(f.Schema.Fields[at].Levels[code])
	}
	return "unseen"
}

// Verbatim returns the text of a row of a column that was read unchanged; false: it was not.
func Verbatim(t *data.RowBlock, row int, column string) (string, bool) {
	if t.Verbatim == nil {
		return "", false
	}
	at := t.Verbatim.Schema.Index(column)
	if at < 0 {
		return "", false
	}
	return t.Verbatim.Schema.Fields[at].Levels[t.Verbatim.Columns[at].Code(row)], true
}

// Prediction describes the response of a row: the class and its probability, the label of an
// anomaly score and the score, or the numbers.
func Prediction(s *model.Spec, response []float64) string {
	switch {
	case s.Task.Classes():
		label := s.Decision.Label(response)
		return fmt.Sprintf("%s, probability %s", humanize.Name(s.Classes[label]),
			humanize.Number(response[label], 4))
	case s.Labels():
		return fmt.Sprintf("%s, score %s", humanize.Name(s.Classes[s.Decision.Label(response)]),
			humanize.Number(response[0], 4))
	}
	var numbers []string
	for _, v := range response {
		numbers = append(numbers, humanize.Number(v, 6))
	}
	return strings.Join(numbers, ", ")
}

// Explained names the one of several numbers that is explained, model.Spec.Median; "" if a model
// predicts classes or one number.
func Explained(s *model.Spec, outputs int) string {
	switch {
	case s.Labels() || outputs < 2:
		return ""
	case len(s.Quantiles) > 1:
		return "the quantile " + humanize.Exact(s.Quantiles[s.Median()])
	}
	return fmt.Sprintf("the first of %d predictions", outputs)
}

// ScoreWords names a raw score: that of two classes points towards one of them.
func ScoreWords(s *model.Spec, class string) string {
	switch {
	case class == "":
		return "raw score"
	case len(s.Classes) == 2:
		return "towards " + humanize.Name(class)
	}
	return "raw score of " + humanize.Name(class)
}

// Total returns the sum of a bias and contributions: 0 where nothing but rounding is left of it.
func Total(bias float64, values []float64) float64 {
	sum, size := bias, math.Abs(bias)
	for _, x := range values {
		sum += x
		size += math.Abs(x)
	}
	if math.Abs(sum) <= 1e-12*size {
		return 0
	}
	return sum
}

// Divided prints a note about a model's columns that are made of several: exact contributions to
// its scores without a background are divided among these. otherwise is what the reader can do.
func Divided(c *cli.Console, m model.Model, otherwise string) {
	names := explain.Divided(m)
	if len(names) == 0 {
		return
	}
	c.Note("%s made of several, such as %s: contributions are divided equally among these%s",
		humanize.Count(len(names), "column is", "columns are"), names[0], otherwise)
}
