package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// TestExamples runs all examples of the help texts as they are printed, in a folder with tables and
// models of these names. It leaves out resuming from a checkpoint, which exists only after an
// interrupted training.
func TestExamples(t *testing.T) {
	tier.NotShort(t, "runs all examples of the help texts")
	t.Chdir(t.TempDir())
	exampleTables(t)
	for _, line := range []string{
		"coppice train flowers.csv --label species --set trees=12 -o boosted.coppice",
		"coppice train adult.csv --label income --set trees=5 -o adult.coppice",
		"coppice train houses.csv --label price --ignore id,address,district --set trees=5 --set " +
			"monotone=area=1,age=-1 -o prices.coppice",
		"coppice train flowers.csv --label length --learner forest --set trees=20 --set " +
			"quantiles=true --set importance=permutation --shard 1/2 -o a.coppice",
		"coppice train flowers.csv --label length --learner forest --set trees=20 --set " +
			"quantiles=true --set importance=permutation --shard 2/2 -o b.coppice",
		"coppice merge a.coppice b.coppice -o forest.coppice",
		"coppice train flowers.csv --label length --ignore id,species --set trees=5 -o trees.coppice",
		"coppice train flowers.csv --label length --ignore id,species --set trees=5 --missing-error all " +
			"-o strict.coppice",
		"coppice convert strict.coppice strict.pmml",
		"coppice convert trees.coppice xgboost.json",
		"coppice convert trees.coppice lightgbm.txt",
		"coppice convert xgboost.json imported.coppice",
		"coppice convert lightgbm.txt --probes rows.csv",
		"coppice predict lightgbm.txt rows.csv -o by-tool.csv",
		"coppice convert trees.coppice old.coppice",
		"coppice convert trees.coppice new.coppice",
		"coppice tune flowers.csv --label species --learner cart --budget 3 -o tuned.coppice",
	} {
		runExample(t, line)
	}
	root := cli.NewRoot(&cli.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{},
		Progress: &cli.Progress{}}, commands())
	texts := []string{root.Example}
	for _, cmd := range root.Commands() {
		texts = append(texts, cmd.Example)
	}
	runExample(t, "coppice train flowers.csv --label species --set trees=5 -o kept-model")
	runExample(t, "coppice train flowers.csv --label species --learner cart --set prune=none "+
		"-o kept-tree")
	runExample(t, "coppice train spambase.csv --label spam --learner cart -o kept-spam")
	dump := `[{"nodeid": 0, "split": "f0", "split_condition": 0.5, "yes": 1, "no": 2, "missing": 1,
		"children": [{"nodeid": 1, "leaf": 0.1}, {"nodeid": 2, "leaf": -0.1}]}]`
	if err := os.WriteFile("dump.json", []byte(dump), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("log", 0o777); err != nil {
		t.Fatal(err)
	}
	runExample(t, "coppice predict kept-model new.csv --output proba --keep id --log log/seen.jsonl -o p.csv")
	for _, text := range texts {
		// examples of training write other models in their places
		for _, name := range []string{"model", "tree", "spam"} {
			copyFile(t, "kept-"+name, name+".coppice")
		}
		for line := range strings.Lines(text) {
			// a remark follows three blanks
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ")
			line = budgets.ReplaceAllString(line, "--budget 3")
			if strings.HasPrefix(line, "coppice bench ") {
				line += " --seconds 0.01"
			}
			if strings.HasPrefix(line, "coppice compare ") && !strings.Contains(line, "--folds") {
				line += " --folds 2"
			}
			if _, all, ok := strings.Cut(line, "--learners "); ok && strings.HasPrefix(all, "gbm,") {
				line += " --set gbm.trees=9"
			}
			if choosing.MatchString(line) && !strings.Contains(line, "--learner") &&
				!strings.Contains(line, "trees=") {
				line += " --set trees=9"
			}
			switch {
			case line == "" || strings.Contains(line, " --resume "):
				continue
			case strings.HasPrefix(line, "coppice lab all ") && !tier.Night():
				continue // tests of the lab run all reproductions
			case strings.HasPrefix(line, "coppice serve "):
				continue // a server goes on until it is ended: TestServe runs some
			case strings.Contains(line, "shard-*.coppice"):
				// The example of train --shard has left a shard of another forest.
				copyFile(t, "a.coppice", "shard-1.coppice")
				copyFile(t, "b.coppice", "shard-2.coppice")
			}
			runExample(t, line)
		}
	}
}

