package main

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// Each learner is a case, and some client reads each format that is written for other tools.
func TestCasesCoverLearnersAndFormats(t *testing.T) {
	all := append(cases(), tables()...)
	for _, l := range catalog.Table() {
		if !slices.ContainsFunc(all, func(c testCase) bool { return c.learner == l.Name }) {
			t.Errorf("no case of the learner %s", l.Name)
		}
	}
	for _, f := range formats.Table() {
		// no tool that reads PMML can be installed in CI: see tools/pmml
		if f.Encode != nil && f.Foreign && f.Decode != nil && endings[f.Name] == "" && f.Name != "pmml" {
			t.Errorf("no client reads the format %s", f.Name)
		}
	}
	names := map[string]bool{}
	for _, c := range all {
		if names[c.name] {
			t.Errorf("two cases %s", c.name)
		}
		names[c.name] = true
	}
}
