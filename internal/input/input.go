// Package input owns derived columns: numbers that a model makes of the values of a row before its
// trees are walked. A table has them by the row's combination of categories in some columns: how
// many training rows had it, or the mean target of those, shrunk towards a prior (target
// statistics, Micci-Barreca 2001; Prokhorenkova et al. 2018, section 3). Models of other tools have
// more: those made of a single number, and statistics by the hash of a combination.
//
// The tables are all that prediction needs. Package encode makes the columns of training rows, so
// that no label reaches its own row.
package input

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// maxColumns is the greatest number of columns of a table for each of its outputs, and one more:
// every column takes memory for every key when it is compiled.
const maxColumns = 16

// MaxSources is the greatest number of columns whose categories a table combines.
const MaxSources = 4

// Set is the derived columns of a model: those of Columns, then those of Numbers, then the outputs
// of Combinations. The zero value has none.
type Set struct {
	Tables       []Table
	Columns      []Column // made of the tables
	Numbers      []Number
	Combinations []Combination
}

// Len returns the number of derived columns.
func (s *Set) Len() int { return len(s.Columns) + len(s.Numbers) + s.outputs() }

// Foreign returns the number of a column that only models of other tools have, -1 if there is none.
func (s *Set) Foreign() int {
	if s.Len() == len(s.Columns) {
		return -1
	}
	return len(s.Columns)
}

// Sources returns the fields of the schema that column i is made of, ascending. Callers must not
// change it.
func (s *Set) Sources(i int) []int32 {
	if i < len(s.Columns) {
		return s.Tables[s.Columns[i].Table].Source
	}
	if i -= len(s.Columns); i < len(s.Numbers) {
		return []int32{s.Numbers[i].Source}
	}
	c, _ := s.output(i - len(s.Numbers))
	return s.Combinations[c].sources()
}

// Credited returns the fields that share equally what column i contributes where it is one player:
// its sources. Of a Combination they are those of its categories, without the fields of conditions,
// as in CatBoost. Callers must not change them.
func (s *Set) Credited(i int) []int32 {
	if k := i - len(s.Columns) - len(s.Numbers); k >= 0 {
		c, _ := s.output(k)
		if fields := s.Combinations[c].categories(); len(fields) > 0 {
			return fields
		}
	}
	return s.Sources(i)
}

// OfNumber reports whether column i is made of a single number: one of Numbers.
func (s *Set) OfNumber(i int) bool {
	return i >= len(s.Columns) && i < len(s.Columns)+len(s.Numbers)
}

// Table holds what training rows had in some columns together. A row's key has a digit for each
// source, the last one the lowest: 0 for a missing value, c+1 for category c. Of two sources of 3
// and 4 levels,
//
//	(missing, missing) 0    (missing, 0) 1    ...    (0, missing) 5    (0, 0) 6    ...    (2, 3) 19
type Table struct {
	Source []int32   // categorical fields of the schema, ascending, 1 to MaxSources
	Key    []uint64  // the keys that training rows had, ascending
	Count  []float64 // by key: the rows' weight, above 0
	// output after output, each by key: the sum of weight times target; nothing where only counts
	// are requested
	Sum []float64
}

// Kind is what a column reports a row's key.
type Kind uint8

// The kinds.
const (
	// (sum + Weight Prior) / (count + Weight); of keys that no training row had Prior + Shift
	Target Kind = iota
	Count       // the weight of the training rows; of keys that no training row had Prior
)

// Column is one derived column that is made of a table.
type Column struct {
	Kind   Kind
	Table  int32   // which of the set's tables
	Output int32   // of Target: the output of the table, from 0
	Prior  float64 // of Target: the value that has no access to the row; of Count: see there
	Shift  float64 // of Target: what keys that no training row had have beyond the prior
	Weight float64 // of Target: how much weight of training rows the prior is worth, not negative
}

