package xgboost

import (
	"encoding/json"
	"strconv"
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
	if text := f.attributes[classesAttribute]; text != "" && len(text) <= 64*n+64 {
		if json.Unmarshal([]byte(text), &names) == nil && distinct(names) && len(names) == n {
			return names
		}
	}
	names = make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

func distinct(names []string) bool {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}
