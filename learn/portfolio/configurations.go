package portfolio

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// configuration is a member with settings beside those that it was given.
type configuration struct {
	member   *member
	settings []string // KEY=VALUE
}

// shape is what of a table decides which configurations are worth their time.
type shape struct {
	rows, columns int
	classes       int // 0 = a number
}

// entry is a row of the portfolio: settings of a learner, in the order in which they are tried.
type entry struct {
	learner  string
	settings []string
	// fits reports whether the configuration is worth its time on a table; nil: on any
	fits func(s shape) bool
}

// still keeps a configuration of gbm what it is: other values are other configurations.
const still = "rehearse=false"

// entries returns the portfolio. Its order is by what a configuration adds to those before it, on
// the tables of docs/measurements/portfolio.md, and by its time.
func entries() []entry {
	return []entry{
		{"gbm", nil, nil},
		{"extratrees", []string{"trees=150", "vote=probability"}, nil},
		{"gbm", []string{"leaves=8", "learning_rate=0.1", still}, nil},
		{"logistic", nil, nil},
		{"linear", []string{"l2=1"}, numbers},
		{"cox", nil, numbers},
		{"gbm", []string{"colsample=1", "colsample_node=0.5", "leaves=63", still}, nil},
		{"forest", []string{"trees=150", "vote=probability"}, nil},
		{"gbm", []string{"colsample=1", "categories=native", still}, nil},
		{"network", []string{"hidden=64"}, networkSized},
		{"gbm", []string{"growth=symmetric", "depth=6", "l2=3", still}, nil},
		{"knn", []string{"k=15", "weights=distance"}, neighbourSized},
		{"gbm", []string{"colsample=1", "leaves=127", "min_leaf=10", still}, nil},
		{"extratrees", []string{"trees=150", "mtry=all", "vote=probability"}, nil},
		{"gbm", []string{"extra_trees=true", "colsample=1", still}, nil},
		{"gbm", []string{"leaves=16", "learning_rate=0.03", "subsample=0.8", "l2=10", still}, nil},
		{"forest", []string{"trees=150", "mtry=0.5", "vote=probability"}, nil},
		{"gbm", []string{"leaves=4", "learning_rate=0.1", still}, nil},
		{"logistic", []string{"l2=100"}, nil},
		{"gbm", []string{"categories=ordinal", "colsample_node=0.5", still}, nil},
		{"gbm", []string{"linear_tree=true", "leaves=8", still}, numbers},
	}
}

func numbers(s shape) bool { return s.classes == 0 }

// Time of a nearest neighbour grows with the square of the rows, and a network's passes are long.
func neighbourSized(s shape) bool { return s.rows <= 20_000 && s.columns <= 100 }
func networkSized(s shape) bool   { return s.rows <= 50_000 }

// forConfiguration is the purpose of the random streams of sampled settings.
const forConfiguration = 1

// configurations yields what is tried, in order: the first member as it is given, the portfolio,
// members of which it has nothing, and then, without end, settings that are drawn from the search
// spaces of the members that have one. They depend on the seed, and none on how many there are.
type configurations struct {
	all     []configuration
	sampled []*member // with a search space
	seed    uint64
}

// configurations returns what is tried on a table.
func (f *fitter) configurations(t *data.Target, rows int, seed uint64) *configurations {
	s := shape{rows: rows, columns: len(f.frame.Columns), classes: len(t.Classes)}
	list := &configurations{seed: seed}
	if len(f.members) > 0 {
		list.all = append(list.all, configuration{member: &f.members[0]})
	}
	for _, e := range entries() {
		if e.fits != nil && !e.fits(s) {
			continue
		}
		for i := range f.members {
			if m := &f.members[i]; m.learned == e.learner && m.copy != nil {
				list.add(m, e.settings)
			}
		}
	}
	for i := range f.members {
		m := &f.members[i]
		if !slices.ContainsFunc(entries(), func(e entry) bool { return e.learner == m.learned }) {
			list.add(m, nil)
		}
		if m.copy != nil && m.searched() {
			list.sampled = append(list.sampled, m)
		}
	}
	return list
}

// add appends a configuration without the settings that the member was given others of, unless
// there is one like it.
func (c *configurations) add(m *member, settings []string) {
	var own []string
	params := m.given.Params()
	for _, s := range settings {
		key, _, _ := strings.Cut(s, "=")
		if p := params.Lookup(key); p != nil && p.Value() == p.Default {
			own = append(own, s)
		}
	}
	if !slices.ContainsFunc(c.all, func(o configuration) bool {
		return o.member == m && slices.Equal(o.settings, own)
	}) {
		c.all = append(c.all, configuration{m, own})
	}
}

// searched reports whether a parameter of the member declares a range of search.
func (m *member) searched() bool {
	for _, p := range m.given.Params().All() {
		if p.Search != nil && p.Value() == p.Default {
			return true
		}
	}
	return false
}

// at returns a configuration by its number; false: there are no more.
func (c *configurations) at(number int) (configuration, bool) {
	if number < len(c.all) {
		return c.all[number], true
	}
	if len(c.sampled) == 0 {
		return configuration{}, false
	}
	// Each second one is of the first member, which is the one that is meant to be best.
	from := rng.New(c.seed, forConfiguration, uint64(number))
	m := c.sampled[0]
	if number%2 == 1 {
		m = c.sampled[from.Intn(len(c.sampled))]
	}
	return configuration{m, m.draw(from)}, true
}

// draw returns settings that are drawn from the ranges of search, of parameters that were not
// given.
func (m *member) draw(from *rng.Stream) []string {
	l, err := m.copy()
	if err != nil {
		return nil
	}
	var settings []string
	params := l.Params().All()
	for i := range params {
		p := &params[i]
		if p.Search == nil || p.Value() != p.Default {
			continue
		}
		place := from.Float64() // of each, so that later ones do not depend on conditions
		if !p.Search.Applies(params) {
			continue
		}
		setting := p.Name + "=" + learn.SearchRange{Search: p.Search}.At(place)
		if l.Params().Set([]string{setting}) == nil && l.Capabilities().Conflicts == nil {
			settings = append(settings, setting)
		}
	}
	return settings
}

// learner returns the learner of a configuration.
func (c *configuration) learner() (learn.Learner, error) {
	if c.member.copy == nil {
		return c.member.given, nil
	}
	l, err := c.member.copy()
	if err != nil {
		return nil, err
	}
	if err := l.Params().Set(c.settings); err != nil {
		return nil, err
	}
	return l, l.Capabilities().Conflicts
}
