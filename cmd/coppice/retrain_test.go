package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// quickly are the learners that the short tier trains twice.
var quickly = []string{"gbm", "cart", "isolation"}

// TestRetrainGivesTheSameModel: on the same table every learner's model that is trained again is
// the same file, whatever the roles, kinds, formats and sets of the first training.
func TestRetrainGivesTheSameModel(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "mixed.csv", datatest.Mixed())
	for _, entry := range catalog.Table() {
		if testing.Short() && !slices.Contains(quickly, entry.Name) {
			continue
		}
		line := "train mixed.csv --quiet-checks --seed 7 --learner " + entry.Name
		flags := rolesFor(entry.New())
		if entry.Name == "id3" { // which takes complete categories alone
			flags = []string{"--label left --ignore bought,size,sales,note,day,seen,price,w,kind,same"}
		}
		for _, roles := range flags {
			retrainedIsSame(t, line+" "+roles, settings(learntest.Small(entry.New()))...)
		}
	}
}

// rolesFor are flags about the columns of the mixed table, for a learner.
func rolesFor(l learn.Learner) []string {
	c := l.Capabilities()
	switch {
	case c.Unsupervised:
		return []string{"--ignore left,size,sales,note", "--label bought --ignore left,size,sales,note"}
	case c.Task == data.Survival:
		return []string{"--label price --event open --ignore left,size,sales,bought,note " +
			"--drop-unlabeled"}
	case c.Task == data.Regression:
		return []string{"--label sales --ignore left,size,bought --text note --weight w --test 0.2"}
	}
	all := []string{"--label left --ignore bought,size,sales,note --test 0.25 --time seen " +
		"--time-feature --positive stay --map stay=loyal --map churn=gone"}
	all[0] = strings.Replace(all[0], "--positive stay", "--positive loyal", 1)
	return append(all, "--label size --ignore bought,left,sales --text note --text-set "+
		"buckets=64 --group shop --weight w --valid 0.2 --categorical price --missing 7,once "+
		"--no-extremes --golden-rows drawn")
}

// settings are the parameters of a learner that differ from their defaults, as flags.
func settings(l learn.Learner) []string {
	var flags []string
	for _, p := range l.Params().All() {
		if p.Value() != p.Default {
			flags = append(flags, "--set", p.Name+"="+p.Value())
		}
	}
	return flags
}

func retrainedIsSame(t *testing.T, line string, more ...string) {
	t.Helper()
	works(t, append(strings.Fields(line), append(more, "-o", "first.coppice")...)...)
	works(t, "retrain", "first.coppice", "mixed.csv", "-o", "again.coppice", "--quiet-checks",
		"--threads", "1")
	first, err := os.ReadFile("first.coppice")
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile("again.coppice")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, again) {
		t.Errorf("%s %q: the model that is trained again differs", line, more)
	}
}

// TestRetrainInBlocks: a table beyond the limit of memory gives the model of one within it, also
// from standard input.
func TestRetrainInBlocks(t *testing.T) {
	tier.NotShort(t, "trains on a table in blocks")
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("a,b,day,y\n")
	for i := range 30000 {
		fmt.Fprintf(&b, "%d,k%d,2024-0%d-03,%d\n", i*7919%10007, i%13, 1+i%9, i*31%7919/4000)
	}
	write(t, "t.csv", b.String())
	works(t, "train", "t.csv", "--label", "y", "--set", "trees=3", "--test", "0.2", "-o", "m",
		"--quiet-checks")
	for _, from := range []string{"t.csv", "-"} {
		out, errs, status := runOn(t, strings.NewReader(b.String()), "retrain", "m", from, "--memory",
			"2MB", "-o", "n", "--not-worse-than", "m")
		if status != 0 || !strings.Contains(errs, "is read in blocks") {
			t.Fatalf("status %d: %s", status, errs)
		}
		if !strings.Contains(out, "; m has ") || !strings.Contains(out, "difference +0 ") {
			t.Errorf("%s: the model differs from itself on the test rows: %s", from, out)
		}
		m, err := os.ReadFile("m")
		if err != nil {
			t.Fatal(err)
		}
		n, err := os.ReadFile("n")
		if err != nil || !bytes.Equal(m, n) {
			t.Errorf("%s: the model of a table in blocks differs: %v", from, err)
		}
	}
}
