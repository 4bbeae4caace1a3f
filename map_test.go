package coppice_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every package stands on the map of ARCHITECTURE.md, by its name or below a row that ends in /...,
// and every name on the map is a package.
func TestEveryPackageIsOnTheMap(t *testing.T) {
	b, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| `[^|]*\\|").FindAllString(string(b), -1) {
		for _, m := range regexp.MustCompile("`([a-z0-9/.-]+)`").FindAllStringSubmatch(row, -1) {
			names = append(names, m[1])
		}
	}
	all := imports(t)
	for folder := range all {
		on := slices.ContainsFunc(names, func(name string) bool {
			stem, below := strings.CutSuffix(name, "/...")
			return name == folder || below && strings.HasPrefix(folder, stem+"/")
		})
		if folder != "" && !on {
			t.Errorf("%s is not on the map", folder)
		}
	}
	for _, name := range names {
		stem, below := strings.CutSuffix(name, "/...")
		if _, ok := all[name]; !ok && !below && !slices.Contains([]string{"coppice", "examples", "tools"}, name) {
			t.Errorf("%s stands on the map and is no package", name)
		} else if below {
			if _, err := os.Stat(stem); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
