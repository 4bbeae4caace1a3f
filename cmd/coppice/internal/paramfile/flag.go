package paramfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/toolparams"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/param"
)

// Keys of a file that are not the names of flags as they are.
const (
	operandsKey = "data" // the operands of the command
	settingsKey = "set"  // the parameters of the learner, as a table or as texts KEY=VALUE
)

const (
	paramsFlag = "params"
	toolFlag   = "params-of"
	saveFlag   = "save-params"
)

// unsaved are flags that no file holds: they are about one run of a command, and not about what it
// makes.
var unsaved = []string{paramsFlag, toolFlag, saveFlag, "json", "resume", "help", "quiet", "progress"}

// ofTraining are keys that a command which uses a model does not take: its operands are the model
// and other tables than those of the training, it writes other files, and it draws other numbers.
var ofTraining = []string{operandsKey, settingsKey, "out", "seed"}

// Learner is the flags of a command that choose a learner.
type Learner interface {
	// AddSettings gives the settings KEY=VALUE of a file to the learner that the file is for, ""
	// the default one. Those of the command line override them. It reports whether the command uses
	// that learner.
	AddSettings(settings []string, of string) bool
	// CheckSettings returns the faults of all settings.
	CheckSettings() error
}

// Flags are --params and, of commands that train one model, --save-params.
type Flags struct {
	path, save string
	of         string // the tool whose parameters the file has; "" = it is one of ours
	console    *cli.Console
	learner    Learner
	command    *cobra.Command
	operands   []string // of the command, those of the file included
}

// Define defines --params.
func (o *Flags) Define(f *pflag.FlagSet) {
	f.StringVar(&o.path, paramsFlag, "", "read flags and parameters from `FILE`, in TOML, YAML or "+
		"JSON: keys are names of flags, the table set has parameters, data names the tables; flags "+
		"that are given win")
	f.StringVar(&o.of, toolFlag, "", "the file has the parameters of `TOOL` by its names: "+
		humanize.Or(toolparams.Names())+"; also its lines of NAME = VALUE, as .conf")
}

// DefineSave defines --save-params.
func (o *Flags) DefineSave(f *pflag.FlagSet) {
	f.StringVar(&o.save, saveFlag, "", "write the flags and parameters of this training to `FILE`, "+
		"by its suffix as .toml, .yaml or .json, for --params")
}

// DefineShared defines --params for a command that uses a model, which shares the file with the
// training of it.
func (o *Flags) DefineShared(f *pflag.FlagSet) {
	f.StringVar(&o.path, paramsFlag, "", "read flags from `FILE`, such as that of train --params: the "+
		"keys that are flags here too, but for data, out and seed; flags that are given win")
}

// Accept makes a command read the file of --params before it checks its operands. The learner gets
// the settings of the file; nil is a command that uses a model.
func (o *Flags) Accept(c *cli.Console, cmd *cobra.Command, l Learner) *cobra.Command {
	o.console, o.command, o.learner = c, cmd, l
	check, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		var err error
		if o.operands, err = o.apply(cmd, args); err != nil {
			return err
		}
		return check(cmd, o.operands)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return run(cmd, o.operands) }
	return cmd
}

// apply sets the flags that the file names and the command line does not. It returns the operands:
// those of the command line, else those of the file.
func (o *Flags) apply(cmd *cobra.Command, args []string) ([]string, error) {
	if !cmd.Flags().Changed(paramsFlag) {
		if cmd.Flags().Changed(toolFlag) {
			return nil, cli.Misusef("--%s goes with --%s: add it", toolFlag, paramsFlag)
		}
		return args, nil
	}
	a, err := o.entries()
	if err != nil {
		return nil, err
	}
	a.cmd, a.operands, a.uses = cmd, args, o.learner == nil
	a.given = map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { a.given[canonical(f.Name)] = true })
	for _, e := range a.entries {
		if err := a.set(e); err != nil {
			a.fault(e.line, err)
		}
	}
	if o.learner != nil {
		if !o.learner.AddSettings(a.settings, a.learner) && len(a.settings) > 0 {
			o.console.Note("%s: the table %s is left out, since it is for another learner", a.path,
				settingsKey)
		}
		if err := o.learner.CheckSettings(); err != nil {
			a.settingFaults(err)
		}
	}
	if a.faults != nil {
		slices.SortStableFunc(a.faults, func(x, y placed) int { return x.line - y.line })
		return nil, cli.Misuse(a.join())
	}
	if len(a.elsewhere) > 0 && !a.uses {
		o.console.Note("%s: %s does not use %s", a.path, cmd.Name(), strings.Join(a.elsewhere, ", "))
	}
	return a.operands, nil
}

