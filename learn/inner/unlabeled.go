package inner

import (
	"fmt"

	"github.com/coppice-ml/coppice/learn"
)

// checkSupervised refuses a learner, called by name, that uses no label.
func checkSupervised(name string, l learn.Learner) error {
	if l.Capabilities().Unsupervised {
		return fmt.Errorf("%s uses no label, so it cannot be trained inside another learner: use a "+
			"learner such as cart", name)
	}
	return nil
}
