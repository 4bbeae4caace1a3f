package link

import (
	"fmt"
	"strings"
)

// Table returns all links without parameters. A new link is a file beside this one and an entry
// here.
func Table() []Link {
	return []Link{Identity{}, Logistic{}, Softmax{}, Halving{}, Exp{}, Ascending{}, OneVsAll{},
		Step{}, Hazard{}, Clipped{}, SignedSquare{}, Softplus{}, Probit{}, ApproximateProbit{},
		SoftmaxNonzero{}}
}

// ByName returns the link of the given name, with or without a parameter. An unknown name is an
// error that lists the known ones.
func ByName(name string) (Link, error) {
	if strings.HasPrefix(name, scaledPrefix) {
		return scaledLogistic(name)
	}
	names := []string{}
	for _, l := range Table() {
		if l.Name() == name {
			return l, nil
		}
		names = append(names, l.Name())
	}
	return nil, fmt.Errorf("unknown link %q: use %s", name, strings.Join(names, ", "))
}
