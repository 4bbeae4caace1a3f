package models

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
)

// TableFlags are the flags of commands that open a model and read a table for it.
type TableFlags struct {
	LimitFlag
	tables.ReadFlags
	cli.ThreadFlag
}

// Define defines the flags of the section Reading.
func (o *TableFlags) Define(f *pflag.FlagSet) {
	o.ReadFlags.Define(f)
	o.LimitFlag.Define(f)
	o.ThreadFlag.Define(f)
}

// Check refuses a negative number of threads, and a file that is named twice among the operands.
// Tables are then read by as many threads.
func (o *TableFlags) Check(c *cli.Console, files []string) error {
	if err := o.ThreadFlag.Check(c); err != nil {
		return err
	}
	return o.RepeatFlag.Check(tables.Files(files)...)
}