// Outputs returns the number of targets that the table has sums of.
func (t *Table) Outputs() int {
	if len(t.Key) == 0 {
		return 0
	}
	return len(t.Sum) / len(t.Key)
}

// Value returns the column's number for a key of a count and a sum of targets.
func (c *Column) Value(count, sum float64) float64 {
	if c.Kind == Count {
		return count
	}
	return (sum + float64(c.Weight*c.Prior)) / (count + c.Weight)
}

// Unseen returns the column's number for a key that no training row had.
func (c *Column) Unseen() float64 { return c.Prior + c.Shift }

// Keys returns the number of keys that rows may have in some fields of a schema, and whether that
// is below 2^63, as it must be.
func Keys(fields []data.Field, source []int32) (n uint64, ok bool) {
	n = 1
	for _, f := range source {
		high, low := bits.Mul64(n, uint64(len(fields[f].Levels))+1)
		if high != 0 || low >= 1<<63 {
			return 0, false
		}
		n = low
	}
	return n, true
}

// Name returns the words for column i: ts(a+b) for a target statistic, ts(a+b = yes) for that of
// one of several outputs, count(a+b), nonzero(a), and statistic(a+b). outputs names the outputs,
// where there are several and names for them.
func (s *Set) Name(i int, fields []data.Field, outputs []string) string {
	if k := i - len(s.Columns) - len(s.Numbers); k >= 0 {
		c, output := s.output(k)
		return s.Combinations[c].name(fields, output)
	}
	if k := i - len(s.Columns); k >= 0 {
		return s.Numbers[k].name(fields)
	}
	c := &s.Columns[i]
	t := &s.Tables[c.Table]
	names := make([]string, len(t.Source))
	for k, f := range t.Source {
		names[k] = fields[f].Name
	}
	text := strings.Join(names, "+")
	switch {
	case c.Kind == Count:
		return "count(" + text + ")"
	case t.Outputs() < 2:
		return "ts(" + text + ")"
	case int(c.Output) < len(outputs):
		return "ts(" + text + " = " + outputs[c.Output] + ")"
	}
	return fmt.Sprintf("ts(%s = %d)", text, c.Output)
}

// Join returns a set of the columns of s and, behind them, those of more that s has not, and the
// place of each of more's. Tables and columns that are the same are there once. Neither set may
// have Foreign ones.
func (s *Set) Join(more *Set) (Set, []int32) {
	all := Set{Tables: slices.Clone(s.Tables), Columns: slices.Clone(s.Columns)}
	table := make([]int32, len(more.Tables))
	for i := range more.Tables {
		at := slices.IndexFunc(s.Tables, func(t Table) bool { return t.equal(&more.Tables[i]) })
		if at < 0 {
			at = len(all.Tables)
			all.Tables = append(all.Tables, more.Tables[i])
		}
		table[i] = int32(at)
	}
	place := make([]int32, len(more.Columns))
	for i, c := range more.Columns {
		c.Table = table[c.Table]
		at := slices.Index(s.Columns, c)
		if at < 0 {
			at = len(all.Columns)
			all.Columns = append(all.Columns, c)
		}
		place[i] = int32(at)
	}
	return all, place
}

func (t *Table) equal(o *Table) bool {
	return slices.Equal(t.Source, o.Source) && slices.Equal(t.Key, o.Key) &&
		slices.Equal(t.Count, o.Count) && slices.Equal(t.Sum, o.Sum)
}

// Validate checks that tables and columns fit together and the fields of a schema, that keys are in
// order and in range, and that all numbers are finite.
func (s *Set) Validate(fields []data.Field) error {
	for i := range s.Tables {
		if err := s.Tables[i].validate(fields); err != nil {
			return fmt.Errorf("table %d of derived columns: %w", i, err)
		}
	}
	of := make([]int, len(s.Tables))
	for i := range s.Columns {
		if err := s.validateColumn(&s.Columns[i], of); err != nil {
			return fmt.Errorf("derived column %d: %w", i, err)
		}
	}
	for i := range s.Numbers {
		if err := s.Numbers[i].validate(fields); err != nil {
			return fmt.Errorf("derived column %d: %w", len(s.Columns)+i, err)
		}
	}
	for i := range s.Combinations {
		if err := s.Combinations[i].validate(fields); err != nil {
			return fmt.Errorf("combination %d of derived columns: %w", i, err)
		}
	}
	return nil
}

