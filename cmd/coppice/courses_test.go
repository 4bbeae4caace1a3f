package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// coursesPage lists the items of the courses.
const coursesPage = "docs/courses.md"

// courseItem is a row of a course's table.
type courseItem struct {
	line                    int
	course                  string // the heading before it, such as "Course 0"
	item, command           string // the command without its marks, "" = none
	printed, here           string // numbers, "" = none
	picture, verdict, about string // about follows the verdict
}

// courseItems returns the rows of all courses, and of the table of counts.
func courseItems(t *testing.T, root string) (items []courseItem, counts [][]string) {
	t.Helper()
	course := ""
	for i, line := range strings.Split(page(t, root, coursesPage), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			course, _, _ = strings.Cut(heading, ":")
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case !strings.HasPrefix(line, "| ") || cells[0] == "item" || cells[0] == "course":
		case course == "":
			counts = append(counts, cells)
		case len(cells) != 5:
			t.Fatalf("%s:%d: %d cells, want 5: %s", coursesPage, i+1, len(cells), line)
		default:
			n := courseItem{line: i + 1, course: course, item: cells[0]}
			if cells[1] != "-" {
				n.command = strings.Trim(cells[1], "`")
			}
			if cells[2] != "-" {
				n.here = cells[2]
				if rest, ok := strings.CutPrefix(cells[2], "printed "); ok {
					n.printed, n.here, _ = strings.Cut(rest, ", here ")
				}
			}
			if m := regexp.MustCompile(`\((img/[^)]*)\)`).FindStringSubmatch(cells[3]); m != nil {
				n.picture = m[1]
			}
			n.verdict, n.about, _ = strings.Cut(cells[4], ": ")
			items = append(items, n)
		}
	}
	return items, counts
}

// TestCourses: the page has all 256 items, each with a verdict and, where it is not missing, with a
// command. Its counts are those of its rows. A number of the lab stands on the page of its
// reproduction, with a verdict that fits; other commands run, and print the number.
func TestCourses(t *testing.T) {
	tier.NotShort(t, "runs all commands of the courses")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	items, counts := courseItems(t, root)
	if len(items) != 256 {
		t.Errorf("%d items, want 256", len(items))
	}
	pages := map[string]string{} // of the lab
	for _, row := range reproductions.Table() {
		pages[row.Name] = page(t, root, "docs/lab/"+row.Name+".md")
	}
	kinds := []string{"yes", "misprint", "another way", "no", "not here"}
	found := map[string][]int{} // of each course and of all: items, and those of each kind
	commands := map[string][]courseItem{}
	for _, n := range items {
		kind := slices.Index(kinds, n.verdict)
		if kind < 0 || (kind > 0) != (n.about != "") && n.verdict != "yes" {
			t.Errorf("%s:%d: verdict %q, about %q", coursesPage, n.line, n.verdict, n.about)
			continue
		}
		for _, name := range []string{n.course, "all"} {
			if found[name] == nil {
				found[name] = make([]int, 1+len(kinds))
			}
			found[name][0]++
			found[name][1+kind]++
		}
		name, reproduced := strings.CutPrefix(n.command, "coppice lab ")
		switch {
		case n.command == "" && kind < 3:
			t.Errorf("%s:%d: %s has no command", coursesPage, n.line, n.item)
		case n.command == "":
		case reproduced:
			if reason := inLab(&n, name, pages[name]); reason != "" {
				t.Errorf("%s:%d: %s", coursesPage, n.line, reason)
			}
		default:
			commands[n.command] = append(commands[n.command], n)
		}
	}
	if len(counts) != len(found) {
		t.Errorf("%s counts the items of %d courses, want %d", coursesPage, len(counts), len(found))
	}
	for _, row := range counts {
		if n := strings.Trim(fmt.Sprint(found[row[0]]), "[]"); strings.Join(row[1:], " ") != n {
			t.Errorf("%s counts %v of %s, its rows are %s", coursesPage, row[1:], row[0], n)
		}
	}
	if line := printedCounts(t, root); !strings.Contains(
		strings.Join(strings.Fields(page(t, root, coursesPage)), " "), line) {
		t.Errorf("%s lacks the counts of docs/printed.md: %q", coursesPage, line)
	}
	runCourses(t, root, commands)
}

