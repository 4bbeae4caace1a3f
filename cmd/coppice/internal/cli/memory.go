package cli

import (
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/memory"
)

// MemoryFlag limits the memory for reading tables, training and evaluation.
type MemoryFlag struct{ size string }

// Define defines --memory.
func (o *MemoryFlag) Define(f *pflag.FlagSet) {
	f.StringVar(&o.size, "memory", "", "limit memory to `SIZE`, such as 512MiB, 4GB or 50% of "+
		"the system's memory, without the program's own 40 MB and buffers; larger tables and "+
		"trainings are errors (default: 75%)")
}

// MemoryLimit returns the limit. Limit must have accepted the flag before, as the readers of tables
// do.
func (o *MemoryFlag) MemoryLimit() memory.Limit {
	limit, _ := o.Limit()
	return limit
}

// Limit parses and returns the limit; 0 is the default.
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
