// Package toolparams owns the names of parameters of other tools: XGBoost, LightGBM and CatBoost. A
// table has a row for each name: what it becomes here, or why it is left out or refused. What a
// parameter becomes is a flag of train or a parameter of gbm. The defaults and conventions of the
// tool are those of --compat.
package toolparams

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/param"
)

// Value is the value of a parameter: a text, a list of texts, or texts by names.
type Value struct {
	Text  string
	List  []string // not nil: a list
	Table []Pair   // not nil: a dictionary
}

// Pair is a text by a name.
type Pair struct{ Name, Text string }

// Given is a parameter of a tool as a file has it.
type Given struct {
	Name string
	Line int // of the file; 0 = unknown
	Value
}

// Item is what a parameter becomes: a flag by its name, or a parameter of the learner by set. and
// its name, or the operands by data.
type Item struct {
	Key  string
	Text string
	Line int
}

// Fault is a parameter that is refused, and why.
type Fault struct {
	Line int
	Text string
}

// Translation is what the parameters of a tool become.
type Translation struct {
	Items  []Item
	Notes  []string // what was left out, and why
	Faults []Fault
}

// Tool is a tool with its parameters.
type Tool struct {
	Name       string // as --params-of has it
	Title      string
	Parameters []Parameter
	Beside     []string              // suffixes of files beside a table that the tool reads with it
	defaults   func(g *given) []Item // what the tool does where a file does not say
}

// Parameter is a row of the table.
type Parameter struct {
	Name    string
	Aliases []string
	action
	Why string // why it is left out or refused, or a remark; "" = it is the same
}

// action is what becomes of a parameter.
type action struct {
	// Becomes names the flag or the parameter, or is ignored, or refused
	Becomes string
	do      func(v Value, g *given) ([]Item, error)
}

// refusal is the error of a value that is refused for the reason of the row.
type refusal struct{}

func (refusal) Error() string { return "" }

// given is all parameters of a file.
type given struct {
	tool *Tool
	all  map[string]Value // by the name of the row
	note func(text string)
}

// text returns the text of a parameter, or a default if it is not given.
func (g *given) text(name, otherwise string) string {
	if v, ok := g.all[name]; ok && v.Text != "" {
		return v.Text
	}
	return otherwise
}

// has reports whether a parameter is given.
func (g *given) has(name string) bool {
	_, ok := g.all[name]
	return ok
}

// Tools lists the tools.
var Tools = sync.OnceValue(func() []Tool { return []Tool{xgboost(), lightgbm(), catboost()} })

// Names lists the names of the tools.
func Names() []string {
	var names []string
	for _, t := range Tools() {
		names = append(names, t.Name)
	}
	return names
}

// Of returns a tool by its name, nil if there is none.
func Of(name string) *Tool {
	all := Tools()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// find returns the row of a name or an alias, nil if there is none.
func (t *Tool) find(name string) *Parameter {
	for i := range t.Parameters {
		if p := &t.Parameters[i]; p.Name == name || slices.Contains(p.Aliases, name) {
			return p
		}
	}
	return nil
}

// Has reports whether the table has a name.
func (t *Tool) Has(name string) bool { return t.find(name) != nil }

// Known returns the tools that have a parameter of a name.
func Known(name string) []string {
	var tools []string
	for _, t := range Tools() {
		if t.find(name) != nil {
			tools = append(tools, t.Name)
		}
	}
	return tools
}

// Translate turns parameters of the tool into flags and parameters. All faults are found at once.
func (t *Tool) Translate(all []Given) *Translation {
	r := &Translation{}
	left := map[string][]string{} // names that are left out, by the reason
	var reasons []string
	g := &given{tool: t, all: map[string]Value{}, note: func(text string) {
		r.Notes = append(r.Notes, text)
	}}
	rows := make([]*Parameter, len(all))
	for i := range all {
		p := t.find(all[i].Name)
		if p == nil {
			r.Faults = append(r.Faults, Fault{all[i].Line, t.unknown(all[i].Name)})
			continue
		}
		if g.has(p.Name) {
			r.Faults = append(r.Faults, Fault{all[i].Line,
				fmt.Sprintf("%q is given twice: it is %s", all[i].Name, p.Name)})
			continue
		}
		rows[i], g.all[p.Name] = p, all[i].Value
	}
	r.Items = t.defaults(g)
	for i, p := range rows {
		if p == nil {
			continue
		}
		items, err := p.do(all[i].Value, g)
		if err != nil {
			items = nil
		}
		switch {
		case err == refusal{}:
			r.Faults = append(r.Faults, Fault{all[i].Line,
				fmt.Sprintf("%s of %s: %s", all[i].Name, t.Title, p.Why)})
		case err != nil:
			r.Faults = append(r.Faults, Fault{all[i].Line,
				fmt.Sprintf("%s of %s: %v", all[i].Name, t.Title, err)})
		case items == nil && p.Why != "":
			if left[p.Why] == nil {
				reasons = append(reasons, p.Why)
			}
			left[p.Why] = append(left[p.Why], all[i].Name)
		}
		for _, item := range items {
			item.Line = all[i].Line
			r.Items = append(r.Items, item)
		}
	}
	for _, why := range reasons {
		r.Notes = append(r.Notes, fmt.Sprintf("%s left out: %s", strings.Join(left[why], ", "), why))
	}
	return r
}

// unknown is the error of a name that the table does not have.
func (t *Tool) unknown(name string) string {
	var names []string
	for _, p := range t.Parameters {
		names = append(append(names, p.Name), p.Aliases...)
	}
	hint := param.Suggest(name, names)
	if tools := Known(name); tools != nil {
		hint = fmt.Sprintf("it is one of %s: use --params-of %s", humanize.Or(tools), tools[0])
	}
	return fmt.Sprintf("unknown parameter %q of %s: %s", name, t.Title, hint)
}