// choosing finds commands that train many models. With a number of trees none chooses it first.
var choosing = regexp.MustCompile(`^coppice (cv|tune) `)

// budgets finds what the examples let a search spend. It spends all of it, also a span of time.
var budgets = regexp.MustCompile(`--budget \w+`)

// runExample runs a command as a shell does with single quotes, patterns, and a pipe from
// zcat.
func runExample(t *testing.T, line string) {
	t.Helper()
	c := &cli.Console{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{},
		Progress: &cli.Progress{}}
	if before, after, piped := strings.Cut(line, " | "); piped {
		f, err := os.Open(strings.TrimPrefix(before, "zcat "))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c.In, line = f, after
	}
	if err := cli.Run(t.Context(), c, commands(), exampleArgs(line)[1:]); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// exampleArgs splits a command as a shell does with single quotes and patterns.
func exampleArgs(line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
			continue
		}
		for _, word := range strings.Fields(part) {
			if found, _ := filepath.Glob(word); strings.Contains(word, "*") {
				args = append(args, found...)
			} else {
				args = append(args, word)
			}
		}
	}
	return args
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// exampleTables writes the tables of the examples.
func exampleTables(t *testing.T) {
	t.Helper()
	s := rng.New(3)
	table := func(rows int, header string, row func(i int) string, names ...string) {
		lines := []string{header}
		for i := range rows {
			lines = append(lines, row(i))
		}
		for _, name := range names {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	kinds := []string{"daisy", "iris", "rose"}
	table(90, "id,petal_length,petal_width,length,species", func(i int) string {
		x := float64(i%3) + s.Float64()
		return fmt.Sprintf("f%d,%.2f,%.2f,%.2f,%s", i, 2*x, x, 5+s.Float64()+x, kinds[i%3])
	}, "flowers.csv", "new.csv", "test.csv", "train.csv", "new.csv.gz", // the content determines the format
		"gardens/year=2025/a.csv", "gardens/year=2026/a.csv", "gardens/year=2026/b.csv")
	table(120, "word,capitals,spam", func(i int) string {
		return fmt.Sprintf("%.2f,%d,%d", s.Float64()+float64(i%2), s.Intn(30), i%2)
	}, "spambase.csv")
	for name, dot := range map[string]string{"adult.csv": "", "adult.csv.gz": "",
		"adult-test.csv": "."} {
		table(120, "age,work,income", func(i int) string {
			return fmt.Sprintf("%d,%s,%s50K%s", 20+s.Intn(50), []string{"state", "own"}[s.Intn(2)],
				[]string{"<=", ">"}[i%2], dot)
		}, name)
	}
	table(120, "id,address,district,area,age,price", func(i int) string {
		area := 40 + s.Intn(100)
		return fmt.Sprintf("%d,street %d,d%d,%d,%d,%d", i, i, i%12, area, s.Intn(80),
			2000*area+s.Intn(9000))
	}, "houses.csv", "houses.csv.gz")
	table(150, "page,hour,clicked", func(i int) string {
		return fmt.Sprintf("p%d,%d,%s", i%5, s.Intn(24), []string{"no", "yes"}[s.Intn(2)])
	}, "clicks.csv")
	table(60, "patient,pulse,day", func(i int) string {
		return fmt.Sprintf("p%d,%d,2024-%02d-01", i%20, 50+s.Intn(60), i/6+1)
	}, "visits.csv", "sales.csv")
	if err := os.WriteFile("rides.toml", []byte("data = [\"clicks.csv\"]\nlabel = \"clicked\"\n[set]\n"+
		"trees = 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table(100, "id,amount", func(i int) string { return fmt.Sprintf("%d,%.2f", i, 50*s.Float64()) },
		"payments.csv")
	table(60, "day,rides", func(i int) string {
		return fmt.Sprintf("%02d/%02d/2024,%.1f", i%30+1, i/30+3, 9*s.Float64())
	}, "rides.csv")
	table(3, "zip\tage", func(i int) string {
		return fmt.Sprintf("%d\t%s", 1200+i, []string{"-", "unknown", "30"}[i])
	}, "survey.tsv")
	garden(t, kinds)
}

// garden writes a database of plants.
func garden(t *testing.T, kinds []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:garden.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	statements := []string{"create table plants (id integer, petal_length real, petal_width real, " +
		"length real, species text)"}
	for i := range 60 {
		statements = append(statements, fmt.Sprintf("insert into plants values (%d, %d.5, %d, %d.25, '%s')",
			i, i%3, i%3, 5+i%4, kinds[i%3]))
	}
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}
