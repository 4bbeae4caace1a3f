package link

import (
	"fmt"
	"strings"
)

// Table returns all links. A new link is a file beside this one and an entry here.
func Table() []Link {
	return []Link{Identity{}, Logistic{}, Softmax{}, Halving{}, Exp{}, Ascending{}, OneVsAll{},
		Step{}, Hazard{}, Clipped{}}
}

// ByName returns the link of the given name; an unknown name is an error that lists the known ones.
func ByName(name string) (Link, error) {
	names := []string{}
	for _, l := range Table() {
		if l.Name() == name {
			return l, nil
		}
		names = append(names, l.Name())
	}
	return nil, fmt.Errorf("unknown link %q: use %s", name, strings.Join(names, ", "))
}
