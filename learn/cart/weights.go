package cart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/param"
)

// namedWeight is one entry of class_weight.
type namedWeight struct {
	class  string
	weight float64
}

// parseClassWeight reads "", "balanced" (both give no entries) or "name=weight,...". The weight follows the last
// '=', so names may hold that sign.
func parseClassWeight(text string) ([]namedWeight, error) {
	if text == "" || text == balanced {
		return nil, nil
	}
	var entries []namedWeight
	for part := range strings.SplitSeq(text, ",") {
		i := strings.LastIndexByte(part, '=')
		if i <= 0 {
			return nil, fmt.Errorf("%q is not NAME=WEIGHT", part)
		}
		w, err := strconv.ParseFloat(strings.TrimSpace(part[i+1:]), 64)
		if err != nil || !(w > 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("weight %q of class %q is not a positive number", part[i+1:], part[:i])
		}
		e := namedWeight{strings.TrimSpace(part[:i]), w}
		if slices.ContainsFunc(entries, func(o namedWeight) bool { return o.class == e.class }) {
			return nil, fmt.Errorf("class %q has two weights", e.class)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// classFactors returns the factor of each class, nil if all are 1. Balanced factors count the rows of the
// population, as scikit-learn does, not their weights.
func classFactors(text string, t *data.Target, class []uint32, count []uint32) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	if !t.Task.Classes() {
		return nil, fmt.Errorf("class_weight does not fit a %s label", t.Task)
	}
	factors := make([]float64, len(t.Classes))
	if text == balanced {
		rows := make([]float64, len(t.Classes))
		total, present := 0.0, 0.0
		for i, c := range class {
			n := 1.0
			if count != nil {
				n = float64(count[i])
			}
			if rows[c] == 0 {
				present++
			}
			rows[c] += n
			total += n
		}
		for c := range factors {
			factors[c] = 1 // a class without rows weighs nothing anyway
			if rows[c] > 0 {
				factors[c] = total / float64(present*rows[c])
			}
		}
		return factors, nil
	}
	for c := range factors {
		factors[c] = 1
	}
	entries, err := parseClassWeight(text)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		c := slices.Index(t.Classes, e.class)
		if c < 0 {
			return nil, unknownClass(e.class, t.Classes)
		}
		factors[c] = e.weight
	}
	return factors, nil
}

func unknownClass(name string, classes []string) error {
	if near := param.Nearest(name, classes); near != "" {
		return fmt.Errorf("class_weight: there is no class %q: did you mean %q?", name, near)
	}
	return fmt.Errorf("class_weight: there is no class %q: the classes are %s", name, strings.Join(classes, ", "))
}

// population gathers the rows of a job: repeated rows become multiplicities, rows of weight zero are left out. It
// returns the class factors too, which validation rows are weighed by.
func (l *Learner) population(t *data.Target, rows []int32) (*grow.Population, []float64, error) {
	p := &grow.Population{Classes: len(t.Classes)}
	sorted := rows
	if !slices.IsSorted(rows) {
		sorted = slices.Clone(rows)
		slices.Sort(sorted)
	}
	repeated := false
	for i, r := range sorted {
		if t.Weight != nil && t.Weight[r] == 0 {
			continue
		}
		if i > 0 && sorted[i-1] == r {
			p.Count[len(p.Count)-1]++
			repeated = true
			continue
		}
		p.Rows = append(p.Rows, r)
		p.Count = append(p.Count, 1)
	}
	if len(p.Rows) == 0 {
		return nil, nil, fmt.Errorf("no rows of positive weight to train on")
	}
	if !repeated {
		p.Count = nil
	}
	for _, r := range p.Rows {
		if t.Task.Classes() {
			p.Class = append(p.Class, t.Class[r])
		} else {
			p.Y = append(p.Y, t.Y[0][r])
		}
	}
	factors, err := classFactors(l.ClassWeight, t, p.Class, p.Count)
	if err != nil {
		return nil, nil, err
	}
	if repeated || factors != nil || t.Weight != nil {
		p.Weight = make([]float64, len(p.Rows))
		for i, r := range p.Rows {
			p.Weight[i] = t.WeightAt(r)
			if factors != nil {
				p.Weight[i] *= factors[p.Class[i]]
			}
			if repeated {
				p.Weight[i] *= float64(p.Count[i])
			}
		}
	}
	return p, factors, nil
}
