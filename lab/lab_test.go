package lab

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/lab/trial"
)

// TestPage runs the reproductions that are not slow and compares docs/lab.md and its pictures with what they give. Those that
// are slow must have a section and pictures that some run left.
func TestPage(t *testing.T) {
	root, err := trial.Root()
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(root, "docs", file))
		if err != nil {
			t.Errorf("%v: go run ./lab/page writes it", err)
		}
		return string(text)
	}
	page := read("lab.md")
	sections := Sections(page)
	pictures := 0
	for _, row := range Table() {
		if row.Slow == "" {
			r, err := row.Run(t.Context(), &Room{})
			if err != nil {
				t.Errorf("%s: %v", row.Name, err)
				continue
			}
			s := whole(t, &row, r)
			if diff := cmp.Diff(sections[row.Name], s.Text); diff != "" {
				t.Errorf("docs/lab.md is not what %s gives (go run ./lab/page %s, if that is meant): -page +run\n%s", row.Name, row.Name, diff)
			}
			for file, text := range s.Pictures {
				if read("img/"+file) != text {
					t.Errorf("docs/img/%s is not what %s draws: go run ./lab/page %s, and look at it", file, row.Name, row.Name)
				}
			}
		}
		for _, link := range regexp.MustCompile(`\]\((img/[^)]+)\)`).FindAllStringSubmatch(sections[row.Name], -1) {
			if pictures++; !strings.HasPrefix(link[1], "img/lab-"+row.Name) || read(link[1]) == "" {
				t.Errorf("%s shows %q", row.Name, link[1])
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "docs/img/lab-*.svg"))
	if err != nil || len(files) != pictures {
		t.Errorf("%d files docs/img/lab-*.svg, %d pictures on the page, error %v", len(files), pictures, err)
	}
	whole, err := Page(sections)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page, whole); diff != "" {
		t.Errorf("docs/lab.md is not what its sections make (go run ./lab/page): -page +made\n%s", diff)
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("docs/lab.md holds a number that is none")
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Table() {
		if !regexp.MustCompile(`^[a-z][a-z0-9-]+$`).MatchString(row.Name) || seen[row.Name] {
			t.Errorf("name %q: want another, of small letters", row.Name)
		}
		if seen[row.Name] = true; row.Title == "" || row.Source == "" || row.Run == nil {
			t.Errorf("%s lacks a title, a source or what it runs", row.Name)
		}
		if found, err := ByName(row.Name); err != nil || found.Title != row.Title {
			t.Errorf("%s: found %v, error %v", row.Name, found, err)
		}
	}
	if _, err := ByName("voter"); err == nil || !strings.Contains(err.Error(), `did you mean "voters"`) {
		t.Errorf("error %v for an unknown name", err)
	}
}

// whole checks what every result must have, also a small one of a slow reproduction: tables with equal rows, pictures that are drawn
// both ways, nothing that is not a number. It returns what the page shows.
func whole(t *testing.T, row *Reproduction, r *Result) *Section {
	t.Helper()
	name := row.Name
	s, err := NewSection(row, r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Text, "NaN") || len(r.Text) == 0 || len(r.Claims)+len(r.Findings) == 0 || len(r.Pictures) == 0 {
		t.Errorf("%s lacks text, claims or pictures, or holds NaN:\n%s", name, s.Text)
	}
	for _, table := range r.Tables {
		for i, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s, table %q, row %d: %d cells for %d columns", name, table.Title, i, len(row), len(table.Columns))
			}
		}
	}
	for _, p := range r.Pictures {
		var picture, text bytes.Buffer
		if err := errors.Join(p.SVG(&picture), p.Text(&text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(picture.String()+text.String(), "NaN") {
			t.Errorf("%s: the picture holds NaN", name)
		}
		for d := xml.NewDecoder(&picture); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	return s
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		claim Claim
		words string
		ok    bool
	}{
		{Claim{Published: 1, Ours: 1.04, Slack: 0.05}, same, true},
		{Claim{Published: 1, Ours: 1.06, Slack: 0.05}, differs, false},
		{Claim{Published: 1, Ours: 0.9, Slack: 0.05}, differs, false},
		{Claim{Published: 1, Ours: 1.09, Error: 0.05}, near, true},
		{Claim{Published: 1, Ours: 1.11, Error: 0.05}, differs, false},
		{Claim{Published: 1, Ours: 0.5, Rule: AtMost}, better, true},
		{Claim{Published: 1, Ours: 1.09, Error: 0.05, Rule: AtMost}, near, true},
		{Claim{Published: 1, Ours: 1.11, Error: 0.05, Rule: AtMost}, worse, false},
		{Claim{Published: 1, Ours: 1.5, Rule: AtLeast}, better, true},
		{Claim{Published: 1, Ours: 0.5, Rule: AtLeast}, worse, false},
		{Claim{Published: 1, Ours: 7, Rule: Beside}, none, true},
		{Claim{Published: math.NaN(), Ours: 7}, none, true},
		{Claim{Published: 1, Ours: math.NaN(), Rule: AtMost}, differs, false},
	} {
		if words, ok := c.claim.Verdict(); words != c.words || ok != c.ok {
			t.Errorf("%+v: %q, %v", c.claim, words, ok)
		}
		if r := (&Result{Claims: []Claim{c.claim}}); r.Kept() != c.ok {
			t.Errorf("%+v: kept %v", c.claim, r.Kept())
		}
	}
	r := &Result{Findings: []Finding{{Holds: true}, {}, {Open: true}}, Claims: []Claim{{Published: 1, Ours: 1}, {Published: 1, Ours: 2}, {Published: 1, Rule: Beside}, {Published: math.NaN(), Ours: 2}}}
	if n := r.Count(); n != (Count{2, 2, 1, 1}) || n.String() != "2 hold, 2 DO NOT HOLD, 1 undecided, 1 cannot be compared" {
		t.Errorf("counted %+v: %v", n, n)
	}
	for want, n := range map[string]Count{"1 holds, none fails": {1, 0, 0, 0}, "0 hold, 1 DOES NOT HOLD": {0, 1, 0, 0}, "5 hold, none fails, 2 cannot be compared": {5, 0, 0, 2}} {
		if n.String() != want {
			t.Errorf("%+v is told as %q", n, n)
		}
	}
	for want, difference := range map[string]float64{"holds": 2.1, "undecided": -2, "does not hold": -2.1} {
		if f := bySigns("", "", difference, 1); f.Verdict() != want || (&Result{Findings: []Finding{f}}).Kept() != (difference >= -2) {
			t.Errorf("a difference of %g standard errors %s, want %s", difference, f.Verdict(), want)
		}
	}
	if (&Result{Findings: []Finding{{Holds: true}, {}}}).Kept() {
		t.Error("a finding that does not hold is kept")
	}
	text, err := json.Marshal(Claim{What: "x", Published: math.NaN(), Ours: 2})
	if want := `{"what":"x","published":null,"ours":2,"error":0,"rule":"same","verdict":"-","kept":true}`; err != nil || string(text) != want {
		t.Errorf("%s, error %v, want %s", text, err, want)
	}
}

func TestSections(t *testing.T) {
	sections := map[string]string{}
	for _, row := range Table() {
		sections[row.Name] = "text of " + row.Name + "\n\nmore\n"
	}
	page, err := Page(sections)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sections, Sections(page)); diff != "" {
		t.Errorf("-in +out\n%s", diff)
	}
	delete(sections, Table()[0].Name)
	if _, err := Page(sections); err == nil {
		t.Error("a page without a section is no error")
	}
}
