package report

import (
	"context"
	"regexp"
	"strings"
)

// term is a term of the page with what it means.
type term struct {
	Name string
	Text string
}

// glossary is the content of the last section.
type glossary []term

func (g glossary) parts() []piece { return []piece{terms(g)} }

// alsoCalled has other words that sections use for a term.
var alsoCalled = map[string]string{"permutation importance": "permutation", "Shapley value": "SHAP",
	"population stability index": "PSI", "individual curve": "single rows",
	"confusion table": "confusion"}

// of returns the terms that other sections use.
func (g glossary) of(sections []entry) glossary {
	var page strings.Builder
	for _, s := range sections {
		page.WriteString(s.About + s.Missing)
		for _, p := range s.Parts {
			page.WriteString(string(p))
		}
	}
	var used glossary
	for _, t := range g {
		words := regexp.QuoteMeta(t.Name)
		if other := alsoCalled[t.Name]; other != "" {
			words += "|" + other
		}
		if regexp.MustCompile(`(?i)\b(` + words + `)s?\b`).MatchString(page.String()) {
			used = append(used, t)
		}
	}
	return used
}

// terms lists terms with what they mean.
func terms(all []term) piece {
	return el("dl", class("terms"), each(all,
		func(t term) piece { return el("dt", t.Name) + el("dd", t.Text) }))
}

func glossaryOf(context.Context, *subject) (content, error) {
	return glossary{
		{"accumulated local effect", "How predictions change along a feature, added up over small " +
			"steps of rows that have such values. No row is moved far from where it was seen."},
		{"AUC", "The probability that a random row of the positive class has a greater predicted " +
			"probability than a random row of the other class."},
		{"bootstrap interval", "Metrics are computed again on rows that are drawn with replacement. " +
			"95 % of their deviations are within the interval."},
		{"calibration", "Predicted probabilities are calibrated if they match observed frequencies: " +
			"of rows with a probability of 0.8, four in five are of the class."},
		{"confusion table", "The number of rows of each true class by predicted class. Right " +
			"predictions are on the diagonal."},
		{"gain", "The fraction of the decrease of the loss in training that is due to splits on a " +
			"feature."},
		{"impurity", "How mixed the labels of a node are. The impurity importance of a feature is " +
			"the fraction of the decrease that is due to its splits."},
		{"individual curve", "The predictions for one row as one feature changes (individual " +
			"conditional expectation)."},
		{"lift", "How many times more often the class is found among the most probable rows than " +
			"among all rows."},
		{"partial dependence", "The mean prediction if a feature had the same value in all rows, " +
			"over such values."},
		{"permutation importance", "How much worse a metric becomes if the values of a column are " +
			"permuted among the rows."},
		{"population stability index", "How far the distribution of a column is from that of the " +
			"training rows: below 0.1 it hardly moved, above 0.2 much."},
		{"precision", "The fraction of the rows labeled positive that are positive."},
		{"raw score", "The sum of the trees' values before the link makes a prediction of it: log " +
			"odds for two classes. Of anomalies it is how early trees isolate the row."},
		{"recall", "The fraction of the positive rows that are labeled positive."},
		{"residual", "The label minus the prediction of a row."},
		{"ROC curve", "The recall against the fraction of negative rows that are labeled positive, " +
			"for all thresholds."},
		{"Shapley value", "The contribution of a feature to the prediction of a row, averaged over " +
			"all orders in which features may become known (SHAP)."},
		{"slice", "The rows that have some values of one column in common."},
		{"threshold", "A row is labeled positive if its predicted probability is greater than the " +
			"threshold."},
	}, nil
}
