package lab

import (
	"fmt"
	"math"
)

// Count is how many of the published numbers and statements came out how.
type Count struct {
	Kept   int `json:"kept"`      // found again
	Lost   int `json:"lost"`      // contradicted
	Open   int `json:"undecided"` // see Finding
	Beside int `json:"beside"`    // cannot be compared: see the rule
}

// Count counts the claims whose numbers were published, and the findings.
func (r *Result) Count() Count {
	var n Count
	for i := range r.Claims {
		c := &r.Claims[i]
		switch _, ok := c.Verdict(); {
		case math.IsNaN(c.Published):
		case c.Rule == Beside:
			n.Beside++
		default:
			n.add(ok)
		}
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Open {
			n.Open++
		} else {
			n.add(f.Holds)
		}
	}
	return n
}

func (n *Count) add(kept bool) {
	if kept {
		n.Kept++
	} else {
		n.Lost++
	}
}

// Plus returns the count of two results together.
func (n Count) Plus(o Count) Count {
	return Count{n.Kept + o.Kept, n.Lost + o.Lost, n.Open + o.Open, n.Beside + o.Beside}
}

// String tells the count in words, loudly where something was not found again.
func (n Count) String() string {
	text := fmt.Sprintf("%d hold", n.Kept)
	if n.Kept == 1 {
		text = "1 holds"
	}
	switch n.Lost {
	case 0:
		text += ", none fails"
	case 1:
		text += ", 1 DOES NOT HOLD"
	default:
		text += fmt.Sprintf(", %d DO NOT HOLD", n.Lost)
	}
	if n.Open > 0 {
		text += fmt.Sprintf(", %d undecided", n.Open)
	}
	if n.Beside > 0 {
		text += fmt.Sprintf(", %d cannot be compared", n.Beside)
	}
	return text
}
