package toolparams

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
	"github.com/coppice-ml/coppice/learn/catalog"
)

// namesFile has a line for each name: what parameters of a tool become. With COPPICE_UPDATE the
// results are written anew, which a person then compares with the tool's page of parameters.
const namesFile = "testdata/names.txt"

// TestNames compares what each name becomes with the file. Each row of the tables is in it, and all
// parameters of the learner that rows make are accepted by it.
func TestNames(t *testing.T) {
	text, err := os.ReadFile(namesFile)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		given, want, _ := strings.Cut(line, " => ")
		name, parameters, ok := strings.Cut(given, " ")
		tool := Of(name)
		if !ok || tool == nil {
			lines = append(lines, line) // a comment
			continue
		}
		var all []Given
		for _, p := range strings.Fields(parameters) {
			key, value, _ := strings.Cut(p, "=")
			all = append(all, Given{Name: key, Line: 1, Value: valueOf(value)})
			if row := tool.find(key); row != nil {
				seen[name+" "+row.Name] = true
			}
		}
		got := tool.Translate(all)
		checkSettings(t, line, got)
		result := words(got, tool, all)
		lines = append(lines, given+" => "+result)
		if result != want && os.Getenv("COPPICE_UPDATE") == "" {
			t.Errorf("%s\n got %s\nwant %s", given, result, want)
		}
	}
	for _, tool := range Tools() {
		for _, p := range tool.Parameters {
			if !seen[tool.Name+" "+p.Name] {
				t.Errorf("%s has no line %s %s", namesFile, tool.Name, p.Name)
			}
		}
	}
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(namesFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// valueOf reads [A,B] as a list and {A:1,B:2} as a dictionary.
func valueOf(text string) Value {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		return Value{List: strings.Split(strings.TrimSuffix(inner, "]"), ",")}
	}
	inner, ok := strings.CutPrefix(text, "{")
	if !ok {
		return Value{Text: text}
	}
	var v Value
	for pair := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ",") {
		key, value, _ := strings.Cut(pair, ":")
		v.Table = append(v.Table, Pair{key, value})
	}
	return v
}

// words writes a translation without what it has in any case.
func words(got *Translation, tool *Tool, all []Given) string {
	var parts []string
	usual := tool.Translate(nil).Items
	for _, item := range got.Items {
		if item.Line == 0 && slices.Contains(usual, item) {
			continue
		}
		parts = append(parts, item.Key+"="+item.Text)
	}
	for _, note := range got.Notes {
		parts = append(parts, "("+note+")")
	}
	for _, f := range got.Faults {
		parts = append(parts, "refused: "+f.Text)
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, " ")
}

// checkSettings sets all parameters of the learner that a translation has.
func checkSettings(t *testing.T, line string, got *Translation) {
	t.Helper()
	row, err := catalog.Find(catalog.Default)
	if err != nil {
		t.Fatal(err)
	}
	l := row.New()
	var settings []string
	for _, item := range got.Items {
		if item.Key == "compat" {
			if _, l, err = catalog.WithPreset(row, item.Text, true); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if name, ok := strings.CutPrefix(item.Key, "set."); ok {
			settings = append(settings, name+"="+item.Text)
		}
	}
	if err := l.Params().Set(settings); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	if err := l.Capabilities().Conflicts; err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// TestNamesAreOfOneRow finds names that two rows of a tool have.
func TestNamesAreOfOneRow(t *testing.T) {
	for _, tool := range Tools() {
		seen := map[string]string{}
		for _, p := range tool.Parameters {
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				if seen[name] != "" {
					t.Errorf("%s: %s is of %s and of %s", tool.Name, name, seen[name], p.Name)
				}
				seen[name] = p.Name
			}
			if p.Why == "" && (p.Becomes == "refused" || p.Becomes == "left out") {
				t.Errorf("%s: %s has no reason", tool.Name, p.Name)
			}
		}
	}
}

func TestFaultsOfFiles(t *testing.T) {
	got := Of("xgboost").Translate([]Given{{Name: "num_leafs", Line: 1}, {Name: "depth", Line: 2},
		{Name: "eta", Line: 3, Value: Value{Text: "0.1"}}, {Name: "learning_rate", Line: 4},
		{Name: "objective", Line: 5, Value: Value{Text: "reg:cubederror"}}})
	var faults []string
	for _, f := range got.Faults {
		faults = append(faults, f.Text)
	}
	want := []string{
		`unknown parameter "num_leafs" of XGBoost: did you mean "num_class"?`,
		`unknown parameter "depth" of XGBoost: it is one of catboost: use --params-of catboost`,
		`"learning_rate" is given twice: it is eta`,
	}
	if diff := cmp.Diff(want, faults[:min(3, len(faults))]); diff != "" {
		t.Error(diff)
	}
	if len(faults) != 4 || !strings.HasPrefix(faults[3],
		`objective of XGBoost: "reg:cubederror" is no objective that is known: want reg:squarederror, `) {
		t.Errorf("got %q", faults)
	}
}
