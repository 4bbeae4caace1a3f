package lab

import (
	"encoding/json"
	"fmt"
	"math"
)

// Claim is a published number beside ours.
type Claim struct {
	What      string  // what was measured, with its unit
	Published float64 // NaN = nothing was printed: the number stands beside the others, without a verdict
	Ours      float64
	Error     float64 // standard error of the difference: of a simulation ours, on test rows that of the test set; 0 = none
	Rule      Rule
	Slack     float64 // by which both may differ besides, such as half of the last digit that was printed
	Digits    int     // decimals that are shown
}

// Rule says when a published number has been found again.
type Rule uint8

// The rules. "Near" is within Slack and two standard errors.
const (
	Same    Rule = iota // ours is near the published one
	AtMost              // ours is smaller, or near: errors
	AtLeast             // ours is larger, or near
	Beside              // the two cannot be compared but by findings: the generator was not published
)

var ruleNames = []string{"same", "at most", "at least", "beside"}

// String returns the name of the rule.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return fmt.Sprintf("rule %d", uint8(r))
}

// The verdicts.
const (
	same    = "same"
	better  = "better"
	near    = "within two s.e."
	differs = "differs"
	worse   = "worse"
	none    = "-"
)

// Verdict returns what came of the claim in a word or two, and whether the published number has been found again.
func (c *Claim) Verdict() (words string, ok bool) {
	if math.IsNaN(c.Published) || c.Rule == Beside {
		return none, true
	}
	over := c.Ours - c.Published
	if c.Rule == AtLeast {
		over = -over
	}
	switch {
	case math.IsNaN(over):
		return differs, false
	case math.Abs(over) <= c.Slack:
		return same, true
	case c.Rule != Same && over < 0:
		return better, true
	case math.Abs(over) <= c.Slack+2*c.Error:
		return near, true
	case c.Rule != Same:
		return worse, false
	}
	return differs, false
}

// Cells returns the claim as a row of text: what, published, ours with its error, verdict.
func (c *Claim) Cells() []string {
	number := func(v float64) string {
		if math.IsNaN(v) {
			return none
		}
		return fmt.Sprintf("%.*f", c.Digits, v)
	}
	ours := number(c.Ours)
	if c.Error > 0 {
		ours += fmt.Sprintf(" ± %.*f", c.Digits, c.Error)
	}
	words, _ := c.Verdict()
	return []string{c.What, number(c.Published), ours, words}
}

// Heads are the names of the columns of Cells.
func Heads() []string { return []string{"", "published", "ours", "verdict"} }

// MarshalJSON writes the claim as an object with its verdict; what was not published is null.
func (c Claim) MarshalJSON() ([]byte, error) {
	words, ok := c.Verdict()
	var published *float64
	if !math.IsNaN(c.Published) {
		published = &c.Published
	}
	return json.Marshal(struct {
		What      string   `json:"what"`
		Published *float64 `json:"published"`
		Ours      float64  `json:"ours"`
		Error     float64  `json:"error"`
		Rule      string   `json:"rule"`
		Verdict   string   `json:"verdict"`
		Kept      bool     `json:"kept"`
	}{c.What, published, c.Ours, c.Error, c.Rule.String(), words, ok})
}
