package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// listedFormats returns the formats of tables that the help text lists.
func listedFormats(t *testing.T) []string {
	t.Helper()
	list := regexp.MustCompile(`(?s)the tables are FORMAT: (.*?) \(default`).FindStringSubmatch(
		strings.Join(strings.Fields(works(t, "data", "--help", "all")), " "))
	if list == nil {
		t.Fatal("the help text lists no formats")
	}
	return strings.Split(list[1], ", ")
}

func zstandard(t *testing.T, text []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(text, nil)
}

// Every format has the same model, predictions and figures in memory and in blocks, compressed and
// not, of files and of standard input. But for the night a format is compressed in one way, and the
// next format in another: data/tabletest reads each format in all of them.
func TestFormatsInEveryForm(t *testing.T) {
	for i, format := range listedFormats(t) {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			text := encode(t, format, largeRows(0, 15000))
			forms := map[string][]byte{"": text}
			if format != "parquet" && format != "arrow" && format != "xlsx" { // which are compressed inside
				packed := tabletest.Packed(t, text)
				packed[".zst"] = zstandard(t, text)
				for k, suffix := range slices.Sorted(maps.Keys(packed)) {
					if tier.Night() || k == i%len(packed) {
						forms[suffix] = packed[suffix]
					}
				}
			}
			label, towns := "y", "town"
			if format == "libsvm" {
				label, towns = "label", "f2"
			}
			model := filepath.Join(dir, "m.coppice")
			train := func(table, model string, flags ...string) []string {
				return append([]string{"train", table, "--label", label, "--categorical", towns,
					"--set", "trees=2", "--scratch", dir, "-o", model}, flags...)
			}
			for suffix, b := range forms {
				path := filepath.Join(dir, "t."+format+suffix)
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			plain := filepath.Join(dir, "t."+format)
			works(t, train(plain, model)...)
			again := filepath.Join(dir, "again.coppice")
			works(t, "retrain", model, plain, "--scratch", dir, "-o", again)
			same(t, model, again)
			predicted, evaluated := works(t, "predict", model, plain), works(t, "evaluate", model, plain)
			for suffix, b := range forms {
				path := filepath.Join(dir, "t."+format+suffix)
				for _, memory := range []string{"1GB", "1100kB"} {
					other := filepath.Join(dir, "other.coppice")
					for _, table := range []string{path, "-"} {
						if stdin := table == "-"; testing.Short() && (memory == "1GB" && (suffix != "" || !stdin) ||
							memory != "1GB" && len(forms) > 1 && (suffix == "") == stdin) {
							continue // in memory as above; in blocks the plain file and packed standard input
						}
						_, errs, status := runOn(t, bytes.NewReader(b), train(table, other, "--memory", memory)...)
						if blocks := strings.Contains(errs, "is read in blocks"); status != 0 || blocks != (memory != "1GB") {
							t.Fatalf("train %s (%s) of %s: status %d: %s", table, path, memory, status, errs)
						}
						same(t, model, other)
						for command, want := range map[string]string{"predict": predicted, "evaluate": evaluated} {
							got, errs, status := runOn(t, bytes.NewReader(b), command, model, table, "--memory", memory)
							got = strings.ReplaceAll(strings.ReplaceAll(got, table, path), "standard input", path)
							want = strings.ReplaceAll(want, plain, path) // lines break by the length of the name
							if status != 0 || !slices.Equal(strings.Fields(got), strings.Fields(want)) {
								t.Errorf("%s %s (%s) of %s: status %d: %s%s", command, table, path, memory, status, errs, got)
							}
						}
					}
				}
			}
		})
	}
}
