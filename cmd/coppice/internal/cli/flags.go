package cli

import "github.com/spf13/pflag"

// ThreadFlag limits the number of threads.
type ThreadFlag struct{ Threads int }

// Define defines --threads.
func (o *ThreadFlag) Define(f *pflag.FlagSet) {
	f.IntVar(&o.Threads, "threads", 0, "use at most `N` threads; the result is the same for any "+
		"number (default: one per processor)")
}

// Check refuses a negative number. Tables are then read by as many threads.
func (o *ThreadFlag) Check(c *Console) error {
	c.Readers = o.Threads
	if o.Threads < 0 {
		return Misusef("--threads %d: want a number from 0 up", o.Threads)
	}
	return nil
}

// SeedFlag seeds all random choices.
type SeedFlag struct{ Seed uint64 }

// Define defines --seed.
func (o *SeedFlag) Define(f *pflag.FlagSet) {
	f.Uint64Var(&o.Seed, "seed", 0,
		"seed of all random choices; the same `N` gives the same result")
}

// JSONFlag requests the result as one JSON object.
type JSONFlag struct{ JSON bool }

// Define defines --json.
func (o *JSONFlag) Define(f *pflag.FlagSet) {
	f.BoolVar(&o.JSON, "json", false, "print one JSON object and nothing else on standard output")
}

// Show prints a result as one JSON object if that is requested, and otherwise as print does.
func (o *JSONFlag) Show(c *Console, result any, print func()) error {
	if o.JSON {
		return c.JSON(result)
	}
	print()
	return nil
}