// entries reads the file.
func (o *Flags) entries() (*application, error) {
	a := &application{path: humanize.Name(o.path), lines: map[string]int{}}
	tool := toolparams.Of(o.of)
	if o.of != "" && tool == nil {
		return nil, cli.Misusef("--%s %q: %s", toolFlag, o.of, cli.Instead(o.of, toolparams.Names()))
	}
	var err error
	a.entries, err = parse(o.path)
	if form := syntaxOf(o.path); err == nil && tool == nil && form.write == nil {
		err = fault(0, "lines of NAME = VALUE are of another tool: add --%s %s", toolFlag,
			humanize.Or(toolparams.Names()))
	}
	var wrong *lineError
	switch {
	case errors.As(err, &wrong):
		a.fault(wrong.line, wrong)
		return nil, cli.Misuse(a.join())
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--%s %s: no such file", paramsFlag, a.path)
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", paramsFlag, err)
	}
	if tool != nil {
		a.entries = a.translate(tool, o.console.Note)
	}
	return a, nil
}

// translate turns parameters of a tool into flags and parameters of ours.
func (a *application) translate(tool *toolparams.Tool, note func(string, ...any)) []entry {
	r := tool.Translate(ofTool(tool, a.entries))
	for _, text := range r.Notes {
		note("%s: %s", a.path, text)
	}
	for _, f := range r.Faults {
		a.fault(f.Line, errors.New(f.Text))
	}
	for _, i := range r.Items {
		if i.Key == "data" || i.Key == "valid" {
			a.beside(tool, i)
		}
	}
	return itemEntries(r.Items)
}

// beside refuses a table with files beside it that its tool reads, as train.csv.weight.
func (a *application) beside(tool *toolparams.Tool, table toolparams.Item) {
	for _, suffix := range tool.Beside {
		path := table.Text + suffix
		if _, err := outside.FileInfo(path); err == nil {
			a.fault(table.Line, fmt.Errorf("%s is not read, as it is by %s: make it a column of %s, and "+
				"name the column", humanize.Name(path), tool.Title, humanize.Name(table.Text)))
		}
	}
}

// application is a file whose entries become flags.
type application struct {
	path    string
	entries []entry
	cmd     *cobra.Command
	uses    bool            // a model, and trains none
	given   map[string]bool // flags of the command line
	lines   map[string]int  // by parameter of the learner

	operands  []string
	learner   string // that the file names
	settings  []string
	elsewhere []string // flags of other commands
	faults    []placed
}

// placed is a fault with its line, 0 = that is unknown.
type placed struct {
	line int
	err  error
}

// ofCommandLine is the line of faults that are not in the file.
const ofCommandLine = math.MaxInt

func (a *application) fault(line int, err error) { a.faults = append(a.faults, placed{line, err}) }

// join makes one error of the faults.
func (a *application) join() error {
	var texts []string
	for _, f := range a.faults {
		switch f.line {
		case ofCommandLine:
			texts = append(texts, f.err.Error())
		case 0:
			texts = append(texts, fmt.Sprintf("%s: %v", a.path, f.err))
		default:
			texts = append(texts, fmt.Sprintf("%s:%d: %v", a.path, f.line, f.err))
		}
	}
	return errors.New(strings.Join(texts, "; "))
}

