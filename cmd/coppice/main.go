// Command coppice trains, evaluates, shows and applies decision trees and tree ensembles on tables.
// "coppice help" lists its sub-commands.
package main

import (
	"os"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
)

func main() { os.Exit(command.Main()) }
