package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// mixedModels are trained on the table with columns of each kind, by their files.
var mixedModels = map[string]string{
	"yes":    "--label bought --ignore left,size,sales --set trees=4",
	"left":   "--label left --ignore bought,size,sales --set trees=4",
	"forest": "--label bought --ignore left,size,sales --learner forest --set trees=4",
	"tree":   "--label bought --ignore left,size,sales --learner cart --set prune=none --set depth=4",
	"churn":  "--label left --ignore bought,size,sales --learner cart --set prune=none --set depth=4",
	"size":   "--label size --ignore left,bought,sales --set trees=3",
	"sales":  "--label sales --ignore left,bought,size --set trees=4",
	"knn":    "--label bought --ignore left,size,sales --learner knn",
	"linear": "--label sales --ignore left,bought,size --learner linear",
	"vote":   "--label sales --ignore left,bought,size --learner vote --set members=cart,linear",
}

// mixedLines are by sub-command lines that read the table. MODEL stands for each of the models, or
// of those behind the line. A line that begins with + prints dates, or writes them to out.
var mixedLines = map[string][]string{
	"serve": nil, "monitor": nil, // they read no table for a model
	"train": {"mixed.csv --label bought --text note --group shop --weight w --ignore left,size,sales " +
		"--set trees=2 --test 0.2 -o out", "mixed.csv --label bought --text note --weight w " +
		"--ignore left,size,sales --set trees=2 --test 0.2 --time seen --time-feature -o out"},
	"retrain": {"MODEL.coppice mixed.csv -o out"},
	"tune": {"mixed.csv --label bought --text note --ignore left,size,sales --learner cart " +
		"--budget 2 --folds 2 -o out"},
	"predict":  {"MODEL.coppice mixed.csv", "yes.coppice mixed.csv --output proba --keep day"},
	"evaluate": {"MODEL.coppice mixed.csv"},
	"check":    {"MODEL.coppice mixed.csv"},
	"profile":  {"MODEL.coppice mixed.csv -o out"},
	"cv":       {"mixed.csv --label bought --text note --ignore left,size,sales --learner cart --folds 2"},
	"compare": {"mixed.csv --label bought --text note --ignore left,size,sales " +
		"--learners cart,bayes --folds 2"},
	"merge": nil, // it reads models
	"show": {"+MODEL.coppice: tree", "+tree.coppice --format rules", "+tree.coppice --format json",
		"+tree.coppice --format dot", "+tree.coppice --format svg",
		"tree.coppice mixed.csv --importances gain,splits,cover,shap,permutation --repeats 2",
		"+tree.coppice mixed.csv --candidates", "+tree.coppice mixed.csv --candidates --json"},
	"draw": {"+tree.coppice mixed.csv --what partition --columns day,price -o out.svg",
		"+tree.coppice mixed.csv --what partition --columns day.days -o out.svg",
		"tree.coppice mixed.csv --what partition --columns day.month,price -o out.svg",
		"+tree.coppice mixed.csv --what candidates -o out.svg"},
	"explain": {"+MODEL.coppice mixed.csv --top 30: yes left forest tree size sales linear vote",
		"+MODEL.coppice mixed.csv --top 30 --background 9 --samples 2 --output proba",
		"+MODEL.coppice mixed.csv --top 30 --groups day,seen: yes size",
		"MODEL.coppice mixed.csv: yes forest size sales linear vote",
		"yes.coppice mixed.csv --background mixed.csv", "yes.coppice mixed.csv --json",
		"tree.coppice mixed.csv --interactions --groups day+seen"},
	"why": {"+MODEL.coppice mixed.csv --row 3 --top 30 --time-limit 1s: yes left forest tree size knn",
		"+MODEL.coppice mixed.csv --row 24 --top 30 --time-limit 1s --want >9: sales linear vote",
		"tree.coppice mixed.csv --row 3 --fix day,seen.hour,note --like mixed.csv --json"},
	"effects": {"+MODEL.coppice mixed.csv --columns day --points 4", "+MODEL.coppice mixed.csv " +
		"--columns seen.days,kind --points 3", "+MODEL.coppice mixed.csv --columns day --points 4 " +
		"--method accumulated", "+MODEL.coppice mixed.csv --columns day.days,price --points 3 " +
		"--method accumulated", "MODEL.coppice mixed.csv --columns kind --method accumulated: yes",
		"MODEL.coppice mixed.csv --columns seen,note.words,open --method interaction --rows 9",
		"+yes.coppice mixed.csv --columns day --points 4 --json",
		"+yes.coppice mixed.csv --columns day,seen --points 3 --raw --individual --rows 5",
		"yes.coppice mixed.csv --columns day.month,open"},
	"surrogate": {"+MODEL.coppice mixed.csv --depth 4"},
	"report":    {"+MODEL.coppice mixed.csv -o out: yes forest size sales knn"},
	"proximity": {"MODEL.coppice mixed.csv --neighbours 2: yes forest tree"},
	"convert":   nil, // it reads tables for models of other tools, which have no dates,
	"verify":    nil, // it reads models
	"diff":      {"+yes.coppice tree.coppice mixed.csv", "+forest.coppice knn.coppice mixed.csv --json"},
	"bench":     {"tree.coppice mixed.csv --batches 1 --seconds 0.01"},
	"generate":  nil, // it reads models
	"lab":       nil, // it has tables of its own
	"data":      {"+mixed.csv --text note --label bought", "+mixed.csv --json"},
	"split":     {"mixed.csv --test 0.3 --stratify bought -o out", "mixed.csv --group shop -o out", "mixed.csv --time seen -o out"},
	"learners":  nil,
	"version":   nil,
}

