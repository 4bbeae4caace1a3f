package link

import (
	"fmt"
	"strings"
)

// Table returns all links without parameters. A new link is a file beside this one and an entry
// here.
func Table() []Link {
	return []Link{identity{}, logistic{}, softmax{}, halving{}, exponential{}, ascending{}, oneVsAll{},
		step{}, hazard{}, clipped{}, signedSquare{}, softplus{}, probit{}, approximateProbit{},
		softmaxNonzero{}}
}

// ByName returns the link of the given name, with or without a parameter. An unknown name is an
// error that lists the known ones.
func ByName(name string) (Link, error) {
	if strings.HasPrefix(name, scaledPrefix) {
		return readScaled(name)
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
