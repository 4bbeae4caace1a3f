package tune

import (
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Sampler is how the settings of trials are chosen.
type Sampler string

// The samplers.
const (
	TPE    Sampler = "tpe"    // the default
	Random Sampler = "random" // every setting is drawn by itself
	ASHA   Sampler = "asha"   // random settings; the best on few folds go on to more
)

// samplers is the table of samplers.
var samplers = []struct {
	name Sampler
	help string
	new  func() proposer
	eta  int // factor between the numbers of folds of rungs; 0 = all trials have all folds
}{
	{TPE, "tree-structured Parzen estimator: near settings of good trials and far from those of " +
		"others (Bergstra et al. 2011)", func() proposer { return parzen{} }, 0},
	{Random, "every setting is drawn by itself", func() proposer { return random{} }, 0},
	{ASHA, "random settings, tested on few folds; the best third goes on to more (Li et al. 2020)",
		func() proposer { return random{} }, 3},
}

// Samplers returns the names of the samplers, with what they do.
func Samplers() (names []string, help map[string]string) {
	help = map[string]string{}
	for _, s := range samplers {
		names = append(names, string(s.name))
		help[string(s.name)] = s.help
	}
	return names, help
}

// proposer proposes the settings of a trial by those before it.
type proposer interface {
	propose(from *rng.Stream, spaces []space, done []Trial, worse float64) (at int, settings []string)
	// blind reports whether the tests of trials before a number do not matter to it.
	blind(number int) bool
}

// random draws a learner, and each of its settings, by itself.
type random struct{}

func (random) blind(int) bool { return true }

func (random) propose(from *rng.Stream, spaces []space, _ []Trial, _ float64) (int, []string) {
	at := from.Intn(len(spaces))
	s := &spaces[at]
	var settings []string
	for i := range s.all {
		// A number is drawn for each dimension, so that later ones do not depend on conditions.
		u := from.Float64()
		if d := &s.all[i]; s.applies(d, settings) {
			settings = append(settings, d.name+"="+d.At(u))
		}
	}
	return at, settings
}

// number reads a value that a dimension of numbers drew.
func (d *dimension) number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("tune: %s=%s", d.name, text)) // studies are checked when they are read
	}
	return x
}
