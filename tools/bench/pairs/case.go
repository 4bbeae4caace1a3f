//go:build linux

package pairs

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Case is one comparison of the bench command.
type Case struct {
	Name    string
	About   string // one line: what is compared
	Example string // flags and arguments of an example
	Takes   string // the common flags that it has, separated by blanks
	// Set changes defaults of common flags, declares the case's own flags and jobs, and returns
	// what runs the case.
	Set func(r *Run) func(ctx context.Context) error
}

// Job is what a child process does with its arguments. The result gets the version of this program
// unless it has one.
type Job func(arguments []string) (*Result, error)

// Run is a run of a case: its flags, and what all cases need. What follows the flags is in Args.
type Run struct {
	*flag.FlagSet
	Rounds, Rows, Trees            int
	Threads                        []int
	Busy, Quick                    bool
	Python, R, Data                string
	LightGBM, XGBoost, ONNXRuntime string // folders of packages, or libraries
	Coppice, LightGBMCommand       string // programs
	Dir, Scratch                   string // of what is kept, and of what is removed at the end
	Sides, Earlier, Profile        string
	name, own, child               string
	jobs                           map[string]Job
}

// common declares the common flags by their names. Defaults are the values of the fields.
var common = map[string]func(r *Run){
	"rounds": func(r *Run) {
		r.IntVar(&r.Rounds, "rounds", r.Rounds, "undisturbed rounds, in which each side runs once")
	},
	"threads": func(r *Run) {
		r.Func("threads", "comma-separated `numbers` of threads (default "+list(r.Threads)+")",
			func(text string) (err error) { r.Threads, err = Numbers(text); return err })
	},
	"rows": func(r *Run) {
		r.IntVar(&r.Rows, "rows", r.Rows, "rows of each table at most; 0 = all")
	},
	"trees": func(r *Run) {
		r.IntVar(&r.Trees, "trees", r.Trees, "trees of each model; 0 = the case's own number")
	},
	"busy": func(r *Run) {
		r.BoolVar(&r.Busy, "busy", r.Busy, "keep disturbed rounds too")
	},
	"quick": func(r *Run) {
		r.BoolVar(&r.Quick, "quick", false,
			"small tables and models, one round: shows that everything works")
	},
	"python": func(r *Run) {
		r.StringVar(&r.Python, "python", r.Python,
			"`program` of a Python that has the peers; empty = none")
	},
	"r": func(r *Run) {
		r.StringVar(&r.R, "r", r.R, "`program` of an R that has the peers; empty = none")
	},
	"data": func(r *Run) {
		r.StringVar(&r.Data, "data", r.Data, "`folder` of the tables that are not made")
	},
	"lightgbm": func(r *Run) {
		r.StringVar(&r.LightGBM, "lightgbm", "", "`folder` of LightGBM's Python package, or its library")
	},
	"xgboost": func(r *Run) {
		r.StringVar(&r.XGBoost, "xgboost", "", "`folder` of XGBoost's Python package, or its library")
	},
	"onnxruntime": func(r *Run) {
		r.StringVar(&r.ONNXRuntime, "onnxruntime", "",
			"`folder` of ONNX Runtime's package for Python or Node.js, or its library")
	},
	"coppice": func(r *Run) {
		r.StringVar(&r.Coppice, "coppice", r.Coppice, "`program` that is the command coppice")
	},
	"lightgbm-command": func(r *Run) {
		r.StringVar(&r.LightGBMCommand, "lightgbm-command", "",
			"`program` that is LightGBM's command; empty = none")
	},
	"dir": func(r *Run) {
		r.StringVar(&r.Dir, "dir", "", "`folder` for tables and models, kept and used again; empty = "+
			"one that is removed at the end")
	},
	"sides": func(r *Run) {
		r.StringVar(&r.Sides, "sides", "", "comma-separated beginnings of `names` of other sides that "+
			"run; empty = all")
	},
	"earlier": func(r *Run) {
		r.StringVar(&r.Earlier, "earlier", "",
			"`program` that is an earlier build of this one, whose own sides run too; empty = none")
	},
	"profile": func(r *Run) {
		r.StringVar(&r.Profile, "profile", "", "`file` for a CPU profile of our own side")
	},
}

