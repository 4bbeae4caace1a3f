package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// nearly is the fraction of rows from which on a column is taken for one that nearly is of another
// kind: one value in ten may be dirt. What means that there is no value may be in any fraction of
// the rows, see absent.
const nearly = 0.9

// manyNumbers is the number of different values from which on any single text beside them is taken
// for one that means a missing value. Fewer values may be categories, of which one is a word.
const manyNumbers = 10

// absentWords are texts, in lower case and without marks around them, that mean no value.
var absentWords = []string{"", "na", "n/a", "n.a", "nan", "n/b", "n/k", "n/d", "n.d", "nd", "k.a",
	"nil", "none", "null", "unknown", "unk", "undefined", "missing", "not available", "no data",
	"not known", "tbd", "tba"}

// meansAbsent reports whether a text means that there is no value: a word such as "unknown", or
// marks alone, as in "--".
func meansAbsent(text string) bool {
	return slices.Contains(absentWords, strings.ToLower(strings.Trim(text, "-–—.?*#<>()[] ")))
}

func isWord(text string) bool { return !meansAbsent(text) }

// nearlyAll reports whether texts of so many rows are nearly all that a column holds, given the
// codes of the others.
func (t *distinct) nearlyAll(rows int, odd []int) bool {
	return float64(rows) >= nearly*float64(t.total) || t.absent(odd)
}

// absent reports whether texts that do not fit may mean missing values, in any fraction of the
// rows: words for it, or a single text beside many others.
func (t *distinct) absent(odd []int) bool {
	others := -len(odd)
	for _, level := range t.levels {
		if level != "" {
			others++
		}
	}
	return others > 1 && !slices.ContainsFunc(odd, func(code int) bool { return isWord(t.levels[code]) }) ||
		others >= manyNumbers && len(odd) == 1
}

// misfits returns the codes of texts that have no value in a reading, the first in the table first.
func (t *distinct) misfits(num []float64) []int {
	odd := make([]int, 0, len(t.levels))
	for code, level := range t.levels {
		if level != "" && math.IsNaN(num[code]) {
			odd = append(odd, code)
		}
	}
	slices.SortFunc(odd, func(a, b int) int { return t.first[a] - t.first[b] })
	return odd
}

// none quotes texts that do not fit, for a note: "x" at t.csv:2 is none.
func (t *distinct) none(odd []int) string {
	if len(odd) == 1 {
		return t.shown(odd[0]) + " is none"
	}
	texts := []string{t.shown(odd[0])}
	for _, code := range odd[1:min(len(odd), listed)] {
		texts = append(texts, Quote([]byte(t.levels[code])))
	}
	text := strings.Join(texts, ", ")
	if more := len(odd) - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d further texts", more)
	}
	return text + " are none"
}

// missingFlag writes the flag that makes missing values of texts.
func (t *distinct) missingFlag(odd []int) string {
	var tokens []string
	for _, code := range odd[:min(len(odd), listed)] {
		tokens = append(tokens, t.levels[code])
	}
	flag := option.Expand("{missing} ") + t.tokenList(tokens)
	if more := len(odd) - listed; more > 0 {
		flag += fmt.Sprintf(" and %d further texts", more)
	}
	return flag
}

// Misfits returns the texts that keep a column of categories from being one of numbers or dates,
// the first in the table first, where nearly all others are such: at least ten, or all that do not
// fit mean that there is no value. levels are its different texts in the order of the table, and
// rows how many rows hold each. The kind is data.Categorical where the others are names, such as
// codes with zeros in front.
func Misfits(levels []string, rows []int) (kind data.Kind, odd []string) {
	plan := NewPlan(&data.ReadOptions{}, nil)
	t := &distinct{options: plan.options, column: &Column{plan: plan, Texts: TextRules{plan: plan}},
		levels: levels, rows: rows, first: make([]int, len(levels))}
	for code := range levels {
		t.first[code] = code
		t.total += rows[code]
	}
	var codes []int
	if r := t.readings(); len(r.codes) == 0 && t.nearlyAll(r.best.rows, t.misfits(r.best.num)) {
		kind, codes = data.Numeric, t.misfits(r.best.num)
	} else if best, _ := t.orders(); t.nearlyAll(t.total-best.misses, best.odd) {
		kind, codes = data.Date, best.odd
	}
	sure := len(levels)-len(codes) >= manyNumbers
	for _, code := range codes {
		odd = append(odd, levels[code])
	}
	if odd == nil || !sure && slices.ContainsFunc(odd, isWord) {
		return data.Categorical, nil
	}
	return kind, odd
}
