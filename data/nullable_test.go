package data_test

import (
	"database/sql"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/coppice-ml/coppice/data"
)

// sql.Null and its like are what pointers are: what is not valid is missing.
func TestNullableFields(t *testing.T) {
	type null struct {
		N sql.Null[int]
		F sql.NullFloat64
		S sql.NullString
		B sql.NullBool
		T sql.NullTime
		C sql.Null[int64] `coppice:",categorical"`
		W sql.NullString  `coppice:",text"`
	}
	type pointer struct {
		N *int
		F *float64
		S *string
		B *bool
		T *time.Time
		C *int64  `coppice:",categorical"`
		W *string `coppice:",text"`
	}
	day := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	n, f, s, b, c, w := 3, 2.5, "x", true, int64(7), "two words"
	nulls, err := data.FromStructs([]null{{}, {sql.Null[int]{V: n, Valid: true},
		sql.NullFloat64{Float64: f, Valid: true}, sql.NullString{String: s, Valid: true},
		sql.NullBool{Bool: b, Valid: true}, sql.NullTime{Time: day, Valid: true},
		sql.Null[int64]{V: c, Valid: true}, sql.NullString{String: w, Valid: true}},
		{N: sql.Null[int]{V: 9}, S: sql.NullString{String: "hidden"}}})
	if err != nil {
		t.Fatal(err)
	}
	pointers, err := data.FromStructs([]pointer{{}, {&n, &f, &s, &b, &day, &c, &w}, {}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pointers.Schema, nulls.Schema, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	for j := range pointers.Columns {
		for i := range 3 {
			if got, want := nulls.IsMissing(i, j), pointers.IsMissing(i, j); got != want {
				t.Errorf("row %d of %s: missing %v, want %v", i, nulls.Schema.Fields[j].Name, got, want)
			}
		}
	}
	if got := nulls.Columns[0].Numbers(); got[1] != 3 || !math.IsNaN(got[2]) {
		t.Errorf("numbers %v", got)
	}
}
