package trees

import "github.com/coppice-ml/coppice/param"

// Chi2 declares the parameter chi2, which every learner has that grows trees of classes by tests of
// columns.
func Chi2(p *float64) param.Param {
	return param.Float(p, "chi2", 0, 0, 1,
		"largest p-value of the chi-squared test, of class against branch, with which a split is "+
			"made (Quinlan 1986)", param.Zero("no test"))
}
