// Package testdata embeds the small tables of this folder. Programs that stand in no checkout read
// them so, since an embedding reaches no folder above its own.
package testdata

import "embed"

// Tables holds iris and the worked examples of textbooks, below this folder: iris/iris.csv,
// lectures/buy_pda.csv. README.md names their sources. Larger tables are read from files.
//
//go:embed iris/iris.csv lectures/*.csv
var Tables embed.FS
