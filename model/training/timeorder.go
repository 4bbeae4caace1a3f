package training

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
)

// TimeOrder is that a model predicts rows that are later than its own worse than it could. Training
// stores it where it measured that. Two small trainings were evaluated on late rows: one on early
// rows with all columns, and a better one.
type TimeOrder struct {
	// the column that orders the rows, then those that grow or fall with it, and most of whose
	// values in late rows are outside the range of the early ones. Days since an epoch, decimal
	// years and counters are such: trees cannot extrapolate them
	Columns []string `json:"columns"`
	// the first one is the time column of the training. Then the better training has the same rows,
	// without the other columns; else it has as many rows, of all times
	Known  bool    `json:"known,omitempty"`
	Rows   int     `json:"rows"` // of the table, or of a sample of it
	Metric string  `json:"metric"`
	Value  float64 `json:"value"`          // of the training on early rows
	Better float64 `json:"better"`         // of the better one, on the same late rows
	Gain   float64 `json:"gain"`           // of the better one
	Error  float64 `json:"standard_error"` // of the gain, over blocks of the late rows
	// the order is not known, and trainings on early rows are better with the column as a feature
	// than without it
	Feature bool `json:"feature,omitempty"`
}

// Beyond returns the columns that trees cannot extrapolate.
func (o *TimeOrder) Beyond() []string { return o.Columns[1:] }

// words returns a sentence about what was found, and one about what helps, of a model with a loss.
func (o *TimeOrder) words(loss string) (message, advice string) {
	metric := metricName(o.Metric, loss)
	if o.Known {
		return fmt.Sprintf("the latest rows are predicted worse with %s than without, %s %s instead "+
				"of %s, since trees cannot extrapolate", columnWords(o.Beyond()), metric,
				humanize.Metric(o.Value), humanize.Metric(o.Better)),
			option.Expand("leave it out with {ignore} ") + ignored(o.Beyond())
	}
	message = fmt.Sprintf("rows of a later %s are predicted worse than shuffled ones, %s %s instead "+
		"of %s", strconv.Quote(humanize.Name(o.Columns[0])), metric, humanize.Metric(o.Value),
		humanize.Metric(o.Better))
	advice = option.Expand("if new rows are later, use {time} ") + humanize.Name(o.Columns[0])
	if o.Feature {
		advice += option.Expand(" {time-feature}")
	}
	if len(o.Beyond()) > 0 {
		advice += option.Expand(" {ignore} ") + ignored(o.Beyond()) + ", which trees cannot extrapolate"
	}
	return message, advice
}

// shownBeyond is the most columns that a sentence names.
const shownBeyond = 5

// columnWords names columns.
func columnWords(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(humanize.Name(name))
	}
	what := "column "
	if len(names) > 1 {
		what = "columns "
	}
	if more := len(quoted) - shownBeyond; more > 0 {
		quoted = append(quoted[:shownBeyond], fmt.Sprintf("and %d more", more))
	}
	return what + strings.Join(quoted, ", ")
}

// ignored lists columns as the flag --ignore takes them.
func ignored(names []string) string {
	list := make([]string, min(len(names), shownBeyond))
	for i := range list {
		list[i] = humanize.Name(names[i])
	}
	if len(names) > shownBeyond {
		list = append(list, "...")
	}
	return strings.Join(list, ",")
}
