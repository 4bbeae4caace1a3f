package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// large is a row of a table that is larger than the memory that tests allow.
type large struct {
	X    float64 `parquet:"x" json:"x"`
	Town string  `parquet:"town" json:"town"`
	Y    string  `parquet:"y" json:"y"`
}

func largeRows(from, to int) []large {
	rows := make([]large, to-from)
	for i := range rows {
		k := (from + i) * 7919 % 10007
		rows[i] = large{float64(k%701) / 4, fmt.Sprint("t", k%13), []string{"no", "yes"}[k%701/400]}
	}
	return rows
}

// writeWorkbook writes rows as a workbook of one sheet.
func writeWorkbook(to io.Writer, rows []large) error {
	var sheet strings.Builder
	sheet.WriteString("<worksheet>")
	cell := func(text string) { fmt.Fprintf(&sheet, `<c t="str"><v>%s</v></c>`, text) }
	for i := -1; i < len(rows); i++ {
		sheet.WriteString("<row>")
		if i < 0 {
			cell("x")
			cell("town")
			cell("y")
		} else {
			fmt.Fprintf(&sheet, "<c><v>%v</v></c>", rows[i].X)
			cell(rows[i].Town)
			cell(rows[i].Y)
		}
		sheet.WriteString("</row>")
	}
	sheet.WriteString("</worksheet>")
	z := zip.NewWriter(to)
	for _, part := range [][2]string{{"[Content_Types].xml", "<Types/>"}, {"xl/workbook.xml", `<w><sheet name="a" r:id="r"/></w>`},
		{"xl/_rels/workbook.xml.rels", `<R><Relationship Id="r" Target="s.xml"/></R>`}, {"xl/s.xml", sheet.String()}} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = io.WriteString(w, part[1])
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// encode writes rows in a format.
func encode(t *testing.T, format string, rows []large) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "csv":
		b.WriteString("x,town,y\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "%v,%s,%s\n", r.X, r.Town, r.Y)
		}
	case "xlsx":
		err = writeWorkbook(&b, rows)
	case "jsonl":
		for _, r := range rows {
			fmt.Fprintf(&b, "{\"x\": %v, \"town\": %q, \"y\": %q}\n", r.X, r.Town, r.Y)
		}
	case "parquet":
		w := parquet.NewGenericWriter[large](&b, parquet.MaxRowsPerRowGroup(1000))
		if _, err = w.Write(rows); err == nil {
			err = w.Close()
		}
	case "arrow":
		err = writeArrow(&b, rows)
	case "arff":
		b.WriteString("@relation t\n@attribute x real\n@attribute town string\n@attribute y {no,yes}\n@data\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "%v,%s,%s\n", r.X, r.Town, r.Y)
		}
	case "libsvm": // of which the columns are called label, f1 and f2
		for _, r := range rows {
			fmt.Fprintf(&b, "%d 1:%v 2:%s\n", strings.Index("noyes", r.Y)/2, r.X, r.Town[1:])
		}
	default:
		t.Fatalf("tables of %s are not tested", format)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func writeArrow(b *bytes.Buffer, rows []large) error {
	s := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		{Name: "town", Type: arrow.BinaryTypes.String}, {Name: "y", Type: arrow.BinaryTypes.String}}, nil)
	w, err := ipc.NewFileWriter(b, ipc.WithSchema(s))
	for len(rows) > 0 && err == nil {
		now := rows[:min(1000, len(rows))]
		rows = rows[len(now):]
		r := array.NewRecordBuilder(memory.DefaultAllocator, s)
		for _, row := range now {
			r.Field(0).(*array.Float64Builder).Append(row.X)
			r.Field(1).(*array.StringBuilder).Append(row.Town)
			r.Field(2).(*array.StringBuilder).Append(row.Y)
		}
		err = w.Write(r.NewRecordBatch())
	}
	if err == nil {
		err = w.Close()
	}
	return err
}

