package command

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/memory"
)

// memoryFlag is the one limit of memory: of tables while they are read, of training and of
// evaluation.
type memoryFlag struct{ size string }

func (o *memoryFlag) define(f *pflag.FlagSet) {
	f.StringVar(&o.size, "memory", "", "refuse tables and trainings that need more than `SIZE`: 512MiB, 4GB, 50% of the machine (default: 75%)")
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
