package cli

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/memory"
)

// MemoryFlag is the one memory limit for reading tables, training and evaluation.
// evaluation.
type MemoryFlag struct{ size string }

func (o *MemoryFlag) Define(f *pflag.FlagSet) {
	f.StringVar(&o.size, "memory", "", "limit memory to `SIZE`, such as 512MiB, 4GB or 50% of "+
		"the system's memory; larger tables and trainings are errors (default: 75%)")
}

// MemoryLimit is limit where the flag was checked already, as whatever reads a table does.
func (o *MemoryFlag) MemoryLimit() memory.Limit {
	limit, _ := o.Limit()
	return limit
}

// Limit returns the limit; 0 is the default.
func (o *MemoryFlag) Limit() (memory.Limit, error) {
	if o.size == "" {
		return 0, nil
	}
	limit, err := memory.Parse(o.size)
	if err != nil {
		return 0, Misusef("--memory %w", err)
	}
	return limit, nil
}
