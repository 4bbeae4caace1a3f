package cart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/param"
)

// The kinds of splits beside those on one column.
const (
	axis    = "axis"
	oblique = "oblique"
	linear  = "linear"
	sphere  = "sphere"
)

var splitKinds = []string{axis, oblique, linear, sphere}

// splitParams declares what splits test.
func (l *Learner) splitParams() []param.Param {
	return []param.Param{
		param.Text(&l.Splits, "splits", axis, strings.Join(splitKinds, "|")+", separated by commas",
			checkSplits,
			"what splits test beside single columns: random projections of few numeric columns "+
				"(oblique), one linear combination of "+
				"all by greedy search (linear), distances to a random row in few columns (sphere)"),
		param.Int(&l.Directions, "directions", 0, 1, math.MaxInt,
			"random projections, and distances, tried in each node",
			param.Zero("as many as there are numeric columns")),
		param.Int(&l.Terms, "terms", 2, 2, math.MaxInt,
			"columns of a random projection or distance"),
		param.Int(&l.Mtry, "mtry", 0, 1, math.MaxInt,
			"columns tried in each node, sampled for each", param.Zero("all")).Also("max_features"),
	}
}

func checkSplits(text string) error {
	for kind := range strings.SplitSeq(text, ",") {
		if kind = strings.TrimSpace(kind); !slices.Contains(splitKinds, kind) {
			return fmt.Errorf("%q is no kind of split%s", kind, param.Meant(": ", kind, splitKinds))
		}
	}
	return nil
}

// directions translates the parameters for the engine.
func (l *Learner) directions(s *data.Schema) exact.Directions {
	n := l.Directions
	if n == 0 {
		for i := range s.Fields {
			if s.Fields[i].Kind == data.Numeric {
				n++
			}
		}
	}
	d := exact.Directions{Terms: l.Terms}
	for kind := range strings.SplitSeq(l.Splits, ",") {
		switch strings.TrimSpace(kind) {
		case oblique:
			d.Random = n
		case linear:
			d.Linear = true
		case sphere:
			d.Sphere = n
		}
	}
	return d
}
