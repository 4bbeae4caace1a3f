// Package testdata embeds the tables of the lab. Programs that stand in no checkout read them so,
// since an embedding reaches no folder above its own.
package testdata

import "embed"

// Tables holds iris, letter, spambase and the worked examples of textbooks, below this folder:
// iris/iris.csv, lectures/buy_pda.csv. README.md names their sources.
//
//go:embed iris/iris.csv letter/letter.csv.gz spambase/spambase.csv lectures/*.csv weather/weather.nominal.csv
var Tables embed.FS
