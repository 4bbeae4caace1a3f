package trees_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/trees"
)

func TestCheckMtry(t *testing.T) {
	for _, c := range []struct {
		mtry, columns int
		want          string
	}{
		{0, 3, ""}, {3, 3, ""}, {4, 0, ""},
		{4, 3, "mtry=4: the table has 3 columns to scan; give at most so many"},
		{2, 1, "mtry=2: the table has 1 column to scan; give 1"},
	} {
		got := ""
		if err := trees.CheckMtry(c.mtry, c.columns); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d of %d columns: %q, want %q", c.mtry, c.columns, got, c.want)
		}
	}
}
