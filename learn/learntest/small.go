package learntest

import (
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/learn"
)

// small lists what makes a learner fast, by the last word of a parameter's name.
var small = []struct{ name, alone, inside string }{
	{"trees", "15", "5"},
	{"epochs", "15", "5"},
	{"rounds", "10", "3"},
	{"members", "10", "3"}, // where it is a number
	{"learning_rate", "0.3", "0.3"},
	{"budget", "3", "3"},
	{"folds", "3", "3"},
	{"rehearse", "false", "false"},
}

// Small makes a learner of many trees, rounds or epochs one of few, and returns it: tests that
// range over learners ask whether each works, not how accurate its defaults are. Learners inside
// others have fewer still.
func Small(l learn.Learner) learn.Learner {
	var settings []string
	for _, p := range l.Params().All() {
		for _, s := range small {
			value := s.alone
			if strings.HasSuffix(p.Name, "."+s.name) {
				value = s.inside
			} else if p.Name != s.name {
				continue
			}
			if _, err := strconv.Atoi(p.Value()); s.name == "members" && err != nil {
				continue
			}
			settings = append(settings, p.Name+"="+value)
		}
	}
	if err := l.Params().Set(settings); err != nil {
		panic(err) // they are within any range
	}
	return l
}
