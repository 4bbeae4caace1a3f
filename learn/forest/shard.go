package forest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

func checkShard(text string) error {
	_, _, err := shardOf(text)
	return err
}

// shardOf reads a value of the parameter shard: part number of so many, from 1. Without one there
// is one part.
func shardOf(text string) (number, of int, err error) {
	if text == "" {
		return 1, 1, nil
	}
	first, last, _ := strings.Cut(text, "/")
	number, errNumber := strconv.Atoi(first)
	of, errOf := strconv.Atoi(last)
	if errNumber != nil || errOf != nil || number < 1 || number > of {
		return 0, 0, fmt.Errorf("%q is no shard, such as 1/4", text)
	}
	return number, of, nil
}

// numbers returns the first of the trees to grow, and how many there are. Parts follow each other
// and differ in size by one tree at most.
func (l *Learner) numbers() (first, n int) {
	number, of, _ := shardOf(l.Shard)
	each, more := l.Trees/of, l.Trees%of
	first = (number-1)*each + min(number-1, more)
	if n = each; number <= more {
		n++
	}
	return first, n
}

// Merge joins all parts of a forest, in any order, to the model that training without shard makes:
// the same, byte for byte. It is an error if a part is missing, there twice or cut short, or if
// parts come from other tables, parameters or seeds.
func (l *Learner) Merge(models []model.Model) (model.Model, error) {
	parts, err := l.partsOf(models)
	if err != nil {
		return nil, err
	}
	whole := parts[0]
	b := whole.accumulators
	b.learner.Shard = ""
	if b.accumulator != nil {
		b.accumulator = oob.NewAccumulator(b.truth)
	}
	for _, p := range parts {
		for i, t := range p.model.Trees {
			b.add(&grown{tree: t, report: p.reported[i]})
		}
	}
	m := *whole.model
	m.Trees, m.State = b.trees, nil
	return &m, b.describe(&m, false)
}

// partsOf returns the parts that models are, in order, if they are all the parts of one forest.
func (l *Learner) partsOf(models []model.Model) ([]*part, error) {
	if len(models) == 0 {
		return nil, errors.New("no models to merge")
	}
	byNumber := map[int]*part{} // not a slice: the number of parts is what a file says
	var first *part
	for i, m := range models {
		p, err := l.partOf(m)
		if err != nil {
			return nil, &learn.MergeError{Models: []int{i}, Err: err}
		}
		p.place = i
		if first == nil {
			first = p
		}
		if p.of != first.of {
			return nil, differ(first, p, "shards %d/%d and %d/%d are not of one forest",
				first.number, first.of, p.number, p.of)
		}
		if other := byNumber[p.number]; other != nil {
			return nil, differ(other, p, "both are shard %d/%d: leave one of them out", p.number,
				p.of)
		}
		byNumber[p.number] = p
	}
	if missing := first.of - len(models); missing > 0 {
		return nil, missingParts(byNumber, first.of, missing)
	}
	parts := make([]*part, len(models))
	for number, p := range byNumber {
		parts[number-1] = p
	}
	for _, p := range parts[1:] {
		if what := parts[0].differs(p); what != "" {
			return nil, differ(parts[0], p, "shards %d/%d and %d/%d have %s", parts[0].number,
				parts[0].of, p.number, p.of, what)
		}
	}
	return parts, nil
}

// differ is the error of two parts that do not go together.
func differ(a, b *part, format string, args ...any) error {
	return &learn.MergeError{Models: []int{a.place, b.place}, Err: fmt.Errorf(format, args...)}
}

// namedParts is the largest number of missing parts that are named one by one.
const namedParts = 3

// missingParts is the error of parts that are not there.
func missingParts(there map[int]*part, of, missing int) error {
	var names []string
	for number := 1; len(names) < min(missing, namedParts); number++ {
		if there[number] == nil {
			names = append(names, fmt.Sprintf("%d/%d", number, of))
		}
	}
	switch more := missing - len(names); {
	case missing == 1:
		return fmt.Errorf("shard %s is missing: a forest is merged from all its shards", names[0])
	case more > 0:
		return fmt.Errorf("shards %s and %d more are missing: a forest is merged from all its shards",
			strings.Join(names, ", "), more)
	default:
		last := len(names) - 1
		return fmt.Errorf("shards %s and %s are missing: a forest is merged from all its shards",
			strings.Join(names[:last], ", "), names[last])
	}
}

// part is one part of a forest.
type part struct {
	*accumulators
	place      int // among the models to merge
	model      *model.Ensemble
	number, of int
	common     []byte   // of its state
	reported   []Report // of its trees
}

// partOf reads what a part carries.
func (l *Learner) partOf(m model.Model) (*part, error) {
	e, ok := m.(*model.Ensemble)
	if !ok || e.Meta.Learner != l.name || e.Output != nil {
		return nil, fmt.Errorf("a model of %s is no shard of a model of %s", m.Spec().Learner,
			l.name)
	}
	own := named(l.name)
	if err := own.Params().UnmarshalJSON(e.Meta.Params); err != nil {
		return nil, err
	}
	if own.Shard == "" || e.State == nil {
		return nil, errors.New("it is a whole forest, not a shard")
	}
	var reported Summary
	if err := json.Unmarshal(e.Meta.Summary, &reported); err != nil {
		return nil, err
	}
	p := &part{model: e, accumulators: &accumulators{learner: own, schema: &e.Meta.Schema,
		criterion: reported.Criterion}}
	p.trained.Weightless = reported.Weightless
	p.number, p.of, _ = shardOf(own.Shard)
	if _, n := own.numbers(); n != len(e.Trees) {
		return nil, fmt.Errorf("shard %s has %d of its %d trees: its training was interrupted",
			own.Shard, len(e.Trees), n)
	}
	return p, p.read(e.State)
}

// differs says in what two parts are not of one forest, "" if they are.
func (p *part) differs(o *part) string {
	a, b := p.model.Meta, o.model.Meta
	alike := *o.learner
	alike.Shard = p.learner.Shard
	switch {
	case !reflect.DeepEqual(*p.learner, alike):
		return "different parameters"
	case !reflect.DeepEqual(a.Schema, b.Schema) || a.Label != b.Label || a.Task != b.Task ||
		!reflect.DeepEqual(a.Classes, b.Classes):
		return "different columns or labels"
	case a.Decision.FirstPositive != b.Decision.FirstPositive:
		return "different positive classes"
	case !bytes.Equal(p.common, o.common):
		return "different rows or seeds"
	}
	return ""
}
