// Command coppice trains, evaluates, shows and applies decision trees and tree ensembles on tables.
// "coppice help" lists its sub-commands.
package main

import (
	"os"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/collector"
)

func main() {
	collector.Tune()
	os.Exit(cli.Main(commands()))
}
