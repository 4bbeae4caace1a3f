package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn/catalog"
)

var (
	inlineCode = regexp.MustCompile("`[^`\n]+`")
	flagName   = regexp.MustCompile(`(?:^|[ (])(--[a-z][a-z-]*)`)
	paramName  = regexp.MustCompile(`(?:^|[ ,])([a-z][a-z0-9_.]*)=`)
	firstWord  = regexp.MustCompile(`(?m)^  ?([a-z][a-z0-9]*) `)
)

// TestDocsNames finds flags and parameters in the text of the guides that the command does not
// have, such as those that were renamed. TestDocs runs the commands themselves.
func TestDocsNames(t *testing.T) {
	help := works(t, "--help")
	_, commands, _ := strings.Cut(help, "\nCommands:\n")
	known := help
	for _, match := range firstWord.FindAllStringSubmatch(commands, -1) {
		known += works(t, match[1], "--help", "all")
	}
	for _, entry := range catalog.Table() {
		known += works(t, "learners", entry.Name)
	}
	known += works(t, "learners", "stack", "meta_learner=ridge")
	known += works(t, "learners", "gbm", "loss=lambdamart")
	for _, name := range []string{
		"--help", "tree_method", // every command, XGBoost
		"notes", "sepals", "petals", // names that examples give to members
		"--ignore-scripts", // of npm
		"sep",              // a first line of Excel
	} {
		known += " " + name + " "
	}
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`[A-Za-z0-9_-]+`).FindAllString(known, -1) {
		words[word] = true
	}
	root, names := pages(t)
	checked := 0
	for _, page := range names {
		if strings.HasPrefix(page, "docs/measurements/") {
			continue // they name many parameters of other programs
		}
		for number, line := range textOf(t, root, page) {
			for _, code := range inlineCode.FindAllString(line, -1) {
				code = strings.Trim(code, "`")
				found := flagName.FindAllStringSubmatch(code, -1)
				found = append(found, paramName.FindAllStringSubmatch(code, -1)...)
				for _, match := range found {
					name := match[1][strings.LastIndexByte(match[1], '.')+1:]
					if checked++; !words[name] {
						t.Errorf("%s:%d: the command has no %s", page, number+1, match[1])
					}
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d names are checked: too few", checked)
	}
}
