package paramfile

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/replace"
)

// CheckSave finds faults of the file of --save-params before the work. inputs are files that the
// command reads.
func (o *Flags) CheckSave(inputs ...string) error {
	if o.save == "" {
		return nil
	}
	form := syntaxOf(o.save)
	if form == nil || form.write == nil {
		return cli.Misusef("--%s %s: want the suffix .toml, .yaml or .json", saveFlag, o.save)
	}
	return cli.WritableBy("--"+saveFlag, o.save, append(inputs, o.path)...)
}

// Save writes the flags that were given, by the command line or by a file, with the operands and
// the settings of the learner. A training by this file makes the same model.
func (o *Flags) Save(settings []string) error {
	if o.save == "" {
		return nil
	}
	text, err := syntaxOf(o.save).write(o.entriesOf(settings))
	if err == nil {
		err = replace.File(o.save, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.save, err)
	}
	return nil
}

// entriesOf returns the entries of a file that holds the flags of the command.
func (o *Flags) entriesOf(settings []string) []entry {
	var all []entry
	operands := slices.DeleteFunc(slices.Clone(o.operands),
		func(text string) bool { return text == cli.QueryOperand })
	if len(operands) > 0 {
		all = append(all, entry{operandsKey, listOf(operands)})
	}
	o.command.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == settingsKey || slices.Contains(unsaved, f.Name) {
			return
		}
		n := node{text: f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			n = listOf(several.GetSlice())
		}
		all = append(all, entry{canonical(f.Name), n})
	})
	if len(settings) > 0 {
		all = append(all, entry{settingsKey, tableOf(settings)})
	}
	return all
}

func listOf(texts []string) node {
	n := node{kind: list}
	for _, text := range texts {
		n.items = append(n.items, node{text: text})
	}
	return n
}

// tableOf makes a table of texts KEY=VALUE.
func tableOf(pairs []string) node {
	n := node{kind: table}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		n.table = append(n.table, entry{strings.TrimSpace(key), node{text: strings.TrimSpace(value)}})
	}
	return n
}