func (t *Table) validate(fields []data.Field) error {
	if len(t.Source) < 1 || len(t.Source) > MaxSources {
		return fmt.Errorf("%d sources, want 1 to %d", len(t.Source), MaxSources)
	}
	for i, f := range t.Source {
		switch {
		case f < 0 || int(f) >= len(fields) || i > 0 && f <= t.Source[i-1]:
			return fmt.Errorf("source %d of %d fields, or not ascending", f, len(fields))
		case fields[f].Kind != data.Categorical:
			return fmt.Errorf("the source %q is %s", fields[f].Name, fields[f].Kind)
		}
	}
	n, ok := Keys(fields, t.Source)
	switch {
	case !ok:
		return errors.New("the sources have too many combinations")
	case len(t.Key) > math.MaxInt32:
		return fmt.Errorf("%d keys, the limit is %d", len(t.Key), math.MaxInt32)
	case len(t.Count) != len(t.Key) || len(t.Key) == 0 && len(t.Sum) > 0 ||
		len(t.Key) > 0 && len(t.Sum)%len(t.Key) != 0:
		return fmt.Errorf("%d counts and %d sums for %d keys", len(t.Count), len(t.Sum), len(t.Key))
	}
	for i, k := range t.Key {
		if k >= n || i > 0 && k <= t.Key[i-1] {
			return fmt.Errorf("key %d of %d, or not ascending", k, n)
		}
		if c := t.Count[i]; !(c > 0 && c <= math.MaxFloat64) {
			return fmt.Errorf("key %d has the count %v", k, c)
		}
	}
	for _, x := range t.Sum {
		if !finite(x) {
			return errors.New("a sum is not finite")
		}
	}
	return nil
}

// validateColumn checks a column; of is the number of columns of each table before it.
func (s *Set) validateColumn(c *Column, of []int) error {
	if c.Table < 0 || int(c.Table) >= len(s.Tables) {
		return fmt.Errorf("table %d of %d", c.Table, len(s.Tables))
	}
	of[c.Table]++
	switch n := of[c.Table]; {
	case n > maxColumns*(s.Tables[c.Table].Outputs()+1):
		return fmt.Errorf("%d columns of one table", n)
	case c.Kind > Count:
		return fmt.Errorf("unknown kind %d", c.Kind)
	case c.Kind == Count && (c.Output != 0 || c.Weight != 0 || c.Shift != 0):
		return errors.New("a count has no output, shift or weight of a prior")
	case c.Kind == Count && !(c.Prior >= 0 && c.Prior <= math.MaxFloat64):
		return fmt.Errorf("the count %v of other keys", c.Prior)
	case c.Kind == Count:
		return nil
	}
	t := &s.Tables[c.Table]
	if n := t.Outputs(); c.Output < 0 || int(c.Output) >= n && len(t.Key) > 0 {
		return fmt.Errorf("output %d of %d", c.Output, n)
	}
	if !finite(c.Prior) || !finite(c.Weight) || c.Weight < 0 {
		return fmt.Errorf("prior %v of weight %v", c.Prior, c.Weight)
	}
	if !finite(c.Shift) || !finite(c.Unseen()) {
		return fmt.Errorf("prior %v with shift %v", c.Prior, c.Shift)
	}
	at := int(c.Output) * len(t.Key)
	for k, n := range t.Count {
		if !finite(c.Value(n, t.Sum[at+k])) {
			return fmt.Errorf("the value of key %d is not finite", t.Key[k])
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
