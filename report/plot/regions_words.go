package plot

import (
	"cmp"
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// words writes the title, the subtitle and the notes.
func (r *regions) words() {
	r.title = r.label() + " by " + r.name(0)
	if len(r.columns) == 2 {
		r.title += " and " + r.name(1)
	}
	r.subtitle = r.viewWords() + " " + r.colourWords()
	notes := []string{r.fixedWords()}
	if r.weighed {
		notes = append(notes, r.weightWords())
		if !r.rounds {
			notes = append(notes, "e: error of the member by these weights; α: its vote.")
		}
	}
	r.notes = append(notes, r.notes...)
}

// viewWords describes what the panels are.
func (r *regions) viewWords() string {
	of := humanize.Name(cmp.Or(r.Spec.Learner, "the model"))
	switch {
	case r.alone && len(r.views) == 1:
		return fmt.Sprintf("%s of the %d trees of %s.", firstUpper(r.views[0].title), r.treeCount(), of)
	case r.alone:
		return fmt.Sprintf("%d of the %d trees of %s, each alone.", len(r.views), r.treeCount(), of)
	case r.rounds && r.found.Rounds == 0:
		return fmt.Sprintf("The first of the %d members of %s.", r.roundCount(), of)
	case r.rounds:
		return fmt.Sprintf("The model of %s after some of its %d rounds.", of, r.roundCount())
	case len(r.behind) > 0 && len(r.behind) < r.all:
		return fmt.Sprintf("The function of %s, and those of %d of its %d members.", of,
			len(r.behind), r.all)
	case len(r.behind) > 0:
		return fmt.Sprintf("The function of %s, and those of its %s.", of,
			humanize.Count(r.all, "member", "members"))
	case len(r.views) > 1 && r.all == 1:
		return fmt.Sprintf("The model of %s without and with calibration.", of)
	case len(r.views) > 1 && len(r.views) <= r.all:
		return fmt.Sprintf("The first %d of the %d members of %s, and all together.",
			len(r.views)-1, r.all, of)
	case len(r.views) > 1:
		return fmt.Sprintf("The %d members of %s, and all together.", r.all, of)
	}
	return fmt.Sprintf("A model of %s, and %s.", of, humanize.Count(r.Data.Rows(), "row", "rows"))
}

func firstUpper(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}

// colourWords describes what colours and lines stand for.
func (r *regions) colourWords() string {
	v := r.views[0]
	switch line := len(r.columns) == 1; {
	case line && v.classes() && r.Spec.Positive() >= 0:
		return "The curve is the predicted probability, the marks above are the rows."
	case line && v.classes():
		return "Curves are the predicted probabilities, the marks above are the rows."
	case line:
		return "Points are rows."
	case v.adds:
		return "Colour: what the tree adds to the score."
	case v.classes():
		return "Colour: the predicted class, deeper where it is more probable."
	case r.numbers() == nil:
		return "Colour: the prediction."
	}
	return "Colour of regions: the prediction; of points: the label."
}

// weightWords describes the areas of points.
func (r *regions) weightWords() string {
	text := "The area of a point is the weight of the row before the round, at last after all."
	if r.rounds {
		text = "The area of a point is the weight of the row after these rounds."
	}
	if r.classes() {
		text += " Dark edge: misclassified."
	}
	return text
}

// fixedWords names the values of the other columns that the model uses.
func (r *regions) fixedWords() string {
	used := make([]bool, len(r.fixed))
	e := r.ensemble()
	for i := range used {
		used[i] = e == nil
	}
	if e != nil {
		for _, f := range e.Uses() {
			used[f] = true
		}
	}
	return fixedWords(r.Spec, used, r.columns, r.fixed)
}
