package invariant_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/invariant"
)

func TestCheck(t *testing.T) {
	invariant.Check(true, "nothing")
	defer func() {
		if got := recover(); got != "invariant: 3 rows of 4" {
			t.Errorf("got %v", got)
		}
	}()
	invariant.Check(false, "%d rows of %d", 3, 4)
}