// aDate is a date of the table.
var aDate = regexp.MustCompile(`2024-0[1-7]-[0-3][0-9]`)

// trainMixed changes into a folder with the table and models of it.
func trainMixed(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "mixed.csv", datatest.Mixed())
	for _, name := range names {
		works(t, strings.Fields("train mixed.csv --text note --group shop --weight w --quiet-checks "+
			mixedModels[name]+" -o "+name+".coppice")...)
	}
}

// TestCommandsOnColumnsOfEachKind: every sub-command that reads tables reads one with dates, texts,
// booleans, groups, weights, missing values, a category of one row and a constant. Where it shows a
// date, it shows it as people write dates.
func TestCommandsOnColumnsOfEachKind(t *testing.T) {
	tier.NotShort(t, "runs each command")
	var all []string
	for name := range mixedModels {
		all = append(all, name)
	}
	trainMixed(t, all...)
	for _, name := range commandNames() {
		lines, known := mixedLines[name]
		if !known {
			t.Errorf("%s: a new sub-command needs lines in mixedLines", name)
		}
		for _, line := range lines {
			line, models, _ := strings.Cut(line, ": ")
			if !strings.Contains(line, "MODEL") {
				models = "-"
			} else if models == "" {
				models = strings.Join(all, " ")
			}
			for _, m := range strings.Fields(models) {
				runMixed(t, name, strings.ReplaceAll(line, "MODEL", m))
			}
		}
	}
}

// commandNames lists the sub-commands.
func commandNames() []string {
	var names []string
	for _, command := range commands() {
		names = append(names, command.Name)
	}
	return names
}

// runMixed runs a line, which must succeed and show a date if it begins with +.
func runMixed(t *testing.T, name, line string) {
	t.Helper()
	line, dates := strings.CutPrefix(line, "+")
	for _, old := range []string{"out", "out.svg"} {
		os.Remove(old)
	}
	out, errs, status := run(t, append([]string{name}, strings.Fields(line)...)...)
	if status != 0 {
		t.Errorf("%s %s: status %d: %s", name, line, status, errs)
	}
	for _, file := range []string{"out", "out.svg"} {
		if text, err := os.ReadFile(file); err == nil {
			out += string(text)
		}
	}
	if dates && !aDate.MatchString(out) {
		t.Errorf("%s %s: no date is shown:\n%.1000s", name, line, out)
	}
	if days := regexp.MustCompile(`\.days (<=|>|≤) `); days.MatchString(out) {
		t.Errorf("%s %s: days are compared with a number:\n%.1000s", name, line, out)
	}
}

