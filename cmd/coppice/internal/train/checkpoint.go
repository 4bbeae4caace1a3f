package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// startFlags name the model or checkpoint that training starts from. They also control the
// checkpoints that training writes.
type startFlags struct {
	models.LimitFlag
	every        int
	resume, more string
	given        *pflag.FlagSet

	leads bool   // of several ranks one writes files
	file  string // of the checkpoints
	last  int    // round of the last one; 0 = none was written
}

func (o *startFlags) define(f *pflag.FlagSet) {
	o.given = f
	f.IntVar(&o.every, "checkpoint-every", 0,
		"write a checkpoint every `K` rounds to the model's file name with .checkpoint appended")
	f.StringVar(&o.resume, "resume", "",
		"resume from the checkpoint `FILE`, with the same tables and flags, to the same model")
	f.StringVar(&o.more, "continue", "", "add boosting rounds to `MODEL`")
	o.LimitFlag.Define(f)
}

// check finds misuse of the flags for a learner and the file of its model. It returns the
// checkpoint that training starts from, nil if it starts anew.
func (o *startFlags) check(l learn.Learner, name, output string) (*learn.Checkpoint, error) {
	flag := ""
	for _, f := range []string{"checkpoint-every", "resume", "continue"} {
		if !o.given.Changed(f) {
			continue
		}
		if flag != "" && f == "continue" && o.resume != "" {
			return nil, cli.Misusef("--continue does not go with --resume: use one of them")
		}
		if f != "checkpoint-every" && o.resume+o.more == "" {
			return nil, cli.Misusef("--%s \"\": want the name of a file", f)
		}
		flag = f
	}
	if flag == "" {
		return nil, nil
	}
	if !l.Capabilities().Resume {
		return nil, cli.Misusef("--%s: %s cannot resume a training: use a learner such as gbm",
			flag, name)
	}
	if o.given.Changed("checkpoint-every") {
		if o.every < 1 {
			return nil, cli.Misusef("--checkpoint-every %d: want a number from 1 up", o.every)
		}
		if !o.leads {
			return o.open()
		}
		o.file = output + ".checkpoint"
		if err := replace.Check(o.file); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", o.file, err)
		}
	}
	return o.open()
}

// open opens the checkpoint or model that training starts from; nil = it starts anew.
func (o *startFlags) open() (*learn.Checkpoint, error) {
	path := o.resume + o.more
	if path == "" {
		return nil, nil
	}
	m, err := o.LimitFlag.Open(path, false)
	if err != nil {
		return nil, err
	}
	if o.more != "" {
		return &learn.Checkpoint{Model: m}, nil
	}
	state := model.StateOf(m)
	if len(state) == 0 {
		return nil, cli.Misusef("--resume %s: it is a finished model, not a checkpoint: use "+
			"--continue to add rounds", path)
	}
	return &learn.Checkpoint{Model: m, State: state}, nil
}

// observe returns the observer of a job. It updates the progress line and writes checkpoints.
func (o *startFlags) observe(p *cli.Progress) func(learn.Round) error {
	return func(r learn.Round) error {
		if err := p.Observe(r); err != nil {
			return err
		}
		if o.every == 0 || r.Checkpoint == nil || r.N%o.every != 0 {
			return nil
		}
		c, err := r.Checkpoint() // of all ranks
		if err != nil || !o.leads {
			return err
		}
		kept, ok := model.WithState(c.Model, c.State)
		if !ok {
			return errors.New("--checkpoint-every: this learner writes no checkpoints")
		}
		if err := coppice.Save(o.file, kept); err != nil {
			return err
		}
		o.last = r.N
		return nil
	}
}

// ended adds to the error that ended a training how to resume it. m is the model so far, nil if
// there is none. Without a checkpoint an interrupted training writes it beside output, with
// .partial appended, so that an older model stays as it is.
func (o *startFlags) ended(err error, m model.Model, output string) error {
	switch {
	case o.last == 0 && m != nil && errors.Is(err, context.Canceled):
		e := &cli.PartialError{File: output + ".partial"}
		if err := coppice.Save(e.File, m); err != nil {
			return fmt.Errorf("interrupted: %w", err)
		}
		return e
	case o.last == 0:
		return err
	case !errors.Is(err, context.Canceled):
		return fmt.Errorf("%w; %s holds the model after round %d, which --continue adds to", err,
			o.file, o.last)
	}
	return fmt.Errorf("interrupted: --resume %s continues after round %d", o.file, o.last)
}

// finish removes the checkpoint of a finished model, also one of an earlier run that it resumed.
// One that stays harms nothing: the model is written, so the training has not failed.
func (o *startFlags) finish(c *cli.Console) {
	if o.last == 0 && (o.file == "" || o.file != o.resume) {
		return
	}
	if err := outside.RemoveFile(o.file); err != nil {
		c.Notice("the checkpoint stays, since it cannot be removed: %v", err)
	}
}