// Sets is the folder of the tables that the repository does not have.
func Sets() string { return filepath.Join(os.Getenv("COPPICE_DATA"), "data") }

// New returns a run of the case with its flags declared, and what runs it.
func (c *Case) New() (*Run, func(ctx context.Context) error) {
	r := &Run{FlagSet: flag.NewFlagSet(c.Name, flag.ContinueOnError), Rounds: 3, Threads: []int{2, 1},
		Python: "/usr/bin/python3", R: "Rscript", Data: filepath.Join("..", "testdata"),
		Coppice: "coppice", name: c.Name, jobs: map[string]Job{"command": timeCommand}}
	run := c.Set(r)
	for _, name := range strings.Fields(c.Takes) {
		common[name](r)
	}
	r.StringVar(&r.child, "child", "", "`job` to do and report: what this program runs itself with")
	r.Usage = func() {
		fmt.Fprintf(r.Output(), "%s: %s.\n\nExample: go run -C tools ./bench %s %s\n\n", c.Name, c.About,
			c.Name, c.Example)
		r.PrintDefaults()
	}
	return r, run
}

// Main runs the case, or does the job of a child process.
func (c *Case) Main(ctx context.Context, arguments []string, errs io.Writer) (err error) {
	r, run := c.New()
	r.SetOutput(errs)
	if err := r.Parse(arguments); err != nil {
		return err
	}
	if r.child != "" {
		return r.do()
	}
	if r.own, err = os.Executable(); err != nil {
		return err
	}
	if r.Scratch, err = os.MkdirTemp("", "coppice-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(r.Scratch)
	if r.Dir == "" {
		r.Dir = r.Scratch
	}
	if r.Quick {
		r.Rounds, r.Busy = 1, true
	}
	return errors.Join(os.MkdirAll(r.Dir, 0o755), run(ctx))
}

// do does the job of a child process.
func (r *Run) do() error {
	job := r.jobs[r.child]
	if job == nil {
		return fmt.Errorf("there is no job %q", r.child)
	}
	result, err := job(r.Args())
	if err != nil || result == nil { // it has printed its result itself
		return err
	}
	if result.Version == "" {
		result.Version = Version()
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// Job declares a job, which wants so many arguments at least.
func (r *Run) Job(name string, least int, job Job) {
	r.jobs[name] = func(arguments []string) (*Result, error) {
		if len(arguments) < least {
			return nil, fmt.Errorf("job %s: %d arguments, want %d", name, len(arguments), least)
		}
		return job(arguments)
	}
}

// Own returns the side that does a job in a process of this program.
func (r *Run) Own(name, job string, arguments ...string) Side {
	command := []string{r.own, r.name}
	if r.Profile != "" {
		command = append(command, "-profile", r.Profile)
	}
	return Side{Name: name, Command: slices.Concat(command, []string{"-child", job}, arguments)}
}

// Peer returns the side that runs a script with a peer's interpreter; without one it takes no part.
func (r *Run) Peer(name, interpreter, script string, arguments ...string) Side {
	return Side{Name: name, Command: slices.Concat([]string{interpreter, script}, arguments)}
}

// Write writes the program of a peer for this run, and returns its path.
func (r *Run) Write(name, text string) (string, error) {
	path := filepath.Join(r.Scratch, name)
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// Chosen returns the names of what the arguments name, without arguments all.
func (r *Run) Chosen(names ...string) ([]string, error) {
	for _, a := range r.Args() {
		if !slices.Contains(names, a) {
			return nil, fmt.Errorf("there is no %q: there are %s", a, strings.Join(names, ", "))
		}
	}
	if r.NArg() == 0 {
		return names, nil
	}
	return r.Args(), nil
}

// Numbers reads numbers above 0 between commas.
func Numbers(text string) ([]int, error) {
	var numbers []int
	for one := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(one)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number above 0", one)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func list(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
}
