//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// stream measures the peak of resident memory of the commands that read tables in blocks, on a
// table and on one of ten times its rows. Files are made in a folder, and removed.
func stream(folder, coppice, only string, rows int) error {
	dir, err := os.MkdirTemp(folder, "beyond-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	sizes := []struct {
		name string
		rows int
	}{{"1x", rows}, {"10x", 10 * rows}}
	for _, size := range sizes {
		if err := write(at(size.name+".csv"), size.rows, true); err != nil {
			return err
		}
	}
	for model, flags := range map[string][]string{"m.coppice": {"--label", "y", "--task", "binary", "--ignore", "group"},
		"weighted.coppice": {"--label", "y", "--task", "binary", "--weight", "few", "--ignore", "group"},
		"numbers.coppice":  {"--label", "a", "--ignore", "group"},
		"ranking.coppice":  {"--label", "y", "--task", "ranking", "--group", "group"}} {
		train := &side{name: "train", command: append([]string{coppice, "train", at("1x.csv"), "--set",
			"trees=20", "--quiet-checks", "-o", at(model)}, flags...)}
		if err := train.run(); err != nil {
			return err
		}
	}
	for _, flags := range [][]string{
		{"predict", at("m.coppice"), "", "-o", at("out")},
		{"explain", at("m.coppice"), "", "-o", at("out")},
		{"evaluate", at("m.coppice"), "", "--memory", "64MiB", "--scratch", dir},
		{"evaluate", at("weighted.coppice"), "", "--memory", "64MiB", "--scratch", dir, "--weight", "few"},
		{"evaluate", at("numbers.coppice"), "", "--memory", "64MiB", "--scratch", dir},
		{"evaluate", at("ranking.coppice"), "", "--memory", "64MiB", "--scratch", dir, "--group", "group"},
		{"data", "", "--quiet-checks", "--memory", "64MiB"},
	} {
		if only != "" && flags[0] != only {
			continue
		}
		fmt.Printf("%-10s", flags[0])
		for _, size := range sizes {
			command := []string{coppice}
			for _, word := range flags {
				if word == "" {
					word = at(size.name + ".csv")
				}
				command = append(command, word)
			}
			s := &side{name: flags[0], command: command}
			if err := s.run(); err != nil {
				return err
			}
			fmt.Printf("  %s: %d rows %6.1f s %6.0f MB", size.name, size.rows, s.seconds[0], s.peak[0])
		}
		fmt.Println()
	}
	return nil
}
