package coppice_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// mixedTable is the text of a table with columns of each kind but texts, which blocks do not have.
func mixedTable(rows int) string {
	var b strings.Builder
	b.WriteString("x,day,colour,rare,y\n")
	for i := range rows {
		x := fmt.Sprint(float64(i*37%rows) / 7)
		if i%13 == 5 {
			x = ""
		}
		colour := []string{"red", "blue", "green"}[i%7%3]
		rare := ""
		if i%50 == 0 {
			rare = fmt.Sprint(i)
		}
		fmt.Fprintf(&b, "%s,2024-%02d-%02d,%s,%s,%d\n", x, i%12+1, i%28+1, colour, rare, i*37%rows*3/rows)
	}
	return b.String()
}

// smallBlocks are the rows of a table in blocks of at most 701.
type smallBlocks struct{ data.Features }

func (s smallBlocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for b, err := range s.Features.Blocks(ctx) {
			if err != nil {
				yield(b, err)
				return
			}
			for part := range slices.Chunk(data.AllRows(b.Rows()), 701) {
				if !yield(data.RowBlock{Frame: b.Subset(part), First: b.First + int(part[0])}, nil) {
					return
				}
			}
		}
	}
}

// Profile and golden rows are the same in memory, in blocks and on ranks, for any number of
// workers.
func TestRecordIsTheSameEverywhere(t *testing.T) {
	const rows = 3000
	read := func() (*data.Dataset, *data.BlockDataset) {
		options := csvdata.Options{}
		options.Memory = 1 << 20
		file := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(file, []byte(mixedTable(rows)), 0o644); err != nil {
			t.Fatal(err)
		}
		inMemory, err := csvdata.ReadDataset(t.Context(), file, data.Label("y"))
		if err != nil {
			t.Fatal(err)
		}
		table, err := csvdata.Open(options, file).Blocks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inBlocks, err := data.Label("y").ApplyBlocks(t.Context(), smallBlocks{table})
		if err != nil {
			t.Fatal(err)
		}
		return inMemory, inBlocks
	}
	inMemory, inBlocks := read()
	var chosen []int32
	for r := range int32(rows) {
		if r%5 != 2 {
			chosen = append(chosen, r)
		}
	}
	golden := coppice.Option(coppice.Seed(1)) // of synthetic rows
	train := func(ds data.AnyDataset, g ranks.Group, workers int) (string, error) {
		m, err := coppice.Train(t.Context(), learntest.Made(t, gbm.New(), "trees=2", "early_stopping=0"), ds, coppice.Rows(chosen),
			coppice.Workers(workers), coppice.Ranks(g), coppice.Scratch(t.TempDir()), golden)
		if err != nil {
			return "", err
		}
		b, err := native.EncodeProfile(m.Spec().Profile)
		rows := m.Spec().Golden
		return string(b) + fmt.Sprint(rows.Rows, rows.Drawn, rows.Values, rows.Predictions), cmp.Or(err, model.Verify(m))
	}
	for _, kind := range []coppice.Option{golden, coppice.GoldenDrawn()} {
		golden = kind
		want, err := train(inMemory, nil, 1)
		if err != nil || !strings.Contains(want, `"rows":2400,"columns":[{"name":"x","missing":`) {
			t.Fatal(want, err)
		}
		for _, ds := range []data.AnyDataset{inMemory, inBlocks} {
			for _, workers := range []int{2, 4} {
				if got, err := train(ds, nil, workers); got != want || err != nil {
					t.Errorf("%T with %d workers: %v\n%s\nwant\n%s", ds, workers, err, got, want)
				}
			}
			for i, err := range rankstest.Each(3, func(g ranks.Group) error {
				got, err := train(ds, g, 1+g.Rank())
				if err == nil && got != want {
					err = fmt.Errorf("another record\n%s", got)
				}
				return err
			}) {
				if err != nil {
					t.Errorf("%T, rank %d: %v", ds, i, err)
				}
			}
		}
	}
}

// sameProfile compares the profile of a model, and of its file, with that of all rows of a table.
func sameProfile(t *testing.T, learner string, m model.Model, ds *data.Dataset) {
	t.Helper()
	b := profile.New(ds.Schema.Fields, ds.Rows(), profile.Options{})
	b.Add(ds.Frame, data.AllRows(ds.Rows()))
	var file bytes.Buffer
	if err := coppice.Write(&file, m); err != nil {
		t.Fatalf("%s: %v", learner, err)
	}
	again, err := coppice.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatalf("%s: %v", learner, err)
	}
	if err := model.Verify(again); err != nil {
		t.Errorf("%s: %v", learner, err)
	}
	want := b.Profile(&ds.Target, data.AllRows(ds.Rows()))
	for _, m := range []model.Model{m, again} {
		got := *m.Spec().Profile
		if unseen := learner == "forest" || learner == "bag"; (got.PredictionRows > 0) != unseen {
			t.Errorf("%s: %d rows have predictions of members that have not seen them", learner,
				got.PredictionRows)
		}
		got.Predictions, got.PredictionRows = nil, 0
		if d := gocmp.Diff(want, &got); d != "" {
			t.Errorf("%s: %s", learner, d)
		}
	}
}

