package paramfile

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/toolparams"
)

// ofTool returns the entries of a file as parameters of a tool. Those without a value are left out,
// as None of Python. XGBoost's save_config has them in tables, whose names do not matter.
func ofTool(tool *toolparams.Tool, all []entry) []toolparams.Given {
	if i := slices.IndexFunc(all, func(e entry) bool { return e.key == "learner" && e.kind == table }); i >= 0 {
		return savedConfig(tool, nil, all[i].table)
	}
	var given []toolparams.Given
	for _, e := range all {
		if e.kind != null {
			given = append(given, toolparams.Given{Name: e.key, Line: e.line, Value: valueOf(e.node)})
		}
	}
	return given
}

// savedConfig collects the parameters of a tool from tables in tables. Others, as sizes of a model,
// are left out, and so is the updater, which follows from the tree method.
func savedConfig(tool *toolparams.Tool, given []toolparams.Given, all []entry) []toolparams.Given {
	for _, e := range all {
		there := slices.ContainsFunc(given, func(g toolparams.Given) bool { return g.Name == e.key })
		switch {
		case e.kind == table:
			given = savedConfig(tool, given, e.table)
		case e.kind == scalar && !there && tool.Has(e.key) && e.key != "updater":
			given = append(given, toolparams.Given{Name: e.key, Line: e.line, Value: valueOf(e.node)})
		}
	}
	return given
}

func valueOf(n node) toolparams.Value {
	v := toolparams.Value{Text: n.text}
	for _, item := range n.items {
		text, _ := flat(item) // of nested lists what can be written; the tool's rows check names
		v.List = append(v.List, strings.ReplaceAll(text, ",", "+"))
	}
	if n.kind == list && v.List == nil {
		v.List = []string{}
	}
	for _, e := range n.table {
		v.Table = append(v.Table, toolparams.Pair{Name: e.key, Text: e.text})
	}
	return v
}

// itemEntries turns what parameters became into entries. Those of the learner make one table.
func itemEntries(items []toolparams.Item) []entry {
	var all []entry
	settings := node{kind: table}
	for _, item := range items {
		n := node{line: item.Line, text: item.Text}
		if name, ok := strings.CutPrefix(item.Key, settingsKey+"."); ok {
			settings.table = append(settings.table, entry{name, n})
		} else {
			all = append(all, entry{item.Key, n})
		}
	}
	return append(all, entry{settingsKey, settings})
}
