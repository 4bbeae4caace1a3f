package weighted

import (
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// C45 are the splits of C4.5 (Quinlan 1993). Categorical columns have a child per level. Rows
// without a value enter every child by fractions. Of the splits whose gain is at least average, the
// one with the largest gain ratio is chosen. Classes only. The numbers follow Weka's J48, with
// which the tests compare.
type C45 struct {
	MinWeight float64 // weight that at least two children need; C4.5's default is 2
	Binary    bool    // split categorical columns into one level and the rest
	// ByGain is ID3 (Quinlan 1986): the column of largest gain wins, without average, ratio,
	// correction or minimum.
	ByGain bool
	// greatest p-value of the chi-squared test that class and branch of a split are independent
	// (Quinlan 1986); 0 = no test
	Chi2    float64
	Limits  grow.Limits
	Workers int // 0 = one per processor; the tree is the same for any number

	plain bool // keep columns of few values in order too, for tests
}

// nearValues is the distance below which two values of a column are not separated by a split point.
const nearValues = 1e-5

// averageSlack is how far below the average a gain may lie and still count as average.
const averageSlack = 1e-3

// c45 is the strategy of C4.5 and ID3. All rows of a large tree are scanned some ten times, nearly
// always in nodes too small to divide their columns among workers; so workers grow whole subtrees.
type c45 struct {
	C45
	*lists
	scan.Team
	training *training
	found    []rated
	loaded   loaded
	tables   []tables // by worker
	// offer gets every split that is judged of a column in order, or of one category against the
	// rest; nil: nobody lists them
	offer func(one *offered)
}

// rated is a split with its gain ratio.
type rated struct {
	growth.Split
	ratio float64
	tried int // split points that it is the best of; 0 unless the column has few values
}

// noSplit is what a column without a split has.
var noSplit = rated{Split: growth.Split{Feature: -1}}

const (
	deferFrom     = 1 << 11 // rows from which a tree's subtrees are deferred
	deferFraction = 1 << 4  // the fraction of a tree's rows that a deferred subtree has at most
)

// newC45 returns what grows a tree by gain ratio.
func newC45(
	p *sorting.Table, pop *grow.Population, entropy *criterion.Definition, cfg *C45,
) (*growth.Growth, error) {
	if err := growth.CheckTableKeys(p, pop); err != nil {
		return nil, err
	}
	l := growth.NewLabels(pop, entropy, true, cfg.plain)
	l.Fraction = make([]float64, len(pop.Rows))
	t := scan.NewTask(l, growth.Fractional, cfg.Limits.MinLeaf)
	n := len(p.Columns)
	c := &c45{C45: *cfg, Team: scan.NewTeam(t, cfg.Workers, n), found: make([]rated, n)}
	few := !cfg.plain && !c.ByGain && c.Chi2 == 0 && pop.Classes <= fewClasses
	rows := newLists(p, t, c.Team, few)
	c.lists, c.tables = &rows, make([]tables, len(c.Team))
	c.training = newTraining(&rows)
	g := growth.New(t.Labels, t.Rule, c, cfg.Limits, growth.OutputOf(l, false))
	if n := len(pop.Rows); n >= deferFrom && !c.ByGain {
		g.Deferred = &growth.Deferred{UpTo: n / deferFraction, Workers: len(c.Team),
			Grower: func() growth.SubtreeGrower { return c.subtrees(g) }}
	}
	return g, nil
}

// subtrees returns what one worker grows subtrees with: a growth on the same lists, in memory of
// its own.
func (c *c45) subtrees(above *growth.Growth) growth.SubtreeGrower {
	l := above.Labels.Of(above.Pop)
	l.Fraction = make([]float64, len(c.task.Fraction))
	t := c.task.Below(l)
	sub := &c45{C45: c.C45, lists: &lists{task: t, columns: c.columns, raw: c.raw},
		Team: scan.Team{scan.NewScanner(t)}, training: c.training,
		found: make([]rated, len(c.found)), tables: make([]tables, 1)}
	return &growth.SubGrowth{Growth: growth.New(t.Labels, t.Rule, sub, above.Limits, above.Output)}
}

// Splittable reports whether a node is heavy and mixed enough to be scanned.
func (c *c45) Splittable(nd *growth.Node) bool {
	return !(!c.ByGain && clearlyLess(nd.Weight, float64(2*c.MinWeight)) ||
		equal(nd.Weight, slices.Max(nd.Stats)))
}

// Best scans all columns and chooses.
func (c *c45) Best(nd *growth.Node) growth.Split {
	c.task.Load(nd)
	c.load(nd)
	c.Each(len(c.columns), len(nd.Rows), func(s *scan.Scanner, i int) {
		if c.found[i] = c.column(s, nd, i); c.Chi2 > 0 && c.found[i].Found() &&
			!c.significant(nd, &c.found[i].Split, c.Chi2) {
			c.found[i] = noSplit
		}
	})
	if c.ByGain {
		return c.byGain(nd)
	}
	return c.byRatio(nd)
}

// byRatio takes, of the columns whose gain is at least average, the first of the largest gain
// ratio.
func (c *c45) byRatio(nd *growth.Node) growth.Split {
	average, usable := c.average()
	if usable == 0 {
		return noSplit.Split
	}
	best, ratio := noSplit, 0.0
	for i := range c.found {
		if f := &c.found[i]; f.Found() && f.Gain >= average-averageSlack && f.ratio-ratio > near {
			best, ratio = *f, f.ratio
		}
	}
	if best.Found() {
		if best.tried > 0 {
			c.judge(c.Team[0], nd, &best)
		}
		best.Gain *= nd.Weight
		c.lower(&best.Split)
	}
	return best.Split
}

// average returns the mean gain of the best splits of the columns that count, and their number.
func (c *c45) average() (average, usable float64) {
	for i := range c.found {
		if f := &c.found[i]; f.Found() && (!c.training.many[i] || c.training.allMany) {
			average += f.Gain
			usable++
		}
	}
	if usable > 0 {
		average /= usable
	}
	return average, usable
}

// byGain takes the first column of the largest gain, none if that is 0.
func (c *c45) byGain(nd *growth.Node) growth.Split {
	best := noSplit.Split
	for i := range c.found {
		if f := &c.found[i]; f.Found() && !equal(f.Gain, 0) &&
			(!best.Found() || f.Gain > best.Gain) {
			best = f.Split
		}
	}
	best.Gain *= nd.Weight
	return best
}

// lower moves a threshold down to the largest value of the column among all training rows that is
// not above it.
func (c *c45) lower(b *growth.Split) {
	if b.Kind != tree.Numeric {
		return
	}
	values, ranks := c.columns[b.Feature].values, c.training.present[b.Feature]
	b.Rank = ranks[lastUpTo(values, ranks, b.SplitPoint)]
	b.SplitPoint = values[b.Rank]
}

// lastUpTo returns the place of the last rank whose value is not above a threshold.
func lastUpTo(values []float64, ranks []uint32, threshold float64) int {
	return sort.Search(len(ranks),
		func(i int) bool { return values[ranks[i]] > threshold }) - 1
}

// column judges the splits of one column; gains are per unit of weight.
func (c *c45) column(s *scan.Scanner, nd *growth.Node, i int) rated {
	w := &c.columns[i]
	switch {
	case w.few.Rank != nil:
		return c.tabled(s, nd, i)
	case w.key != nil:
		return c.numeric(s, nd, i)
	}
	missing := 0.0
	if s.Categories.Collect(nd, w.codes) > 0 {
		missing = c.task.WeightOf(s.Missing)
	}
	defer s.Categories.Release()
	slices.Sort(s.Categories.Present)
	if c.Binary {
		return c.oneLevel(s, nd, i, missing)
	}
	return c.multiway(s, nd, w.codes, missing)
}

// start sums the rows of a node that have a value into s.total.
func (c *c45) start(s *scan.Scanner, nd *growth.Node, missing float64) info {
	s.Total = s.Own
	copy(s.Total, nd.Stats)
	if missing > 0 {
		for k, w := range s.Missing {
			s.Total[k] -= w
		}
	}
	f := info{weight: nd.Weight}
	f.known, f.parent = impurity(s.Total)
	return f
}

// multiway is the split with a child per level.
func (c *c45) multiway(s *scan.Scanner, nd *growth.Node, codes *scan.Codes, missing float64) rated {
	levels := codes.Levels
	f := c.start(s, nd, missing)
	weights := make([]float64, levels)
	large := 0
	for i, code := range s.Categories.Present {
		stats, _ := s.Categories.Group(i)
		weights[code] = f.branch(stats)
		if atLeast(weights[code], c.MinWeight) {
			large++
		}
	}
	gain := f.gain()
	few := large < 2 && !c.ByGain
	if c.offer != nil {
		c.offer(&offered{kind: tree.ByCode, info: f, gain: gain, few: few})
	}
	if few || levels == 0 {
		return noSplit
	}
	return rated{Split: growth.Split{Feature: int32(codes.Feature), Kind: tree.ByCode,
		Arity: int32(levels), Missing: tree.MissingFractional,
		Gain: gain, Fractions: fractions(weights, f.known)}, ratio: f.ratio(gain)}
}

// oneLevel splits one level from the rest.
func (c *c45) oneLevel(s *scan.Scanner, nd *growth.Node, feature int, missing float64) rated {
	best := noSplit
	whole := c.start(s, nd, missing)
	rest := make([]float64, len(s.Total))
	for i, code := range s.Categories.Present {
		stats, _ := s.Categories.Group(i)
		for k, w := range stats {
			rest[k] = s.Total[k] - w
		}
		f := whole
		one := f.branch(stats)
		others := f.branch(rest)
		if !atLeast(one, c.MinWeight) || !atLeast(others, c.MinWeight) {
			continue
		}
		gain := f.gain()
		ratio := f.ratio(gain)
		if c.offer != nil {
			c.offer(&offered{kind: tree.SetFirst, code: code, info: f, gain: gain})
		}
		found := rated{Split: growth.Split{Feature: int32(feature), Kind: tree.SetFirst,
			Set: growth.BitSet([]uint32{code}), Missing: tree.MissingFractional}}
		switch {
		case code == 0 || clearlyLess(best.ratio, ratio):
			found.Gain, found.ratio, found.Fractions = gain, ratio,
				fractions([]float64{one, others}, f.known)
			best = found
		case !best.Found():
			found.Fractions = fractions([]float64{one, others}, f.known)
			best = found
		}
	}
	return best
}

// numeric finds the split point of largest gain and corrects that gain for the number of split
// points it was chosen from (Quinlan 1996).
func (c *c45) numeric(s *scan.Scanner, nd *growth.Node, feature int) rated {
	t := c.task
	order := c.order(s, nd, feature)
	s.ClearMissing()
	known, missing := order, 0.0
	if order[len(order)-1].Key>>t.Shift == t.MissingRank {
		k := sort.Search(len(order),
			func(i int) bool { return order[i].Key>>t.Shift == t.MissingRank })
		known = order[:k]
		s.Stale = true
		t.Sum(s.Missing, order[k:], 0)
		missing = t.WeightOf(s.Missing)
	}
	f := c.start(s, nd, missing)
	least := c.least(f.known)
	if clearlyLess(c.rows(known), float64(2*least)) {
		return noSplit
	}
	at, gain, candidates, first := c.splitPoints(s, known, feature, f, least)
	if at == 0 || c.tooMany(&gain, candidates, f.weight) {
		return noSplit
	}
	values := c.columns[feature].values
	below, above := known[at-1].Key>>t.Shift, known[at].Key>>t.Shift
	w := []float64{first, f.known - first}
	f.branches = xlog(w[0]) + xlog(w[1])
	return rated{Split: growth.Split{Feature: int32(feature), Kind: tree.Numeric, Rank: below,
		SplitPoint: growth.SplitPointBetween(values[below], values[above]),
		Missing:    tree.MissingFractional, Gain: gain, Fractions: fractions(w, f.known)},
		ratio: f.ratio(gain)}
}

// rows counts entries with their multiplicity.
func (c *c45) rows(entries []sorting.Entry) float64 {
	n := float64(len(entries))
	if c.task.Pop.Count != nil {
		for _, e := range entries {
			n += float64(c.task.Pop.Count[e.Pos]) - 1
		}
	}
	return n
}

// least is the weight that both sides of a split point need: a tenth of the average class, but from
// MinWeight to 25.
func (c *c45) least(known float64) float64 {
	least := 0.1 * known / float64(c.task.Pop.Classes)
	switch {
	case c.ByGain:
		return 0
	case atLeast(c.MinWeight, least):
		return c.MinWeight
	case clearlyLess(25, least):
		return 25
	}
	return least
}

// tooMany corrects a gain and reports that nothing is left of it.
func (c *c45) tooMany(gain *float64, candidates int, weight float64) bool {
	if !c.ByGain {
		*gain -= kernel.Log2(float64(candidates)) / weight
	}
	return atLeast(0, *gain)
}

// splitPoints walks the known rows in ascending order and returns the best split point: known[:at]
// goes first. It also returns its gain, the number of split points that leave enough weight on both
// sides, and the weight of the first side.
func (c *c45) splitPoints(
	s *scan.Scanner, known []sorting.Entry, feature int, whole info, least float64,
) (at int, gain float64, candidates int, first float64) {
	t := c.task
	values := c.columns[feature].values
	clear(s.Prefix)
	for i, e := range known[:max(len(known)-1, 0)] {
		s.Prefix[t.Pop.Class[e.Pos]] += t.Weight(e.Pos)
		a, b := e.Key>>t.Shift, known[i+1].Key>>t.Shift
		if a == b || values[a]+nearValues >= values[b] {
			continue
		}
		weight := t.WeightOf(s.Prefix)
		if !atLeast(weight, least) || !atLeast(whole.known-weight, least) {
			continue
		}
		candidates++
		f := whole
		f.branch(s.Prefix)
		for k, w := range s.Prefix {
			s.Both[k] = max(0, s.Total[k]-w)
		}
		f.branch(s.Both)
		now := f.gain()
		if c.offer != nil {
			c.offer(&offered{kind: tree.Numeric, below: values[a], above: values[b], info: f,
				gain: now})
		}
		if now-gain > near {
			at, gain, first = i+1, now, weight
		}
	}
	return at, gain, candidates, first
}
