package lightgbm

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
)

// rewrite reads a text, stores it as a native file, and writes what that has.
func rewrite(t *testing.T, text string) string {
	t.Helper()
	var stored, written bytes.Buffer
	if err := native.Encode(&stored, mustDecode(t, text)); err != nil {
		t.Fatal(err)
	}
	m, err := native.Decode(bytes.NewReader(stored.Bytes()), int64(stored.Len()), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := encodeModel(&written, m); err != nil {
		t.Fatal(err)
	}
	return written.String()
}

// objectiveOf returns the line of the objective, "" if there is none.
func objectiveOf(text string) string {
	for line := range strings.Lines(text) {
		if objective, ok := strings.CutPrefix(line, "objective="); ok {
			return strings.TrimSpace(objective)
		}
	}
	return ""
}

// A text keeps the objective that it was read with, with its parameters.
func TestObjectivesAreKept(t *testing.T) {
	for name, k := range kinds {
		switch {
		case name == "" || name == "custom" || k.perClass:
			continue // see below
		case k.factor:
			name += " sigmoid:2"
		}
		if got := objectiveOf(rewrite(t, headed("objective="+name+"\n")+one(0, "0.5"))); got != name {
			t.Errorf("%q is written as %q", name, got)
		}
	}
	for objective, want := range map[string]string{
		"": "regression", "custom": "custom", "regression_l1 sqrt": "regression_l1 sqrt",
		"tweedie tweedie_variance_power:1.3": "tweedie tweedie_variance_power:1.3",
	} {
		line := ""
		if objective != "" {
			line = "objective=" + objective + "\n"
		}
		if got := objectiveOf(rewrite(t, headed(line)+one(0, "0.5"))); got != want {
			t.Errorf("%q is written as %q, want %q", objective, got, want)
		}
	}
}

// A model that predicts otherwise than its tool's objective is written by its own link. So is one
// whose objective is no line.
func TestOtherObjectives(t *testing.T) {
	for _, objective := range []string{"poisson", "regression\nversion=v2", "regression  sqrt", "unknown", ""} {
		e := mustDecode(t, headed("objective=huber\n")+one(0, "0.5"))
		e.Origin.Objective = objective
		var file bytes.Buffer
		if err := encodeModel(&file, e); err != nil {
			t.Fatal(err)
		}
		if got := objectiveOf(file.String()); got != "regression" {
			t.Errorf("%q is written as %q", objective, got)
		}
		if lines := strings.Split(file.String(), "\n"); slices.Contains(lines, "version=v2") {
			t.Errorf("%q adds a line", objective)
		}
	}
}
