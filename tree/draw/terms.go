package draw

import (
	"math"
	"strings"
)

// Term is one condition of a rule: Words, or if there are none the interval Above < feature <=
// AtMost, infinite ends being open. TermWords joins the intervals of one feature.
type Term struct {
	Words         string
	Feature       int32
	Above, AtMost float64
}

// ClassWord returns the name of a class as drawings write it.
func (names Names) ClassWord(class int) string { return names.class(class) }

// BelowTerm is the condition feature <= split point, AboveTerm feature > split point.
func BelowTerm(feature int32, splitPoint float64) Term {
	return Term{Feature: feature, Above: math.Inf(-1), AtMost: splitPoint}
}

// AboveTerm is the condition feature > split point.
func AboveTerm(feature int32, splitPoint float64) Term {
	return Term{Feature: feature, Above: splitPoint, AtMost: math.Inf(1)}
}

// SetTerm is the condition that the category of a feature is in a set of codes, or is known and not
// in it. Of a set and its complement the words list the shorter, as Condition does.
func SetTerm(names Names, feature int32, set []uint64, in bool) Term {
	const inside, outside = 1, 2
	q := question{yes: inside, no: outside, unseen: -1, missing: -1}
	q.setTest(feature, set, &names, full)
	child := int32(inside)
	if !in {
		child = outside
	}
	return Term{Words: q.branch(child), Feature: feature}
}

// joinTerms joins the intervals of each feature, where the first of them stands.
func joinTerms(terms []Term) []Term {
	var joined []Term
	at := map[int32]int{}
	for _, t := range terms {
		i, found := at[t.Feature]
		switch {
		case t.Words != "" || !found:
			if t.Words == "" {
				at[t.Feature] = len(joined)
			}
			joined = append(joined, t)
		default:
			joined[i].Above = max(joined[i].Above, t.Above)
			joined[i].AtMost = min(joined[i].AtMost, t.AtMost)
		}
	}
	return joined
}

// TermWords returns the words of conditions, those that bound the same feature joined. Words that
// hold an "or" stand in parentheses where there are others.
func TermWords(names Names, terms []Term) []string {
	terms = joinTerms(terms)
	var words []string
	for _, t := range terms {
		text := t.text(&names)
		if len(terms) > 1 &&
			(strings.HasSuffix(text, orMissing) || strings.HasSuffix(text, orUnseen)) {
			text = "(" + text + ")"
		}
		words = append(words, text)
	}
	return words
}

func (t *Term) text(names *Names) string {
	above, below := !math.IsInf(t.Above, -1), !math.IsInf(t.AtMost, 1)
	name, least := names.comparison(t.Feature, t.Above, splitDigits)
	_, most := names.comparison(t.Feature, t.AtMost, splitDigits)
	switch {
	case t.Words != "":
		return t.Words
	case above && below:
		return least + " < " + name + " <= " + most
	case above:
		return name + " > " + least
	case below:
		return name + " <= " + most
	}
	return name + " known"
}
