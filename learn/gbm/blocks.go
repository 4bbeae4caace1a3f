package gbm

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// blockConflicts reports parameters that need the values of single rows after they are in bins.
func blockConflicts(c *boost.Config) error {
	var faults []error
	for _, of := range []struct {
		wrong     bool
		what, use string
	}{
		{c.Linear, "linear_tree=true", "linear_tree=false"},
		{c.Dropout != nil, "boosting=dart", "boosting=plain"},
		{c.Permutations > 0, "boosting=ordered", "boosting=plain"},
		{c.Follows(hist.XGBoostExact), "compat=" + xgboostExact, "compat=" + xgboost},
	} {
		if of.wrong {
			faults = append(faults, fmt.Errorf("%s needs the table in memory, which is trained on "+
				option.Expand("in blocks: use %s, or more {memory}"), of.what, of.use))
		}
	}
	return joinFaults(faults)
}
