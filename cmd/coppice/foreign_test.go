package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// foreign are the command lines of all commands that read a table for a model m, of a table $t,
// with --json where they have it. Commands without one have nil.
var foreign = map[string][][]string{
	"predict":   {{"m", "$t"}, {"m", "$t", "--output", "raw"}, {"m", "$t", "--keep", "y"}},
	"evaluate":  {{"m", "$t"}, {"m", "$t", "--json"}},
	"explain":   {{"m", "$t"}, {"m", "$t", "--json"}, {"m", "$t", "--top", "2"}},
	"why":       {{"m", "$t", "--row", "1", "--want", ">20", "--like", "train.csv"}, {"m", "$t", "--row", "1", "--want", ">20", "--json"}},
	"effects":   {{"m", "$t", "--columns", "shop"}, {"m", "$t", "--columns", "shop", "--json"}},
	"surrogate": {{"m", "$t"}, {"m", "$t", "--json"}},
	"report":    {{"m", "$t", "-o", "r.html"}},
	"proximity": {{"m", "$t"}, {"m", "$t", "--json"}},
	"diff":      {{"m", "n", "$t"}, {"m", "n", "$t", "--json"}},
	"bench":     {{"m", "$t", "--seconds", "0.01"}, {"m", "$t", "--seconds", "0.01", "--json"}},
	"draw":      {{"m", "$t", "--what", "rounds", "-o", "p.svg"}},
	"show":      {{"m", "$t", "--importances", "shap"}, {"m", "$t", "--importances", "permutation", "--json"}},

	// they compare the table with training themselves, or make it the training table
	"check": nil, "profile": nil,

	// they train, or read no table for a model
	"train": nil, "retrain": nil, "tune": nil, "cv": nil, "compare": nil, "merge": nil, "convert": nil, "verify": nil, "generate": nil,
	"lab": nil, "data": nil, "serve": nil, "monitor": nil, "split": nil, "learners": nil, "version": nil,
}

// Every command that reads a table for a model ends with one line about what the model does not
// know of it, also in JSON, and without one about a table like that of the training.
func TestForeignTables(t *testing.T) {
	tier.NotShort(t, "runs each command on foreign tables")
	t.Chdir(t.TempDir())
	var train, other, sizes strings.Builder
	for _, b := range []*strings.Builder{&train, &other, &sizes} {
		b.WriteString("shop,flag,size,y\n")
	}
	shops := []string{"blue", "green", "red", "white"}
	for i := range 120 {
		shop, size := shops[i*7%4], float64(i%11)
		row := func(b *strings.Builder, shop, flag, size string) {
			fmt.Fprintf(b, "%s,%s,%s,%d\n", shop, flag, size, i*7%4*10+i%11)
		}
		row(&train, shop, fmt.Sprint(i%2 == 0), fmt.Sprint(size))
		row(&sizes, shop, fmt.Sprint(i%2 == 0), "")
		if i%4 == 0 {
			shop = strings.ToUpper(shop)
		}
		row(&other, shop, fmt.Sprint(i%2), fmt.Sprint(size))
	}
	write(t, "train.csv", train.String())
	write(t, "other.csv", other.String())
	write(t, "sizes.csv", sizes.String())
	for _, name := range []string{"m", "n"} {
		works(t, "train", "train.csv", "--label", "y", "--task", "regression", "--learner", "forest", "--set", "trees=5",
			"-o", name, "--seed", fmt.Sprint(len(name)))
	}
	want := map[string]string{
		"train.csv": "",
		"other.csv": "warning: in all rows flag is new, as 0: training had false and true (and 1 more column: shop)\n",
		"sizes.csv": "warning: size is missing in all 120 rows: is the column filled?\n",
	}
	for _, command := range commands() {
		name := command.Name
		lines, known := foreign[name]
		if !known {
			t.Errorf("the command %s: add a line that reads a table for a model, or nil, to foreign", name)
		}
		for _, line := range lines {
			for table, want := range want {
				args := []string{name}
				for _, arg := range line {
					args = append(args, strings.ReplaceAll(arg, "$t", table))
				}
				out, errs, status := run(t, args...)
				if status != 0 || warned(errs) != want {
					t.Errorf("%q: status %d, got\n%swant\n%s", args, status, errs, want)
				}
				if args[len(args)-1] == "--json" {
					checkWarnings(t, args, out, want)
				}
			}
		}
	}
}

// A table that evaluate reads in blocks, and predict in parts, is counted as a whole is.
func TestForeignBlocks(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "train.csv", "shop,y\nred,1\nblue,2\n"+strings.Repeat("red,1\nblue,2\n", 20))
	works(t, "train", "train.csv", "--label", "y", "--task", "regression", "--learner", "cart", "-o", "m")
	write(t, "t.csv", "shop,y\n"+strings.Repeat("red,1\nRED,1\nblue,2\nteal,2\nRED,1\n", 20_000))
	const want = "warning: in 60.0% of the rows shop is new, as RED: did you mean red?\n"
	for _, args := range [][]string{{"evaluate", "m", "t.csv"}, {"evaluate", "m", "t.csv", "--memory", "2MiB"},
		{"predict", "m", "t.csv", "--memory", "2MiB"}, {"predict", "m", "t.csv", "--threads", "1"}} {
		if _, errs, status := run(t, args...); status != 0 || warned(errs) != want {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

// warned returns the lines of warnings.
func warned(errs string) (all string) {
	for line := range strings.Lines(errs) {
		if strings.HasPrefix(line, "warning: ") {
			all += line
		}
	}
	return all
}

func checkWarnings(t *testing.T, args []string, out, want string) {
	t.Helper()
	var r struct {
		Warnings []struct {
			Check, Message, Advice string
			Columns                []string
			Rows                   int
			Value                  float64
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	if (len(r.Warnings) > 0) != (want != "") {
		t.Errorf("%q: warnings %+v, want %q", args, r.Warnings, want)
	}
	for _, w := range r.Warnings {
		if w.Check == "" || w.Message == "" || w.Advice == "" || len(w.Columns) != 1 || w.Rows == 0 || w.Value == 0 {
			t.Errorf("%q: warning %+v", args, w)
		}
	}
}

// A sparse file that names few of a model's columns has a line, too.
func TestForeignSparseTables(t *testing.T) {
	t.Chdir(t.TempDir())
	var train, far strings.Builder
	for i := range 60 {
		fmt.Fprintf(&train, "%d", i%3)
		for f := range 30 {
			if (i+f)%3 == 0 {
				fmt.Fprintf(&train, " %d:%d", f+1, 1+i%5)
			}
		}
		train.WriteString("\n")
		fmt.Fprintf(&far, "%d 101:1 102:2\n", i%3)
	}
	write(t, "train.svm", train.String())
	write(t, "far.svm", far.String())
	works(t, "train", "train.svm", "--label", "label", "--task", "multiclass", "--learner", "forest", "--set", "trees=20", "-o", "m")
	for table, want := range map[string]string{"train.svm": "",
		"far.svm": "were its features numbered as in the training set?\n"} {
		for _, command := range []string{"predict", "evaluate", "explain"} {
			_, errs, status := run(t, command, "m", table)
			if got := warned(errs); status != 0 || !strings.HasSuffix(got, want) || (got == "") != (want == "") ||
				want != "" && !strings.HasPrefix(got, "warning: the table names values of 0 of the model's ") {
				t.Errorf("%s %s: status %d, %s", command, table, status, errs)
			}
		}
	}
}
