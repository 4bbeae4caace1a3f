package ydf_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/codec/ydf"
	"github.com/coppice-ml/coppice/model"
)

const folder = "../../testdata/models/ydf"

// sample is a folder that YDF wrote, with rows and what YDF predicts for them.
type sample struct {
	model string
	rows  string
	want  string // "": nothing is known
	slack float64
}

// samples are those of testdata/models/ydf. YDF wrote its predictions with six digits.
var samples = []sample{
	{model: "abalone_regression_gbdt", rows: "abalone.csv", want: "abalone_regression_gbdt.csv",
		slack: 5e-6},
	{model: "abalone_regression_rf_small", rows: "abalone.csv"},
	{model: "adult_binary_class_gbdt", rows: "adult_test.csv",
		want: "adult_test_binary_class_gbdt.csv", slack: 5e-6},
	{model: "adult_binary_class_rf_nwta_small", rows: "adult_test.csv"},
	{model: "adult_binary_class_rf_wta_small", rows: "adult_test.csv"},
}

// nodesOf has the folder whose file of nodes is that of another folder, too.
var nodesOf = map[string]string{
	"adult_binary_class_rf_wta_small": "adult_binary_class_rf_nwta_small",
}

// read reads the files of a model.
func read(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, pattern := range []string{name + "/*", nodesOf[name] + "/nodes-*"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = &fstest.MapFile{Data: b}
		}
	}
	return files
}

// decode reads a model and its reference.
func decode(t testing.TB, files fs.FS) (*model.Ensemble, codec.Reference) {
	t.Helper()
	m, err := ydf.Format().DecodeFS(files, codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := ydf.Format().ReferenceFS(files, codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), ref
}

// table reads a table with a header.
func table(t *testing.T, name string) (header []string, rows [][]string) {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var from io.Reader = f
	if filepath.Ext(name) == ".gz" {
		if from, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	all, err := csv.NewReader(from).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// rows returns a table's rows in the order of a model's columns.
func rows(t *testing.T, m *model.Ensemble, name string) [][]float64 {
	t.Helper()
	header, records := table(t, name)
	var all [][]float64
	for _, r := range records {
		var row []float64
		for _, f := range m.Meta.Schema.Fields {
			switch text := r[slices.Index(header, f.Name)]; {
			case text == "":
				row = append(row, math.NaN())
			case f.Levels != nil:
				row = append(row, float64(slices.Index(f.Levels, text)))
			default:
				row = append(row, number(t, text))
			}
		}
		all = append(all, row)
	}
	return all
}

// Models and their references agree at all split points and on the rows, and with YDF on the rows.
func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.model, func(t *testing.T) {
			m, ref := decode(t, read(t, s.model))
			probes := parity.Make(m, 4000)
			cert, err := parity.Compare(t.Context(), m, ref, true, probes)
			if err != nil {
				t.Fatal(err)
			}
			own := &parity.Probes{Columns: len(m.Meta.Schema.Fields),
				Values: slices.Concat(rows(t, m, s.rows)...)}
			onRows, err := parity.Compare(t.Context(), m, ref, true, own)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d trees, %d probes: largest difference from the reference %.2g; %d rows: %.2g "+
				"(%.2g allowed)", len(m.Trees), probes.Rows(), cert.Largest, own.Rows(), onRows.Largest,
				onRows.Allowed)
			if s.want != "" {
				compare(t, m, own, &s)
			}
		})
	}
}

// compare compares a model with what YDF predicts.
func compare(t *testing.T, m *model.Ensemble, p *parity.Probes, s *sample) {
	t.Helper()
	header, records := table(t, s.want)
	if m.Meta.Classes != nil && !slices.Equal(header, m.Meta.Classes) {
		t.Fatalf("the classes are %q, want %q", m.Meta.Classes, header)
	}
	var want []float64
	for _, r := range records {
		for _, text := range r {
			want = append(want, number(t, text))
		}
	}
	cert, err := parity.Expect(t.Context(), m, p, model.Response, want, s.slack)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows: largest difference from YDF's predictions %.2g", cert.Rows, cert.Largest)
}

// All rows of the tables, of which testdata has the first, give YDF's predictions.
func TestAllRows(t *testing.T) {
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		t.Skip("COPPICE_DATA names no folder with the whole tables, models/ydf")
	}
	at := func(parts ...string) string {
		return filepath.Join(append([]string{root, "models", "ydf"}, parts...)...)
	}
	for i, name := range []string{"dataset/abalone.csv", "dataset/adult_test.csv.gz"} {
		s := samples[2*i]
		s.want = at("prediction", s.want)
		t.Run(s.model, func(t *testing.T) {
			m, ref := decode(t, read(t, s.model))
			own := &parity.Probes{Columns: len(m.Meta.Schema.Fields),
				Values: slices.Concat(rows(t, m, at(name))...)}
			if _, err := parity.Compare(t.Context(), m, ref, true, own); err != nil {
				t.Fatal(err)
			}
			compare(t, m, own, &s)
		})
	}
}

// Gains are YDF's importance SUM_SCORE, and the cover of a root is the number of training rows.
func TestGainsAndCovers(t *testing.T) {
	for _, c := range []struct {
		model string
		gains map[string]float64
		cover float64
	}{
		{"abalone_regression_gbdt", map[string]float64{"ShellWeight": 66150.504812,
			"Height": 7003.560979, "Type": 3674.484340}, 2663},
		{"abalone_regression_rf_small", map[string]float64{"ShellWeight": 105207.836574,
			"Type": 10835.597397}, 4177},
		{"adult_binary_class_gbdt", map[string]float64{"marital_status": 530956984.119748,
			"fnlwgt": 104373733.635293}, 20533},
	} {
		m, _ := decode(t, read(t, c.model))
		for name, want := range c.gains {
			got := m.Origin.Gain[m.Meta.Schema.Index(name)]
			if math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s: the gain of %s is %v, want %v", c.model, name, got, want)
			}
		}
		for i, tr := range m.Trees {
			if got := tr.Covers(); len(got) != tr.Len() || got[0] != c.cover {
				t.Errorf("%s: the cover of tree %d is %v, want %v", c.model, i, got[0], c.cover)
			}
		}
	}
}

// A folder without its header of trees, or without nodes, is damaged: the error names the file.
func TestMissingFile(t *testing.T) {
	files := read(t, "abalone_regression_gbdt")
	delete(files, "nodes-00000-of-00001")
	for want, files := range map[string]fs.FS{
		"random_forest_header.pb": read(t, "abalone_regression_rf"), "nodes-00000-of-00001": files,
	} {
		_, err := ydf.Format().DecodeFS(files, codec.Limits{})
		var damage *codec.CorruptError
		if !errors.As(err, &damage) || damage.Section != want || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", want, err)
		}
	}
}
