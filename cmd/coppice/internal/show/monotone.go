package show

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// storedMonotone is the value of --check-monotone without columns: those of the model's parameter
// monotone.
const storedMonotone = "stored"

// monotoneHelp describes --check-monotone.
const monotoneHelp = "prove that the raw scores, of two classes that of the second by name, " +
	"rise (COL=1) or fall (COL=-1) with `COLUMNS`, " +
	"either of them where only COL is given, or show two rows as a counterexample; " +
	"without columns, those of the model's parameter monotone"

// claim states that the scores of a model rise or fall with a column.
type claim struct {
	feature int
	either  bool // in one of the two directions
	rising  bool
}

// verdict is the result of checking a claim.
type verdict struct {
	*explain.Monotony
	either bool
	fields []data.Field
	scores []string // names of the scores; nil = there is one score
}

// operands checks the operands. The columns of --check-monotone must follow =, because its value is
// optional; otherwise they would be taken for an operand.
func (o *command) operands(cmd *cobra.Command, args []string) error {
	if len(args) > 1 && o.monotone == storedMonotone {
		return cli.Misusef(
			"--check-monotone: write its columns behind =, as in --check-monotone=%s",
			humanize.Name(args[1]))
	}
	return cli.Operands(1, -1)(cmd, args)
}

// checkMonotone proves claims of monotonicity, or prints counterexamples. A claim that is not
// proven is an error.
func (o *command) checkMonotone(ctx context.Context, path string, m model.Model) error {
	e, ok := model.AsTrees(m)
	if !ok {
		return fmt.Errorf("%s: a model of learner %s is no sum or mean of trees, which the check "+
			"walks through", path, m.Spec().Learner)
	}
	claims, err := o.claims(path, e)
	if err != nil {
		return err
	}
	var verdicts []verdict
	unproven := 0
	for _, c := range claims {
		v, err := c.judge(ctx, e)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if !v.Proven {
			unproven++
		}
		verdicts = append(verdicts, v)
	}
	err = o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON {
			return out.JSON(map[string][]verdict{"monotone": verdicts})
		}
		for _, v := range verdicts {
			v.print(out, len(e.Trees))
		}
		return nil
	})
	if err == nil && unproven > 0 {
		err = fmt.Errorf("%s: %d of %s not proven to be monotone", path, unproven,
			humanize.Count(len(claims), "column is", "columns are"))
	}
	return err
}

// claims reads the columns of the flag, or of the model's parameters.
func (o *command) claims(path string, e *model.Ensemble) ([]claim, error) {
	text := o.monotone
	if text == storedMonotone && e.Meta.Schema.Index(text) < 0 {
		stored := describe.Params(&e.Meta).Lookup("monotone")
		if stored == nil || stored.Value() == "" {
			return nil, fmt.Errorf("%s: the model was trained without monotone columns: name "+
				"those to check, --check-monotone=COL", path)
		}
		text = stored.Value()
	}
	s := &e.Meta.Schema
	var claims []claim
	var faults []string
	for item := range strings.SplitSeq(text, ",") {
		c := claim{feature: s.Index(item), either: true}
		name := item
		if at := strings.LastIndexByte(item, '='); c.feature < 0 && at >= 0 {
			switch item[at+1:] {
			case "1", "+1":
				c.rising = true
			case "-1":
			default:
				faults = append(faults, fmt.Sprintf("%q is neither 1 nor -1", item[at+1:]))
				continue
			}
			name = item[:at]
			c.feature, c.either = s.Index(name), false
		}
		if c.feature < 0 {
			faults = append(faults, fmt.Sprintf("the model has no column %q: %s", name,
				cli.Instead(name, s.Names())))
			continue
		}
		claims = append(claims, c)
	}
	if faults != nil {
		return nil, cli.Misusef("--check-monotone: %s", strings.Join(faults, "; "))
	}
	return claims, nil
}

// judge checks a claim. If either direction is allowed, it returns the direction that is proven. If
// none is, it returns one without a counterexample, rising before falling.
func (c *claim) judge(ctx context.Context, e *model.Ensemble) (verdict, error) {
	v := verdict{either: c.either, fields: e.Meta.Schema.Fields}
	if n := e.Scores(); n == len(e.Meta.Classes) {
		v.scores = e.Meta.Classes
	} else if n > 1 {
		for k := range n {
			v.scores = append(v.scores, strconv.Itoa(k))
		}
	}
	var err error
	v.Monotony, err = explain.Monotone(ctx, e, c.feature, c.rising || c.either)
	if err != nil || !c.either || v.Proven {
		return v, err
	}
	falling, err := explain.Monotone(ctx, e, c.feature, false)
	if err == nil && (falling.Proven || v.Counter != nil && falling.Counter == nil) {
		v.Monotony = falling
	}
	return v, err
}

// MarshalJSON adds the rows of a counterexample, by name.
func (v verdict) MarshalJSON() ([]byte, error) {
	type row map[string]any
	object := struct {
		*explain.Monotony
		Low  row `json:"low,omitempty"`
		High row `json:"high,omitempty"`
	}{Monotony: v.Monotony}
	if c := v.Counter; c != nil {
		object.Low, object.High = row{}, row{}
		for f := range v.fields {
			object.Low[v.fields[f].Name] = jsonValue(&v.fields[f], c.Low[f])
			object.High[v.fields[f].Name] = jsonValue(&v.fields[f], c.High[f])
		}
	}
	return json.Marshal(object)
}

// jsonValue returns a value of a row for JSON: null if it is missing, and a text for categories and
// infinities.
func jsonValue(f *data.Field, x float64) any {
	switch {
	case math.IsNaN(x):
		return nil
	case f.Kind == data.Categorical || math.IsInf(x, 0):
		return cellWords(f, x)
	}
	return x
}

// cellWords returns a value of a row as text.
func cellWords(f *data.Field, x float64) string {
	switch {
	case math.IsNaN(x):
		return "missing"
	case f.Kind == data.Numeric:
		if date, ok := f.DateText(x); ok {
			return date
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	case x < 0:
		return "unseen"
	}
	return humanize.Name(f.Levels[int(x)])
}

// print prints the verdict on a column, and the two rows of a counterexample.
func (v *verdict) print(c *cli.Console, trees int) {
	way := "falling"
	if v.Rising {
		way = "rising"
	}
	name := humanize.Name(v.Column)
	switch {
	case v.Proven:
		c.Printf("%s: %s, proven by %s\n", name, way, humanize.Count(trees, "tree", "trees"))
		return
	case v.Counter == nil:
		c.Printf("%s: not proven to be %s: tree %d alone is not, but no counterexample was found "+
			"for the whole model\n", name, way, v.Tree)
		return
	}
	score := "the score"
	if v.scores != nil {
		score += " of " + humanize.Name(v.scores[v.Counter.Score])
	}
	if v.either {
		c.Printf("%s: neither rising nor falling; %s falls from\n", name, score)
	} else {
		c.Printf("%s: not %s: %s goes from\n", name, way, score)
	}
	v.printRow(c, v.Counter.Low, v.Counter.LowScore)
	c.Printf("to\n")
	v.printRow(c, v.Counter.High, v.Counter.HighScore)
}

// printRow prints a row of a counterexample: its score, and its values.
func (v *verdict) printRow(c *cli.Console, row []float64, score float64) {
	var words []string
	for f := range v.fields {
		words = append(words, humanize.Name(v.fields[f].Name)+"="+cellWords(&v.fields[f], row[f]))
	}
	c.Printf("  %s at %s\n", strconv.FormatFloat(score, 'g', -1, 64), strings.Join(words, ", "))
}
