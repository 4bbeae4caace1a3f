package quality

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/table"
)

// misfits are the texts that keep a column from being one of numbers or dates.
type misfits struct {
	kind  data.Kind // data.Categorical: the column is one of names
	texts []string
}

// misfits looks for such texts in the sample of a column of categories.
func (t *inspected) misfits(column int) misfits {
	c, f := &t.Columns[column], &t.Schema.Fields[column]
	if c.Codes() == nil || f.Format != "" {
		return misfits{}
	}
	var levels []string
	var rows []int
	place := make([]int32, len(f.Levels)) // 1 + where a level is in the list
	for _, row := range t.sample {
		code := c.Code(int(row))
		if code >= data.UnseenCode {
			continue
		}
		if place[code] == 0 {
			levels, rows = append(levels, f.Levels[code]), append(rows, 0)
			place[code] = int32(len(levels))
		}
		rows[place[code]-1]++
	}
	kind, odd := table.Misfits(levels, rows)
	return misfits{kind, odd}
}

// notQuiteNumbers finds columns of categories that would be numbers or dates but for some texts.
func notQuiteNumbers(t *inspected) []Warning {
	var found []Warning
	for i := range t.columns {
		m := &t.columns[i].misfits
		if m.texts == nil {
			continue
		}
		odd := map[string]bool{}
		for _, text := range m.texts {
			odd[text] = true
		}
		n, levels := 0, t.Schema.Fields[i].Levels
		for _, row := range t.rows {
			if code := t.Columns[i].Code(int(row)); code < data.UnseenCode && odd[levels[code]] {
				n++
			}
		}
		what := "numbers"
		if m.kind == data.Date {
			what = "dates"
		}
		found = append(found, Warning{Columns: []string{t.name(i)}, Rows: n,
			Value: float64(n) / float64(len(t.rows)),
			Message: fmt.Sprintf("column %q has categories in place of %s, since %d of %d%s rows hold %s",
				t.name(i), what, n, len(t.rows), t.part, quoted(m.texts)),
			Advice: fmt.Sprintf(option.Expand("if such texts mean missing values, read %s with {missing} %s"),
				what, missingFlag(m.texts))})
	}
	return found
}

// missingFlag is the value of the flag --missing for some texts, the first of many.
func missingFlag(texts []string) string {
	some := slices.Clone(texts[:min(len(texts), listed)])
	some[0] = "+" + some[0] // beside the tokens that are read so anyway
	flag := table.TokenList(some)
	if more := len(texts) - listed; more > 0 {
		flag += fmt.Sprintf(" and %d further texts", more)
	}
	return flag
}
