package reproductions

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
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// TestPages runs the reproductions that are not slow and compares their pages and pictures with
// what they give. Those that are slow must have a page and pictures that some run left.
func TestPages(t *testing.T) {
	tier.NotShort(t, "runs all experiments")
	root, err := filepath.Abs("../../../../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(root, "docs", file))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if names := os.Getenv("COPPICE_UPDATE"); names != "" {
		writePages(t, filepath.Join(root, "docs"), names)
		return
	}
	pages, err := Pages(filepath.Join(root, "docs/lab"))
	if err != nil {
		t.Fatal(err)
	}
	pictures := 0
	for _, row := range Table() {
		if row.Slow == "" {
			compare(t, &row, pages[row.Name], read)
		}
		for _, link := range regexp.MustCompile(`\]\(\.\./(img/[^)]+)\)`).FindAllStringSubmatch(pages[row.Name], -1) {
			if pictures++; !strings.HasPrefix(link[1], "img/lab-"+row.Name) || read(link[1]) == "" {
				t.Errorf("%s shows %q", row.Name, link[1])
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "docs/img/lab-*.svg"))
	if err != nil || len(files) != pictures {
		t.Errorf("%d files docs/img/lab-*.svg, %d pictures on the pages, error %v", len(files),
			pictures, err)
	}
	if diff := cmp.Diff(read("lab.md"), Index()); diff != "" {
		t.Errorf("docs/lab.md is not the list (COPPICE_UPDATE=1 writes it): -page +list\n%s", diff)
	}
	if diff := cmp.Diff(read("printed.md"), Printed(pages)); diff != "" {
		t.Errorf("docs/printed.md is not the table (COPPICE_UPDATE=1 writes it): -page +table\n%s", diff)
	}
	explained(t, read("printed.md"), read("errata.md"))
	for name, page := range pages {
		if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
			t.Errorf("docs/lab/%s.md holds a number that is none", name)
		}
	}
	if found, err := filepath.Glob(filepath.Join(root, "docs/lab/*")); err != nil ||
		len(found) != len(pages) {
		t.Errorf("%d files in docs/lab, %d reproductions, error %v", len(found), len(pages), err)
	}
}

// explained checks that the page of misprints has a row for each printed number that is not found,
// with the lab, the digits and a reason.
func explained(t *testing.T, printed, errata string) {
	t.Helper()
	rows := 0
	for line := range strings.SplitSeq(printed, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		verdict, _, _ := strings.Cut(cells[len(cells)-1], ":")
		if len(cells) != 7 || !slices.Contains([]string{better, early, misprint, differs, worse}, verdict) {
			continue
		}
		rows++
		if !regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(cells[0]) + ` \| [^|]* ` +
			regexp.QuoteMeta(cells[2]) + `( %)? \| [^|]+ \| [^|]+ \|$`).MatchString(errata) {
			t.Errorf("docs/errata.md has no row with a reason for %s: %s, printed %s", cells[0],
				cells[1], cells[2])
		}
	}
	if rows == 0 || rows != strings.Count(errata, "](lab/") {
		t.Errorf("docs/errata.md has rows for %d numbers, %d are not found", strings.Count(errata,
			"](lab/"), rows)
	}
}

