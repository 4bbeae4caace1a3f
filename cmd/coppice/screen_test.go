package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// screens are the tasks that a training may have, with the most lines that it may print.
var screens = []struct {
	name  string
	lines int
	flags []string
}{
	{"two", 24, []string{"--label", "two", "--test", "0.3"}},
	{"two of training rows", 24, []string{"--label", "two"}},
	{"validation", 24, []string{"--label", "two", "--valid", "0.3"}},
	{"six", 30, []string{"--label", "six", "--test", "0.3"}},
	{"seven", 24, []string{"--label", "seven", "--test", "0.3"}},
	{"amount", 24, []string{"--label", "amount", "--test", "0.3"}},
	{"amount of training rows", 24, []string{"--label", "amount"}},
	{"rank", 24, []string{"--label", "grade", "--group", "query", "--task", "ranking", "--test", "0.3"}},
	{"time", 24, []string{"--label", "time", "--event", "seen", "--test", "0.3"}},
	{"anomaly without a label", 24, nil},
	{"anomaly", 24, []string{"--label", "two", "--test", "0.3"}},
}

// screenTable writes a table with a label of each task.
func screenTable(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.WriteString("a,b,town,two,six,seven,amount,grade,query,time,seen\n")
	classes := []string{"ash", "birch", "cedar", "elm", "fir", "holly", "yew"}
	for i := range 320 {
		a, c := random.Float64(), random.Float64()
		town := []string{"Aix", "Bonn", "Cork"}[random.IntN(3)]
		score := 3*a + float64(len(town)) + random.NormFloat64()/2
		at := int(min(6, max(0, 2*score-6)))
		fmt.Fprintf(&b, "%.4f,%.4f,%s,%v,%s,%s,%.3f,%d,q%d,%.3f,%d\n", a, c, town,
			score > 5.1, classes[min(5, at)], classes[at], 100*score, min(4, at), i/16,
			10+score*random.Float64(), 1-random.IntN(4)/3)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// quick are learners whose trainings take a moment, and several are some whose screens differ. The
// others are tried at night.
var (
	quick   = []string{"cart", "linear", "logistic", "isolation"}
	several = []string{"gbm", "forest", "cox"}
)

// TestTrainScreen holds the screen of a training to its form, for each learner and task: so many
// lines of 100 columns, one of them with settings, no number twice, and the model's path.
func TestTrainScreen(t *testing.T) {
	table := screenTable(t)
	model := filepath.Join(filepath.Dir(table), "m.coppice")
	names := []string{"two", "six", "seven", "amount", "grade", "query", "time", "seen"}
	seen := 0
	for _, entry := range catalog.Table() {
		for _, s := range screens {
			if !tier.Night() && !slices.Contains(quick, entry.Name) &&
				(testing.Short() && s.name != "two" || !slices.Contains(several, entry.Name)) {
				continue
			}
			c := entry.New().Capabilities()
			if c.Unsupervised != strings.Contains(s.name, "anomaly") {
				continue
			}
			args := []string{"train", table, "--learner", entry.Name, "-o", model}
			ignored := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(s.flags, n) })
			args = append(append(args, s.flags...), "--ignore", strings.Join(ignored, ","))
			out, errs, status := run(t, args...)
			if status != 0 && refused.MatchString(errs) {
				continue
			}
			if status != 0 {
				t.Errorf("%s of %s: %s", entry.Name, s.name, errs)
				continue
			}
			seen++
			if wrong := screenFaults(out+errs, model, s.lines); wrong != nil {
				t.Errorf("%s of %s: %q\n%s%s", entry.Name, s.name, wrong, errs, out)
			}
		}
	}
	if seen < 12 {
		t.Errorf("%d trainings", seen)
	}
}

// TestOutOfFoldScreen: without a test set, a training whose folds choose the rounds shows their
// predictions, whatever it predicts, and no metrics of the training rows.
func TestOutOfFoldScreen(t *testing.T) {
	table := screenTable(t)
	for name, c := range map[string]struct{ flags, metric string }{
		"quantiles": {"--label amount --set loss=quantile --set loss.quantiles=0.1,0.9 --ignore two,six,seven,grade,query,time,seen", "pinball loss"},
		"survival":  {"--label time --event seen --ignore two,six,seven,grade,query,amount", "concordance"},
		"aft":       {"--label time --event seen --set loss=aft --ignore two,six,seven,grade,query,amount", "concordance"},
	} {
		args := append([]string{"train", table, "--set", "rehearse=false", "-o", filepath.Join(t.TempDir(), "m")},
			strings.Fields(c.flags)...)
		out, errs, status := run(t, args...)
		value := regexp.MustCompile(`(?m)^` + c.metric + ` +\S+  \S+ to \S+$`)
		if status != 0 || !strings.Contains(out, "\nOut-of-fold predictions") || !value.MatchString(out) ||
			strings.Contains(out, "Training rows") {
			t.Errorf("%s: status %d, %s%s", name, status, errs, out)
		}
	}
}

