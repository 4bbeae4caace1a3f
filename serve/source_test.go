package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// point is a row of a small table.
type point struct {
	X, Y float64
	Z    string
	Kind string
}

// grown returns a tree of some columns; shift changes what it learns.
func grown(t *testing.T, shift float64, ignore ...string) model.Model {
	t.Helper()
	var rows []point
	for i := range 40 {
		p := point{X: float64(i % 8), Y: float64(i), Z: "abc"[i%3 : i%3+1], Kind: "low"}
		if p.Y+p.X > 20+shift {
			p.Kind = "high"
		}
		rows = append(rows, p)
	}
	roles := data.Label("Kind")
	roles.Ignore = ignore
	m, err := coppice.TrainStructs(t.Context(), cart.New(), rows, roles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// store saves a model and returns its id.
func store(t *testing.T, m model.Model, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := coppice.Save(name, m); err != nil {
		t.Fatal(err)
	}
	id, err := coppice.ID(m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// refresh loads what has changed, and returns the events as text.
func refresh(t *testing.T, s *serve.Source, to *serve.Models) string {
	t.Helper()
	events, err := s.Refresh(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, e := range events {
		text := filepath.Base(e.Path) + ": "
		if e.Err != nil {
			text += e.Err.Error()
		} else if e.Model != nil {
			text += "serves as " + e.Model.Name() + " " + e.Model.Version()
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// serves asserts which model requests get.
func serves(t *testing.T, to *serve.Models, name, id string) {
	t.Helper()
	if m := to.Get(name, ""); m == nil || m.ID() != id {
		t.Errorf("%s is %v, want the model %s", name, m, id)
	}
}

func TestSourceLoadsFilesAgain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "points.coppice")
	first := store(t, grown(t, 0), path)
	s, to := &serve.Source{Paths: []string{path}}, serve.NewModels()
	if got := refresh(t, s, to); got != "points.coppice: serves as points 1" {
		t.Fatal(got)
	}
	serves(t, to, "points", first)
	if got := refresh(t, s, to); got != "" {
		t.Errorf("a file that did not change: %s", got)
	}
	second := store(t, grown(t, 3), path)
	if got := refresh(t, s, to); got != "points.coppice: serves as points 1" || second == first {
		t.Error(got)
	}
	serves(t, to, "points", second)

	// a truncated file, twice: it is reported once, and the model before goes on
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:200], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := refresh(t, s, to); !strings.Contains(got, "truncated") {
		t.Error(got)
	}
	if got := refresh(t, s, to); got != "" {
		t.Error(got)
	}
	serves(t, to, "points", second)

	// fewer columns are right, more are not
	fewer := store(t, grown(t, 0, "Z", "X"), path)
	refresh(t, s, to)
	serves(t, to, "points", fewer)
	more := store(t, grown(t, 0), path)
	if got := refresh(t, s, to); !strings.Contains(got, `it needs the column "X", which the model that serves does not have`) {
		t.Error(got)
	}
	serves(t, to, "points", fewer)
	s = &serve.Source{Paths: []string{path}, AcceptContract: true}
	refresh(t, s, to)
	serves(t, to, "points", more)

	// back to those before, one by one
	if m := to.Rollback("points"); m == nil || m.ID() != fewer {
		t.Error(m)
	}
	serves(t, to, "points", fewer)
	to.Rollback("points")
	serves(t, to, "points", second)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := refresh(t, s, to); !strings.Contains(got, "points.coppice: file does not exist") {
		t.Errorf("a file that is gone: %s", got)
	}
	serves(t, to, "points", second)
}

func TestSourceReadsFoldersAndVersions(t *testing.T) {
	folder := t.TempDir()
	alone := store(t, grown(t, 0), folder, "alone.coppice")
	store(t, grown(t, 1), folder, "points", "9", "model.coppice")
	ten := store(t, grown(t, 2), folder, "points", "10", "model.coppice")
	notes := filepath.Join(folder, "points", "10", "README.md") // beside the model, which is passed over
	if err := os.WriteFile(notes, []byte("# notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	store(t, grown(t, 2), folder, ".hidden", "1", "model.coppice")
	store(t, grown(t, 2), folder, "alone.coppice.rejected")
	s, to := &serve.Source{Paths: []string{folder}}, serve.NewModels()
	refresh(t, s, to)
	serves(t, to, "alone", alone)
	serves(t, to, "points", ten)
	if failed, _ := to.Failures(); len(failed) > 0 {
		t.Error(failed)
	}
	if n := len(to.All()); n != 3 {
		t.Errorf("%d models, want 3", n)
	}
	if to.Only() != nil {
		t.Error("one of several models is the only one")
	}
	if err := os.RemoveAll(filepath.Join(folder, "points", "10")); err != nil {
		t.Fatal(err)
	}
	refresh(t, s, to)
	if m := to.Get("points", ""); m == nil || m.Version() != "9" {
		t.Errorf("version 10 is gone, and requests get %v", m)
	}
	// a link that is swapped, as Kubernetes does, is another file
	mount := t.TempDir()
	store(t, grown(t, 0), mount, "..1", "points.coppice")
	second := store(t, grown(t, 3), mount, "..2", "points.coppice")
	link := func(to string) {
		if err := os.Symlink(to, filepath.Join(mount, "..new")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(mount, "..new"), filepath.Join(mount, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	link("..1")
	if err := os.Symlink("..data/points.coppice", filepath.Join(mount, "points.coppice")); err != nil {
		t.Fatal(err)
	}
	s, to = &serve.Source{Paths: []string{mount}}, serve.NewModels()
	refresh(t, s, to)
	link("..2")
	refresh(t, s, to)
	serves(t, to, "points", second)
}

func TestSourceRefusesWhatIsAmbiguous(t *testing.T) {
	empty, twice, double := t.TempDir(), t.TempDir(), t.TempDir()
	m := grown(t, 0)
	store(t, m, twice, "a.coppice")
	store(t, m, twice, "a.model")
	store(t, m, double, "a", "1", "x.coppice")
	store(t, m, double, "a", "1", "y.coppice")
	for path, want := range map[string]string{
		empty:                        "has no model: want a file, or NAME/VERSION/FILE",
		twice:                        `a.coppice is version 1 of the model "a", too: rename one`,
		double:                       "it has 2 files: a version is one",
		filepath.Join(empty, "gone"): "gone",
	} {
		s := &serve.Source{Paths: []string{path}}
		if got := refresh(t, s, serve.NewModels()); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, name := range []string{"", "a/b", "..", "a:b", "a b?"} {
		if _, err := serve.NewModel(name, m, serve.ModelOptions{}); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
}

// TestSourceServesTheRest: what is no model, at the start and later, is named, listed while it is
// there, and keeps no other model out.
func TestSourceServesTheRest(t *testing.T) {
	folder := t.TempDir()
	good := store(t, grown(t, 0), folder, "good.coppice")
	whole, err := os.ReadFile(filepath.Join(folder, "good.coppice"))
	if err != nil {
		t.Fatal(err)
	}
	ten := store(t, grown(t, 1), folder, "spam", "10", "m.coppice")
	store(t, grown(t, 2), folder, "spam", "foo", "m.coppice")
	odd := map[string]string{"good.a.md": "", "README.md": "notes", "notes.txt": "a b", "cut.coppice": string(whole[:300]),
		"100%.coppice": string(whole), "spam/13/.keep": "", "spam/14/a": "a", "spam/14/b": "b", "none/x.coppice": "y",
		"notes/.keep": "", "texts/a.txt": "a", "spam/15/read.txt": "a b",
		"good.md": string(whole), "lost+found/x": ""}
	write := func(names ...string) {
		for _, name := range names {
			path := filepath.Join(folder, filepath.FromSlash(name))
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, []byte(odd[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name := range odd {
		write(name)
	}
	s, to := &serve.Source{Paths: []string{folder}}, serve.NewModels()
	got := refresh(t, s, to)
	for _, want := range []string{"README.md: ", "notes.txt: ", "cut.coppice: ", "100%.coppice: ", "13: it has 0 files",
		"14: it has 2 files", "foo: its name is no version", "none: it has no version",
		"notes: it has no version", "texts: it has no version", "read.txt: ", `good.md: `} {
		if strings.Count(got, "\n"+want)+strings.Count(got[:len(want)], want) != 1 {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	serves(t, to, "good", good)
	serves(t, to, "spam", ten)
	if again := refresh(t, s, to); again != "" {
		t.Errorf("it is said again: %s", again)
	}
	failed, ever := to.Failures()
	if len(failed) != 6 || ever != 6 {
		t.Errorf("%d failures now and %d ever, want 6: %v", len(failed), ever, failed)
	}
	if _, text := get(t, serverOf(t, to)+"/v1/models"); !strings.Contains(text, `"failed":[{"name":"100%",`) {
		t.Error(text)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	good = store(t, grown(t, 3), folder, "good.coppice")
	write("README.md")
	refresh(t, s, to)
	serves(t, to, "good", good)
	if failed, ever = to.Failures(); len(failed) != 0 || ever != 6 {
		t.Error(failed, ever)
	}
}

// TestRollbackHolds: the bytes of the model that serves are no change, and those that were rolled
// back stay out, in a file and in the folder of a version, until other ones come.
func TestRollbackHolds(t *testing.T) {
	folder := t.TempDir()
	first := store(t, grown(t, 0), folder, "a.coppice")
	three := store(t, grown(t, 1), folder, "spam", "3", "m.coppice")
	store(t, grown(t, 2), folder, "spam", "4", "m.coppice")
	s, to := &serve.Source{Paths: []string{folder}}, serve.NewModels()
	refresh(t, s, to)
	ahead := time.Now()
	touch := func(name string) string {
		t.Helper()
		ahead = ahead.Add(time.Minute)
		if err := os.Chtimes(filepath.Join(folder, name), ahead, ahead); err != nil {
			t.Fatal(err)
		}
		return refresh(t, s, to)
	}
	if got := touch("a.coppice"); got != "" || to.Rollback("a") != nil {
		t.Errorf("the same bytes are a change: %s", got)
	}
	store(t, grown(t, 5), folder, "a.coppice")
	touch("a.coppice")
	if m := to.Rollback("a"); m == nil || m.ID() != first {
		t.Fatal(m)
	}
	if got := touch("a.coppice"); !strings.Contains(got, "it is the model that was rolled back") {
		t.Error(got)
	}
	serves(t, to, "a", first)
	third := store(t, grown(t, 6), folder, "a.coppice")
	touch("a.coppice")
	serves(t, to, "a", third)
	if m := to.Rollback("spam"); m == nil || m.ID() != three || m.Version() != "3" {
		t.Fatal(m)
	}
	touch("spam/4/m.coppice")
	serves(t, to, "spam", three)
	if to.Rollback("spam") != nil || to.Get("spam", "4") != nil {
		t.Error("there is a version before the first")
	}
	// the only version that serves goes on without its file, and so does a model
	for _, gone := range []string{"spam/3", "a.coppice"} {
		if err := os.RemoveAll(filepath.Join(folder, gone)); err != nil {
			t.Fatal(err)
		}
	}
	if got := refresh(t, s, to); got != "1: file does not exist any more\n3: file does not exist any more" {
		t.Error(got)
	}
	if got := refresh(t, s, to); got != "" {
		t.Errorf("it is said again: %s", got)
	}
	serves(t, to, "a", third)
	serves(t, to, "spam", three)
	five := store(t, grown(t, 7), folder, "spam", "5", "m.coppice")
	refresh(t, s, to)
	serves(t, to, "spam", five)
	if err := s.Load(t.Context(), "spam", to); err != nil || to.Get("spam", "4") == nil {
		t.Errorf("a request to load what was rolled back: %v", err)
	}
}

// TestRequestsKeepTheirModel replaces a model again and again while requests are answered: each
// answer is that of the model it names.
func TestRequestsKeepTheirModel(t *testing.T) {
	models := []model.Model{grown(t, 0), grown(t, 6)}
	var served [2]*serve.Model
	want := map[string]string{} // by id: the label of a row that the two predict otherwise
	row := `{"X":3,"Y":20,"Z":"a"}`
	set := serve.NewModels()
	for i, m := range models {
		var err error
		if served[i], err = serve.NewModel("points", m, serve.ModelOptions{}); err != nil {
			t.Fatal(err)
		}
		p, err := coppice.NewPredictor[point](m)
		if err != nil {
			t.Fatal(err)
		}
		y, err := p.Predict(point{X: 3, Y: 20, Z: "a"})
		if err != nil {
			t.Fatal(err)
		}
		want[served[i].ID()] = y.Class
		set.Put(served[i])
	}
	if want[served[0].ID()] == want[served[1].ID()] {
		t.Fatal("both models predict the same, so the test says nothing")
	}
	web := serverOf(t, set)
	ended := make(chan bool)
	go func() {
		for i := range 200 {
			set.Put(served[i%2])
		}
		close(ended)
	}()
	for swapping := true; swapping; {
		select {
		case <-ended:
			swapping = false
		default:
		}
		var got struct {
			Label   string
			ModelID string `json:"model_id"`
		}
		status, text := post(t, web+"/v1/models/points/predict", "", row)
		decoded(t, status, text, &got)
		if want[got.ModelID] != got.Label {
			t.Fatalf("%s, want %s", text, want[got.ModelID])
		}
	}
}
