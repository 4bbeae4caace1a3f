package weighting

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// Costs declares the parameter costs. Its text is a path, and the costs are read from that
// file when it is set; or it is the costs themselves as JSON,
// {"classes":["a","b"],"cost":[[0,1],[5,0]]}, as models store it.
func Costs(p *data.NamedCosts) param.Param {
	return param.Parsed(p, "costs", "FILE.csv", data.ParseCosts, data.NamedCosts.String,
		"what wrong predictions cost: a table with a line for each true and a column for each "+
			"predicted class, named in the first column and line; the label is the class of "+
			"least expected cost")
}
