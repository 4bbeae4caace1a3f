//go:build linux

package beyond

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// stream measures the peak of resident memory of the commands that read tables in blocks, on a
// table and on one of ten times its rows.
func (b *bench) stream(ctx context.Context) error {
	at := func(name string) string { return filepath.Join(b.Scratch, name) }
	var tables [2]string
	var err error
	for i, rows := range []int{b.Rows, 10 * b.Rows} {
		if tables[i], err = b.table("groups", rows, true, ""); err != nil {
			return err
		}
	}
	for model, flags := range map[string][]string{
		"m":        {"--label", "y", "--task", "binary", "--ignore", "group"},
		"weighted": {"--label", "y", "--task", "binary", "--weight", "few", "--ignore", "group"},
		"numbers":  {"--label", "a", "--ignore", "group"},
		"ranking":  {"--label", "y", "--task", "ranking", "--group", "group"}} {
		train := b.Command("train", append([]string{b.Coppice, "train", tables[0], "--set", "trees=20",
			"--quiet-checks", "-o", at(model)}, flags...)...)
		if _, err := train.Run(ctx, 0); err != nil {
			return err
		}
	}
	evaluate := func(model string, flags ...string) []string {
		return append([]string{"evaluate", at(model), "", "--memory", "64MiB", "--scratch", b.Scratch},
			flags...)
	}
	var lines [][]string
	for _, flags := range [][]string{{"predict", at("m"), "", "-o", at("out")},
		{"explain", at("m"), "", "-o", at("out")}, evaluate("m"),
		evaluate("weighted", "--weight", "few"), evaluate("numbers"),
		evaluate("ranking", "--group", "group"),
		{"data", "", "--quiet-checks", "--memory", "64MiB"},
	} {
		if b.only != "" && flags[0] != b.only {
			continue
		}
		line := []string{strings.TrimSuffix(flags[0]+" "+filepath.Base(flags[1]), " .")}
		for _, table := range tables {
			command := []string{b.Coppice}
			for _, word := range flags {
				if word == "" {
					word = table
				}
				command = append(command, word)
			}
			r, err := b.Command(flags[0], command...).Run(ctx, 0)
			if err != nil {
				return err
			}
			line = append(line, fmt.Sprintf("%.1f", r.Seconds), fmt.Sprintf("%.0f", r.Facts["peak"]))
		}
		lines = append(lines, line)
	}
	fmt.Printf("\n### Peaks of memory: %d rows and %d, %s\n\n", b.Rows, 10*b.Rows, pairs.Machine())
	pairs.Markdown([]string{"command", "seconds", "MB", "seconds of ten times the rows", "MB"}, lines)
	return nil
}
