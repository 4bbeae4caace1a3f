package dense

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// Report reports what an Encoding did to the training rows. Learners put it into the summary of
// their models, under the key "encoding".
type Report struct {
	Width        int      `json:"width"`                  // places of a vector
	Standardised int      `json:"standardised,omitempty"` // numeric columns
	Coded        int      `json:"coded,omitempty"`        // categorical columns
	LeftOut      []string `json:"left_out,omitempty"`     // columns that carry no information
	Imputed      []Filled `json:"imputed,omitempty"`      // numeric columns with missing values
	// the same, of learners that leave missing values out
	Skipped []Filled `json:"skipped,omitempty"`
	Clamped []Filled `json:"clamped,omitempty"` // numeric columns with infinite values
	// categorical columns of more than 256, and how many share a place
	Pooled []Filled `json:"pooled,omitempty"`
}

// Filled is a column with a number of its values or categories.
type Filled struct {
	Column string `json:"column"`
	Number int    `json:"number"`
}

// Check returns an error where no Encoding reports what r holds: a negative count. A nil report is
// none.
func (r *Report) Check() error {
	if r == nil {
		return nil
	}
	least := 0
	for _, list := range [][]Filled{r.Imputed, r.Skipped, r.Clamped, r.Pooled} {
		for _, f := range list {
			least = min(least, f.Number)
		}
	}
	if least < 0 {
		return fmt.Errorf("%d is no count", least)
	}
	return nil
}

// listed is the greatest number of columns that Words names.
const listed = 5

// words writes the report in lines. name writes the name of a column, which may hold anything; nil
// leaves it as it is.
//
//	6 numeric columns standardised, 2 categorical columns one-hot coded as 9
//	missing numbers are the mean: age (12), income (3)
func (r *Report) words(name func(string) string) []string {
	if name == nil {
		name = func(s string) string { return s }
	}
	var parts []string
	if r.Standardised > 0 {
		parts = append(parts,
			humanize.Count(r.Standardised, "numeric column", "numeric columns")+" standardised")
	}
	if r.Coded > 0 {
		parts = append(parts,
			fmt.Sprintf("%s one-hot coded as %d",
				humanize.Count(r.Coded, "categorical column", "categorical columns"),
				r.Width-r.Standardised))
	}
	lines := []string{strings.Join(parts, ", ")}
	if len(parts) == 0 {
		lines[0] = "no column varies"
	}
	report := func(what string, columns []Filled) {
		var words []string
		for _, c := range columns[:min(listed, len(columns))] {
			words = append(words, fmt.Sprintf("%s (%d)", name(c.Column), c.Number))
		}
		if len(words) > 0 {
			lines = append(lines, what+strings.Join(words, ", ")+more(len(columns)))
		}
	}
	report("missing numbers are the mean: ", r.Imputed)
	report("missing numbers are left out: ", r.Skipped)
	report("infinite numbers are the greatest or least finite one: ", r.Clamped)
	report("rare categories share an indicator: ", r.Pooled)
	if n := len(r.LeftOut); n > 0 {
		var words []string
		for _, c := range r.LeftOut[:min(listed, n)] {
			words = append(words, name(c))
		}
		lines = append(lines,
			"left out, as all rows have the same: "+strings.Join(words, ", ")+more(n))
	}
	return lines
}

// more reports how many columns are not listed.
func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-listed)
}

// Facts describes the encoding, and the solution of the training problem in words ("" = none), as
// lines of a report; a nil report has none.
func (r *Report) Facts(solution string) []model.Fact {
	if r == nil {
		return nil
	}
	var facts []model.Fact
	for i, line := range r.words(humanize.Name) {
		facts = append(facts, model.Fact{Name: []string{"encoding", ""}[min(i, 1)], Text: line})
	}
	if solution != "" {
		facts = append(facts, model.Fact{Name: "solution", Text: humanize.Name(solution)})
	}
	return facts
}
