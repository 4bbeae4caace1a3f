package pmml_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/model"
)

// limited returns a file of two trees: 1 for x up to 5, 2 above, 4 for a missing x, and 10 more for
// w up to 3. The numbers of x are in intervals.
func limited(kind, intervals, treatment string) string {
	nodes := `<TreeModel functionName="regression"><MiningSchema><MiningField name="x"/></MiningSchema>
<Node><True/><Node score="1"><SimplePredicate field="x" operator="lessOrEqual" value="5"/></Node>
<Node score="2"><SimplePredicate field="x" operator="greaterThan" value="5"/></Node>
<Node score="4"><SimplePredicate field="x" operator="isMissing"/></Node></Node></TreeModel>`
	second := strings.NewReplacer(`"x"`, `"w"`, `value="5"`, `value="3"`, `"1"`, `"10"`, `"2"`, `"0"`, `"4"`, `"0"`).Replace(nodes)
	return `<PMML version="4.4"><DataDictionary><DataField name="x" optype="continuous" dataType="` + kind + `">` +
		intervals + `</DataField><DataField name="w" optype="continuous" dataType="double"/>
<DataField name="y" optype="continuous" dataType="double"/></DataDictionary>
<MiningModel functionName="regression"><MiningSchema><MiningField name="x" ` + treatment + `/><MiningField name="w"/>
<MiningField name="y" usageType="target"/></MiningSchema><Segmentation multipleModelMethod="sum">
<Segment><True/>` + second + `</Segment><Segment><True/>` + nodes + `</Segment></Segmentation></MiningModel></PMML>`
}

// intervalCases are the intervals of a column, with numbers in them and outside.
var intervalCases = []struct {
	kind, intervals string
	valid, invalid  []float64
}{
	{"double", `<Interval closure="closedClosed" leftMargin="1" rightMargin="8"/>`,
		[]float64{1, 5, 6, 8}, []float64{math.Nextafter(1, 0), math.Nextafter(8, 9), 1e300, -1e300}},
	{"double", `<Interval closure="openOpen" leftMargin="1" rightMargin="8"/>`,
		[]float64{math.Nextafter(1, 2), 5, math.Nextafter(8, 7)}, []float64{1, 8}},
	{"double", `<Interval closure="openClosed" leftMargin="1"/>`, []float64{1.5, 1e300}, []float64{1, 0}},
	{"double", `<Interval closure="closedOpen" rightMargin="8"/>`, []float64{-1e300, 7}, []float64{8}},
	{"double", `<Interval closure="closedClosed" leftMargin="6" rightMargin="8"/><Interval closure="closedOpen" leftMargin="1" rightMargin="2"/>`,
		[]float64{1, 1.5, 6, 8}, []float64{0, 2, 3, 5.5, 9}},
	{"float", `<Interval closure="closedClosed" leftMargin="0.1" rightMargin="8.1"/>`, // of single precision
		[]float64{0.1, float64(float32(0.1)), 8.1, math.Nextafter(8.1, 9)}, []float64{0.0999, 8.101}},
}

// Numbers outside of the intervals of a field are invalid: invalidValueTreatment refuses their
// rows, whatever the trees test, lets them be missing, or as they are.
func TestIntervals(t *testing.T) {
	sum := func(x, w float64) float64 {
		y := map[bool]float64{true: 1, false: 2}[x <= 5]
		if math.IsNaN(x) {
			y = 4
		}
		if w <= 3 {
			y += 10
		}
		return y
	}
	for _, c := range intervalCases {
		for _, treatment := range []string{"", "returnInvalid", "asIs", "asMissing"} {
			attribute := ""
			if treatment != "" {
				attribute = `invalidValueTreatment="` + treatment + `"`
			}
			e, ref := decode(t, []byte(limited(c.kind, c.intervals, attribute)))
			compare(t, e, ref)
			sameRefusals(t, e, ref)
			for valid, numbers := range map[bool][]float64{true: append(c.valid, math.NaN()), false: c.invalid} {
				for _, x := range numbers {
					for _, w := range []float64{3, 4, math.NaN()} {
						want := sum(x, w)
						if !valid && treatment == "asMissing" {
							want = sum(math.NaN(), w)
						}
						got := predict(t, e, model.Response, []float64{x, w})
						if refused := !valid && (treatment == "" || treatment == "returnInvalid"); (got == nil) != refused ||
							got != nil && got[0] != want {
							t.Errorf("%s %s, %q: %v, %v predicts %v, want %v", c.kind, c.intervals, treatment, x, w, got, want)
						}
					}
				}
			}
		}
	}
}

// A category that the dictionary does not list is invalid as well, unless it lists none.
func TestInvalidCategories(t *testing.T) {
	for treatment, want := range map[string]float64{"": math.NaN(), "returnInvalid": math.NaN(), "asIs": 9, "asMissing": 7} {
		for _, listed := range []bool{true, false} {
			values := `<Value value="p"/><Value value="q"/>`
			if !listed {
				values = ""
				if treatment == "" || treatment == "returnInvalid" {
					want = 9
				}
			}
			attribute := ""
			if treatment != "" {
				attribute = `invalidValueTreatment="` + treatment + `"`
			}
			e, ref := decode(t, []byte(`<PMML version="4.4"><DataDictionary><DataField name="c" optype="categorical" dataType="string">`+
				values+`</DataField></DataDictionary><TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction">
<MiningSchema><MiningField name="c" `+attribute+`/></MiningSchema><Node score="9"><True/>
<Node score="7"><SimplePredicate field="c" operator="isMissing"/></Node>
<Node score="1"><SimplePredicate field="c" operator="equal" value="p"/></Node></Node></TreeModel></PMML>`))
			sameRefusals(t, e, ref)
			got := predict(t, e, model.Response, []float64{-1})
			if (got == nil) != math.IsNaN(want) || got != nil && got[0] != want {
				t.Errorf("%q, listed %v: an unlisted category predicts %v, want %v", treatment, listed, got, want)
			}
		}
	}
}

// Damaged intervals are errors.
func TestDamagedIntervals(t *testing.T) {
	for _, interval := range []string{`<Interval leftMargin="1"/>`, `<Interval closure="open" leftMargin="1"/>`,
		`<Interval closure="openOpen" leftMargin="NaN"/>`, `<Interval closure="openOpen" rightMargin="much"/>`} {
		text := limited("double", interval, "")
		var corrupt *codec.CorruptError
		if _, err := pmml.Format().Decode(bytes.NewReader([]byte(text)), int64(len(text)), codec.Limits{}); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", interval, err)
		}
	}
}
