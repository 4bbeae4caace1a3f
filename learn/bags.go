package learn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// ClassFractions declares the parameter class_fractions, which every learner has that draws rows
// for its members.
func ClassFractions(p *string) param.Param {
	check := func(text string) error {
		_, err := parseFractions(text)
		return err
	}
	return param.Text(p, "class_fractions", "", "NAME=FRACTION,...", check,
		"number of draws of each class, as a part of all rows; all classes are named; in place of fraction and strata")
}

func parseFractions(text string) ([]namedWeight, error) {
	if text == "" {
		return nil, nil
	}
	entries, err := parseNamed(text, "fraction", "class")
	for _, e := range entries {
		if e.weight > 1 {
			return nil, fmt.Errorf("fraction %g of class %q is more than 1", e.weight, e.class)
		}
	}
	return entries, err
}

// fractionsOf returns the fraction of each class of the target.
func fractionsOf(text string, t *data.Target) ([]float64, error) {
	entries, err := parseFractions(text)
	if entries == nil || err != nil {
		return nil, err
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("class_fractions do not fit a %s label", t.Task)
	}
	fractions := make([]float64, len(t.Classes))
	for _, e := range entries {
		c := slices.Index(t.Classes, e.class)
		if c < 0 {
			return nil, unknownClass("class_fractions", e.class, t.Classes)
		}
		fractions[c] = e.weight
	}
	if c := slices.Index(fractions, 0); c >= 0 {
		return nil, fmt.Errorf("class_fractions: class %q has none: give one to every class", t.Classes[c])
	}
	return fractions, nil
}

// Bags draws the rows of the members of an ensemble from a population. It is read-only: Draw may be
// called concurrently.
type Bags struct {
	sampler *sample.Sampler
	// position of each thing drawn, where rows stand several times; nil = each is drawn by itself
	row []int32
}

// NewBags prepares the draws of rows of a population, gathered from a target. classFractions is a
// value of ClassFractions. A row that stands several times is drawn that many times as often as one
// that stands once; its copies are independent.
func NewBags(set sample.Settings, classFractions string, t *data.Target, pop *grow.Population) (*Bags, error) {
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
		rows.Class = each(rows.N, pop.Class != nil, func(i int) uint32 { return pop.Class[b.row[i]] })
	}
	frameRow := func(i int) int32 {
		if b.row != nil {
			i = int(b.row[i])
		}
		return pop.Rows[i]
	}
	rows.Weight = each(rows.N, t.Weight != nil && set.Weighted, func(i int) float64 { return t.Weight[frameRow(i)] })
	rows.Group = each(rows.N, t.Group != nil && set.Grouped, func(i int) int64 { return t.Group[frameRow(i)] })
	b.sampler, err = sample.New(set, rows)
	return b, err
}

// Drawn returns what members that are trained on draws look at: the target, without its weights if
// they are what rows are drawn by, since what is drawn by weight counts alike.
func Drawn(set sample.Settings, t *data.Target) *data.Target {
	if !set.Weighted || t.Weight == nil {
		return t
	}
	alike := *t
	alike.Weight = nil
	return &alike
}

// DrawnTwice returns what failed of a member of the learner by, which draws rows by their weights,
// as its parameter key says. A member that would draw by weights too sees none and asks for a
// weight column: the user is told of the two draws instead.
func DrawnTwice(err error, by, key string) error {
	if !errors.Is(err, sample.ErrUnweighted) { // also nil
		return err
	}
	return fmt.Errorf("weighted_sampling of a member has no weights to draw by: %s draws rows by their weights already (%s), and what it draws counts alike: set one of the two to false",
		by, key)
}

// each returns the values of the numbers below n, nil unless they are wanted.
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

// Draw fills count, one entry for each row of the population, with how often it is in the bag of
// one member: 0 is out of the bag.
func (b *Bags) Draw(count []uint32, s *rng.Stream) {
	if b.row == nil {
		b.sampler.Draw(count, s)
		return
	}
	drawn := make([]uint32, len(b.row))
	b.sampler.Draw(drawn, s)
	clear(count)
	for i, n := range drawn {
		count[b.row[i]] += n
	}
}

// LeavesOut reports whether bags leave rows out. If some do not, there is no error out of the bag.
func (b *Bags) LeavesOut() bool { return b.sampler.LeavesOut() }

// Repeat returns each row as often as it counts, as Job.Rows takes what Draw drew.
func Repeat(rows []int32, count []uint32) []int32 {
	n := uint32(0)
	for _, c := range count {
		n += c
	}
	repeated := make([]int32, 0, n)
	for i, c := range count {
		for range c {
			repeated = append(repeated, rows[i])
		}
	}
	return repeated
}
