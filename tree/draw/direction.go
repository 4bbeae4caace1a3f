package draw

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// sum writes the weighted sum that an Oblique node tests: "0.3 x1 - x2 + (5 more)".
func (names *Names) sum(terms []tree.Term, w wording) string {
	return listTerms(terms, w, func(i int) string {
		sign := ""
		switch below := terms[i].Coef < 0; {
		case below && i == 0:
			sign = "-"
		case below:
			sign = " - "
		case i > 0:
			sign = " + "
		}
		if size := math.Abs(terms[i].Coef); size != 1 {
			sign += humanize.Number(size, w.digits) + " "
		}
		return sign + names.term(terms[i], w)
	}, func(rest string) string { return " + (" + rest + ")" })
}

// sphereTest tests the distance to a centre. The node compares its square.
func (q *question) sphereTest(centre []tree.Term, splitPoint float64, names *Names, w wording) {
	list := listTerms(centre, w, func(i int) string {
		comma := ", "
		if i == 0 {
			comma = ""
		}
		return comma + names.term(centre[i], w) + " = " + humanize.Number(centre[i].Coef, w.digits)
	}, func(rest string) string { return ", +" + rest })
	q.subject = "distance to (" + list + ")"
	if splitPoint < 0 {
		q.subject = "squared " + q.subject
	} else {
		splitPoint = math.Sqrt(splitPoint)
	}
	q.compare(splitPoint, w)
}

// listTerms joins the words of terms as far as the wording allows, then those for the rest, such as
// "5 more". It allows twice the runes, since no term can be guessed from the others.
func listTerms(
	terms []tree.Term, w wording, words func(i int) string, rest func(more string) string,
) string {
	var b strings.Builder
	runes := 0
	for i := range terms {
		term := words(i)
		runes += utf8.RuneCountInString(term)
		left := len(terms) - i
		// "1 more" would be as long as the one term that it hides, unless its name is long.
		if i > 0 && (left > 1 || w.each > 0) && (i >= w.levels || runes > 2*w.runes) {
			b.WriteString(rest(strconv.Itoa(left) + " more"))
			break
		}
		b.WriteString(term)
	}
	return b.String()
}

// term returns the name of a term's feature; one of several words is quoted, so that it reads as
// one.
func (names *Names) term(t tree.Term, w wording) string {
	name := names.featureText(t.Feature)
	if strings.Contains(name, " ") {
		return truncate(strconv.Quote(name), w.each)
	}
	return truncate(word(name), w.each)
}
