package table

import (
	"bytes"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// TextRules decide which texts of a column are numbers, missing values or faults.
type TextRules struct {
	plan     *Plan
	format   spelling.NumberFormat // in which the numbers are written
	inferred bool                  // the first text that is no number makes the column categorical
	declared bool                  // a file declares texts: see declaredTexts
	insisted bool                  // numeric by ReadOptions.Numeric, in a format that its texts decide on
	truths   bool                  // a model's column: truth values are 1 and 0
	weak     bool                  // numbers or dates: data.MissingNumbers are missing values
	own      *tokens               // of the column, beside those of the plan; nil: none
}

// value returns a number, or NaN if it means a missing value.
func (r *TextRules) value(v float64) float64 {
	for _, missing := range r.plan.missing {
		if v == missing {
			return math.NaN()
		}
	}
	if r.own != nil && slices.Contains(r.own.numbers, v) {
		return math.NaN()
	}
	return v
}

// NotNumber returns the error, which has no place yet, of a text that is no number of a numeric
// column.
func (r *TextRules) NotNumber(text []byte) *data.ReadError {
	e := &data.ReadError{Msg: Quote(text) + " is not a number", Err: data.ErrNumber}
	if !r.format.Plain() && !r.insisted {
		e.Msg += " (the column is written as " + r.format.String() + ")"
	}
	return e
}

// IsMissing reports whether a text, without blanks around it, means a missing value.
func (r *TextRules) IsMissing(text []byte) bool {
	return r.plan.isMissing(text) || r.own != nil && slices.Contains(r.own.texts, string(text)) ||
		r.weak && slices.Contains(r.plan.weak, string(text))
}

// isMissingNumber reports whether a text is a number that means a missing value, however it is
// written.
func (r *TextRules) isMissingNumber(text []byte) bool {
	v, ok := ParseNumber(text)
	return ok && math.IsNaN(r.value(v))
}

// Comparing reports whether a number can mean a missing value in the column.
func (r *TextRules) Comparing() bool {
	return len(r.plan.missing) > 0 || r.own != nil && len(r.own.numbers) > 0
}

// Parse reads a text, without blanks around it, as a number of the column. In a column of inferred
// kind it is false too for what ReadOptions.Numeric alone makes a number: see nameReason. In a
// model's column it is true for truth values too: see spelling.TruthNumber.
func (r *TextRules) Parse(text []byte) (float64, bool) {
	v, ok := parseAs(r.format, text)
	if !ok && r.truths && r.plainOnly(text) {
		v, ok = ParseNumber(text)
	}
	if !ok && r.insisted && nameReason(text) != "" {
		v, ok = ParseNumber(text)
	}
	if !ok && r.truths {
		v, ok = spelling.TruthNumber(text)
	}
	return v, ok && (!r.inferred || nameReason(text) == "")
}

// plainOnly reports whether a text, which does not fit the format of a model's column, has one
// meaning as a plain number: what tools write whatever people wrote in the table of training. A
// percent sign or a unit may not be left out, and 1.234 may be 1234.
func (r *TextRules) plainOnly(text []byte) bool {
	f := r.format
	f.Comma = false
	if !r.format.Comma || !f.ReadsPlain() || r.plan.options.Decimal != 0 {
		return false
	}
	digits := bytes.TrimLeft(text, "+-")
	whole, fraction, point := bytes.Cut(digits, []byte("."))
	return point && (len(fraction) != 3 || len(whole) > 3)
}

// ReadsPlain reports whether a plain number is one in the column too, so that ScanNumber may read
// it.
func (r *TextRules) ReadsPlain() bool { return r.format.ReadsPlain() }

// Turn reports whether a text that is no number, without blanks around it, turns the column
// categorical until all texts are known. Where it does not, the text is a fault.
func (r *TextRules) Turn(text []byte) bool {
	if r.inferred || !r.insisted {
		return r.inferred
	}
	if _, plain := r.Parse(text); plain {
		return true
	}
	return slices.ContainsFunc(formatsOf(r.plan.options, slices.Values([]string{string(text)})),
		func(f spelling.NumberFormat) bool {
			_, ok := f.Number(text)
			return ok
		})
}

// trim removes the blanks around a text.
func trim[T []byte | string](text T) T {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isBlank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
