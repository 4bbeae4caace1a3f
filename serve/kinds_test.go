package serve_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/offset"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// kinds are models of each task and each format, which predict a label, a number or several.
func kinds(t *testing.T) map[string]model.Model {
	all := tasks(t)
	settings := func(l learn.Learner, label string, roles data.Roles, set ...string) model.Model {
		if err := l.Params().Set(set); err != nil {
			t.Fatal(err)
		}
		roles.Label = label
		roles.Ignore = append(roles.Ignore, "stays", "cost")
		roles.Ignore = slices.DeleteFunc(roles.Ignore, func(name string) bool { return name == label })
		m, err := coppice.TrainStructs(t.Context(), l, visits(400, 1), roles, coppice.Workers(1))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all["quantiles"] = settings(boosted(), "cost", data.Roles{}, "loss=quantile", "loss.quantiles=0.1,0.5,0.9")
	all["offset"] = settings(offset.New(boosted(), "age"), "cost", data.Roles{Ignore: []string{"note"}})
	all["survival"] = settings(boosted(), "cost", data.Roles{Task: data.Survival, Observed: true})
	all["ranking"] = settings(boosted(), "code", data.Roles{Task: data.Ranking, Group: "plan"})
	all["classes"] = settings(boosted(), "plan", data.Roles{})
	all["pooled quantiles"] = settings(forest.New(), "cost", data.Roles{}, "trees=5", "quantiles=true")
	for _, path := range []string{"../codec/xgboost/testdata/targets.json", "../codec/xgboost/testdata/multilabel.json",
		"../codec/xgboost/testdata/aft.json", "../codec/xgboost/testdata/ndcg.json", "../codec/xgboost/testdata/softmax.json",
		"../codec/xgboost/testdata/hinge.json", "../codec/catboost/testdata/numbers.json",
		"../testdata/models/lightgbm/lgmulticlass.model", "../testdata/models/lightgbm/toy_categorical.txt",
		"../testdata/models/onnx/sklearn-cancer-pipeline.onnx", "../testdata/models/onnx/classifier-one-vs-all.onnx",
		"../testdata/models/pmml/rf-cat-pima.pmml", "../testdata/models/pmml/cars-cater-rf-1tree.pmml",
		"../testdata/models/ydf/adult_binary_class_gbdt", "../testdata/models/ydf/abalone_regression_rf_small"} {
		m, _, err := formats.Open(path, codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = m
	}
	return all
}

// sheetFor makes a table for a model, with missing values and new categories where it takes them.
func sheetFor(m model.Model, rows int, holes bool) *sheet {
	r := rand.New(rand.NewPCG(uint64(rows), 3))
	columns := input.NewNamedReader(&m.Spec().Schema)
	s := &sheet{cells: make([][]string, rows)}
	for k := range columns.Columns() {
		f := columns.Field(k)
		s.names, s.texts = append(s.names, f.Name), append(s.texts, f.Kind != data.Numeric)
		for i := range s.cells {
			cell := ""
			switch chance := r.IntN(10); {
			case chance == 0 && f.Missing != data.Refuse && holes:
			case f.Kind == data.Numeric:
				cell = strconv.FormatFloat(math.Round(r.NormFloat64()*float64([]int{1, 20, 1000}[r.IntN(3)]))/8, 'g', -1, 64)
			case f.Kind == data.Date:
				cell = fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))
			case f.Kind == data.Text:
				cell = []string{"old, cough", "pain", `a "cold"`}[r.IntN(3)]
			case chance == 1 && f.Unseen != data.Refuse || len(f.Levels) == 0:
				cell = "brand new"
			default:
				cell = f.Levels[r.IntN(len(f.Levels))]
			}
			s.cells[i] = append(s.cells[i], cell)
		}
	}
	return s
}

// scalars returns the values of the JSON that comes, in their order, as texts.
func scalars(t *testing.T, d *json.Decoder) (all []string) {
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	delim, nested := token.(json.Delim)
	if !nested {
		if token == nil {
			token = "NaN"
		}
		return []string{fmt.Sprint(token)}
	}
	for d.More() {
		if delim == '{' {
			_, _ = d.Token() // the name
		}
		all = append(all, scalars(t, d)...)
	}
	_, _ = d.Token() // the end
	return all
}

