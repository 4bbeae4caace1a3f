package main

import "github.com/coppice-ml/coppice/cmd/coppice/command"

// commands is the table of sub-commands.
var commands = command.Table
