package relations

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const pageHead = `# Relations that hold of every learner

A test trains every learner on random tables, and compares two trainings or two predictions that
have to agree. The tables have numbers, categories, missing values and weights. Labels are classes,
numbers, grades in groups, or times of events. The test makes this page.

<!-- not run: these make this page -->
` + "```sh" + `
go test ./learn/learntest/relations                    # compares
COPPICE_UPDATE=1 go test ./learn/learntest/relations   # writes the page again
` + "```" + `

A new learner of the catalog is tried at once. A word behind a slash names other settings than the
defaults, which ` + "`subjects`" + ` lists in the package.
`

// comparePage fails where docs/relations.md is another page. With COPPICE_UPDATE it writes the
// page.
func comparePage(t *testing.T, want string) {
	t.Helper()
	const file = "../../../docs/relations.md"
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what holds: run COPPICE_UPDATE=1 go test ./learn/learntest/relations", file)
	}
}

// page returns docs/relations.md.
func page(found map[string]map[string]string) string {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("\n## The relations\n\n| | relation | statement |\n|--:|---|---|\n")
	all := relations()
	for i, r := range all {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", i+1, r.name, r.says)
	}
	b.WriteString("\n## The table\n\n")
	b.WriteString("`=` is the same bits, `≈` the same up to rounding, and `~` as far apart as models " +
		"of two seeds.\n`-` stands where the relation does not hold, with the reason below. An empty " +
		"cell has no\nstatement: the learner does not have what the relation is about.\n\n| learner |")
	for i := range all {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n|---|" + strings.Repeat("--|", len(all)) + "\n")
	for _, s := range subjects() {
		fmt.Fprintf(&b, "| %s |", s.title)
		for _, r := range all {
			fmt.Fprintf(&b, " %s |", found[s.title][r.name])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## The exceptions\n\n| | relation | learners | what holds | reason |\n|--:|---|---|---|---|\n")
	for i, r := range all {
		for _, e := range r.except {
			of := strings.Join(strings.Fields(e.of), ", ")
			if e.task != 0 {
				of += " (" + e.task.String() + ")"
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", i+1, r.name, of, e.holds(), e.why)
		}
	}
	return b.String()
}

// holds returns what an exception states, in words.
func (e *exception) holds() string {
	switch {
	case e.chance:
		return "as models of two seeds"
	case e.within > 0:
		return fmt.Sprintf("up to %g", e.within)
	}
	return "nothing"
}
