package data

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/spelling"
)

// FirstIndex is the number of the first feature in files that name features by numbers, as LibSVM's
// do.
type FirstIndex string

// The numbers that features count from.
const (
	FirstZero FirstIndex = "0"
	FirstOne  FirstIndex = "1"
)

// Check returns an error for a text that is none of the numbers; "" stands for one that is not
// known.
func (f FirstIndex) Check() error {
	if f == "" || f == FirstZero || f == FirstOne {
		return nil
	}
	return fmt.Errorf("%q is no number of the first feature: want %s or %s", string(f), FirstZero,
		FirstOne)
}

// ImpliedFirstIndex returns what features count from by the names of columns: 0 if there is a
// feature f0, 1 if there are others named by numbers, else "".
func (s *Schema) ImpliedFirstIndex() FirstIndex {
	implied := FirstIndex("")
	for i := range s.Fields {
		switch at, ok := spelling.FeatureNumber(s.Fields[i].Source()); {
		case ok && at == 0:
			return FirstZero
		case ok:
			implied = FirstOne
		}
	}
	return implied
}
