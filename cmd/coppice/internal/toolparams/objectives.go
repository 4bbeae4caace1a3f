package toolparams

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// loss is what an objective becomes.
type loss struct {
	names []string // the first is the tool's own, the others are its aliases
	task  string   // --task; "" = by the label
	set   string   // set.loss; "" = the default of the task, or that of the compatible tool
	// parameters of the loss: theirs, with its default, and ours. A default that is "" is ours.
	params []lossParam
	fixed  []string // NAME=VALUE below the loss
	no     string   // not "": refused, for this reason
}

type lossParam struct{ theirs, otherwise, ours string }

// objective is the row of a tool's objective.
func objective(all []loss) action {
	return action{"`set.loss`, `--task`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil {
			return nil, err
		}
		name, options, _ := strings.Cut(text, ":")
		l := find(all, text)
		if l == nil && options != "" {
			l = find(all, name)
		}
		if l == nil {
			return nil, unknownObjective(text, all)
		}
		if l.no != "" {
			return nil, fmt.Errorf("%q: %s", text, l.no)
		}
		return l.items(g, options)
	}}
}

func find(all []loss, name string) *loss {
	i := slices.IndexFunc(all, func(l loss) bool {
		return slices.ContainsFunc(l.names, func(n string) bool { return strings.EqualFold(n, name) })
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// items sets the task and the loss with its parameters, which stand in the objective itself as
// KEY=VALUE;... or are parameters of their own.
func (l *loss) items(g *given, options string) ([]Item, error) {
	items := []Item{}
	if l.task != "" {
		items = append(items, Item{Key: "task", Text: l.task})
	}
	if l.set == "" {
		return items, nil
	}
	items = append(items, Item{Key: "set.loss", Text: l.set})
	for _, setting := range l.fixed {
		name, value, _ := strings.Cut(setting, "=")
		items = append(items, Item{Key: "set.loss." + name, Text: value})
	}
	for _, p := range l.params {
		value := g.text(p.theirs, p.otherwise)
		for option := range strings.SplitSeq(options, ";") {
			if key, v, ok := strings.Cut(option, "="); ok && key == p.theirs {
				value = v
			}
		}
		if v, ok := g.all[p.theirs]; ok && v.List != nil {
			value = strings.Join(v.List, ",")
		}
		if value != "" {
			items = append(items, Item{Key: "set.loss." + p.ours, Text: strings.ToLower(value)})
		}
	}
	return items, nil
}

// unknownObjective lists the objectives that there are.
func unknownObjective(name string, all []loss) error {
	var known []string
	for _, l := range all {
		if l.no == "" {
			known = append(known, l.names[0])
		}
	}
	return fmt.Errorf("%q is no objective that is known: want %s", name, humanize.Or(known))
}

const ownLoss = "an objective of one's own is Go code here: see loss.Loss"
