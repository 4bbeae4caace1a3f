package xgboost

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// The attributes that mean something to reader and writer. The first is XGBoost's own, of early
// stopping; classesAttribute holds the names of the classes as a JSON list, which XGBoost does not
// have and keeps.
const (
	bestAttribute    = "best_iteration"
	classesAttribute = "coppice_classes"
	labelAttribute   = "coppice_label"
)

func isKnownAttribute(name string) bool {
	return name == bestAttribute || name == classesAttribute || name == labelAttribute
}

func (f *file) setAttribute(name, text string) {
	if f.attributes == nil {
		f.attributes = map[string]string{}
	}
	f.attributes[name] = text
}

// best returns the number of rounds that predictions use by default, 0 for all. The attribute
// counts from 0.
func (f *file) best(rounds int) int {
	best, err := strconv.Atoi(f.attributes[bestAttribute])
	if err != nil || best < 0 || best+1 >= rounds {
		return 0
	}
	return best + 1
}

// classNames returns the names of n classes: those that our writer stored, else "0", "1", ...
func (f *file) classNames(n int) []string {
	var names []string
	text := f.attributes[classesAttribute]
	if len(text) > 64*n+64 || json.Unmarshal([]byte(text), &names) != nil || len(names) != n {
		return foreign.Codes(n)
	}
	if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) < n {
		return foreign.Codes(n)
	}
	return names
}
