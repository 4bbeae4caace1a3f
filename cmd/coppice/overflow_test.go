package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// A model whose coefficients no number holds is shown, with null in JSON.
func TestShowCoefficientsBeyondAllNumbers(t *testing.T) {
	m := codectest.TinyLinear()
	c := &m.Encoding.Columns[0]
	m.Coef[0], c.Scale = math.MaxFloat64, 0x1p-10
	path := filepath.Join(t.TempDir(), "m.coppice")
	if err := coppice.Save(path, m); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if err := cli.Run(context.Background(), &cli.Console{Out: &out, Err: &errs,
		Progress: &cli.Progress{}}, commands(), []string{"show", path, "--json"}); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	var got struct {
		Content struct {
			Terms []struct {
				Coefficient, Standardised []*float64
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if terms := got.Content.Terms; len(terms) != 1 || terms[0].Coefficient[0] != nil ||
		*terms[0].Standardised[0] != math.MaxFloat64 {
		t.Errorf("%s", out.String())
	}
}
