package forest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
)

func checkShard(text string) error {
	_, _, err := shardOf(text)
	return err
}

// shardOf reads a value of the parameter shard: the number of a shard, from 1, and how many there
// are. Without the parameter there is one.
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

// Merge joins all shards of a forest, in any order, to the model that training without shard makes:
// the same, byte for byte. It is an error if a shard is missing, given twice or incomplete, or if
// shards come from different tables, parameters or seeds. It returns the out-of-bag predictions of
// all trees, too, nil if there are none.
func (l *Learner) Merge(models []model.Model) (model.Model, *learn.Unseen, error) {
	shards, err := l.shardsOf(models)
	if err != nil {
		return nil, nil, err
	}
	whole := shards[0]
	b := whole.accumulators
	b.learner.Shard = ""
	if b.accumulator != nil {
		b.accumulator = ensembles.NewAccumulator(b.truth)
	}
	for _, p := range shards {
		for i, t := range p.model.Trees {
			b.add(&grown{tree: t, report: p.reported[i]})
		}
	}
	m := *whole.model
	m.Trees, m.State = b.trees, nil
	return &m, b.unseen(), b.describe(&m, false, 1)
}

// shardsOf returns the shards that models are, in order, if they are all the shards of one forest.
func (l *Learner) shardsOf(models []model.Model) ([]*shard, error) {
	if len(models) == 0 {
		return nil, errors.New("no models to merge")
	}
	byNumber := map[int]*shard{} // not a slice: the number of shards comes from a file
	var first *shard
	for i, m := range models {
		p, err := l.readShard(m)
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
		return nil, missingShards(byNumber, first.of, missing)
	}
	shards := make([]*shard, len(models))
	for number, p := range byNumber {
		shards[number-1] = p
	}
	for _, p := range shards[1:] {
		if what := shards[0].differs(p); what != "" {
			return nil, differ(shards[0], p, "shards %d/%d and %d/%d have %s", shards[0].number,
				shards[0].of, p.number, p.of, what)
		}
	}
	return shards, nil
}

// differ is the error of two shards that are not of one forest.
func differ(a, b *shard, format string, args ...any) error {
	return &learn.MergeError{Models: []int{a.place, b.place}, Err: fmt.Errorf(format, args...)}
}

// namedShards is the largest number of missing shards that are named one by one.
const namedShards = 3

// missingShards is the error of shards that were not given.
func missingShards(there map[int]*shard, of, missing int) error {
	var names []string
	for number := 1; len(names) < min(missing, namedShards); number++ {
		if there[number] == nil {
			names = append(names, fmt.Sprintf("%d/%d", number, of))
		}
	}
	switch more := missing - len(names); {
	case missing == 1:
		return fmt.Errorf("shard %s is missing: a forest is merged from all its shards", names[0])
	case more > 0:
		return fmt.Errorf("shards %s and %d more are missing: a forest is merged from all its "+
			"shards",
			strings.Join(names, ", "), more)
	default:
		last := len(names) - 1
		return fmt.Errorf("shards %s and %s are missing: a forest is merged from all its shards",
			strings.Join(names[:last], ", "), names[last])
	}
}

// shard is a forest of some of the trees.
type shard struct {
	*accumulators
	place      int // among the models to merge
	model      *model.Ensemble
	number, of int
	common     []byte   // of its state
	reported   []report // of its trees
}

// readShard reads the state of a shard.
func (l *Learner) readShard(m model.Model) (*shard, error) {
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
	p := &shard{model: e, accumulators: &accumulators{learner: own, schema: &e.Meta.Schema,
		criterion: reported.Criterion}}
	p.trained.Weightless = reported.Weightless
	p.number, p.of, _ = shardOf(own.Shard)
	if _, n := own.numbers(); n != len(e.Trees) {
		return nil, fmt.Errorf("shard %s has %d of its %d trees: its training was interrupted",
			own.Shard, len(e.Trees), n)
	}
	return p, p.read(e.State)
}

// differs describes why two shards are not of one forest, "" if they are.
func (p *shard) differs(o *shard) string {
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
