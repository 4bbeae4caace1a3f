package command

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/memory"
)

// memoryFlag is the one memory limit for reading tables, training and evaluation.
// evaluation.
type memoryFlag struct{ size string }

func (o *memoryFlag) define(f *pflag.FlagSet) {
	f.StringVar(&o.size, "memory", "", "limit memory to `SIZE`, such as 512MiB, 4GB or 50% of the system's memory; larger tables and trainings are errors (default: 75%)")
}

// memoryLimit is limit where the flag was checked already, as whatever reads a table does.
func (o *memoryFlag) memoryLimit() memory.Limit {
	limit, _ := o.limit()
	return limit
}

// limit returns the limit; 0 is the default.
func (o *memoryFlag) limit() (memory.Limit, error) {
	if o.size == "" {
		return 0, nil
	}
	limit, err := memory.Parse(o.size)
	if err != nil {
		return 0, misusef("--memory %w", err)
	}
	return limit, nil
}