// compare runs a reproduction and compares its page and its pictures.
func compare(t *testing.T, row *Reproduction, page string, read func(file string) string) {
	t.Helper()
	r, err := row.Run(t.Context(), &Env{})
	if err != nil {
		t.Errorf("%s: %v", row.Name, err)
		return
	}
	s := whole(t, row, r)
	if diff := cmp.Diff(page, s.Text); diff != "" {
		t.Errorf("docs/lab/%s is not what %s gives (if that is meant, %s): -page +run\n%s",
			row.PageFile(), row.Name, writtenBy(row.Name), diff)
	}
	for file, text := range s.Pictures {
		if read("img/"+file) != text {
			t.Errorf("docs/img/%s differs from the picture of %s (%s: look at it)", file, row.Name,
				writtenBy(row.Name))
		}
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Table() {
		if !regexp.MustCompile(`^[a-z][a-z0-9-]+$`).MatchString(row.Name) || seen[row.Name] {
			t.Errorf("name %q: want another, of small letters", row.Name)
		}
		if seen[row.Name] = true; row.Title == "" || row.Source == "" || row.run == nil {
			t.Errorf("%s has no title, no source or nothing to run", row.Name)
		}
		if found, err := ByName(row.Name); err != nil || found.Title != row.Title {
			t.Errorf("%s: found %v, error %v", row.Name, found, err)
		}
	}
	if _, err := ByName("voter"); err == nil ||
		!strings.Contains(err.Error(), `did you mean "voters"`) {
		t.Errorf("error %v for an unknown name", err)
	}
}

// whole checks any result, also a small one of a slow reproduction. Tables have rows of equal
// length, pictures exist in both forms, and no value is NaN. It returns the text of the page.
func whole(t *testing.T, row *Reproduction, r *Result) *Document {
	t.Helper()
	name := row.Name
	s, err := NewDocument(row, r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Text, "NaN") || len(r.Text) == 0 || len(r.Claims)+len(r.Findings) == 0 ||
		len(r.Pictures) == 0 {
		t.Errorf("%s has no text, claims or pictures, or holds NaN:\n%s", name, s.Text)
	}
	for _, table := range r.Tables {
		for i, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s, table %q, row %d: %d cells for %d columns", name, table.Title, i,
					len(row), len(table.Columns))
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
		if strings.Contains(picture.String(), "…</text>") {
			t.Errorf("%s: the picture has no room for a text", name)
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
	one := given(1)
	for _, c := range []struct {
		claim Claim
		words string
		ok    bool
	}{
		{Claim{Published: "1.0", Ours: 1.04}, same, true},
		{Claim{Published: "1.0", Ours: 1.06}, differs, false},
		{Claim{Published: "1.0", Ours: 0.9}, differs, false},
		{Claim{Published: "1", Ours: 1.04}, differs, false},
		{Claim{Published: "2/3", Ours: 2. / 3}, same, true},
		{Claim{Published: "2/3", Ours: 0.667}, differs, false},
		{Claim{Published: "1.0e2", Ours: 104}, same, true},
		{Claim{Published: "nothing", Ours: 1}, differs, false},
		{Claim{Published: "1", Ours: 1.09, Error: 0.05}, near, true},
		{Claim{Published: "1", Ours: 1.11, Error: 0.05}, differs, false},
		{Claim{Published: "1", Ours: 0.5, Rule: AtMost}, better, true},
		{Claim{Published: "1", Ours: 1.09, Error: 0.05, Rule: AtMost}, near, true},
		{Claim{Published: "1", Ours: 0.91, Error: 0.05, Rule: AtMost}, near, true}, // which may be chance
		{Claim{Published: "1", Ours: 0.89, Error: 0.05, Rule: AtMost}, better, true},
		{Claim{Published: "1", Ours: 1.11, Error: 0.05, Rule: AtMost}, worse, false},
		{Claim{Published: "1", Ours: 1.5, Rule: AtLeast}, better, true},
		{Claim{Published: "1", Ours: 0.5, Rule: AtLeast}, worse, false},
		{Claim{Published: "1", Ours: 1.5, Rule: Bound}, same, true},
		{Claim{Published: "1", Ours: 0.5, Rule: Bound}, worse, false},
		{Claim{Published: "1", Ours: 7, Rule: Beside}, beside, true},
		{Claim{Ours: 7}, none, true},
		{Claim{Published: "1", Ours: math.NaN(), Rule: AtMost}, differs, false},
		{Claim{Formula: one, Ours: 1}, same, true},
		// what is rounded in print is not in a formula
		{Claim{Formula: one, Ours: 1.05}, differs, false},
		{Claim{Formula: one, Ours: 1.05, Error: 0.03}, near, true},
		{Claim{Published: "1.0", Formula: given(1.02), Ours: 1.02, Reason: "rounded"}, same, true},
		{Claim{Published: "1.0", Formula: given(1.2), Ours: 1.2, Reason: "rounded"}, misprint, true},
		{Claim{Published: "1.0", Formula: given(1.2), Ours: 1.2}, differs, false},
		{Claim{Published: "1.0", Formula: given(1.2), Ours: 1, Reason: "rounded"}, differs, false},
		// by numbers that were rounded before: rounded at the end, or cut off
		{Claim{Published: "0.246", Formula: given(.2467), Ours: .2467, Early: given(.2463)}, early, true},
		{Claim{Published: "0.246", Formula: given(.2467), Ours: .2467, Early: given(.2469)}, early, true},
		{Claim{Published: "0.246", Formula: given(.2477), Ours: .2477, Early: given(.2471)}, differs, false},
		{Claim{Published: "0.247", Formula: given(.2467), Ours: .2467, Early: given(.246)}, same, true},
		{Claim{Published: "0.246", Formula: given(.2467), Ours: .2, Early: given(.246)}, differs, false},
	} {
		if words, ok := c.claim.Verdict(); words != c.words || ok != c.ok {
			t.Errorf("%+v: %q, %v", c.claim, words, ok)
		}
		if r := (&Result{Claims: []Claim{c.claim}}); r.Kept() != c.ok {
			t.Errorf("%+v: kept %v", c.claim, r.Kept())
		}
	}
	for want, difference := range map[string]float64{"holds": 2.1, "undecided": -2,
		"does not hold": -2.1} {
		if f := bySigns("", "", difference, 1); f.Verdict() != want ||
			(&Result{Findings: []Finding{f}}).Kept() != (difference >= -2) {
			t.Errorf("a difference of %g standard errors %s, want %s", difference,
				f.Verdict(), want)
		}
	}
	if (&Result{Findings: []Finding{{Holds: true}, {}}}).Kept() {
		t.Error("a finding that does not hold is kept")
	}
	text, err := json.Marshal([]Claim{{What: "x", Ours: 2},
		{What: "y", Published: "1.0", Formula: given(1.5), Reason: "rounded", Ours: 1.5},
		{What: "z", Published: "1.0", Formula: given(1.1), Early: given(1), Reason: "1 - 0",
			Ours: 1.1, Memory: true}})
	want := `[{"what":"x","published":null,"by_formula":null,"ours":2,"error":0,"rule":"same","verdict":"-","kept":true},` +
		`{"what":"y","published":1.0,"by_formula":1.5,"ours":1.5,"error":0,"rule":"same","verdict":"misprint","misprint":"rounded","kept":true},` +
		`{"what":"z","published":1.0,"by_formula":1.1,"ours":1.1,"error":0,"rule":"same","verdict":"rounded early","rounded_early":"1 - 0","from_memory":true,"kept":true}]`
	if err != nil || string(text) != want {
		t.Errorf("%s, error %v, want %s", text, err, want)
	}
}

// TestCount: numbers that are printed and those by formula are counted separately.
func TestCount(t *testing.T) {
	one := given(1)
	r := &Result{Findings: []Finding{{Holds: true}, {}, {Open: true},
		{Holds: true, Unpublished: true}}, Claims: []Claim{
		{Published: "1", Ours: 1}, {Published: "1", Ours: 2}, {Published: "2", Ours: 1, Rule: AtMost}, {Published: "1", Rule: Beside}, {Ours: 2},
		{Published: "1", Formula: given(2), Ours: 2, Reason: "rounded"}, {Formula: one, Ours: 1},
		{Published: "1.0", Formula: given(1.1), Early: one, Ours: 1.1}, {Formula: one, Ours: 2}}}
	n := r.Count()
	if want := (Count{Verdicts{1, 1, 1, 1, 1, 1}, Verdicts{Found: 3, Lost: 1},
		Statements{1, 1, 1}, Statements{Hold: 1}}); n != want || n.Lost() != 3 {
		t.Errorf("counted %+v, want %+v", n, want)
	}
	for want, n := range map[string]Count{
		"published numbers: 1 of 5 found again, 1 is better here, 1 was rounded early, 1 misprint, 1 IS NOT, 1 cannot be compared; " +
			"numbers by formula: 3 of 4 found again, 1 IS NOT; published statements: 1 of 3 hold, " +
			"1 DOES NOT, 1 undecided; other statements: 1 of 1 hold": n,
		"numbers by formula: 8 of 8 found again": {Formula: Verdicts{Found: 8}},
		"published numbers: 4 cannot be compared; published statements: 3 of 5 hold, 2 DO NOT": {
			Published: Verdicts{Beside: 4}, Statements: Statements{Hold: 3, Lost: 2}},
	} {
		if n.String() != want {
			t.Errorf("%+v is %q, want %q", n, n, want)
		}
	}
	if twice := n.Plus(n); twice.Published.Misprints != 2 || twice.Published.Early != 2 ||
		twice.Formula.Found != 6 ||
		twice.Statements.Open != 2 || twice.Others.Hold != 2 {
		t.Errorf("twice: %+v", twice)
	}
}

// TestMissingPage: a reproduction without a page is an error that gives the command.
func TestMissingPage(t *testing.T) {
	folder := t.TempDir()
	for _, row := range Table()[1:] {
		if err := os.WriteFile(filepath.Join(folder, row.PageFile()), []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := writtenBy(Table()[0].Name)
	if _, err := Pages(folder); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q in it", err, want)
	}
}