// Options leave the profile out, or what single rows have in it.
func TestProfileOptions(t *testing.T) {
	ds := numbered(t, 1000, []string{"red", "blue"})
	trained := func(options ...coppice.Option) *model.Profile {
		m, err := coppice.Train(t.Context(), learnerOf(t, "cart", ""), ds, options...)
		if err != nil {
			t.Fatal(err)
		}
		return m.Spec().Profile
	}
	if trained(coppice.NoProfile()) != nil {
		t.Error("there is a profile")
	}
	n := trained(coppice.NoExtremes()).Column("x").Numbers
	if n.Min != nil || n.Max != nil || n.Quantiles[0] != 9 || n.Quantiles[32] != 989 {
		t.Errorf("%+v", n)
	}
	if label := trained().Label[0]; label.Name != "y" || label.Levels[0].Rows+label.Levels[1].Rows != 1000 {
		t.Errorf("%+v", label)
	}
}

// Notes are stored, a wrong one is an error before any work, and neither they nor the profile
// change the id.
func TestNotes(t *testing.T) {
	ds := numbered(t, 100, []string{"red", "blue"})
	var ids []string
	for _, options := range [][]coppice.Option{nil, {coppice.NoProfile()}, {coppice.Note("git", "4f2c"), coppice.Note("b", "")}} {
		m, err := coppice.Train(t.Context(), learnerOf(t, "cart", ""), ds, options...)
		if err != nil {
			t.Fatal(err)
		}
		id, err := coppice.ID(m)
		if err != nil {
			t.Fatal(err)
		}
		if ids = append(ids, id); len(options) == 2 && (len(m.Spec().Notes) != 2 || m.Spec().Notes["git"] != "4f2c") {
			t.Errorf("notes %v", m.Spec().Notes)
		}
	}
	if ids[0] != ids[1] || ids[0] != ids[2] {
		t.Errorf("ids %v of one model", ids)
	}
	_, err := coppice.Train(t.Context(), learnerOf(t, "cart", ""), ds, coppice.Note("git", "a\nb"))
	if err == nil || err.Error() != "note git: want at most 1000 bytes of UTF-8 in one line" {
		t.Errorf("a note of two lines: %v", err)
	}
}

// Golden rows are values that training had, and OpenVerified refuses a model that predicts them
// otherwise.
func TestGoldenRows(t *testing.T) {
	ds := numbered(t, 300, []string{"red", "blue"})
	trained := func(options ...coppice.Option) model.Model {
		m, err := coppice.Train(t.Context(), learnerOf(t, "cart", ""), ds, append(options, coppice.Seed(5))...)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := trained()
	g := m.Spec().Golden
	different := map[float64]bool{}
	for r := range g.Rows {
		x, colour := g.Values[2*r], g.Values[2*r+1]
		if different[x] = true; x < 0 || x > 299 || x != float64(int(x)) || colour != 0 && colour != 1 {
			t.Errorf("row %d has x %v and colour %v", r, x, colour)
		}
	}
	if g.Rows != 32 || g.Drawn || len(g.Predictions) != 64 || len(different) < 20 {
		t.Errorf("%d rows of %d numbers, %d predictions", g.Rows, len(different), len(g.Predictions))
	}
	drawn := trained(coppice.GoldenDrawn(), coppice.NoProfile()).Spec().Golden
	for r := range drawn.Rows {
		same := func(row int) bool {
			return ds.Columns[0].Number(row) == drawn.Values[2*r] && float64(ds.Columns[1].Code(row)) == drawn.Values[2*r+1]
		}
		if !drawn.Drawn || drawn.Rows != 32 || !slices.ContainsFunc(data.AllRows(300), func(row int32) bool { return same(int(row)) }) {
			t.Errorf("row %d is not of the table", r)
		}
	}
	for _, options := range [][]coppice.Option{{coppice.NoGolden()}, {coppice.NoProfile()}} {
		if trained(options...).Spec().Golden != nil {
			t.Error("there are golden rows")
		}
	}
	path := filepath.Join(t.TempDir(), "m.coppice")
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
	if _, err := coppice.OpenVerified(path); err != nil {
		t.Error(err)
	}
	g.Predictions[3] += 1e-6
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
	var differs *model.GoldenError
	if _, err := coppice.OpenVerified(path); !errors.As(err, &differs) || differs.Row != 1 || differs.Output != 1 || differs.Want != g.Predictions[3] {
		t.Errorf("a prediction that differs: %v", err)
	}
}