// Folders of files in every format that is read in blocks are trained on beyond memory, and make
// the model of training in memory. Files in folders key=value have a column of that name.
func TestTrainOnFoldersInBlocks(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	var want, predicted []byte
	for _, format := range []string{"csv", "jsonl", "parquet", "arrow"} {
		for k := range 3 {
			folder := at(format, fmt.Sprintf("shop=s%d", k))
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			rows := largeRows(6000*k, 6000*(k+1))
			err := os.WriteFile(filepath.Join(folder, "a."+format), encode(t, format, rows), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
		model := at(format + ".coppice")
		train := []string{"train", at(format), "--label", "y", "--set", "trees=4", "--scratch", dir, "-o", model}
		if want == nil {
			works(t, train...)
			want = predictedBy(t, model, at(format), "--memory", "1GB")
		}
		_, errs, status := run(t, append(train, "--memory", "1300kB")...)
		if status != 0 || !strings.Contains(errs, "the table is read in blocks") {
			t.Fatalf("%s: status %d: %s", format, status, errs)
		}
		predicted = predictedBy(t, model, at(format), "--memory", "1300kB")
		if !bytes.Equal(predicted, want) {
			t.Errorf("%s: other predictions", format)
		}
		if shown := works(t, "show", model); !regexp.MustCompile(`3 features|shop`).MatchString(shown) {
			t.Errorf("%s: %s", format, shown)
		}
	}
}

// predictedBy returns the probabilities of a model.
func predictedBy(t *testing.T, model, table string, flags ...string) []byte {
	t.Helper()
	return []byte(works(t, append([]string{"predict", model, table, "--output", "proba", "--keep", "shop"}, flags...)...))
}

// Evaluation in blocks has the figures of evaluation in memory, in every format and of folders.
func TestEvaluateInBlocks(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m.coppice")
	all := largeRows(0, 30000)
	for _, format := range []string{"csv", "jsonl", "parquet", "arrow"} {
		for k := range 2 {
			folder := filepath.Join(dir, format, fmt.Sprintf("w=%d", k+1))
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			err := os.WriteFile(filepath.Join(folder, "a."+format), encode(t, format, all[14000*k:14000*(k+1)+k*2000]), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
		table := filepath.Join(dir, format)
		if format == "csv" { // not on all rows that are evaluated, which is found in memory alone
			works(t, "train", filepath.Join(table, "w=2"), "--label", "y", "--learner", "cart", "--set", "max_depth=4", "-o", model)
		}
		evaluate := []string{"evaluate", model, table, "--weight", "w", "--calibration"}
		want := works(t, evaluate...)
		if got := works(t, append(evaluate, "--memory", "1MiB")...); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", format, got, want)
		}
	}
}

// Standard input, text and binary, is read in blocks as a file is: in training, evaluation and
// description. Its scratch file is removed.
func TestStdinInBlocks(t *testing.T) {
	dir, scratch := t.TempDir(), t.TempDir()
	model, other := filepath.Join(dir, "m.coppice"), filepath.Join(dir, "other.coppice")
	for _, format := range []string{"csv", "parquet"} {
		text := encode(t, format, largeRows(0, 50000))
		path := filepath.Join(dir, "t."+format)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"train", "-", "--label", "y", "--set", "trees=2", "--quiet-checks", "-o", other},
			{"evaluate", model, "-"}, {"data", "-"}} {
			limit := "1MiB"
			if command[0] == "train" {
				limit = "3MB"
			}
			command = append(command, "--memory", limit, "--scratch", scratch)
			file := slices.Clone(command)
			file[slices.Index(file, "-")] = path
			if at := slices.Index(file, other); at >= 0 {
				file[at] = model
			}
			want := works(t, file...)
			got, errs, status := runOn(t, bytes.NewReader(text), command...)
			want = strings.ReplaceAll(strings.ReplaceAll(want, path, "standard input"), model, other)
			got, want = lasting(strings.ReplaceAll(got, model, other)), lasting(want)
			if status != 0 || got != want {
				t.Errorf("%s of %s: status %d, %s, got\n%s\nwant\n%s", command[0], format, status, errs, got, want)
			}
			if !strings.Contains(errs, "is in a scratch file in "+scratch) {
				t.Errorf("%s of %s: %s", command[0], format, errs)
			}
		}
		same(t, model, other)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// tableName is the beginning of the line about a table.
var tableName = regexp.MustCompile(`^data .*?: `)

// lasting leaves out of an output how long a training took, the example of a prediction, the name
// of the table, which is shortened, and where lines are wrapped.
func lasting(output string) string {
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		if lines[i] = untimed(line); strings.HasPrefix(line, "next ") {
			lines[i] = "next"
		}
		if name := tableName.FindString(line); name != "" {
			lines[i] = "data " + line[len(name):]
		}
	}
	return strings.Join(strings.Fields(strings.Join(lines, "\n")), " ")
}

// same checks that two files have the same bytes.
func same(t *testing.T, one, two string) {
	t.Helper()
	a, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(two); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%s and %s differ, %v", one, two, err)
	}
}

// Texts of which each is another one, and which memory does not hold together, become the columns
// of the model block by block.
func TestEvaluateTextsInBlocks(t *testing.T) {
	dir := t.TempDir()
	few, model := filepath.Join(dir, "few.csv"), filepath.Join(dir, "m.coppice")
	rows := largeRows(0, 40000)
	for i := range rows {
		land := map[string]string{"no": "hills", "yes": "lakes"}[rows[i].Y]
		if i%7 == 0 {
			land = "hills"
		}
		rows[i].Town = fmt.Sprintf("town number %d of %s", i, land)
	}
	if err := os.WriteFile(few, encode(t, "csv", rows[:500]), 0o600); err != nil {
		t.Fatal(err)
	}
	works(t, "train", few, "--label", "y", "--learner", "cart", "--text", "town", "--ignore", "x", "-o", model)
	for _, format := range []string{"csv", "parquet"} {
		table := filepath.Join(dir, "t."+format)
		if err := os.WriteFile(table, encode(t, format, rows), 0o600); err != nil {
			t.Fatal(err)
		}
		want, wantNotes, _ := run(t, "evaluate", model, table)
		got, errs, status := run(t, "evaluate", model, table, "--memory", "3MiB", "--scratch", dir)
		if status != 0 || got != want || notes(errs) != notes(wantNotes) {
			t.Errorf("%s: status %d, %s, got\n%s\nwant\n%s", format, status, errs, got, want)
		}
		predicted := filepath.Join(dir, "p.csv")
		works(t, "predict", model, table, "--memory", "3MiB", "-o", predicted)
		if p, err := os.ReadFile(predicted); err != nil || bytes.Count(p, []byte("\n")) != len(rows)+1 {
			t.Errorf("%s: %d lines of predictions, %v", format, bytes.Count(p, []byte("\n")), err)
		}
	}
}

// notes returns the lines of standard error in their alphabetical order. Before an error they are
// left out.
func notes(errs string) string {
	if at := strings.Index(errs, "coppice: "); at >= 0 {
		return errs[at:]
	}
	return strings.Join(slices.Sorted(strings.Lines(errs)), "")
}

// Evaluation in blocks has the output of evaluation in memory for numbers, anomalies, rows without
// a label and a named positive class, and the same errors about labels.
func TestEvaluateLabelsInBlocks(t *testing.T) {
	tier.NotShort(t, "evaluates many rows twice")
	dir := t.TempDir()
	rows := largeRows(0, 30000)
	table := filepath.Join(dir, "t.csv")
	text := encode(t, "csv", rows)
	for name, content := range map[string][]byte{"t.csv": text, "half.csv": encode(t, "csv", rows[:len(rows)/2]),
		"holes.csv":   regexp.MustCompile(`(?m)^(\d+5,.*),(yes|no)$`).ReplaceAll(text, []byte("$1,")),
		"unknown.csv": regexp.MustCompile(`(?m)^(1[0-9]\.5,.*),no$`).ReplaceAll(text, []byte("$1,never"))} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for learner, label := range map[string]string{"cart": "y", "linear": "x", "isolation": ""} {
		model := filepath.Join(dir, learner+".coppice")
		train := []string{"train", filepath.Join(dir, "half.csv"), "--learner", learner, "-o", model}
		if label == "" {
			train, label = append(train, "--ignore", "y", "--set", "trees=2"), "y"
		} else {
			train = append(train, "--label", label)
		}
		works(t, train...)
		for _, data := range []string{"t.csv", "holes.csv", "unknown.csv"} {
			for _, flags := range [][]string{nil, {"--drop-unlabeled", "--positive", "no"}, {"--map", "never=yes", "--map", "1=2"}} {
				if len(flags) > 1 && flags[1] == "--positive" && learner != "cart" {
					flags = flags[:1]
				}
				evaluate := append([]string{"evaluate", model, filepath.Join(dir, data), "--label", label}, flags...)
				want, wantErrs, wantStatus := run(t, evaluate...)
				got, errs, status := run(t, append(evaluate, "--memory", "1MiB", "--scratch", dir)...)
				if status != wantStatus || got != want || notes(errs) != notes(wantErrs) {
					t.Errorf("%s, %s, %q: status %d, got\n%s%s\nstatus %d, want\n%s%s", learner, data, flags, status, got, errs, wantStatus, want, wantErrs)
				}
			}
		}
	}
	model, none := filepath.Join(dir, "cart.coppice"), filepath.Join(dir, "none")
	_, errs, status := run(t, "evaluate", model, table, "--memory", "1MiB", "--scratch", none)
	if want := "coppice: cannot make a scratch file in " + none + ": no such file or directory\n"; status != 1 || errs != want {
		t.Errorf("status %d, %q, want %q", status, errs, want)
	}
}

// The columns of a table beyond memory are shown as those of a table in memory, and a sample of its
// rows is checked.
func TestDataBeyondMemory(t *testing.T) {
	rows := largeRows(0, 90000)
	for _, format := range []string{"csv", "parquet", "jsonl", "arrow"}[:tier.Count(2, 4, 4)] {
		path := filepath.Join(t.TempDir(), "t."+format)
		if err := os.WriteFile(path, encode(t, format, rows), 0o600); err != nil {
			t.Fatal(err)
		}
		want := works(t, "data", path, "--quiet-checks")
		got, errs, status := run(t, "data", path, "--memory", "1MiB")
		if status != 0 || got != want || strings.Contains(errs, "warning") {
			t.Errorf("%s: status %d, %s, got\n%s\nwant\n%s", format, status, errs, got, want)
		}
		_, errs, status = run(t, "data", path, "--memory", "1MiB", "--label", "y")
		if status != 1 || !strings.Contains(errs, "the limit is 1 MB") {
			t.Errorf("%s with a label: status %d, %s", format, status, errs)
		}
	}
}

// A table beyond memory gets the warnings of a table in memory, from data and from train.
func TestWarningsBeyondMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,x,one,y\n")
	for i := range 30_000 {
		x := fmt.Sprint(i * 7919 % 701)
		if i%20 == 0 {
			x = "-999"
		}
		fmt.Fprintf(&b, "%d,%s,1,%s\n", 3*i, x, []string{"no", "yes"}[i*31%7/4])
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"data", path, "--json"},
		{"train", path, "--label", "y", "--json", "--no-profile", "--set", "trees=2", "--scratch", t.TempDir(),
			"-o", filepath.Join(t.TempDir(), "m.coppice")}} {
		out, errs, status := run(t, append(command, "--memory", "2MB")...)
		var r struct{ Warnings []struct{ Check string } }
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 {
			t.Fatalf("%s: %v, %s", command[0], err, errs)
		}
		var checks []string
		for _, w := range r.Warnings {
			checks = append(checks, w.Check)
		}
		if want := []string{"identifier", "sentinel", "constant"}; !slices.Equal(checks, want) {
			t.Errorf("%s: %q, want %q", command[0], checks, want)
		}
		out, _, _ = run(t, append(command, "--memory", "2MB", "--quiet-checks")...)
		if strings.Contains(out, `"warnings"`) {
			t.Errorf("%s --quiet-checks: %s", command[0], out)
		}
	}
}

// Values of Shapley of a table in parts are those of the whole table, also where they are
// estimated for each row.
func TestExplainInParts(t *testing.T) {
	tier.NotShort(t, "explains many rows twice")
	dir := t.TempDir()
	model, path, few := filepath.Join(dir, "m.coppice"), filepath.Join(dir, "t.csv"), filepath.Join(dir, "few.csv")
	for name, rows := range map[string]int{path: 60000, few: 5} {
		if err := os.WriteFile(name, encode(t, "csv", largeRows(0, rows)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	works(t, "train", path, "--label", "y", "--learner", "cart", "--set", "max_depth=3", "-o", model)
	for _, flags := range [][]string{nil, {"--interactions"}, {"--top", "1"},
		{"--output", "proba", "--background", few, "--samples", "2"}} {
		explain := append([]string{"explain", model, path}, flags...)
		want := works(t, append(explain, "--memory", "1GB")...)
		if got := works(t, append(explain, "--memory", "8MB")...); got != want {
			t.Errorf("%q differ", flags)
		}
	}
}
