package reproductions

import (
	"fmt"
	"strings"
)

// Count counts numbers and statements by their verdicts: those that sources print, and separately
// those that follow by a formula or are ours.
type Count struct {
	Published  Verdicts   `json:"published"`        // numbers that a source prints
	Formula    Verdicts   `json:"by_formula"`       // numbers that follow by a formula
	Statements Statements `json:"statements"`       // statements that a source prints
	Others     Statements `json:"other_statements"` // those that no source prints
}

// Verdicts counts numbers by their verdicts.
type Verdicts struct {
	Found     int `json:"found"`         // again
	Lost      int `json:"lost"`          // contradicted
	Early     int `json:"rounded_early"` // by the formula, from numbers that were rounded before
	Misprints int `json:"misprints"`     // contradicted by the formula too
	Beside    int `json:"beside"`        // cannot be compared: see the rule
	Better    int `json:"better"`        // ours is less of an error, and not the printed number
}

// Statements counts findings.
type Statements struct {
	Hold int `json:"hold"`
	Lost int `json:"lost"`      // contradicted
	Open int `json:"undecided"` // see Finding
}

// Count counts the claims and the findings. A claim with a number of both kinds counts for both.
func (r *Result) Count() Count {
	var n Count
	for i := range r.Claims {
		n.add(&r.Claims[i])
	}
	for i := range r.Findings {
		f, to := &r.Findings[i], &n.Statements
		if f.Unpublished {
			to = &n.Others
		}
		switch {
		case f.Open:
			to.Open++
		case f.Holds:
			to.Hold++
		default:
			to.Lost++
		}
	}
	return n
}

func (n *Count) add(c *Claim) {
	verdict, _ := c.Verdict()
	words, found := c.published()
	switch {
	case c.Published == "":
	case c.Rule == Beside:
		n.Published.Beside++
	case verdict == early:
		n.Published.Early++
	case verdict == misprint:
		n.Published.Misprints++
	case words == better:
		n.Published.Better++
	case found:
		n.Published.Found++
	default:
		n.Published.Lost++
	}
	_, found = c.formula()
	switch {
	case c.Formula == nil:
	case found:
		n.Formula.Found++
	default:
		n.Formula.Lost++
	}
}

// Lost returns how many numbers and statements are contradicted.
func (n Count) Lost() int {
	return n.Published.Lost + n.Formula.Lost + n.Statements.Lost + n.Others.Lost
}

// Plus returns the count of two results together.
func (n Count) Plus(o Count) Count {
	add := func(a, b Verdicts) Verdicts {
		return Verdicts{a.Found + b.Found, a.Lost + b.Lost, a.Early + b.Early,
			a.Misprints + b.Misprints, a.Beside + b.Beside, a.Better + b.Better}
	}
	join := func(s, t Statements) Statements {
		return Statements{s.Hold + t.Hold, s.Lost + t.Lost, s.Open + t.Open}
	}
	return Count{add(n.Published, o.Published), add(n.Formula, o.Formula),
		join(n.Statements, o.Statements), join(n.Others, o.Others)}
}

// String returns the count in words, a clause for each kind that there is, in capitals where
// something was not found again.
func (n Count) String() string {
	var clauses []string
	for _, t := range []struct {
		name string
		Verdicts
	}{{"published numbers", n.Published}, {"numbers by formula", n.Formula}} {
		if t.Verdicts != (Verdicts{}) {
			clauses = append(clauses, t.name+": "+t.String())
		}
	}
	for _, t := range []struct {
		name string
		Statements
	}{{"published statements", n.Statements}, {"other statements", n.Others}} {
		if t.Statements != (Statements{}) {
			clauses = append(clauses, t.name+": "+t.Statements.String())
		}
	}
	return strings.Join(clauses, "; ")
}

// String returns "7 of 9 found again, 2 misprints".
func (t Verdicts) String() string {
	var clauses []string
	if compared := t.Found + t.Lost + t.Early + t.Misprints + t.Better; compared > 0 {
		clauses = append(clauses, fmt.Sprintf("%d of %d found again", t.Found, compared))
	}
	for _, p := range []struct {
		n         int
		one, many string
	}{{t.Better, "1 is better here", "%d are better here"},
		{t.Early, "1 was rounded early", "%d were rounded early"},
		{t.Misprints, "1 misprint", "%d misprints"}, {t.Lost, "1 IS NOT", "%d ARE NOT"},
		{t.Beside, "1 cannot be compared", "%d cannot be compared"}} {
		switch {
		case p.n == 1:
			clauses = append(clauses, p.one)
		case p.n > 1:
			clauses = append(clauses, fmt.Sprintf(p.many, p.n))
		}
	}
	return strings.Join(clauses, ", ")
}

// String returns "2 of 4 hold, 1 DOES NOT, 1 undecided".
func (s Statements) String() string {
	text := fmt.Sprintf("%d of %d hold", s.Hold, s.Hold+s.Lost+s.Open)
	switch {
	case s.Lost == 1:
		text += ", 1 DOES NOT"
	case s.Lost > 1:
		text += fmt.Sprintf(", %d DO NOT", s.Lost)
	}
	if s.Open > 0 {
		text += fmt.Sprintf(", %d undecided", s.Open)
	}
	return text
}
