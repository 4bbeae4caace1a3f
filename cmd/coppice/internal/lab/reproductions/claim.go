package reproductions

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Claim is a number of ours beside what it should be: a number that the source prints, one that
// follows by a formula, both, or neither. Only a number of the source is Published; one that we
// computed is not, however well known the formula.
type Claim struct {
	What      string   // what was found, with its unit
	Published Print    // "" = the source prints none
	Formula   *float64 // by a formula, which the text names; nil = none was used
	// the published number by the formula from numbers that were rounded before, to less than a
	// unit of its last digit; nil = it is not found so
	Early *float64
	// why the published number is wrong where it is, so that the formula decides, how it was
	// rounded early, or why it cannot be compared: a clause; "" if the print is unknown
	Reason string
	Memory bool    // Published was written from memory, and no copy of the source was at hand
	Ours   float64 // NaN = none
	// standard error of the difference: of a simulation ours, on test rows that of the test set; 0
	// = none
	Error  float64
	Rule   Rule // for the published number
	Digits int  // decimals that are shown
}

// Print is a number as a source prints it, digit for digit: "0.40", "1e3", or a fraction, "2/3".
type Print string

// unknown stands for numbers of a page whose digits are not known here.
const unknown Print = "?"

// value returns the number, and half of its last digit: by that, ours may differ. A fraction and a
// whole number are exact but for rounding. The number is NaN if the text is none.
func (p Print) value() (v, slack float64) {
	numerator, denominator, fraction := strings.Cut(string(p), "/")
	v = number(numerator)
	if fraction {
		return v / number(denominator), roundingSlack
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(numerator), "e")
	_, decimals, ok := strings.Cut(digits, ".")
	if !ok {
		return v, roundingSlack
	}
	power := 0.0
	if exponent != "" {
		power = number(exponent)
	}
	return v, float64(0.5*math.Pow(10, power-float64(len(decimals)))) + roundingSlack
}

// number reads a number; NaN if the text is none.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Rule is when a published number has been found again.
type Rule uint8

// The rules. "Near" is within half of the last digit printed and two standard errors.
const (
	Same    Rule = iota // ours is near the published one
	AtMost              // ours is smaller, or near: errors
	AtLeast             // ours is larger, or near: margins
	Bound               // ours is larger, or near: the source prints "more than"
	Beside              // the two cannot be compared
)

var ruleNames = []string{"same", "at most", "at least", "bound", "beside"}

// String returns the name of the rule.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return fmt.Sprintf("rule %d", uint8(r))
}

// The verdicts.
const (
	same     = "same"
	better   = "better"
	near     = "within two s.e."
	differs  = "differs"
	worse    = "worse"
	early    = "rounded early"
	misprint = "misprint"
	beside   = "cannot be compared"
	none     = "-"
)

// roundingSlack is by what ours may differ from a formula besides its standard error, relative to 1
// or to the number if larger.
const roundingSlack = 1e-9

// given is a number that is known.
func given(v float64) *float64 { return &v }

// Verdict returns what came of the claim in a word or two, and whether nothing is contradicted: the
// formula has been found again, and the published number too unless it was rounded early or is a
// misprint.
func (c *Claim) Verdict() (words string, ok bool) {
	words, ok = c.published()
	byFormula, agrees := c.formula()
	switch {
	case byFormula == none:
		return words, ok
	case words == none || !agrees:
		return byFormula, agrees
	case !ok && c.roundedEarly():
		return early, true
	case !ok && c.Reason != "":
		return misprint, true
	}
	return words, ok
}

// roundedEarly reports whether the published number follows from numbers that were rounded before,
// by rounding or by cutting digits off.
func (c *Claim) roundedEarly() bool {
	if c.Early == nil {
		return false
	}
	v, half := c.Published.value()
	return math.Abs(*c.Early-v) < 2*half
}

// published returns the verdict on the published number alone.
func (c *Claim) published() (words string, ok bool) {
	switch {
	case c.Published == "":
		return none, true
	case c.Rule == Beside:
		return beside, true
	}
	v, slack := c.Published.value()
	return c.judge(v, c.Rule, slack)
}

// formula returns the verdict on the number by the formula alone.
func (c *Claim) formula() (words string, ok bool) {
	if c.Formula == nil {
		return none, true
	}
	return c.judge(*c.Formula, Same, float64(roundingSlack*math.Max(1, math.Abs(*c.Formula))))
}

func (c *Claim) judge(want float64, rule Rule, slack float64) (words string, ok bool) {
	over := c.Ours - want
	if rule == Bound {
		over = min(0, over)
	}
	switch {
	case math.IsNaN(over):
		return differs, false
	case math.Abs(over) <= slack:
		return same, true
	case math.Abs(over) <= slack+float64(2*c.Error):
		return near, true
	case rule == AtMost && over < 0, rule == AtLeast && over > 0:
		return better, true
	case rule != Same:
		return worse, false
	}
	return differs, false
}

// Cells returns the claim as a row of text: what, published, by formula, ours with its error,
// verdict.
func (c *Claim) Cells() []string {
	number := func(v *float64) string {
		if v == nil || math.IsNaN(*v) {
			return none
		}
		return fmt.Sprintf("%.*f", c.Digits, *v)
	}
	ours := number(&c.Ours)
	if c.Error > 0 {
		ours += fmt.Sprintf(" ± %.*f", c.Digits, c.Error)
	}
	words, _ := c.Verdict()
	if (words == misprint || words == early || words == beside) && c.Reason != "" {
		words += ": " + c.Reason
	}
	published := none
	if c.Published != "" {
		published = string(c.Published)
	}
	if c.Memory {
		published += memoryMark
	}
	return []string{c.What, published, number(c.Formula), ours, words}
}

// memoryMark follows the numbers that MemoryNote is about.
const memoryMark = " *"

// MemoryNote explains the marks of claims, "" if there are none.
func MemoryNote(all []Claim) string {
	for i := range all {
		if all[i].Memory {
			return "* These digits were written from memory: no copy of the source was at hand."
		}
	}
	return ""
}

// Heads are the names of the columns of Cells.
func Heads() []string { return []string{"", "published", "by formula", "ours", "verdict"} }

// MarshalJSON writes the claim as an object with its verdict; what is unknown is null. The
// published number is written digit for digit, a fraction as a text.
func (c Claim) MarshalJSON() ([]byte, error) {
	words, ok := c.Verdict()
	wrong, rounded := "", ""
	switch words {
	case misprint:
		wrong = c.Reason
	case early:
		rounded = c.Reason
	}
	ours := &c.Ours
	if math.IsNaN(c.Ours) {
		ours = nil
	}
	return json.Marshal(struct {
		What      string   `json:"what"`
		Published any      `json:"published"`
		Formula   *float64 `json:"by_formula"`
		Ours      *float64 `json:"ours"`
		Error     float64  `json:"error"`
		Rule      string   `json:"rule"`
		Verdict   string   `json:"verdict"`
		Misprint  string   `json:"misprint,omitempty"`
		Early     string   `json:"rounded_early,omitempty"`
		Memory    bool     `json:"from_memory,omitempty"`
		Kept      bool     `json:"kept"`
	}{c.What, value(string(c.Published)), c.Formula, ours, c.Error, c.Rule.String(), words, wrong,
		rounded, c.Memory, ok})
}