// printedCounts returns the counts of printed numbers in a line.
func printedCounts(t *testing.T, root string) string {
	t.Helper()
	var counts []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z ]+) \| (\d+) \|$`).FindAllStringSubmatch(
		page(t, root, "docs/printed.md"), -1) {
		counts = append(counts, m[2]+" "+m[1])
	}
	return "Printed numbers: " + strings.Replace(strings.Join(counts, ", "), " all", " in all", 1) + "."
}

// page returns the text of a page of the checkout.
func page(t *testing.T, root, file string) string {
	return string(read(t, filepath.Join(root, filepath.FromSlash(file))))
}

// inLab returns why an item does not fit the page of a reproduction, "" if it does.
func inLab(n *courseItem, name, page string) string {
	if _, err := reproductions.ByName(name); err != nil {
		return err.Error()
	}
	if n.picture != "" && !strings.Contains(page, "(../"+n.picture+")") &&
		!strings.HasPrefix(n.picture, "img/lab-") {
		return "the reproduction " + name + " does not show " + n.picture
	}
	for line := range strings.SplitSeq(page, "\n") {
		switch cells := strings.Split(strings.Trim(line, "| "), " | "); {
		case n.printed == "":
			if n.here == "" || regexp.MustCompile(`(^|[^0-9.-])`+regexp.QuoteMeta(n.here)+
				`($|[^0-9])`).MatchString(line) {
				return ""
			}
		case len(cells) == 5 && cells[1] == n.printed && strings.HasPrefix(cells[3], n.here):
			fits := map[string][]string{"yes": {"same", "within two s.e.", "rounded early"},
				"misprint": {"misprint"}, "another way": {"-", "better"}}[n.verdict]
			verdict, _, _ := strings.Cut(cells[4], ":")
			if !slices.Contains(fits, verdict) {
				return fmt.Sprintf("verdict %q, the lab has %q", n.verdict, cells[4])
			}
			return ""
		}
	}
	return fmt.Sprintf("docs/lab/%s.md has no number %s, printed %q", name, n.here, n.printed)
}

// runCourses runs the first block of the page, then each command in a folder of its own that has
// the models, some at once.
func runCourses(t *testing.T, root string, commands map[string][]courseItem) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the page shows commands for sh, which this system does not have")
	}
	first := fences(t, root, coursesPage)[0]
	folder := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(folder,
		"testdata")); err != nil {
		t.Fatal(err)
	}
	run := func(in, script string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", "-eu")
		cmd.Stdin, cmd.Dir = strings.NewReader(script), in
		printed, err := cmd.CombinedOutput()
		return string(printed), err
	}
	if printed, err := run(folder, first.text); err != nil {
		t.Fatalf("%s: %v\n%s", first, err, printed)
	}
	shared, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	variables := strings.Join(regexp.MustCompile(`(?m)^\w+=.*\n`).FindAllString(first.text, -1), "")
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for command, rows := range commands {
		if example, ok := strings.CutPrefix(command, "go run -C tools ./curves "); ok { // it has tests of its own
			if _, err := os.Stat(filepath.Join(root, "tools/curves", example+"_test.go")); err != nil {
				t.Errorf("%s:%d: %v", coursesPage, rows[0].line, err)
			}
			continue
		}
		own := t.TempDir()
		for _, entry := range shared {
			if err := os.Symlink(filepath.Join(folder, entry.Name()),
				filepath.Join(own, entry.Name())); err != nil {
				t.Fatal(err)
			}
		}
		group.Go(func() error {
			printed, err := run(own, variables+command)
			for _, n := range rows {
				if err != nil || !strings.Contains(printed, n.here) {
					t.Errorf("%s:%d: %s: want %q, error %v\n%s", coursesPage, n.line, command,
						n.here,
						err, printed)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
