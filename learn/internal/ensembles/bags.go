package ensembles

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// ClassFractions declares the parameter class_fractions of learners that sample rows for their
// members.
func ClassFractions(p *[]param.Named) param.Param {
	return param.Parsed(p, "class_fractions", "NAME=FRACTION,...", readFractions, param.WriteNamed,
		"sample size of each class, as a fraction of all rows, for all classes; replaces "+
			"fraction and strata")
}

func readFractions(text string) ([]param.Named, error) {
	entries, err := param.ParseNamed(text, "fraction", "class", nil)
	for _, e := range entries {
		if e.Value > 1 {
			return nil, fmt.Errorf("fraction %g of class %q is more than 1", e.Value, e.Name)
		}
	}
	return entries, err
}

// fractionsOf returns the fraction of each class of the target.
func fractionsOf(given []param.Named, t *data.Target) ([]float64, error) {
	if given == nil {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("class_fractions do not fit a %s label", t.Task)
	}
	fractions := make([]float64, len(t.Classes))
	for _, e := range given {
		c := slices.Index(t.Classes, e.Name)
		if c < 0 {
			return nil, fmt.Errorf("class_fractions: %w", param.Unknown("class", e.Name, t.Classes))
		}
		fractions[c] = e.Value
	}
	if c := slices.Index(fractions, 0); c >= 0 {
		return nil, fmt.Errorf("class_fractions: class %q has none: give one to every class",
			t.Classes[c])
	}
	return fractions, nil
}

// Bags samples the rows of an ensemble's members from a population. It is read-only: Sample may be
// called concurrently.
type Bags struct {
	sampler *sample.Sampler
	// by row of the sampler: its position in the population; nil = the same, as no row is repeated
	row []int32
}

// NewBags prepares samples of a population that was gathered from a target. classFractions is a
// value of the parameter class_fractions. A row of multiplicity n is n independent rows to the
// sampler.
func NewBags(
	set sample.Settings, classFractions []param.Named, t *data.Target, pop *grow.Population,
) (*Bags, error) {
	b := &Bags{}
	var err error
	if set.Fractions, err = fractionsOf(classFractions, t); err != nil {
		return nil, err
	}
	rows := sample.Rows{N: len(pop.Rows), Class: pop.Class, Classes: t.Classes}
	if pop.Count != nil {
		for i, n := range pop.Count {
			b.row = append(b.row, slices.Repeat([]int32{int32(i)}, int(n))...)
		}
		rows.N = len(b.row)
		rows.Class = each(rows.N, pop.Class != nil,
			func(i int) uint32 { return pop.Class[b.row[i]] })
	}
	frameRow := func(i int) int32 {
		if b.row != nil {
			i = int(b.row[i])
		}
		return pop.Rows[i]
	}
	rows.Weight = each(rows.N, t.Weight != nil && set.Weighted,
		func(i int) float64 { return t.Weight[frameRow(i)] })
	rows.Group = each(rows.N, t.Group != nil && set.Grouped,
		func(i int) int64 { return t.Group[frameRow(i)] })
	b.sampler, err = sample.New(set, rows)
	return b, err
}

// Target returns the target that members are trained on. If rows are sampled by weight it has no
// weights: each sampled row then counts once.
func Target(set sample.Settings, t *data.Target) *data.Target {
	if !set.Weighted || t.Weight == nil {
		return t
	}
	equal := *t
	equal.Weight = nil
	return &equal
}

// WeighedTwice explains the error of a member that samples by weight inside the learner by, whose
// parameter key makes it sample by weight already. The member gets a target without weights, so
// without this its error would request a weight column. Other errors are returned as they are.
func WeighedTwice(err error, by, key string) error {
	if !errors.Is(err, sample.ErrUnweighted) { // also nil
		return err
	}
	return fmt.Errorf("weighted_sampling of a member finds no weights: %s samples rows by weight "+
		"already (%s), and each sampled row counts once: set one of the two to false",
		by, key)
}

// each returns the values of the numbers below n, nil unless they are needed.
func each[T any](n int, wanted bool, value func(i int) T) []T {
	if !wanted {
		return nil
	}
	values := make([]T, n)
	for i := range values {
		values[i] = value(i)
	}
	return values
}

// Sample samples the bag of one member. It sets count, which has an entry for each row of the
// population, to how often the row is in the bag: 0 is out-of-bag. See sample.Sampler.Sample.
func (b *Bags) Sample(count []uint32, seed uint64) {
	if b.row == nil {
		b.sampler.Sample(count, seed)
		return
	}
	counts := make([]uint32, len(b.row))
	b.sampler.Sample(counts, seed)
	clear(count)
	for i, n := range counts {
		count[b.row[i]] += n
	}
}

// LeavesOut reports whether all bags leave rows out. If not, there is no out-of-bag error.
func (b *Bags) LeavesOut() bool { return b.sampler.LeavesOut() }

// Repeat returns each row as often as it counts: a bag of Sample in the form of learn.Job.Rows.
func Repeat(rows []int32, count []uint32) []int32 {
	n := kernel.Sum(count)
	repeated := make([]int32, 0, n)
	for i, c := range count {
		for range c {
			repeated = append(repeated, rows[i])
		}
	}
	return repeated
}

// ErrNoneOut is the reason why an ensemble has no out-of-bag predictions.
var ErrNoneOut = errors.New("every member is trained on all rows: use sample=bootstrap, or " +
	"sample=subsample with a fraction below 1")

// NoneOut returns ErrNoneOut where samples of rows leave no row out, whatever the rows are.
func NoneOut(s *sample.Settings) error {
	if s.LeavesNoneOut() {
		return ErrNoneOut
	}
	return nil
}
