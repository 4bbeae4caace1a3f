// Command coppice trains, tests, shows and applies decision trees on tables. "coppice help" lists what it can do.
package main

import (
	"os"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/command"
)

func main() { os.Exit(command.Main()) }
