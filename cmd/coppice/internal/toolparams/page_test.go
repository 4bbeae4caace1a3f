package toolparams

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// page is made of the tables.
const page = "../../../../docs/tool-parameters.md"

// TestPage compares the page with the tables. With COPPICE_UPDATE it is written anew.
func TestPage(t *testing.T) {
	want := pageText()
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(page); string(got) != want || err != nil {
		t.Errorf("%s is not what the tables say, error %v: "+
			"run COPPICE_UPDATE=1 go test ./cmd/coppice/internal/toolparams -run TestPage", page, err)
	}
}

func pageText() string {
	var b strings.Builder
	b.WriteString(`# Parameters of other tools

A test makes this page of the tables in ` + "`cmd/coppice/internal/toolparams`" + `.
[Files of parameters](parameters.md) shows how they are read. "set.NAME" is a parameter of the
learner ` + "`gbm`" + `, and a name with two hyphens is a flag of ` + "`train`" + `. Defaults and conventions
are those of ` + "`--compat`" + `. What is left out is printed as a note, and what is refused is an error.
`)
	for _, tool := range Tools() {
		fmt.Fprintf(&b, "\n## %s\n\n| parameter | also | becomes | remark |\n|---|---|---|---|\n", tool.Title)
		for _, p := range tool.Parameters {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, strings.Join(p.Aliases, ", "),
				p.Becomes, p.Why)
		}
	}
	return b.String()
}