// refused matches the error of a learner that does not have a task.
var refused = regexp.MustCompile(`: [a-z0-9.]+ cannot do [a-z]+: |cannot split numbers`)

// figure matches a number with its fraction.
var figure = regexp.MustCompile(`\d+(\.\d+)?(e-\d+)?`)

// interval matches the ends of an interval, which may be the value itself.
var interval = regexp.MustCompile(`\S+ to \S+$`)

// screenFaults reports what is wrong with a screen.
func screenFaults(screen, model string, most int) (wrong []string) {
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	if len(lines) > most {
		wrong = append(wrong, fmt.Sprintf("%d lines, the most is %d", len(lines), most))
	}
	found, within := map[string]int{}, map[string]bool{}
	settings, path, warns, metrics := 0, false, false, false
	for _, line := range lines {
		if strings.HasPrefix(line, "next ") {
			break // what is copied may be long
		}
		if width := utf8.RuneCountInString(strings.ReplaceAll(line, model, "m.coppice")); width > 100 {
			wrong = append(wrong, fmt.Sprintf("%d columns: %s", width, line))
		}
		if strings.HasPrefix(line, "settings ") {
			settings++
		}
		path = path || strings.HasPrefix(line, "model     "+model+", trained in ")
		warns = strings.HasPrefix(line, "warning") || warns && strings.HasPrefix(line, "          ")
		if warns || strings.HasPrefix(line, "model ") {
			continue
		}
		metrics = strings.HasSuffix(line, ":") || metrics && line != ""
		line = interval.ReplaceAllString(line, "")
		for _, n := range figure.FindAllString(line, -1) {
			digits := strings.TrimLeft(strings.ReplaceAll(n, ".", ""), "0")
			if len(digits) >= 3 && strings.Trim(n, "0.") != "1" {
				if metrics && within[n] { // two metrics may be the same
					continue
				}
				within[n] = metrics
				if found[n]++; found[n] == 2 {
					wrong = append(wrong, "the number "+n+" twice")
				}
			}
		}
	}
	if settings != 1 || !path {
		wrong = append(wrong, fmt.Sprintf("%d lines with settings, path: %v", settings, path))
	}
	return wrong
}

func TestScreenFaults(t *testing.T) {
	good := "data      t.csv: 300 rows\nsettings  the defaults\n\nmetrics:\naccuracy  0.9000  0.8100 to 0.9800\nmodel     m, trained in 0.1 s\nnext      x\n"
	for screen, faults := range map[string]int{
		good: 0,
		strings.Replace(good, "the defaults", "trees=300", 1):    1,
		strings.Replace(good, "settings", "setting", 1):          1,
		strings.Replace(good, "model     m,", "model     k,", 1): 1,
		strings.Replace(good, "300", strings.Repeat("x", 99), 1): 1,
		strings.Replace(good, "\n\n", "\n\n\n\n", 1):             1,
	} {
		if got := screenFaults(screen, "m", 8); len(got) != faults {
			t.Errorf("%q, want %d faults of\n%s", got, faults, screen)
		}
	}
}

// labScreen is how many lines a lab prints without -v at most.
const labScreen = 46

// TestLabScreen: a lab fits one screen and begins with its verdicts, and -v adds what is left out.
// By night all are tried that take some seconds.
func TestLabScreen(t *testing.T) {
	for _, row := range reproductions.Table() {
		if !slices.Contains([]string{"voters", "golf", "information"}, row.Name) &&
			!(tier.Night() && row.Slow == "") {
			continue
		}
		run := func(args ...string) []string {
			var out bytes.Buffer
			if err := cli.Run(t.Context(), &cli.Console{Out: &out, Err: io.Discard,
				Progress: &cli.Progress{}}, commands(), args); err != nil {
				t.Fatal(err)
			}
			return strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		}
		lines, all := run("lab", row.Name), strings.Join(run("lab", row.Name, "-v"), "\n")
		if len(lines) > labScreen || !strings.HasPrefix(row.Title, lines[0]) ||
			!strings.Contains(strings.Join(lines[1:3], " "), " found again") &&
				!strings.Contains(strings.Join(lines[1:3], " "), " hold") {
			t.Errorf("%s prints %d lines, which begin\n%s\n%s", row.Name, len(lines), lines[0], lines[1])
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > cli.Width {
				t.Errorf("%s prints a line of more than %d columns: %s", row.Name, cli.Width, line)
			}
		}
		if !strings.Contains(all, "Source: ") || strings.Contains(all, "-v prints") {
			t.Errorf("%s -v prints\n%s", row.Name, all)
		}
	}
}