// settingFaults gives the faults of settings the lines where they stand. Those of the command line
// have none.
func (a *application) settingFaults(err error) {
	var faults param.Faults
	if !errors.As(err, &faults) {
		a.fault(ofCommandLine, err)
		return
	}
	for _, f := range faults {
		if line, inFile := a.lines[f.Param]; inFile {
			a.fault(line, fmt.Errorf("%s: %w", settingsKey, f))
		} else {
			a.fault(ofCommandLine, fmt.Errorf("--%s: %w", settingsKey, f))
		}
	}
}

// set sets one flag, the operands, or the settings of the learner.
func (a *application) set(e entry) error {
	name := strings.ReplaceAll(e.key, "_", "-")
	if e.kind == null {
		return fmt.Errorf("%q has no value: leave it out or give it one", e.key)
	}
	switch {
	case a.uses && slices.Contains(ofTraining, name):
		return nil
	case name == operandsKey:
		return a.setOperands(e)
	case name == settingsKey:
		return a.setSettings("", e.node)
	}
	f := a.cmd.Flags().Lookup(name)
	if f == nil || slices.Contains(unsaved, name) {
		if f == nil && slices.Contains(shared(a.cmd), name) {
			a.elsewhere = append(a.elsewhere, name)
			return nil
		}
		return a.unknown(e.key, name)
	}
	if name == "learner" && e.kind == scalar {
		a.learner = e.text
	}
	if a.given[canonical(name)] {
		return nil
	}
	return setFlag(f, e)
}

// canonical is the name of a flag that has an alias.
func canonical(flag string) string {
	switch flag {
	case "target":
		return "label"
	case "cv":
		return "folds"
	case "learners":
		return "learner"
	}
	return flag
}

// shared returns the flags of all commands that read files of parameters: a file that several of
// them read has keys that one alone uses.
func shared(cmd *cobra.Command) []string {
	var names []string
	for _, other := range cmd.Root().Commands() {
		if other.Flags().Lookup(paramsFlag) == nil {
			continue
		}
		other.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(unsaved, f.Name) {
				names = append(names, f.Name)
			}
		})
	}
	return names
}

// unknown is the error of a key that is no flag.
func (a *application) unknown(key, name string) error {
	if slices.Contains(unsaved, name) {
		return fmt.Errorf("%q belongs to the command line: leave it out", key)
	}
	if tools := toolparams.Known(key); tools != nil {
		return fmt.Errorf("unknown key %q: if the file is of %s, add --%s %s; parameters of a learner "+
			"stand below set", key, humanize.Or(tools), toolFlag, tools[0])
	}
	names := append(shared(a.cmd), operandsKey, settingsKey)
	slices.Sort(names)
	err := fmt.Errorf("unknown key %q: %s", key, param.Suggest(name, slices.Compact(names)))
	if a.uses {
		return err
	}
	return fmt.Errorf("%w; parameters of a learner stand below set", err)
}

func (a *application) setOperands(e entry) error {
	values, err := texts(e.node)
	if err == nil && len(a.operands) == 0 {
		a.operands = values
	}
	return err
}

// setSettings collects the settings of a table, of tables in it, or of texts KEY=VALUE.
func (a *application) setSettings(stem string, n node) error {
	if n.kind == list && stem == "" {
		values, err := texts(n)
		for _, v := range values {
			a.setting(v, n.line)
		}
		return err
	}
	if n.kind != table {
		return fmt.Errorf("%q is no table: write its parameters below it", settingsKey)
	}
	for _, e := range n.table {
		name := stem + e.key
		if e.kind == table {
			if err := a.setSettings(name+".", e.node); err != nil {
				return err
			}
			continue
		}
		value, err := flat(e.node)
		if err != nil {
			a.fault(e.line, fmt.Errorf("%s: %w", name, err))
			continue
		}
		a.setting(name+"="+value, e.line)
	}
	return nil
}

func (a *application) setting(text string, line int) {
	name, _, _ := strings.Cut(text, "=")
	a.settings = append(a.settings, text)
	a.lines[strings.TrimSpace(name)] = line
}
