package parity

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Lost decodes a file in another tool's format that was written of a model, and returns what the
// model states beside its numbers and the file does not, each as a phrase: its task, names of
// classes, the decision between them, and that categories are numbers. Predicted numbers depend on
// none of them. nil: nothing is lost, or the format cannot be decoded.
func Lost(file []byte, f codec.Format, s *model.Spec) ([]string, error) {
	if f.Decode == nil {
		return nil, nil
	}
	m, err := f.Decode(bytes.NewReader(file), int64(len(file)), codec.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the file for %s cannot be read back: %w", f.Name, err)
	}
	again := m.Spec()
	var lost []string
	if s.Task.Classes() && !slices.Equal(s.Classes, again.Classes) {
		what := "names of classes"
		if !again.Task.Classes() {
			what = "classes, of which the file has scores alone"
		}
		lost = append(lost, what+": "+numbered(s.Classes))
	}
	if s.Task != again.Task && !s.Task.Classes() {
		lost = append(lost, fmt.Sprintf("the task %s (%s in the file): evaluate the model that "+
			"was converted", s.Task, again.Task))
	}
	if d := &s.Decision; d.Threshold != 0 && again.Decision.Threshold == 0 {
		lost = append(lost, fmt.Sprintf("the threshold %v of the decision between classes", d.Threshold))
	} else if d.Threshold == 0 && d.Costs != nil && again.Decision.Costs == nil {
		lost = append(lost, "costs of confusing classes")
	}
	return append(lost, textsOfNumbers(&s.Schema, &again.Schema)...), nil
}

// mostNamed is the number of classes or columns that a phrase names.
const mostNamed = 5

// numbered lists classes with their numbers.
func numbered(classes []string) string {
	var list []string
	for i, class := range classes[:min(len(classes), mostNamed)] {
		list = append(list, fmt.Sprintf("%d is %s", i, strconv.Quote(class)))
	}
	return strings.Join(list, ", ") + others(len(classes))
}

// others ends a list that names the first of n things.
func others(n int) string {
	if n <= mostNamed {
		return ""
	}
	return fmt.Sprintf(", and %d more", n-mostNamed)
}

// textsOfNumbers returns a phrase about the columns whose categories are numbers, where those of
// the file are texts: for a tool that has typed columns they are other categories.
func textsOfNumbers(s, again *data.Schema) []string {
	var names []string
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Kind != data.Categorical || foreign.TypeOf(f) == foreign.TextLevels {
			continue
		}
		at := again.Index(f.Name)
		if at < 0 {
			continue
		}
		if g := &again.Fields[at]; g.Kind == data.Categorical && !g.Numbers() && !g.IntegerLevels() {
			names = append(names, strconv.Quote(f.Name))
		}
	}
	if names == nil {
		return nil
	}
	return []string{"numbers as categories, which are texts in the file: " +
		strings.Join(names[:min(len(names), mostNamed)], ", ") + others(len(names))}
}
