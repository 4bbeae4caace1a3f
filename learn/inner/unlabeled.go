package inner

import (
	"fmt"
	"github.com/coppice-ml/coppice/learn"
)

// checkSupervised refuses a learner, called by name, that uses no label.
func checkSupervised(name string, l learn.Learner) error {
	if l.Capabilities().Unsupervised {
		return fmt.Errorf("%s looks at no label, so it can be no part of what predicts one: use a "+
			"learner such as cart", name)
	}
	return nil
}
