package catalog_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/catalog"
)

// Names and aliases differ, and each finds its learner.
func TestFind(t *testing.T) {
	seen := map[string]string{}
	for _, entry := range catalog.Table() {
		for _, name := range append([]string{entry.Name}, entry.Aliases...) {
			if seen[name] != "" {
				t.Errorf("%q is a name of %s and of %s", name, seen[name], entry.Name)
			}
			seen[name] = entry.Name
			if found, err := catalog.Find(name); err != nil || found.Name != entry.Name {
				t.Errorf("%q finds %q, error %v, want %q", name, found.Name, err, entry.Name)
			}
		}
	}
	for name, want := range map[string]string{
		"XGBoost": `unknown learner "XGBoost": use gbm, with gbm.Learner.Compat xgboost for the program's defaults`,
		"forrest": `unknown learner "forrest": did you mean "forest"?`,
	} {
		if _, err := catalog.Find(name); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}