// rowsOf returns the fields of the rows of an answer.
func (f *form) rowsOf(t *testing.T, answer string) (rows [][]string) {
	t.Helper()
	of := func(raw []byte) []string {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		return scalars(t, d)
	}
	if strings.HasPrefix(f.kind, "text/csv") {
		records, err := csv.NewReader(strings.NewReader(answer)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return records[len(records)-kindRows:] // those of the row API have a header
	}
	if f.name == "arrow" {
		table, err := readArrow(t.Context(), []byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		for i := range table.Rows() {
			var line []string
			for k := range table.Columns {
				c := &table.Columns[k]
				switch {
				case c.Codes() == nil:
					line = append(line, strconv.FormatFloat(c.Number(i), 'g', -1, 64))
				case c.Code(i) == data.MissingCode:
					line = append(line, "")
				default:
					line = append(line, table.Schema.Fields[k].Levels[c.Code(i)])
				}
			}
			rows = append(rows, line)
		}
		return rows
	}
	if f.name == "lines" {
		answer = `{"predictions":[` + strings.ReplaceAll(strings.TrimSpace(answer), "\n", ",") + "]}"
	}
	var all struct {
		Predictions, Explanations []json.RawMessage
		Outputs                   []struct{ Data json.RawMessage }
	}
	decoded(t, http.StatusOK, answer, &all)
	for _, raw := range append(all.Predictions, all.Explanations...) {
		rows = append(rows, of(raw))
	}
	for _, o := range all.Outputs {
		values := of(o.Data)
		if rows == nil {
			rows = make([][]string, kindRows)
		}
		for i := range rows {
			rows[i] = append(rows[i], values[i*len(values)/kindRows:(i+1)*len(values)/kindRows]...)
		}
	}
	return rows
}

const kindRows = 40

var largeKinds = []string{"adult_binary_class_gbdt", "abalone_regression_rf_small", "lgmulticlass.model", "forest numbers", "isolation scores"}

// TestEveryKindInEveryForm: the answers have the bits that the engine and explain have for the same
// table in a file, for models of each task and format, in each form of a request.
func TestEveryKindInEveryForm(t *testing.T) {
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for name, m := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			spec, s := m.Spec(), sheetFor(m, kindRows, !strings.HasPrefix(name, "cars"))
			table, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Schema: &spec.Schema,
				Bytes: map[string][]byte{"t": []byte(s.csv())}}, Comma: ','}, "t").Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			table = data.ExpandLike(table, &spec.Schema)
			p, err := m.Bind(&table.Schema, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			width := p.Width()
			want := make([]float64, kindRows*width)
			if err := p.Predict(want, table, nil); err != nil {
				t.Fatal(err)
			}
			var reasons [][]explain.Reason
			x, none := (*explain.Reasons)(nil), error(nil)
			large := !tier.Night() && slices.Contains(largeKinds, name) // whose tables of reasons take seconds
			if !large {
				x, none = explain.NewReasons(t.Context(), m, &table.Schema, explain.ReasonOptions{Score: spec.Median()})
			}
			if none == nil && !large {
				if reasons, err = x.Table(t.Context(), table, nil, 2); err != nil {
					t.Fatal(err)
				}
			}
			web := server(t, m, serve.Options{Tables: []serve.TableFormat{arrow}})
			for _, f := range forms() {
				named := f.path == "/v1/models/visits/predict"
				simple := !named && f.name != "explain" && !strings.HasPrefix(f.path, "/v2")
				for _, query := range []string{"", "?proba=1", "?reasons=2"} {
					if query == "?proba=1" && !(simple && spec.Task.Classes()) || query == "?reasons=2" && !named ||
						large && (query == "?reasons=2" || f.name == "explain") {
						continue
					}
					status, _, answer := f.send(t, web.URL, query, s)
					if (query == "?reasons=2" || f.name == "explain") && none != nil {
						if status != http.StatusUnprocessableEntity && status != http.StatusBadRequest || !strings.Contains(answer, "gives no reasons") {
							t.Errorf("%s%s: %d %s", f.name, query, status, answer)
						}
						continue
					}
					if status != http.StatusOK {
						t.Errorf("%s%s: %d %s", f.name, query, status, answer)
						continue
					}
					rows := f.rowsOf(t, answer)
					if len(rows) != kindRows {
						t.Errorf("%s%s: %d rows", f.name, query, len(rows))
						continue
					}
					for i, row := range rows {
						response := want[i*width:][:width]
						var first, last []string
						asTable := f.name == "csv" || f.name == "arrow"
						if spec.Labels() && query != "?proba=1" && !(asTable && !spec.Task.Classes()) {
							first = append(first, spec.Classes[spec.Decision.Label(response)])
						}
						if !(simple && query == "" && spec.Labels()) {
							for _, v := range response {
								first = append(first, text(v))
							}
						}
						if query == "?reasons=2" {
							for _, r := range reasons[i] {
								at := slices.Index(s.names, r.Column)
								if s.cells[i][at] == "brand new" && r.Value == "" {
									r.Value = serve.UnknownCategory
								}
								if last = append(last, r.Column, r.Value, text(r.Effect)); !asTable && r.Towards != "" {
									last = append(last, r.Towards)
								}
							}
							for asTable && len(last) < 6 {
								last = append(last, "")
							}
						}
						if n := len(first); len(row) < n+len(last) || !slices.Equal(row[:n], first) || !slices.Equal(row[len(row)-len(last):], last) {
							t.Errorf("%s%s, row %d: %q\nwant %q ... %q", f.name, query, i+1, row, first, last)
							break
						}
					}
				}
			}
		})
	}
}

// TestFoldersAreModels: a folder that is a model, as YDF writes it, is served by its name, as a
// version, and again once a file in it has changed.
func TestFoldersAreModels(t *testing.T) {
	from := os.DirFS("../testdata/models/ydf/abalone_regression_rf_small")
	folder, alone := t.TempDir(), filepath.Join(t.TempDir(), "sea.v2")
	for _, to := range []string{filepath.Join(folder, "shells"), filepath.Join(folder, "snails", "3"), alone} {
		if err := os.CopyFS(to, from); err != nil {
			t.Fatal(err)
		}
	}
	s, to := &serve.Source{Paths: []string{folder, alone}}, serve.NewModels()
	s.Open = func(path string) (model.Model, error) {
		m, _, err := formats.Open(path, codec.Limits{})
		return m, err
	}
	s.Stray = func(path string) bool {
		_, err := formats.Of(path)
		return errors.Is(err, formats.ErrUnknown)
	}
	if got, want := refresh(t, s, to), "shells: serves as shells 1\n3: serves as snails 3\nsea.v2: serves as sea.v2 1"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := refresh(t, s, to); got != "" {
		t.Errorf("folders that did not change: %s", got)
	}
	nodes := filepath.Join(folder, "shells", "nodes-00000-of-00001")
	if err := os.WriteFile(nodes, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := refresh(t, s, to); !strings.Contains(got, "shells: cannot open model") || to.Get("shells", "") == nil {
		t.Error(got)
	}
}
