package command

import _ "embed"

// licenses are the licences of Coppice, of Go's libraries, and of all modules that are compiled
// into the command on any platform of the releases: each text once, below the modules that it is
// of.
//
//go:embed licenses.txt
var licenses string