// TestReasonsPointTowardsThePositiveClass: two tables that differ in the names of the classes only,
// of which the positive one is the second by name in one and the first in the other, have the same
// contributions, reasons and effects.
func TestReasonsPointTowardsThePositiveClass(t *testing.T) {
	trainMixed(t, "yes", "left", "tree", "churn")
	for _, pair := range [][2]string{{"yes", "left"}, {"tree", "churn"}} { // one score, and two
		for _, line := range []string{
			"explain MODEL.coppice mixed.csv --top 5",
			"explain MODEL.coppice mixed.csv",
			"explain MODEL.coppice mixed.csv --json",
			"explain MODEL.coppice mixed.csv --interactions --groups day+seen+note",
			"explain MODEL.coppice mixed.csv --background 9 --json",
			"explain MODEL.coppice mixed.csv --background 9 --samples 3 --output proba --top 3",
			"explain MODEL.coppice mixed.csv --class yes --top 2",
			"explain MODEL.coppice mixed.csv --class no --top 2",
			"why MODEL.coppice mixed.csv --row 3 --time-limit 1s",
			"why MODEL.coppice mixed.csv --row 60 --time-limit 1s --json",
			"effects MODEL.coppice mixed.csv --columns day --points 5 --raw",
			"effects MODEL.coppice mixed.csv --columns price --method accumulated --raw --json",
		} {
			if pair[0] == "tree" && strings.HasPrefix(line, "effects") {
				continue // they have a column for each class, in the order of these
			}
			renamed := strings.NewReplacer("--class yes", "--class churn", "--class no", "--class stay")
			one := works(t, strings.Fields(strings.ReplaceAll(line, "MODEL", pair[0]))...)
			other := works(t, strings.Fields(strings.ReplaceAll(renamed.Replace(line), "MODEL",
				pair[1]))...)
			other = strings.NewReplacer("churn", "yes", "stay", "no").Replace(other)
			if strings.HasPrefix(line, "why") && !strings.HasSuffix(line, "--json") {
				// lines of the first sentence break by the length of the names, and a tie in the
				// table below turns to another class in it
				_, one, _ = strings.Cut(one, "\n\n")
				_, other, _ = strings.Cut(other, "\n\n")
			}
			if diff := cmp.Diff(rounded(one), rounded(other)); diff != "" {
				t.Errorf("%s, %s: reasons by the names of the classes:\n%s", pair, line, diff)
			}
		}
	}
	either := func(class string) string {
		return works(t, "explain", "left.coppice", "mixed.csv", "--class", class)
	}
	if a, b := signs(either("churn")), signs(either("stay")); a == "" || a != turned(b) {
		t.Errorf("--class does not turn the sign:\n%.200s\n%.200s", a, b)
	}
}

// rounded leaves 9 digits of numbers: the last ones depend on the order of sums. Responses, which
// are in the order of the classes, are left out, and so are the label of a tie and what would turn
// it.
func rounded(text string) []string {
	text, _, _ = strings.Cut(text, "smallest change")
	text, _, _ = strings.Cut(text, `"change": {`)
	text = regexp.MustCompile(`([0-9]\.[0-9]{8})[0-9]+`).ReplaceAllString(text, "$1")
	tie := regexp.MustCompile(`(yes|no), probability 0\.5(; probability of yes 0.5)?\b`)
	return strings.Split(tie.ReplaceAllString(text, "either"), "\n")
}

// signs returns + or - for each number of CSV that is not 0.
func signs(csv string) string {
	var b strings.Builder
	_, rows, _ := strings.Cut(csv, "\n")
	for _, field := range strings.FieldsFunc(rows, func(r rune) bool { return r == ',' || r == '\n' }) {
		switch {
		case field == "0":
		case field[0] == '-':
			b.WriteByte('-')
		default:
			b.WriteByte('+')
		}
	}
	return b.String()
}

func turned(signs string) string { return strings.NewReplacer("+", "-", "-", "+").Replace(signs) }
