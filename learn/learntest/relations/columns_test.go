package relations

import "github.com/coppice-ml/coppice/data"

// changedTable returns the sides of a relation by which a changed table makes the model of the
// table as it is. They are predictions of the training rows and of fresh ones.
func changedTable(change func(f *data.Frame) *data.Frame) func(c *trial) (got, want []float64) {
	return func(c *trial) (got, want []float64) {
		t := c.weighed
		return c.everywhere(c.fit(t.with(change(t.Frame))), t, change),
			c.everywhere(c.of(t), t, unchanged)
	}
}

// changedRows is changedTable for predictions of the training rows alone: splits that part these
// alike may part others otherwise. So there is no validation set.
func changedRows(change func(f *data.Frame) *data.Frame) func(c *trial) (got, want []float64) {
	return func(c *trial) (got, want []float64) {
		t := c.weighed.joined()
		return c.predict(c.fit(t.with(change(t.Frame))), change(t.Frame)), c.predict(c.fit(t), t.Frame)
	}
}

func onColumns() []relation {
	return []relation{
		{name: "order of columns", says: "The order of the columns does not matter.",
			within: rounding, sides: changedRows(reversed), except: []exception{
				{of: allSampled, why: columnsDrawn},
				{of: networks, chance: true, why: initial},
				{of: "rules", why: dropped},
				{of: "gbm/target", why: ownStatistics},
				{of: "bag anyboost/searched calibrate stack stack/blend vote/ranks portfolio cart gbm/goss",
					why: "of splits that part a sample, or a fold, alike the first column's is taken"},
			}},
		{name: "names of columns", says: "The names of the columns do not matter.",
			sides: changedTable(renamed)},
		{name: "repeated columns", says: "Copies of two columns change no prediction of a training row.",
			within: rounding, sides: changedRows(copied), except: []exception{
				{of: allSampled, why: columnsDrawn},
				{of: "knn bayes vote/majority " + networks, why: copyIsAnother},
				{of: "c45 c45/grown rules", why: "C4.5 compares gains with their mean over the columns"},
				{of: "linear/ridge logistic svm svm/linear cox cox/breslow portfolio", why: "copies share the penalty of a coefficient"},
			}},
		{name: "constant column", says: "A column of one value changes nothing.", within: rounding,
			sides: changedTable(constant), except: []exception{
				{of: sampledColumns, why: columnsDrawn},
				{of: "rules", why: longer},
			}},
		{name: "empty columns", says: "Columns without any value change nothing.", within: rounding,
			lacks: func(c *trial) string {
				if c.Needs.Complete {
					return "the learner refuses missing values"
				}
				return ""
			}, sides: changedTable(empty), except: []exception{
				{of: sampledColumns, why: columnsDrawn},
				{of: "rules", why: longer},
			}},
		{name: "order of categories", says: "The order of a dictionary does not matter.",
			within: rounding, sides: changedTable(backwards)},
		{name: "further categories", says: "Texts of a dictionary that no row has do not matter.",
			within: rounding, sides: changedTable(widened), except: []exception{
				{of: "rules bag/columns", why: longer},
			}},
		{name: "names of categories", says: "The names of the categories do not matter.",
			sides: changedTable(translated)},
	}
}
